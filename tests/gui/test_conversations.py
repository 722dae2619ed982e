"""The list of conversations, going on with one, and answering anew, in a real window."""

from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtWidgets import QFileDialog, QLineEdit, QMessageBox, QPushButton, QWidget

from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.base.settings import KEEP_CONVERSATIONS, LANGUAGE
from lifehelper_desktop.domain.habits import Habit
from lifehelper_desktop.llm.protocol import LlmFunctionCall, LlmTextChunk
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui.screens.conversations import ConversationsDialog
from tests.gui.conftest import Gui, MakeGui
from tests.helpers.scripted_llm import ScriptPause

TODAY = date(2026, 8, 12)


def show_list(gui: Gui) -> ConversationsDialog:
    gui.click("chatHistory")
    dialog = gui.window.dialogs["conversations"]
    assert isinstance(dialog, ConversationsDialog)
    gui.qtbot.waitUntil(dialog.isVisible)
    return dialog


def rows(dialog: ConversationsDialog) -> list[str]:
    return [dialog.list.item(at).text() for at in range(dialog.list.count())]


def talk(gui: Gui, *words: str) -> None:
    for text in words:
        gui.say(text)
        gui.wait_idle()
        gui.chat.new_chat()
        gui.wait_idle()


def test_a_conversation_is_found_and_goes_on(make_gui: MakeGui, store: Store) -> None:
    gui = make_gui(*[[LlmTextChunk(text)] for text in ("하나예요.", "둘이에요.", "셋이에요.")])
    assert gui.bubbles() == []
    talk(gui, "걷기 이야기", "잠 이야기")
    assert gui.bubbles() == []
    dialog = show_list(gui)
    assert rows(dialog) == ["오늘", "잠 이야기", "걷기 이야기"]
    dialog.search.setText("하나")
    assert rows(dialog) == ["오늘", "걷기 이야기"]
    gui.qtbot.keyClick(dialog.search, Qt.Key.Key_Return)
    gui.qtbot.waitUntil(lambda: gui.bubbles() == ["걷기 이야기", "하나예요."])
    assert "conversations" not in gui.window.dialogs
    gui.say("이어서")
    gui.wait_idle()
    assert gui.bubbles() == ["걷기 이야기", "하나예요.", "이어서", "셋이에요."]
    assert [turn.user for turn in gui.llm.prompts[-1].history] == ["걷기 이야기"]
    assert len(store.conversations.list()) == 2


def test_the_window_starts_with_an_empty_chat(make_gui: MakeGui) -> None:
    talk(make_gui([LlmTextChunk("네.")]), "어제 이야기")
    second = make_gui()
    assert second.bubbles() == []
    assert second.llm.load_count == 0
    assert rows(show_list(second)) == ["오늘", "어제 이야기"]


def test_the_list_stands_by_day_and_says_when_it_is_empty(make_gui: MakeGui, store: Store, clock: FixedClock) -> None:
    gui = make_gui()
    dialog = show_list(gui)
    assert gui.text("conversationsEmpty", dialog) == "남겨 둔 대화가 아직 없어요."
    now = clock.now()
    for back in (3, 1, 0):
        clock.set(now - timedelta(days=back))
        store.conversations.start(f"{back}일 전")
    dialog.refresh()
    assert rows(dialog) == ["오늘", "0일 전", "어제", "1일 전", "2026-08-09(일)", "3일 전"]
    dialog.search.setText("없는 말")
    assert gui.text("conversationsEmpty", dialog) == "찾은 대화가 없어요."
    assert not gui.find(QPushButton, "openConversation", dialog).isEnabled()


def test_rename_in_place(make_gui: MakeGui, store: Store) -> None:
    gui = make_gui()
    number = store.conversations.start("옛 이름")
    dialog = show_list(gui)
    dialog.list.setFocus()
    gui.qtbot.keyClick(dialog.list, Qt.Key.Key_F2)
    editor = gui.find(QLineEdit, "", dialog.list)
    editor.setText("새 이름")
    gui.qtbot.keyClick(editor, Qt.Key.Key_Return)
    gui.qtbot.waitUntil(lambda: store.conversations.get(number).title == "새 이름")
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gui.click("renameConversation", dialog)
    dialog.list.currentItem().setText(" ")
    assert "비었거나" in dialog.notice.text
    assert rows(dialog) == ["오늘", "새 이름"]


@pytest.mark.parametrize("yes", [True, False])
def test_delete_asks_first(make_gui: MakeGui, store: Store, yes: bool) -> None:
    gui = make_gui([LlmTextChunk("네.")])
    gui.say("지울 이야기")
    gui.wait_idle()
    dialog = show_list(gui)
    gui.click("deleteConversation", dialog)
    box = gui.find(QMessageBox, "deleteQuestion", dialog)
    default = box.defaultButton()
    assert default is not None
    assert default.objectName() == "deleteNo"
    gui.click("deleteYes" if yes else "deleteNo", box)
    gui.wait_idle()
    assert len(store.conversations.list()) == (0 if yes else 1)
    # The chat that is open goes with it.
    gui.qtbot.waitUntil(lambda: gui.bubbles() == ([] if yes else ["지울 이야기", "네."]))


