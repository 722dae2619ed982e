"""Words that stand ready before the turn ends, streamed as written ones would come."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from lifehelper_desktop.llm.protocol import LlmTextChunk

_WORDS: Final = re.compile(r"\S+\s*|\s+")


def stream_words(text: str) -> Iterator[LlmTextChunk]:
    """Yield `text` word by word."""
    for match in _WORDS.finditer(text):
        yield LlmTextChunk(match.group())
