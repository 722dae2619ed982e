"""Changing the keys: conflicts are told and not stored, what is stored is in force at once and at the next start."""

from __future__ import annotations

import json
import logging
import sys

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from lifehelper_desktop.base.settings import LANGUAGE, SHORTCUT_KEYS
from lifehelper_desktop.domain.habits import Habit
from lifehelper_desktop.llm.protocol import LlmTextChunk
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui.actions import BY_NAME
from lifehelper_desktop.ui.screens.shortcuts import ShortcutsDialog
from lifehelper_desktop.ui.shortcuts import (
    assign,
    default_keys,
    keys_in_force,
    normal_key,
    read_changed,
    shown_key,
    why_not,
    write_changed,
)
from tests.gui.conftest import Gui, MakeGui
from tests.gui.keys import press


def open_list(gui: Gui, name: str = "") -> ShortcutsDialog:
    """Open the list of shortcuts, with a command chosen."""
    gui.window.open_shortcuts()
    dialog = gui.window.dialogs["shortcuts"]
    assert isinstance(dialog, ShortcutsDialog)
    gui.qtbot.waitUntil(dialog.isVisible)
    if name:
        dialog.choose(name)
    return dialog


def press_in_edit(dialog: ShortcutsDialog, key: Qt.Key, modifiers: Qt.KeyboardModifier) -> None:
    """Press the new key in the field for it."""
    dialog.key_edit.setFocus()
    QTest.keyClick(dialog.key_edit, key, modifiers)


def stored(store: Store) -> dict[str, list[str]]:
    text = store.settings.get_str(SHORTCUT_KEYS)
    found: dict[str, list[str]] = json.loads(text) if text else {}
    return found


CTRL = Qt.KeyboardModifier.ControlModifier


# ---- in the window --------------------------------------------------------------------------------------------------


def test_a_new_key_is_in_force_at_once_and_after_a_restart(make_gui: MakeGui, store: Store) -> None:
    gui = make_gui()
    dialog = open_list(gui, "toggle_chat")
    press_in_edit(dialog, Qt.Key.Key_G, CTRL)
    assert stored(store) == {"toggle_chat": ["Ctrl+G"]}
    assert dialog.list.current is not None
    assert dialog.list.current.badge == "Ctrl+G"
    dialog.close()
    assert gui.window.commands.by_name["toggle_chat"].shortcut().toString() == "Ctrl+G"
    assert gui.window.rail["chat"].toolTip() == "코치 (Ctrl+G)"
    press(gui.window, "Ctrl+G")
    assert not gui.chat.isVisible()
    press(gui.window, "Ctrl+J")  # the old one does nothing now
    assert not gui.chat.isVisible()
    press(gui.window, "Ctrl+G")
    gui.window.close()
    again = make_gui()
    press(again.window, "Ctrl+G")
    assert not again.chat.isVisible()


def test_a_conflict_is_told_and_moved_only_when_wished(make_gui: MakeGui, store: Store) -> None:
    gui = make_gui()
    dialog = open_list(gui, "new_chat")
    press_in_edit(dialog, Qt.Key.Key_O, CTRL)
    assert stored(store) == {}
    assert dialog.notice.text == "Ctrl+O 키는 ‘지난 대화’에서 쓰고 있어요. 옮길까요?"
    gui.click("noticeAction", dialog)
    assert stored(store) == {"new_chat": ["Ctrl+O"], "open_conversations": []}
    assert gui.window.commands.keys["open_conversations"] == ()
    dialog.close()
    press(gui.window, "Ctrl+O")
    assert "conversations" not in gui.window.dialogs


def test_clearing_and_resetting_a_row_and_all(make_gui: MakeGui, store: Store) -> None:
    gui = make_gui()
    dialog = open_list(gui, "redo")
    assert not dialog.reset_button.isEnabled()
    gui.click("clearKeys", dialog)
    assert stored(store) == {"redo": []}
    assert not dialog.clear_button.isEnabled()
    gui.click("resetKeys", dialog)
    assert store.settings.get_str(SHORTCUT_KEYS) == ""
    dialog.give("Ctrl+R")
    dialog.choose("undo")
    dialog.give("Ctrl+U")
    assert set(stored(store)) == {"undo", "redo"}
    gui.click("resetAllKeys", dialog)
    assert stored(store) == {}
    assert gui.window.commands.keys == keys_in_force({})


