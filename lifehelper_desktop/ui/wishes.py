"""What the coach wants done on the window: one wish, carried out at most once by the main thread, or taken back."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from enum import StrEnum

from lifehelper_desktop.tools.definition import UiAnswer, UiOutcome


class UiAction(StrEnum):
    """What can be wished for."""

    OPEN_SCREEN = "open_screen"
    SHOW_HABIT = "show_habit"
    COPY_TEXT = "copy_text"


@dataclass(frozen=True, slots=True)
class Wish:
    """One wish; `text` names the screen or is to be copied, `habit_id` is for the page of a habit."""

    action: UiAction
    text: str = ""
    habit_id: int = 0


class PendingWish:
    """A wish on its way. Any thread; it ends exactly once.

    The asking thread blocks in `wait`. The main thread must `begin` before it does anything: what was taken back by
    then is not done, so that “stopped” is never said of something that happens after all.
    """

    def __init__(self, wish: Wish) -> None:
        """Begin waiting for `wish` to be carried out."""
        self.wish = wish
        self._lock = threading.Lock()
        self._done = threading.Event()
        self._begun = False
        self._answer: UiAnswer | None = None

    def begin(self) -> bool:
        """Claim the wish for the main thread; False when it was taken back."""
        with self._lock:
            if self._begun or self._answer is not None:
                return False
            self._begun = True
            return True

    def finish(self, answer: UiAnswer) -> None:
        """Say what became of it; only the first answer counts."""
        with self._lock:
            if self._answer is not None:
                return
            self._answer = answer
        self._done.set()

    def take_back(self, outcome: UiOutcome) -> None:
        """End the wish unless the main thread has begun with it: then its answer comes at once anyway."""
        with self._lock:
            if self._begun or self._answer is not None:
                return
            self._answer = UiAnswer(outcome)
        self._done.set()

    def wait(self) -> UiAnswer:
        """Block until the wish has ended and return how."""
        self._done.wait()
        assert self._answer is not None, "ended with an answer"
        return self._answer
