"""The markers of a format as the tokens of one loaded vocabulary."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from lifehelper_desktop.llm.formats.base import ChatFormat, Marker
from lifehelper_desktop.llm.vocabulary import Vocabulary

_EMPTY_THOUGHT: Final = 3
"""Tokens inside a channel that holds no thought: its name and a line's end."""


class Wire:
    """What a session must know to run a format on a model.

    Attributes:
        markers: The tokens that the parser gets as markers.
        stop_tokens: Tokens that end the model's turn without being decoded.
        stop_strings: Texts that end it; none where tokens say it, for a text may quote them.
        spelled: Whether the vocabulary lacks markers, so that they are looked for in the text.
    """

    def __init__(self, chat_format: ChatFormat, vocabulary: Vocabulary) -> None:
        """Look all markers up by their text."""
        found = {text: vocabulary.marker(text) for text in chat_format.markers}
        self.markers = {token: Marker(text) for text, token in found.items() if token is not None}
        self.spelled = len(self.markers) < len(chat_format.markers)
        stops = (vocabulary.marker(text) for text in chat_format.stop_markers)
        self.stop_tokens = frozenset(token for token in stops if token is not None)
        self.stop_strings: Sequence[str] = () if chat_format.markers and not self.spelled else chat_format.stop_strings
        opening, closing = (found.get(text) for text in chat_format.thought or ("", ""))
        self._thought = None if opening is None or closing is None else (opening, closing)

    def without_thoughts(self, tokens: Sequence[int]) -> list[int]:
        """Return a finished exchange as it stands in the past; the same tokens when nothing was thought in it.

        Text from outside can never hold the markers, so all that stands between them is the model's.
        """
        if self._thought is None:
            return list(tokens)
        opening, closing = self._thought
        kept: list[int] = []
        inside = longest = 0
        is_open = False
        for token in tokens:
            if token == opening:
                is_open = True
                inside = 0
            elif token == closing:
                is_open = False
            elif is_open:
                inside += 1
                longest = max(longest, inside)
            else:
                kept.append(token)
        # An empty channel costs less to keep than the answer behind it to read again.
        return kept if longest > _EMPTY_THOUGHT else list(tokens)
