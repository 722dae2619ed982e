"""Home: today's habits in two sections, build and break, with the places that are left."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QMessageBox, QVBoxLayout, QWidget

from lifehelper_desktop.base.i18n import _, current_language, ngettext
from lifehelper_desktop.domain.changes import Changes
from lifehelper_desktop.domain.habits import Entry, EntryValue, Habit, HabitStatus, HabitType
from lifehelper_desktop.domain.labels import value_label
from lifehelper_desktop.storage.store import HabitOverview, Store
from lifehelper_desktop.ui.bus import Bus, Trouble
from lifehelper_desktop.ui.text import long_day
from lifehelper_desktop.ui.trouble import guarded
from lifehelper_desktop.ui.undo import take_back
from lifehelper_desktop.ui.widgets.basics import (
    button,
    clear_layout,
    column,
    frame,
    icon_label,
    label,
    row,
    scroll_page,
)
from lifehelper_desktop.ui.widgets.habit_card import HabitCard
from lifehelper_desktop.ui.widgets.notice import NoticeBar
from lifehelper_desktop.ui.writes import WriteOutcome, attempt

_CONTENT_MAX = 780


class HabitsScreen(QWidget):
    """`catalogue_asked` carries the HabitType to look for, or None; `edit_asked` a Habit.

    Marks and undos go to the day that the screen shows: when another day has begun, nothing is written.
    """

    catalogue_asked = Signal(object)
    edit_asked = Signal(object)

    def __init__(self, store: Store, bus: Bus) -> None:
        """Show the store's habits; `refresh` reads them anew."""
        super().__init__()
        self.bus = bus
        self._store = store
        self._today: date | None = None  # the day shown; None before the first successful look
        self.cards: dict[int, HabitCard] = {}
        self._entries: dict[int, dict[date, EntryValue]] = {}
        self._remaining: dict[HabitType, int] = {}
        self._places: dict[HabitType, QLabel] = {}
        self._shape: list[tuple[int, HabitStatus]] | None = None
        self.archive_question: QMessageBox | None = None
        outer = column(self)
        self._scroll, body = scroll_page()
        outer.addWidget(self._scroll)
        centre = row(body, margins=(20, 22, 20, 28))
        holder = QWidget()
        holder.setMaximumWidth(_CONTENT_MAX)
        centre.addStretch(1)
        centre.addWidget(holder, 100)
        centre.addStretch(1)
        layout = column(holder, gap=14)
        layout.addLayout(self._build_head())
        self.notice = NoticeBar()
        layout.addWidget(self.notice)
        layout.addSpacing(4)
        self._sections: QVBoxLayout = column(gap=12)
        layout.addLayout(self._sections)
        layout.addStretch(1)
        self.refresh()

    def _build_head(self) -> QVBoxLayout:
        head = column(gap=2)
        line = row(gap=10)
        self._day = label("", "display", wrap=True)
        self._day.setObjectName("todayTitle")
        line.addWidget(self._day, 1)
        add = button(
            _("습관 추가"), lambda: self.catalogue_asked.emit(None), role="primary", icon="plus", name="addHabit"
        )
        line.addWidget(add, 0, Qt.AlignmentFlag.AlignVCenter)
        head.addLayout(line)
        self._summary = label("", "muted")
        self._summary.setObjectName("todaySummary")
        head.addWidget(self._summary)
        return head

    # ---- showing ----------------------------------------------------------------------------------------------

    @guarded
    def refresh(self) -> None:
        """Read everything anew; cards are updated in place while the list keeps its shape."""
        # All reading first: when it fails, the screen keeps what it shows.
        today = self._store.today()
        overviews = self._store.overviews()
        self._entries = {each.habit.id: self._values(each.habit) for each in overviews}
        self._remaining = self._store.habits.remaining()
        self._today = today
        self._day.setText(long_day(today))
        self._summary.setText(_summary_words(overviews))
        shape = [(overview.habit.id, overview.habit.status) for overview in overviews]
        if shape != self._shape:
            self._shape = shape
            self._rebuild(overviews, today)
            return
        for overview in overviews:
            self.cards[overview.habit.id].show_overview(overview, self._entries[overview.habit.id], today)
        self._show_places()

    def due_cards(self) -> list[HabitCard]:
        """The cards of active habits in the order shown, for the number shortcuts."""
        return [card for card in self.cards.values() if card.habit.status is HabitStatus.ACTIVE]

    def _rebuild(self, overviews: list[HabitOverview], today: date) -> None:
        clear_layout(self._sections)
        self.cards = {}
        self._places.clear()
        active = [overview for overview in overviews if overview.habit.status is HabitStatus.ACTIVE]
        for habit_type, title in ((HabitType.BUILD, _("세우기")), (HabitType.BREAK, _("깨기"))):
            self._add_section_head(habit_type, title)
            here = [overview for overview in active if overview.habit.habit_type is habit_type]
            for overview in here:
                self._add_card(overview, today)
            if not here:
                self._sections.addWidget(self._empty_card(habit_type))
            self._sections.addSpacing(8)
        paused = [overview for overview in overviews if overview.habit.status is HabitStatus.PAUSED]
        if paused:
            self._sections.addWidget(label(_("쉬는 중"), "heading", wrap=False))
            for overview in paused:
                self._add_card(overview, today)
        self._show_places()

    def _add_section_head(self, habit_type: HabitType, title: str) -> None:
        head = row(gap=10)
        head.addWidget(label(title, "heading", wrap=False))
        places = label("", "badge", wrap=False)
        places.setObjectName(f"places_{habit_type.value}")
        self._places[habit_type] = places
        head.addWidget(places)
        head.addStretch(1)
        self._sections.addLayout(head)

    def _show_places(self) -> None:
        for habit_type, places in self._places.items():
            n = self._remaining[habit_type]
            words = ngettext("{n}자리 남음", "{n}자리 남음", n).format(n=n) if n else _("자리가 다 찼어요")
            places.setText(words)
            places.setAccessibleName(words)

    def _add_card(self, overview: HabitOverview, today: date) -> None:
        habit_id = overview.habit.id
        card = HabitCard(overview, self._entries[overview.habit.id], today)
        card.mark_asked.connect(partial(self.mark, habit_id))
        card.day_asked.connect(partial(self.change_day, habit_id))
        card.action_asked.connect(partial(self._act, habit_id))
        self.cards[habit_id] = card
        self._sections.addWidget(card)

    def _empty_card(self, habit_type: HabitType) -> QFrame:
        card = frame("empty", f"empty_{habit_type.value}")
        layout = row(card, margins=(18, 16, 16, 16), gap=12)
        building = habit_type is HabitType.BUILD
        layout.addWidget(icon_label("sprout" if building else "shield", "accent", 26))
        words = (
            _("작게 시작할 습관 하나를 골라 보세요. 가장 힘든 날에도 할 수 있는 크기면 좋아요.")
            if building
            else _("바꾸고 싶은 습관이 있다면, 그 자리를 채울 행동을 하나 정해요.")
        )
        layout.addWidget(label(words, "muted"), 1)
        choose = button(
            _("카탈로그에서 고르기"),
            lambda: self.catalogue_asked.emit(habit_type),
            role="soft",
            name=f"choose_{habit_type.value}",
        )
        layout.addWidget(choose)
        return card

    def _values(self, habit: Habit) -> dict[date, EntryValue]:
        return {day: entry.value for day, entry in self._store.entries.for_habit(habit.id).items()}

    # ---- writing ----------------------------------------------------------------------------------------------

    @guarded
    def mark(self, habit_id: int, value: EntryValue | None) -> None:
        """Record the day shown, or with None take back the entry that its card shows."""
        if value is not None:
            if self._log(habit_id, value) is not None:
                self.notice.hide()
        elif (entry := self.cards[habit_id].overview.today_entry) is not None:
            self._take_back(entry)

    def change_day(self, habit_id: int, day: date, value: EntryValue | None) -> None:
        """Record, change or delete one of the last days."""
        self._write(lambda: self._store.entries.change(habit_id, day, value))

    @guarded
    def mark_number(self, number: int) -> None:
        """Record the n-th active habit (from 1) as done on the day shown, when nothing is recorded yet."""
        cards = self.due_cards()
        if 1 <= number <= len(cards) and cards[number - 1].overview.today_entry is None:
            habit = cards[number - 1].habit
            entry = self._log(habit.id, EntryValue.DONE)
            if entry is None:
                return
            words = _("{title}: {value}").format(
                title=habit.title(current_language()), value=value_label(EntryValue.DONE)
            )
            self.notice.show_notice(words, action=_("되돌리기"), on_action=lambda: self._take_back(entry))

    def _log(self, habit_id: int, value: EntryValue) -> Entry | None:
        """Record the day shown and return the entry, or None when nothing was written."""
        day, made = self._today, []
        if day is None or day != self._store.today():
            self.refresh()
            self.notice.show_notice(_("새 하루가 시작됐어요. 오늘 화면으로 바꾸었으니 다시 눌러 주세요."))
            return None

        def write() -> Changes:
            entry, changes = self._store.entries.log(habit_id, value, day)
            made.append(entry)
            return changes

        return made[0] if self._write(write) else None

    def _take_back(self, entry: Entry) -> None:
        self._tell(take_back(self.bus, self._store, entry))

    def _act(self, habit_id: int, action: str) -> None:
        habits = self._store.habits
        if action == "pause":
            if self._write(lambda: habits.pause(habit_id)):
                self.notice.show_notice(
                    _("쉬어 갈게요. 자리가 하나 났어요."),
                    action=_("되돌리기"),
                    on_action=lambda: self._act(habit_id, "resume"),
                )
        elif action == "resume":
            self._write(lambda: habits.resume(habit_id))
        elif action == "archive":
            self._ask_archive(habit_id)
        elif action == "confirm_anchor":
            habit = self.cards[habit_id].habit
            self._write(lambda: habits.set_anchors(habit_id, habit.anchor_when, habit.anchor_after_what))
        elif action == "edit":
            self.edit_asked.emit(self.cards[habit_id].habit)

    def _ask_archive(self, habit_id: int) -> None:
        title = self.cards[habit_id].habit.title(current_language())
        box = QMessageBox(self)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setObjectName("archiveQuestion")
        box.setWindowTitle(_("습관 보관하기"))
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(_("‘{title}’ 습관을 보관할까요?").format(title=title))
        box.setInformativeText(_("기록은 그대로 남고, 자리가 하나 나요. 다시 하려면 새로 추가해요."))
        keep = box.addButton(_("취소"), QMessageBox.ButtonRole.RejectRole)
        archive = box.addButton(_("보관하기"), QMessageBox.ButtonRole.AcceptRole)
        archive.setObjectName("archiveYes")
        box.setDefaultButton(keep)
        box.setEscapeButton(keep)
        archive.clicked.connect(lambda _checked=False: self._write(lambda: self._store.habits.archive(habit_id)))
        self.archive_question = box
        box.finished.connect(self._forget_question)
        box.open()

    def _forget_question(self, _result: int) -> None:
        self.archive_question = None

    def _write(self, write: Callable[[], Changes]) -> bool:
        return self._tell(attempt(self.bus, write))

    def _tell(self, outcome: WriteOutcome) -> bool:
        """Say why a write was refused, show the true state either way, and return whether it went through."""
        if outcome.error is not None:
            self.bus.publish_notice(Trouble(outcome.error))
        elif not outcome.is_ok:
            self.notice.show_notice(outcome.problem, error=True)
        self.refresh()
        return outcome.is_ok


def _summary_words(overviews: list[HabitOverview]) -> str:
    due = [each for each in overviews if each.habit.status is HabitStatus.ACTIVE and each.is_due]
    if not due:
        return _("오늘 정해진 습관은 없어요.")
    marked = sum(each.today_entry is not None for each in due)
    if marked == len(due):
        return _("오늘 기록을 모두 마쳤어요. 잘했어요.")
    words = ngettext(
        "오늘 습관 {n}개 가운데 {done}개 기록했어요.", "오늘 습관 {n}개 가운데 {done}개 기록했어요.", len(due)
    )
    return words.format(n=len(due), done=marked)
