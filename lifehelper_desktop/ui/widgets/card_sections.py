"""What stands between the cards of the home screen: headings, free places, the invitation of an empty section."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QSizePolicy, QWidget

from lifehelper_desktop.base.i18n import _, ngettext
from lifehelper_desktop.domain.habits import HabitType
from lifehelper_desktop.ui import icons
from lifehelper_desktop.ui.theme import theme
from lifehelper_desktop.ui.widgets.basics import button, column, frame, icon_label, label, row
from lifehelper_desktop.ui.widgets.flow import FlowBox


class SectionHead(QWidget):
    """The heading of habits to build or to break, with the places that are left (R3)."""

    def __init__(self, habit_type: HabitType) -> None:
        """Begin without a number."""
        super().__init__()
        flow = FlowBox(gap=10)
        column(self, margins=(0, 8, 0, 0)).addWidget(flow)
        words = _("깨기") if habit_type is HabitType.BREAK else _("세우기")
        self._places = label("", "badge", wrap=False)
        self._places.setObjectName(f"places_{habit_type.value}")
        flow.add(label(words, "heading", wrap=False), self._places)

    def show_places(self, n: int) -> None:
        """Show how many places are left."""
        words = ngettext("{n}자리 남음", "{n}자리 남음", n).format(n=n) if n else _("자리가 다 찼어요")
        self._places.setText(words)
        self._places.setAccessibleName(words)


class PausedHead(QWidget):
    """The heading of the paused habits; a button that folds them where there are many."""

    def __init__(self, on_fold: Callable[[], object]) -> None:
        """`on_fold` is called when the button is pressed."""
        super().__init__()
        layout = row(self, margins=(0, 8, 0, 0))
        self._label = label("", "heading", wrap=False)
        self._label.setObjectName("pausedTitle")
        self.button = button("", on_fold, role="section", name="foldPaused")
        self.button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        layout.addWidget(self._label)
        layout.addWidget(self.button, 1)
        layout.addStretch(0)

    def show_count(self, n: int, *, foldable: bool, folded: bool) -> None:
        """Show how many there are, and whether they are folded away."""
        words = _("쉬는 중")
        self._label.setText(words)
        self._label.setVisible(not foldable)
        self.button.setVisible(foldable)
        self.button.setText(ngettext("쉬는 중 {n}개", "쉬는 중 {n}개", n).format(n=n))
        sign = icons.icon("right" if folded else "down", theme().tokens["muted"], 18)
        self.button.setIcon(sign)
        state = _("접혀 있어요. 누르면 펼쳐요.") if folded else _("펼쳐져 있어요. 누르면 접어요.")
        self.button.setAccessibleDescription(state)
        self.button.setToolTip(_("펼치기") if folded else _("접기"))


def invitation(habit_type: HabitType, on_choose: Callable[[], object]) -> tuple[QFrame, QPushButton]:
    """Return what an empty section shows, and the button in it that goes to the catalogue."""
    card = frame("empty", f"empty_{habit_type.value}")
    layout = row(card, margins=(18, 16, 16, 16), gap=14)
    building = habit_type is HabitType.BUILD
    layout.addWidget(icon_label("sprout" if building else "shield", "accent", 28), 0, Qt.AlignmentFlag.AlignTop)
    title = _("작게 시작해 볼까요?") if building else _("바꾸고 싶은 습관이 있나요?")
    words = (
        _("습관 하나를 골라 보세요. 가장 힘든 날에도 할 수 있는 크기면 좋아요.")
        if building
        else _("그 자리를 채울 행동을 하나 정하면 돼요.")
    )
    text = column(gap=3)
    text.addWidget(label(title, "section"))
    text.addWidget(label(words, "muted"))
    text.addSpacing(7)
    choose = button(_("카탈로그에서 고르기"), on_choose, role="soft", name=f"choose_{habit_type.value}")
    text.addLayout(_left(choose))
    layout.addLayout(text, 1)
    return card, choose


def nothing_found(on_clear: Callable[[], object]) -> tuple[QFrame, QPushButton]:
    """Return what the list shows when no title fits the search, and the button that ends it."""
    card = frame("empty", "nothingFound")
    layout = column(card, margins=(18, 16, 16, 16), gap=10)
    layout.addWidget(label(_("맞는 습관이 없어요. 다른 말로 찾아 보세요."), "muted"))
    clear = button(_("모두 보기"), on_clear, role="soft", name="clearSearch")
    layout.addLayout(_left(clear))
    return card, clear


def _left(widget: QWidget) -> QHBoxLayout:
    """Return a line with `widget` at its beginning, as wide as it wishes."""
    line = row()
    line.addWidget(widget)
    line.addStretch(1)
    return line
