"""Bringing habits in from other trackers: choose a file, look at what would happen, run, take it back."""

from __future__ import annotations

from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

from PySide6.QtCore import QTimeZone
from PySide6.QtWidgets import QHBoxLayout, QLabel, QStackedWidget, QWidget

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.domain.particles import with_particles
from lifehelper_desktop.domain.rules import RuleViolation
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.storage.transfer.errors import TransferError
from lifehelper_desktop.storage.transfer.taking_back import ImportRun, ImportTakenBack
from lifehelper_desktop.storage.transfer.transfers import ImportPreview, ImportResult
from lifehelper_desktop.ui.bus import Bus
from lifehelper_desktop.ui.moments import amounts_text
from lifehelper_desktop.ui.questions import ask
from lifehelper_desktop.ui.text import one_line
from lifehelper_desktop.ui.trouble import guarded
from lifehelper_desktop.ui.widgets.basics import label, row, set_role
from lifehelper_desktop.ui.widgets.import_choose import ImportChoose, run_amounts
from lifehelper_desktop.ui.widgets.import_preview import ImportPreviewPage
from lifehelper_desktop.ui.widgets.import_result import ImportResultPage
from lifehelper_desktop.ui.work_dialog import WorkDialog
from lifehelper_desktop.ui.worker import Failure, Task

_SIZE: Final = (640, 720)


