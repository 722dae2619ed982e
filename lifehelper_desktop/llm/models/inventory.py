"""The list of models: what is offered, what is on this machine, what the user added. Reads files; any thread."""

from __future__ import annotations

import json
import logging
import os
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.base.paths import AppPaths
from lifehelper_desktop.llm.gguf_header import GgufHeader
from lifehelper_desktop.llm.model_store import prepared_path, starter_available
from lifehelper_desktop.llm.models.known import STARTER_ID, KnownModel, known_models
from lifehelper_desktop.llm.models.memory import (
    Fit,
    MemoryNeed,
    available_memory,
    fit_of,
    need_of_file,
    need_of_known,
)
from lifehelper_desktop.llm.models.part_file import part_size, remove_part
from lifehelper_desktop.llm.probe import check_header

_log = logging.getLogger(__name__)


class Place(StrEnum):
    """Where a model is: in the app, in the models folder, elsewhere on this machine, begun, or not here."""

    BUNDLED = "bundled"
    HERE = "here"
    ADDED = "added"
    BEGUN = "begun"
    ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class ModelRow:
    """One line of the list.

    Attributes:
        id: The known model's id, else the file's path.
        known: What the app knows of it, None for a file of the user's.
        path: The file, None when it is not here.
        bytes: Size of the file.
        fetched: Bytes of a begun download.
        fit: Against the memory that was free when the list was made, `available` bytes.
        problem: Why the file cannot be used, in words; empty when nothing is known against it.
    """

    id: str
    name: str
    known: KnownModel | None
    place: Place
    path: Path | None
    bytes: int
    fetched: int
    need: MemoryNeed
    fit: Fit
    available: int
    in_use: bool
    problem: str = ""

    @property
    def is_here(self) -> bool:
        """Whether it can be chosen now."""
        return self.place in (Place.BUNDLED, Place.HERE, Place.ADDED) and not self.problem

    @property
    def setting(self) -> str:
        """The value of the setting `model_path` that chooses it."""
        return "" if self.place is Place.BUNDLED or self.path is None else str(self.path)


# -- the user's own files


def read_added(setting: str) -> list[Path]:
    """Return the files of the setting `added_models`, in order."""
    try:
        rows = json.loads(setting) if setting else []
    except ValueError:
        return []
    return [Path(each) for each in rows if isinstance(each, str)] if isinstance(rows, list) else []


def write_added(files: Iterable[Path]) -> str:
    """Return the setting that names `files`, each once."""
    return json.dumps(list(dict.fromkeys(str(each) for each in files)))


def add_file(setting: str, path: Path) -> tuple[Path, str]:
    """Return the absolute path of a model file and the setting with it added.

    Raises:
        WorldError: It is no GGUF file that the app can use.
    """
    path = Path(os.path.abspath(path.expanduser()))  # noqa: PTH100 - links stay as the user named them
    if path.exists() and not path.is_file():
        # A folder; or a pipe or a device, from which reading may never end.
        raise WorldError(_("GGUF 모델 파일이 아니에요: {name}").format(name=path.name))
    check_header(path)
    return path, write_added([*read_added(setting), path])


# -- the list


def list_models(paths: AppPaths, in_use: str, added: str, *, headers: bool = True) -> list[ModelRow]:
    """Return every model, known ones first.

    Args:
        paths: Its `models` folder is looked through; files that somebody put there count as well.
        in_use: The setting `model_path`.
        added: The setting `added_models`.
        headers: Read the headers of files that were not read before (a third of a second each); otherwise what is
            known stands in for them.
    """
    maker = _Maker(paths.models, in_use, available_memory(), headers)
    rows = [maker.known(model) for model in known_models()]
    taken = {_key(maker.models / model.file) for model in known_models()}
    others = [*_gguf_files(paths.models), *read_added(added), *([Path(in_use)] if in_use else [])]
    for path in others:
        if _key(path) not in taken:
            taken.add(_key(path))
            rows.append(maker.own(path))
    return rows


def find_row(rows: Iterable[ModelRow], name: str) -> ModelRow | None:
    """Return the row that a user means by an id or a path."""
    wanted = _key(Path(name))
    return next((row for row in rows if row.id == name or (row.path is not None and _key(row.path) == wanted)), None)


