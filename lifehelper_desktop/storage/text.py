"""Text on its way into the database: what is stored comes back exactly as it was stored, on every screen."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from lifehelper_desktop.domain.rules import NOTE_MAX, RuleViolation
from lifehelper_desktop.domain.text import has_visible_text, is_visible

_REPLACEMENT: Final = "\ufffd"
_LINE_END: Final = re.compile("\r\n|[\r\v\f\x85\u2028\u2029]")
_BLANKS: Final = ("\t", "\u2800", "\u3164", "\uffa0")  # shown as empty space
_JOINER: Final = "\u200d"
_BLACK_FLAG: Final = "\U0001f3f4"


def clean_text(text: str, *, keep_lines: bool = False) -> str:
    """Return `text` composed (NFC), trimmed, and free of what a database or screen cannot carry.

    Lone surrogates become U+FFFD; control characters and those that nobody can see go, among them the signs that
    turn the direction of writing, so that a question never reads differently from what is stored. Joiners, tags and
    variation selectors stay inside the signs and letters that they shape (emoji, Indic scripts). Line breaks stay
    with `keep_lines`, otherwise they and tabs become spaces. A text without anything visible becomes empty; a
    cleaned text stays as it is when cleaned again.
    """
    while (cleaned := _clean_once(text, keep_lines)) != text:
        text = cleaned  # removing one sign may join two others
    return text


def clean_note(note: str) -> str:
    """Return the note cleaned, line breaks kept.

    Raises:
        RuleViolation: `validation`, longer than 200 characters.
    """
    cleaned = clean_text(note, keep_lines=True)
    if len(cleaned) > NOTE_MAX:
        raise RuleViolation("validation", field="note")
    return cleaned


def clean_optional(text: str | None) -> str | None:
    """Return the text cleaned, or None when nothing is left."""
    return clean_text(text or "") or None


def shorten(value: object, limit: int = 60) -> str:
    """Return `value` as text fit for a message: cleaned and cut to `limit` characters."""
    try:
        text = clean_text(str(value))
    except ValueError:  # an integer of more digits than Python prints
        return "…"
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _clean_once(text: str, keep_lines: bool) -> str:
    kept: list[str] = []
    before = ""
    for char in _LINE_END.sub("\n", unicodedata.normalize("NFC", text)):
        if char == "\n":
            piece = "\n" if keep_lines else " "
        elif char in _BLANKS:
            piece = " "
        elif unicodedata.category(char) == "Cs":
            piece = _REPLACEMENT
        elif char.isspace() or is_visible(char) or _shapes(char, before):
            piece = char
        else:
            continue
        kept.append(piece)
        before = piece
    cleaned = unicodedata.normalize("NFC", "".join(kept)).strip()
    return cleaned if has_visible_text(cleaned) else ""


def _shapes(char: str, before: str) -> bool:
    """Return whether an invisible character changes how the one before it looks."""
    if not before:
        return False
    kind = unicodedata.category(before)
    if "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef":
        return is_visible(before) and (kind in ("So", "Sm", "Sk", "Po", "Nd", "Lo") or before in "\u20e3©®")
    if char in (_JOINER, "\u200c"):
        # Hangul and Chinese characters have no joined forms: between them a joiner only hides.
        is_cjk = "\u1100" <= before <= "\u11ff" or "\u2e80" <= before <= "\ud7ff" or "\uf900" <= before <= "\uffef"
        is_selector = "\ufe00" <= before <= "\ufe0f"
        return kind in ("So", "Sk") or is_selector or (kind in ("Lo", "Mn", "Mc") and not is_cjk)
    is_tag = "\U000e0020" <= char <= "\U000e007f"  # the flags of England, Scotland and Wales
    return is_tag and (before == _BLACK_FLAG or "\U000e0020" <= before <= "\U000e007f")
