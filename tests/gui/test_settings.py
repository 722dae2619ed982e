"""The settings screen: every setting has its place and its help, takes effect at once, and shows what is stored."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QApplication, QComboBox, QFileDialog, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from lifehelper_desktop.base import settings as base
from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.i18n import set_language
from lifehelper_desktop.base.settings import (
    AI_ENABLED,
    BACKUP_COPY_FOLDER,
    BACKUPS_ENABLED,
    FONT_PERCENT,
    HIGH_CONTRAST,
    REMINDERS_ENABLED,
    SETTINGS,
    SNOOZE_MINUTES,
    THEME,
    WEEK_START,
    SettingValue,
)
from lifehelper_desktop.domain.changes import Changes
from lifehelper_desktop.storage.store import Store, open_store
from lifehelper_desktop.ui import login_start
from lifehelper_desktop.ui.bus import Bus
from lifehelper_desktop.ui.screens.settings import SettingsDialog
from lifehelper_desktop.ui.screens.settings.lines import ChoiceLine, FolderLine, SwitchLine
from lifehelper_desktop.ui.screens.settings.rows import INTERNAL, ROWS, SECTIONS, Kind, Section, SettingRow
from lifehelper_desktop.ui.theme import theme
from tests.gui.conftest import MakeGui

Make = Callable[[], SettingsDialog]


class FakeLogin:
    """A system that starts programs at login, or refuses to."""

    def __init__(self) -> None:
        self.on = False
        self.refusal: WorldError | None = None

    def is_enabled(self) -> bool:
        return self.on

    def enable(self) -> None:
        if self.refusal is not None:
            raise self.refusal
        self.on = True

    def disable(self) -> None:
        self.on = False


@pytest.fixture(autouse=True)
def login(monkeypatch: pytest.MonkeyPatch) -> FakeLogin:
    """No test touches the real system."""
    fake = FakeLogin()
    for name in ("is_enabled", "enable", "disable"):
        monkeypatch.setattr(login_start, name, getattr(fake, name))
    return fake


@pytest.fixture
def bus() -> Bus:
    return Bus()


@pytest.fixture
def make(qtbot: QtBot, store: Store, bus: Bus) -> Iterator[Make]:
    """Return a maker of dialogs, each shown."""
    made: list[SettingsDialog] = []

    def one() -> SettingsDialog:
        dialog = SettingsDialog(store, bus)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
        qtbot.addWidget(dialog)
        made.append(dialog)
        dialog.show()
        return dialog

    yield one
    theme().choose("light")


def stored(store: Store, row: SettingRow) -> SettingValue:
    assert row.setting is not None
    return store.settings.get(row.setting)


# ---- the rows -------------------------------------------------------------------------------------------------------


def test_every_setting_has_a_place_on_the_screen() -> None:
    placed = [row.setting.key for row in ROWS if row.setting is not None]
    assert len(placed) == len(set(placed))
    assert set(placed) | set(INTERNAL) == set(SETTINGS), "a new setting needs a row in ROWS, or a reason in INTERNAL"
    assert not set(placed) & set(INTERNAL)
    assert all(INTERNAL.values())


def test_every_section_is_used_and_every_name_is_one() -> None:
    assert {row.section for row in ROWS} == set(SECTIONS) == set(Section)
    names = [row.name for row in ROWS]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_every_row_has_words_and_a_place(make: Make, row: SettingRow) -> None:
    dialog = make()
    line = dialog.lines[row.name]
    assert line.title == row.title
    assert line.help.endswith("요.")
    assert line.control.accessibleName().startswith(line.title)
    assert line.control.accessibleDescription() == line.help
    assert line.control.focusPolicy() & Qt.FocusPolicy.TabFocus
    titles = [each for each in line.findChildren(QLabel) if each.text() == line.title]
    assert len(titles) == 1
    assert titles[0].buddy() is line.control
    assert line.help in [each.text() for each in line.findChildren(QLabel)]


@pytest.mark.parametrize("row", [each for each in ROWS if each.kind is Kind.CHOICE], ids=lambda row: row.name)
def test_every_choice_offers_all_values_and_stores_the_chosen(
    make: Make, store: Store, qtbot: QtBot, row: SettingRow
) -> None:
    dialog = make()
    line = dialog.lines[row.name]
    assert isinstance(line, ChoiceLine)
    assert row.setting is not None
    offered = [line.box.itemData(at) for at in range(line.box.count())]
    assert tuple(offered) == row.setting.choices
    assert line.box.currentData() == row.setting.default
    for value in offered:
        with qtbot.waitSignal(dialog.changed, check_params_cb=lambda key: key == row.setting.key):  # type: ignore[union-attr]
            line.box.setCurrentIndex(line.box.findData(value))
            line.box.activated.emit(line.box.currentIndex())
        assert stored(store, row) == value


@pytest.mark.parametrize("row", [each for each in ROWS if each.kind is Kind.SWITCH], ids=lambda row: row.name)
def test_every_switch_stores_what_it_shows(make: Make, store: Store, qtbot: QtBot, row: SettingRow) -> None:
    dialog = make()
    line = dialog.lines[row.name]
    assert isinstance(line, SwitchLine)
    before = stored(store, row)
    assert line.switch.isChecked() is before
    with qtbot.waitSignal(dialog.changed):
        qtbot.mouseClick(line.switch, Qt.MouseButton.LeftButton)
    assert stored(store, row) is not before
    title = next(each for each in line.findChildren(QLabel) if each.text() == line.title)
    with qtbot.waitSignal(dialog.changed):
        qtbot.mouseClick(title, Qt.MouseButton.LeftButton)  # the words turn it as well
    assert stored(store, row) is before
    line.switch.setFocus()
    qtbot.keyClick(line.switch, Qt.Key.Key_Space)
    assert stored(store, row) is not before


@pytest.mark.parametrize("row", [each for each in ROWS if each.kind is Kind.BUTTON], ids=lambda row: row.name)
def test_every_button_asks_for_its_dialog(make: Make, qtbot: QtBot, row: SettingRow) -> None:
    dialog = make()
    with qtbot.waitSignal(getattr(dialog, row.signal)):
        qtbot.mouseClick(dialog.lines[row.name].control, Qt.MouseButton.LeftButton)


def test_rows_that_need_another_are_off_with_it(make: Make, store: Store) -> None:
    dialog = make()
    snooze = dialog.lines["settingSnooze"]
    assert snooze.isEnabled()
    switch = dialog.lines["settingReminders"]
    assert isinstance(switch, SwitchLine)
    switch.switch.click()
    assert store.settings.get_bool(REMINDERS_ENABLED) is False
    assert not snooze.isEnabled()
    assert store.settings.get_int(SNOOZE_MINUTES) == 30  # kept for later


# ---- folders, the model, the system ---------------------------------------------------------------------------------


def test_a_folder_is_chosen_missed_and_cleared(make: Make, store: Store, qtbot: QtBot, tmp_path: Path) -> None:
    dialog = make()
    line = dialog.lines["settingBackupFolder"]
    assert isinstance(line, FolderLine)
    assert line.path.text() == "아직 고르지 않았어요"
    qtbot.mouseClick(line.control, Qt.MouseButton.LeftButton)
    chooser = dialog.findChild(QFileDialog, "settingBackupFolderDialog")
    assert chooser is not None
    chooser.fileSelected.emit(str(tmp_path))
    chooser.close()
    qtbot.waitUntil(lambda: store.settings.get_str(BACKUP_COPY_FOLDER) == str(tmp_path))
    assert line.path.text() == str(tmp_path)
    assert not line.problem.isVisible()
    store.settings.set(BACKUP_COPY_FOLDER, str(tmp_path / "gone"))
    dialog.refresh()
    assert line.problem.isVisible()
    qtbot.mouseClick(line.clear, Qt.MouseButton.LeftButton)
    assert store.settings.get_str(BACKUP_COPY_FOLDER) == ""


def test_a_folder_that_is_no_second_place_is_refused(make: Make, store: Store, qtbot: QtBot, tmp_path: Path) -> None:
    dialog = make()
    line = dialog.lines["settingBackupFolder"]
    for chosen, words in ((store.paths.data, "두 번째 자리"), (tmp_path / "gone", "보이지 않아요")):
        dialog.notice.hide()
        line.stored.emit(str(chosen))
        qtbot.waitUntil(dialog.notice.isVisible)
        assert words in dialog.notice.text
        assert store.settings.get_str(BACKUP_COPY_FOLDER) == ""
        assert not chosen.exists() or not list(chosen.glob("LifeHelper-*"))


def test_starting_at_login_is_the_systems_business(make: Make, qtbot: QtBot, login: FakeLogin) -> None:
    login.on = True
    dialog = make()
    line = dialog.lines["settingLoginStart"]
    assert isinstance(line, SwitchLine)
    assert line.switch.isChecked()
    line.switch.click()
    assert login.on is False
    login.refusal = WorldError("로그인 설정을 쓰지 못했어요.", "다시 해 주세요.")
    line.switch.click()
    assert not line.switch.isChecked()  # it says what is so, not what was wished
    assert "쓰지 못했어요" in dialog.notice.text


# ---- elsewhere, and trouble -----------------------------------------------------------------------------------------


def test_what_changes_elsewhere_shows(make: Make, store: Store, bus: Bus, qtbot: QtBot) -> None:
    dialog = make()
    box = dialog.lines["settingWeekStart"].control
    assert isinstance(box, QComboBox)
    bus.publish_data(store.settings.set(WEEK_START, "sunday"))
    qtbot.waitUntil(lambda: box.currentData() == "sunday")
    with closing(open_store(store.paths, store.clock)) as other:
        other.settings.set(WEEK_START, "monday")
    dialog.refresh()
    assert box.currentData() == "monday"


def test_showing_a_value_is_no_choice(make: Make, store: Store, qtbot: QtBot) -> None:
    dialog = make()
    with qtbot.assertNotEmitted(dialog.changed):
        store.settings.set(HIGH_CONTRAST, True)
        store.settings.set(FONT_PERCENT, 150)
        dialog.refresh()
    assert dialog.lines["settingFont"].control.currentData() == 150  # type: ignore[attr-defined]


def test_a_value_that_was_not_taken_goes_back(make: Make, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    dialog = make()

    def refuse(_row: base.Setting, _value: SettingValue) -> Changes:
        raise WorldError("디스크가 가득 찼어요.", "자리를 만들어 주세요.")

    monkeypatch.setattr(store.settings, "set", refuse)
    line = dialog.lines["settingBackups"]
    assert isinstance(line, SwitchLine)
    line.switch.click()
    assert line.switch.isChecked()
    assert store.settings.get_bool(BACKUPS_ENABLED)
    assert "가득 찼어요" in dialog.notice.text


# ---- finding and reaching -------------------------------------------------------------------------------------------


def shown_rows(dialog: SettingsDialog) -> set[str]:
    return {name for name, line in dialog.lines.items() if not line.isHidden() and line.isVisible()}


def test_the_search_leaves_what_fits(make: Make, qtbot: QtBot) -> None:
    dialog = make()
    assert shown_rows(dialog) == {row.name for row in ROWS}
    qtbot.keyClick(dialog, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    dialog.search.setText("고대비")
    assert shown_rows(dialog) == {"settingContrast"}
    dialog.search.setText("백업")
    assert shown_rows(dialog) == {"settingBackups", "settingBackupFolder", "openBackups"}
    dialog.search.setText("코치")  # the name of a section brings all of it
    assert {"settingAi", "settingModel"} <= shown_rows(dialog)
    dialog.search.setText("없는말")
    assert shown_rows(dialog) == set()
    nothing = dialog.findChild(QLabel, "nothingFound")
    assert nothing is not None
    assert nothing.isVisible()
    dialog.search.clear()
    assert shown_rows(dialog) == {row.name for row in ROWS}


def test_sections_are_reached_by_their_links(make: Make, qtbot: QtBot) -> None:
    dialog = make()
    link = dialog.findChild(QPushButton, "section_data")
    assert link is not None
    qtbot.mouseClick(link, Qt.MouseButton.LeftButton)
    assert dialog.focusWidget() is dialog.lines["settingBackups"].control
    assert dialog._scroll.verticalScrollBar().value() > 0


def test_building_anew_keeps_place_search_and_focus(make: Make, qtbot: QtBot) -> None:
    dialog = make()
    dialog.search.setText("기")
    dialog.lines["settingWeekStart"].control.setFocus()
    bar = dialog._scroll.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    bar.setValue(40)
    dialog.build()
    assert dialog.search.text() == "기"
    assert dialog.focusWidget() is dialog.lines["settingWeekStart"].control
    qtbot.waitUntil(lambda: dialog._scroll.verticalScrollBar().value() == 40)


@pytest.mark.parametrize("percent", [80, 100, 200])
@pytest.mark.parametrize("language", ["ko", "en"])
def test_narrow_or_large_the_controls_stay_inside(make: Make, qtbot: QtBot, language: str, percent: int) -> None:
    set_language(language)
    theme().choose("light", percent)
    dialog = make()
    for size in (QSize(420, 500), QSize(780, 700)):
        dialog.resize(size)
        for _ in range(4):  # each layout answers the one above it
            QApplication.processEvents()
        for line in dialog.lines.values():
            for control in line.findChildren(QWidget, line.control.objectName()):
                right = control.mapTo(dialog._scroll.widget(), control.rect().topRight()).x()
                assert right < dialog._scroll.viewport().width(), line.spec.name


# ---- at once --------------------------------------------------------------------------------------------------------


def test_size_and_contrast_take_effect_in_the_window_at_once(make_gui: MakeGui, store: Store) -> None:
    store.settings.set(THEME, "light")
    gui = make_gui()
    gui.window.open_settings()
    dialog = gui.window.dialogs["settings"]
    assert isinstance(dialog, SettingsDialog)
    title = gui.find(QLabel, "todayTitle").font().pixelSize()
    box = dialog.lines["settingFont"].control
    assert isinstance(box, QComboBox)
    box.setCurrentIndex(box.findData(200))
    box.activated.emit(box.currentIndex())
    assert theme().scale == 2.0
    assert gui.find(QLabel, "todayTitle").font().pixelSize() == 2 * title
    gui.qtbot.waitUntil(lambda: dialog.lines["settingFont"].control is not box)  # the dialog as well
    switch = dialog.lines["settingContrast"].control
    gui.qtbot.mouseClick(switch, Qt.MouseButton.LeftButton)
    assert theme().tokens.name == "light_contrast"
    gui.window.undo()
    assert theme().tokens.name == "light"
    gui.window.undo()
    assert theme().scale == 1.0


def test_a_setting_of_another_process_reaches_the_open_dialog(make_gui: MakeGui, store: Store) -> None:
    gui = make_gui()
    gui.window.open_settings()
    dialog = gui.window.dialogs["settings"]
    assert isinstance(dialog, SettingsDialog)
    with closing(open_store(store.paths, store.clock)) as other:
        other.settings.set(AI_ENABLED, False)
        gui.window.watcher.check_data()
    gui.qtbot.waitUntil(lambda: not dialog.lines["settingAi"].control.isChecked())  # type: ignore[attr-defined]
    assert gui.window.chat is None
