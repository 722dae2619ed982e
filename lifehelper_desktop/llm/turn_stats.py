"""Adding up the measures of turns."""

from __future__ import annotations

from lifehelper_desktop.llm.protocol import LlmTurnStats


def add_stats(total: LlmTurnStats, turn: LlmTurnStats) -> None:
    """Add the measures of `turn` to `total`."""
    total.prompt_tokens += turn.prompt_tokens
    total.generated_tokens += turn.generated_tokens
    total.first_token_s += turn.first_token_s
    total.generation_s += turn.generation_s
    total.total_s += turn.total_s
    total.parse_failures += turn.parse_failures
    for key, value in turn.extra.items():
        total.extra[key] = total.extra.get(key, 0.0) + value
