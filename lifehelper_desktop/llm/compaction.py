"""Making room in a conversation: old results of tools become short before whole exchanges are dropped."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from lifehelper_desktop.llm.protocol import LlmToolResult, LlmTurn

_WORD_MAX: Final = 40
_REASON_MAX: Final = 80


def short_result(result: LlmToolResult) -> LlmToolResult:
    """Return a result of which only the status and what is short are left; lists are counted."""
    return dataclasses.replace(result, result=_short(result.result))


def _short(envelope: Mapping[str, Any]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for key, value in envelope.items():
        if key == "data" and isinstance(value, Mapping):
            out[key] = _short(value)
        elif isinstance(value, str):
            limit = _REASON_MAX if key == "reason" else _WORD_MAX
            out[key] = value if len(value) <= limit else value[: limit - 1] + "…"
        elif isinstance(value, list | tuple):
            out[key] = f"({len(value)})"
        elif not isinstance(value, Mapping):
            out[key] = value
    return out


@dataclass(slots=True)
class Noted:
    """What one exchange holds of results, and of news about what was left out.

    Attributes:
        turn: The past exchange that was rendered as a whole, or None for one that was held here.
        first: Whether it was rendered as the first one.
        results: The tokens of each round of results as they stand in the exchange, and the results.
        note: What was told beside the user's message of exchanges that were left out, or empty.
        told: The tokens up to the model's turn with that note; `plain` are those without it.
    """

    turn: LlmTurn | None = None
    first: bool = False
    results: list[tuple[list[int], Sequence[LlmToolResult]]] = field(default_factory=list)
    note: str = ""
    told: Sequence[int] = ()
    plain: Sequence[int] = ()

    def copy(self) -> Noted:
        """Return a copy that a later change does not reach."""
        return dataclasses.replace(self, results=list(self.results))

    def take_back_note(self, exchange: list[int]) -> None:
        """Take the note out of `exchange`, in place."""
        if self.note and exchange[: len(self.told)] == list(self.told):
            exchange[: len(self.told)] = self.plain
        self.note, self.told, self.plain = "", (), ()

    def shrink(
        self,
        exchange: list[int],
        render_results: Callable[[Sequence[LlmToolResult]], list[int]],
        render_turn: Callable[[LlmTurn, bool], list[int]],
        *,
        keep_last: bool = False,
    ) -> int:
        """Make the results in `exchange` short, in place, and return how many tokens that saves; once only.

        With `keep_last` the newest round stays whole: the model has still to answer it.
        """
        before = len(exchange)
        if self.turn is not None and self.turn.results:
            shorter = tuple(short_result(result) for result in self.turn.results)
            tokens = render_turn(dataclasses.replace(self.turn, results=shorter), self.first)
            if len(tokens) < len(exchange):
                exchange[:] = tokens
        self.turn = None
        count = len(self.results) - int(keep_last)
        for tokens, results in self.results[:count]:
            shorter_tokens = render_results([short_result(result) for result in results])
            at = _find(exchange, tokens)
            if at is not None and len(shorter_tokens) < len(tokens):
                exchange[at : at + len(tokens)] = shorter_tokens
        del self.results[:count]
        return before - len(exchange)


def _find(tokens: Sequence[int], part: Sequence[int]) -> int | None:
    """Return where `part` stands in `tokens`, or None."""
    if not part:
        return None
    wanted = list(part)
    for at in range(len(tokens) - len(wanted) + 1):
        if tokens[at] == wanted[0] and list(tokens[at : at + len(wanted)]) == wanted:
            return at
    return None
