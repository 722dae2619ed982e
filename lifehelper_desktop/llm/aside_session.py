"""What the conversations share in which each message is read on its own, beside the engine's conversation log."""

from __future__ import annotations

from lifehelper_desktop.llm.llama_engine import ASIDE, LlamaEngine, StopFlag
from lifehelper_desktop.llm.protocol import LlmTrim, LlmTurnStats


class AsideSession:
    """The engine, the stop, the measures and the end. On the engine's thread, except for `request_stop`."""

    def __init__(self, engine: LlamaEngine, stop: StopFlag) -> None:
        """Begin with nothing read."""
        self._engine = engine
        self._stop = stop
        self._stats = LlmTurnStats()
        self._total = LlmTurnStats()
        self._closed = False

    @property
    def trimmed(self) -> LlmTrim:
        """Nothing: each message is read on its own."""
        return LlmTrim()

    @property
    def stats(self) -> LlmTurnStats:
        """Measures of the last turn."""
        return self._stats

    @property
    def total_stats(self) -> LlmTurnStats:
        """Measures of all turns of this conversation, added up."""
        return self._total

    def retell(self, note: str) -> None:
        """Nothing was left out, so there is nothing to tell."""

    def request_stop(self) -> None:
        """Stop the running stream. Any thread may call this."""
        self._stop.set()

    def close(self) -> None:
        """Forget the conversation; the model stays loaded. Safe to call twice."""
        if not self._closed and not self._engine.is_closed:
            self._engine.truncate(0, ASIDE)
        self._closed = True
