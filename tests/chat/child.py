"""A program that holds a conversation and stands still at a named place, where the test kills it."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path

from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.base.i18n import set_language
from lifehelper_desktop.base.paths import resolve_paths
from lifehelper_desktop.chat.controller import ChatSessionController
from lifehelper_desktop.chat.messages import ChatEvent, ChatMessage, MessageAdded, ModelChatMessage, ToolCallChatMessage
from lifehelper_desktop.llm.protocol import LlmFunctionCall, LlmTextChunk
from lifehelper_desktop.storage.conversations import StoredEvent
from lifehelper_desktop.storage.store import Store, open_store
from lifehelper_desktop.tools.confirm_gate import ConfirmRequest, Verdict
from lifehelper_desktop.tools.registry import ToolRegistry
from tests.helpers.scripted_llm import ScriptedLlmService


def main() -> None:
    """Open the data, talk, and stand still at the place that the arguments name."""
    set_language("ko")
    folder, place, habit_id = sys.argv[1:]
    store = open_store(resolve_paths(Path(folder)), FixedClock(datetime(2026, 8, 12, 21, 30, tzinfo=UTC)))
    if place == "written":
        stand_before_the_note_of_the_result(store)
    call = LlmFunctionCall("log_tracker_entry", {"habit_id": int(habit_id), "value": "done"})
    llm = ScriptedLlmService([[call], [LlmTextChunk("기록했어요.")]])
    controller = ChatSessionController(llm, store, ToolRegistry.defaults(), Gate(place), listener(place), "ko")
    controller.user_turn("걷기 다 했어")
    raise SystemExit("nobody killed me")


def stand() -> None:
    """Say so and wait for ever."""
    print("here", flush=True)
    sys.stdin.readline()


class Gate:
    """Says yes, or stands still while it asks."""

    def __init__(self, place: str) -> None:
        """Stand still at `asking`."""
        self._place = place

    def confirm(self, request: ConfirmRequest) -> Verdict:
        """Answer yes."""
        if self._place == "asking":
            stand()
        return Verdict.CONFIRMED


def listener(place: str):  # type: ignore[no-untyped-def]
    """Return a listener that stands still when the call appears (`called`) or the answer is there (`answered`)."""
    kinds: dict[str, type[ChatMessage]] = {"called": ToolCallChatMessage, "answered": ModelChatMessage}  # type: ignore[valid-type]

    def listen(event: ChatEvent) -> None:
        if isinstance(event, MessageAdded) and isinstance(event.message, kinds.get(place, ())):
            stand()

    return listen


def stand_before_the_note_of_the_result(store: Store) -> None:
    """Let the write through, and no more."""
    append = store.conversations.append

    def stop_at_result(conversation_id: int, event: StoredEvent) -> bool:
        if event.kind == "result":
            stand()
        return append(conversation_id, event)

    store.conversations.append = stop_at_result  # type: ignore[method-assign]


if __name__ == "__main__":
    main()
