"""A file of another program, read with care: bounded sizes, no path of its own followed, nothing in it run."""

from __future__ import annotations

import csv
import io
import json
import lzma
import re
import sqlite3
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.storage.text import shorten
from lifehelper_desktop.storage.transfer.errors import TransferError
from lifehelper_desktop.storage.transfer.watch import Watch

MEBIBYTE: Final = 1 << 20
MAX_BYTES: Final = 256 * MEBIBYTE  # of a file, and of all that an archive holds
MAX_MEMBERS: Final = 20_000
_FOLDER_DEPTH: Final = 4
_CELL_BYTES: Final = 16 * MEBIBYTE
_SQLITE_MAGIC: Final = b"SQLite format 3\0"
_VIRTUAL: Final = re.compile(r"\s*CREATE\s+VIRTUAL", re.IGNORECASE)
_ZIP_MAGICS: Final = (b"PK\x03\x04", b"PK\x05\x06")
#: What the standard library raises for archives that are none, or whose packed bytes are not what they should be.
_ZIP_ERRORS: Final = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError),
    *(NotImplementedError, UnicodeError, ValueError),
)


class Kind(StrEnum):
    """How a file is built, seen from its first bytes."""

    SQLITE = "sqlite"
    ZIP = "zip"
    FOLDER = "folder"
    TEXT = "text"


def damaged(name: str) -> TransferError:
    """Return the error for a file that is cut short or otherwise broken."""
    return TransferError(
        "unreadable",
        _("파일이 잘렸거나 손상되어 읽지 못했어요: {name}").format(name=name),
        _("앱에서 다시 내보낸 파일로 해 주세요."),
    )


