"""Finds calls in a model's streamed text: fenced blocks, and blocks that stand on their own line.

Decisions depend only on the text so far, never on how it was cut into pieces. Prose that mentions a call inside a
sentence stays prose. Only what may still become a call is held back.
"""

from __future__ import annotations

import re
from typing import Final

from lifehelper_desktop.llm.formats.base import BrokenCall, FinishReason, ParsedEvent, ParsedEvents
from lifehelper_desktop.llm.formats.calls import CallReader

_FENCE: Final = "```"
_CALL_FENCES: Final = frozenset({"tool_code", "tool_call", "tool_calls", "function_call"})
_MAYBE_FENCES: Final = frozenset({"", "json", "python"})
_WORD: Final = re.compile(r"[A-Za-z_][\w.:]*", re.ASCII)
_INFO: Final = re.compile(r"[ \t]*([\w+-]*)", re.ASCII)
_MAX_HELD: Final = 16_000
_WRAPPERS: Final = ("print", "default_api", "functions", "tools")


class CallStreamParser(ParsedEvents):
    """Incremental parser of the JSON and Python-like styles."""

    def __init__(self, reader: CallReader) -> None:
        """Find calls that `reader` can read."""
        super().__init__()
        self._reader = reader
        self._held = ""
        self._line_start = True
        self._in_code = False  # inside a fence that is not a call: nothing in it runs

    def feed(self, text: str) -> list[ParsedEvent]:
        """Take the next piece of the stream."""
        self._held += text
        while self._step():
            pass
        return self._take()

    def finish(self, reason: FinishReason) -> list[ParsedEvent]:
        """End the stream."""
        while self._held and not self._in_code:
            before = self._held
            if not self._step(final=True) and not self._last(reason):
                break
            if self._held == before:
                break
        self._show(self._held)
        self._held = ""
        return self._take()

    def closing(self) -> str:
        """Return nothing: these calls are plain text."""
        return ""

    def _consume(self, count: int) -> None:
        """Show the next `count` characters."""
        self._show(self._held[:count])
        self._held = self._held[count:]

    # -- one decision; False means: more text is needed

    def _step(self, *, final: bool = False) -> bool:
        if not self._held:
            return False
        if self._in_code:
            return self._code()
        if not self._line_start:
            return self._inside_line(final=final)
        space = len(self._held) - len(self._held.lstrip())
        rest = self._held[space:]
        if not rest:
            return False
        if rest[0] == "`":
            return self._fence(space, rest)
        if rest[0] in "{[":
            return self._bracketed(space, rest, final=final)
        match = _WORD.match(rest)
        if match is not None:
            return self._named(space, rest, match.group(), final=final)
        return self._as_prose()

    def _as_prose(self) -> bool:
        """Give the rest of this line up as words."""
        space = len(self._held) - len(self._held.lstrip())
        self._consume(space + 1)
        self._line_start = False
        return True

    def _inside_line(self, *, final: bool) -> bool:
        newline, fence = self._held.find("\n"), self._held.find(_FENCE)
        ends = [index for index in (newline, fence) if index >= 0]
        if ends:
            self._consume(min(ends))
            self._line_start = True
            return True
        # A fence may begin inside a line: its first backticks wait.
        ticks = 0 if final else len(self._held) - len(self._held.rstrip("`"))
        count = len(self._held) - ticks
        self._consume(count)
        return False

    def _code(self) -> bool:
        end = self._held.find(_FENCE)
        if end < 0:
            ticks = len(self._held) - len(self._held.rstrip("`"))
            self._consume(len(self._held) - ticks)
            return False
        self._consume(end + len(_FENCE))
        self._in_code = False
        self._line_start = False
        return True

    def _fence(self, space: int, rest: str) -> bool:
        if not rest.startswith(_FENCE):
            return False if _FENCE.startswith(rest) else self._as_prose()
        info = _INFO.match(rest, len(_FENCE))
        assert info is not None
        if info.end() == len(rest):
            return False
        language = info.group(1).lower()
        if language not in _CALL_FENCES and language not in _MAYBE_FENCES:
            return self._open_code(space)
        end = rest.find(_FENCE, info.end())
        if (end if end >= 0 else len(rest)) > _MAX_HELD:
            return self._open_code(space)
        if end < 0:
            return False
        self._fenced_block(space, rest[: end + len(_FENCE)], language, rest[info.end() : end])
        return True

    def _open_code(self, space: int) -> bool:
        self._consume(space + len(_FENCE))
        self._in_code = True
        return True

    def _fenced_block(self, space: int, block: str, language: str, content: str) -> None:
        meant = language in _CALL_FENCES
        calls = self._reader.read(content, fenced=True, any_name=meant)
        if calls is None and not meant and not self._looks_broken(language, content):
            self._consume(space + len(block))
            self._line_start = False
            return
        self._held = self._held[space + len(block) :]
        self._events.extend(calls if calls is not None else [BrokenCall(block)])

    def _looks_broken(self, language: str, content: str) -> bool:
        """Whether a block that cannot be read was meant as a call: JSON with a name, or nothing but brackets."""
        if language != "json":
            return False
        inner = content.strip()
        return not inner.strip("{}[](),: \n") or (
            '"name"' in inner and any(f'"{name}"' in inner for name in self._reader.names)
        )

    def _bracketed(self, space: int, rest: str, *, final: bool) -> bool:
        inner = rest[1:].lstrip()
        if not inner:
            return False
        allowed = "\"'}" if rest[0] == "{" else "{]"
        if inner[0] not in allowed and not (
            rest[0] == "[" and self._may_be_name(inner, whole=_WORD.fullmatch(inner) is not None)
        ):
            return self._as_prose()
        return self._block(space, rest, final=final)

    def _named(self, space: int, rest: str, word: str, *, final: bool) -> bool:
        if len(word) == len(rest) or not rest[len(word) :].strip(" \t"):
            if self._may_be_name(word, whole=True) and not final:
                return False
            return self._as_prose()
        if rest[len(word) :].lstrip(" \t")[0] != "(" or not self._is_name(word):
            return self._as_prose()
        return self._block(space, rest, final=final)

    def _is_name(self, word: str) -> bool:
        """Whether `word` in front of a bracket names a known tool, alone or behind a usual prefix."""
        if word in self._reader.names or word == "print":
            return True
        return self._has_known_head(word) and self._reader.known_name(word) is not None

    def _has_known_head(self, word: str) -> bool:
        head, separator, _tail = re.sub(r"[.:]", ".", word, count=1).partition(".")
        return bool(separator) and (head in _WRAPPERS or head in self._reader.names)

    def _may_be_name(self, text: str, *, whole: bool) -> bool:
        """Whether `text` begins with a known name or, when `whole`, may still grow into one."""
        match = _WORD.match(text)
        if match is None:
            return False
        word = match.group()
        if self._is_name(word):
            return True
        starts = (*self._reader.names, *_WRAPPERS)
        return whole and (self._has_known_head(word) or any(name.startswith(word) for name in starts))

    def _block(self, space: int, rest: str, *, final: bool) -> bool:
        """Decide on a bracketed block that must have its lines to itself."""
        end = balanced_end(rest)
        if (end or len(rest)) > _MAX_HELD:
            return self._as_prose()
        if end is None:
            return False
        after = rest[end:].lstrip(" \t,;")
        if not after and not final:
            return False
        if after and after[0] not in "\n\r{[`":
            return self._as_prose()
        calls = self._reader.read(rest[:end], fenced=False)
        if calls is None:
            return self._as_prose()
        self._events.extend(calls)
        self._held = after
        self._line_start = True
        return True

    def _last(self, reason: FinishReason) -> bool:
        """Decide on what is still open when the stream ends; False leaves it as text."""
        space = len(self._held) - len(self._held.lstrip())
        rest = self._held[space:]
        if not rest:
            self._held = ""
            return True
        language, content, meant = "", rest, False
        if rest.startswith(_FENCE):
            info = _INFO.match(rest, len(_FENCE))
            assert info is not None
            language, content = info.group(1).lower(), rest[info.end() :].rstrip("`")
            meant = language in _CALL_FENCES
            calls = self._reader.read(content, fenced=True, any_name=meant)
            if calls is not None:
                self._held = ""
                self._events.extend(calls)
                return True
        elif (rest[0] not in "{[" and not self._may_be_name(rest, whole=False)) or balanced_end(rest) is not None:
            return False
        cut = self._reader.cut_off(content)
        if reason is FinishReason.LENGTH and (cut is not None or meant):
            self._held = ""
            self._events.append(cut if cut is not None else BrokenCall(rest))
            return True
        if meant or cut is not None or self._looks_broken(language or "json", content):
            self._held = ""
            self._events.append(BrokenCall(rest))
            return True
        return False


def balanced_end(text: str) -> int | None:
    """Return where the bracket that `text` opens first is closed again, brackets in strings left out, or None."""
    depth = 0
    quote = ""
    escaped = False
    previous = ""
    for index, char in enumerate(text):
        if quote:
            if escaped:
                escaped = False
            elif char == "\\":
                escaped = True
            elif char == quote:
                quote = ""
        elif char == '"' or (char == "'" and previous in "([{,:="):
            quote = char
        elif char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
            if depth <= 0:
                return index + 1
        if not char.isspace():
            previous = char
    return None