def test_export(make_gui: MakeGui, store: Store, tmp_path: Path) -> None:
    gui = make_gui([LlmTextChunk("네.")])
    talk(gui, "내보낼 이야기")
    dialog = show_list(gui)
    gui.click("exportConversation", dialog)
    gui.find(QFileDialog, "exportFileDialog", dialog).close()
    dialog.export(str(tmp_path / "a.md"))
    dialog.export(str(tmp_path / "a.json"))
    assert "> 내보낼 이야기" in (tmp_path / "a.md").read_text(encoding="utf-8")
    assert json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))["title"] == "내보낼 이야기"
    dialog.export(str(tmp_path / "없는 폴더" / "a.md"))
    assert "파일을 쓰지 못했어요." in dialog.notice.text


def test_keeping_is_turned_off_in_the_list(make_gui: MakeGui, store: Store) -> None:
    gui = make_gui([LlmTextChunk("네.")])
    dialog = show_list(gui)
    dialog.keep.click()
    assert store.settings.get_bool(KEEP_CONVERSATIONS) is False
    dialog.close()
    gui.say("남기지 마")
    gui.wait_idle()
    assert store.conversations.list() == []


def test_opening_ends_a_running_turn(make_gui: MakeGui, store: Store) -> None:
    pause = ScriptPause()
    gui = make_gui([LlmTextChunk("네.")], [LlmTextChunk("반"), pause])
    talk(gui, "하나")
    gui.say("둘")
    gui.qtbot.waitUntil(pause.reached.is_set)
    number = store.conversations.list("하나")[0].id
    gui.chat.open_conversation(number)
    gui.qtbot.waitUntil(lambda: gui.bubbles() == ["하나", "네."] and not gui.window.conversation.is_busy)


def test_a_conversation_that_is_gone_is_said(make_gui: MakeGui) -> None:
    gui = make_gui()
    gui.chat.open_conversation(77)
    gui.wait_idle()
    assert "77번 대화를 찾지 못했어요" in gui.find(QWidget, "errorCard").accessibleName()


def test_answer_anew_and_the_write_stays(make_gui: MakeGui, habits: dict[str, Habit], store: Store) -> None:
    call = LlmFunctionCall("log_tracker_entry", {"habit_id": habits["walk"].id, "value": "done"})
    gui = make_gui([call], [LlmTextChunk("기록했어요.")], [call], [LlmTextChunk("이미 되어 있어요.")])
    gui.say("걷기 다 했어")
    gui.click("confirmYes", gui.wait_dialog())
    gui.wait_idle()
    gui.click("regenerate")
    gui.wait_idle()
    assert gui.window.presenter.dialog is None
    assert gui.bubbles() == ["걷기 다 했어", "이미 되어 있어요."]
    [card] = gui.cards()
    assert gui.text("toolState", card) == "마침"
    assert len(store.entries.for_habit(habits["walk"].id)) == 43


def test_edit_the_last_message(make_gui: MakeGui) -> None:
    gui = make_gui([LlmTextChunk("네.")], [LlmTextChunk("고친 답")])
    gui.say("처음 말")
    gui.wait_idle()
    gui.click("editLast")
    assert gui.chat.composer.edit.toPlainText() == "처음 말"
    gui.find(QWidget, "editBar")
    # Given up with Esc: nothing changes.
    gui.qtbot.keyClick(gui.window, Qt.Key.Key_Escape)
    assert gui.chat.composer.edit.toPlainText() == ""
    assert gui.bubbles() == ["처음 말", "네."]
    gui.click("editLast")
    gui.window.build()  # another theme in the middle of it
    gui.find(QWidget, "editBar")
    gui.chat.composer.edit.setPlainText("고친 말")
    gui.click("send")
    gui.wait_idle()
    assert gui.bubbles() == ["고친 말", "고친 답"]
    assert gui.llm.user_texts == ["처음 말", "고친 말"]
    assert not gui.window.conversation.is_editing


def test_interrupted_calls_are_shown_for_a_look(make_gui: MakeGui, store: Store) -> None:
    from lifehelper_desktop.storage.conversations import StoredEvent

    number = store.conversations.start("걷기 추가해 줘")
    body = {"name": "add_habit", "label": "습관 추가", "args": {}, "call_id": None, "identity": ""}
    store.conversations.append(number, StoredEvent("user", {"text": "걷기 추가해 줘", "context": ""}))
    store.conversations.append(number, StoredEvent("call", body, "k"))
    gui = make_gui([LlmTextChunk("다시 여쭤볼게요.")])
    gui.chat.open_conversation(number)
    gui.qtbot.waitUntil(lambda: len(gui.cards()) == 1)
    [card] = gui.cards()
    assert gui.text("toolState", card) == "중단됨"
    assert "확인 필요" in gui.text("toolDetail", card)
    gui.say("이어서")
    gui.wait_idle()
    assert store.habits.list() == []


def test_the_list_in_english(make_gui: MakeGui, store: Store) -> None:
    store.settings.set(LANGUAGE, "en")
    store.conversations.start("Walking")
    dialog = show_list(make_gui())
    texts = [each.text() for each in dialog.findChildren(QPushButton)] + [dialog.keep.text(), dialog.windowTitle()]
    assert not [text for text in texts if any("가" <= char <= "힣" for char in text)]
    assert dialog.list.accessibleName()
