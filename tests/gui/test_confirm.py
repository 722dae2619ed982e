"""The question before a write: 수행 writes, everything else does not. Looked up in the database."""

from __future__ import annotations

import threading
from datetime import date

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox

from lifehelper_desktop.chat.messages import ToolCallState
from lifehelper_desktop.domain.habits import EntryValue, Habit
from lifehelper_desktop.llm.protocol import LlmFunctionCall, LlmTextChunk
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.tools.confirm_gate import ConfirmRequest, PendingConfirm, Verdict, arguments_digest
from lifehelper_desktop.ui.bus import Bus
from lifehelper_desktop.ui.confirm_dialog import ConfirmDialog
from lifehelper_desktop.ui.confirm_gate import BusConfirmGate
from tests.gui.conftest import Gui, MakeGui

TODAY = date(2026, 8, 12)


def log_call(habit: Habit, call_id: str | None = None, value: str = "done") -> LlmFunctionCall:
    return LlmFunctionCall("log_tracker_entry", {"habit_id": habit.id, "value": value}, call_id)


def asking_gui(make_gui: MakeGui, habits: dict[str, Habit], *more: list[object]) -> Gui:
    gui = make_gui([log_call(habits["walk"])], [LlmTextChunk("알겠어요.")], *more)
    gui.say("오늘 걷기 다 했어, 기록해 줘")
    return gui


def test_yes_writes_the_row(make_gui: MakeGui, habits: dict[str, Habit], store: Store) -> None:
    gui = asking_gui(make_gui, habits)
    dialog = gui.wait_dialog()
    assert store.entries.get(habits["walk"].id, TODAY) is None
    gui.click("confirmYes", dialog)
    gui.wait_idle()
    entry = store.entries.get(habits["walk"].id, TODAY)
    assert entry is not None
    assert entry.value is EntryValue.DONE
    [card] = gui.cards()
    assert card.message.state is ToolCallState.DONE
    assert "2026-08-12" in gui.text("toolDetail", card)
    gui.qtbot.waitUntil(lambda: gui.window.habits.cards[habits["walk"].id].overview.today_entry is not None)


def test_the_dialog_says_what_will_happen(make_gui: MakeGui, habits: dict[str, Habit]) -> None:
    dialog = asking_gui(make_gui, habits).wait_dialog(armed=False)
    assert isinstance(dialog, QMessageBox)
    assert dialog.windowTitle() == "이 작업을 수행할까요?"
    assert [button.text() for button in (dialog.no, dialog.yes)] == ["취소", "수행"]
    request = dialog.pending.request
    assert request.label in dialog.text()
    assert request.description in dialog.informativeText()
    assert request.summary in dialog.informativeText()
    assert dialog.defaultButton() is dialog.no
    assert dialog.escapeButton() is dialog.no


@pytest.mark.parametrize("how", ["button", "escape", "close", "enter"])
def test_every_other_answer_is_no(make_gui: MakeGui, habits: dict[str, Habit], store: Store, how: str) -> None:
    gui = asking_gui(make_gui, habits)
    dialog = gui.wait_dialog()
    if how == "button":
        gui.click("confirmNo", dialog)
    elif how == "escape":
        gui.qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    elif how == "enter":  # the default button is 취소
        gui.qtbot.keyClick(dialog, Qt.Key.Key_Return)
    else:
        dialog.close()
    gui.wait_idle()
    assert store.entries.get(habits["walk"].id, TODAY) is None
    assert gui.cards()[0].message.state is ToolCallState.DECLINED
    assert gui.llm.tool_results[0][0].result["status"] == "cancelled"
    assert gui.bubbles()[-1] == "알겠어요."


def test_escape_means_no_even_in_the_first_half_second(
    make_gui: MakeGui, habits: dict[str, Habit], store: Store
) -> None:
    gui = asking_gui(make_gui, habits)
    dialog = gui.wait_dialog(armed=False)
    gui.qtbot.keyClick(dialog.yes, Qt.Key.Key_Escape)
    gui.wait_idle()
    assert store.entries.get(habits["walk"].id, TODAY) is None


