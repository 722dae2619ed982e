"""The reference's six cases of the dispatcher; approval bound to one call; random arguments never raise."""

from __future__ import annotations

import dataclasses
import unicodedata
from datetime import UTC, date, datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.domain.habits import EntryValue
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.tools.confirm_gate import ConfirmRequest, PendingConfirm, Verdict, arguments_digest
from lifehelper_desktop.tools.definition import Args, ToolDeps
from lifehelper_desktop.tools.dispatcher import DispatchStage, ToolDispatcher
from lifehelper_desktop.tools.envelope import ToolCancelled, ToolErr, ToolOk, ToolResult
from lifehelper_desktop.tools.registry import ToolRegistry
from tests.helpers.worlds import RecordingGate, world_1

LOG = {"habit_id": 1, "value": "done"}


@pytest.fixture
def dispatcher(deps: ToolDeps) -> ToolDispatcher:
    return ToolDispatcher(ToolRegistry.defaults(), deps)


def test_unknown_tool_is_an_error_that_lists_the_tools(dispatcher: ToolDispatcher) -> None:
    result = dispatcher.dispatch("delete_everything", {})
    assert isinstance(result, ToolErr)
    assert result.code == "unknown_tool"
    assert "log_tracker_entry" in result.reason


def test_bad_arguments_are_validation_with_path_and_expectation(dispatcher: ToolDispatcher) -> None:
    missing = dispatcher.dispatch("query_protocol", {})
    assert isinstance(missing, ToolErr)
    assert (missing.code, "id" in missing.reason) == ("validation", True)
    wrong = dispatcher.dispatch("log_tracker_entry", {"habit_id": 1.5, "value": "done"}, RecordingGate())
    assert isinstance(wrong, ToolErr)
    assert wrong.code == "validation"
    assert "habit_id: 정수/글 모양" in wrong.reason


def test_destructive_call_without_a_gate_is_cancelled(dispatcher: ToolDispatcher, store: Store) -> None:
    world_1(store)
    assert isinstance(dispatcher.dispatch("log_tracker_entry", LOG), ToolCancelled)
    assert store.entries.get(1, date(2026, 8, 12)) is None


def test_declined_call_is_cancelled_and_writes_nothing(dispatcher: ToolDispatcher, store: Store) -> None:
    world_1(store)
    result = dispatcher.dispatch("log_tracker_entry", LOG, RecordingGate(Verdict.DECLINED))
    assert isinstance(result, ToolCancelled)
    assert result.declined
    assert store.entries.get(1, date(2026, 8, 12)) is None


def test_confirmed_call_runs_and_was_shown_in_words(dispatcher: ToolDispatcher, store: Store) -> None:
    world_1(store)
    gate = RecordingGate()
    stages: list[DispatchStage] = []
    assert isinstance(dispatcher.dispatch("log_tracker_entry", LOG, gate, stages.append), ToolOk)
    [request] = gate.requests
    assert request.label == "기록하기"
    assert "하루 걷기" in request.summary
    assert "2026-08-12(수)" in request.summary
    assert "완료" in request.summary
    assert request.args == {**LOG, "date": "2026-08-12"}
    assert stages == [DispatchStage.ASKING, DispatchStage.RUNNING]


def test_handler_exception_is_handler_error(deps: ToolDeps, caplog: pytest.LogCaptureFixture) -> None:
    def broken(args: Args, deps: ToolDeps) -> ToolResult:
        raise RuntimeError("a bug")

    registry = ToolRegistry.defaults()
    tool = registry.by_name("list_active_habits")
    assert tool is not None
    dispatcher = ToolDispatcher(ToolRegistry([dataclasses.replace(tool, handler=broken)]), deps)
    result = dispatcher.dispatch("list_active_habits", {})
    assert isinstance(result, ToolErr)
    assert result.code == "handler_error"
    assert "a bug" in caplog.text
    assert "a bug" not in result.reason


def test_undeclared_keys_are_tolerated(dispatcher: ToolDispatcher) -> None:
    assert isinstance(dispatcher.dispatch("search_catalog", {"keyword": "명상", "mood": "happy"}), ToolOk)


def test_loose_values_are_coerced_by_the_schema(dispatcher: ToolDispatcher, store: Store) -> None:
    world_1(store)
    args = {"habit_id": "1", "value": "DONE", "date": "null", "note": None}
    assert isinstance(dispatcher.dispatch("log_tracker_entry", args, RecordingGate()), ToolOk)


def test_a_full_disk_is_told_in_words(deps: ToolDeps) -> None:
    def full(args: Args, deps: ToolDeps) -> ToolResult:
        raise WorldError("디스크가 가득 찼어요.", "자리를 비운 뒤 다시 해 주세요.")

    tool = ToolRegistry.defaults().by_name("list_active_habits")
    assert tool is not None
    dispatcher = ToolDispatcher(ToolRegistry([dataclasses.replace(tool, handler=full)]), deps)
    result = dispatcher.dispatch("list_active_habits", {})
    assert result == ToolErr("handler_error", "디스크가 가득 찼어요. 자리를 비운 뒤 다시 해 주세요.")


