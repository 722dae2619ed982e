"""A language model that answers from a script: the tests' stand-in for llama.cpp. Never part of the package."""

from __future__ import annotations

import dataclasses
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from lifehelper_desktop.llm.protocol import (
    LlmChatEvent,
    LlmCheckpoint,
    LlmError,
    LlmModelInfo,
    LlmPrompt,
    LlmStopped,
    LlmToolResult,
    LlmTrim,
    LlmTurn,
    LlmTurnStats,
    LoadProgress,
)

SCRIPTED_INFO = LlmModelInfo("scripted", "scripted", "scripted.gguf", 1, 4096, True)


@dataclass(eq=False)
class ScriptPause:
    """A place in the script where the model stands still until the test lets it go on, or stops it.

    `reached` is set when the stream stands here; `go` lets it go on.
    """

    reached: threading.Event = field(default_factory=threading.Event)
    go: threading.Event = field(default_factory=threading.Event)


class ScriptThinking:
    """A place in the script where the prompt has been read and the model begins to write."""


ScriptItem = LlmChatEvent | Exception | ScriptPause | ScriptThinking
Script = Sequence[Sequence[ScriptItem]]


class ScriptedLlmService:
    """Implements LlmService: each model turn plays the next list of the script.

    An exception in a list is raised at its place, a ScriptPause waits there. When the script is empty a turn raises
    `LlmError("script_empty", …)`. `request_stop` works from any thread, in a pause and between events.

    Attributes:
        load_error: Raised by `load` when set.
        load_steps: Fractions that `load` reports.
        load_pause: Where `load` stands still, or None.
        texts: Answers of `generate_text`, first first; an exception is raised.
        prompts: What each `start_chat` got. user_inputs: (text, context) of each `send_user`.
        tool_results: The results of each `send_tool_results`. noted_results: of each `add_tool_results`.
        instructions: What each `generate_text` got.
        rollbacks: How many messages had been sent at the mark of each `rollback`.
        trims: What `trimmed` of a session answers from each message on; what more it leaves out is asked of the
            prompt's recap. recaps: What that answered.
        retold: The notes of each `retell`.
        text_pause: Where each `generate_text` stands still, or None.
        chat_tuned: What `info` says of the model.
    """

    def __init__(self, script: Script = (), *, texts: Iterable[str | Exception] = ()) -> None:
        """Play `script`; the same script goes on over all sessions."""
        self.script: deque[Sequence[ScriptItem]] = deque(script)
        self.texts: deque[str | Exception] = deque(texts)
        self.load_error: Exception | None = None
        self.load_steps: Sequence[float] = (0.0, 0.5, 1.0)
        self.load_pause: ScriptPause | None = None
        self.prompts: list[LlmPrompt] = []
        self.sessions: list[ScriptedChatSession] = []
        self.user_inputs: list[tuple[str, str]] = []
        self.tool_results: list[Sequence[LlmToolResult]] = []
        self.noted_results: list[Sequence[LlmToolResult]] = []
        self.instructions: list[str] = []
        self.rollbacks: list[int] = []
        self.trims: deque[LlmTrim] = deque()
        self.recaps: list[LlmTurn | None] = []
        self.retold: list[str] = []
        self.text_pause: ScriptPause | None = None
        self.chat_tuned = True
        self.load_count = 0
        self.close_count = 0
        self.stop_count = 0
        self.threads: set[int] = set()
        self._loaded = False
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._paused: ScriptPause | None = None

    @property
    def is_loaded(self) -> bool:
        """Whether `load` succeeded since the last `close`."""
        return self._loaded

    @property
    def info(self) -> LlmModelInfo | None:
        """The scripted model's card while it is loaded."""
        return dataclasses.replace(SCRIPTED_INFO, chat_tuned=self.chat_tuned) if self._loaded else None

    @property
    def user_texts(self) -> list[str]:
        """The user's messages without their context."""
        return [text for text, _context in self.user_inputs]

    def load(self, progress: LoadProgress | None = None) -> LlmModelInfo:
        """Report `load_steps`, or raise `load_error`."""
        self.threads.add(threading.get_ident())
        if self._loaded:
            return SCRIPTED_INFO
        self.load_count += 1
        self._stop.clear()
        if self.load_pause is not None:
            self._stand(self.load_pause)
        if self.load_error is not None:
            raise self.load_error
        for step in self.load_steps:
            if progress is not None:
                progress(step)
        self._loaded = True
        return SCRIPTED_INFO

    def start_chat(self, prompt: LlmPrompt) -> ScriptedChatSession:
        """Begin a conversation that goes on in the script."""
        assert self._loaded, "start_chat before load"
        self.prompts.append(prompt)
        session = ScriptedChatSession(self, prompt)
        self.sessions.append(session)
        return session

    def request_stop(self) -> None:
        """Make the running stream or load raise LlmStopped."""
        with self._lock:
            self.stop_count += 1
            self._stop.set()
            if self._paused is not None:
                self._paused.go.set()

    def close(self) -> None:
        """Forget the model."""
        self._loaded = False
        self.close_count += 1

    def play(self) -> Iterator[LlmChatEvent]:
        """Stream the next model turn of the script (used by the session)."""
        self.threads.add(threading.get_ident())
        self._stop.clear()
        if not self.script:
            raise LlmError("script_empty", "the script has no further turn")
        for item in self.script.popleft():
            if isinstance(item, ScriptPause):
                self._stand(item)
                continue
            if isinstance(item, ScriptThinking):
                if self.prompts[-1].thinking is not None:
                    self.prompts[-1].thinking()
                continue
            if self._stop.is_set():
                raise LlmStopped
            if isinstance(item, Exception):
                raise item
            yield item

    def stand_at_text(self) -> None:
        """Stand at `text_pause`, where there is one (used by the session)."""
        self._stop.clear()
        self.threads.add(threading.get_ident())
        if self.text_pause is not None:
            self._stand(self.text_pause)

    def _stand(self, pause: ScriptPause) -> None:
        with self._lock:
            self._paused = pause
        pause.reached.set()
        # A signal that comes just before a wait without end would be heard only after it.
        while not self._stop.is_set() and not pause.go.wait(0.05):
            pass
        with self._lock:
            self._paused = None
        if self._stop.is_set():
            raise LlmStopped


