"""Text on its way into the database: what is stored comes back exactly as it was stored, on every screen."""

from __future__ import annotations

import unicodedata

from lifehelper_desktop.domain.rules import NOTE_MAX, RuleViolation

_REPLACEMENT = "\ufffd"


def clean_text(text: str, *, keep_lines: bool = False) -> str:
    """Return `text` composed (NFC), trimmed, and free of what a database or screen cannot carry.

    Lone surrogates become U+FFFD; NUL and other control characters go. Line breaks stay with `keep_lines`,
    otherwise they and tabs become spaces.
    """
    composed = unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n"))
    return "".join(_clean(char, keep_lines) for char in composed).strip()


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


def _clean(char: str, keep_lines: bool) -> str:
    if char == "\n":
        return "\n" if keep_lines else " "
    if char == "\t":
        return " "
    category = unicodedata.category(char)
    if category == "Cs":
        return _REPLACEMENT
    return "" if category == "Cc" else char
