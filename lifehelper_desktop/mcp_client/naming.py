"""Names of servers' tools as models write them: `server__tool`, plain letters, unique, at most forty."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable
from typing import Final

NAME_MAX: Final = 40
_SERVER_MAX, _HASH = 12, 6
_NO_LETTER: Final = re.compile("[^a-z0-9]+")

Key = tuple[str, str]
"""Name of a server and, by the server's own name, of a tool."""


def tool_names(keys: Iterable[Key]) -> dict[Key, str]:
    """Return a name for each tool. It depends on the tool and its neighbours of the same name, not on their order."""
    plain = {key: _plain(key) for key in keys}
    counts = Counter(name for name, _is_whole in plain.values())
    marked = {key: _marked(key, name) for key, (name, is_whole) in plain.items() if not is_whole or counts[name] > 1}
    # A server may have given a tool the very name that another one got by its mark.
    while clashing := [key for key, (name, _) in plain.items() if key not in marked and name in marked.values()]:
        marked |= {key: _marked(key, plain[key][0]) for key in clashing}
    return {key: marked.get(key, name) for key, (name, _is_whole) in plain.items()}


def _plain(key: Key) -> tuple[str, bool]:
    """Return the name, and whether it holds all of the tool's own."""
    server = (_slug(key[0]) or "server")[:_SERVER_MAX].rstrip("_")
    if not server[0].isalpha():
        server = f"s{server}"[:_SERVER_MAX]
    tool = _slug(key[1])
    name = f"{server}__{tool or 'tool'}"
    return name, bool(tool) and len(name) <= NAME_MAX


def _marked(key: Key, name: str) -> str:
    digest = hashlib.sha256("\0".join(key).encode("utf-8", "surrogatepass")).hexdigest()[:_HASH]
    return f"{name[: NAME_MAX - _HASH - 1].rstrip('_')}_{digest}"


def _slug(text: str) -> str:
    return _NO_LETTER.sub("_", text.casefold()).strip("_")
