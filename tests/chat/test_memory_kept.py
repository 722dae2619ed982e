"""The summary of a long conversation: deleted, stored, reopened and exported."""

from __future__ import annotations

import threading

import pytest

from lifehelper_desktop.base.settings import KEEP_CONVERSATIONS
from lifehelper_desktop.chat.controller import ChatSessionController
from lifehelper_desktop.chat.export import to_json, to_markdown
from lifehelper_desktop.chat.messages import (
    SummaryChanged,
    UserChatMessage,
)
from lifehelper_desktop.llm.protocol import LlmError, LlmTextChunk, LlmTrim, LlmTurn
from lifehelper_desktop.storage.errors import StorageFull
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.storage.talk_summaries import SummaryMaker, TalkSummary
from lifehelper_desktop.tools.registry import ToolRegistry
from tests.chat.conftest import Chat, MakeChat
from tests.chat.long_talk import PROSE, markers, never, stored, summary_of, talk, told
from tests.helpers.scripted_llm import ScriptPause
from tests.helpers.worlds import RecordingGate

# -- deleting


def test_deleted_it_is_told_no_longer_and_not_made_again(make_chat: MakeChat, store: Store) -> None:
    chat = make_chat()
    talk(chat, 4, dropped_from=3, dropped=2)
    chat.controller.forget_summary()
    assert chat.llm.retold == [""]
    assert not chat.controller.may_tidy
    assert stored(chat, store) == TalkSummary("", SummaryMaker.RULE, 2, 2)
    assert chat.events[-1] == SummaryChanged(TalkSummary("", SummaryMaker.RULE, 2, 2))
    chat.controller.forget_summary()
    assert chat.llm.retold == ["", ""]
    talk(chat, 2, dropped_from=5, dropped=2, first=5)
    assert len(markers(chat)) == 1
    assert chat.controller._memory.recap(2) is None
    # What is left out later is summarised without it.
    talk(chat, 1, dropped_from=7, dropped=4, first=7)
    turn = chat.llm.recaps[-1]
    assert "3번 말" in told(turn)
    assert "2번 말" not in told(turn)
    assert stored(chat, store) == summary_of(chat)


def test_deleting_while_the_model_is_at_it_wins(make_chat: MakeChat, store: Store) -> None:
    chat = make_chat()
    talk(chat, 3, dropped_from=3, dropped=1)
    number = chat.controller.conversation_id
    assert number is not None
    chat.llm.texts.append(PROSE)
    chat.llm.text_pause = ScriptPause()
    worker = threading.Thread(target=chat.controller.tidy, args=(never,))
    worker.start()
    assert chat.llm.text_pause.reached.wait(5)
    assert store.summaries.delete(number)  # the window writes at once; the command comes after
    chat.llm.text_pause.go.set()
    worker.join(5)
    assert stored(chat, store) == TalkSummary("", SummaryMaker.RULE, 1, 1)
    assert summary_of(chat) == stored(chat, store)
    assert PROSE not in "".join(chat.llm.retold)
    assert not chat.controller.may_tidy
    chat.controller.forget_summary()
    assert chat.llm.retold == [""]


@pytest.mark.parametrize("by_window", [True, False])
def test_deleted_in_the_middle_of_a_turn_that_leaves_more_out(
    make_chat: MakeChat, store: Store, by_window: bool
) -> None:
    chat = make_chat()
    talk(chat, 3, dropped_from=3, dropped=1)
    number = chat.controller.conversation_id
    assert number is not None
    pause = ScriptPause()
    chat.llm.script.append([LlmTextChunk("음"), pause, LlmTextChunk("네.")])
    chat.llm.trims.append(LlmTrim(0, 3))
    worker = threading.Thread(target=chat.say, args=("4번 말",))
    worker.start()
    assert pause.reached.wait(5)
    store.summaries.delete(number)
    pause.go.set()
    worker.join(5)
    assert summary_of(chat) == stored(chat, store) == TalkSummary("", SummaryMaker.RULE, 1, 1)
    assert not chat.controller.may_tidy
    if by_window:
        chat.controller.forget_summary()  # the command that waited for the turn
    else:
        talk(chat, 1, dropped_from=5, dropped=3, first=5)
    assert chat.llm.retold[0] == ""
    if not by_window:
        # What was left out besides is summarised without it.
        summary = summary_of(chat)
        assert summary is not None
        assert (summary.covers, summary.forgotten) == (3, 1)
        assert "1번 말" not in summary.text
        assert summary.text in chat.llm.retold[1]


def test_one_that_another_program_deleted_is_told_no_longer(make_chat: MakeChat, store: Store) -> None:
    chat = make_chat()
    talk(chat, 3, dropped_from=3, dropped=1)
    number = chat.controller.conversation_id
    assert number is not None
    store.summaries.delete(number)
    talk(chat, 1, dropped_from=4, dropped=1, first=4)
    assert chat.llm.retold == [""]
    assert summary_of(chat) == stored(chat, store)
    assert len(markers(chat)) == 1


# -- storing


