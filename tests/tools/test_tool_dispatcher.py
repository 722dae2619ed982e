"""The reference's six cases of the dispatcher; approval bound to one call; random arguments never raise."""

from __future__ import annotations

import dataclasses
from datetime import date
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

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
    wrong = dispatcher.dispatch("log_tracker_entry", {"habit_id": "셋", "value": "done"}, RecordingGate())
    assert isinstance(wrong, ToolErr)
    assert wrong.code == "validation"
    assert "habit_id" in wrong.reason
    assert "정수" in wrong.reason


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
    assert request.args == LOG
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
