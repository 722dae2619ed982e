"""Who can be asked, and the questions that travel inside of an answer (2026-07-28)."""

from __future__ import annotations

from typing import Any

import mcp_types as types
import pytest

from lifehelper_desktop.mcp_server import questions
from lifehelper_desktop.mcp_server.questions import ANSWER, Approved, WaitingQuestions, can_ask, verdict_of
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.tools.confirm_gate import ConfirmRequest, Verdict, arguments_digest
from tests.mcp_server.conftest import ADD, Connect, User, data_of, envelope_of, run

FORM, URL = types.FormElicitationCapability(), types.UrlElicitationCapability()
YES = types.ElicitResult(action="accept", content={})


def _request(tool: str = "add_habit", **args: Any) -> ConfirmRequest:
    return ConfirmRequest(tool, "", "", "", args, arguments_digest(tool, args))


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (None, False),
        (types.ElicitationCapability(), True),
        (types.ElicitationCapability(form=FORM), True),
        (types.ElicitationCapability(form=FORM, url=URL), True),
        (types.ElicitationCapability(url=URL), False),
    ],
)
def test_only_who_shows_forms_can_ask(kind: types.ElicitationCapability | None, expected: bool) -> None:
    assert can_ask(types.ClientCapabilities(elicitation=kind)) is expected


def test_who_says_nothing_cannot_ask_and_what_is_no_answer_is_no_yes() -> None:
    assert not can_ask(None)
    assert verdict_of(None) is Verdict.CANCELLED
    assert verdict_of(YES) is Verdict.CONFIRMED


def test_a_yes_counts_for_what_was_shown_alone() -> None:
    approved = Approved(_request(protocol_id="a"))
    assert approved.confirm(_request(protocol_id="a")) is Verdict.CONFIRMED
    assert approved.confirm(_request(protocol_id="b")) is Verdict.CANCELLED
    assert approved.confirm(_request("log_tracker_entry", protocol_id="a")) is Verdict.CANCELLED


def test_a_waiting_question_is_taken_once_for_its_own_call_and_in_time() -> None:
    now = 0.0
    waiting = WaitingQuestions(lambda: now)
    request, raw = _request(protocol_id="a"), {"protocol_id": "a"}
    assert waiting.take("nothing", "add_habit", raw) is None
    token = waiting.keep(request, raw)
    assert waiting.take(token, "add_habit", raw) is request
    assert waiting.take(token, "add_habit", raw) is None
    for name, args in (("log_tracker_entry", raw), ("add_habit", {"protocol_id": "b"})):
        assert waiting.take(waiting.keep(request, raw), name, args) is None
    token = waiting.keep(request, raw)
    now = questions.KEEP_SECONDS + 1
    assert waiting.take(token, "add_habit", raw) is None
    first = waiting.keep(request, raw)
    for _each in range(questions.KEEP_QUESTIONS):
        waiting.keep(request, raw)
    assert waiting.take(first, "add_habit", raw) is None


def test_an_answer_is_used_once_and_only_for_its_own_question(connect: Connect, store: Store) -> None:
    async def work() -> None:
        async with connect(user=User()) as client:

            async def round_(
                args: dict[str, Any], state: str | None = None, answer: types.ElicitResult | None = None
            ) -> Any:
                given = {ANSWER: answer} if answer is not None else None
                return await client.session.call_tool(
                    "add_habit", args, request_state=state, input_responses=given, allow_input_required=True
                )

            async def ask(args: dict[str, Any]) -> str:
                asked = await round_(args)
                assert isinstance(asked, types.InputRequiredResult)
                assert asked.request_state is not None
                return asked.request_state

            other = {**ADD, "protocol_id": "daily-steps"}
            assert envelope_of(await round_(ADD, "made up", YES))["code"] == "outdated"
            assert envelope_of(await round_(other, await ask(ADD), YES))["code"] == "outdated"
            assert envelope_of(await round_(ADD, await ask(ADD)))["status"] == "cancelled"
            assert not store.habits.list()
            state = await ask(ADD)
            data_of(await round_(ADD, state, YES))
            assert envelope_of(await round_(ADD, state, YES))["code"] == "outdated"

    run(work)
    assert len(store.journal.history()) == 1
