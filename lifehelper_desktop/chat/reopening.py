"""Going on with what was: a stored conversation, and the writes of an answer that is given anew."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from lifehelper_desktop.chat.history import messages_of
from lifehelper_desktop.chat.messages import ChatMessage, ToolCallChatMessage
from lifehelper_desktop.chat.stored_rows import describe_changes
from lifehelper_desktop.storage.store import Store


def read_conversation(
    store: Store, conversation_id: int, language: str
) -> tuple[tuple[ChatMessage, ...], list[ToolCallChatMessage]]:
    """Return the messages of a stored conversation, and those calls whose result only their write has kept.

    Raises:
        RuleViolation: `not_found`.
        WorldError: It could not be read.
    """
    kept = store.conversations
    with store.db.read():
        kept.get(conversation_id)
        events, written = kept.events(conversation_id), kept.results(conversation_id)
    answered = {event.invocation for event in events if event.kind == "result"}
    messages: list[ChatMessage] = []
    rebuilt: list[ToolCallChatMessage] = []
    for message in messages_of(events, written):
        if isinstance(message, ToolCallChatMessage) and message.result is not None and message.key not in answered:
            stored = describe_changes(store, message.changes, language) if message.changes is not None else ""
            message = dataclasses.replace(message, stored=stored)
            rebuilt.append(message)
        messages.append(message)
    return tuple(messages), rebuilt


def writes_that_stay(store: Store, messages: Sequence[ChatMessage], language: str) -> tuple[ToolCallChatMessage, ...]:
    """Return the calls among `messages` that changed rows which are still there: what was taken back is not done.

    Raises:
        WorldError: The rows could not be read.
    """
    return tuple(
        message
        for message in messages
        if isinstance(message, ToolCallChatMessage)
        and message.changes is not None
        and describe_changes(store, message.changes, language)
    )
