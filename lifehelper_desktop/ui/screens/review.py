"""The weekly review: a small table, what went well, and one thing to change, in words made from the data."""

from __future__ import annotations

from datetime import date, timedelta
from functools import partial
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.base.settings import WEEK_START
from lifehelper_desktop.domain.changes import Changes
from lifehelper_desktop.domain.habits import HabitStatus
from lifehelper_desktop.domain.review import WEEK, WeekReview
from lifehelper_desktop.domain.review_words import (
    one_change,
    review_text,
    total_words,
    week_name,
    went_well,
)
from lifehelper_desktop.storage.review import first_of_week, last_closed_week, read_review
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui.bus import Bus
from lifehelper_desktop.ui.text import short_day
from lifehelper_desktop.ui.trouble import guarded
from lifehelper_desktop.ui.widgets.basics import (
    button,
    centred,
    clear_layout,
    column,
    frame,
    icon_label,
    label,
    row,
    scroll_page,
    tool_button,
)
from lifehelper_desktop.ui.widgets.flow import FlowBox
from lifehelper_desktop.ui.widgets.notice import NoticeBar
from lifehelper_desktop.ui.widgets.week_table import WeekTable

_CONTENT_MAX: Final = 780


class ReviewScreen(QWidget):
    """One week at a time, first the newest that is over, or the running one before there was any. Main thread.

    `detail_asked` carries the id of a habit, `edit_asked` the Habit that the advice is about.
    """

    detail_asked = Signal(int)
    edit_asked = Signal(object)

    def __init__(self, store: Store, bus: Bus, parent: QWidget | None = None) -> None:
        """Show the last closed week; `refresh` reads anew."""
        super().__init__(parent)
        self.setObjectName("reviewScreen")
        self.bus = bus
        self._store = store
        self._first: date | None = None  # of the week that is shown; None before the first successful look
        self._review: WeekReview | None = None
        self._is_stale = False
        outer = column(self)
        self._scroll, body = scroll_page(focusable=True)
        self._scroll.setAccessibleName(_("주간 돌아보기"))
        outer.addWidget(self._scroll)
        layout = column(centred(body, _CONTENT_MAX, (20, 22, 20, 28)), gap=14)
        layout.addWidget(label(_("주간 돌아보기"), "display"))
        layout.addLayout(self._build_switch())
        self.notice = NoticeBar()
        layout.addWidget(self.notice)
        self._body: QVBoxLayout = column(gap=14)
        layout.addLayout(self._body)
        layout.addStretch(1)
        bus.on_data(self._on_data)
        self.refresh()

    def _build_switch(self) -> QVBoxLayout:
        box = column(gap=4)
        week = QWidget()
        line = row(week, gap=6)
        self.earlier = tool_button("left", _("앞 주 보기"), partial(self._move, -1), name="earlierWeek", colour="text")
        self.later = tool_button("right", _("다음 주 보기"), partial(self._move, 1), name="laterWeek", colour="text")
        self.name = label("", "heading", wrap=False)
        self.name.setObjectName("weekName")
        line.addWidget(self.earlier)
        line.addWidget(self.name)
        line.addWidget(self.later)
        copy = button(_("글로 복사"), self.copy, name="copyReview")
        copy.setAccessibleDescription(_("이 주의 돌아보기를 글로 복사해요."))
        switch = FlowBox(gap=6)
        switch.add(week)
        switch.add(copy, at_end=True)
        box.addWidget(switch)
        self.span = label("", "muted")
        self.span.setObjectName("weekSpan")
        box.addWidget(self.span)
        return box

    # ---- showing ----------------------------------------------------------------------------------------------

    @property
    def review(self) -> WeekReview | None:
        """What is shown; None before the first successful look."""
        return self._review

    @guarded
    def refresh(self) -> None:
        """Read the week that is shown anew; when the page is hidden as soon as it is shown."""
        self._is_stale = self._first is not None and not self.isVisible()
        if self._is_stale:
            return
        if self._first is not None:
            self._show(first_of_week(self._store, self._first))
            return
        first = last_closed_week(self._store)
        had_habits = bool(read_review(self._store, first).habits)
        self._show(first if had_habits else first_of_week(self._store, self._store.today()))

    def showEvent(self, event: QShowEvent) -> None:
        """Read what changed while the page was hidden."""
        super().showEvent(event)
        if self._is_stale:
            self.refresh()

    def show_week(self, day: date) -> None:
        """Go to the week of `day`, at most to the running one."""
        self._first = day
        self.refresh()

    def _show(self, first: date) -> None:
        newest = first_of_week(self._store, self._store.today())
        first = min(first, newest)
        review = read_review(self._store, first)
        self._first, self._review = first, review
        self.name.setText(week_name(review))
        self.span.setText(f"{short_day(review.first)} – {short_day(review.last)}")
        self.later.setEnabled(first < newest)
        clear_layout(self._body)
        self._body.addWidget(label(total_words(review)))
        if review.habits:
            table = WeekTable(review)
            table.detail_asked.connect(self.detail_asked)
            self._body.addWidget(table)
        self._body.addWidget(self._build_well(review))
        self._body.addWidget(self._build_advice(review))

    @guarded
    def _move(self, weeks: int) -> None:
        if self._first is not None:
            self._show(self._first + timedelta(days=WEEK * weeks))
            control = self.later if weeks > 0 and self.later.isEnabled() else self.earlier
            control.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_data(self, changes: Changes) -> None:
        if changes.habits or changes.entries or WEEK_START.key in changes.settings:
            self.refresh()

    def _build_well(self, review: WeekReview) -> QFrame:
        card = frame("card", "wentWell")
        inside = column(card, margins=(16, 14, 16, 15), gap=8)
        inside.addLayout(_head("sparkle", _("잘된 것")))
        for words in went_well(review):
            line = row(gap=8)
            line.addWidget(icon_label("check", "accent", 18), 0, Qt.AlignmentFlag.AlignTop)
            text = label(words, selectable=True)
            text.setProperty("part", "well")
            line.addWidget(text, 1)
            inside.addLayout(line)
        return card

    def _build_advice(self, review: WeekReview) -> QFrame:
        advice = one_change(review)
        card = frame("card", "oneChange")
        inside = column(card, margins=(16, 14, 16, 15), gap=8)
        inside.addLayout(_head("edit", _("바꿔 볼 것 하나")))
        words = label(advice.text, selectable=True)
        words.setObjectName("advice")
        inside.addWidget(words)
        habit = next((each.habit for each in review.habits if each.habit.id == advice.habit_id), None)
        if habit is not None and habit.status is not HabitStatus.ARCHIVED:
            line = row()
            line.addWidget(
                button(_("습관 고치기"), partial(self.edit_asked.emit, habit), role="soft", name="editAdvised")
            )
            line.addStretch(1)
            inside.addLayout(line)
        return card

    def copy(self) -> None:
        """Copy the whole review as text."""
        if self._review is not None:
            QGuiApplication.clipboard().setText(review_text(self._review))
            self.notice.show_notice(_("복사했어요."))


def _head(icon: str, words: str) -> QVBoxLayout:
    box = column(gap=0)
    line = row(gap=8)
    line.addWidget(icon_label(icon, "accent", 20))
    line.addWidget(label(words, "heading"), 1)
    box.addLayout(line)
    return box
