"""The coach on the window: carried out by the main thread, answered truly, and never waited for in vain."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from lifehelper_desktop.base.i18n import LANGUAGES, set_language
from lifehelper_desktop.chat.messages import ModelChatMessage, ToolCallState, UserChatMessage
from lifehelper_desktop.domain.habits import Habit
from lifehelper_desktop.llm.protocol import LlmFunctionCall, LlmTextChunk
from lifehelper_desktop.tools.copy_text import CLIPBOARD_MAX
from lifehelper_desktop.tools.definition import UiAnswer, UiOutcome
from lifehelper_desktop.tools.screens import HABIT_PAGE, SCREENS
from lifehelper_desktop.ui.actions import COMMANDS
from lifehelper_desktop.ui.bus import Bus
from lifehelper_desktop.ui.ui_actions import SCREEN_COMMANDS, BusUiActions, find_command, last_answer
from lifehelper_desktop.ui.wishes import PendingWish, UiAction, Wish
from tests.gui.conftest import Gui, MakeGui

DONE = [LlmTextChunk("알겠어요.")]
#: Commands that open something and are no screen that is asked for by name: what is needed for them, or what they are.
NO_SCREENS = {
    "show_coach": "the coach is where the message is written",
    "palette": "for the keyboard",
    "find": "a field of what is shown",
}


def _call(name: str, **args: object) -> list[object]:
    return [LlmFunctionCall(name, args)]


def _said(gui: Gui) -> Mapping[str, Any]:
    """Return what the model was told of its last call."""
    return gui.llm.tool_results[-1][0].result


def _do(gui: Gui, text: str = "해 줘") -> Mapping[str, Any]:
    gui.say(text)
    gui.qtbot.waitUntil(lambda: bool(gui.llm.tool_results), timeout=5000)
    gui.wait_idle()
    return _said(gui)


# ---- names ----------------------------------------------------------------------------------------------------------


def test_every_screen_is_a_command_and_every_command_that_opens_is_a_screen() -> None:
    names = {command.name for command in COMMANDS}
    assert set(SCREENS) - {HABIT_PAGE} <= names
    opens = {command.name for command in COMMANDS if command.method.startswith(("open_", "show_"))}
    assert opens - set(SCREENS) - set(NO_SCREENS) == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_titles_of_the_menus_are_names_too(language: str) -> None:
    set_language(language)
    for command in SCREEN_COMMANDS:
        for name in (command.name, command.title(), command.english_title(), command.words):
            assert find_command(name) is command
    assert find_command("") is None
    assert find_command("춤") is None


# ---- screens --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", [each.name for each in SCREEN_COMMANDS])
def test_every_screen_opens_and_is_there(make_gui: MakeGui, habits: dict[str, Habit], command: str) -> None:
    gui = make_gui(_call("open_screen", screen=command), DONE)
    told = _do(gui)
    assert told["status"] == "ok", told
    [card] = gui.cards()
    assert card.message.state is ToolCallState.DONE
    assert told["data"]["opened"] in gui.text("toolDetail", card)


def test_statistics_lead_to_the_review(make_gui: MakeGui, habits: dict[str, Habit]) -> None:
    gui = make_gui(_call("open_screen", screen="통계"), DONE)
    assert _do(gui, "통계 화면 열어 줘") == {"status": "ok", "data": {"opened": "주간 돌아보기"}}
    assert gui.window.page_name == "review"


def test_statistics_of_a_habit_lead_to_its_page(make_gui: MakeGui, habits: dict[str, Habit]) -> None:
    walk = habits["walk"]
    gui = make_gui(_call("open_screen", screen="statistics", habit_id="하루 걷기"), DONE)
    assert _do(gui)["data"] == {"opened": walk.title("ko"), "habit_id": walk.id}
    assert gui.window.page_name == "detail"
    assert gui.window.detail is not None
    assert gui.window.detail.habit_id == walk.id


def test_no_such_screen_is_told_with_those_that_are(make_gui: MakeGui) -> None:
    gui = make_gui(_call("open_screen", screen="춤추는 화면"), DONE)
    told = _do(gui)
    assert (told["status"], told["code"]) == ("error", "no_such_screen")
    assert "설정" in told["reason"]
    assert "…" not in told["reason"]
    [card] = gui.cards()
    assert card.message.state is ToolCallState.FAILED
    shown = gui.text("toolDetail", card)
    assert "설정" in shown
    assert "사용자에게" not in shown, "what is meant for the model"
    assert gui.window.page_name == "habits"


def test_asked_for_twice_it_stays_open(make_gui: MakeGui) -> None:
    quick = _call("open_screen", screen="빠른 기록")
    gui = make_gui(quick, DONE, quick, DONE)
    for _time in range(2):
        gui.llm.tool_results.clear()
        assert _do(gui)["status"] == "ok"
        assert gui.window.tray.quick_log.isVisible()


def test_the_user_goes_on_writing(make_gui: MakeGui, habits: dict[str, Habit]) -> None:
    gui = make_gui(_call("show_habit", habit_id=habits["walk"].id), DONE)
    edit = gui.chat.composer.edit
    edit.setFocus()
    assert _do(gui)["status"] == "ok"
    assert QApplication.focusWidget() is edit


def test_a_screen_that_could_not_be_read_is_no_success(
    make_gui: MakeGui, habits: dict[str, Habit], monkeypatch: pytest.MonkeyPatch
) -> None:
    gui = make_gui(_call("show_habit", habit_id=habits["walk"].id), DONE)
    monkeypatch.setattr(type(gui.window), "show_habit", lambda _window, _habit: None)  # a slot that told its trouble
    assert _do(gui)["status"] == "error"
    assert gui.window.page_name == "habits"


def test_a_bug_in_a_screen_does_not_leave_the_coach_waiting(
    make_gui: MakeGui, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    gui = make_gui(_call("open_screen", screen="설정"), DONE)

    def broken(_window: object) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr(type(gui.window), "open_settings", broken)
    with qtbot.captureExceptions() as caught:
        told = _do(gui)
    assert (told["status"], told["code"]) == ("error", "window_error")
    assert [kind for kind, *_rest in caught] == [RuntimeError]


# ---- who carries it out ---------------------------------------------------------------------------------------------

_UI_CALLS: Mapping[str, tuple[Mapping[str, object], str]] = {
    "open_screen": ({"screen": "설정"}, "open_settings"),
    "show_habit": ({"habit_id": 1}, "show_habit"),
    "copy_text": ({"text": "말"}, "isVisible"),
}


@pytest.mark.parametrize("name", _UI_CALLS)
def test_the_main_thread_carries_it_out_and_another_asks(
    make_gui: MakeGui, habits: dict[str, Habit], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    args, method = _UI_CALLS[name]
    gui = make_gui(_call(name, **args), DONE)
    carried: set[int] = set()
    asked: set[int] = set()
    original = gui.window.wishes._answer
    ask = gui.window.thread_.ui._ask

    def answer(wish: Wish) -> UiAnswer:
        carried.add(threading.get_ident())
        return original(wish)

    def asking(wish: Wish) -> UiAnswer:
        asked.add(threading.get_ident())
        return ask(wish)

    monkeypatch.setattr(gui.window.wishes, "_answer", answer)
    monkeypatch.setattr(gui.window.thread_.ui, "_ask", asking)
    assert hasattr(gui.window, method)
    assert _do(gui)["status"] == "ok"
    assert carried == {threading.get_ident()}
    assert asked
    assert asked <= gui.llm.threads
    assert not asked & carried


@pytest.mark.parametrize("call", [("list_active_habits", {}), ("suggest_frame", {"habit_id": 1})])
def test_other_tools_never_come_to_the_main_thread(
    make_gui: MakeGui, habits: dict[str, Habit], call: tuple[str, dict[str, object]]
) -> None:
    gui = make_gui(_call(call[0], **call[1]), DONE)
    wishes: list[object] = []
    gui.bus.on_wish(wishes.append)
    assert _do(gui)["status"] == "ok"
    assert wishes == []


# ---- the clipboard --------------------------------------------------------------------------------------------------


def test_text_is_copied_plain(make_gui: MakeGui) -> None:
    gui = make_gui(_call("copy_text", text="<b>첫</b> 줄\n둘째\u202e 줄"), DONE)
    assert _do(gui)["status"] == "ok"
    lying: QMimeData = QGuiApplication.clipboard().mimeData()
    assert lying.text() == "<b>첫</b> 줄\n둘째 줄"
    assert not lying.hasHtml()
    assert not lying.hasUrls()


def test_without_a_text_the_answer_before_is_copied(make_gui: MakeGui) -> None:
    gui = make_gui([LlmTextChunk("42일째예요.")], [LlmTextChunk("복사할게요. "), *_call("copy_text")], DONE)
    gui.say("며칠째야?")
    gui.wait_idle()
    assert _do(gui, "복사해 줘")["data"] == {"copied_characters": len("42일째예요.")}
    assert QGuiApplication.clipboard().text() == "42일째예요."


def test_nothing_to_copy_leaves_the_clipboard(make_gui: MakeGui) -> None:
    QGuiApplication.clipboard().setText("내 것")
    gui = make_gui(_call("copy_text"), DONE)
    assert _do(gui, "복사해 줘")["code"] == "nothing_to_copy"
    assert QGuiApplication.clipboard().text() == "내 것"


def test_the_last_answer_is_the_one_before_the_message() -> None:
    user, said = UserChatMessage("복사해 줘"), ModelChatMessage("하나")
    assert last_answer([UserChatMessage("?"), said, user, ModelChatMessage("복사할게요")]) == "하나"
    assert last_answer([user]) == ""
    assert last_answer([]) == ""


def test_the_window_caps_what_it_is_given(make_gui: MakeGui) -> None:
    gui = make_gui()
    answer = gui.window.wishes._answer(Wish(UiAction.COPY_TEXT, text="가" * (CLIPBOARD_MAX + 5)))
    assert answer == UiAnswer(UiOutcome.DONE, "가" * CLIPBOARD_MAX)


# ---- the end of waiting ---------------------------------------------------------------------------------------------


def _in_thread(ask: Callable[[], UiAnswer]) -> tuple[threading.Thread, list[UiAnswer]]:
    answers: list[UiAnswer] = []
    thread = threading.Thread(target=lambda: answers.append(ask()))
    thread.start()
    return thread, answers


@pytest.mark.parametrize(("how", "outcome"), [("cancel", UiOutcome.STOPPED), ("close", UiOutcome.NO_WINDOW)])
def test_stop_and_the_end_answer_at_once_and_nothing_is_done_later(
    qapp: QApplication, how: str, outcome: UiOutcome
) -> None:
    bus = Bus()
    asked: list[PendingWish] = []
    bus.on_wish(asked.append)
    ui = BusUiActions(bus)
    thread, answers = _in_thread(lambda: ui.open_screen("settings"))
    while ui._pending is None:
        thread.join(0.001)
    getattr(ui, how)()
    thread.join(2)
    assert answers == [UiAnswer(outcome)]
    qapp.processEvents()
    assert [pending.begin() for pending in asked] == [False], "taken back: the main thread must not begin"
    assert ui.open_screen("settings") == UiAnswer(outcome), "nor the next one of this turn"
    ui.begin_turn()
    assert ui._closed is (how == "close")


def test_what_has_begun_is_answered_with_what_was_done() -> None:
    pending = PendingWish(Wish(UiAction.OPEN_SCREEN, "settings"))
    assert pending.begin()
    assert not pending.begin()
    pending.take_back(UiOutcome.STOPPED)
    pending.finish(UiAnswer(UiOutcome.DONE, "설정"))
    pending.finish(UiAnswer(UiOutcome.FAILED))
    assert pending.wait() == UiAnswer(UiOutcome.DONE, "설정")


def test_the_window_closes_while_the_coach_asks(make_gui: MakeGui, monkeypatch: pytest.MonkeyPatch) -> None:
    gui = make_gui(_call("open_screen", screen="설정"), DONE)
    monkeypatch.setattr(PendingWish, "begin", lambda _pending: False)  # a main thread that never comes to it
    gui.say("설정 열어 줘")
    gui.qtbot.waitUntil(lambda: gui.window.thread_.ui._pending is not None, timeout=5000)
    gui.window.close()
    assert not gui.window.thread_.isRunning()
    assert "settings" not in gui.window.dialogs


def test_stop_while_the_coach_asks(make_gui: MakeGui, monkeypatch: pytest.MonkeyPatch) -> None:
    gui = make_gui(_call("open_screen", screen="설정"), DONE, DONE)
    with monkeypatch.context() as patch:
        patch.setattr(PendingWish, "begin", lambda _pending: False)
        gui.say("설정 열어 줘")
        gui.qtbot.waitUntil(lambda: gui.window.thread_.ui._pending is not None, timeout=5000)
        gui.window.stop()
        gui.wait_idle()
    assert gui.cards()[0].message.state is ToolCallState.CANCELLED
    assert "settings" not in gui.window.dialogs
    assert gui.llm.tool_results == []


def test_a_window_that_is_in_the_tray_is_no_window(make_gui: MakeGui) -> None:
    gui = make_gui(_call("open_screen", screen="설정"), DONE)
    gui.window.hide()
    assert gui.window.wishes._answer(Wish(UiAction.OPEN_SCREEN, "settings")) == UiAnswer(UiOutcome.NO_WINDOW)
    assert "settings" not in gui.window.dialogs
    gui.window.show()


def test_the_habit_in_view_follows_the_page(make_gui: MakeGui, habits: dict[str, Habit]) -> None:
    gui = make_gui()
    ui = gui.window.thread_.ui
    assert ui.habit_in_view is None
    gui.window.show_habit(habits["walk"].id)
    assert ui.habit_in_view == habits["walk"].id
    gui.window.build()
    assert ui.habit_in_view == habits["walk"].id
    gui.window.show_review()
    assert ui.habit_in_view is None
