"""The catalogue as a list model, and how a row is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from lifehelper_desktop.base.i18n import _, current_language
from lifehelper_desktop.domain.habits import HabitKind, Protocol
from lifehelper_desktop.ui import icons
from lifehelper_desktop.ui.theme import theme

ProtocolRole = Qt.ItemDataRole.UserRole + 1
SummaryRole = Qt.ItemDataRole.UserRole + 2
TakenRole = Qt.ItemDataRole.UserRole + 3
_Index = QModelIndex | QPersistentModelIndex
# Device-independent pixels.
_EDGE, _PAD, _PAD_Y, _GAP = 3, 12, 10, 3
_SIGN = 18  # at 100 % text
_NO_VIEW_WIDTH, _TALL = 300, 10_000
_WRAP = int(Qt.TextFlag.TextWordWrap)


class CatalogueModel(QAbstractListModel):
    """Rows of Protocol in the order given; knows which are among the user's habits already."""

    def __init__(self, parent: QObject | None = None) -> None:
        """Start empty."""
        super().__init__(parent)
        self._rows: list[Protocol] = []
        self._taken: frozenset[str] = frozenset()

    def show_rows(self, rows: Sequence[Protocol], taken: frozenset[str]) -> bool:
        """Replace all rows; the same rows again change nothing, so that the place in the list stays.

        Returns whether anything changed.
        """
        if self._rows == list(rows) and self._taken == taken:
            return False
        self.beginResetModel()
        self._rows, self._taken = list(rows), taken
        self.endResetModel()
        return True

    def row_of(self, protocol_id: str) -> int:
        """Return the row of a catalogue id, or -1."""
        return next((at for at, entry in enumerate(self._rows) if entry.id == protocol_id), -1)

    def rowCount(self, parent: _Index | None = None) -> int:
        """Return how many entries are shown."""
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return title, summary, the Protocol, or what a screen reader says."""
        entry, language = self._rows[index.row()], current_language()
        taken = entry.id in self._taken
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return entry.text("title", language)
            case Qt.ItemDataRole.AccessibleTextRole:
                parts = [entry.text("title", language), entry.text("summary", language)]
                return " · ".join([*parts, _("하고 있어요")] if taken else parts)
            case _ if role == ProtocolRole:
                return entry
            case _ if role == SummaryRole:
                return entry.text("summary", language)
            case _ if role == TakenRole:
                return taken
        return None


class CatalogueDelegate(QStyledItemDelegate):
    """Draws a row as a calm card: icon, title, and the whole summary in as many lines as it needs."""

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """Return the height that the words need in the width of the list."""
        view = option.widget
        width = view.viewport().width() if isinstance(view, QListView) else _NO_VIEW_WIDTH
        room = QRect(0, 0, width - 2 * (_EDGE + _PAD), _TALL)
        summary = QFontMetrics(option.font).boundingRect(room, _WRAP, index.data(SummaryRole))
        title = _title_height(option, index, room.width())
        return QSize(width, title + _GAP + summary.height() + 2 * (_EDGE + _PAD_Y))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Draw one row."""
        tokens = theme().tokens
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = option.rect.adjusted(_EDGE, _EDGE, -_EDGE, -_EDGE)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        focused = bool(option.state & QStyle.StateFlag.State_HasFocus)
        fill = "accent_soft" if selected else "hover" if hovered else "surface"
        painter.setBrush(tokens.colour(fill))
        pen = painter.pen()
        pen.setColor(tokens.colour("accent" if selected or focused else "border"))
        pen.setWidthF(2 if selected and focused else 1)
        painter.setPen(pen)
        painter.drawRoundedRect(box, 12, 12)
        self._paint_words(painter, option, index, box.adjusted(_PAD, _PAD_Y, -_PAD, -_PAD_Y), selected)
        painter.restore()

    def _paint_words(
        self, painter: QPainter, option: QStyleOptionViewItem, index: _Index, box: QRect, selected: bool
    ) -> None:
        tokens = theme().tokens
        name = _sign_of(index)
        if name:
            side = theme().px(_SIGN)
            spot = QRect(box.right() - side, box.top(), side, side)
            painter.drawPixmap(spot, icons.pixmap(name, tokens["accent"], _SIGN, painter.device().devicePixelRatioF()))
        painter.setFont(_bold(option.font))
        painter.setPen(tokens.colour("on_accent_soft" if selected else "text"))
        title = _title_height(option, index, box.width())
        painter.drawText(QRect(box.left(), box.top(), _title_width(index, box.width()), title), _WRAP, index.data())
        painter.setFont(option.font)
        painter.setPen(tokens.colour("on_accent_soft" if selected else "muted"))
        top = box.top() + title + _GAP
        lines = QRect(box.left(), top, box.width(), box.bottom() + 1 - top)
        painter.drawText(lines, _WRAP, index.data(SummaryRole))


def _sign_of(index: _Index) -> str:
    """Return the icon at the end of the title: in use already, a habit to break, or none."""
    if index.data(TakenRole):
        return "done"
    entry: Protocol = index.data(ProtocolRole)
    return "shield" if entry.kind is HabitKind.BREAK else ""


def _title_width(index: _Index, width: int) -> int:
    return width - theme().px(_SIGN) - 4 if _sign_of(index) else width


def _title_height(option: QStyleOptionViewItem, index: _Index, width: int) -> int:
    room = QRect(0, 0, _title_width(index, width), _TALL)
    return QFontMetrics(_bold(option.font)).boundingRect(room, _WRAP, index.data()).height()


def _bold(font: QFont) -> QFont:
    result = QFont(font)
    result.setBold(True)
    return result
