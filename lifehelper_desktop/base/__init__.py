"""Leaf package: clock, paths, settings rows, translation, logging, errors, discovery. Imports nothing of ours."""
