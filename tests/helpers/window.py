"""A window and a model that only remember what was asked of them: for tools that act on either."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from lifehelper_desktop.tools.definition import UiAnswer, UiOutcome


class RecordingUi:
    """Implements UiActions: answers `answer` to every wish and remembers it."""

    def __init__(self, answer: UiAnswer | None = None, habit_in_view: int | None = None) -> None:
        """Answer `answer`, or that it was done."""
        self.answer = answer
        self.habit_in_view = habit_in_view
        self.wishes: list[tuple[str, object]] = []

    def open_screen(self, name: str) -> UiAnswer:
        """Remember the screen."""
        return self._take("open_screen", name, name)

    def show_habit(self, habit_id: int) -> UiAnswer:
        """Remember the habit."""
        return self._take("show_habit", habit_id, str(habit_id))

    def copy_text(self, text: str) -> UiAnswer:
        """Remember the text."""
        return self._take("copy_text", text, text)

    def _take(self, action: str, value: object, words: str) -> UiAnswer:
        self.wishes.append((action, value))
        return self.answer if self.answer is not None else UiAnswer(UiOutcome.DONE, words)


class RecordingTextModel:
    """Implements TextModel: gives the next of `texts`, then nothing; an exception is raised."""

    def __init__(self, texts: Iterable[str | Exception] = ()) -> None:
        """Answer `texts`, first first."""
        self.texts: deque[str | Exception] = deque(texts)
        self.instructions: list[str] = []

    def generate_text(self, instruction: str, max_tokens: int) -> str:
        """Remember the instruction."""
        self.instructions.append(instruction)
        answer = self.texts.popleft() if self.texts else ""
        if isinstance(answer, Exception):
            raise answer
        return answer
