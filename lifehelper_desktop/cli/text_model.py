"""The model for one tool call on the command line: loaded when the tool really asks, given back at the end."""

from __future__ import annotations

from collections.abc import Callable

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.llm.protocol import LlmChatSession, LlmError, LlmPrompt, LlmService


class LoadedTextModel:
    """Implements TextModel without a conversation. Used on one thread."""

    def __init__(self, make: Callable[[], LlmService], prompt: Callable[[], LlmPrompt]) -> None:
        """Load what `make` returns when the first instruction comes; `prompt` begins its session."""
        self._make = make
        self._prompt = prompt
        self._llm: LlmService | None = None
        self._session: LlmChatSession | None = None

    def generate_text(self, instruction: str, max_tokens: int) -> str:
        """Answer one instruction; see the protocol."""
        try:
            return self._ready().generate_text(instruction, max_tokens=max_tokens)
        except LlmError as error:
            raise WorldError(error.message, _("잠시 뒤에 다시 해 주세요.")) from error

    def close(self) -> None:
        """Give the memory back. Safe to call twice."""
        session, llm = self._session, self._llm
        self._session = self._llm = None
        if session is not None:
            session.close()
        if llm is not None:
            llm.close()

    def _ready(self) -> LlmChatSession:
        if self._session is None:
            self._llm = self._make()
            self._llm.load()
            self._session = self._llm.start_chat(self._prompt())
        return self._session
