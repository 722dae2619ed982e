"""Writes a conversation down while it happens. Trouble with the disk ends the keeping, never the conversation."""

from __future__ import annotations

import logging
from collections.abc import Collection

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.settings import KEEP_CONVERSATIONS
from lifehelper_desktop.chat.history import event_of
from lifehelper_desktop.chat.messages import ChatMessage, UserChatMessage
from lifehelper_desktop.storage.conversations import Invocation
from lifehelper_desktop.storage.store import Store

_log = logging.getLogger(__name__)


class ConversationKeeper:
    """Keeps one conversation at a time, on the thread that runs it.

    Attributes:
        conversation_id: The conversation that is kept, or None: nothing is stored.
    """

    def __init__(self, store: Store, *, wanted: bool = True) -> None:
        """Keep into `store`; without `wanted` nothing is stored, whatever the setting says."""
        self._store = store
        self._wanted = wanted and not store.db.is_read_only
        self.conversation_id: int | None = None

    def begin_turn(self, message: UserChatMessage) -> None:
        """Store the user's message; the first one begins a conversation, when the setting allows it."""
        try:
            if self._is_on() and self.conversation_id is None:
                self.conversation_id = self._store.conversations.start(message.text)
        except WorldError as error:
            self._give_up(error)
        self.note(message)

    def begin_again(self, message: UserChatMessage, keep: Collection[str]) -> None:
        """Store `message` in the place of the last one; of what followed it only the calls in `keep` stay."""
        try:
            if not self._is_on() or self.conversation_id is None:
                return
            if not self._store.conversations.rewrite_last(self.conversation_id, event_of(message), keep):
                self.conversation_id = None
        except WorldError as error:
            self._give_up(error)

    def note(self, message: ChatMessage) -> None:
        """Store what just happened; a conversation that was deleted meanwhile is kept no longer."""
        if self.conversation_id is None:
            return
        try:
            if not self._store.conversations.append(self.conversation_id, event_of(message)):
                self.conversation_id = None
        except WorldError as error:
            self._give_up(error)
        except (TypeError, ValueError, RecursionError) as error:  # a model's arguments that no JSON can hold
            _log.warning("a chat event could not be stored: %s", error)

    def invocation(self, key: str) -> Invocation | None:
        """Return what binds a write to the call `key`, or None when nothing is kept."""
        return None if self.conversation_id is None else Invocation(key, self.conversation_id)

    def _is_on(self) -> bool:
        """Return whether conversations are to be kept; one that is going on is let go of when they are not."""
        if not self._wanted or not self._store.settings.get_bool(KEEP_CONVERSATIONS):
            self.conversation_id = None
            return False
        return True

    def _give_up(self, error: WorldError) -> None:
        _log.warning("the conversation is kept no longer: %s", error)
        self.conversation_id = None
