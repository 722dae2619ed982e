"""Conversations are stored as they happen, opened again, and never run a write twice."""

from __future__ import annotations

from datetime import date

import pytest

from lifehelper_desktop.base.settings import KEEP_CONVERSATIONS
from lifehelper_desktop.chat.export import to_json, to_markdown
from lifehelper_desktop.chat.history import messages_of
from lifehelper_desktop.chat.messages import (
    MessagesReplaced,
    ModelChatMessage,
    SystemChatMessage,
    SystemMessageKind,
    ToolCallChatMessage,
    ToolCallState,
    UserChatMessage,
)
from lifehelper_desktop.domain.rules import RuleViolation
from lifehelper_desktop.llm.protocol import LlmError, LlmFunctionCall, LlmTextChunk, LlmTrim
from lifehelper_desktop.storage.errors import StorageFull
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.tools.confirm_gate import ConfirmRequest, Verdict
from lifehelper_desktop.tools.definition import ToolDeps
from lifehelper_desktop.tools.dispatcher import ToolDispatcher
from lifehelper_desktop.tools.envelope import ToolOk
from lifehelper_desktop.tools.registry import ToolRegistry
from tests.chat.conftest import Chat, MakeChat
from tests.helpers.worlds import RecordingGate, world_1

TODAY = date(2026, 8, 12)


def log_call(habit_id: int, **more: object) -> LlmFunctionCall:
    return LlmFunctionCall("log_tracker_entry", {"habit_id": habit_id, "value": "done", **more})


def cards(chat: Chat) -> list[ToolCallChatMessage]:
    return [message for message in chat.state.messages if isinstance(message, ToolCallChatMessage)]


@pytest.fixture
def habit_id(store: Store) -> int:
    return world_1(store)["walk"].id


def test_everything_is_stored_as_it_happens(make_chat: MakeChat, store: Store, habit_id: int) -> None:
    seen: list[list[str]] = []

    class Looking(RecordingGate):
        def confirm(self, request: ConfirmRequest) -> Verdict:
            [row] = store.conversations.list()
            seen.append([event.kind for event in store.conversations.events(row.id)])
            return super().confirm(request)

    gate = Looking()
    chat = make_chat([log_call(habit_id)], [LlmTextChunk("기록했어요.")], gate=gate)
    chat.say("걷기 다 했어")
    assert seen == [["user", "call"]]
    [row] = store.conversations.list()
    assert (row.title, row.id) == ("걷기 다 했어", chat.controller.conversation_id)
    events = store.conversations.events(row.id)
    assert [event.kind for event in events] == ["user", "call", "result", "model"]
    assert messages_of(events) == chat.state.messages
    # The key of the card, of the question and of the write are one.
    [card] = cards(chat)
    assert gate.requests[0].invocation_id == card.key
    assert list(store.conversations.results(row.id)) == [card.key]


def test_with_the_setting_off_nothing_is_stored(make_chat: MakeChat, store: Store, habit_id: int) -> None:
    store.settings.set(KEEP_CONVERSATIONS, False)
    chat = make_chat([log_call(habit_id)], [LlmTextChunk("기록했어요.")], *[[LlmTextChunk("네.")]] * 3)
    chat.say("걷기 다 했어")
    assert store.entries.get(habit_id, TODAY) is not None
    assert store.conversations.list() == []
    assert chat.controller.conversation_id is None
    chat.controller.regenerate()
    assert store.conversations.list() == []
    store.settings.set(KEEP_CONVERSATIONS, True)
    chat.say("이제 남겨")
    [row] = store.conversations.list()
    assert row.title == "이제 남겨"
    store.settings.set(KEEP_CONVERSATIONS, False)
    chat.controller.edit_last("이건 남기지 마")
    assert chat.controller.conversation_id is None
    assert [event.body["text"] for event in store.conversations.events(row.id)] == ["이제 남겨", "네."]


def test_a_new_chat_is_another_conversation(make_chat: MakeChat, store: Store) -> None:
    chat = make_chat(*[[LlmTextChunk("네.")]] * 3)
    chat.say("하나")
    chat.say("둘")
    chat.controller.clear()
    chat.say("셋")
    assert [row.title for row in store.conversations.list()] == ["셋", "하나"]


