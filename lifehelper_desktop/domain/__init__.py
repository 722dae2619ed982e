"""Pure values and functions: habits, entries, days, streaks, tiers, R1–R10. No input or output."""
