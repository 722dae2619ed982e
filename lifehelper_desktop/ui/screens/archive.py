"""What was put away: archived habits, which can be taken up again, and the trash."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Final

from PySide6.QtWidgets import QPushButton, QTabWidget, QVBoxLayout, QWidget

from lifehelper_desktop.base.i18n import _, current_language, ngettext
from lifehelper_desktop.domain.changes import Changes
from lifehelper_desktop.domain.habits import Habit, HabitStatus
from lifehelper_desktop.domain.labels import run_words
from lifehelper_desktop.domain.particles import with_particles
from lifehelper_desktop.domain.schedule import unit_of
from lifehelper_desktop.storage.store import HabitOverview, Store
from lifehelper_desktop.storage.trash import TRASH_DAYS, TrashedHabit
from lifehelper_desktop.ui.bus import Bus
from lifehelper_desktop.ui.moments import day_text, entries_text
from lifehelper_desktop.ui.questions import ask
from lifehelper_desktop.ui.text import one_line, tier_word
from lifehelper_desktop.ui.trouble import guarded
from lifehelper_desktop.ui.widgets.basics import button, column, label
from lifehelper_desktop.ui.widgets.flow import FlowBox
from lifehelper_desktop.ui.widgets.line_list import Line, LineList
from lifehelper_desktop.ui.widgets.low_page import LowPage
from lifehelper_desktop.ui.work_dialog import WorkDialog
from lifehelper_desktop.ui.worker import Task, Worker
from lifehelper_desktop.ui.writes import attempt

_SIZE: Final = (580, 580)
_SOON_DAYS: Final = 3  # the last days in the trash stand out


class ArchiveDialog(WorkDialog):
    """Non-modal; reads and writes in the main thread, the numbers of archived habits come from a worker."""

    def __init__(self, store: Store, bus: Bus, parent: QWidget | None = None) -> None:
        """Show the archived habits."""
        super().__init__(store, bus, parent, name="archiveDialog", title=_("보관함과 휴지통"), intro="", size=_SIZE)
        self._reader = Worker(self)
        self._archived: dict[int, Habit] = {}
        self._numbers: dict[int, str] = {}
        self._trashed: dict[int, TrashedHabit] = {}
        self.tabs = QTabWidget()
        self.tabs.setObjectName("archiveTabs")
        self.tabs.setDocumentMode(True)
        self.body.addWidget(self.tabs, 1)
        self._build_archive()
        self._build_trash()
        footer = FlowBox()
        footer.add(button(_("닫기"), self.close, name="closeArchive"), at_end=True)
        self.body.addWidget(footer)
        self.refresh()
        (self.archive if self.archive.lines or not self.trash.lines else self.trash).setFocus()
        bus.on_data(self._on_data)

    # ---- building ---------------------------------------------------------------------------------------------

    def _build_archive(self) -> None:
        intro = _("보관한 습관은 자리를 차지하지 않고 기록이 그대로 남아 있어요. 숫자는 마지막 날의 것이에요.")
        layout = self._page(intro)
        self.archive = LineList("archiveList", _("보관한 습관"))
        self._archive_empty = label(_("보관한 습관이 없어요."), "muted")
        self._archive_empty.setObjectName("archiveEmpty")
        self._resume = button(_("다시 시작"), self.resume_current, role="primary", icon="play", name="resumeArchived")
        self._delete = button(_("휴지통에 넣기"), self.delete_current, icon="trash", name="trashArchived")
        self._fill_page(layout, self.archive, self._archive_empty, (self._resume, self._delete))

    def _build_trash(self) -> None:
        words = _("지운 습관은 {n}일 동안 여기에 있다가 기록과 함께 사라져요. 그 전에는 그대로 꺼낼 수 있어요.")
        layout = self._page(words.format(n=TRASH_DAYS))
        self.trash = LineList("trashList", _("휴지통의 습관"))
        self._trash_empty = label(_("휴지통이 비어 있어요."), "muted")
        self._trash_empty.setObjectName("trashEmpty")
        self._restore = button(_("꺼내기"), self.restore_current, role="primary", icon="undo", name="restoreTrashed")
        self._remove = button(_("아주 지우기…"), self.ask_remove, name="removeTrashed")
        self._clear = button(_("휴지통 비우기…"), self.ask_empty, role="flat", name="emptyTrash")
        self._fill_page(layout, self.trash, self._trash_empty, (self._restore, self._remove, self._clear))

    def _page(self, intro: str) -> QVBoxLayout:
        page = LowPage()
        layout = column(page, margins=(0, 12, 0, 0), gap=10)
        layout.addWidget(label(intro, "muted"))
        self.tabs.addTab(page, "")
        return layout

    def _fill_page(
        self, layout: QVBoxLayout, shown: LineList, empty: QWidget, buttons: tuple[QPushButton, ...]
    ) -> None:
        shown.chosen.connect(self._show_buttons)
        layout.addWidget(empty)
        layout.addWidget(shown, 1)
        layout.addStretch(0)
        line = FlowBox()
        line.add(*buttons)
        layout.addWidget(line)

    # ---- showing ----------------------------------------------------------------------------------------------

    @guarded
    def refresh(self) -> None:
        """Read both lists anew and keep the choices."""
        habits = self._store.habits.list(HabitStatus.ARCHIVED)
        self._archived = {habit.id: habit for habit in habits}
        self._trashed = {habit.id: habit for habit in self._store.trash.list()}
        self._show_archive()
        today = self._store.today()
        self.trash.show_lines(_trash_line(habit, today) for habit in self._trashed.values())
        for at, (words, count) in enumerate(((_("보관함"), len(habits)), (_("휴지통"), len(self._trashed)))):
            self.tabs.setTabText(at, f"{words} {count}" if count else words)
        for shown, empty in ((self.archive, self._archive_empty), (self.trash, self._trash_empty)):
            shown.setVisible(bool(shown.lines))
            empty.setVisible(not shown.lines)
        self._show_buttons()
        self._read_numbers([habit for habit in habits if habit.id not in self._numbers])

    def _show_archive(self) -> None:
        today = self._store.today()
        self.archive.show_lines(
            Line(
                key=habit.id,
                title=one_line(habit.title(current_language())),
                detail=" · ".join(
                    part for part in (_archived_words(habit, today), self._numbers.get(habit.id)) if part
                ),
                icon="archive",
            )
            for habit in self._archived.values()
        )

    def _read_numbers(self, habits: list[Habit]) -> None:
        """Count what many years hold beside the window; the rows stand there meanwhile."""
        if not habits or self._reader.is_busy:
            return
        store = self._store

        def work(task: Task) -> dict[int, str]:
            return {habit.id: _number_words(store, store.overview(habit)) for habit in habits if not task.stop.is_set()}

        self._reader.start(work, self._take_numbers, self.tell)

    def _take_numbers(self, numbers: dict[int, str]) -> None:
        self._numbers |= numbers
        self._show_archive()
        self._read_numbers([habit for habit in self._archived.values() if habit.id not in self._numbers])

    def _on_data(self, changes: Changes) -> None:
        touched = changes.habits | {habit_id for habit_id, _day in changes.entries}
        for habit_id in touched:
            self._numbers.pop(habit_id, None)
        self.refresh()

    def _show_buttons(self) -> None:
        for each in (self._resume, self._delete):
            each.setEnabled(self.archive.current is not None)
        for each in (self._restore, self._remove, self._clear):
            each.setEnabled(self.trash.current is not None)

    # ---- commands ---------------------------------------------------------------------------------------------

    def resume_current(self) -> None:
        """Take the chosen archived habit up again, where there is a place for it (R3)."""
        habit = self._archived.get(_key(self.archive))
        if habit is not None:
            words = _("‘{title}’ 습관을 다시 시작했어요.")
            self._do(lambda: self._store.habits.unarchive(habit.id), words, habit.title(current_language()))

    def delete_current(self) -> None:
        """Put the chosen archived habit into the trash."""
        habit = self._archived.get(_key(self.archive))
        if habit is not None:
            words = _("‘{title}’ 습관을 휴지통에 넣었어요.")
            self._do(lambda: self._store.trash.delete(habit.id), words, habit.title(current_language()))

    def restore_current(self) -> None:
        """Take the chosen habit out of the trash, as it was."""
        habit = self._trashed.get(_key(self.trash))
        if habit is not None:
            words = _("‘{title}’ 습관을 휴지통에서 꺼냈어요.")
            if habit.status is HabitStatus.ARCHIVED:
                words = _("‘{title}’ 습관을 휴지통에서 꺼내 보관함에 넣었어요.")
            self._do(lambda: self._store.trash.restore(habit.id), words, habit.title(current_language()))

    def ask_remove(self) -> None:
        """Ask whether the chosen habit is to go for good."""
        habit = self._trashed.get(_key(self.trash))
        if habit is None:
            return
        title = one_line(habit.title(current_language()))
        ask(
            self,
            with_particles(_("‘{title}’을(를) 아주 지울까요?").format(title=title)),
            _("{entries}도 함께 사라지고, 되돌리기로도 살릴 수 없어요.").format(entries=entries_text(habit.entries)),
            yes=_("아주 지우기"),
            on_yes=lambda: self._do(
                lambda: self._store.trash.remove(habit.id), _("‘{title}’ 습관을 아주 지웠어요."), title
            ),
            name="removeQuestion",
            title=_("아주 지우기"),
            destructive=True,
        )

    def ask_empty(self) -> None:
        """Ask whether all of the trash is to go for good."""
        habits = list(self._trashed.values())
        if not habits:
            return
        count = len(habits)
        question = ngettext(
            "휴지통의 습관 {n}개를 아주 지울까요?", "휴지통의 습관 {n}개를 아주 지울까요?", count
        ).format(n=count)
        entries = entries_text(sum(habit.entries for habit in habits))
        ask(
            self,
            question,
            _("{entries}도 함께 사라지고, 되돌리기로도 살릴 수 없어요.").format(entries=entries),
            yes=_("모두 지우기"),
            on_yes=lambda: self._do(self._store.trash.empty, _("휴지통을 비웠어요."), ""),
            name="emptyQuestion",
            title=_("휴지통 비우기"),
            destructive=True,
        )

    def _do(self, write: Callable[[], Changes], words: str, title: str) -> None:
        """Carry out a write, show what is stored now, and tell how it went."""
        outcome = attempt(self.bus, write)
        self.refresh()
        if outcome.is_ok:
            self.notice.show_notice(words.format(title=one_line(title)))
        else:
            self.notice.show_notice(outcome.problem, error=True)


def _key(shown: LineList) -> int:
    line = shown.current
    return line.key if line is not None and isinstance(line.key, int) else 0


def _archived_words(habit: Habit, today: date) -> str:
    if habit.archived_on is None:
        return ""
    return _("보관한 날: {day}").format(day=day_text(habit.archived_on, today))


def _number_words(store: Store, overview: HabitOverview) -> str:
    """Return the numbers of an archived habit's last day. Any thread."""
    entries = len(store.entries.for_habit(overview.habit.id))
    if not entries:
        return _("기록 없음")
    longest = run_words(overview.streaks.longest_streak, unit_of(overview.habit.schedule))
    best = _("가장 길게 {run}").format(run=longest)
    return " · ".join((entries_text(entries), best, tier_word(overview.streaks.tier)))


def _trash_line(habit: TrashedHabit, today: date) -> Line:
    left = (habit.last_day - today).days + 1
    detail = _("지운 날: {day}").format(day=day_text(habit.deleted_on, today))
    return Line(
        key=habit.id,
        title=one_line(habit.title(current_language())),
        detail=f"{detail} · {entries_text(habit.entries)}",
        badge=ngettext("{n}일 남음", "{n}일 남음", left).format(n=left),
        kind="warn" if left <= _SOON_DAYS else "plain",
        icon="trash",
    )
