"""The half-downloaded file: bytes, a note of what they belong to, and a running checksum.

It lies in a folder of its own under another name, so that nothing ever takes it for a model. The note says how many
bytes are surely on the disk; what came after them in a crash is cut off before going on.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, Final

_SYNC_BYTES: Final = 32 * 1024 * 1024
_BLOCK: Final = 1024 * 1024


def part_path(models: Path, file: str) -> Path:
    """Return where the half of `file` lies in the models folder `models`."""
    return models / "downloads" / f"{file}.part"


def _note_path(part: Path) -> Path:
    return part.with_name(part.name + ".json")


def part_size(models: Path, file: str) -> int:
    """Return how many bytes of `file` were fetched and kept, 0 for none."""
    part = part_path(models, file)
    note = _read_note(part)
    try:
        return min(part.stat().st_size, note[1]) if note is not None else 0
    except OSError:
        return 0


def remove_part(models: Path, file: str) -> None:
    """Remove the half of `file`.

    Raises:
        OSError: The disk refused.
    """
    part = part_path(models, file)
    part.unlink(missing_ok=True)
    _note_path(part).unlink(missing_ok=True)


def _read_note(part: Path) -> tuple[str, int] | None:
    """Return the checksum of the whole file and the bytes surely written, or None without a usable note."""
    try:
        note = json.loads(_note_path(part).read_text(encoding="utf-8"))
        checksum, synced = note["sha256"], note["synced"]
    except (OSError, ValueError, TypeError, KeyError):
        return None
    if isinstance(checksum, str) and isinstance(synced, int) and synced >= 0:
        return checksum, synced
    return None


class PartFile:
    """Open for appending. Close it in every case; one at a time. Every method may raise OSError."""

    def __init__(self, models: Path, file: str, sha256: str) -> None:
        """Open the half of `file`, begun anew unless it belongs to the file whose checksum is `sha256`."""
        self._path = part_path(models, file)
        self._sha256 = sha256
        self._path.parent.mkdir(parents=True, exist_ok=True)
        note = _read_note(self._path)
        keep = note[1] if note is not None and note[0] == sha256 else 0
        self._file: BinaryIO = self._path.open("r+b" if self._path.exists() else "w+b")
        self._hash = hashlib.sha256()
        self._synced = 0
        self.size = 0
        end = self._file.seek(0, os.SEEK_END)
        self._kept = min(keep, end)
        self._file.truncate(self._kept)
        self._file.seek(0)
        if not self._kept:
            self._write_note()

    @property
    def kept(self) -> int:
        """Bytes that were there already, to be gone over with `read_kept` first."""
        return self._kept

    def read_kept(self, seen: Callable[[int], bool]) -> bool:
        """Take what is there into the checksum; `seen(bytes)` says whether to go on. Return whether all was read."""
        while self.size < self._kept:
            block = self._file.read(min(_BLOCK, self._kept - self.size))
            if not block:
                break
            self._hash.update(block)
            self.size += len(block)
            if not seen(self.size):
                self._file.seek(0, os.SEEK_END)
                return False
        self._synced = self.size
        self._file.truncate(self.size)
        self._file.seek(self.size)
        return True

    def append(self, block: bytes) -> None:
        """Write `block` behind what is there; every 32 MiB all goes down to the disk."""
        self._file.write(block)
        self._hash.update(block)
        self.size += len(block)
        if self.size - self._synced >= _SYNC_BYTES:
            self.sync()

    def restart(self) -> None:
        """Throw away what is there."""
        self._file.seek(0)
        self._file.truncate()
        self._hash = hashlib.sha256()
        self.size = self._synced = 0
        self._write_note()

    def sync(self) -> None:
        """Bring everything down to the disk and note how much that is."""
        self._file.flush()
        os.fsync(self._file.fileno())
        self._synced = self.size
        self._write_note()

    @property
    def checksum(self) -> str:
        """SHA-256 of what is there."""
        return self._hash.hexdigest()

    def finish(self, target: Path) -> None:
        """Give the whole file its name in one step, with everything on the disk."""
        self.sync()
        self._file.close()
        self._path.replace(target)
        _sync_folder(target.parent)
        _note_path(self._path).unlink(missing_ok=True)

    def close(self, *, read_all: bool = True) -> None:
        """Close it; with `read_all` what came is noted, otherwise the old note holds."""
        if self._file.closed:
            return
        try:
            if read_all:
                self.sync()
        finally:
            self._file.close()

    def _write_note(self) -> None:
        note, fresh = _note_path(self._path), self._path.with_name(self._path.name + ".new")
        fresh.write_text(json.dumps({"sha256": self._sha256, "synced": self._synced}), encoding="utf-8")
        fresh.replace(note)


def _sync_folder(folder: Path) -> None:
    """Make a new name last through a loss of power, where the system lets folders be opened."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
