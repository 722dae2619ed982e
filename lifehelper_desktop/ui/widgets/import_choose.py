"""The first page of an import: a file to choose or drop, and the imports of the past."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Final
from zoneinfo import available_timezones

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QComboBox, QFrame, QVBoxLayout, QWidget

from lifehelper_desktop.base.i18n import _, ngettext
from lifehelper_desktop.storage.transfer.model import FileFormat
from lifehelper_desktop.storage.transfer.taking_back import ImportRun
from lifehelper_desktop.ui.moments import amounts_text, moment_text
from lifehelper_desktop.ui.text import one_line
from lifehelper_desktop.ui.theme import theme
from lifehelper_desktop.ui.widgets.basics import button, column, frame, icon_label, label, repolish, row
from lifehelper_desktop.ui.widgets.flow import FlowBox
from lifehelper_desktop.ui.widgets.line_list import Line, LineList
from lifehelper_desktop.ui.widgets.low_page import LowPage
from lifehelper_desktop.ui.widgets.path_dialog import ask_path

_ENDINGS: Final = "*.db *.zip *.csv *.json"
_ZONE_WIDTH: Final = 220


class DropArea(QFrame):
    """Takes one file or folder. `dropped` carries its Path; `refused` why it was none."""

    dropped = Signal(object)
    refused = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        """Start empty; the owner lays out what stands in it."""
        super().__init__(parent)
        self.setObjectName("dropArea")
        self.setProperty("role", "empty")
        self.setAcceptDrops(True)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Show that a file may be let go here."""
        if event.mimeData().hasUrls():
            event.acceptProposedAction()
            self._show_over(over=True)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """Look as before."""
        super().dragLeaveEvent(event)
        self._show_over(over=False)

    def dropEvent(self, event: QDropEvent) -> None:
        """Take the file."""
        self._show_over(over=False)
        paths = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        event.acceptProposedAction()
        if len(paths) == 1:
            self.dropped.emit(Path(paths[0]))
        elif paths:
            self.refused.emit(_("한 번에 파일 하나씩 가져올 수 있어요."))
        else:
            self.refused.emit(_("이 컴퓨터에 있는 파일을 놓아 주세요."))

    def _show_over(self, *, over: bool) -> None:
        self.setProperty("over", over)
        repolish(self)


class ZoneChoice(QComboBox):
    """Time zones by their IANA names, to choose or to type."""

    chosen = Signal(str)

    def __init__(self, name: str, first: str = "") -> None:
        """`first` are the words of the choice that leaves it to the file and the computer."""
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(_("시간대"))
        self.setEditable(True)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.setMinimumWidth(theme().px(_ZONE_WIDTH))
        if first:
            self.addItem(first, "")
        for zone in sorted(each for each in available_timezones() if "/" in each and not each.startswith("Etc/")):
            self.addItem(zone, zone)
        self.activated.connect(lambda _index: self.chosen.emit(self.zone))
        if (edit := self.lineEdit()) is not None:
            edit.returnPressed.connect(lambda: self.chosen.emit(self.zone))

    @property
    def zone(self) -> str:
        """What is chosen or typed; empty for the first choice."""
        at = self.findText(self.currentText())
        return str(self.itemData(at)) if at >= 0 else self.currentText().strip()

    def show_zone(self, zone: str) -> None:
        """Show a zone as the one in force, also one that is not in the list."""
        at = self.findData(zone)
        self.setCurrentIndex(at)
        if at < 0:
            self.setEditText(zone)


