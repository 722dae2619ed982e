"""Finding in the conversation: every place marked, walked through by key, counted, and told to readers."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtWidgets import QApplication

from lifehelper_desktop.llm.protocol import LlmFunctionCall, LlmTextChunk
from lifehelper_desktop.ui.widgets import find_bar as find_module
from lifehelper_desktop.ui.widgets.find_bar import FindBar, places
from lifehelper_desktop.ui.widgets.marked_label import MarkedLabel, marked_label
from tests.gui.conftest import Gui, MakeGui
from tests.gui.keys import press
from tests.helpers.scripted_llm import ScriptPause


def talk(make_gui: MakeGui, *answers: str) -> Gui:
    """Return a window in which `answers` were given."""
    gui = make_gui(*[[LlmTextChunk(answer)] for answer in answers])
    for number in range(len(answers)):
        gui.say(f"질문 {number}")
        gui.wait_idle()
    gui.window.focus_composer()
    return gui


def find(gui: Gui, wanted: str) -> FindBar:
    """Open the bar by its key and type."""
    press(gui.window, "Ctrl+F")
    bar = gui.chat.find_bar
    assert bar.isVisible()
    assert gui.window.focusWidget() is bar.field
    bar.field.setText(wanted)
    return bar


def marked(gui: Gui) -> list[str]:
    """Return the texts in which something is marked."""
    rich = Qt.TextFormat.RichText
    return [each.text() for each in gui.chat.transcript.labels() if each.textFormat() == rich]


def test_walking_by_key(make_gui: MakeGui) -> None:
    gui = talk(make_gui, "걷기 하나, 걷기 둘", "쉬어요", "걷기 셋")
    bar = find(gui, "걷기")
    assert bar.count.text() == "3/3"  # the newest is the likeliest to be meant
    assert marked(gui) == ["걷기 하나, 걷기 둘", "걷기 셋"]
    for keys, count in (("Return", "1/3"), ("F3", "2/3"), ("Shift+Return", "1/3"), ("Shift+F3", "3/3")):
        press(gui.window, keys)
        assert bar.count.text() == count, keys
    press(gui.window, "Esc")
    assert not bar.isVisible()
    assert marked(gui) == []
    press(gui.window, "F3")  # opens again with the same words
    assert bar.isVisible()
    assert bar.field.text() == "걷기"
    assert bar.hits == 3


def test_esc_closes_and_does_not_stop_the_answer(make_gui: MakeGui) -> None:
    pause = ScriptPause()
    gui = make_gui([LlmTextChunk("걷기"), pause])
    gui.window.focus_composer()
    gui.say("안녕")
    gui.qtbot.waitUntil(pause.reached.is_set)
    find(gui, "걷기")
    press(gui.window, "Esc")
    assert not gui.chat.find_bar.isVisible()
    assert gui.window.conversation.is_busy
    pause.go.set()
    gui.wait_idle()


def test_new_messages_are_found_without_losing_the_place(make_gui: MakeGui) -> None:
    gui = make_gui([LlmTextChunk("걷기 하나")], [LlmTextChunk("걷기 둘")])
    gui.say("안녕")
    gui.wait_idle()
    gui.window.focus_composer()
    bar = find(gui, "걷기")
    assert bar.count.text() == "1/1"
    gui.say("더")
    gui.wait_idle()
    gui.qtbot.waitUntil(lambda: bar.count.text() == "1/2")
    gui.window.new_chat()
    gui.qtbot.waitUntil(lambda: bar.hits == 0)
    assert bar.count.text() == "없어요"
    bar.step(1)


def test_cards_are_searched_too(make_gui: MakeGui) -> None:
    gui = make_gui([LlmFunctionCall("list_active_habits", {})], [LlmTextChunk("없네요.")])
    gui.say("보여 줘")
    gui.wait_idle()
    [card] = gui.cards()
    title = card.findChild(MarkedLabel, "toolTitle")
    assert title is not None
    gui.window.focus_composer()
    bar = find(gui, title.text())
    assert bar.hits == 1
    assert title.text() in card.accessibleName()


def test_marks_never_become_markup(make_gui: MakeGui) -> None:
    gui = talk(make_gui, "<b>걷기</b> &amp; <img src=x>\n  둘째 줄")
    bar = find(gui, "<b>")
    assert bar.hits == 1
    label = gui.chat.transcript.labels()[-1]
    assert label.text() == "<b>걷기</b> &amp; <img src=x>\n  둘째 줄"
    assert "&lt;b&gt;" in super(MarkedLabel, label).text()
    label.setText("<i>다른 말</i>")  # words that stream in while it is marked
    assert label.textFormat() == Qt.TextFormat.PlainText
    assert label.text() == "<i>다른 말</i>"


def test_a_place_far_up_is_scrolled_to(make_gui: MakeGui) -> None:
    gui = talk(make_gui, "처음에 나무가 있어요. " + "길게 " * 900, "끝")
    bar = find(gui, "나무")
    assert bar.hits == 1
    gui.qtbot.waitUntil(lambda: gui.chat.transcript.verticalScrollBar().value() < 200)


def test_count_and_place_are_told(make_gui: MakeGui, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(find_module, "announce", lambda _widget, text: said.append(text))
    gui = talk(make_gui, "걷기 하나, 걷기 둘")
    bar = find(gui, "걷기")
    assert said[-1] == "2곳 가운데 2번째: 걷기 하나, 걷기 둘"
    assert bar.count.accessibleName() == "2곳 가운데 2번째"
    bar.field.setText("없는 말")
    assert said[-1] == "찾은 곳이 없어요"
    assert bar.count.text() == "없어요"


def test_the_syllable_being_composed_is_found(make_gui: MakeGui) -> None:
    gui = talk(make_gui, "걷기 하나")
    bar = find(gui, "")
    QApplication.sendEvent(bar.field, QInputMethodEvent("걷", []))
    assert bar.hits == 1
    assert bar.field.text() == ""


def test_the_bar_closes_by_its_button_and_stays_quiet_while_closed(make_gui: MakeGui) -> None:
    gui = talk(make_gui, "걷기 하나")
    bar = find(gui, "걷기")
    gui.click("findClose")
    assert marked(gui) == []
    bar.field.setText("하나")
    assert marked(gui) == []
    gui.window.toggle_chat()
    gui.window.find_next()  # unfolds the coach
    assert gui.chat.isVisible()
    assert bar.isVisible()


def test_with_a_folded_coach_the_marks_wait(make_gui: MakeGui) -> None:
    gui = talk(make_gui, "걷기 하나")
    bar = find(gui, "걷기")
    gui.window.toggle_chat()
    gui.window.toggle_chat()
    assert bar.hits == 1
    assert marked(gui) == ["걷기 하나"]


@pytest.mark.parametrize(
    ("wanted", "text", "found"),
    [
        ("WALK", "walk Walking", [(0, 4), (5, 9)]),
        ("하루  걷기", "하루\n걷기", [(0, 5)]),
        ("a.b", "axb a.b", [(4, 7)]),
        ("가", "가나", [(0, 1)]),
        (" ", "가 나", []),
        ("", "가", []),
    ],
)
def test_places(wanted: str, text: str, found: list[tuple[int, int]]) -> None:
    assert places(wanted, text) == found


def test_where_a_character_stands(make_gui: MakeGui) -> None:
    label = marked_label("첫 줄\n둘째 줄\n셋째 줄")
    label.resize(300, 100)
    first, last = label.line_rect(0), label.line_rect(len(label.text()) - 1)
    assert first.top() <= 2  # the last line may be a little less high than the step between lines
    assert last.top() >= 2 * first.height() - 2