def test_a_gate_that_changes_the_arguments_runs_nothing_else(dispatcher: ToolDispatcher, store: Store) -> None:
    world_1(store)

    class Meddler:
        def confirm(self, request: ConfirmRequest) -> Verdict:
            request.args["habit_id"] = 2  # type: ignore[index]
            return Verdict.CONFIRMED

    dispatcher.dispatch("log_tracker_entry", LOG, Meddler())
    assert store.entries.get(1, date(2026, 8, 12)) is not None
    assert store.entries.get(2, date(2026, 8, 12)) is None


def _request(habit_id: int) -> ConfirmRequest:
    args = {"habit_id": habit_id, "value": "done"}
    return ConfirmRequest("log_tracker_entry", "기록하기", "", "", args, arguments_digest("log_tracker_entry", args))


def test_an_answer_for_another_call_or_other_arguments_does_nothing() -> None:
    first, second = PendingConfirm(_request(1)), PendingConfirm(_request(2))
    assert not second.answer(Verdict.CONFIRMED, first.request.invocation_id, first.request.digest)
    assert not second.answer(Verdict.CONFIRMED, second.request.invocation_id, first.request.digest)
    assert not second.is_answered


def test_only_the_first_answer_counts() -> None:
    pending = PendingConfirm(_request(1))
    request = pending.request
    assert pending.answer(Verdict.DECLINED, request.invocation_id, request.digest)
    assert not pending.answer(Verdict.CONFIRMED, request.invocation_id, request.digest)
    assert not pending.cancel()
    assert pending.wait() is Verdict.DECLINED


_ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30) | st.binary(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
_NAMES = [*ToolRegistry.defaults().names(), "unknown", ""]
_KEYS = ["habit_id", "value", "date", "note", "id", "protocol_id", "frame_level", "framed_text", "keyword", "limit",
         "category", "anchor_when", "dose_text", "x"]  # fmt: skip
_LIKELY = st.sampled_from(
    [
        1,
        2,
        2**70,
        -1,
        "1",
        "done",
        "minimum",
        "오늘",
        "2026-08-12",
        "daily-steps",
        "걷는다",
        "sleep",
        "\0",
        "\ud800",
        "가" * 300,
    ]
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200, deadline=None)
@given(name=st.sampled_from(_NAMES), args=_ANY | st.dictionaries(st.sampled_from(_KEYS), _LIKELY | _ANY, max_size=6))
def test_random_arguments_never_raise(dispatcher: ToolDispatcher, store: Store, name: str, args: Any) -> None:
    result = dispatcher.dispatch(name, args, RecordingGate())
    assert isinstance(result, ToolOk | ToolErr)
    if isinstance(result, ToolErr):
        assert result.code != "handler_error", result


def test_blank_value_is_not_asked_but_done_is(dispatcher: ToolDispatcher, store: Store) -> None:
    world_1(store)
    gate = RecordingGate(Verdict.DECLINED)
    assert isinstance(dispatcher.dispatch("log_tracker_entry", {"habit_id": 1, "value": "빈칸"}, gate), ToolOk)
    assert isinstance(dispatcher.dispatch("log_tracker_entry", {"habit_id": 2, "value": "done"}, gate), ToolCancelled)
    entry = store.entries.get(1, date(2026, 8, 12))
    assert entry is not None
    assert entry.value is EntryValue.BLANK


@pytest.mark.parametrize(
    "args",
    [
        {**LOG, "date": "2026-13-01"},
        {**LOG, "date": "2026-02-30"},
        {**LOG, "date": "2026-W33-3"},
        {**LOG, "date": "언젠가"},
        {**LOG, "date": 20260812},
        {**LOG, "note": "가" * 201},
    ],
)
def test_a_day_that_is_none_is_refused_before_the_question(
    dispatcher: ToolDispatcher, store: Store, args: dict[str, Any]
) -> None:
    world_1(store)
    gate = RecordingGate()
    result = dispatcher.dispatch("log_tracker_entry", args, gate)
    assert isinstance(result, ToolErr)
    assert result.code == "validation"
    assert gate.requests == []


@pytest.mark.parametrize("text", ["걷" * 5000, "걷", "", "\u200b\u200b", "\u3164\u3164", "\u2060" * 3, "\ufeff" * 2])
def test_a_sentence_of_a_wrong_length_is_refused_before_the_question(dispatcher: ToolDispatcher, text: str) -> None:
    gate = RecordingGate()
    args = {"protocol_id": "daily-steps", "frame_level": 2, "framed_text": text}
    result = dispatcher.dispatch("add_habit", args, gate)
    assert isinstance(result, ToolErr)
    assert result.code == "validation"
    assert gate.requests == []


@pytest.mark.parametrize("absent", [{}, {"date": None}, {"date": ""}, {"date": "null"}, {"date": " None "}])
def test_the_day_shown_is_the_day_stored(
    dispatcher: ToolDispatcher, store: Store, clock: FixedClock, absent: dict[str, Any]
) -> None:
    """The logical day changes while the question is open."""
    world_1(store)
    clock.set(datetime(2026, 8, 13, 3, 59, tzinfo=UTC))

    class SlowUser(RecordingGate):
        def confirm(self, request: ConfirmRequest) -> Verdict:
            clock.set(datetime(2026, 8, 13, 4, 1, tzinfo=UTC))
            return super().confirm(request)

    gate = SlowUser()
    result = dispatcher.dispatch("log_tracker_entry", {**LOG, **absent}, gate)
    assert store.today() == date(2026, 8, 13)
    assert isinstance(result, ToolOk)
    assert result.data["date"] == gate.requests[0].args["date"] == "2026-08-12"
    assert "2026-08-12(수)" in gate.requests[0].summary


def test_what_is_shown_is_what_is_stored(dispatcher: ToolDispatcher, store: Store) -> None:
    """A line break, or a sign that turns the direction of writing, cannot forge a line of the question."""
    gate = RecordingGate()
    nfd = unicodedata.normalize("NFD", "각" * 60)
    args = {
        "protocol_id": " daily-steps\n",
        "frame_level": 2,
        "framed_text": "걷기\n수준:\u2028정\u200b체성\u202e",
        "anchor_when": nfd,
        "dose_text": " 하루\r\n5,000보 ",
    }
    assert isinstance(dispatcher.dispatch("add_habit", args, gate), ToolOk)
    [request] = gate.requests
    assert request.summary.splitlines()[1:5] == [
        "문장: 걷기 수준: 정체성",
        "수준: 과정",
        f"언제: {'각' * 60}",
        "표준 용량: 하루 5,000보",
    ]
    habit = store.habits.get(1)
    shown = request.args
    assert (habit.framed_text, habit.anchor_when) == (shown["framed_text"], shown["anchor_when"])
    assert habit.standard_dose == shown["dose_text"]
    assert request.digest == arguments_digest("add_habit", shown)
    log = {"habit_id": 1, "value": "done", "note": "첫 줄\n기록: 쉬기"}
    assert isinstance(dispatcher.dispatch("log_tracker_entry", log, gate), ToolOk)
    entry = store.entries.get(1, date(2026, 8, 12))
    assert entry is not None
    assert entry.note == gate.requests[1].args["note"] == "첫 줄 기록: 쉬기"
    assert gate.requests[1].summary.endswith("메모: 첫 줄 기록: 쉬기")


def test_null_in_words_is_text_where_text_is_free(dispatcher: ToolDispatcher, store: Store) -> None:
    result = dispatcher.dispatch("query_protocol", {"id": "null"})
    assert isinstance(result, ToolErr)
    assert (result.code, "‘null’" in result.reason) == ("not_found", True)
    add = {"protocol_id": "null", "frame_level": 2, "framed_text": "저녁에 걷는다"}
    assert dispatcher.dispatch("add_habit", add, RecordingGate()).to_json()["code"] == "not_found"
    nothing = {"anchor_when": "null", "anchor_after_what": "None", "dose_text": "none"}
    result = dispatcher.dispatch("add_habit", {**add, **nothing, "protocol_id": "daily-steps"}, RecordingGate())
    assert isinstance(result, ToolOk)
    habit = store.habits.get(1)
    assert (habit.anchor_source, habit.standard_dose) == ("suggested", "하루 7,000보")
    assert isinstance(dispatcher.dispatch("log_tracker_entry", {**LOG, "note": "none"}, RecordingGate()), ToolOk)
    entry = store.entries.get(1, date(2026, 8, 12))
    assert entry is not None
    assert entry.note == "none"
    assert isinstance(dispatcher.dispatch("search_catalog", {"limit": "null", "category": "none"}), ToolOk)


@pytest.mark.parametrize("wanted", ["\ud800", "x" * 5000])
def test_reasons_can_be_encoded_and_are_short(dispatcher: ToolDispatcher, wanted: str) -> None:
    add = {"protocol_id": wanted, "frame_level": 2, "framed_text": "저녁에 걷는다"}
    for name, args in (("query_protocol", {"id": wanted}), ("add_habit", add)):
        gate = RecordingGate()
        result = dispatcher.dispatch(name, args, gate)
        assert isinstance(result, ToolErr)
        assert result.reason.encode()
        assert len(result.reason) < 200
        assert all(len(request.summary) < 500 for request in gate.requests)
    assert ToolErr("validation", "a\udfff").reason == "a\ufffd"
