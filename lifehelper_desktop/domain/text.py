"""What can be seen of a text: rules count only that, so that invisible characters never stand for words."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final

# Characters that a screen shows nothing for: Unicode's Default_Ignorable_Code_Point without unassigned ones, the
# marks of interlinear annotation, and the blank braille pattern. Not all are of category Cf (the Hangul fillers
# are letters, the variation selectors marks), and some of Cf are seen (the Arabic number signs).
_UNSEEN: Final = (
    *((0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F)),
    *((0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x2800, 0x2800), (0x3164, 0x3164), (0xFE00, 0xFE0F)),
    *((0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFFB), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A)),
    (0xE0000, 0xE0FFF),
)


@lru_cache(maxsize=8_192)  # a file of a million notes is made of few characters
def is_visible(char: str) -> bool:
    """Return whether a screen shows something for the character: no white space, control or filler."""
    if char.isspace() or unicodedata.category(char) == "Cc":
        return False
    code = ord(char)
    return not any(first <= code <= last for first, last in _UNSEEN)


def visible_length(text: str) -> int:
    """Return how many characters of `text` can be seen."""
    return sum(map(is_visible, text))


def has_visible_text(text: str | None) -> bool:
    """Return whether anything of `text` can be seen; None has nothing."""
    return any(map(is_visible, text or ""))


def same_text(one: str, other: str) -> bool:
    """Return whether two texts look alike: composed, runs of blanks as one space, nothing invisible."""
    return _seen(one) == _seen(other)


def _seen(text: str) -> str:
    blank = ("\u2800", "\u3164", "\uffa0")
    kept = "".join(
        " " if char.isspace() or char in blank else char if is_visible(char) else ""
        for char in unicodedata.normalize("NFC", text)
    )
    return " ".join(unicodedata.normalize("NFC", kept).split())