def test_an_opened_conversation_goes_on_with_its_history(make_chat: MakeChat, store: Store, habit_id: int) -> None:
    first = make_chat([log_call(habit_id)], [LlmTextChunk("기록했어요.")])
    first.say("걷기 다 했어")
    number = first.controller.conversation_id
    assert number is not None
    first.controller.close()
    chat = make_chat([LlmTextChunk("네.")])
    chat.controller.open(number)
    assert chat.state.messages == first.state.messages
    assert chat.events[-1] == MessagesReplaced(first.state.messages)
    assert chat.llm.load_count == 0
    chat.say("고마워")
    [turn] = chat.llm.prompts[0].history
    assert (turn.user, turn.answer) == ("걷기 다 했어", "기록했어요.")
    assert "오늘: 2026-08-12" in turn.context
    assert turn.results[0].result["status"] == "ok"
    assert len(store.conversations.list()) == 1
    assert [event.kind for event in store.conversations.events(number)][-2:] == ["user", "model"]
    with pytest.raises(RuleViolation):
        chat.controller.open(999)


def test_a_session_that_was_lost_begins_anew_with_what_was_said(make_chat: MakeChat) -> None:
    chat = make_chat([LlmTextChunk("하나예요.")], [LlmTextChunk("둘이에요.")])
    chat.say("하나")
    chat.llm.close()
    chat.say("둘")
    assert [turn.user for turn in chat.llm.prompts[1].history] == ["하나"]


def test_a_conversation_deleted_elsewhere_stays_deleted(make_chat: MakeChat, store: Store, habit_id: int) -> None:
    chat = make_chat([LlmTextChunk("네.")], [log_call(habit_id)], [LlmTextChunk("했어요.")])
    chat.say("안녕")
    store.conversations.delete(chat.controller.conversation_id)
    chat.say("걷기 다 했어")
    assert store.entries.get(habit_id, TODAY) is not None
    assert store.conversations.list() == []


def test_a_disk_that_refuses_ends_the_keeping_not_the_talk(
    make_chat: MakeChat, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_args: object) -> bool:
        raise StorageFull

    chat = make_chat([LlmTextChunk("네.")])
    monkeypatch.setattr(store.conversations, "append", full)
    chat.say("안녕")
    assert chat.state.messages == (UserChatMessage("안녕"), ModelChatMessage("네."))
    assert chat.state.error is None


# -- calls cut short


def cut_short(chat: Chat, store: Store, *, written: bool) -> int:
    """Leave the conversation as a program leaves it that ends before, or right after, the write of its call."""
    number = chat.controller.conversation_id
    assert number is not None
    with store.db.write():
        store.db.sql("DELETE FROM conversation_event WHERE kind IN ('result', 'model')")
        if not written:
            store.db.sql("DELETE FROM invocation")
            store.db.sql("DELETE FROM entry WHERE date = '2026-08-12'")
    chat.controller.close()
    return number


def test_a_write_that_went_through_is_not_lost_and_not_repeated(
    make_chat: MakeChat, store: Store, habit_id: int
) -> None:
    first = make_chat([log_call(habit_id)], [LlmTextChunk("기록했어요.")])
    first.say("걷기 다 했어")
    number = cut_short(first, store, written=True)
    chat = make_chat([LlmTextChunk("이미 되어 있어요.")])
    chat.controller.open(number)
    [card] = cards(chat)
    assert (card.state, card.stored) == (ToolCallState.DONE, cards(first)[0].stored)
    assert card.changes == cards(first)[0].changes
    chat.say("했어?")
    assert chat.gate.requests == []  # type: ignore[union-attr]
    [turn] = chat.llm.prompts[0].history
    assert turn.results[0].result["status"] == "ok"
    # Its result is stored now.
    assert [event.kind for event in store.conversations.events(number)] == ["user", "call", "result", "user", "model"]


