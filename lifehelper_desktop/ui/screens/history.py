"""The last changes, whichever surface made them, and going back to before one of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from PySide6.QtWidgets import QWidget

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.i18n import _, current_language
from lifehelper_desktop.domain.changes import NOTHING, Changes
from lifehelper_desktop.domain.particles import with_particles
from lifehelper_desktop.domain.rules import RuleViolation
from lifehelper_desktop.storage.journal import KEEP_CHANGES, ChangeState, Journal, RecordedChange, Source, TakenBack
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui.bus import Bus
from lifehelper_desktop.ui.moments import moment_text
from lifehelper_desktop.ui.questions import ask
from lifehelper_desktop.ui.text import one_line
from lifehelper_desktop.ui.trouble import guarded
from lifehelper_desktop.ui.widgets.basics import button, label
from lifehelper_desktop.ui.widgets.flow import FlowBox
from lifehelper_desktop.ui.widgets.line_list import Line, LineList
from lifehelper_desktop.ui.work_dialog import WorkDialog
from lifehelper_desktop.ui.worker import Task

_SIZE: Final = (560, 600)
_NAMED: Final = 5  # changes that the question names one by one
_ICONS: Final = {
    Source.WINDOW.value: "edit",
    Source.TRAY.value: "check",
    Source.REMINDER.value: "clock",
    Source.COACH.value: "coach",
    Source.CLI.value: "keyboard",
    Source.MCP.value: "plug",
    Source.IMPORT.value: "download",
}
_BADGES: Final = {ChangeState.DONE: "plain", ChangeState.UNDONE: "note", ChangeState.STUCK: "warn"}


@dataclass(slots=True)
class Steps:
    """What taking several changes back, or doing them again, came to.

    Attributes:
        passed: Refusals of single changes that were passed over.
        problem: Why it ended early, in words; empty when it came to its end.
    """

    done: list[TakenBack] = field(default_factory=list)
    passed: list[str] = field(default_factory=list)
    problem: str = ""

    @property
    def changes(self) -> Changes:
        """All rows that they touched."""
        changes = NOTHING
        for each in self.done:
            changes |= each.changes
        return changes


def take_steps(journal: Journal, planned: Sequence[RecordedChange], task: Task, *, again: bool) -> Steps:
    """Undo (or redo) the planned changes in their order, each in a transaction of its own. Any thread.

    One whose rows were changed by something else since is passed over. It ends early when the user stops it, when a
    change came in between that nobody has seen, or when the world refuses.
    """
    steps = Steps()
    step = journal.redo if again else journal.undo
    for number, change in enumerate(planned):
        if task.stop.is_set():
            steps.problem = _("멈췄어요.")
            break
        task.step(_("다시 하는 중") if again else _("되돌리는 중"), number, len(planned))
        try:
            steps.done.append(step(change.id))
        except RuleViolation as refusal:
            if refusal.code != "undo_conflict":
                steps.problem = refusal.reason
                break
            steps.passed.append(refusal.reason)
        except WorldError as error:
            steps.problem = str(error)
            break
    return steps


class HistoryDialog(WorkDialog):
    """Non-modal; reads in the main thread, goes back in a worker."""

    def __init__(self, store: Store, bus: Bus, parent: QWidget | None = None) -> None:
        """Show the newest changes."""
        super().__init__(
            store,
            bus,
            parent,
            name="historyDialog",
            title=_("변경 기록"),
            intro=_("창, 트레이, 코치, 알림, 명령줄 어디에서 바꾸었든 마지막 {n}개까지 되돌릴 수 있어요.").format(
                n=KEEP_CHANGES
            ),
            size=_SIZE,
        )
        self._history: list[RecordedChange] = []
        self.list = LineList("historyList", _("변경 목록"))
        self.list.chosen.connect(self._show_buttons)
        self.list.itemActivated.connect(lambda _item: self._act())
        self._empty = label(_("되돌릴 것이 아직 없어요."), "muted")
        self._empty.setObjectName("historyEmpty")
        self.body.addWidget(self._empty)
        self.body.addWidget(self.list, 1)
        line = FlowBox()
        self.undo_button = button("", self.ask_undo, role="primary", icon="undo", name="undoToHere")
        self.redo_button = button("", self.ask_redo, role="primary", name="redoToHere")
        line.add(self.undo_button, self.redo_button)
        line.add(button(_("닫기"), self.close, name="closeHistory"), at_end=True)
        self.body.addWidget(line)
        self.refresh()
        bus.on_data(self._on_data)
        self.list.setFocus()

    # ---- showing ----------------------------------------------------------------------------------------------

    @guarded
    def refresh(self) -> None:
        """Read the list anew and keep the choice."""
        self._history = self._store.journal.history()
        now, language = self._store.clock.now(), current_language()
        self.list.show_lines(
            Line(
                key=change.id,
                title=one_line(change.words(language)),
                detail=f"{moment_text(change.made_at, now)} · {change.source_words}",
                badge=change.state.words,
                kind=_BADGES[change.state],
                icon=_ICONS.get(change.source, "edit"),
                faded=change.state is not ChangeState.DONE,
            )
            for change in self._history
        )
        self._empty.setVisible(not self._history)
        self.list.setVisible(bool(self._history))
        self._show_buttons()

    def _on_data(self, _changes: Changes) -> None:
        if not self.worker.is_busy:
            self.refresh()

    def _chosen(self) -> RecordedChange | None:
        line = self.list.current
        return next((each for each in self._history if line is not None and each.id == line.key), None)

    def planned(self, state: ChangeState) -> list[RecordedChange]:
        """Return the changes up to the chosen one that are to be undone (or redone), in their order."""
        chosen = self._chosen()
        if chosen is None or chosen.state is not state:
            return []
        if state is ChangeState.DONE:
            return [each for each in self._history if each.state is state and each.id >= chosen.id]
        return [each for each in reversed(self._history) if each.state is state and each.id <= chosen.id]

    def _show_buttons(self) -> None:
        undo, redo = len(self.planned(ChangeState.DONE)), len(self.planned(ChangeState.UNDONE))
        words = _("여기까지 {n}개 되돌리기…") if undo > 1 else _("이 변경 되돌리기…")
        self.undo_button.setText(words.format(n=undo))
        words = _("여기까지 {n}개 다시 하기…") if redo > 1 else _("이 변경 다시 하기…")
        self.redo_button.setText(words.format(n=redo))
        self.undo_button.setEnabled(undo > 0)
        self.undo_button.setVisible(redo == 0)
        self.redo_button.setVisible(redo > 0)

    # ---- commands ---------------------------------------------------------------------------------------------

    def _act(self) -> None:
        if self.planned(ChangeState.DONE):
            self.ask_undo()
        elif self.planned(ChangeState.UNDONE):
            self.ask_redo()

    def ask_undo(self) -> None:
        """Show what would be undone, and ask."""
        planned = self.planned(ChangeState.DONE)
        if planned:
            count = len(planned)
            question = _("이 변경까지 {n}개를 되돌릴까요?") if count > 1 else _("이 변경을 되돌릴까요?")
            note = _("다른 것을 바꾸기 전까지는 다시 할 수 있어요.")
            self._ask(planned, question.format(n=count), note, _("되돌리기"), again=False)

    def ask_redo(self) -> None:
        """Show what would be done again, and ask."""
        planned = self.planned(ChangeState.UNDONE)
        if planned:
            count = len(planned)
            question = _("이 변경까지 {n}개를 다시 할까요?") if count > 1 else _("이 변경을 다시 할까요?")
            self._ask(planned, question.format(n=count), "", _("다시 하기"), again=True)

    def _ask(self, planned: list[RecordedChange], question: str, note: str, yes: str, *, again: bool) -> None:
        language = current_language()
        lines = [f"· {one_line(each.words(language))}" for each in planned[:_NAMED]]
        if len(planned) > _NAMED:
            lines.append(_("그 밖에 {n}개").format(n=len(planned) - _NAMED))
        text = "\n".join([*lines, "", note] if note else lines)
        title = _("변경 기록")
        ask(
            self,
            question,
            text,
            yes=yes,
            on_yes=lambda: self.take(planned, again=again),
            name="historyQuestion",
            title=title,
        )

    def take(self, planned: Sequence[RecordedChange], *, again: bool = False) -> None:
        """Undo or redo the planned changes in the background."""
        journal = self._store.journal
        words = _("다시 하는 중") if again else _("되돌리는 중")
        self.begin(words, lambda task: take_steps(journal, planned, task, again=again), self._on_taken)

    def _on_taken(self, steps: Steps) -> None:
        self.publish(steps.changes)
        self.refresh()
        count = len(steps.done)
        parts = []
        if count == 1:
            parts.append(f"{steps.done[0].words(current_language())}.")
        elif count:
            again = steps.done[0].again
            parts.append((_("변경 {n}개를 다시 했어요.") if again else _("변경 {n}개를 되돌렸어요.")).format(n=count))
        parts += steps.passed
        if steps.problem:
            parts.append(steps.problem)
        text = with_particles(" ".join(parts))
        self.notice.show_notice(text, error=not count and bool(steps.passed or steps.problem))
        self.list.setFocus()
