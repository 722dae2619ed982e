"""The keys of the list of cards: arrows walk between cards and inside them, Alt and an arrow moves a card."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Protocol

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from lifehelper_desktop.ui.widgets.card_menu import MOVE_DOWN_KEYS, MOVE_UP_KEYS
from lifehelper_desktop.ui.widgets.habit_card import HabitCard


class Walked(Protocol):
    """What the keys need of the list."""

    def lines(self) -> list[QWidget]:
        """Return the cards, and the buttons between them, from top to bottom."""
        ...

    def focus(self, widget: QWidget) -> None:
        """Give `widget` the focus and bring it into view."""
        ...

    def show_more(self) -> bool:
        """Build more cards at the end; return whether there were any."""
        ...

    def move_by(self, card: HabitCard, step: int) -> None:
        """Move a card up (-1) or down (1) in its section."""
        ...


class CardKeys:
    """Binds the keys to `area` and everything inside it."""

    def __init__(self, area: QWidget, cards: Walked) -> None:
        """`area` is the widget of the list `cards`."""
        self._area, self._cards = area, cards
        keys: dict[str, Callable[[], None]] = {
            "Up": partial(self._line, -1),
            "Down": partial(self._line, 1),
            "Left": partial(self._inside, -1),
            "Right": partial(self._inside, 1),
            "Home": partial(self._end, 0),
            "End": partial(self._end, -1),
            MOVE_UP_KEYS: partial(self._move, -1),
            MOVE_DOWN_KEYS: partial(self._move, 1),
        }
        for sequence, slot in keys.items():
            QShortcut(QKeySequence(sequence), area, slot, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)

    def _line(self, step: int) -> None:
        """Go to the line above or below, to the same control there when it has it."""
        lines, at, focused = self._where()
        if at is None:
            return
        if at + step == len(lines) and self._cards.show_more():
            lines = self._cards.lines()
        if 0 <= at + step < len(lines):
            self._cards.focus(_counterpart(focused, lines[at], lines[at + step]))

    def _inside(self, step: int) -> None:
        lines, at, focused = self._where()
        if at is None:
            return
        stops = _stops(lines[at])
        index = stops.index(focused) + step if focused in stops else 0
        if 0 <= index < len(stops):
            self._cards.focus(stops[index])

    def _end(self, index: int) -> None:
        lines = self._cards.lines()
        if lines:
            self._cards.focus(lines[index])

    def _move(self, step: int) -> None:
        lines, at, _focused = self._where()
        card = lines[at] if at is not None else None
        if isinstance(card, HabitCard):
            self._cards.move_by(card, step)

    def _where(self) -> tuple[list[QWidget], int | None, QWidget]:
        """Return the lines, the one that holds the focus (None for none), and what has the focus."""
        focused = self._area.window().focusWidget() or self._area
        lines = self._cards.lines()
        at = next((n for n, line in enumerate(lines) if line is focused or line.isAncestorOf(focused)), None)
        return lines, at, focused


def _stops(line: QWidget) -> list[QWidget]:
    return line.stops() if isinstance(line, HabitCard) else [line]


def _counterpart(focused: QWidget, line: QWidget, other: QWidget) -> QWidget:
    """Return the control of `other` that does what `focused` does in `line`; the line itself where there is none."""
    if not (isinstance(line, HabitCard) and isinstance(other, HabitCard)):
        return other
    here, there = line.stops(shown=False), other.stops(shown=False)
    twin = there[here.index(focused)] if focused in here else other
    return twin if twin in other.stops() else other
