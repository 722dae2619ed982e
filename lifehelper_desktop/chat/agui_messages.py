"""The messages of a conversation as AG-UI knows them: each with an id that stays its own."""

from __future__ import annotations

import json
import re
from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from typing import Any, Final

from ag_ui.core import AssistantMessage, FunctionCall, Message, ToolCall, ToolMessage, UserMessage

from lifehelper_desktop.chat.messages import ChatMessage, ModelChatMessage, ToolCallChatMessage, UserChatMessage

_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def clean(text: str) -> str:
    """Return `text` without lone surrogates, which no encoder takes."""
    return _SURROGATE.sub("\ufffd", text)


def json_text(value: Any) -> str:
    """Return JSON text of what a model or a tool gave; what JSON cannot hold, as a number that is none, is a word."""
    try:
        plain = json.loads(json.dumps(value, default=str), parse_constant=str)
        return clean(json.dumps(plain, ensure_ascii=False))
    except (TypeError, ValueError, RecursionError):
        return "{}"


class AguiMessages:
    """What a client has when it has applied the stream so far. Lines of the app itself are no messages here."""

    def __init__(self, next_id: Callable[[], str]) -> None:
        """Begin empty; `next_id` makes ids."""
        self._next_id = next_id
        self._messages: list[Message] = []
        self._parents: dict[str, AssistantMessage] = {}  # by the id of the call
        self._answered: set[str] = set()
        self._ids: defaultdict[tuple[str, str], deque[str]] = defaultdict(deque)

    def snapshot(self) -> list[Message]:
        """Return copies of all messages, oldest first."""
        return [message.model_copy(deep=True) for message in self._messages]

    def add_user(self, text: str) -> None:
        """Add what the user said."""
        self._messages.append(UserMessage(id=self._id_of("user", text), content=clean(text)))

    def add_text(self, text: str, message_id: str) -> None:
        """Add an answer of the coach that was streamed as `message_id`."""
        self._ids["model", text].append(message_id)
        self._messages.append(AssistantMessage(id=message_id, content=clean(text)))

    def add_call(self, card: ToolCallChatMessage, parent_id: str) -> str:
        """Add a call to the coach's message `parent_id`, which is made where there is none; return its arguments."""
        parent = next(
            (each for each in self._messages if isinstance(each, AssistantMessage) and each.id == parent_id), None
        )
        if parent is None:
            parent = AssistantMessage(id=parent_id)
            self._messages.append(parent)
        arguments = json_text(dict(card.args))
        function = FunctionCall(name=clean(card.name), arguments=arguments)
        parent.tool_calls = [*(parent.tool_calls or ()), ToolCall(id=card.key, function=function)]
        self._parents[card.key] = parent
        return arguments

    def add_result(self, card: ToolCallChatMessage) -> ToolMessage | None:
        """Add what a call has answered and return it; None for a call that is unknown or answered already."""
        if card.result is None or card.key not in self._parents or card.key in self._answered:
            return None
        self._answered.add(card.key)
        message = ToolMessage(
            id=self._id_of("result", card.key), content=json_text(card.result.to_json()), tool_call_id=card.key
        )
        self._messages.append(message)
        return message.model_copy()

    def replace(self, messages: Sequence[ChatMessage]) -> None:
        """Hold these messages instead; those that were there before keep their ids."""
        parents = {key: parent.id for key, parent in self._parents.items()}
        kept = self._ids
        self._messages, self._parents, self._answered = [], {}, set()
        self._ids = defaultdict(deque)
        parent: str | None = None
        for message in messages:
            match message:
                case UserChatMessage(text=text):
                    parent = None
                    self._again(kept, "user", text)
                    self.add_user(text)
                case ModelChatMessage(text=text):
                    ids = kept["model", text]
                    parent = ids.popleft() if ids else self._next_id()
                    self.add_text(text, parent)
                case ToolCallChatMessage() as card:
                    parent = parents.get(card.key) or parent or self._next_id()
                    self.add_call(card, parent)
                    self._again(kept, "result", card.key)
                    self.add_result(card)
                case _:
                    pass

    def _again(self, kept: defaultdict[tuple[str, str], deque[str]], kind: str, content: str) -> None:
        """Let the next message of this kind and content have the id that it had."""
        ids = kept[kind, content]
        if ids:
            self._ids[f"{kind} again", content].append(ids.popleft())

    def _id_of(self, kind: str, content: str) -> str:
        again = self._ids[f"{kind} again", content]
        found = again.popleft() if again else self._next_id()
        self._ids[kind, content].append(found)
        return found