def test_reopened_with_another_model(make_chat: MakeChat, store: Store) -> None:
    first = make_chat()
    first.llm.chat_tuned = False
    talk(first, 9, dropped_from=99, dropped=0)
    number = first.controller.conversation_id
    assert number is not None
    first.controller.close()
    chat = make_chat([LlmTextChunk("네.")])
    chat.llm.trims.append(LlmTrim(0, 6))  # its context is full with the history already
    chat.controller.open(number)
    assert summary_of(chat) == summary_of(first)
    assert chat.events[-1] == SummaryChanged(summary_of(first))
    chat.say("10번 말")
    [turn] = chat.llm.recaps
    assert "“1번 말”" in told(turn)
    assert len(chat.llm.prompts[0].history) == 9
    assert len(markers(chat)) == 1  # the one of then


def test_one_without_a_summary_gets_it_when_it_is_too_long(make_chat: MakeChat, store: Store) -> None:
    first = make_chat()
    talk(first, 5, dropped_from=99, dropped=0)
    number = first.controller.conversation_id
    assert number is not None
    chat = make_chat([LlmTextChunk("네.")])
    chat.llm.trims.append(LlmTrim(0, 3))
    chat.controller.open(number)
    chat.say("6번 말")
    assert "“3번 말”" in told(chat.llm.recaps[0])
    summary = store.summaries.get(number)
    assert summary is not None
    assert summary.covers == 3
    assert chat.controller.may_tidy


def test_a_new_or_another_conversation_has_its_own(make_chat: MakeChat, store: Store) -> None:
    chat = make_chat()
    talk(chat, 3, dropped_from=3, dropped=1)
    long = chat.controller.conversation_id
    chat.controller.clear()
    assert summary_of(chat) is None
    talk(chat, 1, dropped_from=99, dropped=0)
    short = chat.controller.conversation_id
    assert short is not None
    assert store.summaries.get(short) is None
    assert long is not None
    chat.controller.open(long)
    assert summary_of(chat) is not None
    chat.controller.open(short)
    assert summary_of(chat) is None


def test_what_was_said_before_it_was_kept_never_lies_on_the_disk(make_chat: MakeChat, store: Store) -> None:
    store.settings.set(KEEP_CONVERSATIONS, False)
    chat = make_chat()
    talk(chat, 2, dropped_from=99, dropped=0)
    store.settings.set(KEEP_CONVERSATIONS, True)
    talk(chat, 3, dropped_from=4, dropped=2, first=3)
    assert summary_of(chat) is not None
    assert stored(chat, store) is None
    chat.controller.forget_summary()
    assert summary_of(chat) == TalkSummary("", SummaryMaker.RULE, 2, 2)


def test_a_disk_that_refuses_ends_nothing(make_chat: MakeChat, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_args: object) -> None:
        raise StorageFull

    monkeypatch.setattr(store.summaries, "save", full)
    monkeypatch.setattr(store.summaries, "get", full)
    chat = make_chat()
    talk(chat, 4, dropped_from=3, dropped=1)
    assert summary_of(chat) is not None
    assert chat.state.error is None


def test_counting_skips_what_the_model_never_heard(make_chat: MakeChat) -> None:
    chat = make_chat()
    talk(chat, 1, dropped_from=99, dropped=0)
    chat.say("죽고 싶어")  # answered without the model
    chat.llm.script.append([LlmError("decode", "못 했어요")])
    chat.llm.trims.append(LlmTrim())
    chat.say("이건 답이 없어")
    talk(chat, 3, dropped_from=6, dropped=2, first=4)
    summary = summary_of(chat)
    assert summary is not None
    assert summary.covers == 4  # what stands before the third that the model heard
    assert [message.text for message in chat.state.messages if isinstance(message, UserChatMessage)][3] == "4번 말"


def test_turns_that_came_before_the_conversation_do_not_count(store: Store) -> None:
    chat = Chat(store, [], RecordingGate())
    before = (LlmTurn("먼저", answer="네."),)
    chat.controller = ChatSessionController(
        chat.llm, store, ToolRegistry.defaults(), None, chat.events.append, "ko", before
    )
    talk(chat, 3, dropped_from=3, dropped=1)
    assert summary_of(chat) is None
    assert chat.llm.recaps == [None]
    talk(chat, 1, dropped_from=4, dropped=2, first=4)
    summary = summary_of(chat)
    assert summary is not None
    assert summary.covers == 1


def test_an_answer_given_anew_keeps_the_summary(make_chat: MakeChat) -> None:
    chat = make_chat()
    talk(chat, 3, dropped_from=3, dropped=1)
    before = summary_of(chat)
    chat.llm.script.append([LlmTextChunk("다른 답")])
    chat.controller.edit_last("고친 말")
    assert summary_of(chat) == before


# -- files


def test_it_is_exported_with_the_conversation(make_chat: MakeChat, store: Store) -> None:
    chat = make_chat()
    talk(chat, 3, dropped_from=3, dropped=1)
    [row] = store.conversations.list()
    summary = stored(chat, store)
    assert summary is not None
    text = to_markdown(row, chat.state.messages, summary)
    assert "**앞부분 요약**\n\n> 2026-08-12(수)\n> 한 말: “1번 말”\n\n*대화와 기록에서 뽑았어요.*" in text
    data = to_json(row, chat.state.messages, summary)
    assert data["summary"] == {"text": summary.text, "made_by": "rule", "covers": 1}
    store.summaries.delete(row.id)
    assert to_json(row, chat.state.messages, stored(chat, store))["summary"] is None
    assert "앞부분 요약" not in to_markdown(row, chat.state.messages, stored(chat, store))