class ImportChoose(LowPage):
    """Main thread. `chosen` carries the Path of a file or folder, `zone_chosen` a zone in which to read it again."""

    chosen = Signal(object)
    refused = Signal(str)
    zone_chosen = Signal(str)
    undo_asked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        """Start without a past."""
        super().__init__(parent)
        self._runs: dict[int, ImportRun] = {}
        layout = column(self, gap=12)
        self._build_area(layout)
        self._build_zone(layout)
        self._build_past(layout)

    def _build_area(self, layout: QVBoxLayout) -> None:
        self.area = DropArea()
        self.area.dropped.connect(self.chosen.emit)
        self.area.refused.connect(self.refused.emit)
        inside = column(self.area, margins=(20, 22, 20, 20), gap=10)
        inside.addStretch(1)
        centre = Qt.AlignmentFlag.AlignHCenter
        inside.addWidget(icon_label("download", "accent", 34), 0, centre)
        title = label(_("내보낸 파일을 여기에 놓아 주세요"), "heading")
        title.setAlignment(centre)
        inside.addWidget(title)
        apps = list(dict.fromkeys(each.app.partition(" (")[0] for each in FileFormat))
        about = label(_("읽을 수 있는 앱: {names}").format(names=", ".join(apps)), "muted")
        about.setAlignment(centre)
        inside.addWidget(about)
        line = row(gap=8)
        line.addStretch(1)
        self.file_button = button(
            _("파일 고르기…"), self.ask_file, role="primary", icon="file", name="chooseImportFile"
        )
        self.file_button.setDefault(True)
        line.addWidget(self.file_button)
        folder = button(_("폴더 고르기…"), self.ask_folder, icon="folder", name="chooseImportFolder")
        folder.setToolTip(_("압축을 푼 폴더도 읽을 수 있어요."))
        line.addWidget(folder)
        line.addStretch(1)
        inside.addLayout(line)
        inside.addStretch(1)
        layout.addWidget(self.area, 1)

    def _build_zone(self, layout: QVBoxLayout) -> None:
        self.zone_row = frame("hint", "zoneQuestion")
        inside = column(self.zone_row, margins=(12, 9, 10, 10), gap=8)
        inside.addWidget(label(_("어느 시간대로 날짜를 정할까요?")))
        line = FlowBox()
        self.zone = ZoneChoice("chooseZone")
        line.add(self.zone)
        line.add(button(_("이 시간대로 읽기"), lambda: self.zone_chosen.emit(self.zone.zone), name="useZone"))
        inside.addWidget(line)
        self.zone_row.hide()
        layout.addWidget(self.zone_row)

    def _build_past(self, layout: QVBoxLayout) -> None:
        self.past = frame("plain", "importPast")
        inside = column(self.past, gap=8)
        inside.addWidget(label(_("지난 가져오기"), "section"))
        self.list = LineList("importRuns", _("지난 가져오기"))
        self.list.chosen.connect(self._show_button)
        inside.addWidget(self.list, 1)
        line = FlowBox()
        self.undo_button = button(_("이 가져오기 되돌리기…"), self._ask_undo, icon="undo", name="undoRun")
        line.add(self.undo_button)
        inside.addWidget(line)
        layout.addWidget(self.past, 2)

    def show_runs(self, runs: Sequence[ImportRun], now: datetime) -> None:
        """Show the imports of the past."""
        self._runs = {run.id: run for run in runs}
        self.past.setVisible(bool(runs))
        self.list.show_lines(_run_line(run, now) for run in runs)
        self._show_button()

    def ask_zone(self, zone: str) -> None:
        """Ask for the time zone, because the file names one that nobody knows; `zone` is this computer's."""
        self.zone.show_zone(zone)
        self.zone_row.show()
        self.zone.setFocus()

    # ---- commands ---------------------------------------------------------------------------------------------

    def ask_file(self) -> None:
        """Ask for a file."""
        filters = [_("습관 앱의 파일 ({endings})").format(endings=_ENDINGS), _("모든 파일 (*)")]
        ask_path(self, _("가져올 파일"), "importFileDialog", self._choose, filters=filters)

    def ask_folder(self) -> None:
        """Ask for a folder."""
        ask_path(self, _("가져올 폴더"), "importFileDialog", self._choose, folder=True)

    def _choose(self, path: str) -> None:
        self.chosen.emit(Path(path))

    def _current(self) -> ImportRun | None:
        line = self.list.current
        return self._runs.get(line.key) if line is not None and isinstance(line.key, int) else None

    def _show_button(self) -> None:
        run = self._current()
        self.undo_button.setEnabled(run is not None and not run.is_gone)

    def _ask_undo(self) -> None:
        if (run := self._current()) is not None:
            self.undo_asked.emit(run)


def app_words(name: str) -> str:
    """Return the program that writes a format; a format of a newer version is told by its name."""
    return FileFormat(name).app if name in {each.value for each in FileFormat} else name


def run_amounts(run: ImportRun) -> str:
    """Return what is left of an import in words: its habits and days, or its settings when it brought only those."""
    if run.habits or run.entries:
        return amounts_text(run.habits, run.entries)
    return ngettext("설정 {n}개", "설정 {n}개", run.settings).format(n=run.settings)


def _run_line(run: ImportRun, now: datetime) -> Line:
    parts = [moment_text(run.made_at, now), app_words(run.format)]
    if not run.is_gone:
        parts.append(run_amounts(run))
    badge, kind = (_("되돌림"), "note") if run.is_gone else ("", "plain")
    return Line(run.id, one_line(run.file_name), " · ".join(parts), badge, kind, icon="file", faded=run.is_gone)
