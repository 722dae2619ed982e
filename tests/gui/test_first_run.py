"""The first run: page by page, by keyboard alone, every step left out, both ways about AI."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPushButton, QRadioButton, QWidget
from pytestqt.qtbot import QtBot

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.i18n import current_language
from lifehelper_desktop.base.settings import AI_ENABLED, FIRST_RUN_DONE, LANGUAGE, SHORTCUT_KEYS
from lifehelper_desktop.domain.habits import NewHabit
from lifehelper_desktop.llm import model_store
from lifehelper_desktop.llm.protocol import LlmStopped
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui.bus import Bus
from lifehelper_desktop.ui.screens.first_run import FirstRun, is_wanted
from lifehelper_desktop.ui.screens.first_run.habit_page import SUGGESTIONS, HabitPage
from lifehelper_desktop.ui.screens.models import ModelManager
from lifehelper_desktop.ui.shortcuts import write_changed
from tests.helpers.worlds import add_habit

Make = Callable[[], FirstRun]


@pytest.fixture
def make(qtbot: QtBot, store: Store) -> Iterator[Make]:
    """Return a maker of dialogs, each shown."""
    bus, window = Bus(), QWidget()
    qtbot.addWidget(window)
    models = ModelManager(store, bus, window)

    def one() -> FirstRun:
        dialog = FirstRun(store, bus, models)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
        qtbot.addWidget(dialog)
        dialog.show()
        dialog.activateWindow()
        qtbot.waitUntil(dialog.isActiveWindow)
        return dialog

    yield one
    models.shutdown()


def press(dialog: FirstRun, name: str) -> None:
    QApplication.processEvents()  # a new page is shown by the event loop
    found = [each for each in dialog.findChildren(QPushButton, name) if each.isVisible()]
    assert len(found) == 1, name
    found[0].click()
    QApplication.processEvents()


def radio(dialog: FirstRun, name: str) -> QRadioButton:
    found = dialog.findChild(QRadioButton, name)
    assert found is not None
    return found


def field(dialog: FirstRun, name: str) -> QLineEdit:
    found = dialog.findChild(QLineEdit, name)
    assert found is not None
    return found


def steps_to(dialog: FirstRun, step: str) -> None:
    while dialog.step != step:
        press(dialog, "firstNext")


# ---- whether it opens -----------------------------------------------------------------------------------------------


def test_it_opens_by_itself_only_on_an_empty_profile_that_never_saw_it(store: Store) -> None:
    assert is_wanted(store)
    store.settings.set(FIRST_RUN_DONE, True)
    assert not is_wanted(store)
    store.settings.set(FIRST_RUN_DONE, False)
    habit = add_habit(store, "daily-steps")
    assert not is_wanted(store)
    store.habits.archive(habit.id)
    assert not is_wanted(store)


@pytest.mark.parametrize("end", ["close", "escape", "leave"])
def test_however_it_ends_it_comes_by_itself_no_more(make: Make, store: Store, qtbot: QtBot, end: str) -> None:
    dialog = make()
    if end == "close":
        dialog.close()
    elif end == "escape":
        qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    else:
        press(dialog, "firstLeave")
    assert not dialog.isVisible()
    assert store.settings.get_bool(FIRST_RUN_DONE)
    assert store.habits.list() == []
    again = make()  # but it can be asked for
    assert again.step == "language"


# ---- the way through ------------------------------------------------------------------------------------------------


def test_the_whole_way_by_keyboard_alone(make: Make, store: Store, qtbot: QtBot) -> None:
    dialog = make()

    def key(what: Qt.Key, times: int = 1) -> None:
        for _ in range(times):
            focused = QApplication.focusWidget()
            assert focused is not None
            qtbot.keyClick(focused, what)
            QApplication.processEvents()  # what is put in place anew is shown by the event loop

    assert QApplication.focusWidget() is radio(dialog, "language_ko")
    key(Qt.Key.Key_Return)
    assert dialog.step == "coach"
    key(Qt.Key.Key_Down)
    assert radio(dialog, "aiOff").isChecked()
    key(Qt.Key.Key_Up)
    key(Qt.Key.Key_Return)
    assert dialog.step == "model"
    key(Qt.Key.Key_Return)
    assert dialog.step == "habit"
    key(Qt.Key.Key_Down)
    assert radio(dialog, f"first_{SUGGESTIONS[1]}").isChecked()
    key(Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is field(dialog, "firstAnchor")
    key(Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is field(dialog, "firstSentence")
    key(Qt.Key.Key_Return)
    assert dialog.step == "done"
    key(Qt.Key.Key_Return)
    assert not dialog.isVisible()
    assert [habit.catalogue_id for habit in store.habits.list()] == [SUGGESTIONS[1]]
    assert store.settings.get_bool(FIRST_RUN_DONE)


def test_every_step_can_be_left_out_and_changes_nothing(make: Make, store: Store) -> None:
    dialog = make()
    press(dialog, "firstNext")
    press(dialog, "firstSkip")
    press(dialog, "firstSkip")
    radio(dialog, "first_none").click()
    press(dialog, "firstNext")
    assert dialog.step == "done"
    press(dialog, "firstNext")
    assert store.habits.list() == []
    assert store.settings.get(LANGUAGE) == LANGUAGE.default
    assert store.settings.get(AI_ENABLED) == AI_ENABLED.default


def test_the_way_back_keeps_what_was_chosen(make: Make) -> None:
    dialog = make()
    press(dialog, "firstNext")
    radio(dialog, "aiOff").click()
    press(dialog, "firstNext")
    press(dialog, "firstBack")
    assert dialog.step == "coach"
    assert radio(dialog, "aiOff").isChecked()
    press(dialog, "firstBack")
    assert dialog.step == "language"
    assert not [each for each in dialog.findChildren(QPushButton, "firstBack") if each.isVisible()]


def test_the_language_takes_effect_at_once(make: Make, store: Store, qtbot: QtBot) -> None:
    dialog = make()
    with qtbot.waitSignal(dialog.changed):
        radio(dialog, "language_en").click()
    qtbot.waitUntil(lambda: current_language() == "en")
    assert store.settings.get_str(LANGUAGE) == "en"
    assert radio(dialog, "language_en").isChecked()
    assert QApplication.focusWidget() is radio(dialog, "language_en")
    radio(dialog, "language_ko").click()
    qtbot.waitUntil(lambda: current_language() == "ko")


def test_without_ai_there_is_no_model_to_speak_of(make: Make, store: Store, qtbot: QtBot) -> None:
    dialog = make()
    assert dialog.steps == ("language", "coach", "model", "habit", "done")
    press(dialog, "firstNext")
    radio(dialog, "aiOff").click()
    with qtbot.waitSignal(dialog.changed, check_params_cb=lambda key: key == AI_ENABLED.key):
        press(dialog, "firstNext")
    assert store.settings.get_bool(AI_ENABLED) is False
    assert dialog.step == "habit"
    assert dialog.steps == ("language", "coach", "habit", "done")
    radio(dialog, "first_none").click()
    press(dialog, "firstNext")
    words = " ".join(each.text() for each in dialog.findChildren(QLabel) if each.isVisible())
    assert "Ctrl+K" in words
    assert "Ctrl+L" not in words


def test_the_keys_in_force_are_named(make: Make, store: Store) -> None:
    store.settings.set(SHORTCUT_KEYS, write_changed({"palette": ("Ctrl+P",), "focus_composer": ("F4",)}))
    dialog = make()
    steps_to(dialog, "habit")
    radio(dialog, "first_none").click()
    press(dialog, "firstNext")
    words = [each.text() for each in dialog.findChildren(QLabel) if each.isVisible()]
    assert "Ctrl+P 키로 무엇이든 찾고, F4 키로 코치에게 말해요." in words


def test_the_dots_say_how_far_one_is(make: Make) -> None:
    dialog = make()
    press(dialog, "firstNext")
    dots = [each for each in dialog.findChildren(QWidget, "firstDots") if each.isVisible()]
    assert [each.accessibleName() for each in dots] == ["5단계 가운데 2번째"]


# ---- the first habit ------------------------------------------------------------------------------------------------


def test_the_suggestions_are_small_varied_and_in_the_catalogue(store: Store) -> None:
    entries = [store.catalogue.get(each) for each in SUGGESTIONS]
    assert len({entry.category for entry in entries if entry is not None}) == 3
    for entry in entries:
        assert entry is not None
        assert not entry.requires_ack
        for language in ("ko", "en"):
            assert entry.text("anchor_after_what", language)
            assert entry.text("minimum_dose", language)


def test_a_habit_is_added_in_the_users_own_words(make: Make, store: Store) -> None:
    dialog = make()
    steps_to(dialog, "habit")
    anchor, sentence = field(dialog, "firstAnchor"), field(dialog, "firstSentence")
    assert (anchor.text(), sentence.text()) == ("점심을 먹은 뒤", "점심을 먹은 뒤 10분 걷는다")
    anchor.setText("저녁을 먹은 뒤")
    anchor.textEdited.emit(anchor.text())
    assert sentence.text() == "저녁을 먹은 뒤 10분 걷는다"  # it begins with the anchor, so it follows
    press(dialog, "firstNext")
    assert dialog.step == "done"
    (habit,) = store.habits.list()
    assert habit.catalogue_id == "post-meal-walk"
    assert habit.framed_text == "저녁을 먹은 뒤 10분 걷는다"
    assert (habit.anchor_after_what, habit.anchor_source) == ("저녁을 먹은 뒤", "user")
    assert habit.minimum_dose
    words = [each.text() for each in dialog.findChildren(QLabel) if each.isVisible()]
    assert "‘식후 10분 걷기’ 습관이 오늘부터 함께해요." in words
    assert not [each for each in dialog.findChildren(QPushButton, "firstBack") if each.isVisible()]


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [("firstSentence", "담배 끊기", "대신 무엇을 할지로"), ("firstAnchor", " ", "언제, 또는 무엇을 한 뒤에")],
)
def test_a_rule_refuses_in_words_and_nothing_is_lost(
    make: Make, store: Store, name: str, text: str, words: str
) -> None:
    dialog = make()
    steps_to(dialog, "habit")
    field(dialog, name).setText(text)
    press(dialog, "firstNext")
    assert dialog.step == "habit"
    assert words in dialog.notice.text
    assert field(dialog, name).text() == text
    assert store.habits.list() == []


def test_a_full_house_is_told(make: Make, store: Store) -> None:
    for each in ("daily-steps", "mindfulness-meditation", "floss-after-brushing"):
        add_habit(store, each)
    dialog = make()
    steps_to(dialog, "habit")
    press(dialog, "firstNext")
    assert dialog.step == "habit"
    assert "동시에 3개까지" in dialog.notice.text


def test_the_chosen_card_opens(make: Make) -> None:
    dialog = make()
    steps_to(dialog, "habit")
    page = dialog.page
    assert isinstance(page, HabitPage)
    assert page.own.isVisible()
    radio(dialog, "first_bedtime-todo-list").click()
    assert page.own.parent() is radio(dialog, "first_bedtime-todo-list").parent()
    radio(dialog, "first_none").click()
    assert not page.own.isVisible()
    new = page.new_habit()
    assert new is None
    radio(dialog, "first_post-meal-walk").click()
    assert isinstance(page.new_habit(), NewHabit)


# ---- the model ------------------------------------------------------------------------------------------------------


class Preparation:
    """Stands in for the quarter of a minute that the real one takes."""

    def __init__(self, models: Path) -> None:
        self.models = models
        self.go_on = threading.Event()
        self.error: WorldError | None = None
        self.stopped = False

    def __call__(self, _paths: object, configured: str, *, progress: Any, stop: threading.Event) -> Path:
        assert configured == ""
        progress(0.25)
        while not self.go_on.wait(0.01):
            if stop.is_set():
                self.stopped = True
                raise LlmStopped
        if self.error is not None:
            raise self.error
        self.models.mkdir(parents=True, exist_ok=True)
        target = self.models / model_store.STARTER_NAME
        target.write_bytes(b"GGUF")
        return target


@pytest.fixture
def preparation(store: Store, monkeypatch: pytest.MonkeyPatch) -> Preparation:
    found = Preparation(store.paths.models)
    monkeypatch.setattr(model_store, "resolve_model", found)
    return found


def state(dialog: FirstRun) -> str:
    found = [each for each in dialog.findChildren(QLabel, "starterState") if each.isVisible()]
    return found[0].text()


def test_the_starter_is_made_ready_beside(make: Make, qtbot: QtBot, preparation: Preparation) -> None:
    dialog = make()
    steps_to(dialog, "model")
    assert state(dialog) == "첫 대화 때 저절로 준비해요. 15초쯤 걸려요."
    press(dialog, "prepareStarter")
    qtbot.waitUntil(lambda: dialog.preparing.done == 0.25)
    assert "준비하고 있어요" in state(dialog)
    press(dialog, "firstNext")  # nobody has to wait
    press(dialog, "firstBack")
    assert "준비하고 있어요" in state(dialog)
    preparation.go_on.set()
    qtbot.waitUntil(lambda: state(dialog) == "준비되어 있어요.")


def test_the_preparation_is_stopped_by_its_button_and_by_the_end(
    make: Make, qtbot: QtBot, preparation: Preparation
) -> None:
    dialog = make()
    steps_to(dialog, "model")
    press(dialog, "prepareStarter")
    press(dialog, "stopPreparing")
    qtbot.waitUntil(lambda: not dialog.preparing.is_running)
    assert preparation.stopped
    assert "저절로 준비해요" in state(dialog)
    preparation.stopped = False
    press(dialog, "prepareStarter")
    dialog.close()
    assert preparation.stopped


def test_trouble_is_told(make: Make, qtbot: QtBot, preparation: Preparation) -> None:
    preparation.error = WorldError("디스크에 자리가 모자라요.", "500MB를 비워 주세요.")
    preparation.go_on.set()
    dialog = make()
    steps_to(dialog, "model")
    press(dialog, "prepareStarter")
    qtbot.waitUntil(lambda: "자리가 모자라요" in state(dialog))
    steps_to(dialog, "done")
