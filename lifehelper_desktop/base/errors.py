"""Errors of the world, as opposed to our own bugs.

A `WorldError` is told to the user in words, with the next step; anything else is a bug and goes to the log and the
crash report.
"""

from __future__ import annotations

import contextlib
import sys


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


def tell_stderr(words: object) -> None:
    """Write a line on stderr, where there is one and it takes it: a closed terminal or a full disk stops nothing."""
    if sys.stderr is not None:
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.write(f"{words}\n")
            sys.stderr.flush()
