"""Errors of the world, as opposed to our own bugs.

A `WorldError` is told to the user in words, with the next step; anything else is a bug and goes to the log and the
crash report.
"""

from __future__ import annotations


class WorldError(Exception):
    """Something outside the program went wrong (disk full, no model, file unreadable).

    Attributes:
        message: What happened, one plain sentence in the user's language.
        next_step: What the user can do about it, in the user's language; may be empty.
    """

    def __init__(self, message: str, next_step: str = "") -> None:
        """Keep both sentences; `str()` joins them."""
        super().__init__(f"{message} {next_step}".strip())
        self.message = message
        self.next_step = next_step
