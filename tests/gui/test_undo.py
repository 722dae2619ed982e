"""Undo and redo of the window, by key, of what any surface did."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from lifehelper_desktop.base.i18n import current_language
from lifehelper_desktop.base.settings import LANGUAGE, THEME
from lifehelper_desktop.domain.habits import EntryValue, Habit
from lifehelper_desktop.storage.journal import Source, acting
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui.theme import theme
from lifehelper_desktop.ui.watcher import DataWatcher
from tests.gui.conftest import Gui, MakeGui

CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


def press(gui: Gui, key: Qt.Key, modifier: Qt.KeyboardModifier = CTRL) -> None:
    gui.window.habits.setFocus()
    gui.qtbot.keyClick(gui.window.habits, key, modifier)


def test_a_mark_goes_and_comes_by_key(make_gui: MakeGui, habits: dict[str, Habit], store: Store) -> None:
    gui = make_gui()
    walk, today = habits["walk"], store.today()
    gui.window.habits.mark(walk.id, EntryValue.DONE)
    press(gui, Qt.Key.Key_Z)
    assert store.entries.get(walk.id, today) is None
    assert gui.window.habits.notice.text == "되돌렸어요: 하루 걷기 · 2026-08-12(수) ‘완료’ 기록"
    gui.qtbot.waitUntil(lambda: gui.window.habits.cards[walk.id].overview.today_entry is None)
    press(gui, Qt.Key.Key_Z, CTRL | SHIFT)
    assert store.entries.get(walk.id, today) is not None
    gui.click("noticeAction", gui.window.habits.notice)  # 되돌리기
    assert store.entries.get(walk.id, today) is None


def test_what_the_coach_did_is_taken_back_from_the_catalogue_page(
    make_gui: MakeGui, habits: dict[str, Habit], store: Store
) -> None:
    gui = make_gui()
    with acting(Source.COACH):
        store.habits.pause(habits["walk"].id)
    gui.window.show_catalogue()
    gui.window.undo()
    assert gui.window.stack.currentWidget() is gui.window.habits
    assert "쉬게 하기" in gui.window.habits.notice.text
    assert store.habits.get(habits["walk"].id) == habits["walk"]


def test_settings_take_effect(make_gui: MakeGui, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    gui = make_gui()
    chosen: list[str] = []
    monkeypatch.setattr(theme(), "choose", lambda choice, *_rest: chosen.append(choice))
    store.settings.set(LANGUAGE, "en")
    gui.window._on_setting(LANGUAGE.key)
    store.settings.set(THEME, "dark")
    gui.window._on_setting(THEME.key)
    gui.window.undo()
    assert chosen[-1] == "system"
    gui.window.undo()
    assert current_language() == "ko"
    assert gui.window.habits.notice.text == "되돌렸어요: 설정 바꾸기: 언어"


def test_nothing_to_undo_is_said(make_gui: MakeGui, store: Store) -> None:
    gui = make_gui()
    while store.journal.next_undo() is not None:
        store.journal.undo()
    gui.window.undo()
    assert gui.window.habits.notice.text == "되돌릴 것이 아직 없어요."


def test_a_field_has_its_own_undo(make_gui: MakeGui, habits: dict[str, Habit], store: Store) -> None:
    gui = make_gui()
    gui.window.habits.mark(habits["walk"].id, EntryValue.DONE)
    edit = gui.chat.composer.edit
    edit.setFocus()
    edit.insertPlainText("hello")
    gui.qtbot.keyClick(edit, Qt.Key.Key_Z, CTRL)
    assert edit.toPlainText() == ""
    gui.qtbot.keyClick(edit, Qt.Key.Key_Z, CTRL)  # nothing left there: still not the window's
    assert store.entries.get(habits["walk"].id, store.today()) is not None


def test_a_new_day_makes_its_backup(make_gui: MakeGui, habits: dict[str, Habit], store: Store) -> None:
    gui = make_gui()
    watcher: DataWatcher = gui.window.watcher
    watcher._today = None  # type: ignore[assignment]  # as if another day had begun
    watcher.check_day()
    gui.qtbot.waitUntil(lambda: any("-daily" in path.name for path in store.paths.backups.glob("*.db")), timeout=20_000)
