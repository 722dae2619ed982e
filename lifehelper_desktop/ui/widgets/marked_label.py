"""A label in which places can be marked: plain text that is never read as markup."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QLabel

from lifehelper_desktop.ui.theme import theme
from lifehelper_desktop.ui.widgets.basics import as_label

Span = tuple[int, int]
_TALL: Final = 1_000_000


class MarkedLabel(QLabel):
    """`text` is always the plain text; `mark` shows it with places marked, `setText` and `unmark` without."""

    def __init__(self, text: str = "") -> None:
        """Show `text` without marks."""
        super().__init__(text)
        self._plain = text

    def text(self) -> str:
        """Return the plain text."""
        return self._plain

    def setText(self, text: str) -> None:
        """Show another text, without marks."""
        self._plain = text
        self.unmark()

    def unmark(self) -> None:
        """Take the marks away."""
        self.setTextFormat(Qt.TextFormat.PlainText)
        super().setText(self._plain)

    def mark(self, spans: Sequence[Span], current: int | None) -> None:
        """Mark the places `spans` (first and end, in order, apart); `current` is underlined too."""
        tokens = theme().tokens
        parts: list[str] = []
        at = 0
        for number, (first, end) in enumerate(spans):
            here = number == current
            ground, words = ("accent", "on_accent") if here else ("gold_soft", "on_gold_soft")
            style = f"background-color:{tokens[ground]};color:{tokens[words]};"
            style += "text-decoration:underline;" if here else ""
            marked = html.escape(self._plain[first:end])
            parts += [html.escape(self._plain[at:first]), f'<span style="{style}">{marked}</span>']
            at = end
        parts.append(html.escape(self._plain[at:]))
        self.setTextFormat(Qt.TextFormat.RichText)
        super().setText(f'<div style="white-space:pre-wrap">{"".join(parts)}</div>')

    def line_rect(self, index: int) -> QRect:
        """Return about where the character `index` stands: its line over the whole width."""
        metrics, width = self.fontMetrics(), max(1, self.contentsRect().width())
        room = QRect(0, 0, width, _TALL)
        bottom = metrics.boundingRect(room, int(Qt.TextFlag.TextWordWrap), self._plain[: index + 1]).height()
        return QRect(0, max(0, bottom - metrics.lineSpacing()), width, metrics.lineSpacing())


def marked_label(text: str = "", role: str = "body", *, wrap: bool = True, selectable: bool = False) -> MarkedLabel:
    """Return a label like that of `basics.label` in which places can be marked."""
    return as_label(MarkedLabel(text), role, wrap=wrap, selectable=selectable)
