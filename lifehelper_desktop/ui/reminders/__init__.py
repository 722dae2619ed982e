"""Reminders on the screen: what rings when, and the ways to show it."""
