"""The model's side of one conversation: loaded and begun when needed, taken back, begun anew from what was said."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lifehelper_desktop.chat.messages import ChatEvent, ModelLoading, PromptReading, UserChatMessage
from lifehelper_desktop.llm.protocol import (
    LlmChatEvent,
    LlmChatSession,
    LlmCheckpoint,
    LlmModelInfo,
    LlmPrompt,
    LlmService,
    LlmStopped,
    LlmToolResult,
    LlmTrim,
)


class ModelSide:
    """Used on the thread that owns the model, except for `request_stop`.

    Attributes:
        session: The conversation as the model has it, or None: it is begun with the next message.
        pending: Results that the model has still to be told.
    """

    def __init__(
        self,
        llm: LlmService,
        prompt: Callable[[], LlmPrompt],
        emit: Callable[[ChatEvent], None],
        stopped: Callable[[], bool],
    ) -> None:
        """Talk to `llm`; `prompt` gives what starts a conversation, its history included, at the moment it begins."""
        self._llm = llm
        self._prompt = prompt
        self._emit = emit
        self._stopped = stopped
        self._mark: tuple[LlmCheckpoint, list[LlmToolResult]] | None = None
        self.session: LlmChatSession | None = None
        self.pending: list[LlmToolResult] = []

    @property
    def trimmed(self) -> LlmTrim:
        """What had to be left out of the conversation so far for want of room."""
        return self.session.trimmed if self.session is not None else LlmTrim()

    @property
    def info(self) -> LlmModelInfo | None:
        """The model that the conversation was begun with, or None where none was."""
        return self._llm.info if self.session is not None else None

    def ready(self) -> LlmChatSession:
        """Load the model and begin the conversation when that has not happened yet.

        Raises:
            WorldError: There is no model.
            LlmStopped: The user stopped it.
        """
        if self.session is not None and not self._llm.is_loaded:
            # The service was closed under us: begin anew, from the history, rather than talk to nothing.
            self.close()
        if self.session is None:
            self._llm.load(self._loading_listener())
            if self._stopped():
                raise LlmStopped
            self.session = self._llm.start_chat(self._prompt())
        self._emit(PromptReading())
        return self.session

    def beside(self) -> LlmChatSession:
        """Return the session for an answer beside the conversation; it is begun when that has not happened yet.

        Raises:
            WorldError: There is no model.
            LlmStopped: The user stopped it.
        """
        return self.session if self.session is not None and self._llm.is_loaded else self.ready()

    def send_user(self, message: UserChatMessage) -> Iterator[LlmChatEvent]:
        """Send a message, after the results that are left; this moment is marked for `go_back`."""
        self._mark = None
        session = self.ready()
        pending = self._take_pending()
        self._mark = (session.checkpoint(), pending)
        if pending:
            session.add_tool_results(pending)
        return session.send_user(message.text, message.context)

    def send_results(self) -> Iterator[LlmChatEvent]:
        """Send the pending results."""
        return self.ready().send_tool_results(self._take_pending())

    def go_back(self) -> None:
        """Forget the last message and all that followed; without a mark of it the conversation begins anew."""
        if self._mark is not None and self._mark[0].session is self.session and self.session is not None:
            self.session.rollback(self._mark[0])
            self.pending = list(self._mark[1])
        else:
            self.close()

    def request_stop(self) -> None:
        """Stop what runs. Any thread."""
        session = self.session
        if session is not None:
            session.request_stop()
        self._llm.request_stop()

    def close(self) -> None:
        """Give the conversation's memory back; it can begin anew."""
        session, self.session = self.session, None
        self._mark = None
        self.pending = []  # results of calls that the next session never made would only confuse it
        if session is not None:
            session.close()

    def _take_pending(self) -> list[LlmToolResult]:
        pending, self.pending = self.pending, []
        return pending

    def _loading_listener(self) -> Callable[[float], None]:
        """Return a progress function that passes on each whole per cent once: llama.cpp reports every tensor."""
        shown = -1

        def listen(fraction: float) -> None:
            nonlocal shown
            percent = int(fraction * 100)
            if percent > shown:
                shown = percent
                self._emit(ModelLoading(fraction))

        return listen
