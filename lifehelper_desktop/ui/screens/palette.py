"""The command palette: one field over the window that leads everywhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QWidget

from lifehelper_desktop.base.i18n import _, ngettext
from lifehelper_desktop.ui.palette_search import PaletteItem, search
from lifehelper_desktop.ui.theme import theme
from lifehelper_desktop.ui.widgets.announce import announce
from lifehelper_desktop.ui.widgets.basics import column, frame, label
from lifehelper_desktop.ui.widgets.line_list import Line, LineList
from lifehelper_desktop.ui.widgets.search_field import SearchField

# Pixels at 100 % text.
_WIDTH: Final = 560
_HEIGHT: Final = 440
_FROM_TOP: Final = 70
_EDGE: Final = 24
_WALKS: Final = {
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_PageUp: -8,
    Qt.Key.Key_PageDown: 8,
}


More = Callable[[str], Sequence[PaletteItem]]


class PaletteDialog(QDialog):
    """Closes when something is chosen, with Esc, and when the user goes elsewhere. `chosen` carries the PaletteItem."""

    chosen = Signal(object)

    def __init__(
        self, items: Sequence[PaletteItem], recent: Sequence[str], parent: QWidget, more: More | None = None
    ) -> None:
        """Offer `items`; those in `recent` (keys, newest first) come first.

        Args:
            more: Looks for what was typed elsewhere; it comes after the items.
        """
        super().__init__(parent, Qt.WindowType.Dialog | Qt.WindowType.FramelessWindowHint)
        self.setObjectName("palette")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(_("명령 찾기"))
        self._items, self._recent, self._more = tuple(items), tuple(recent), more
        self._found: dict[str, PaletteItem] = {}
        outer = column(self)
        card = frame("palette")
        outer.addWidget(card)
        layout = column(card, margins=(14, 14, 14, 12), gap=10)
        self.field = SearchField("paletteField", _("명령, 습관, 메모, 카탈로그: 기록, ㄱㄱ…"), _("명령 찾기"))
        self.field.searched.connect(self._show)
        self.field.installEventFilter(self)
        layout.addWidget(self.field)
        self.list = LineList("paletteList", _("찾은 것"))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the field keeps the keys and hands on those of the list
        self.list.itemClicked.connect(lambda _item: self.take())
        self.list.chosen.connect(self._tell_current)
        layout.addWidget(self.list, 1)
        self.empty = label(_("맞는 것이 없어요. 다른 말로 찾아 보세요."), "muted")
        self.empty.setObjectName("paletteEmpty")
        self.empty.hide()
        layout.addWidget(self.empty)
        layout.addWidget(label(_("↑ ↓ 고르기 · Enter 하기 · Esc 닫기"), "small"))
        self._place(parent)
        self._show("")
        self.field.setFocus()

    def _place(self, window: QWidget) -> None:
        px = theme().px
        width = min(px(_WIDTH), window.width() - 2 * _EDGE)
        height = min(px(_HEIGHT), window.height() - px(_FROM_TOP) - _EDGE)
        self.resize(width, height)
        self.move(window.mapToGlobal(QPoint((window.width() - width) // 2, px(_FROM_TOP))))

    # ---- showing ----------------------------------------------------------------------------------------------

    def _show(self, wanted: str) -> None:
        found = search(self._items, wanted, self._recent)
        if self._more is not None and wanted.strip():
            found += self._more(wanted)
        self._found = {each.key: each for each in found}
        blocked = self.list.blockSignals(True)
        self.list.show_lines(
            [Line(each.key, each.title, each.detail, badge=each.keys, icon=each.icon) for each in found]
        )
        if found:
            self.list.setCurrentRow(0)
            self.list.scrollToTop()
        self.list.blockSignals(blocked)
        self.list.setVisible(bool(found))
        self.empty.setVisible(not found)
        if not found:
            announce(self, self.empty.text())
        elif wanted.strip():
            n = len(found)
            words = ngettext("{n}개를 찾았어요", "{n}개를 찾았어요", n).format(n=n)
            announce(self, f"{found[0].title}. {words}")

    def _tell_current(self) -> None:
        """The focus stays in the field, so a reader is told what the arrows reach."""
        current = self.list.current
        if current is not None:
            announce(self, current.spoken)

    # ---- keys -------------------------------------------------------------------------------------------------

    def take(self) -> None:
        """Close and do what is chosen."""
        current = self.list.current
        if current is not None:
            self.close()
            self.chosen.emit(self._found[str(current.key)])

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The field hands on the keys of the list; what an input method composes is none of them."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() in _WALKS:
                self._walk(_WALKS[Qt.Key(event.key())])
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                if not event.isAutoRepeat():
                    self.take()
                return True
        return super().eventFilter(watched, event)

    def _walk(self, step: int) -> None:
        count = self.list.count()
        if count:
            row = self.list.currentRow() + step
            # One step goes round; a page stops at the end.
            self.list.setCurrentRow(row % count if abs(step) == 1 else max(0, min(row, count - 1)))

    def changeEvent(self, event: QEvent) -> None:
        """Close when another window is chosen."""
        super().changeEvent(event)
        left = event.type() == QEvent.Type.ActivationChange and not self.isActiveWindow()
        if left and self.isVisible():
            self.close()