def remove_model(paths: AppPaths, row: ModelRow, added: str) -> str:
    """Remove a model that is not in use and return the setting `added_models` afterwards.

    A file in the models folder is deleted, with what was fetched of it; a file elsewhere only leaves the list.

    Raises:
        WorldError: It is in use, is part of the app, or the disk refused.
    """
    if row.place is Place.BUNDLED:
        raise WorldError(_("기본 모델은 앱의 일부라 지울 수 없어요."))
    if row.in_use:
        raise WorldError(_("지금 쓰는 모델이에요."), _("다른 모델로 바꾼 뒤에 지워 주세요."))
    try:
        if row.place is Place.HERE and row.path is not None:
            row.path.unlink(missing_ok=True)
        if row.known is not None:
            remove_part(paths.models, row.known.file)
    except OSError as error:
        _log.warning("remove %s", row.path, exc_info=error)
        raise WorldError(
            _("파일을 지우지 못했어요: {reason}").format(reason=error.strerror or error),
            _("다른 프로그램이 쓰고 있지 않은지 확인해 주세요."),
        ) from error
    return write_added(each for each in read_added(added) if row.path is None or _key(each) != _key(row.path))


def _key(path: Path) -> str:
    return os.path.normcase(os.path.abspath(path.expanduser()))  # noqa: PTH100


def _gguf_files(folder: Path) -> list[Path]:
    try:
        return sorted(each for each in folder.iterdir() if each.suffix.lower() == ".gguf" and each.is_file())
    except OSError:
        return []


class _Maker:
    def __init__(self, models: Path, in_use: str, available: int, headers: bool) -> None:
        self.models, self._in_use, self._available, self._headers = models, in_use, available, headers

    def known(self, model: KnownModel) -> ModelRow:
        path = self.models / model.file
        if model.bundled:
            path = prepared_path() or path
            here = starter_available() or path.is_file()
            problem = "" if here else _("기본 모델이 설치되어 있지 않아요.")
            return self._row(STARTER_ID, model.name, model, Place.BUNDLED, path if path.is_file() else None, problem)
        if path.is_file():
            return self._row(model.id, model.name, model, Place.HERE, path, "")
        fetched = part_size(self.models, model.file)
        return self._row(model.id, model.name, model, Place.BEGUN if fetched else Place.ABSENT, None, "", fetched)

    def own(self, path: Path) -> ModelRow:
        place = Place.HERE if _key(path.parent) == _key(self.models) else Place.ADDED
        return self._row(str(path), path.stem, None, place, path, "")

    def _row(
        self,
        row_id: str,
        name: str,
        known: KnownModel | None,
        place: Place,
        path: Path | None,
        problem: str,
        fetched: int = 0,
    ) -> ModelRow:
        header = None
        if path is not None and place is not Place.BUNDLED:
            try:
                header = _header(path, self._headers)
            except WorldError as error:
                problem = str(error)
        need = _need(header, known, path)
        uses = self._in_use == "" if place is Place.BUNDLED else path is not None and self._uses(path)
        size = need.file if known is None or header is not None else known.bytes
        if header is not None and known is None and header.name.strip():
            name = "".join(sign for sign in header.name.strip()[:80] if sign.isprintable()) or name
        fit = fit_of(need, self._available)
        return ModelRow(row_id, name, known, place, path, size, fetched, need, fit, self._available, uses, problem)

    def _uses(self, path: Path) -> bool:
        return bool(self._in_use) and _key(Path(self._in_use)) == _key(path)


def _need(header: GgufHeader | None, known: KnownModel | None, path: Path | None) -> MemoryNeed:
    if header is not None:
        return need_of_file(header, known)
    if known is not None:
        return need_of_known(known)
    try:
        return MemoryNeed(path.stat().st_size if path is not None else 0, 0, 0, 0, False)
    except OSError:
        return MemoryNeed(0, 0, 0, 0, False)


# -- headers are read once; afterwards the file's size and time say that it is the same

_CACHE_SIZE: Final = 50
_cache: dict[tuple[str, int, int], GgufHeader] = {}
_cache_lock = threading.Lock()


def _header(path: Path, read: bool, check: Callable[[Path], GgufHeader] = check_header) -> GgufHeader | None:
    try:
        stat = path.stat()
    except OSError:
        return check(path)  # says what is wrong
    key = (_key(path), stat.st_size, stat.st_mtime_ns)
    with _cache_lock:
        found = _cache.get(key)
    if found is not None or not read:
        return found
    header = check(path)
    with _cache_lock:
        while len(_cache) >= _CACHE_SIZE:
            del _cache[next(iter(_cache))]
        _cache[key] = header
    return header
