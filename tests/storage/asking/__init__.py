"""Tests of questions in SQL."""
