"""The backups: what there is, a new one, going back to one, and how they are made by themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget

from lifehelper_desktop.base.i18n import _, ngettext
from lifehelper_desktop.base.settings import BACKUP_COPY_FOLDER, BACKUPS_ENABLED, Setting, SettingValue
from lifehelper_desktop.domain.changes import Changes
from lifehelper_desktop.llm.models.words import size_text
from lifehelper_desktop.storage import backups
from lifehelper_desktop.storage.backup_copies import CopyState, check_chosen, copies_folder, copy_newest, copy_state
from lifehelper_desktop.storage.restoring import (
    BackupInfo,
    Contents,
    RestorePreview,
    backup_infos,
    find_backup,
    look_into,
    preview_restore,
    remove_manual,
    restore,
)
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui.bus import Bus
from lifehelper_desktop.ui.moments import amounts_text, moment_text
from lifehelper_desktop.ui.questions import ask
from lifehelper_desktop.ui.trouble import guarded, told
from lifehelper_desktop.ui.widgets.backup_settings import BackupSettings
from lifehelper_desktop.ui.widgets.basics import button, label
from lifehelper_desktop.ui.widgets.flow import FlowBox
from lifehelper_desktop.ui.widgets.line_list import Line, LineList
from lifehelper_desktop.ui.widgets.path_dialog import ask_path
from lifehelper_desktop.ui.widgets.restore_question import RestoreQuestion
from lifehelper_desktop.ui.work_dialog import WorkDialog
from lifehelper_desktop.ui.worker import Task, Worker
from lifehelper_desktop.ui.writes import attempt

_SIZE: Final = (620, 700)
_ICONS: Final = {backups.DAILY: "today", backups.MANUAL: "shield", "import": "download", "restore": "undo"}
_Looked = Contents | None  # None: damaged


class BackupsDialog(WorkDialog):
    """Non-modal. Everything that takes long runs in a worker; a second one looks into the backups meanwhile.

    `restored` tells that everything in the data may be different, settings too.
    """

    restored = Signal()

    def __init__(self, store: Store, bus: Bus, parent: QWidget | None = None) -> None:
        """Show the backups; what each holds is looked up beside it."""
        super().__init__(
            store,
            bus,
            parent,
            name="backupsDialog",
            title=_("백업"),
            intro=_("기록 전체를 그대로 남긴 사본이에요. 만들 때마다 잘 읽히는지 확인해요."),
            size=_SIZE,
        )
        self._infos: dict[Path, BackupInfo] = {}
        self._looked: dict[Path, _Looked] = {}
        self._folder = self._unseen = ""  # the second place, and whether it still has to be looked at
        self._reader = Worker(self)
        self.settings = BackupSettings()
        self.settings.enabled_asked.connect(lambda on: self._store_value(BACKUPS_ENABLED, on))
        self.settings.choose_asked.connect(self._choose_folder)
        self.settings.forget_asked.connect(lambda: self._store_value(BACKUP_COPY_FOLDER, ""))
        self.settings.copy_asked.connect(self.copy_now)
        self.body.addWidget(self.settings)
        head = FlowBox()
        self._count = label("", "section", wrap=False)
        self._count.setObjectName("backupCount")
        head.add(self._count)
        head.add(button(_("지금 백업하기"), self.make, role="soft", icon="plus", name="makeBackup"), at_end=True)
        self.body.addWidget(head)
        self.list = LineList("backupList", _("백업 목록"))
        self.list.chosen.connect(self._show_buttons)
        self.list.itemActivated.connect(lambda _item: self.ask_restore())
        self._empty = label(_("백업이 아직 없어요. 습관이 생기면 하루에 한 번 저절로 만들어요."), "muted")
        self._empty.setObjectName("backupsEmpty")
        self.body.addWidget(self._empty)
        self.body.addWidget(self.list, 1)
        self.body.addStretch(0)
        self._build_buttons()
        self.refresh()
        bus.on_data(self._on_data)
        self.list.setFocus()

    def _build_buttons(self) -> None:
        line = FlowBox()
        self._restore = button(_("되살리기…"), self.ask_restore, role="primary", icon="undo", name="restoreBackup")
        self._check = button(_("다시 확인하기"), self.check, name="checkBackup")
        self._delete = button(_("지우기…"), self.ask_delete, name="deleteBackup")
        self._delete.setToolTip(_("직접 만든 백업만 지울 수 있어요. 나머지는 차례가 되면 저절로 지워져요."))
        line.add(self._restore, self._check, self._delete)
        self.body.addWidget(line)
        footer = FlowBox()
        footer.add(button(_("파일에서 되살리기…"), self._choose_file, role="flat", name="restoreFile"))
        footer.add(button(_("백업 폴더 열기"), self.open_folder, role="flat", name="openBackups"))
        footer.add(button(_("닫기"), self.close, name="closeBackups"), at_end=True)
        self.body.addWidget(footer)

    # ---- showing ----------------------------------------------------------------------------------------------

    @property
    def current(self) -> BackupInfo | None:
        """The chosen backup."""
        line = self.list.current
        return self._infos.get(line.key) if line is not None and isinstance(line.key, Path) else None

    @guarded
    def refresh(self) -> None:
        """Read settings and list anew and keep the choice."""
        rows = self._store.settings
        self._folder = self._unseen = rows.get_str(BACKUP_COPY_FOLDER)
        self.settings.show_settings(enabled=rows.get_bool(BACKUPS_ENABLED), folder=self._folder)
        self._infos = {info.path: info for info in backup_infos(self._store.paths)}
        self.list.show_lines(self._line(info) for info in self._infos.values())
        count = len(self._infos)
        self._count.setText(ngettext("백업 {n}개", "백업 {n}개", count).format(n=count))
        self._empty.setVisible(not self._infos)
        self.list.setVisible(bool(self._infos))
        self._show_buttons()
        self._read_next()

    def _line(self, info: BackupInfo) -> Line:
        parts = [info.reason_words, size_text(info.size_bytes)]
        badge, kind = _("확인하는 중"), "plain"
        if info.path in self._looked:
            contents = self._looked[info.path]
            badge, kind = (_("손상됨"), "bad") if contents is None else (_("확인함"), "good")
            if contents is not None:
                parts.append(amounts_text(contents.habits, contents.entries))
        title = moment_text(info.made_at, self._store.clock.now())
        icon = _ICONS.get(info.reason, "archive")
        return Line(info.path, title, " · ".join(parts), badge, kind, icon, faded=kind == "bad")

    def _show_buttons(self) -> None:
        chosen = self.current
        self._restore.setEnabled(chosen is not None)
        self._check.setEnabled(chosen is not None)
        self._delete.setEnabled(chosen is not None and chosen.reason == backups.MANUAL)

    def _on_data(self, changes: Changes) -> None:
        if changes.settings and not self.worker.is_busy:
            self.refresh()

    def _read_next(self) -> None:
        """Look beside the window at the second place, and into the next backup that nobody has looked into."""
        if self._reader.is_busy:
            return
        paths, chosen = self._store.paths, self._unseen
        if chosen:
            self._unseen = ""
            self._reader.start(lambda _task: copy_state(paths, Path(chosen)), self._take_state, self.tell)
            return
        path = next((each for each in self._infos if each not in self._looked), None)
        if path is not None:
            self._reader.start(lambda _task: (path, look_into(path)), self._take_looked, self.tell)

    def _take_state(self, state: CopyState) -> None:
        if str(state.chosen) == self._folder:
            self.settings.show_copies(state, self._store.clock.now())
        self._read_next()

    def _take_looked(self, found: tuple[Path, _Looked]) -> None:
        path, contents = found
        self._looked[path] = contents
        if path in self._infos:
            self.list.update_line(self._line(self._infos[path]))
        self._read_next()

    # ---- making, checking, removing ---------------------------------------------------------------------------

    def make(self) -> None:
        """Make a backup now."""
        db = self._store.db
        self.begin(_("백업하는 중"), lambda _task: db.backup(backups.MANUAL), self._on_made, can_stop=False)

    def _on_made(self, made: Path) -> None:
        self.refresh()
        self.list.choose(made)
        self.notice.show_notice(_("백업을 만들고 잘 읽히는지 확인했어요."))

    def check(self) -> None:
        """Read every page of the chosen backup again."""
        info = self.current
        if info is not None:
            path = info.path
            self._looked.pop(path, None)
            self.begin(_("확인하는 중"), lambda _task: (path, look_into(path)), self._on_checked, can_stop=False)

    def _on_checked(self, found: tuple[Path, _Looked]) -> None:
        self._take_looked(found)
        if found[1] is None:
            words = _("이 백업은 손상되어 읽을 수 없어요. 다른 백업은 그대로 쓸 수 있어요.")
            self.notice.show_notice(words, error=True)
        else:
            self.notice.show_notice(_("끝까지 읽어 보았고, 잘 되살릴 수 있어요."))

    def ask_delete(self) -> None:
        """Ask whether the chosen backup, which the user made, is to go."""
        info = self.current
        if info is None or info.reason != backups.MANUAL:
            return
        ask(
            self,
            _("이 백업을 지울까요?"),
            f"{moment_text(info.made_at, self._store.clock.now())} · {size_text(info.size_bytes)}\n\n"
            + _("지운 백업은 다시 살릴 수 없어요. 지금 기록은 그대로예요."),
            yes=_("지우기"),
            on_yes=lambda: self.delete(info),
            name="deleteBackupQuestion",
            title=_("백업 지우기"),
            destructive=True,
        )

    def delete(self, info: BackupInfo) -> None:
        """Remove a backup."""

        def done(_none: None) -> None:
            self.refresh()
            self.notice.show_notice(_("백업을 지웠어요."))

        self.begin(_("지우는 중"), lambda _task: remove_manual(info), done, can_stop=False)

    def open_folder(self) -> None:
        """Show the folder of the backups in the system's own window."""
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._store.paths.backups)))

    # ---- going back -------------------------------------------------------------------------------------------

    def ask_restore(self) -> None:
        """Show what going back to the chosen backup would mean, and ask."""
        if self.current is not None:
            self._preview(self.current)

    def _choose_file(self) -> None:
        start: Path | None = None
        with told(self.bus):
            folder = self._store.settings.get_str(BACKUP_COPY_FOLDER)
            start = copies_folder(self._store.paths, Path(folder)) if folder else Path.home()
        filters = (_("백업 (*.db)"), _("모든 파일 (*)"))
        ask_path(self, _("백업 파일 고르기"), "restoreFileDialog", self.take_file, filters=filters, start=start)

    @guarded
    def take_file(self, path: str) -> None:
        """Ask about a backup from elsewhere, for example the second place."""
        self._preview(find_backup(self._store.paths, path))

    def _preview(self, info: BackupInfo) -> None:
        paths = self._store.paths
        self.begin(_("견주는 중"), lambda _task: preview_restore(paths, info), self._on_preview, can_stop=False)

    def _on_preview(self, preview: RestorePreview) -> None:
        question = RestoreQuestion(preview, self._store.clock.now(), lambda: self.restore(preview.backup), self)
        question.open()

    def restore(self, info: BackupInfo) -> None:
        """Go back to a backup in one transaction; the present is kept in a backup first."""
        db = self._store.db
        self.begin(_("되살리는 중"), lambda _task: restore(db, info), self._on_restored, can_stop=False)

    def _on_restored(self, outcome: tuple[Path, Changes]) -> None:
        safe, changes = outcome
        self.publish(changes)
        self.restored.emit()
        self.refresh()
        before = self._infos.get(safe)
        self.notice.show_notice(
            _("되살렸어요. 되살리기 전의 상태도 백업으로 남아 있어요."),
            action=_("되돌리기") if before is not None else "",
            on_action=None if before is None else lambda: self.restore(before),
        )

    # ---- how they are made ------------------------------------------------------------------------------------

    def _store_value(self, setting: Setting, value: SettingValue) -> bool:
        outcome = attempt(self.bus, lambda: self._store.settings.set(setting, value))
        self.refresh()
        self.notice.show_problem(outcome.problem)
        return outcome.is_ok

    def _choose_folder(self) -> None:
        title = _("백업을 하나 더 둘 폴더")
        ask_path(self, title, "copyFolderDialog", self.take_folder, folder=True, folders_only=True)

    def take_folder(self, chosen: str) -> None:
        """Copy the daily backups to this folder from now on, and the newest one at once."""
        paths = self._store.paths

        def keep(_none: None) -> None:
            if self._store_value(BACKUP_COPY_FOLDER, chosen):
                self.copy_now()

        self.begin(_("폴더를 확인하는 중"), lambda _task: check_chosen(paths, Path(chosen)), keep, can_stop=False)

    @guarded
    def copy_now(self) -> None:
        """Copy the newest daily backup to the second place."""
        paths, chosen = self._store.paths, Path(self._store.settings.get_str(BACKUP_COPY_FOLDER))

        def work(_task: Task) -> tuple[Path | None, CopyState]:
            return copy_newest(paths, chosen), copy_state(paths, chosen)

        self.begin(_("복사하는 중"), work, self._on_copied, can_stop=False)

    def _on_copied(self, outcome: tuple[Path | None, CopyState]) -> None:
        copied, state = outcome
        self.settings.show_copies(state, self._store.clock.now())
        if copied is not None:
            words = _("복사하고 잘 읽히는지 확인했어요.")
        elif state.newest is not None:
            words = _("가장 새로운 백업이 이미 그곳에 있어요.")
        else:
            words = _("다음 하루 백업부터 이 폴더에 복사해요.")
        self.notice.show_notice(words)