def test_giving_a_moved_key_back_asks_too(make_gui: MakeGui, store: Store) -> None:
    gui = make_gui()
    dialog = open_list(gui, "new_chat")
    dialog.give("Ctrl+O")
    gui.click("noticeAction", dialog)
    dialog.choose("open_conversations")
    gui.click("resetKeys", dialog)
    assert "‘새 대화’" in dialog.notice.text
    gui.click("noticeAction", dialog)
    assert stored(store) == {"new_chat": []}
    assert gui.window.commands.keys["open_conversations"] == ("Ctrl+O",)


@pytest.mark.parametrize(
    ("key", "modifiers"),
    [
        (Qt.Key.Key_A, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_A, Qt.KeyboardModifier.ShiftModifier),
        (Qt.Key.Key_Space, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_Left, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_C, CTRL),
        (Qt.Key.Key_V, CTRL),
    ],
)
def test_keys_that_writing_needs_are_refused(
    make_gui: MakeGui, store: Store, key: Qt.Key, modifiers: Qt.KeyboardModifier
) -> None:
    gui = make_gui()
    dialog = open_list(gui, "new_chat")
    press_in_edit(dialog, key, modifiers)
    assert dialog.notice.text
    assert stored(store) == {}


@pytest.mark.skipif(sys.platform == "darwin", reason="menus have no keys of their own there")
@pytest.mark.parametrize("language", ["ko", "en"])
def test_the_keys_of_the_menus_stay_theirs(make_gui: MakeGui, store: Store, language: str) -> None:
    """A command on Alt+F would make the key ambiguous: Qt then carries out neither."""
    store.settings.set(LANGUAGE, language)
    gui = make_gui()
    dialog = open_list(gui, "new_chat")
    for menu in gui.window.commands.menus.values():
        key = QKeySequence.mnemonic(menu.title()).toString()
        assert key.startswith("Alt+")
        dialog.give(key)
        assert dialog.notice.text
        assert stored(store) == {}
    dialog.give("Alt+X")
    assert stored(store) == {"new_chat": ["Alt+X"]}


def test_tab_leaves_the_field_for_the_key(make_gui: MakeGui, store: Store) -> None:
    gui = make_gui()
    dialog = open_list(gui, "new_chat")
    press_in_edit(dialog, Qt.Key.Key_Tab, Qt.KeyboardModifier.NoModifier)
    assert dialog.focusWidget() is dialog.clear_button
    press(dialog, "Shift+Tab")
    assert dialog.key_edit.isAncestorOf(dialog.focusWidget()) or dialog.focusWidget() is dialog.key_edit
    press(dialog, "Shift+Tab")
    assert dialog.focusWidget() is dialog.list
    assert stored(store) == {}


def test_enter_in_the_list_goes_to_the_field(make_gui: MakeGui) -> None:
    gui = make_gui()
    dialog = open_list(gui, "new_chat")
    dialog.list.setFocus()
    press(dialog, "Return")
    focused = dialog.focusWidget()
    assert focused is dialog.key_edit or dialog.key_edit.isAncestorOf(focused)
    assert dialog.isVisible()


@pytest.mark.parametrize(
    ("wanted", "name"),
    [("새 대화", "new_chat"), ("ㅅㄷㅎ", "new_chat"), ("Ctrl+K", "palette"), ("Settings", "settings")],
)
def test_the_list_is_searched(make_gui: MakeGui, wanted: str, name: str) -> None:
    dialog = open_list(make_gui())
    dialog.search.setText(wanted)
    assert name in [line.key for line in dialog.list.lines]
    assert len(dialog.list.lines) < 6
    dialog.search.setText("없는 것")
    assert dialog.list.lines == []
    dialog.give("Ctrl+G")  # for nobody


def test_enter_may_be_left_for_new_lines(make_gui: MakeGui) -> None:
    gui = make_gui([LlmTextChunk("네.")])
    dialog = open_list(gui, "send_message")
    dialog.give("Ctrl+Return")
    gui.click("noticeAction", dialog)
    dialog.close()
    edit = gui.chat.composer.edit
    gui.window.focus_composer()
    gui.qtbot.keyClicks(edit, "one")
    press(gui.window, "Return")
    gui.qtbot.keyClicks(edit, "two")
    assert edit.toPlainText() == "one\ntwo"
    press(gui.window, "Ctrl+Return")
    gui.wait_idle()
    assert gui.llm.user_texts == ["one\ntwo"]
    assert gui.window.commands.by_name["send_message"].text() == "보내기\tCtrl+Enter"
    assert gui.chat.composer.send_button.toolTip() == "보내기 (Ctrl+Enter)"


