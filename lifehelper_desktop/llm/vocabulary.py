"""Text to tokens and back, and the rule that text we did not write never becomes a control token."""

from __future__ import annotations

import ctypes
import re
from functools import lru_cache
from typing import Any, Final

WORD_JOINER: Final = "\u2060"

# What looks like a marker of any model family: <bos>, <end_of_turn>, <|tool_call>, <tool_call|>, <|"|>, [multimodal].
_MARKER: Final = re.compile(r'[<\[](?=[|/@]?["A-Za-z_][^\s<>\[\]]{0,40}[|@]?[>\]]|\|"\|>)')
_UNKNOWN, _UNUSED, _CONTROL, _USER_DEFINED = 1, 2, 8, 16
_SPACES: Final = " \t\r\n▁"


def break_markers(text: str) -> str:
    """Return `text` with an invisible word joiner inside all that looks like a model's marker; NUL is dropped."""
    return _MARKER.sub(lambda match: match.group() + WORD_JOINER, text.replace("\0", ""))


class Vocabulary:
    """The tokens of one loaded model. Lives on the engine's thread and dies with the model."""

    def __init__(self, api: Any, vocab: Any) -> None:
        """Wrap llama.cpp's `vocab` pointer."""
        self._api = api
        self._vocab = vocab
        self.size = int(api.llama_vocab_n_tokens(vocab))
        self.bos = int(api.llama_vocab_bos(vocab))
        self.adds_bos = bool(api.llama_vocab_get_add_bos(vocab))
        self._piece = lru_cache(maxsize=4096)(self._read_piece)
        self._is_special = lru_cache(maxsize=65536)(self._read_special)

    def tokenize(self, text: str, *, special: bool) -> list[int]:
        """Return the tokens of `text`; with `special`, marker strings in it become control tokens."""
        if not text:
            return []
        data = text.encode("utf-8", "replace")
        room = len(data) + 16
        buffer = (self._api.llama_token * room)()
        count = self._api.llama_tokenize(self._vocab, data, len(data), buffer, room, False, special)
        if count < 0:
            room = -count
            buffer = (self._api.llama_token * room)()
            count = self._api.llama_tokenize(self._vocab, data, len(data), buffer, room, False, special)
        return [int(token) for token in buffer[: max(0, count)]]

    def tokenize_untrusted(self, text: str) -> list[int]:
        """Return the tokens of text from outside: none of them is a control or user-defined marker."""
        tokens = self.tokenize(break_markers(text), special=False)
        # Some user-defined tokens are matched even so, and models differ: what is left is spelled out or dropped.
        if any(self.is_marker(token) for token in tokens):
            tokens = [plain for token in tokens for plain in self._spell_out(token)]
        return tokens

    def _spell_out(self, token: int) -> list[int]:
        if not self.is_marker(token):
            return [token]
        text = self.piece(token, special=True).decode("utf-8", "replace")
        plain = self.tokenize(text[:1] + WORD_JOINER + text[1:], special=False)
        return [part for part in plain if not self.is_marker(part)]

    def is_marker(self, token: int) -> bool:
        """Whether `token` is a control, unknown or user-defined token other than plain white space."""
        return self._is_special(token)

    def _read_special(self, token: int) -> bool:
        attributes = int(self._api.llama_vocab_get_attr(self._vocab, token))
        if attributes & (_CONTROL | _UNKNOWN | _UNUSED):
            return True
        if not attributes & _USER_DEFINED:
            return False
        text = (self._api.llama_vocab_get_text(self._vocab, token) or b"").decode("utf-8", "replace")
        return bool(text.strip(_SPACES))

    def marker(self, text: str) -> int | None:
        """Return the control or user-defined token that is `text` as a whole, or None when there is none."""
        tokens = self.tokenize(text, special=True)
        return tokens[0] if len(tokens) == 1 and self.is_marker(tokens[0]) else None

    def ends_generation(self, token: int) -> bool:
        """Whether the model says with `token` that its turn is over."""
        return bool(self._api.llama_vocab_is_eog(self._vocab, token))

    def piece(self, token: int, *, special: bool = False) -> bytes:
        """Return the bytes of one token, perhaps a part of a character; control tokens are empty unless `special`."""
        return self._piece(token, special)

    def _read_piece(self, token: int, special: bool) -> bytes:
        room = 64
        for _attempt in range(2):
            buffer = ctypes.create_string_buffer(room)
            count = int(self._api.llama_token_to_piece(self._vocab, token, buffer, room, 0, special))
            if count >= 0:
                return buffer.raw[:count]
            room = -count
        return b""
