"""The conversation on screen: streaming, stopping, errors with a next step, undo, and a coach that is switched off."""

from __future__ import annotations

from datetime import date

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QInputMethodEvent
from PySide6.QtWidgets import QApplication, QProgressBar, QPushButton, QWidget

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.settings import AI_ENABLED
from lifehelper_desktop.domain.habits import EntryValue, Habit
from lifehelper_desktop.llm.protocol import LlmError, LlmFunctionCall, LlmTextChunk
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui.screens import chat as chat_module
from lifehelper_desktop.ui.widgets import status_line as status_line_module
from tests.gui.conftest import MakeGui
from tests.gui.keys import press
from tests.helpers.scripted_llm import ScriptPause

TODAY = date(2026, 8, 12)


def test_the_answer_is_streamed(make_gui: MakeGui) -> None:
    pause = ScriptPause()
    gui = make_gui([LlmTextChunk("안녕"), LlmTextChunk("하세요"), pause, LlmTextChunk(". 반가워요.")])
    gui.say("안녕")
    gui.qtbot.waitUntil(lambda: gui.bubbles() == ["안녕", "안녕하세요"])
    assert gui.window.conversation.is_busy
    pause.go.set()
    gui.wait_idle()
    assert gui.bubbles() == ["안녕", "안녕하세요. 반가워요."]


def test_a_message_typed_with_the_keyboard_goes_to_the_model(make_gui: MakeGui) -> None:
    gui = make_gui([LlmTextChunk("네.")])
    gui.window.focus_composer()
    gui.qtbot.keyClicks(gui.chat.composer.edit, "hello")
    gui.qtbot.keyClick(gui.chat.composer.edit, Qt.Key.Key_Return)
    gui.wait_idle()
    assert gui.llm.user_texts == ["hello"]
    assert gui.bubbles() == ["hello", "네."]


@pytest.mark.parametrize("how", ["escape", "button"])
def test_stop_keeps_what_was_written(make_gui: MakeGui, how: str) -> None:
    pause = ScriptPause()
    gui = make_gui([LlmTextChunk("여기까지"), pause, LlmTextChunk("는 보이고")], [LlmTextChunk("다시 왔어요.")])
    gui.say("길게 말해 줘")
    gui.qtbot.waitUntil(lambda: gui.bubbles()[-1:] == ["여기까지"])
    if how == "escape":
        gui.qtbot.keyClick(gui.window, Qt.Key.Key_Escape)
    else:
        gui.click("stop")
    gui.wait_idle()
    assert gui.bubbles() == ["길게 말해 줘", "여기까지"]
    gui.say("계속 있어?")
    gui.wait_idle()
    assert gui.bubbles()[-1] == "다시 왔어요."


def test_stop_before_the_turn_began_drops_it(make_gui: MakeGui) -> None:
    pause = ScriptPause()
    gui = make_gui([pause])
    gui.say("첫 번째")
    gui.qtbot.waitUntil(pause.reached.is_set)
    gui.window.thread_.user_turn("두 번째")  # queued behind the running one
    gui.window.stop()
    gui.wait_idle()
    gui.qtbot.waitUntil(lambda: gui.window.thread_._finished == 2)
    assert gui.llm.user_texts == ["첫 번째"]


def test_loading_shows_progress_and_can_be_stopped(make_gui: MakeGui) -> None:
    gui = make_gui([LlmTextChunk("네.")])
    gui.llm.load_pause = ScriptPause()
    gui.say("안녕")
    gui.qtbot.waitUntil(gui.llm.load_pause.reached.is_set)
    gui.window.stop()
    gui.wait_idle()
    gui.llm.load_pause = None
    gui.say("다시")
    gui.wait_idle()
    assert gui.bubbles()[-1] == "네."
    assert not gui.chat.findChild(QProgressBar, "modelProgress").isVisible()


def test_no_model_is_said_with_the_next_step_and_everything_else_works(
    make_gui: MakeGui, habits: dict[str, Habit], store: Store
) -> None:
    gui = make_gui([LlmTextChunk("이제 있어요.")])
    gui.llm.load_error = WorldError("모델 파일을 찾지 못했어요.", "설정에서 파일을 골라 주세요.")
    gui.say("안녕")
    gui.wait_idle()
    card = gui.find(QWidget, "errorCard")
    assert card.accessibleName() == "모델 파일을 찾지 못했어요. 설정에서 파일을 골라 주세요."
    gui.click("openModelSettings")
    gui.qtbot.waitUntil(lambda: "settings" in gui.window.dialogs)
    gui.window.dialogs["settings"].close()
    gui.click("mark_done", gui.window.habits.cards[habits["walk"].id])
    assert store.entries.get(habits["walk"].id, TODAY) is not None
    gui.llm.load_error = None
    gui.click("retry")
    gui.wait_idle()
    assert gui.bubbles() == ["안녕", "이제 있어요."]
    assert not [each for each in gui.window.findChildren(QWidget, "errorCard") if each.isVisible()]


