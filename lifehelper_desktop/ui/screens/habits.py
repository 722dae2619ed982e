"""Home: today's habits in two sections, build and break, with the places that are left, and the paused ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QMessageBox, QVBoxLayout, QWidget

from lifehelper_desktop.base.i18n import _, current_language, ngettext
from lifehelper_desktop.domain.changes import Changes
from lifehelper_desktop.domain.finding import finds
from lifehelper_desktop.domain.habits import Entry, EntryValue, Habit, HabitStatus, HabitType
from lifehelper_desktop.domain.labels import value_label
from lifehelper_desktop.storage.store import HabitOverview, Store
from lifehelper_desktop.storage.trash import TRASH_DAYS
from lifehelper_desktop.ui.bus import Bus, Trouble
from lifehelper_desktop.ui.questions import ask
from lifehelper_desktop.ui.shortcuts import Keys, keys_in_force, shown_key
from lifehelper_desktop.ui.text import long_day, one_line
from lifehelper_desktop.ui.trouble import guarded
from lifehelper_desktop.ui.undo import take_back
from lifehelper_desktop.ui.widgets.announce import announce
from lifehelper_desktop.ui.widgets.basics import button, centred, column, label, row, scroll_page
from lifehelper_desktop.ui.widgets.card_facts import CardFacts, first_day_needed
from lifehelper_desktop.ui.widgets.card_list import CardList, section_of
from lifehelper_desktop.ui.widgets.habit_card import HabitCard
from lifehelper_desktop.ui.widgets.narrow import BesideOrBelow
from lifehelper_desktop.ui.widgets.notice import NoticeBar
from lifehelper_desktop.ui.widgets.search_field import SearchField
from lifehelper_desktop.ui.writes import WriteOutcome, attempt

_CONTENT_MAX, _DAY_ROOM = 780, 230  # pixels at 100 % text
_SEARCH_FROM = 11  # habits; fewer are seen at a glance
_NUMBERS = 9  # habits that a number key marks


class HabitsScreen(QWidget):
    """Today. `announced` carries what screen readers are told.

    `catalogue_asked` carries the HabitType to look for, or None; `edit_asked` a Habit; `detail_asked` and
    `reminders_asked` the id of a habit; `archive_asked` is for the archived habits and the trash.

    Marks and undos go to the day that the screen shows: when another day has begun, nothing is written.
    """

    catalogue_asked = Signal(object)
    edit_asked = Signal(object)
    detail_asked = Signal(int)
    reminders_asked = Signal(int)
    archive_asked = Signal()
    announced = Signal(str)

    def __init__(self, store: Store, bus: Bus) -> None:
        """Show the store's habits; `refresh` reads them anew."""
        super().__init__()
        self.bus = bus
        self._store = store
        self._keys: Mapping[str, Keys] = keys_in_force({})
        self._today: date | None = None  # the day shown; None before the first successful look
        self._facts: list[CardFacts] = []
        self._remaining: dict[HabitType, int] = {}
        self.archive_question: QMessageBox | None = None
        outer = column(self)
        self._scroll, body = scroll_page()
        outer.addWidget(self._scroll)
        layout = column(centred(body, _CONTENT_MAX, (20, 22, 20, 28)), gap=14)
        layout.addLayout(self._build_head())
        layout.addWidget(self._build_search())
        self.notice = NoticeBar()
        layout.addWidget(self.notice)
        self.list = self._build_list()
        layout.addWidget(self.list)
        layout.addLayout(self._build_foot())
        layout.addStretch(1)
        self.announced.connect(partial(announce, self))
        bar = self._scroll.verticalScrollBar()
        bar.valueChanged.connect(self._fill)
        bar.rangeChanged.connect(self._fill)
        self.refresh()

    def _build_head(self) -> QVBoxLayout:
        head = column(gap=4)
        line = BesideOrBelow(gap=10, room=_DAY_ROOM)
        self._day = label("", "display", wrap=True)
        self._day.setObjectName("todayTitle")
        add = button(
            _("습관 추가"), lambda: self.catalogue_asked.emit(None), role="primary", icon="plus", name="addHabit"
        )
        line.add(self._day, add)
        head.addWidget(line)
        self._summary = label("", "muted")
        self._summary.setObjectName("todaySummary")
        head.addWidget(self._summary)
        return head

    def _build_search(self) -> SearchField:
        self.search = SearchField("habitSearch", _("습관 찾기: 걷기, ㄱㄱ…"), _("습관 찾기"))
        self.search.searched.connect(self._show_list)
        self.search.hide()
        return self.search

    def _build_list(self) -> CardList:
        cards = CardList()
        cards.mark_asked.connect(self.mark)
        cards.day_asked.connect(self.change_day)
        cards.action_asked.connect(self._act)
        cards.reordered.connect(self._reorder)
        cards.choose_asked.connect(self.catalogue_asked)
        cards.clear_asked.connect(self._end_search)
        return cards

    def _build_foot(self) -> QHBoxLayout:
        foot = row()
        words = _("보관한 습관과 휴지통")
        self._archive = button(words, self.archive_asked.emit, role="flat", icon="archive", name="openArchive")
        foot.addWidget(self._archive)
        foot.addStretch(1)
        self.list.tab_before, self.list.tab_after = self.search, self._archive
        return foot

    # ---- showing ----------------------------------------------------------------------------------------------

    @property
    def cards(self) -> dict[int, HabitCard]:
        """The cards that were built, by the id of their habit."""
        return self.list.cards

    @property
    def overviews(self) -> list[HabitOverview]:
        """The habits as they were read last, in list order."""
        return [each.overview for each in self._facts]

    @property
    def numbered(self) -> list[Habit]:
        """The habits that the number keys mark, in the order of their numbers."""
        return [each.habit for each in sorted(self._facts, key=lambda each: each.number) if each.number]

    @guarded
    def refresh(self) -> None:
        """Read everything anew; cards are shown anew in place."""
        # All reading first: when it fails, the screen keeps what it shows.
        today = self._store.today()
        overviews = self._store.overviews()
        first = first_day_needed(today, (each.habit.schedule for each in overviews))
        days = self._store.entries.recent(first)
        remaining = self._store.habits.remaining()
        week_start = self._store.week_start()
        self._today, self._remaining = today, remaining
        numbers = {each.habit.id: number for number, each in enumerate(_active(overviews), 1) if number <= _NUMBERS}
        self._facts = [
            CardFacts(
                overview=each,
                days=days.get(each.habit.id, {}),
                today=today,
                number=numbers.get(each.habit.id, 0),
                keys=self._key_of(numbers.get(each.habit.id, 0)),
                week_start=week_start,
            )
            for each in overviews
        ]
        self._day.setText(long_day(today))
        self._summary.setText(_summary_words(overviews))
        searchable = len(overviews) >= _SEARCH_FROM
        if not searchable:
            self.search.clear()
        self.search.setVisible(searchable)
        self._show_list()

    def show_keys(self, keys: Mapping[str, Keys]) -> None:
        """Tell the keys in force, by the name of their command, on the cards that have a number."""
        self._keys = keys
        facts = [replace(each, keys=self._key_of(each.number)) for each in self._facts]
        if facts != self._facts:
            self._facts = facts
            self._show_list()

    def _key_of(self, number: int) -> str:
        keys = self._keys[f"mark_habit_{number}"] if number else ()
        return shown_key(keys[0]) if keys else ""

    def begin_search(self) -> bool:
        """Put the cursor into the search field; return False where there is none, with few habits."""
        if self.search.isHidden():
            return False
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()
        return True

    def show_habit(self, habit_id: int) -> None:
        """Give the card of a habit the focus, unless it is not among those shown."""
        card = self.list.show_card(habit_id)
        if card is not None:
            self.list.focus(card)

    def _show_list(self, _query: str = "") -> None:
        query = one_line(self.search.wanted)
        language = current_language()
        found = {each.habit.id for each in self._facts if finds(query, each.habit.title(language))} if query else None
        sections = Counter(section_of(each) for each in self._facts)
        facts = [replace(each, can_move=found is None and sections[section_of(each)] > 1) for each in self._facts]
        self.list.show_facts(facts, self._remaining, found)
        if found is not None:
            self.announced.emit(
                ngettext("습관 {n}개를 찾았어요", "습관 {n}개를 찾았어요", len(found)).format(n=len(found))
            )

    def _end_search(self) -> None:
        self.search.clear()
        self.search.setFocus()

    def _fill(self) -> None:
        """Build cards until there is one page more than what is seen."""
        view = self._scroll.viewport().height()
        bar = self._scroll.verticalScrollBar()
        if self.list.pending and bar.maximum() - bar.value() < view:
            self.list.show_more()

    # ---- writing ----------------------------------------------------------------------------------------------

    @guarded
    def mark(self, habit_id: int, value: EntryValue | None) -> None:
        """Record the day shown, or with None take back the entry that its card shows."""
        if value is not None:
            if self._log(habit_id, value) is not None:
                self.notice.hide()
        elif (entry := self.cards[habit_id].overview.today_entry) is not None:
            self._take_back(entry)

    @guarded
    def change_day(self, habit_id: int, day: date, value: EntryValue | None) -> None:
        """Record, change or delete one of the last days."""
        self._write(lambda: self._store.entries.change(habit_id, day, value))

    @guarded
    def mark_number(self, number: int) -> None:
        """Record the n-th active habit (from 1) as done on the day shown, when nothing is recorded yet."""
        chosen = next((each for each in self._facts if number and each.number == number), None)
        if chosen is not None and chosen.overview.today_entry is None:
            entry = self._log(chosen.habit.id, EntryValue.DONE)
            if entry is None:
                return
            words = _("{title}: {value}").format(
                title=chosen.habit.title(current_language()), value=value_label(EntryValue.DONE)
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

    @guarded
    def _act(self, habit_id: int, action: str) -> None:
        habits, habit = self._store.habits, self.cards[habit_id].habit
        match action:
            case "detail":
                self.detail_asked.emit(habit_id)
            case "edit":
                self.edit_asked.emit(habit)
            case "reminders":
                self.reminders_asked.emit(habit_id)
            case "up" | "down":
                self.list.move_by(self.cards[habit_id], -1 if action == "up" else 1)
            case "pause":
                if self._write(lambda: habits.pause(habit_id)):
                    self._offer_back(_("쉬어 갈게요. 자리가 하나 났어요."), lambda: habits.resume(habit_id))
            case "resume":
                self._write(lambda: habits.resume(habit_id))
            case "archive":
                self._ask_archive(habit)
            case "delete":
                self._delete(habit)
            case "confirm_anchor":
                self._write(lambda: habits.set_anchors(habit_id, habit.anchor_when, habit.anchor_after_what))

    def _delete(self, habit: Habit) -> None:
        trash = self._store.trash
        if self._write(lambda: trash.delete(habit.id)):
            words = _("‘{title}’ 습관을 휴지통에 넣었어요. {n}일 동안 다시 꺼낼 수 있어요.")
            words = words.format(title=habit.title(current_language()), n=TRASH_DAYS)
            self._offer_back(words, lambda: trash.restore(habit.id))

    def _offer_back(self, words: str, back: Callable[[], Changes]) -> None:
        """Tell what was done, with a button that takes it back."""
        self.notice.show_notice(words, action=_("되돌리기"), on_action=partial(self._write, back))
        self.announced.emit(words)

    def _ask_archive(self, habit: Habit) -> None:
        self.archive_question = ask(
            self,
            _("‘{title}’ 습관을 보관할까요?").format(title=habit.title(current_language())),
            _("기록은 그대로 남고, 자리가 하나 나요. 다시 하려면 새로 추가해요."),
            yes=_("보관하기"),
            on_yes=lambda: self._write(lambda: self._store.habits.archive(habit.id)),
            name="archive",
            title=_("습관 보관하기"),
        )
        self.archive_question.finished.connect(self._forget_question)

    @guarded
    def _reorder(self, order: Sequence[int], moved: int) -> None:
        if not self._write(lambda: self._store.habits.reorder(order)):
            return
        card = self.cards[moved]
        self.list.focus(card)
        words = _("‘{title}’ 습관을 {n}개 가운데 {place}번째로 옮겼어요")
        title = card.habit.title(current_language())
        self.announced.emit(words.format(title=title, n=len(order), place=order.index(moved) + 1))

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


def _active(overviews: list[HabitOverview]) -> list[HabitOverview]:
    """Return the active habits in the order of the screen: those to build come first."""
    active = [each for each in overviews if each.habit.status is HabitStatus.ACTIVE]
    return sorted(active, key=lambda each: each.habit.habit_type is HabitType.BREAK)


def _summary_words(overviews: list[HabitOverview]) -> str:
    if not overviews:
        return _("아직 습관이 없어요. 하나면 충분해요.")
    due = [each for each in _active(overviews) if each.is_due or each.today_entry is not None]
    if not due:
        return _("오늘 정해진 습관은 없어요.")
    marked = sum(each.today_entry is not None for each in due)
    if marked == len(due):
        return _("오늘 기록을 모두 마쳤어요. 잘했어요.")
    words = ngettext(
        "오늘 습관 {n}개 가운데 {done}개 기록했어요.", "오늘 습관 {n}개 가운데 {done}개 기록했어요.", len(due)
    )
    return words.format(n=len(due), done=marked)
