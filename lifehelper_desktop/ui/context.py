"""What the window needs of the rest of the program, composed by `__main__` so that `ui` never meets llama.cpp."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from lifehelper_desktop.chat.messages import ChatListener, ChatSessionState
from lifehelper_desktop.llm.protocol import LlmService
from lifehelper_desktop.mcp_client.hub import McpHub
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.tools.confirm_gate import ConfirmGate
from lifehelper_desktop.tools.definition import UiActions
from lifehelper_desktop.tools.frame_suggestion import FrameSuggestion


class CoachController(Protocol):
    """The part of ChatSessionController that the LLM thread drives."""

    @property
    def state(self) -> ChatSessionState:
        """The conversation as it stands."""
        ...

    def user_turn(self, text: str) -> None:
        """Carry out one whole turn; blocks."""
        ...

    def continue_turn(self) -> None:
        """Go on after the turn cap; blocks."""
        ...

    def edit_last(self, text: str) -> None:
        """Answer `text` in the place of the user's last message; blocks."""
        ...

    def open(self, conversation_id: int) -> None:
        """Go on with a stored conversation; raises RuleViolation when there is none."""
        ...

    @property
    def conversation_id(self) -> int | None:
        """The stored conversation that is going on, or None; any thread."""
        ...

    @property
    def may_tidy(self) -> bool:
        """Whether there is something to do while the coach rests."""
        ...

    def tidy(self, interrupted: Callable[[], bool]) -> None:
        """Do it, unless `interrupted`; blocks."""
        ...

    def stop_tidying(self) -> None:
        """End that; any thread, never while a turn runs."""
        ...

    def forget_summary(self) -> None:
        """Delete what stands for the beginning of the conversation."""
        ...

    def clear(self) -> None:
        """Empty the conversation."""
        ...

    def request_stop(self) -> None:
        """End the running turn; any thread."""
        ...

    def suggest_frame(self, protocol_id: str, level: int, language: str) -> FrameSuggestion:
        """Return a sentence to offer that passes R7; blocks; raises WorldError without a model."""
        ...

    def close(self) -> None:
        """Give the conversation's memory back."""
        ...


MakeLlm = Callable[[], LlmService]
MakeController = Callable[[LlmService, ConfirmGate, ChatListener, UiActions], CoachController]


@dataclass(frozen=True, slots=True)
class AppContext:
    """Everything that `run_window` is given.

    Attributes:
        store: The user's data; the window reads and writes it in the main thread.
        make_llm: Called in the LLM thread when the model is first needed; heavy imports belong inside.
        make_controller: Called in the LLM thread after `make_llm`, and again when language or model change.
        language: `ko`, `en` or `system` from the command line, which wins over the stored setting until the user
            chooses another in the settings; empty: the setting.
        servers: The MCP servers that the user added; None where there are none.
    """

    store: Store
    make_llm: MakeLlm
    make_controller: MakeController
    language: str = ""
    servers: McpHub | None = None