def test_keys_and_clicks_count_for_nothing_in_the_first_half_second(
    make_gui: MakeGui, habits: dict[str, Habit], store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    gui = asking_gui(make_gui, habits)
    dialog = gui.wait_dialog(armed=False)
    monkeypatch.setattr("lifehelper_desktop.ui.confirm_dialog.GUARD_MS", 10**9)
    for button in (dialog.yes, dialog.no):
        button.setFocus()
        for key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            gui.qtbot.keyClick(button, key)
            gui.qtbot.keyClick(dialog, key)
        gui.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert dialog.isVisible()
    assert not dialog.pending.is_answered
    monkeypatch.setattr("lifehelper_desktop.ui.confirm_dialog.GUARD_MS", 0)
    gui.click("confirmYes", dialog)
    gui.wait_idle()
    assert store.entries.get(habits["walk"].id, TODAY) is not None


def test_a_double_click_runs_it_once(make_gui: MakeGui, habits: dict[str, Habit], store: Store) -> None:
    gui = asking_gui(make_gui, habits)
    dialog = gui.wait_dialog()
    gui.qtbot.mouseDClick(dialog.yes, Qt.MouseButton.LeftButton)
    gui.qtbot.mouseClick(dialog.yes, Qt.MouseButton.LeftButton)
    gui.wait_idle()
    assert len(gui.cards()) == 1
    assert store.entries.get(habits["walk"].id, TODAY) is not None


def test_stop_while_asking_cancels(make_gui: MakeGui, habits: dict[str, Habit], store: Store) -> None:
    """Case 7: Stop with an open dialog is never a yes, and it is told apart from a no."""
    gui = asking_gui(make_gui, habits)
    gui.wait_dialog()
    gui.window.stop()
    gui.wait_idle()
    assert gui.window.presenter.dialog is None
    assert gui.cards()[0].message.state is ToolCallState.CANCELLED
    assert store.entries.get(habits["walk"].id, TODAY) is None


def test_closing_the_window_while_asking_cancels(make_gui: MakeGui, habits: dict[str, Habit], store: Store) -> None:
    gui = asking_gui(make_gui, habits)
    dialog = gui.wait_dialog()
    pending = dialog.pending
    gui.window.close()
    assert not gui.window.thread_.isRunning()
    assert pending.wait() is Verdict.CANCELLED
    assert store.entries.get(habits["walk"].id, TODAY) is None


def test_a_late_approval_does_nothing(make_gui: MakeGui, habits: dict[str, Habit], store: Store) -> None:
    """Case 8: the yes to a cancelled question comes after a new one with the same model id was asked."""
    gui = make_gui([log_call(habits["walk"], "call_0")], [log_call(habits["todo"], "call_0")], [LlmTextChunk("네.")])
    gui.say("걷기 기록해 줘")
    first = gui.wait_dialog().pending
    gui.window.stop()
    gui.wait_idle()
    gui.say("할 일 기록해 줘")
    second = gui.wait_dialog()
    late = first.answer(Verdict.CONFIRMED, first.request.invocation_id, first.request.digest)
    crossed = second.pending.answer(Verdict.CONFIRMED, first.request.invocation_id, first.request.digest)
    assert not late
    assert not crossed
    assert second.isVisible()
    assert not second.pending.is_answered
    assert store.entries.get(habits["walk"].id, TODAY) is None
    assert store.entries.get(habits["todo"].id, TODAY) is None
    gui.click("confirmNo", second)
    gui.wait_idle()
    assert store.entries.get(habits["todo"].id, TODAY) is None


def test_a_mixed_batch_with_one_no(make_gui: MakeGui, habits: dict[str, Habit], store: Store) -> None:
    """Case 6: reading runs, the declined write does not, the allowed one runs once; three answers in order."""
    add = {"protocol_id": "morning-sunlight", "frame_level": 2, "framed_text": "일어나서 창가에 선다"}
    gui = make_gui(
        [
            LlmFunctionCall("search_catalog", {"keyword": "걷기"}),
            LlmFunctionCall("add_habit", add),
            log_call(habits["walk"]),
        ],
        [LlmTextChunk("걷기만 기록했어요.")],
    )
    gui.say("부탁해")
    first = gui.wait_dialog()
    assert first.pending.request.tool_name == "add_habit"
    gui.click("confirmNo", first)
    gui.qtbot.waitUntil(lambda: gui.window.presenter.dialog not in (None, first), timeout=5000)
    second = gui.wait_dialog()
    assert second.pending.request.tool_name == "log_tracker_entry"
    gui.click("confirmYes", second)
    gui.wait_idle()
    [results] = gui.llm.tool_results
    assert [result.name for result in results] == ["search_catalog", "add_habit", "log_tracker_entry"]
    assert [result.result["status"] for result in results] == ["ok", "cancelled", "ok"]
    assert len(store.habits.list()) == 3
    assert store.entries.get(habits["walk"].id, TODAY) is not None
    assert [card.message.state for card in gui.cards()] == [
        ToolCallState.DONE,
        ToolCallState.DECLINED,
        ToolCallState.DONE,
    ]


def test_blank_asks_nothing(make_gui: MakeGui, habits: dict[str, Habit], store: Store) -> None:
    gui = make_gui([log_call(habits["walk"], value="blank")], [LlmTextChunk("푹 쉬세요.")])
    gui.say("오늘 걷기는 쉴게")
    gui.wait_idle()
    assert gui.window.presenter.dialog is None
    entry = store.entries.get(habits["walk"].id, TODAY)
    assert entry is not None
    assert entry.value is EntryValue.BLANK


def _request() -> ConfirmRequest:
    return ConfirmRequest("t", "이름", "설명", "요약", {}, arguments_digest("t", {}))


def test_texts_in_the_dialog_are_never_markup(qtbot) -> None:  # type: ignore[no-untyped-def]
    nasty = "<b>굵게</b><img src='x'>\0 끝" + "가" * 5000
    request = ConfirmRequest("t", nasty, nasty, nasty, {}, arguments_digest("t", {}))
    dialog = ConfirmDialog(PendingConfirm(request))
    qtbot.addWidget(dialog)
    assert dialog.textFormat() == Qt.TextFormat.PlainText
    assert "\0" not in dialog.text() + dialog.informativeText()
    assert len(dialog.informativeText()) < 3000


def test_an_ended_question_is_not_shown(make_gui: MakeGui) -> None:
    gui = make_gui()
    pending = PendingConfirm(_request())
    pending.cancel()
    gui.window.presenter.ask(pending)
    assert gui.window.presenter.dialog is None


def test_the_gate_refuses_after_cancel_until_the_next_turn_and_for_good_after_close(qtbot) -> None:  # type: ignore[no-untyped-def]
    bus = Bus()
    gate = BusConfirmGate(bus)
    gate.cancel()
    assert gate.confirm(_request()) is Verdict.CANCELLED
    gate.begin_turn()
    verdicts: list[Verdict] = []
    worker = threading.Thread(target=lambda: verdicts.append(gate.confirm(_request())))
    seen: list[PendingConfirm] = []
    bus.on_confirm(seen.append)
    worker.start()
    qtbot.waitUntil(lambda: bool(seen))
    gate.close()
    worker.join(1)
    assert verdicts == [Verdict.CANCELLED]
    gate.begin_turn()
    assert gate.confirm(_request()) is Verdict.CANCELLED
