"""The marker of a long conversation: it opens the summary, which can be deleted; the coach makes it while it rests."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QMessageBox, QPushButton, QWidget

from lifehelper_desktop.base.settings import KEEP_CONVERSATIONS
from lifehelper_desktop.llm.protocol import LlmTextChunk, LlmTrim
from lifehelper_desktop.storage.errors import StorageFull
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.storage.talk_summaries import SummaryMaker, TalkSummary
from lifehelper_desktop.ui import llm_thread
from lifehelper_desktop.ui.widgets.summary_line import SummaryLine
from tests.gui.conftest import Gui, MakeGui
from tests.gui.keys import press
from tests.helpers.scripted_llm import ScriptPause

PROSE = "사용자는 밤에 잠이 안 와서 걷기를 늘리고 싶어 한다."


@pytest.fixture(autouse=True)
def _short_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(llm_thread, "REST_S", 0.01)


def long_talk(make_gui: MakeGui, *texts: str, pause: ScriptPause | None = None) -> Gui:
    """A conversation of four messages, of which two are left out; the model summarises with `texts`."""
    gui = make_gui(*[[LlmTextChunk(f"{number}번 답")] for number in range(1, 10)])
    gui.llm.texts.extend(texts)
    gui.llm.text_pause = pause
    gui.llm.trims.extend([LlmTrim(), LlmTrim(), LlmTrim(), *[LlmTrim(0, 2)] * 6])
    for number in range(1, 5):
        gui.say(f"{number}번 말")
    gui.wait_idle()
    return gui


def lines(gui: Gui) -> list[SummaryLine]:
    return [each for each in gui.chat.transcript.widgets() if isinstance(each, SummaryLine)]


def wait_made(gui: Gui, maker: SummaryMaker) -> SummaryLine:
    """Wait until the marker opens a summary of `maker`."""

    def made() -> bool:
        summary = lines(gui)[-1].summary if lines(gui) else None
        return summary is not None and summary.maker is maker

    gui.qtbot.waitUntil(made, timeout=5000)
    return lines(gui)[-1]


def test_the_marker_opens_and_closes_the_summary(make_gui: MakeGui) -> None:
    gui = long_talk(make_gui, PROSE)
    line = wait_made(gui, SummaryMaker.MODEL)
    assert "요약해 두었어요" in line.text
    assert not line.is_open
    assert line.toggle.text() == "요약 보기"
    assert "접혀" in line.toggle.accessibleDescription()
    line.toggle.setFocus()
    press(gui.window, "Space")
    assert line.is_open
    assert gui.text("summaryText", line) == PROSE
    assert gui.text("summaryMade", line) == "코치가 정리했어요. 주고받은 말 2번을 줄였어요."
    assert line.toggle.text() == "요약 접기"
    # What is open can be found; the pane that is built anew knows it still.
    gui.window.build()
    assert lines(gui)[-1].summary == line.summary
    gui.click("summaryToggle")
    gui.click("summaryToggle")
    assert not lines(gui)[-1].is_open


def test_by_rule_until_the_model_has_made_one(make_gui: MakeGui) -> None:
    pause = ScriptPause()
    gui = long_talk(make_gui, PROSE, pause=pause)
    gui.qtbot.waitUntil(pause.reached.is_set)
    line = wait_made(gui, SummaryMaker.RULE)
    gui.click("summaryToggle")
    assert "“1번 말”, “2번 말”" in gui.text("summaryText", line)
    assert gui.text("summaryMade", line).startswith("대화와 기록에서 뽑았어요.")
    gui.qtbot.waitUntil(lambda: gui.text("chatStatus") == "앞부분을 요약하는 중이에요")
    assert not gui.window.conversation.is_busy
    pause.go.set()
    wait_made(gui, SummaryMaker.MODEL)
    assert line.is_open  # it does not close under the reader
    assert gui.text("summaryText", line) == PROSE
    gui.qtbot.waitUntil(lambda: gui.text("chatStatus") == "이 컴퓨터에서만 움직여요")


def test_who_writes_does_not_wait_for_it(make_gui: MakeGui) -> None:
    pause = ScriptPause()
    gui = long_talk(make_gui, PROSE, pause=pause)
    gui.qtbot.waitUntil(pause.reached.is_set)
    gui.say("5번 말")
    gui.wait_idle()
    # The summary was stopped, not the answer; at the next rest it is made.
    assert gui.bubbles()[-1] == "5번 답"
    wait_made(gui, SummaryMaker.MODEL)
    assert len(gui.llm.instructions) == 2


def test_stop_and_start_in_quick_succession_never_hit_the_turn(make_gui: MakeGui) -> None:
    gui = long_talk(make_gui)
    gui.llm.texts.extend([""] * 50)
    for number in range(5, 10):
        gui.say(f"{number}번 말")
    gui.wait_idle()
    assert gui.bubbles()[-1] == "9번 답"
    assert gui.chat.conversation.failure is None


def test_closing_the_window_ends_it(make_gui: MakeGui) -> None:
    pause = ScriptPause()
    gui = long_talk(make_gui, PROSE, pause=pause)
    gui.qtbot.waitUntil(pause.reached.is_set)
    gui.window.close()
    assert not gui.window.thread_.isRunning()


def delete(gui: Gui, *, yes: bool) -> None:
    gui.click("summaryDelete")
    box = gui.find(QMessageBox, "forgetSummary")
    default = box.defaultButton()
    assert default is not None
    assert default.objectName() == "forgetSummaryNo"
    button = box.findChild(QPushButton, "forgetSummaryYes" if yes else "forgetSummaryNo")
    gui.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_it_is_deleted_after_a_question(make_gui: MakeGui, store: Store) -> None:
    gui = long_talk(make_gui, PROSE)
    line = wait_made(gui, SummaryMaker.MODEL)
    gui.click("summaryToggle")
    delete(gui, yes=False)
    assert line.is_open
    delete(gui, yes=True)
    gui.qtbot.waitUntil(lambda: not line.is_open)
    assert gui.text("summaryGone", line) == "요약을 지웠어요. 코치에게도 더는 알려 주지 않아요."
    assert not line.toggle.isVisible()
    number = gui.window.thread_.conversation_id
    assert number is not None
    assert store.summaries.get(number) == TalkSummary("", SummaryMaker.MODEL, 2, 2)
    assert gui.llm.retold[-1] == ""
    gui.say("5번 말")
    gui.wait_idle()
    assert len(lines(gui)) == 1
    assert len(gui.llm.instructions) == 1


def test_one_that_is_not_stored_is_deleted_too(make_gui: MakeGui, store: Store) -> None:
    store.settings.set(KEEP_CONVERSATIONS, False)
    gui = long_talk(make_gui, PROSE)
    line = wait_made(gui, SummaryMaker.MODEL)
    gui.click("summaryToggle")
    delete(gui, yes=True)
    gui.qtbot.waitUntil(lambda: not line.is_open)
    assert gui.llm.retold[-1] == ""


def test_a_disk_that_refuses_to_delete_is_told(
    make_gui: MakeGui, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    gui = long_talk(make_gui, PROSE)
    line = wait_made(gui, SummaryMaker.MODEL)
    gui.click("summaryToggle")

    def full(_number: int) -> bool:
        raise StorageFull

    monkeypatch.setattr(store.summaries, "delete", full)
    delete(gui, yes=True)
    assert gui.chat.notice.isVisible()
    assert line.is_open
    assert "" not in gui.llm.retold


def test_reopened_it_is_there(make_gui: MakeGui, store: Store) -> None:
    gui = long_talk(make_gui, PROSE)
    wait_made(gui, SummaryMaker.MODEL)
    number = gui.window.thread_.conversation_id
    assert number is not None
    gui.window.close()
    again = make_gui()
    again.chat.open_conversation(number)
    line = wait_made(again, SummaryMaker.MODEL)
    again.click("summaryToggle")
    assert again.text("summaryText", line) == PROSE
    again.chat.new_chat()
    again.wait_idle()
    assert lines(again) == []
    assert again.window.conversation.summary is None


def test_only_the_newest_marker_opens_it(make_gui: MakeGui) -> None:
    gui = long_talk(make_gui, PROSE)
    wait_made(gui, SummaryMaker.MODEL)
    gui.llm.trims.clear()
    gui.llm.trims.append(LlmTrim(0, 4))
    gui.say("5번 말")
    gui.wait_idle()
    older, newer = lines(gui)
    assert not older.toggle.isVisible()
    assert newer.toggle.isVisible()
    assert newer.summary is not None
    assert newer.summary.covers == 4


def test_nothing_in_it_becomes_markup(make_gui: MakeGui, qtbot: object) -> None:
    line = SummaryLine("표시")
    line.show_summary(TalkSummary("<b>굵게</b>\n둘째 줄", SummaryMaker.RULE, 3))
    line.flip()
    words = line.findChild(QLabel, "summaryText")
    assert words is not None
    assert words.textFormat() is Qt.TextFormat.PlainText
    assert words.text() == "<b>굵게</b>\n둘째 줄"
    line.deleteLater()


def test_every_control_has_a_name(make_gui: MakeGui) -> None:
    from tests.gui.accessibility import without_name_or_role

    gui = long_talk(make_gui, PROSE)
    wait_made(gui, SummaryMaker.MODEL)
    gui.click("summaryToggle")
    assert without_name_or_role(gui.find(QWidget, "summaryLine")) == []