def test_a_change_can_be_undone(make_gui: MakeGui, store: Store) -> None:
    gui = make_gui()
    dialog = open_list(gui, "toggle_chat")
    dialog.give("Ctrl+G")
    gui.window.undo()
    assert gui.window.commands.keys["toggle_chat"] == ("Ctrl+J",)
    gui.qtbot.waitUntil(lambda: dialog.list.current is not None and dialog.list.current.badge == "Ctrl+J")


@pytest.mark.parametrize("text", ["{", "[]", "3", '"Ctrl+K"', "null", "{'a': 1}"])
def test_an_unreadable_setting_leaves_the_defaults(
    make_gui: MakeGui, store: Store, text: str, caplog: pytest.LogCaptureFixture
) -> None:
    store.settings.set(SHORTCUT_KEYS, text)
    with caplog.at_level(logging.WARNING):
        gui = make_gui()
    assert gui.window.commands.keys == keys_in_force({})
    assert "unreadable" in caplog.text
    press(gui.window, "Ctrl+J")
    assert not gui.chat.isVisible()


def test_another_process_may_change_the_keys(make_gui: MakeGui, store: Store, habits: dict[str, Habit]) -> None:
    gui = make_gui()
    store.settings.set(SHORTCUT_KEYS, '{"toggle_chat": ["Ctrl+G"]}')
    gui.window.watcher.data_changed.emit()
    press(gui.window, "Ctrl+G")
    assert not gui.chat.isVisible()


# ---- the book of keys -----------------------------------------------------------------------------------------------


def test_odd_rows_are_left_out_one_by_one(caplog: pytest.LogCaptureFixture) -> None:
    rows = {
        "new_chat": ["Ctrl+G", "Ctrl+G"],
        "no_such": ["Ctrl+H"],
        "undo": "Ctrl+Z",
        "redo": [3],
        "settings": ["nonsense key"],
        "quit": [],
    }
    with caplog.at_level(logging.WARNING):
        changed = read_changed(json.dumps(rows))
    assert changed == {"new_chat": ("Ctrl+G",), "quit": ()}
    assert "no_such" in caplog.text
    assert read_changed(write_changed(changed)) == changed
    assert write_changed({}) == ""


def test_a_key_given_away_is_no_default_any_longer() -> None:
    keys = keys_in_force({"undo": ("Ctrl+N",)})
    assert keys["undo"] == ("Ctrl+N",)
    assert keys["new_chat"] == ()
    twice = keys_in_force({"undo": ("Ctrl+G",), "redo": ("Ctrl+G",)})  # no dialog writes this
    assert (twice["undo"], twice["redo"]) == (("Ctrl+G",), ())


def test_assigning_the_default_again_leaves_no_trace() -> None:
    given = default_keys(BY_NAME["new_chat"])
    assert assign({"new_chat": ("Ctrl+G",)}, "new_chat", given) == {}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Ctrl+Enter", "Ctrl+Return"),
        ("Num+Enter", "Return"),
        ("shift+ctrl+c", "Ctrl+Shift+C"),
        ("Shift+Backtab", "Shift+Tab"),
        ("Ctrl+K, Ctrl+S", ""),
        ("", ""),
        ("Ctrl", ""),
        ("한글", ""),
    ],
)
def test_keys_have_one_form(text: str, wanted: str) -> None:
    assert normal_key(text) == wanted


def test_keys_are_shown_as_they_are_printed() -> None:
    assert [shown_key(key) for key in ("Return", "Alt+Left", "Ctrl++", "Ctrl+,")] == [
        "Enter",
        "Alt+←",
        "Ctrl++",
        "Ctrl+,",
    ]


def test_the_fields_keys_may_be_bare_only_for_the_field() -> None:
    assert why_not(BY_NAME["recall_next"], "Down") == ""
    assert why_not(BY_NAME["show_habits"], "Down")
    assert why_not(BY_NAME["show_habits"], "F5") == ""
    assert why_not(BY_NAME["stop"], "Esc") == ""


def test_the_cards_name_the_key_in_force(make_gui: MakeGui, store: Store, habits: dict[str, Habit]) -> None:
    store.settings.set(SHORTCUT_KEYS, '{"mark_habit_1": ["Ctrl+Shift+1"], "mark_habit_2": []}')
    gui = make_gui()

    def shown(name: str) -> str:
        mark = gui.find(QPushButton, "mark_done", gui.window.habits.cards[habits[name].id])
        return mark.accessibleDescription()

    assert [shown(name) for name in ("walk", "todo", "social")] == ["Ctrl+Shift+1", "", "Ctrl+3"]
    store.settings.set(SHORTCUT_KEYS, "")
    gui.window.apply_settings()
    assert shown("walk") == "Ctrl+1"
