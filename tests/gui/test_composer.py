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