class ImportDialog(WorkDialog):
    """Non-modal. Files are read and written in a worker; until `run` nothing is stored."""

    def __init__(self, store: Store, bus: Bus, parent: QWidget | None = None) -> None:
        """Begin with the choice of a file."""
        super().__init__(
            store,
            bus,
            parent,
            name="importDialog",
            title=_("가져오기"),
            intro=_("다른 습관 앱이나 LifeHelper에서 내보낸 파일을 읽어요. 파일은 이 컴퓨터 밖으로 나가지 않아요."),
            size=_SIZE,
        )
        self._path: Path | None = None
        self._zone = ""
        self._preview: ImportPreview | None = None
        self._result: ImportResult | None = None
        self.body.addLayout(self._build_steps())
        self.pages = QStackedWidget()
        self.body.addWidget(self.pages, 1)
        self.choose = ImportChoose()
        self.choose.chosen.connect(self.read)
        self.choose.refused.connect(lambda words: self.notice.show_notice(words, error=True))
        self.choose.zone_chosen.connect(self._read_in_zone)
        self.choose.undo_asked.connect(self._ask_undo)
        self.preview = ImportPreviewPage()
        self.preview.keep_asked.connect(self._keep)
        self.preview.zone_asked.connect(self._read_in_zone)
        self.preview.settings_asked.connect(self._take_settings)
        self.preview.import_asked.connect(self.run)
        self.preview.back_asked.connect(self.begin_anew)
        self.finished_page = ImportResultPage()
        self.finished_page.undo_asked.connect(self._undo_result)
        self.finished_page.again_asked.connect(self.begin_anew)
        self.finished_page.close_asked.connect(self.close)
        for page in (self.choose, self.preview, self.finished_page):
            self.pages.addWidget(page)
        self.begin_anew()

    def _build_steps(self) -> QHBoxLayout:
        line = row(gap=6)
        self._steps: list[QLabel] = []
        for words in (_("1 고르기"), _("2 살펴보기"), _("3 마침")):
            step = label(words, "badge", wrap=False)
            line.addWidget(step)
            self._steps.append(step)
        line.addStretch(1)
        return line

    def _show_page(self, page: QWidget) -> None:
        self.pages.setCurrentWidget(page)
        at = self.pages.currentIndex()
        for number, step in enumerate(self._steps):
            set_role(step, "badgeAccent" if number == at else "badge")
            here = _("3단계 가운데 {n}단계").format(n=number + 1)
            step.setAccessibleName(f"{step.text()}, {here}" if number == at else step.text())

    # ---- choosing ---------------------------------------------------------------------------------------------

    @guarded
    def begin_anew(self) -> None:
        """Show the choice of a file and the imports of the past."""
        self._path, self._zone, self._preview, self._result = None, "", None, None
        self.choose.zone_row.hide()
        self._show_page(self.choose)
        self.choose.file_button.setFocus()
        self._show_past()

    def _show_past(self) -> None:
        self.choose.show_runs(self._store.transfers.history(), self._store.clock.now())

    def read(self, path: Path, zone: str = "") -> None:
        """Read a file or folder and show what importing it would do."""
        transfers = self._store.transfers
        anew = path != self._path
        self._path = path

        def work(task: Task) -> ImportPreview:
            return transfers.preview(path, zone=zone or None, progress=task.stage, stop=task.stop)

        def done(preview: ImportPreview) -> None:
            self._preview, self._zone = preview, zone
            self.preview.show_preview(preview, anew=anew, zone=zone)
            self._show_page(self.preview)
            self.preview.habits.setFocus()

        self.begin(_("읽는 중"), work, done, on_failed=self._on_unread)

    def _on_unread(self, failure: Failure) -> None:
        self.tell(failure)
        if self.pages.currentWidget() is self.preview:
            self.preview.zone.show_zone(self._zone)
        elif isinstance(failure.error, TransferError) and failure.error.code == "unknown_zone":
            self.choose.ask_zone(self._own_zone())

    def _own_zone(self) -> str:
        """Return the IANA name of this computer's zone; the clock itself may know its offset only."""
        zone = self._store.clock.now().tzinfo
        return str(zone) if isinstance(zone, ZoneInfo) else bytes(QTimeZone.systemTimeZoneId().data()).decode()

    def _read_in_zone(self, zone: str) -> None:
        if self._path is not None:
            self.read(self._path, zone)

    # ---- looking ----------------------------------------------------------------------------------------------

    @guarded
    def _keep(self, keep: frozenset[int]) -> None:
        """Choose which habits stay active, as far as there are places (R3)."""
        if self._preview is None:
            return
        try:
            self._preview = self._store.transfers.choose(self._preview, keep)
        except RuleViolation as refusal:
            self.preview.show_refusal(refusal.reason)
            return
        self.preview.show_preview(self._preview, anew=False, zone=self._zone)

    @guarded
    def _take_settings(self, wanted: bool) -> None:
        if self._preview is not None:
            self._preview = self._store.transfers.with_settings(self._preview, wanted)
            self.preview.show_preview(self._preview, anew=False, zone=self._zone)

    # ---- running ----------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Import what the preview shows: all of it or nothing."""
        preview = self._preview
        if preview is None:
            return
        transfers, keep, skip_bad = self._store.transfers, self.preview.keep, self.preview.skip_bad.isChecked()

        def work(task: Task) -> ImportResult:
            return transfers.run(preview, keep=keep, skip_bad=skip_bad, progress=task.stage, stop=task.stop)

        self.begin(_("견주는 중"), work, self._on_imported)

    def _on_imported(self, result: ImportResult) -> None:
        self._result = result
        self.publish(result.changes)
        self.finished_page.show_result(result)
        self._show_page(self.finished_page)
        self.finished_page.close_button.setFocus()

    # ---- taking back ------------------------------------------------------------------------------------------

    def _ask_undo(self, run: ImportRun) -> None:
        what = _("{file}에서 들어온 {amounts}을(를) 빼요.").format(
            file=one_line(run.file_name), amounts=run_amounts(run)
        )
        ask(
            self,
            _("이 가져오기를 되돌릴까요?"),
            f"{with_particles(what)}\n\n{_('직접 고치거나 새로 남긴 기록은 그대로예요.')}",
            yes=_("되돌리기"),
            on_yes=lambda: self.undo(run.id),
            name="undoRunQuestion",
            title=_("가져오기 되돌리기"),
        )

    def _undo_result(self) -> None:
        if self._result is not None and self._result.import_id is not None:
            self.undo(self._result.import_id)

    def undo(self, import_id: int) -> None:
        """Take an import back."""
        transfers = self._store.transfers

        def work(task: Task) -> ImportTakenBack:
            return transfers.undo_import(import_id, progress=task.stage, stop=task.stop)

        self.begin(_("되돌리는 중"), work, self._on_undone)

    @guarded
    def _on_undone(self, taken: ImportTakenBack) -> None:
        self.publish(taken.changes)
        self.begin_anew()
        words = _("가져오기를 되돌려서 설정이 전과 같아요.")
        if taken.habits or taken.entries:
            amounts = amounts_text(taken.habits, taken.entries)
            words = with_particles(_("가져오기를 되돌려서 {amounts}을(를) 뺐어요.").format(amounts=amounts))
        if taken.kept_habits:
            names = ", ".join(one_line(name) for name in taken.kept_habits)
            words = f"{words} {_('직접 기록한 날이 있어 남겨 둔 습관: {names}').format(names=names)}"
        self.notice.show_notice(words)