class ScriptedChatSession:
    """Implements LlmChatSession on its service's script."""

    def __init__(self, service: ScriptedLlmService, prompt: LlmPrompt) -> None:
        """Belong to `service`."""
        self._service = service
        self._prompt = prompt
        self.closed = False
        self.trimmed = LlmTrim()
        self.stats = LlmTurnStats()
        self.total_stats = LlmTurnStats()

    def send_user(self, text: str, context: str = "") -> Iterator[LlmChatEvent]:
        """Record the message and play the next turn."""
        self._service.user_inputs.append((text, context))
        if self._service.trims:
            before, self.trimmed = self.trimmed, self._service.trims.popleft()
            if self.trimmed.exchanges > before.exchanges and self._prompt.recap is not None:
                self._service.recaps.append(self._prompt.recap(self.trimmed.exchanges))
        return self._service.play()

    def send_tool_results(self, results: Sequence[LlmToolResult]) -> Iterator[LlmChatEvent]:
        """Record the results and play the next turn."""
        self._service.tool_results.append(tuple(results))
        return self._service.play()

    def add_tool_results(self, results: Sequence[LlmToolResult]) -> None:
        """Record results that come without asking for an answer."""
        self._service.noted_results.append(tuple(results))

    def checkpoint(self) -> LlmCheckpoint:
        """Mark how many messages were sent."""
        return LlmCheckpoint(self, len(self._service.user_inputs))

    def rollback(self, checkpoint: LlmCheckpoint) -> None:
        """Record it; the script goes on where it is."""
        if checkpoint.session is not self or not isinstance(checkpoint.state, int):
            raise ValueError("a checkpoint of another session")
        self._service.rollbacks.append(checkpoint.state)

    def retell(self, note: str) -> None:
        """Record it."""
        self._service.retold.append(note)

    def generate_text(self, instruction: str, *, max_tokens: int = 120, spare: bool = False) -> str:
        """Record the instruction and return the next of `texts`."""
        self._service.instructions.append(instruction)
        self._service.stand_at_text()
        answer = self._service.texts.popleft() if self._service.texts else ""
        if isinstance(answer, Exception):
            raise answer
        return answer

    def request_stop(self) -> None:
        """Stop the service's running stream."""
        self._service.request_stop()

    def close(self) -> None:
        """Mark the session closed."""
        self.closed = True
