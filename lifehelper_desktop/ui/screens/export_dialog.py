"""Taking one's data out: everything as JSON, which LifeHelper reads back, or a table for spreadsheets."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QMouseEvent
from PySide6.QtWidgets import QButtonGroup, QCheckBox, QFileDialog, QFrame, QRadioButton, QWidget

from lifehelper_desktop.base.i18n import N_, _
from lifehelper_desktop.domain.habits import HabitStatus
from lifehelper_desktop.llm.models.words import size_text
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui.bus import Bus
from lifehelper_desktop.ui.moments import amounts_text
from lifehelper_desktop.ui.questions import ask
from lifehelper_desktop.ui.widgets.basics import button, column, frame, icon_label, label, repolish, row
from lifehelper_desktop.ui.widgets.flow import FlowBox
from lifehelper_desktop.ui.work_dialog import WorkDialog
from lifehelper_desktop.ui.worker import Task

_SIZE: Final = (560, 470)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of file.

    Attributes:
        suffix: With its dot.
        title, what: Its name, and what it is good for (Korean msgids).
        filter: For the file dialog.
    """

    name: str
    suffix: str
    icon: str
    title: str
    what: str
    filter: str


JSON: Final = Kind(
    "json",
    ".json",
    "file",
    N_("모두 담은 파일 (JSON)"),
    N_(
        "습관, 기록, 메모, 쉬는 날, 휴지통, 설정까지 빠짐없이 담아요. 다른 컴퓨터로 옮기거나 따로 보관할 때 쓰고, "
        "‘가져오기’로 그대로 되돌릴 수 있어요."
    ),
    N_("LifeHelper 파일 (*.json)"),
)
CSV: Final = Kind(
    "csv",
    ".csv",
    "table",
    N_("표 파일 (CSV)"),
    N_(
        "하루 기록이 한 줄이에요. 엑셀이나 다른 표 프로그램에서 보고 계산할 때 쓰세요. "
        "메모에 적힌 수식은 글자로만 담아요."
    ),
    N_("표 파일 (*.csv)"),
)


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written."""

    path: Path
    size: int
    habits: int
    entries: int


class _Card(QFrame):
    """A choice that can be clicked all over."""

    clicked = Signal()

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setProperty("role", "choice")
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.clicked.emit()


class ExportDialog(WorkDialog):
    """Non-modal; writes in a worker."""

    def __init__(self, store: Store, bus: Bus, parent: QWidget | None = None) -> None:
        """Offer both kinds."""
        super().__init__(
            store,
            bus,
            parent,
            name="exportDialog",
            title=_("내보내기"),
            intro=_("내 습관과 기록을 파일로 꺼내요. 여기 있는 것은 그대로예요."),
            size=_SIZE,
        )
        self.kind = JSON
        self._exported: Exported | None = None
        self._group = QButtonGroup(self)
        self.choices: dict[str, QRadioButton] = {}
        self._cards: dict[str, QFrame] = {}
        for kind in (JSON, CSV):
            self.body.addWidget(self._build_choice(kind))
        self.body.addWidget(self._build_result())
        self.body.addStretch(1)
        line = FlowBox()
        close = button(_("닫기"), self.close, name="closeExport")
        self._export = button(_("파일로 내보내기…"), self.ask_file, role="primary", name="exportStart")
        self._export.setDefault(True)
        line.add(close, self._export, at_end=True)
        self.body.addWidget(line)
        self.choose(JSON)
        self.choices[JSON.name].setFocus()

    # ---- building ---------------------------------------------------------------------------------------------

    def _build_choice(self, kind: Kind) -> QFrame:
        card = _Card(f"exportCard_{kind.name}")
        line = row(card, margins=(14, 12, 14, 12), gap=12)
        line.addWidget(icon_label(kind.icon, "accent", 26), 0, Qt.AlignmentFlag.AlignTop)
        words = column(gap=4)
        line.addLayout(words, 1)
        choice = QRadioButton(_(kind.title))
        choice.setObjectName(f"export_{kind.name}")
        choice.setAccessibleDescription(_(kind.what))
        card.clicked.connect(choice.click)
        choice.toggled.connect(lambda on, chosen=kind: self.choose(chosen) if on else None)
        self._group.addButton(choice)
        self.choices[kind.name], self._cards[kind.name] = choice, card
        words.addWidget(choice)
        words.addWidget(label(_(kind.what), "muted"))
        if kind is CSV:
            self.bom = QCheckBox(_("한국어 엑셀에서 바로 열기"))
            self.bom.setObjectName("exportBom")
            self.bom.setChecked(True)
            note = _("글자가 깨지지 않게 UTF-8 표시(BOM)를 앞에 붙여요. 다른 프로그램에서 문제가 되면 꺼 주세요.")
            self.bom.setAccessibleDescription(note)
            self.bom.setToolTip(note)
            words.addWidget(self.bom)
        return card

    def _build_result(self) -> QFrame:
        self.outcome = frame("notice", "exportResult")
        line = row(self.outcome, margins=(14, 11, 10, 11), gap=12)
        line.addWidget(icon_label("done", "on_blue_soft", 22), 0, Qt.AlignmentFlag.AlignTop)
        words = column(gap=3)
        self._result_words = label("", "section")
        self._result_words.setObjectName("exportWords")
        self._result_path = label("", "small", selectable=True)
        self._result_path.setObjectName("exportPath")
        words.addWidget(self._result_words)
        words.addWidget(self._result_path)
        line.addLayout(words, 1)
        line.addWidget(button(_("폴더 열기"), self.open_folder, icon="folder", name="openExportFolder"))
        self.outcome.hide()
        return self.outcome

    def choose(self, kind: Kind) -> None:
        """Choose a kind of file."""
        self.kind = kind
        self.choices[kind.name].setChecked(True)
        self.bom.setEnabled(kind is CSV)
        for name, card in self._cards.items():
            card.setProperty("chosen", name == kind.name)
            repolish(card)

    # ---- writing ----------------------------------------------------------------------------------------------

    def suggested_name(self) -> str:
        """Return the name of a file of today."""
        return f"LifeHelper-{self._store.today().isoformat()}{self.kind.suffix}"

    def ask_file(self) -> None:
        """Ask where to; the system's dialog asks before it takes a file that is there."""
        dialog = QFileDialog(self, _("내보낼 파일"))
        dialog.setObjectName("exportFileDialog")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilters([_(self.kind.filter)])
        dialog.setDefaultSuffix(self.kind.suffix.removeprefix("."))
        dialog.selectFile(self.suggested_name())
        dialog.fileSelected.connect(self.take_path)
        dialog.open()

    def take_path(self, chosen: str) -> None:
        """Write to the file that was chosen.

        Not every system's dialog adds the ending before it asks about a file that is there: then it is asked here.
        """
        path = Path(chosen)
        if path.suffix.casefold() == self.kind.suffix:
            self.export(path)
            return
        path = path.with_name(path.name + self.kind.suffix)
        if not path.exists():
            self.export(path)
            return
        ask(
            self,
            _("이미 있는 파일을 바꿀까요?"),
            str(path),
            yes=_("바꾸기"),
            on_yes=lambda: self.export(path),
            name="overwriteQuestion",
            title=_("내보내기"),
            destructive=True,
        )

    def export(self, path: Path) -> None:
        """Write the chosen kind to `path` in the background; what is there goes only when the new one is complete."""
        store, kind, bom = self._store, self.kind, self.bom.isChecked()
        self.outcome.hide()

        def work(task: Task) -> Exported:
            transfers = store.transfers
            if kind is JSON:
                entries = transfers.export_json(path, progress=task.stage, stop=task.stop)
            else:
                entries = transfers.export_csv(path, bom=bom, progress=task.stage, stop=task.stop)
            habits = len(store.habits.list(*HabitStatus)) + len(store.trash.list())
            return Exported(path, path.stat().st_size, habits, entries)

        self.begin(_("쓰는 중"), work, self._on_exported)

    def _on_exported(self, exported: Exported) -> None:
        self._exported = exported
        amounts = amounts_text(exported.habits, exported.entries)
        words = _("내보냈어요: {amounts} · {size}").format(amounts=amounts, size=size_text(exported.size))
        self._result_words.setText(words)
        self._result_path.setText(str(exported.path))
        self.outcome.setAccessibleName(words)
        self.outcome.show()

    def open_folder(self) -> None:
        """Show the folder of the file in the system's own window."""
        if self._exported is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._exported.path.parent)))
