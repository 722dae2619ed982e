"""A controller over a scripted model and a real store."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lifehelper_desktop.chat.controller import ChatSessionController
from lifehelper_desktop.chat.messages import ChatEvent
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.tools.confirm_gate import ConfirmGate
from lifehelper_desktop.tools.registry import ToolRegistry
from tests.helpers.scripted_llm import Script, ScriptedLlmService
from tests.helpers.worlds import RecordingGate

MakeChat = Callable[..., "Chat"]


class Chat:
    """A controller with its model, gate and the events it told."""

    def __init__(self, store: Store, script: Script, gate: ConfirmGate | None, language: str = "ko") -> None:
        """Script the model with `script`."""
        self.llm = ScriptedLlmService(script)
        self.events: list[ChatEvent] = []
        self.gate = gate
        self.controller = ChatSessionController(
            self.llm, store, ToolRegistry.defaults(), gate, self.events.append, language
        )

    def say(self, text: str) -> None:
        """Run one user turn."""
        self.controller.user_turn(text)

    @property
    def state(self):  # type: ignore[no-untyped-def]
        """The controller's state."""
        return self.controller.state

    def kinds(self) -> list[str]:
        """Short names of the messages: user, model, tool, system."""
        return [type(message).__name__.removesuffix("ChatMessage").lower() for message in self.state.messages]


@pytest.fixture
def make_chat(store: Store) -> MakeChat:
    """Return a maker of chats over the store; the gate says yes unless another is given."""

    def make(*script: list[object], gate: ConfirmGate | None = None, no_gate: bool = False) -> Chat:
        return Chat(store, script, None if no_gate else gate or RecordingGate())  # type: ignore[arg-type]

    return make