def test_a_model_that_fails_in_the_middle_can_be_asked_again(make_gui: MakeGui) -> None:
    gui = make_gui([LlmTextChunk("음"), LlmError("decode", "모델이 답하지 못했어요.")], [LlmTextChunk("됐어요.")])
    gui.say("안녕")
    gui.wait_idle()
    card = gui.find(QWidget, "errorCard")
    assert "모델이 답하지 못했어요." in card.accessibleName()
    assert not card.findChildren(QPushButton, "openModelSettings")
    gui.click("retry")
    gui.wait_idle()
    assert gui.bubbles() == ["안녕", "됐어요."]


def test_the_cap_offers_to_go_on(make_gui: MakeGui) -> None:
    search = [LlmFunctionCall("search_catalog", {"keyword": "걷기"})]
    gui = make_gui(search, search, search, search, [LlmTextChunk("찾았어요.")])
    gui.say("찾아 줘")
    gui.wait_idle()
    assert len(gui.cards()) == 4
    gui.click("goOn")
    gui.wait_idle()
    assert gui.bubbles()[-1] == "찾았어요."


def test_undo_on_a_card_deletes_the_entry(make_gui: MakeGui, habits: dict[str, Habit], store: Store) -> None:
    call = LlmFunctionCall("log_tracker_entry", {"habit_id": habits["walk"].id, "value": "done"})
    gui = make_gui([call], [LlmTextChunk("기록했어요.")])
    gui.say("기록해 줘")
    gui.click("confirmYes", gui.wait_dialog())
    gui.wait_idle()
    [card] = gui.cards()
    gui.click("toolUndo", card)
    assert store.entries.get(habits["walk"].id, TODAY) is None
    assert "되돌렸어요" in gui.text("toolDetail", card)
    walk = gui.window.habits.cards[habits["walk"].id]
    gui.qtbot.waitUntil(lambda: walk.overview.today_entry is None)
    gui.window.build()
    assert "되돌렸어요" in gui.text("toolDetail", gui.cards()[0])


def test_every_card_state_has_a_word(make_gui: MakeGui, habits: dict[str, Habit]) -> None:
    bad = LlmFunctionCall("log_tracker_entry", {"habit_id": 999, "value": "done"})
    gui = make_gui([bad, LlmFunctionCall("no_such_tool", {})], [LlmTextChunk("미안해요.")])
    gui.say("기록해 줘")
    dialog = gui.wait_dialog()
    assert gui.text("toolState", gui.cards()[0]) == "확인 기다리는 중"
    gui.click("confirmYes", dialog)
    gui.wait_idle()
    assert [gui.text("toolState", card) for card in gui.cards()] == ["하지 못함", "하지 못함"]
    assert all(gui.text("toolDetail", card) for card in gui.cards())
    assert "하지 못함" in gui.cards()[0].accessibleName()


