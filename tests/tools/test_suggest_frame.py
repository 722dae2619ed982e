"""`suggest_frame`: a model's sentence that passes R7, after up to two retries, or one that stands in."""

from __future__ import annotations

import pytest

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.domain.framing import detect_avoidance_keywords
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.tools.definition import ToolDeps, ToolStopped
from lifehelper_desktop.tools.dispatcher import ToolDispatcher
from lifehelper_desktop.tools.envelope import ToolCancelled, ToolErr, ToolOk, ToolResult
from lifehelper_desktop.tools.frame_suggestion import subject_of_habit, suggest_frame
from lifehelper_desktop.tools.registry import ToolRegistry
from lifehelper_desktop.tools.run_state import RunState
from tests.helpers.window import RecordingTextModel
from tests.helpers.worlds import world_1

GOOD = "담배 생각이 나면 창가에서 물을 마신다"


def _call(store: Store, model: RecordingTextModel, run: RunState | None = None, **args: object) -> ToolResult:
    deps = ToolDeps(store, model=model, run=run or RunState("ko"))
    return ToolDispatcher(ToolRegistry.defaults(), deps).dispatch("suggest_frame", args)


def test_the_models_sentence(store: Store) -> None:
    model = RecordingTextModel([f"“{GOOD}.”"])
    result = _call(store, model, protocol_id="담배 욕구 5분 넘기기")
    assert isinstance(result, ToolOk)
    assert result.data == {
        "title": "담배 욕구 5분 넘기기",
        "frame_level": 2,
        "framed_text": GOOD,
        "by_model": True,
    }
    assert GOOD in result.words
    assert len(model.instructions) == 1


def test_two_retries_with_other_examples_then_the_catalogue_stands_in(store: Store) -> None:
    model = RecordingTextModel(["담배를 끊는다", "담배를 참는다", "담배를 안 피운다", GOOD])
    result = _call(store, model, protocol_id="break-smoking")
    assert isinstance(result, ToolOk)
    assert result.data["by_model"] is False
    assert not detect_avoidance_keywords(str(result.data["framed_text"]))
    assert len(model.instructions) == len(set(model.instructions)) == 3


def test_context_comes_from_the_run(store: Store) -> None:
    habits = world_1(store)
    model = RecordingTextModel(["After lunch I walk for ten minutes by the river"])
    result = _call(store, model, RunState("en", habit_id=habits["walk"].id))
    assert isinstance(result, ToolOk)
    assert result.data["title"] == habits["walk"].title("en")
    assert model.instructions[0].startswith("For each habit")
    assert model.instructions[0].endswith("Sentence:")


def test_a_habits_own_sentence_is_no_suggestion(store: Store) -> None:
    habit = world_1(store)["walk"]
    model = RecordingTextModel([habit.framed_text] * 3)
    entry = store.catalogue.get("daily-steps")
    run = RunState("ko")
    found = suggest_frame(model, subject_of_habit(habit, entry, run), 2, run, store.catalogue)
    assert found is not None
    assert not found.by_model


def test_a_habit_without_an_entry_has_nothing_to_stand_in(store: Store) -> None:
    habit = world_1(store)["walk"]
    run = RunState("ko")
    subject = subject_of_habit(habit, None, run)
    assert suggest_frame(RecordingTextModel(), subject, 2, run, store.catalogue) is None
    walk = "점심을 먹은 뒤 강가를 천천히 걷는다"
    found = suggest_frame(RecordingTextModel([walk]), subject, 2, run, store.catalogue)
    assert found is not None
    assert (found.text, found.by_model, found.attempts) == (walk, True, 1)


@pytest.mark.parametrize(
    "args", [{}, {"protocol_id": "break-smoking", "habit_id": 1}, {"habit_id": "뜨개질"}, {"protocol_id": "뜨개질"}]
)
def test_one_subject_is_needed(store: Store, args: dict[str, object]) -> None:
    world_1(store)
    model = RecordingTextModel([GOOD])
    assert isinstance(_call(store, model, **args), ToolErr)
    assert model.instructions == []


def test_stop_and_trouble(store: Store) -> None:
    stopped = _call(store, RecordingTextModel([ToolStopped()]), protocol_id="break-smoking")
    assert stopped == ToolCancelled(declined=False)
    trouble = WorldError("모델이 없어요.", "설정에서 골라 주세요.")
    failed = _call(store, RecordingTextModel([trouble]), protocol_id="break-smoking")
    assert isinstance(failed, ToolErr)
    assert "모델이 없어요." in failed.reason


def test_nothing_is_written(store: Store) -> None:
    before = world_1(store)["walk"]
    result = _call(store, RecordingTextModel(["점심을 먹은 뒤 강가를 걷는다"]), habit_id=before.id)
    assert isinstance(result, ToolOk)
    assert not result.changes
    assert store.habits.get(before.id) == before
