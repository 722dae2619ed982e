"""The text of a crash report: what the program did, never what the user wrote.

A report is made to be copied and sent, so it must be safe without being read first. Where an error came from (files
and lines of the program, kinds of errors) says nothing about the user. Its message may: it can quote a note, a title,
a file in the home folder. So of a message only words stay that the program brought itself: those that stand in the
`raise` statement, or, where Python made the message, its own phrases and the names in the code that it is about.
"""

from __future__ import annotations

import builtins
import dis
import errno
import linecache
import platform
import re
import sqlite3
import sys
import sysconfig
import traceback
from collections.abc import Iterator
from pathlib import Path, PurePath
from types import CodeType, TracebackType
from typing import Final

from lifehelper_desktop import __version__

MASK: Final = "…"
_PACKAGE: Final = "lifehelper_desktop"
_LONGEST: Final = 2000  # characters of a message
_DEPTH: Final = 8  # of errors that led to each other; a longer chain tells nothing new
_FRAMES: Final = 60  # of one traceback: the first and last ones of an endless recursion are enough
_WORD: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*")
_PIECE: Final = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\w[\w.]*|[^\w\s]|\s+""")
_PATH: Final = re.compile(
    r"""(?:^|(?<=[\s'"`(=]))(?:file://|[A-Za-z]:[\\/]|~?[\\/](?=[^\s/\\])|\\\\)[^\n]*""", re.MULTILINE
)
_SIGNS: Final = frozenset("()[]{}:,;.-+*/%<>=!?|&")
_MASKS: Final = re.compile(rf"{MASK}(?:\s*{MASK})+")

#: Errors whose messages quote names of the code; the others quote values.
_ABOUT_CODE: Final = (AttributeError, ImportError, NameError, TypeError)

#: The words of messages that Python makes itself about code.
_OF_PYTHON: Final = """
a an and are argument arguments as assigned assignment async at attribute attributes be been before but by byte call
callable can cannot changed coroutine could deleted dictionary division does during empty enough exceeded expected
first for format found from function generator given global got has have in index indices instance instances int
integer integers invalid is it item items iterable iteration join keyword keyword-only length like list local maximum
method missing module more most multiple must name no non-iterable not object objects of on one only operand operands
operation or out outer own partially pop positional range recursion referenced required requires returned returns
sequence set size str string subscriptable supported supports takes the to too tuple type types unexpected unhashable
uninitialized unpack unsupported value values was were where which with without zero
"""
_PHRASES: Final = frozenset(_OF_PYTHON.split())


def crash_text(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> str:
    """Return the text of a crash report: versions and where it happened, no user data."""
    head = f"LifeHelper Desktop {__version__}\nPython {sys.version}\n{platform.platform()}\n\n"
    return head + error_text(kind, error, trace)


def error_text(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> str:
    """Return a traceback like Python's own, without paths of this machine and without words of the user's."""
    lines: list[str] = []
    for each, its_trace, link in reversed(list(_chain(error, trace))):
        lines.append("Traceback (most recent call last):")
        lines += _frames(its_trace)
        lines.append(_last_line(type(each) if each is not error else kind, each, its_trace))
        lines += [f"  {line}" for line in _members(each)]
        if link:
            lines += ["", link, ""]
    return "\n".join(lines) + "\n"


def safe_message(error: BaseException, trace: TracebackType | None = None) -> str:
    """Return what of an error's message the program itself brought; the rest is masked."""
    if isinstance(error, sqlite3.Error):
        return getattr(error, "sqlite_errorname", "") or ""
    if isinstance(error, OSError) and error.errno is not None:
        return errno.errorcode.get(error.errno, str(error.errno))
    words, names = _own_words(error, trace if trace is not None else error.__traceback__)
    try:
        message = str(error)[:_LONGEST]
    except Exception:  # noqa: BLE001 - an error that cannot even be read must not hide the first one
        return MASK
    out = "".join(_shown(piece, words, names) for piece in _PIECE.findall(message))
    return _MASKS.sub(MASK, out).strip()


def safe_value(value: object) -> object:
    """Return what of a value in a line of the log says nothing of the user: no message of an error, no path.

    Numbers stay as they are. What becomes of a text is only looked through for paths: whoever logs one vouches for it.
    """
    if isinstance(value, BaseException):
        return _told(value)
    if isinstance(value, PurePath):
        return MASK
    if value is None or isinstance(value, bool | int | float):
        return value
    return without_paths(str(value))


def without_paths(text: str) -> str:
    """Return `text` with everything from the begin of a path to the end of its line masked: names have blanks."""
    return _PATH.sub(MASK, text)


def _told(error: BaseException) -> str:
    """An error in one line: what it is and where, and what led to it."""
    parts: list[str] = []
    for each, trace, _link in _chain(error, error.__traceback__):
        places = [(frame.f_code, number) for frame, number in traceback.walk_tb(trace)]
        where = f" ({safe_path(places[-1][0].co_filename)}:{places[-1][1]})" if places else ""
        parts.append(_last_line(type(each), each, trace) + where)
    return " < ".join(parts)


def _shown(piece: str, words: frozenset[str], names: frozenset[str]) -> str:
    if piece.isspace():
        return " "
    if piece in _SIGNS:
        return piece
    if len(piece) > 1 and piece[0] == piece[-1] and piece[0] in "'\"":
        return piece if piece[1:-1] in names else f"{piece[0]}{MASK}{piece[0]}"
    return piece if _WORD.fullmatch(piece) and piece.rstrip(".") in words else MASK


def _chain(
    error: BaseException, trace: TracebackType | None
) -> Iterator[tuple[BaseException, TracebackType | None, str]]:
    """The error and what led to it, newest first, each with the line that leads on to the one after it."""
    seen: set[int] = set()
    link = ""
    current: BaseException | None = error
    while current is not None and id(current) not in seen and len(seen) < _DEPTH:
        seen.add(id(current))
        yield current, (trace if current is error else current.__traceback__), link
        if current.__cause__ is not None:
            current, link = current.__cause__, "The above exception was the direct cause of the following exception:"
        elif not current.__suppress_context__:
            current = current.__context__
            link = "During handling of the above exception, another exception occurred:"
        else:
            current = None


def _frames(trace: TracebackType | None) -> list[str]:
    found = list(traceback.walk_tb(trace))
    lines = []
    for at, (frame, number) in enumerate(found):
        if len(found) > _FRAMES and _FRAMES // 2 <= at < len(found) - _FRAMES // 2:
            if at == _FRAMES // 2:
                lines.append(f"  … {len(found) - _FRAMES} more …")
            continue
        code = frame.f_code
        lines.append(f'  File "{safe_path(code.co_filename)}", line {number}, in {code.co_qualname}')
        source = linecache.getline(code.co_filename, number, frame.f_globals).strip()
        if source and _is_program(code.co_filename):
            lines.append(f"    {source}")
    return lines


def _last_line(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> str:
    name = kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
    message = safe_message(error, trace)
    return f"{name}: {message}" if message else name


def _members(error: BaseException) -> list[str]:
    if not isinstance(error, BaseExceptionGroup):
        return []
    return [_last_line(type(each), each, each.__traceback__) for each in error.exceptions[:_DEPTH]]


def safe_path(name: str) -> str:
    """Return a file of the program without the folders that it lies in: those can hold the user's name."""
    parts = Path(name).parts
    for root in (_PACKAGE, "site-packages", "dist-packages"):
        if root in parts:
            at = len(parts) - 1 - parts[::-1].index(root)
            return "/".join(parts[at + (root != _PACKAGE) :])
    library = sysconfig.get_path("stdlib")
    if library and Path(name).is_relative_to(library):
        return Path(name).relative_to(library).as_posix()
    if name.startswith("<") or _is_packed(name):  # `<frozen …>`, `<string>`
        return name
    return Path(name).name if name.endswith(".py") else MASK


def _is_program(name: str) -> bool:
    """Whether a file is code that came with the program or with Python: its lines are nobody's notes."""
    library = sysconfig.get_path("stdlib")
    inside = {_PACKAGE, "site-packages", "dist-packages"} & set(Path(name).parts)
    return bool(inside) or _is_packed(name) or bool(library and Path(name).is_relative_to(library))


def _is_packed(name: str) -> bool:
    """Whether it is a file inside a frozen program: its name has no folder of this machine."""
    return getattr(sys, "frozen", False) and name.endswith(".py") and not Path(name).is_absolute()


def _own_words(error: BaseException, trace: TracebackType | None) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words that may stand in a message as they are, and those that may stand in quotes."""
    last = trace
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    if last is None or not _is_program(last.tb_frame.f_code.co_filename):
        return frozenset(), frozenset()
    code = last.tb_frame.f_code
    if last.tb_lasti >= 0 and dis.opname[code.co_code[last.tb_lasti]] == "RAISE_VARARGS":
        return frozenset(_literals(code, last.tb_lasti)), frozenset()
    names = {*code.co_names, *code.co_varnames, *code.co_freevars, *code.co_cellvars, *dir(builtins), "NoneType"}
    if isinstance(error, AttributeError) and error.obj is not None:
        names.add(type(error.obj).__name__)
    return _PHRASES | names, frozenset(names) if isinstance(error, _ABOUT_CODE) else frozenset()


def _literals(code: CodeType, at: int) -> Iterator[str]:
    """The words of the texts inside the `raise` statement whose instruction is at `at`."""
    instructions = list(dis.get_instructions(code))
    place = next((each.positions for each in instructions if each.offset == at), None)
    if place is None or place.lineno is None or place.end_lineno is None:
        return
    for each in instructions:
        where = each.positions
        if (
            isinstance(each.argval, str)
            and each.opcode in dis.hasconst
            and where is not None
            and where.lineno is not None
            and place.lineno <= where.lineno <= place.end_lineno
        ):
            yield from (word.rstrip(".") for word in _WORD.findall(each.argval))