def test_new_chat_empties_everything_even_in_a_running_turn(make_gui: MakeGui) -> None:
    pause = ScriptPause()
    gui = make_gui([LlmTextChunk("하나"), pause], [LlmTextChunk("새로")])
    gui.say("안녕")
    gui.qtbot.waitUntil(pause.reached.is_set)
    gui.qtbot.keyClick(gui.window, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    gui.qtbot.waitUntil(lambda: gui.bubbles() == [] and not gui.window.conversation.is_busy)
    gui.find(QWidget, "chatEmpty")
    gui.say("다시")
    gui.wait_idle()
    assert gui.bubbles() == ["다시", "새로"]
    assert len(gui.llm.prompts) == 2


def test_starters_send_themselves(make_gui: MakeGui) -> None:
    gui = make_gui([LlmTextChunk("네.")])
    first = next(each for each in gui.window.findChildren(QPushButton, "starter") if each.isVisible())
    words = first.text()
    gui.qtbot.mouseClick(first, Qt.MouseButton.LeftButton)
    gui.wait_idle()
    assert gui.llm.user_texts == [words]


def test_with_ai_off_there_is_no_way_into_the_chat(make_gui: MakeGui, store: Store) -> None:
    store.settings.set(AI_ENABLED, False)
    gui = make_gui()
    assert gui.window.chat is None
    assert "chat" not in gui.window.rail
    for name in ("chatPane", "composer", "newChat", "rail_chat"):
        assert gui.window.findChild(QWidget, name) is None
    gui.window.toggle_chat()
    gui.window.focus_composer()
    gui.window.new_chat()
    gui.window.stop()
    assert not gui.window.thread_.isRunning()


def test_text_of_the_model_is_never_markup_and_may_be_huge(make_gui: MakeGui) -> None:
    huge = "<b>굵게</b>\0" + "길" * 100_000
    gui = make_gui([LlmTextChunk(huge)])
    gui.say("안녕")
    gui.wait_idle()
    assert gui.bubbles()[-1] == huge.replace("\0", "")


def test_a_rebuilt_pane_shows_the_same_conversation_in_a_running_turn(make_gui: MakeGui) -> None:
    pause = ScriptPause()
    gui = make_gui([LlmTextChunk("반쯤"), pause, LlmTextChunk(" 다")])
    gui.say("안녕")
    gui.qtbot.waitUntil(lambda: gui.bubbles()[-1:] == ["반쯤"])
    gui.chat.composer.edit.setPlainText("쓰던 말")
    gui.window.build()
    assert gui.bubbles() == ["안녕", "반쯤"]
    assert gui.chat.composer.edit.toPlainText() == "쓰던 말"
    assert not gui.chat.composer.edit.can_submit
    pause.go.set()
    gui.wait_idle()
    assert gui.bubbles() == ["안녕", "반쯤 다"]


def test_closing_in_the_middle_of_an_answer_ends_the_thread(make_gui: MakeGui, store: Store) -> None:
    pause = ScriptPause()
    gui = make_gui([LlmTextChunk("하나"), pause])
    gui.say("안녕")
    gui.qtbot.waitUntil(pause.reached.is_set)
    gui.window.close()
    assert not gui.window.thread_.isRunning()
    assert gui.llm.close_count == 1
    assert len(gui.llm.threads) == 1


def test_the_minimum_and_the_past_by_chat_show_on_the_card(
    make_gui: MakeGui, habits: dict[str, Habit], store: Store
) -> None:
    args = {"habit_id": habits["todo"].id, "value": "minimum", "date": "어제"}
    gui = make_gui([LlmFunctionCall("log_tracker_entry", args)], [LlmTextChunk("네.")])
    gui.say("어제는 최소만 했어")
    gui.click("confirmYes", gui.wait_dialog())
    gui.wait_idle()
    entry = store.entries.get(habits["todo"].id, date(2026, 8, 11))
    assert entry is not None
    assert entry.value is EntryValue.MINIMUM
    assert "2026-08-11" in gui.text("toolDetail", gui.cards()[0])


def test_up_brings_back_what_was_sent(make_gui: MakeGui) -> None:
    gui = make_gui([LlmTextChunk("네.")], [LlmTextChunk("네.")], [LlmTextChunk("네.")])
    for words in ("하나", "둘", "둘"):
        gui.say(words)
        gui.wait_idle()
    gui.window.focus_composer()
    edit = gui.chat.composer.edit
    press(gui.window, "Up")
    assert edit.toPlainText() == "둘"
    press(gui.window, "Up")
    assert edit.toPlainText() == "하나"
    press(gui.window, "Down")
    press(gui.window, "Down")
    assert edit.toPlainText() == ""


def test_the_last_answer_is_copied_and_said(make_gui: MakeGui, monkeypatch: pytest.MonkeyPatch) -> None:
    gui = make_gui([LlmTextChunk("첫 답")], [LlmTextChunk("둘째 답")])
    gui.window.focus_composer()
    press(gui.window, "Ctrl+Shift+C")
    assert gui.chat.notice.text == "아직 복사할 답이 없어요."
    for words in ("하나", "둘"):
        gui.say(words)
        gui.wait_idle()
    press(gui.window, "Ctrl+Shift+C")
    assert QGuiApplication.clipboard().text() == "둘째 답"
    assert gui.chat.notice.text == "마지막 답을 복사했어요."
    gui.chat._notice_timer.setInterval(1)
    gui.window.toggle_chat()
    press(gui.window, "Ctrl+Shift+C")  # unfolds, so that the notice is seen
    assert gui.chat.isVisible()
    gui.qtbot.waitUntil(lambda: gui.chat.notice.text == "")


def test_readers_hear_how_the_answer_goes(make_gui: MakeGui, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    for module in (chat_module, status_line_module):
        monkeypatch.setattr(module, "announce", lambda _widget, text: said.append(text))
    reading, pause = ScriptPause(), ScriptPause()
    answer = [reading, LlmTextChunk("좋아요"), pause, LlmTextChunk("!")]
    again = ScriptPause()
    gui = make_gui(answer, [again, LlmError("decode", "모델이 답하지 못했어요.")])
    gui.say("안녕")
    gui.qtbot.waitUntil(lambda: "읽고 있어요…" in said)
    reading.go.set()
    gui.qtbot.waitUntil(lambda: "답을 쓰는 중이에요" in said)
    assert gui.text("chatStatus") == "답을 쓰는 중이에요"
    pause.go.set()
    gui.wait_idle()
    assert "코치: 좋아요!" in said
    assert len(said) == len(set(said))
    gui.say("또")
    # The second turn begins as the first did, whatever stands above it.
    gui.qtbot.waitUntil(lambda: said.count("읽고 있어요…") == 2)
    again.go.set()
    gui.wait_idle()
    assert said[-1].startswith("모델이 답하지 못했어요.")


def test_ctrl_n_while_composing_keeps_the_syllable(make_gui: MakeGui) -> None:
    gui = make_gui()
    gui.window.focus_composer()
    edit = gui.chat.composer.edit
    QApplication.sendEvent(edit, QInputMethodEvent("한", []))
    press(gui.window, "Ctrl+N")
    gui.wait_idle()
    press(gui.window, "Ctrl+K")  # away from the field
    assert edit.toPlainText() == "한"
