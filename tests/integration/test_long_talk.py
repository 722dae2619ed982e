"""A long stored conversation is opened with a real model whose context is too small for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from lifehelper_desktop.chat.controller import ChatSessionController
from lifehelper_desktop.chat.messages import ChatEvent, SystemChatMessage, SystemMessageKind, TextStreamed
from lifehelper_desktop.llm.llama_engine import ASIDE, CONVERSATION
from lifehelper_desktop.llm.llama_service import LlamaService
from lifehelper_desktop.storage.conversations import StoredEvent
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.storage.talk_summaries import SummaryMaker
from lifehelper_desktop.tools.registry import ToolRegistry

pytestmark = pytest.mark.gguf


def stored_talk(store: Store, count: int) -> int:
    number = store.conversations.start("긴 이야기")
    for index in range(count):
        user = {"text": f"{index}번째 " + "물을 마시고 걷는 이야기. " * 6, "context": "오늘: 2026-08-11 (화)"}
        store.conversations.append(number, StoredEvent("user", user, text=user["text"]))
        model = {"text": "좋아요, 그렇게 해 봐요. " * 4, "stopped": False}
        store.conversations.append(number, StoredEvent("model", model, text="좋아요"))
    return number


def test_the_summary_takes_the_place_of_what_does_not_fit(store: Store, starter_model_path: Path) -> None:
    # The family is forced: the file has no chat template, and what it writes does not matter here.
    service = LlamaService(lambda: starter_model_path, n_ctx=3072, probe=False, family="gemma3")
    chat: ChatSessionController

    def listen(event: ChatEvent) -> None:
        if isinstance(event, TextStreamed):
            chat.request_stop()  # the first words are enough

    chat = ChatSessionController(service, store, ToolRegistry.defaults(), None, listen, "ko")
    number = stored_talk(store, 40)
    chat.open(number)
    try:
        chat.user_turn("고마워")
        summary = store.summaries.get(number)
        assert summary is not None
        assert summary.maker is SummaryMaker.RULE
        assert 0 < summary.covers < 40
        assert "2026-08-11(화)" in summary.text
        markers = [each for each in chat.state.messages if isinstance(each, SystemChatMessage)]
        assert [each.kind for each in markers].count(SystemMessageKind.SUMMARISED) == 1
        engine = service._engine
        assert engine is not None
        pieces = b"".join(engine.vocabulary.piece(token) for token in engine.tokens(CONVERSATION))
        text = pieces.decode("utf-8", "replace")
        # From the very first message: the start, the summary, the exchanges that are left.
        assert text.index("습관 코치다") < text.index("아래는 이 대화의 앞부분") < text.index("39번째")
        assert f"\n{summary.covers - 1}번째 물을" not in text
        assert f"\n{summary.covers}번째 물을" in text
        # At rest the model is asked beside the conversation: nothing of it has to be read again.
        before = engine.tokens(CONVERSATION)
        assert chat.may_tidy
        chat.tidy(lambda: False)
        assert engine.tokens(CONVERSATION) == before
        assert engine.length(ASIDE) == 0
        assert not chat.may_tidy
        stored = store.summaries.get(number)
        assert stored is not None
        assert (stored.covers, bool(stored.text)) == (summary.covers, True)
        # Deleted, the model is told it no more.
        chat.forget_summary()
        chat.user_turn("그래")
        pieces = b"".join(engine.vocabulary.piece(token) for token in engine.tokens(CONVERSATION))
        assert "아래는 이 대화의 앞부분" not in pieces.decode("utf-8", "replace")
    finally:
        chat.close()
        service.close()
