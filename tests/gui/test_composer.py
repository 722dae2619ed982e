"""The composer: Hangul composition, Enter, pasting, and text that nobody expects."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QInputMethodEvent, QKeyEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from lifehelper_desktop.ui.text import MESSAGE_MAX, clean_paste
from lifehelper_desktop.ui.widgets.composer import Composer


@pytest.fixture
def composer(qtbot: QtBot) -> Composer:
    made = Composer()
    qtbot.addWidget(made)
    made.resize(360, 80)
    made.show()
    made.edit.setFocus()
    return made


@pytest.fixture
def sent(composer: Composer) -> list[str]:
    messages: list[str] = []
    composer.sent.connect(messages.append)
    return messages


def compose(composer: Composer, preedit: str, commit: str = "") -> None:
    event = QInputMethodEvent(preedit, [])
    event.setCommitString(commit)
    QApplication.sendEvent(composer.edit, event)


def press(composer: Composer, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    text = "\r" if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) else ""
    QApplication.sendEvent(composer.edit, QKeyEvent(QKeyEvent.Type.KeyPress, key, modifiers, text))


def paste(composer: Composer, text: str) -> None:
    data = QMimeData()
    data.setText(text)
    composer.edit.insertFromMimeData(data)


def test_enter_while_composing_commits_and_sends_once(composer: Composer, sent: list[str]) -> None:
    """Case 12."""
    compose(composer, "", "안녕하세요 반갑습니")
    compose(composer, "ㄷ")
    compose(composer, "다")
    press(composer, Qt.Key.Key_Return)
    assert sent == ["안녕하세요 반갑습니다"]
    assert composer.edit.toPlainText() == ""
    press(composer, Qt.Key.Key_Return)
    assert len(sent) == 1


def test_x8_enter_while_the_last_syllable_is_composed(composer: Composer, sent: list[str]) -> None:
    compose(composer, "ㅇ")
    compose(composer, "안")
    compose(composer, "ㄴ", commit="안")
    compose(composer, "녕")
    press(composer, Qt.Key.Key_Return)
    compose(composer, "", commit="녕")  # some input methods commit once more afterwards
    press(composer, Qt.Key.Key_Return)
    assert sent[0] == "안녕"
    assert len(sent) == 1
    assert composer.edit.toPlainText() == ""


def test_the_send_button_takes_the_syllable_being_composed(composer: Composer, sent: list[str], qtbot: QtBot) -> None:
    compose(composer, "", "걷기 했")
    compose(composer, "어")
    qtbot.mouseClick(composer.send_button, Qt.MouseButton.LeftButton)
    assert sent == ["걷기 했어"]
    assert composer.edit.toPlainText() == ""


def test_enter_that_the_input_method_commits_itself_sends_once(composer: Composer, sent: list[str]) -> None:
    compose(composer, "안")
    compose(composer, "", "안")  # the input method commits on Enter before the key comes through
    press(composer, Qt.Key.Key_Return)
    assert sent == ["안"]


def test_enter_on_kana_only_commits(composer: Composer, sent: list[str]) -> None:
    compose(composer, "にほん")
    press(composer, Qt.Key.Key_Return)
    assert sent == []
    assert composer.edit.toPlainText() == "にほん"


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter])
def test_shift_enter_is_a_new_line_and_keeps_the_syllable(composer: Composer, sent: list[str], key: Qt.Key) -> None:
    compose(composer, "하")
    press(composer, key, Qt.KeyboardModifier.ShiftModifier)
    compose(composer, "", "둘")
    assert sent == []
    assert composer.edit.toPlainText() == "하\n둘"
    press(composer, key)
    assert sent == ["하\n둘"]


def test_blank_text_is_not_sent(composer: Composer, sent: list[str]) -> None:
    for text in ("", "   ", "\n\n", "\0"):
        composer.edit.setPlainText(text)
        press(composer, Qt.Key.Key_Return)
    assert sent == []


def test_nothing_is_sent_while_a_turn_runs_and_the_text_stays(composer: Composer, sent: list[str]) -> None:
    composer.set_busy(True)
    assert composer.stop_button.isVisible()
    assert not composer.send_button.isVisible()
    compose(composer, "", "다음 말")
    press(composer, Qt.Key.Key_Return)
    assert sent == []
    assert composer.edit.toPlainText() == "다음 말"
    composer.set_busy(False)
    press(composer, Qt.Key.Key_Return)
    assert sent == ["다음 말"]


@pytest.mark.timeout(20)
def test_a_hundred_thousand_characters(composer: Composer, sent: list[str]) -> None:
    paste(composer, "걷" * 100_000)
    assert len(composer.edit.toPlainText()) == MESSAGE_MAX
    assert "4,000" in composer.hint
    assert "96,000" in composer.hint
    press(composer, Qt.Key.Key_Return)
    assert sent == ["걷" * MESSAGE_MAX]
    assert composer.hint == ""


def test_pasting_into_a_full_box_and_replacing_a_selection(composer: Composer) -> None:
    paste(composer, "가" * MESSAGE_MAX)
    paste(composer, "나")
    assert composer.edit.toPlainText() == "가" * MESSAGE_MAX
    composer.edit.selectAll()
    paste(composer, "다라")
    assert composer.edit.toPlainText() == "다라"


def test_input_method_text_beyond_the_limit_is_cut(composer: Composer) -> None:
    compose(composer, "", "마" * (MESSAGE_MAX + 7))
    assert len(composer.edit.toPlainText()) == MESSAGE_MAX
    assert composer.hint


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ("앞\0뒤", "앞뒤"),
        ("👨‍👩‍👧‍👦 🇰🇷 ❤️", "👨‍👩‍👧‍👦 🇰🇷 ❤️"),
        ("مرحبا שלום 안녕", "مرحبا שלום 안녕"),
        ("한 줄\r\n두 줄\u2029셋", "한 줄\n두 줄\n셋"),
        ("종\x07소리\x1b[31m\x7f", "종소리[31m"),
        ("<b>굵게</b> <turn|>", "<b>굵게</b> <turn|>"),
    ],
)
def test_odd_text_is_sent_as_words(composer: Composer, sent: list[str], given: str, wanted: str) -> None:
    paste(composer, given)
    press(composer, Qt.Key.Key_Return)
    assert sent == [wanted]


def test_a_paste_joins_what_stands_beside_it() -> None:
    assert clean_paste(" 가\ud800나\r\n") == " 가\ufffd나\n"


def test_pasting_rich_text_keeps_words_only(composer: Composer) -> None:
    data = QMimeData()
    data.setHtml("<b>굵은</b> 글")
    composer.edit.insertFromMimeData(data)
    assert "<" not in composer.edit.toPlainText()


@pytest.mark.parametrize("width", [200, 360, 700])
def test_the_invitation_stays_on_one_line(composer: Composer, width: int) -> None:
    composer.resize(width, 80)
    words = composer.edit.placeholderText()
    assert words
    assert composer.edit.fontMetrics().horizontalAdvance(words) <= composer.edit.viewport().width()


def test_the_box_grows_to_six_lines_and_no_further(composer: Composer) -> None:
    one = composer.edit.height()
    composer.edit.setPlainText("가\n나\n다")
    three = composer.edit.height()
    composer.edit.setPlainText("\n".join("가" * 40))
    assert one < three < composer.edit.height() < 8 * one


# ---- bringing back what was sent ------------------------------------------------------------------------------------


@pytest.fixture
def history(composer: Composer) -> list[str]:
    """What was sent before, oldest first."""
    texts = ["하나", "둘\n둘째 줄", "셋"]
    composer.edit.history = lambda: texts
    return texts


def test_up_brings_back_and_down_returns(composer: Composer, history: list[str]) -> None:
    shown = []
    for key in (Qt.Key.Key_Up,) * 4 + (Qt.Key.Key_Down,) * 3:
        press(composer, key)
        shown.append(composer.edit.toPlainText())
    assert shown == ["셋", "둘\n둘째 줄", "하나", "하나", "둘\n둘째 줄", "셋", ""]


def test_what_was_written_is_never_replaced(composer: Composer, history: list[str]) -> None:
    composer.edit.insertPlainText("쓰던 말")
    press(composer, Qt.Key.Key_Up)
    assert composer.edit.toPlainText() == "쓰던 말"
    composer.edit.clear()
    press(composer, Qt.Key.Key_Up)
    composer.edit.insertPlainText("!")
    press(composer, Qt.Key.Key_Up)
    assert composer.edit.toPlainText() == "셋!"


def test_down_in_an_empty_box_and_no_history_do_nothing(composer: Composer, sent: list[str]) -> None:
    press(composer, Qt.Key.Key_Up)
    press(composer, Qt.Key.Key_Down)
    assert composer.edit.toPlainText() == ""
    assert not composer.edit.recall(1)


def test_a_recalled_message_is_sent_and_the_next_recall_begins_anew(
    composer: Composer, history: list[str], sent: list[str]
) -> None:
    press(composer, Qt.Key.Key_Up)
    press(composer, Qt.Key.Key_Up)
    press(composer, Qt.Key.Key_Return)
    assert sent == ["둘\n둘째 줄"]
    press(composer, Qt.Key.Key_Up)
    assert composer.edit.toPlainText() == "셋"


@pytest.mark.parametrize("key", [Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Home])
def test_keys_that_move_keep_the_syllable(composer: Composer, history: list[str], key: Qt.Key) -> None:
    """The box looks empty to the program while its only syllable is composed: nothing may take its place."""
    compose(composer, "한")
    press(composer, key)
    assert composer.edit.toPlainText() == "한"
    compose(composer, "", "글")
    assert sorted(composer.edit.toPlainText()) == ["글", "한"]


@pytest.mark.parametrize("key", [Qt.Key.Key_A, Qt.Key.Key_B, Qt.Key.Key_End])
def test_ctrl_keys_keep_the_syllable(composer: Composer, history: list[str], key: Qt.Key) -> None:
    compose(composer, "", "안")
    compose(composer, "녕")
    press(composer, key, Qt.KeyboardModifier.ControlModifier)
    assert composer.edit.toPlainText() == "안녕"


def test_a_modifier_alone_does_not_end_the_composition(composer: Composer) -> None:
    compose(composer, "하")
    for key in (Qt.Key.Key_Control, Qt.Key.Key_Shift, Qt.Key.Key_Alt):
        press(composer, key, Qt.KeyboardModifier.ControlModifier)
    assert composer.edit.toPlainText() == ""
    compose(composer, "한")
    compose(composer, "", "한")
    assert composer.edit.toPlainText() == "한"


def test_leaving_the_box_keeps_the_syllable_once(composer: Composer, sent: list[str]) -> None:
    compose(composer, "", "안")
    compose(composer, "녕")
    composer.edit.clearFocus()
    assert composer.edit.toPlainText() == "안녕"
    composer.edit.setFocus()
    press(composer, Qt.Key.Key_Return)
    assert sent == ["안녕"]