def too_large() -> TransferError:
    """Return the error for a file that is larger than what is read."""
    return TransferError(
        "too_large",
        _("파일이 너무 커요. {size} MB까지 읽을 수 있어요.").format(size=MAX_BYTES // MEBIBYTE),
        _("기간을 나누어 내보낸 파일로 해 주세요."),
    )


class SourceFile:
    """One file or folder that the user chose. One thread; nothing is written beside it."""

    def __init__(self, path: Path, watch: Watch) -> None:
        """Look at the first bytes.

        Raises:
            TransferError: `unreadable` when there is no such file, `too_large`.
        """
        self.path = path
        self.name = shorten(path.name, 200) or "?"
        self.watch = watch
        self._read = 0  # bytes of members so far
        try:
            self.kind = self._look()
        except OSError as error:
            raise self._missing() from error

    def _look(self) -> Kind:
        if self.path.is_dir():
            return Kind.FOLDER
        if not self.path.is_file():  # a pipe or device would never end
            raise self._missing()
        if self.path.stat().st_size > MAX_BYTES:
            raise too_large()
        with self.path.open("rb") as file:
            head = file.read(16)
        if head == _SQLITE_MAGIC:
            return Kind.SQLITE
        return Kind.ZIP if head.startswith(_ZIP_MAGICS) else Kind.TEXT

    def _missing(self) -> TransferError:
        return TransferError(
            "unreadable",
            _("파일을 열지 못했어요: {name}").format(name=self.name),
            _("파일이 있는지, 읽을 수 있는지 확인해 주세요."),
        )

    # Text

    @cached_property
    def text(self) -> str:
        """The whole text of a text file.

        Raises:
            TransferError: `unreadable`.
        """
        try:
            return decode(self.path.read_bytes(), self.name)
        except OSError as error:
            raise self._missing() from error

    @cached_property
    def json(self) -> Any:
        """The value of a JSON file, or None when the text is none (damaged JSON raises).

        Raises:
            TransferError: `unreadable`: it begins like JSON and does not end so, or is nested too deep.
        """
        if self.kind is not Kind.TEXT or self.text.lstrip()[:1] not in ("{", "["):
            return None
        return parse_json(self.text, self.name)

    @cached_property
    def first_line(self) -> str:
        """The first line of a text file; empty for other files."""
        return self.text.partition("\n")[0].strip() if self.kind is Kind.TEXT else ""

    # Archives and folders: members are found by name and read into memory, never unpacked

    @cached_property
    def members(self) -> dict[str, str]:
        """What an archive or folder holds: path with `/` to its own name there; empty for other files.

        Raises:
            TransferError: `unreadable`, `too_large`.
        """
        try:
            if self.kind is Kind.FOLDER:
                return {name: name for name in self._names_in_folder()}
            names = self._names_in_archive() if self.kind is Kind.ZIP else []
        except OSError as error:
            raise self._missing() from error
        return {name.replace("\\", "/"): name for name in names if not name.startswith("__MACOSX/")}

    def _names_in_folder(self) -> list[str]:
        names: list[str] = []
        for found in _walk(self.path, _FOLDER_DEPTH):
            names.append(found.relative_to(self.path).as_posix())
            if len(names) > MAX_MEMBERS:
                raise too_large()
            self.watch.step()
        return names

    def _names_in_archive(self) -> list[str]:
        with self._archive() as archive:
            infos = archive.infolist()
            if len(infos) > MAX_MEMBERS or sum(info.file_size for info in infos) > MAX_BYTES:
                raise too_large()
            return [info.filename for info in infos if not info.is_dir()]

    def member_text(self, name: str) -> str:
        """Return the text of one member.

        Raises:
            TransferError: `unreadable`, `too_large`.
        """
        return decode(self._member_bytes(self.members[name]), name)

    def base_of(self, name: str) -> str | None:
        """Return the folder inside the archive that holds a member `name` (with its `/`, empty for the top), or None.

        People pack files again, so everything may lie a folder deeper than it was.
        """
        found = [path.removesuffix(name) for path in self.members if path == name or path.endswith(f"/{name}")]
        return min(found, key=len, default=None)

    def _member_bytes(self, name: str) -> bytes:
        try:
            if self.kind is Kind.FOLDER:
                path = self.path / name
                if path.stat().st_size > MAX_BYTES:
                    raise too_large()
                return path.read_bytes()
            with self._archive() as archive, archive.open(name) as member:
                # The size that an archive claims for a member need not be true.
                content = member.read(MAX_BYTES + 1)
        except (OSError, RuntimeError, KeyError) as error:  # RuntimeError: a password is asked for
            raise damaged(self.name) from error
        self._read += len(content)
        if self._read > MAX_BYTES:
            raise too_large()
        return content

    @contextmanager
    def _archive(self) -> Iterator[zipfile.ZipFile]:
        try:
            with zipfile.ZipFile(self.path) as archive:
                yield archive
        except _ZIP_ERRORS as error:
            raise damaged(self.name) from error

    # SQLite

    @contextmanager
    def database(self) -> Iterator[sqlite3.Connection]:
        """Open a SQLite file for reading: nothing beside it is read or made, and nothing that it defines is trusted.

        Raises:
            TransferError: `unreadable` when the file is damaged, `stopped`.
        """
        try:
            uri = f"{self.path.absolute().as_uri()}?mode=ro&immutable=1"
            with closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as db:
                db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _CELL_BYTES)
                db.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
                for pragma in ("trusted_schema = OFF", "query_only = ON", "cell_size_check = ON", "mmap_size = 0"):
                    db.execute(f"PRAGMA {pragma}")
                db.text_factory = lambda raw: raw.decode("utf-8", "replace")
                db.set_progress_handler(lambda: self.watch.is_stopped, 20_000)
                yield db
        except (sqlite3.Error, UnicodeError) as error:  # names in a damaged file may be no text
            self.watch.end()  # interrupted because the user wants to stop
            raise damaged(self.name) from error

    @cached_property
    def tables(self) -> frozenset[str]:
        """The names of the real tables of a SQLite file, in lower case; empty for other files.

        Raises:
            TransferError: `unreadable`.
        """
        if self.kind is not Kind.SQLITE:
            return frozenset()
        with self.database() as db:
            if db.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
                raise damaged(self.name)
            rows = db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'").fetchall()
        # A virtual table would run a module's code when it is read.
        return frozenset(name.casefold() for name, sql in rows if not _VIRTUAL.match(sql or ""))

    @property
    def has_rows_elsewhere(self) -> bool:
        """Whether a write-ahead log lies beside a SQLite file: its newest rows are not in the file itself."""
        try:
            return self.kind is Kind.SQLITE and Path(f"{self.path}-wal").stat().st_size > 0
        except OSError:
            return False


def decode(content: bytes, name: str) -> str:
    """Return the text of a file: UTF-8, UTF-16 with its mark, or what Korean Windows programs write.

    Raises:
        TransferError: `unreadable`.
    """
    encodings = ("utf-16",) if content.startswith((b"\xff\xfe", b"\xfe\xff")) else ("utf-8-sig", "cp949")
    for encoding in encodings:
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise damaged(name)


def parse_json(text: str, name: str) -> Any:
    """Return the value of a JSON text.

    Raises:
        TransferError: `unreadable`: no JSON, cut short, or nested too deep.
    """
    try:
        return json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise damaged(name) from error


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number of JSON")


def csv_rows(text: str, name: str) -> Iterator[tuple[int, list[str]]]:
    """Return the rows of a CSV text that hold anything, each with the number of its last line.

    Raises:
        TransferError: `unreadable`.
    """
    reader = csv.reader(io.StringIO(text, newline=""))
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                yield reader.line_num, row
    except csv.Error as error:
        raise damaged(name) from error


def _walk(folder: Path, depth: int) -> Iterator[Path]:
    """Return the files of a folder and of those inside it; links are not followed."""
    for number, found in enumerate(sorted(folder.iterdir())):
        if number >= MAX_MEMBERS:
            raise too_large()
        if found.is_symlink():
            continue
        if found.is_file():
            yield found
        elif depth > 1 and found.is_dir():
            yield from _walk(found, depth - 1)
