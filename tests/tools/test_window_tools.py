"""`open_screen`, `show_habit`, `copy_text`: what they ask of the window, and what the model is told of each answer."""

from __future__ import annotations

import pytest

from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.tools.copy_text import CLIPBOARD_MAX
from lifehelper_desktop.tools.definition import ToolDeps, UiAnswer, UiOutcome
from lifehelper_desktop.tools.dispatcher import ToolDispatcher
from lifehelper_desktop.tools.envelope import ToolCancelled, ToolErr, ToolOk, ToolResult
from lifehelper_desktop.tools.open_screen import DEFINITION as OPEN_SCREEN
from lifehelper_desktop.tools.registry import ToolRegistry
from lifehelper_desktop.tools.screens import HABIT_PAGE, SCREENS, find_screen
from tests.helpers.window import RecordingUi
from tests.helpers.worlds import world_1


def _call(store: Store, name: str, ui: RecordingUi, habit: int | None = None, **args: object) -> ToolResult:
    deps = ToolDeps(store, "ko", ui=ui)
    deps.run.habit_id = habit
    return ToolDispatcher(ToolRegistry.defaults(), deps).dispatch(name, args)


@pytest.mark.parametrize(
    ("said", "screen"),
    [
        ("통계", "show_review"),
        ("통계 화면", "show_review"),
        ("Statistics", "show_review"),
        ("the weekly review page", "show_review"),
        ("설정", "settings"),
        ("환경 설정 창", "settings"),
        ("settings", "settings"),
        ("오늘", "show_habits"),
        ("첫 화면", "show_habits"),
        ("카탈로그", "show_catalogue"),
        ("모델 관리", "open_models"),
        ("백업", "backups"),
        ("가져오기", "import_data"),
        ("Export", "export_data"),
        ("휴지통", "archive"),
        ("바뀐 내용", "history"),
        ("지난 대화", "open_conversations"),
        ("단축키", "shortcuts"),
        ("빠른 기록", "quick_log"),
        ("quick log", "quick_log"),
        ("open_models", "open_models"),
    ],
)
def test_names_in_both_languages(store: Store, said: str, screen: str) -> None:
    assert find_screen(said) == screen
    ui = RecordingUi()
    assert isinstance(_call(store, "open_screen", ui, screen=said), ToolOk)
    assert ui.wishes == [("open_screen", screen)]


@pytest.mark.parametrize("said", ["", "   ", "화면", "screen", "춤", "설정과 백업", "the", "!!!", "통계학 개론"])
def test_what_names_no_screen(said: str) -> None:
    assert find_screen(said) is None


def test_every_name_leads_to_one_screen() -> None:
    names = [name for words in SCREENS.values() for name in words]
    assert len(names) == len(set(names))
    for screen, words in SCREENS.items():
        assert {find_screen(word) for word in words} == {screen}


def test_the_model_is_told_names_that_exist() -> None:
    told = OPEN_SCREEN.parameters_schema["properties"]["screen"]["description"].split(", ")
    assert len(told) > 10
    assert None not in {find_screen(name) for name in told}


def test_the_statistics_of_a_habit_are_on_its_page(store: Store) -> None:
    habits = world_1(store)
    ui = RecordingUi()
    result = _call(store, "open_screen", ui, screen="통계", habit_id="하루 걷기")
    assert ui.wishes == [("show_habit", habits["walk"].id)]
    assert isinstance(result, ToolOk)
    assert result.data["habit_id"] == habits["walk"].id


def test_a_habit_beside_another_screen_changes_nothing(store: Store) -> None:
    world_1(store)
    ui = RecordingUi()
    _call(store, "open_screen", ui, screen="설정", habit_id="없는 습관")
    assert ui.wishes == [("open_screen", "settings")]


def test_the_page_of_a_habit_needs_one_or_takes_the_one_spoken_of(store: Store) -> None:
    world_1(store)
    ui = RecordingUi()
    result = _call(store, "open_screen", ui, screen="습관 상세")
    assert isinstance(result, ToolErr)
    assert "habit_id" in result.reason
    _call(store, "open_screen", ui, habit=2, screen=HABIT_PAGE)
    _call(store, "show_habit", ui, habit=3)
    assert ui.wishes == [("show_habit", 2), ("show_habit", 3)]


def test_a_habit_that_is_not_there_is_refused_with_the_titles(store: Store) -> None:
    world_1(store)
    ui = RecordingUi()
    for name, args in (("show_habit", {"habit_id": "뜨개질"}), ("show_habit", {"habit_id": 99})):
        result = _call(store, name, ui, **args)
        assert isinstance(result, ToolErr)
        assert result.code == "not_found"
    assert ui.wishes == []


@pytest.mark.parametrize(
    ("outcome", "words", "code"),
    [
        (UiOutcome.UNKNOWN, "설정, 백업", "no_such_screen"),
        (UiOutcome.NO_WINDOW, "", "no_window"),
        (UiOutcome.FAILED, "디스크가 가득 찼어요.", "window_error"),
    ],
)
def test_what_the_window_could_not_do(store: Store, outcome: UiOutcome, words: str, code: str) -> None:
    result = _call(store, "open_screen", RecordingUi(UiAnswer(outcome, words)), screen="춤")
    assert isinstance(result, ToolErr)
    assert result.code == code
    assert words in result.reason


@pytest.mark.parametrize("name", ["open_screen", "show_habit", "copy_text"])
def test_what_was_stopped_counts_as_cancelled(store: Store, name: str) -> None:
    world_1(store)
    args = {"open_screen": {"screen": "설정"}, "show_habit": {"habit_id": 1}, "copy_text": {"text": "말"}}[name]
    result = _call(store, name, RecordingUi(UiAnswer(UiOutcome.STOPPED)), **args)
    assert result == ToolCancelled(declined=False)


def test_copied_text_keeps_its_lines_and_loses_what_nobody_sees(store: Store) -> None:
    ui = RecordingUi()
    result = _call(store, "copy_text", ui, text="첫 줄\r\n둘째\u202e 줄\x00\x1b[31m")
    assert ui.wishes == [("copy_text", "첫 줄\n둘째 줄[31m")]
    assert isinstance(result, ToolOk)
    assert "첫 줄" not in str(result.data), "the model needs not read it again"


def test_copied_text_has_an_end(store: Store) -> None:
    ui = RecordingUi()
    assert isinstance(_call(store, "copy_text", ui, text="가" * (CLIPBOARD_MAX + 1)), ToolErr)
    assert ui.wishes == []


def test_without_a_text_the_window_copies_the_last_answer(store: Store) -> None:
    ui = RecordingUi()
    _call(store, "copy_text", ui)
    assert ui.wishes == [("copy_text", "")]
    nothing = _call(store, "copy_text", RecordingUi(UiAnswer(UiOutcome.UNKNOWN)))
    assert isinstance(nothing, ToolErr)
    assert nothing.code == "nothing_to_copy"
