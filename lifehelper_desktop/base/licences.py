"""What the program is made of and under which terms: texts of our own, and the list that an installer brings.

`resources/licences` holds the texts that go with any copy; `third-party.json`, written when the program is frozen,
names every library inside. A program from source has its libraries beside it, each with its own licence.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from lifehelper_desktop.base.paths import resources_dir

_OWN: Final = "index.json"
_THIRD_PARTY: Final = "third-party.json"


@dataclass(frozen=True, slots=True)
class Licence:
    """One component: its name and version, its licence in short, the whole text (may be empty), its home page."""

    name: str
    version: str
    licence: str
    text: str
    home: str = ""


def read_licences(folder: Path | None = None) -> list[Licence]:
    """Return every component: those with a text of ours first, then the libraries by name."""
    folder = folder if folder is not None else resources_dir() / "licences"
    out = []
    for row in _rows(folder / _OWN):
        texts = [(folder / name).read_text(encoding="utf-8") for name in row["files"]]
        out.append(Licence(row["name"], "", row["licence"], "\n\n".join(texts)))
    if (folder / _THIRD_PARTY).is_file():
        for row in _rows(folder / _THIRD_PARTY):
            fields = (row.get(key, "") for key in ("name", "version", "licence", "text", "home"))
            out.append(Licence(*fields))
    return out


def _rows(path: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return rows