def test_a_write_that_did_not_happen_is_told_and_not_run(make_chat: MakeChat, store: Store, habit_id: int) -> None:
    first = make_chat([log_call(habit_id)], [LlmTextChunk("기록했어요.")])
    first.say("걷기 다 했어")
    number = cut_short(first, store, written=False)
    chat = make_chat([LlmTextChunk("아직이에요.")])
    chat.controller.open(number)
    [card] = cards(chat)
    assert (card.state, card.result) == (ToolCallState.INTERRUPTED, None)
    chat.say("했어?")
    assert store.entries.get(habit_id, TODAY) is None
    [turn] = chat.llm.prompts[0].history
    assert turn.results[0].result["code"] == "interrupted"
    assert "중단됨" in turn.results[0].result["reason"]
    assert cards(chat)[0].state is ToolCallState.INTERRUPTED
    assert [event.kind for event in store.conversations.events(number)] == ["user", "call", "result", "user", "model"]


def test_one_invocation_writes_once(store: Store, habit_id: int) -> None:
    from lifehelper_desktop.storage.conversations import Invocation

    dispatcher = ToolDispatcher(ToolRegistry.defaults(), ToolDeps(store, "ko"))
    run = Invocation("one", store.conversations.start("대화"))
    args = {"habit_id": habit_id, "value": "done"}
    results = [dispatcher.dispatch("log_tracker_entry", args, RecordingGate(), None, run) for _ in range(2)]
    assert isinstance(results[0], ToolOk)
    assert results[0] == results[1]
    # What is refused leaves no trace, so that it may be tried again.
    other = Invocation("two", run.conversation_id)
    refused = dispatcher.dispatch("log_tracker_entry", args, RecordingGate(), None, other)
    assert not isinstance(refused, ToolOk)
    assert store.conversations.done(other) is None


# -- answering anew


def test_an_answer_is_given_anew(make_chat: MakeChat, store: Store) -> None:
    chat = make_chat([LlmTextChunk("하나")], [LlmTextChunk("둘")], [LlmTextChunk("셋")])
    chat.say("안녕")
    chat.say("몇이야?")
    chat.controller.regenerate()
    assert chat.state.messages == (
        UserChatMessage("안녕"),
        ModelChatMessage("하나"),
        UserChatMessage("몇이야?"),
        ModelChatMessage("셋"),
    )
    assert chat.llm.rollbacks == [1]
    assert chat.llm.user_texts == ["안녕", "몇이야?", "몇이야?"]
    assert len(chat.llm.sessions) == 1
    assert messages_of(store.conversations.events(chat.controller.conversation_id)) == chat.state.messages


def test_the_last_message_is_edited(make_chat: MakeChat, store: Store) -> None:
    search = LlmFunctionCall("search_catalog", {"keyword": "잠"})
    chat = make_chat([search], [LlmTextChunk("이게 있어요.")], [LlmTextChunk("걷기군요.")])
    chat.say("잠 습관 찾아 줘")
    chat.controller.edit_last("  걷기 습관 찾아 줘 ")
    assert chat.state.messages == (UserChatMessage("걷기 습관 찾아 줘"), ModelChatMessage("걷기군요."))
    assert messages_of(store.conversations.events(chat.controller.conversation_id)) == chat.state.messages
    for text in ("", " \0 "):
        chat.controller.edit_last(text)
    assert chat.kinds() == ["user", "model"]


@pytest.mark.parametrize("reopened", [False, True])
def test_a_new_answer_never_repeats_a_write(make_chat: MakeChat, store: Store, habit_id: int, reopened: bool) -> None:
    call = log_call(habit_id)
    again = log_call(habit_id, date="오늘")  # the same in other words
    chat = make_chat([call], [LlmTextChunk("네.")], [again], [LlmTextChunk("이미 했어요.")])
    chat.say("걷기 다 했어")
    if reopened:
        number = chat.controller.conversation_id
        script = chat.llm.script
        chat = make_chat(*script)
        chat.controller.open(number)
    [card] = cards(chat)
    chat.controller.regenerate()
    assert chat.kinds() == ["user", "toolcall", "model"]
    assert cards(chat) == [card]
    assert card.state is ToolCallState.DONE
    assert len(chat.gate.requests) == (0 if reopened else 1)  # type: ignore[union-attr]
    assert chat.llm.tool_results[-1][0].result["code"] == "repeated_call"
    # The model was told what stands.
    _text, context = chat.llm.user_inputs[-1]
    assert "이미 한 일: log_tracker_entry" in context
    assert '"status":"ok"' in context
    assert messages_of(store.conversations.events(chat.controller.conversation_id)) == chat.state.messages
    assert not any(isinstance(message, SystemChatMessage) for message in chat.state.messages)


