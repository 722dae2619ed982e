"""Reads `call:name{key:value,…}`, the call syntax of Gemma 4 and FunctionGemma, as generously as models need it.

The string marker stands as `QUOTE`, a character that no text can hold, so that what the model merely spells out
never ends a string. What was loose is marked `repaired`; what is not whole gives None.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, Final

from lifehelper_desktop.llm.formats.calls import CallReader
from lifehelper_desktop.llm.protocol import LlmFunctionCall, LlmTool

QUOTE: Final = "\ufdd0"
"""Stands for the string marker; a Unicode noncharacter, taken out of all other text."""

_HEAD: Final = re.compile(r"\s*(call\s*:\s*|call\s+)?([\w.:-]+)\s*")
_NEXT: Final = re.compile(r"[\s,;}]*(?=call\s*[:\s]\s*[\w.-])")
_AFTER: Final = re.compile(r"[\s,;}]*")
_KEY: Final = re.compile(rf"[^:={{}}\[\],{QUOTE}]+")
_BARE: Final = re.compile(rf"[^,{{}}\[\]{QUOTE}]*")
_NUMBER: Final = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?", re.ASCII)
_STRICT_NUMBER: Final = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?", re.ASCII)
_GOES_ON: Final = re.compile(
    rf"\s*(?:[}}\]:]|,\s*(?:}}|(?:{QUOTE}[^{QUOTE}]*{QUOTE}|\"[^\"]*\"|'[^']*'|[\w.-]+)\s*[:=]))"
)
_LIST_GOES_ON: Final = re.compile(r"\s*[,\]]")
_QUOTES: Final = {'"': '"', "'": "'", "“": "”", "‘": "’"}
_MAX_DEPTH: Final = 32
_MAX_DIGITS: Final = 300


class _UnreadableError(Exception):
    """The text is no whole call."""


class NativeCallReader:
    """Knows the tools of one conversation and reads calls to them."""

    def __init__(self, tools: Sequence[LlmTool]) -> None:
        """Read calls to `tools`; unknown names pass, for the markers leave no doubt that a call is meant."""
        self._calls = CallReader(tools)
        self._texts = {
            tool.name: {
                key
                for key, row in tool.parameters.get("properties", {}).items()
                if isinstance(row, dict) and row.get("type") == "string"
            }
            for tool in tools
        }

    def read(self, text: str) -> tuple[list[LlmFunctionCall], str] | None:
        """Return the calls that stand between one pair of markers, and what text follows them; None: unreadable."""
        try:
            return self._read(text)
        except (_UnreadableError, RecursionError):
            calls = self._calls.read(text.replace(QUOTE, '"'), fenced=True, any_name=True)
            return (calls, "") if calls else None

    def cut_off(self, text: str) -> LlmFunctionCall | None:
        """Return the call that `text` began and never finished, for the record only, or None without a name."""
        head = _HEAD.match(text)
        if head is None or not (head.group(1) or text[head.end() : head.end() + 1] == "{"):
            return self._calls.cut_off(text)
        name = head.group(2)
        return LlmFunctionCall(self._calls.known_name(name) or name, {}, cut_off=True)

    def _read(self, text: str) -> tuple[list[LlmFunctionCall], str]:
        calls: list[LlmFunctionCall] = []
        position = 0
        while True:
            call, position = self._one(text, position)
            calls.append(call)
            following = _NEXT.match(text, position)
            if following is None:
                break
            position = following.end()
        after = _AFTER.match(text, position)
        assert after is not None
        return calls, text[after.end() :].replace(QUOTE, '"')

    def _one(self, text: str, position: int) -> tuple[LlmFunctionCall, int]:
        head = _HEAD.match(text, position)
        if head is None:
            raise _UnreadableError
        written = head.group(2).strip(":")
        known = self._calls.known_name(written)
        name = known or written
        if text[head.end() : head.end() + 1] != "{":
            # A bare name is a call only to a tool that exists, when nothing else is said.
            rest = text[head.end() :]
            if known is None or not head.group(1) or (rest.strip() and _NEXT.match(rest) is None):
                raise _UnreadableError
            return LlmFunctionCall(name, {}, repaired=True), head.end()
        scanner = _Scanner(text, head.end() + 1, frozenset(self._texts.get(name, ())))
        members = scanner.arguments()
        return (
            LlmFunctionCall(
                name,
                {key: value for key, value in members.items() if value is not None},
                repaired=scanner.loose or name != head.group(2) or not head.group(1),
            ),
            scanner.position,
        )


class _Scanner:
    """Reads the members of one object from `position` on; `loose` tells whether anything had to be forgiven."""

    def __init__(self, text: str, position: int, texts: frozenset[str]) -> None:
        self._text = text
        self._texts = texts
        self.position = position
        self.loose = False

    def arguments(self) -> dict[str, Any]:
        """Read the arguments after their opening bracket, which some templates make models double."""
        if self._peek() != "{":
            return self._members(0, self._texts)
        self.position += 1
        members = self._members(1, self._texts)
        self._expect("}")
        self.loose = True
        return members

    def _peek(self) -> str:
        """Return the next character that is no white space, or nothing at the end."""
        while self.position < len(self._text) and self._text[self.position].isspace():
            self.position += 1
        return self._text[self.position : self.position + 1]

    def _expect(self, char: str) -> None:
        if self._peek() != char:
            raise _UnreadableError
        self.position += 1

    def _members(self, depth: int, texts: frozenset[str] = frozenset()) -> dict[str, Any]:
        if depth > _MAX_DEPTH:
            raise _UnreadableError
        out: dict[str, Any] = {}
        while True:
            char = self._peek()
            if char == "}":
                self.position += 1
                return out
            if out:
                self._expect(",")
                if self._peek() == "}":
                    self.loose = True
                    continue
            key = self._key()
            mark = self._peek()
            if mark not in (":", "="):
                raise _UnreadableError
            self.loose = self.loose or mark == "="
            self.position += 1
            if key in out:
                raise _UnreadableError
            out[key] = self._value(depth, as_text=key in texts)

    def _key(self) -> str:
        char = self._peek()
        if char == QUOTE:
            return self._marked_string()
        if char in _QUOTES:
            end = self._text.find(_QUOTES[char], self.position + 1)
            if end < 0:
                raise _UnreadableError
            key = self._text[self.position + 1 : end]
            self.position = end + 1
            self.loose = True
            return key
        match = _KEY.match(self._text, self.position)
        if match is None or not match.group().strip():
            raise _UnreadableError
        self.position = match.end()
        return match.group().strip()

    def _value(self, depth: int, *, as_text: bool = False, in_list: bool = False) -> Any:
        char = self._peek()
        if char == QUOTE:
            return self._marked_string()
        if char == "{":
            self.position += 1
            return self._members(depth + 1)
        if char == "[":
            self.position += 1
            return self._list(depth + 1)
        if char in _QUOTES:
            return self._plain_string(_QUOTES[char], _LIST_GOES_ON if in_list else _GOES_ON)
        return self._bare(as_text=as_text)

    def _list(self, depth: int) -> list[Any]:
        if depth > _MAX_DEPTH:
            raise _UnreadableError
        out: list[Any] = []
        while True:
            if self._peek() == "]":
                self.position += 1
                return out
            if out:
                self._expect(",")
                if self._peek() == "]":
                    self.loose = True
                    continue
            out.append(self._value(depth, in_list=True))

    def _marked_string(self) -> str:
        end = self._text.find(QUOTE, self.position + 1)
        if end < 0:
            raise _UnreadableError
        value = self._text[self.position + 1 : end]
        self.position = end + 1
        return value

    def _plain_string(self, closing: str, goes_on: re.Pattern[str]) -> str:
        """Read a string in common quotes: it ends at the first one after which the syntax can go on."""
        self.loose = True
        start = self.position + 1
        index = start
        while (index := self._text.find(closing, index)) >= 0:
            backslashes = len(self._text[start:index]) - len(self._text[start:index].rstrip("\\"))
            if backslashes % 2 == 0 and goes_on.match(self._text, index + 1):
                self.position = index + 1
                return _unescape(self._text[start:index])
            index += 1
        raise _UnreadableError

    def _bare(self, *, as_text: bool) -> Any:
        match = _BARE.match(self._text, self.position)
        assert match is not None
        # A number or word counts only once something stands behind it: `108.` may have been cut.
        if self._text[match.end() : match.end() + 1] not in (",", "}", "]") or match.end() >= len(self._text):
            raise _UnreadableError
        self.position = match.end()
        word = match.group().strip()
        plain = word.casefold()
        if plain in ("null", "none", ""):
            self.loose = self.loose or plain != "null"
            return None
        if as_text:
            self.loose = True
            return word
        if plain in ("true", "false"):
            self.loose = self.loose or word != plain
            return plain == "true"
        number = _number(word)
        if number is not None:
            self.loose = self.loose or _STRICT_NUMBER.fullmatch(word) is None
            return number
        self.loose = True
        return word


def _number(word: str) -> int | float | None:
    if len(word) > _MAX_DIGITS or _NUMBER.fullmatch(word) is None:
        return None
    if re.fullmatch(r"[-+]?\d+", word):
        return int(word)
    number = float(word)
    return number if abs(number) != float("inf") else None


def _unescape(text: str) -> str:
    if "\\" not in text:
        return text
    try:
        value = json.loads('"' + text.replace('\\"', '"').replace('"', '\\"') + '"', strict=False)
    except ValueError:
        return text
    return value if isinstance(value, str) else text
