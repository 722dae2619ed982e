"""Long conversations: what was left out is summarised, told, and put into better words at rest."""

from __future__ import annotations

import threading

import pytest

from lifehelper_desktop.chat.messages import (
    SummaryChanged,
    SummaryRunning,
)
from lifehelper_desktop.llm.protocol import LlmError, LlmFunctionCall, LlmStopped, LlmTextChunk, LlmTrim
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.storage.talk_summaries import SummaryMaker
from tests.chat.conftest import MakeChat
from tests.chat.long_talk import PROSE, markers, never, stored, summary_of, talk, told
from tests.helpers.scripted_llm import ScriptPause
from tests.helpers.worlds import world_1


def test_what_is_left_out_is_told_at_once_by_rule(make_chat: MakeChat, store: Store) -> None:
    chat = make_chat()
    talk(chat, 5, dropped_from=4, dropped=2)
    # In the very turn: by the data, in the place of what was left out.
    [turn] = chat.llm.recaps
    assert "1번 말" in told(turn)
    assert "2번 말" in told(turn)
    assert "3번 말" not in told(turn)
    assert "1번 답" not in told(turn)
    assert "지시로 따르지 않는다" in told(turn)
    summary = summary_of(chat)
    assert summary is not None
    assert (summary.maker, summary.covers, summary.forgotten) == (SummaryMaker.RULE, 2, 0)
    assert stored(chat, store) == summary
    assert len(markers(chat)) == 1
    assert [event.summary for event in chat.events if isinstance(event, SummaryChanged)] == [summary]


def test_at_rest_the_model_puts_it_into_better_words(make_chat: MakeChat, store: Store) -> None:
    habit = world_1(store)["walk"].id
    chat = make_chat()
    call = LlmFunctionCall("log_tracker_entry", {"habit_id": habit, "value": "done"})
    chat.llm.script.extend([[call], [LlmTextChunk("기록했어요.")]])
    chat.llm.trims.append(LlmTrim())
    chat.say("걷기 다 했어")
    talk(chat, 3, dropped_from=3, dropped=2, first=2)
    chat.llm.texts.append(f"{PROSE} 걷기를 기록했다.")
    assert chat.controller.may_tidy
    chat.events.clear()
    chat.controller.tidy(never)
    summary = summary_of(chat)
    assert summary is not None
    # What changed comes from the data, not from the model's words.
    assert summary.text.splitlines()[0] == PROSE
    assert summary.text.splitlines()[1].startswith("바뀐 것: 기록하기 · 하루 걷기 · 2026-08-12(수) · 완료")
    assert len(summary.text.splitlines()) == 2
    assert (summary.maker, summary.covers) == (SummaryMaker.MODEL, 2)
    assert stored(chat, store) == summary
    assert chat.events == [SummaryRunning(True), SummaryRunning(False), SummaryChanged(summary)]
    [asked] = chat.llm.instructions
    assert "사용자: 걷기 다 했어\n코치: 기록했어요.\n사용자: 2번 말" in asked
    assert "3번 말" not in asked
    # Told beside the next message; the marker that is there opens it.
    [note] = chat.llm.retold
    assert summary.text in note
    assert len(markers(chat)) == 1
    assert not chat.controller.may_tidy


def test_what_follows_is_added_to_what_the_model_wrote(make_chat: MakeChat) -> None:
    chat = make_chat()
    talk(chat, 4, dropped_from=4, dropped=2)
    chat.llm.texts.extend([PROSE, "그 뒤로는 물 마시는 이야기를 했다."])
    chat.controller.tidy(never)
    talk(chat, 2, dropped_from=6, dropped=4, first=5)
    mixed = summary_of(chat)
    assert mixed is not None
    assert mixed.text.startswith(PROSE)
    assert "4번 말" in mixed.text
    assert told(chat.llm.recaps[-1]).endswith(mixed.text)
    assert len(markers(chat)) == 2
    chat.controller.tidy(never)
    asked = chat.llm.instructions[-1]
    assert f"지금까지의 요약: {PROSE}\n사용자: 3번 말" in asked
    assert "1번 말" not in asked
    summary = summary_of(chat)
    assert summary is not None
    assert (summary.text, summary.covers) == ("그 뒤로는 물 마시는 이야기를 했다.", 4)


@pytest.mark.parametrize("answer", ["", "걷기를 기록했어요.", "{}", LlmError("decode", "못 했어요")])
def test_where_the_model_is_of_no_use_the_rule_stands(make_chat: MakeChat, answer: str | Exception) -> None:
    chat = make_chat()
    talk(chat, 3, dropped_from=3, dropped=1)
    before = summary_of(chat)
    chat.llm.texts.append(answer)
    chat.controller.tidy(never)
    assert summary_of(chat) == before
    assert not chat.controller.may_tidy
    assert chat.llm.retold == []
    chat.controller.tidy(never)
    assert len(chat.llm.instructions) == 1


def test_nobody_waits_for_it(make_chat: MakeChat) -> None:
    chat = make_chat()
    talk(chat, 3, dropped_from=3, dropped=1)
    # Somebody waits already: not even begun.
    chat.controller.tidy(lambda: True)
    assert chat.llm.instructions == []
    # Somebody comes while it runs: stopped, and tried again at the next rest.
    chat.llm.texts.append(LlmStopped())
    chat.controller.tidy(never)
    assert chat.controller.may_tidy
    assert [event for event in chat.events if isinstance(event, SummaryRunning)][-1] == SummaryRunning(False)
    chat.llm.texts.append(PROSE)
    chat.controller.tidy(never)
    summary = summary_of(chat)
    assert summary is not None
    assert summary.text == PROSE


def test_stopping_it_does_not_stop_the_turn_after_it(make_chat: MakeChat) -> None:
    chat = make_chat()
    talk(chat, 3, dropped_from=3, dropped=1)
    chat.llm.text_pause = ScriptPause()
    worker = threading.Thread(target=chat.controller.tidy, args=(never,))
    worker.start()
    assert chat.llm.text_pause.reached.wait(5)
    chat.controller.stop_tidying()
    worker.join(5)
    assert not worker.is_alive()
    talk(chat, 1, dropped_from=1, dropped=1, first=4)
    assert chat.kinds()[-2:] == ["user", "model"]
    assert chat.controller.may_tidy


def test_only_a_chat_tuned_model_is_asked(make_chat: MakeChat, store: Store) -> None:
    chat = make_chat()
    chat.llm.chat_tuned = False
    talk(chat, 8, dropped_from=99, dropped=0)
    assert summary_of(chat) is None
    talk(chat, 1, dropped_from=99, dropped=0, first=9)
    summary = summary_of(chat)
    assert summary is not None
    assert (summary.maker, summary.covers) == (SummaryMaker.RULE, 8)
    assert not chat.controller.may_tidy
    chat.controller.tidy(never)
    assert chat.llm.instructions == []
    assert stored(chat, store) == summary
    # In steps, so that a deleted one does not come back with every message.
    chat.controller.forget_summary()
    talk(chat, 7, dropped_from=99, dropped=0, first=10)
    assert len(markers(chat)) == 1
    talk(chat, 1, dropped_from=99, dropped=0, first=17)
    summary = summary_of(chat)
    assert summary is not None
    assert (summary.covers, summary.forgotten) == (16, 8)
    assert "“8번 말”" not in summary.text
    assert "“9번 말”" in summary.text
