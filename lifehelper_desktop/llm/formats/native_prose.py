"""What the user sees between the markers: no blank lead, no fence that only wraps a call, no broken call fence."""

from __future__ import annotations

import re
from typing import Final

_TICK: Final = "`"
# A fence at the start of a line that holds nothing but brackets so far.
_OPEN: Final = re.compile(r"`{1,2}|```[\w+-]*[{}\[\](),:\s]*`{0,3}\s*")
_WRAP: Final = re.compile(r"```[\w+-]*\s*")
_CLOSE: Final = re.compile(r"\s*`{0,3}")
_BROKEN: Final = re.compile(r"```(?:json|tool_code|tool_calls?|function_call)\b[{}\[\](),:\s]*`{0,3}\s*")
_MAX_HELD: Final = 200


class Prose:
    """Filters the words of one turn, character by character, so that cutting cannot matter."""

    def __init__(self) -> None:
        """Begin a turn."""
        self.shown = False
        self.broken = ""
        self._held = ""
        self._line_start = True
        self._after_call = False
        self._space = ""  # between a call and words that may follow
        self._in_wrap = False  # the fence that wrapped a call is still to be closed

    def feed(self, text: str) -> str:
        """Return what of `text`, and of what was held back, may be shown by now."""
        return "".join(map(self._char, text))

    def before_call(self) -> str:
        """Return what is shown before a call; a fence that only opens around it is not."""
        held, self._held = self._held, ""
        if self._in_wrap:
            held = ""
        elif _WRAP.fullmatch(held):
            held, self._in_wrap = "", True
        shown = self._emit(held)
        self._space = ""
        self._after_call = True
        return shown

    def finish(self) -> str:
        """Return what was held back; sets `broken` instead when it was meant as a call."""
        held, self._held = self._held, ""
        if self._in_wrap:
            return ""
        if _BROKEN.fullmatch(held):
            self.broken = held
            return ""
        return self._emit(held)

    def _char(self, char: str) -> str:
        if self._in_wrap:
            return self._wrapped(char)
        out = ""
        if self._held:
            longer = self._held + char
            if len(longer) <= _MAX_HELD and _OPEN.fullmatch(longer):
                self._held = longer
                return ""
            out, self._held = self._emit(self._held), ""
        if char == _TICK and self._line_start:
            self._held = char
            return out
        return out + self._emit(char)

    def _wrapped(self, char: str) -> str:
        longer = self._held + char
        if not _CLOSE.fullmatch(longer):
            self._held, self._in_wrap = "", False
            return "".join(map(self._char, longer))
        self._held = longer
        if longer.endswith("```"):
            self._held, self._in_wrap = "", False
        return ""

    def _emit(self, text: str) -> str:
        """Note that `text` is shown; blank text waits until words follow."""
        if not text:
            return ""
        if not text.strip() and (self._after_call or not self.shown):
            self._space += text if self._after_call else ""
            self._line_start = self._line_start or text.endswith("\n")
            return ""
        out = self._space + text
        self.shown = True
        self._after_call = False
        self._space = ""
        self._line_start = text.endswith("\n")
        return out