def test_a_write_that_was_taken_back_may_be_done_again(make_chat: MakeChat, store: Store, habit_id: int) -> None:
    chat = make_chat([log_call(habit_id)], [LlmTextChunk("네.")], [log_call(habit_id)], [LlmTextChunk("했어요.")])
    chat.say("걷기 다 했어")
    store.entries.change(habit_id, TODAY, None)
    chat.controller.regenerate()
    assert store.entries.get(habit_id, TODAY) is not None
    assert len(cards(chat)) == 1


def test_results_that_the_model_had_still_to_hear_are_handed_over_again(
    make_chat: MakeChat, store: Store, habit_id: int
) -> None:
    chat: Chat

    class StopAfter(RecordingGate):
        def confirm(self, request: ConfirmRequest) -> Verdict:
            chat.controller.request_stop()
            return super().confirm(request)

    chat = make_chat([log_call(habit_id)], [LlmTextChunk("네.")], [LlmTextChunk("네네.")], gate=StopAfter())
    chat.say("걷기 다 했어")  # written, then stopped before the model heard of it
    chat.say("했어?")
    chat.controller.regenerate()
    assert len(chat.llm.noted_results) == 2
    assert chat.llm.noted_results[0] == chat.llm.noted_results[1]


def test_a_turn_that_failed_is_answered_anew(make_chat: MakeChat) -> None:
    chat = make_chat([LlmTextChunk("음"), LlmError("decode", "모델이 답하지 못했어요.")], [LlmTextChunk("됐어요.")])
    chat.say("안녕")
    assert chat.state.error
    chat.controller.regenerate()
    assert chat.state.messages == (UserChatMessage("안녕"), ModelChatMessage("됐어요."))
    assert chat.state.error is None


def test_nothing_to_answer_anew(make_chat: MakeChat) -> None:
    chat = make_chat()
    chat.controller.regenerate()
    chat.controller.edit_last("안녕")
    assert chat.events == []


# -- long conversations


def test_what_the_model_forgot_is_said(make_chat: MakeChat) -> None:
    chat = make_chat(*[[LlmTextChunk("네.")]] * 4)
    chat.llm.trims.extend([LlmTrim(), LlmTrim(results=1), LlmTrim(results=1, exchanges=2), LlmTrim(1, 2)])
    for number in range(4):
        chat.say(f"{number}")
    notes = [message for message in chat.state.messages if isinstance(message, SystemChatMessage)]
    assert [note.kind for note in notes] == [SystemMessageKind.TRIMMED, SystemMessageKind.SUMMARISED]
    assert "줄여" in notes[0].text
    assert "요약해 두었어요" in notes[1].text


# -- files


def test_a_conversation_as_markdown_and_json(make_chat: MakeChat, store: Store, habit_id: int) -> None:
    chat = make_chat([log_call(habit_id)], [LlmTextChunk("# 기록\n했어요.")])
    chat.say("걷기 다 했어")
    [row] = store.conversations.list()
    text = to_markdown(row, chat.state.messages)
    assert text.startswith("# 걷기 다 했어\n\n2026-08-12 21:30\n")
    assert "**나**\n\n> 걷기 다 했어\n" in text
    assert "> # 기록\n> 했어요." in text
    assert "하루 걷기 · 2026-08-12(수) · 완료" in text
    data = to_json(row, chat.state.messages)
    assert [each["type"] for each in data["messages"]] == ["user", "tool_call", "coach"]
    assert data["messages"][1]["result"]["status"] == "ok"
