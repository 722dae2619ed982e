"""Settings: every change is stored and applied at once; there is no OK to forget."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QSize, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QDialog, QFrame, QPushButton, QScrollArea, QVBoxLayout, QWidget

from lifehelper_desktop import __version__
from lifehelper_desktop.base import settings as base
from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.base.release_page import release_page
from lifehelper_desktop.base.settings import Setting, SettingValue
from lifehelper_desktop.domain.changes import Changes
from lifehelper_desktop.storage.backup_copies import check_chosen
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui import icons, login_start
from lifehelper_desktop.ui.bus import Bus
from lifehelper_desktop.ui.screens.about import open_release_page
from lifehelper_desktop.ui.screens.settings.lines import (
    ButtonLine,
    ModelLine,
    SettingLine,
    SwitchLine,
    make_line,
)
from lifehelper_desktop.ui.screens.settings.rows import ROWS, SECTIONS, Kind, Section, SettingRow
from lifehelper_desktop.ui.theme import theme
from lifehelper_desktop.ui.trouble import guarded, told
from lifehelper_desktop.ui.widgets.basics import (
    button,
    clear_layout,
    column,
    frame,
    icon_label,
    label,
    row,
    scroll_page,
    size_on_screen,
)
from lifehelper_desktop.ui.widgets.notice import NoticeBar
from lifehelper_desktop.ui.widgets.search_field import SearchField
from lifehelper_desktop.ui.worker import Failure, Worker
from lifehelper_desktop.ui.writes import attempt

_WIDTH, _HEIGHT, _SIDE = 780, 680, 172  # pixels at 100 % text
_WITHOUT_SIDE: Final = 660  # narrower, the list of sections goes away
#: Settings after which everything on the screen is built anew: its words, colours or sizes are others.
REBUILT_BY: Final = frozenset(row.key for row in (base.LANGUAGE, base.THEME, base.FONT_PERCENT, base.HIGH_CONTRAST))


class SettingsDialog(QDialog):
    """Non-modal. `changed` carries the key of a setting that was stored; the window applies it.

    The `…_asked` signals want something else shown: the list of models, the backups, and so on.
    """

    changed = Signal(str)
    models_asked = Signal()
    servers_asked = Signal()
    backups_asked = Signal()
    import_asked = Signal()
    export_asked = Signal()
    archive_asked = Signal()
    shortcuts_asked = Signal()
    first_run_asked = Signal()

    search: SearchField
    notice: NoticeBar
    _side: QWidget
    _scroll: QScrollArea

    def __init__(self, store: Store, bus: Bus, parent: QWidget | None = None) -> None:
        """Show the stored values.

        Raises:
            WorldError: They could not be read.
        """
        values = _read(store)  # before there is a widget that could be left half built
        super().__init__(parent)
        self.setObjectName("settingsDialog")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.bus = bus
        self._store, self._values = store, values
        self._worker = Worker(self)
        self.lines: dict[str, SettingLine] = {}
        self._cards: dict[Section, QFrame] = {}
        self._links: dict[Section, QPushButton] = {}
        self._outer = column(self, gap=0)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self, self._focus_search)
        self.build()
        self.resize(self.sizeHint())
        bus.on_data(self._on_data)

    def sizeHint(self) -> QSize:
        """Room for the sections and most rows, as far as the screen has it."""
        return size_on_screen(self, _WIDTH, _HEIGHT, side=40)

    # ---- building ---------------------------------------------------------------------------------------------

    def build(self) -> None:
        """Build everything anew, in the language and look in force; place, focus and search stay."""
        with told(self.bus):  # where they cannot be read, those read last are shown
            self._values = _read(self._store)
        focused = self.focusWidget()
        name = focused.objectName() if focused is not None else ""
        wanted = self.search.text() if self.lines else ""
        place = self._scroll.verticalScrollBar().value() if self.lines else 0
        clear_layout(self._outer)
        self.lines, self._cards, self._links = {}, {}, {}
        self.setWindowTitle(_("설정"))
        self._build_head()
        middle = row(gap=0)
        self._side = self._build_side()
        middle.addWidget(self._side)
        self._scroll = self._build_rows()
        middle.addWidget(self._scroll, 1)
        self._outer.addLayout(middle, 1)
        footer = row(margins=(24, 10, 24, 14))
        footer.addStretch(1)
        footer.addWidget(button(_("닫기"), self.close, role="primary", name="closeSettings"))
        self._outer.addLayout(footer)
        self._show_values()
        self.search.setText(wanted)
        self._arrange(self.width())
        again = self.findChild(QWidget, name) if name else None
        (again if again is not None else self.search).setFocus()
        QTimer.singleShot(0, self._scroll, lambda: self._scroll.verticalScrollBar().setValue(place))

    def _build_head(self) -> None:
        head = column(margins=(24, 18, 24, 12), gap=10)
        line = row(gap=14)
        line.addWidget(label(_("설정"), "title"), 1)
        self.search = SearchField("settingsSearch", _("설정 찾기"), _("설정 찾기"))
        self.search.setAccessibleDescription(_("적는 대로 맞는 설정만 남아요."))
        self.search.searched.connect(self._filter)
        line.addWidget(self.search, 1)
        head.addLayout(line)
        self.notice = NoticeBar()
        head.addWidget(self.notice)
        self._outer.addLayout(head)

    def _build_side(self) -> QWidget:
        side = QWidget()
        side.setObjectName("settingsSections")
        side.setAccessibleName(_("설정 구역"))
        layout = column(side, margins=(16, 2, 8, 12), gap=2)
        for section, (title, icon) in SECTIONS.items():
            link = QPushButton(_(title))
            link.setProperty("role", "section")
            link.setObjectName(f"section_{section}")
            link.setAutoDefault(False)
            link.setIcon(icons.icon(icon, theme().tokens["text"], 18))
            link.setIconSize(icons.size(18))
            link.setAccessibleDescription(_("이 구역으로 가요."))
            link.clicked.connect(partial(self._go_to, section))
            layout.addWidget(link)
            self._links[section] = link
        layout.addStretch(1)
        side.setMinimumWidth(theme().px(_SIDE))
        return side

    def _build_rows(self) -> QScrollArea:
        scroll, body = scroll_page()
        layout = column(body, margins=(12, 2, 24, 18), gap=14)
        for section, (title, icon) in SECTIONS.items():
            card = frame("card", f"card_{section}")
            inside = column(card, margins=(18, 14, 18, 16), gap=12)
            head = row(gap=8)
            head.addWidget(icon_label(icon, "accent", 20))
            head.addWidget(label(_(title), "heading"), 1)
            inside.addLayout(head)
            for at, spec in enumerate(each for each in ROWS if each.section is section):
                if at:
                    inside.addWidget(frame("line"))
                inside.addWidget(self._make_line(spec))
            if section is Section.HELP:
                self._build_about(inside)
            layout.addWidget(card)
            self._cards[section] = card
        self._nothing = label(_("그런 설정은 찾지 못했어요. 다른 말로 찾아 주세요."), "muted")
        self._nothing.setObjectName("nothingFound")
        self._nothing.hide()
        layout.addWidget(self._nothing)
        layout.addStretch(1)
        return scroll

    def _make_line(self, spec: SettingRow) -> SettingLine:
        line = make_line(spec)
        line.stored.connect(partial(self._on_stored, spec))
        if isinstance(line, ButtonLine):
            line.pressed.connect(getattr(self, spec.signal))
        if isinstance(line, ModelLine):
            line.models_asked.connect(self.models_asked)
        self.lines[spec.name] = line
        return line

    def _build_about(self, layout: QVBoxLayout) -> None:
        layout.addWidget(frame("line"))
        line = row(gap=14)
        words = column(gap=2)
        words.addWidget(label(_("LifeHelper Desktop {version}").format(version=__version__), "setting"))
        words.addWidget(label(_("데이터: {path}").format(path=self._store.paths.data), "small", selectable=True))
        line.addLayout(words, 1)
        if release_page():
            news = button(_("새 버전 보기…"), open_release_page, name="openReleases")
            news.setAccessibleDescription(_("새 버전을 저절로 찾지는 않아요. 누르면 브라우저에서 열려요."))
            line.addWidget(news)
        line.addWidget(button(_("폴더 열기"), self._open_data, name="openDataFolder"))
        layout.addLayout(line)

    # ---- showing ----------------------------------------------------------------------------------------------

    @guarded
    def refresh(self) -> None:
        """Read the values anew: they were changed elsewhere."""
        self._values = _read(self._store)
        self._show_values()

    def _show_values(self) -> None:
        for line in self.lines.values():
            line.show_values(self._values)
            if line.spec.kind is Kind.LOGIN and isinstance(line, SwitchLine):
                with told(self.bus):
                    line.switch.show_on(login_start.is_enabled())

    def _on_data(self, changes: Changes) -> None:
        if changes.settings:
            self.refresh()

    def _filter(self, text: str) -> None:
        wanted = text.casefold().strip()
        found = False
        for section, card in self._cards.items():
            hit = False
            for line in self._lines_of(section):
                fits = not wanted or line.matches(wanted) or wanted in _(SECTIONS[section][0]).casefold()
                line.setVisible(fits)
                hit |= fits
            _show_dividers(card)
            card.setVisible(hit)
            self._links[section].setEnabled(hit)
            found |= hit
        self._nothing.setVisible(not found)

    def _lines_of(self, section: Section) -> list[SettingLine]:
        return [line for line in self.lines.values() if line.spec.section is section]

    def _focus_search(self) -> None:
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def _go_to(self, section: Section, _checked: bool = False) -> None:
        """Scroll to a section and put the focus on its first row."""
        self._scroll.verticalScrollBar().setValue(self._cards[section].y())
        for line in self._lines_of(section):
            if line.isVisibleTo(self) and line.control.isEnabled():
                line.control.setFocus(Qt.FocusReason.OtherFocusReason)
                return

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the rows all the room when it is narrow."""
        self._arrange(event.size().width())
        super().resizeEvent(event)

    def _arrange(self, width: int) -> None:
        self._side.setVisible(width >= theme().px(_WITHOUT_SIDE))

    # ---- storing ----------------------------------------------------------------------------------------------

    def _on_stored(self, spec: SettingRow, value: SettingValue) -> None:
        if spec.setting is None:
            self._set_login_start(bool(value))
            return
        setting = spec.setting
        if setting is base.BACKUP_COPY_FOLDER and value:
            self._check_folder(Path(str(value)))
            return
        self._store_value(setting, value)

    def _check_folder(self, chosen: Path) -> None:
        """Store a second place for the backups when it can be one; looking there may take long."""
        if self._worker.is_busy:
            return
        paths = self._store.paths

        def keep(_none: None) -> None:
            self._store_value(base.BACKUP_COPY_FOLDER, str(chosen))

        def refuse(failure: Failure) -> None:
            self.notice.show_notice(failure.words, error=True)

        self._worker.start(lambda _task: check_chosen(paths, chosen), keep, refuse)

    def _store_value(self, setting: Setting, value: SettingValue) -> None:
        outcome = attempt(self.bus, lambda: self._store.settings.set(setting, value))
        self.refresh()  # also where it was refused: the control goes back to what is stored
        self.notice.show_problem(outcome.problem)
        if outcome.is_ok:
            self.changed.emit(setting.key)

    def _set_login_start(self, wanted: bool) -> None:
        try:
            if wanted:
                login_start.enable()
            else:
                login_start.disable()
            self.notice.hide()
        except WorldError as error:
            self.notice.show_notice(str(error), error=True)
        self.refresh()

    def take_model(self, path: str) -> None:
        """Store the chosen file; whether it can be loaded shows when the coach needs it."""
        line = self.lines["settingModel"]
        self._on_stored(line.spec, path)

    def _open_data(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._store.paths.data)))


def _show_dividers(card: QFrame) -> None:
    """Leave lines only between rows that are shown."""
    layout = card.layout()
    assert layout is not None
    divider: QWidget | None = None
    above = False
    for at in range(layout.count()):
        item = layout.itemAt(at)
        widget = item.widget() if item is not None else None
        if isinstance(widget, SettingLine):
            if not widget.isHidden():
                if divider is not None:
                    divider.setVisible(above)
                above, divider = True, None
        elif widget is not None:
            widget.hide()
            divider = widget
    if divider is not None:  # above what ends the last section, which is no row
        divider.setVisible(above)


def _read(store: Store) -> dict[str, SettingValue]:
    return {key: store.settings.get(setting) for key, setting in base.SETTINGS.items()}
