"""The opening of conversations (instructions and tools) as llama.cpp remembers it, kept on disk between starts.

Reading the opening takes a model many seconds, restoring it some milliseconds. The files hold nothing that the user
wrote. They are not trusted: llama.cpp gets the bytes only after length and SHA-256 agree, since it may abort the
process on others; whatever is wrong with a file, it is ignored and written anew.
"""

from __future__ import annotations

import hashlib
import logging
import os
import struct
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

_log = logging.getLogger(__name__)

_MAGIC: Final = b"LHPREFIX1\n"
_HEADER: Final = struct.Struct("<10s32s32sQ")
"""Magic, key, SHA-256 of the state, length of the state."""
_SUFFIX: Final = ".prefix"
_PART: Final = ".part"
_PART_AGE_S: Final = 3600.0
_HASHED_HEADER: Final = 1 << 20


def model_identity(path: Path) -> bytes:
    """Return bytes that change when the model file does: size, time of change, and its first mebibyte.

    Raises:
        OSError: The file cannot be read.
    """
    stat = path.stat()
    with path.open("rb") as file:
        head = hashlib.sha256(file.read(_HASHED_HEADER)).hexdigest()
    return f"{stat.st_size}:{stat.st_mtime_ns}:{head}".encode()


def common_length(have: Sequence[int], want: Sequence[int]) -> int:
    """Return how many tokens two sequences have in common from their beginning."""
    for index, (one, other) in enumerate(zip(have, want, strict=False)):
        if one != other:
            return index
    return min(len(have), len(want))


class PrefixCache:
    """States of prompt prefixes in one folder, the newest few. Never raises: a cache may only save time.

    Used on the engine's thread; several processes may share the folder, since files appear whole or not at all.
    """

    def __init__(
        self, folder: Path, identity: Sequence[bytes | str], *, max_files: int = 4, max_bytes: int = 256 * 2**20
    ) -> None:
        """Keep states in `folder`, which is made when it is first needed.

        Args:
            identity: All that the bytes of a state depend on besides its tokens: model file, adapter, engine
                version, context length, types of the caches.
            max_files: The newest so many files are kept.
            max_bytes: And of those no more than fit into so many bytes.
        """
        self._folder = folder
        self._identity = [part.encode() if isinstance(part, str) else part for part in identity]
        self._max_files = max_files
        self._max_bytes = max_bytes

    def _key(self, tokens: Sequence[int]) -> bytes:
        digest = hashlib.sha256()
        for part in (_MAGIC, *self._identity):
            digest.update(struct.pack("<Q", len(part)))
            digest.update(part)
        digest.update(struct.pack(f"<{len(tokens)}i", *tokens))
        return digest.digest()

    def _path(self, key: bytes) -> Path:
        return self._folder / f"{key.hex()[:40]}{_SUFFIX}"

    def load(self, tokens: Sequence[int]) -> bytes | None:
        """Return the state that was saved for exactly `tokens`, or None."""
        key = self._key(tokens)
        path = self._path(key)
        try:
            with path.open("rb") as file:
                if os.fstat(file.fileno()).st_size > self._max_bytes + _HEADER.size:
                    return None
                data = file.read()
            state = _checked(data, key)
            if state is None:
                _log.warning("damaged prefix file ignored: %s", path.name)
                return None
            os.utime(path)  # the newest are kept
        except FileNotFoundError:
            return None
        except (OSError, MemoryError) as error:
            _log.info("prefix file not read: %s", error)
            return None
        return state

    def save(self, tokens: Sequence[int], state: bytes) -> None:
        """Keep `state` for `tokens`; older files make room. A state larger than the whole cache is not kept."""
        if not state or len(state) > self._max_bytes:
            return
        key = self._key(tokens)
        path = self._path(key)
        part = path.with_name(f"{path.name}.{os.getpid()}{_PART}")
        header = _HEADER.pack(_MAGIC, key, hashlib.sha256(state).digest(), len(state))
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            try:
                with part.open("wb") as file:
                    file.write(header)
                    file.write(state)
                part.replace(path)
            finally:
                part.unlink(missing_ok=True)
            self._prune()
        except OSError as error:
            _log.info("prefix file not written: %s", error)

    def forget(self, tokens: Sequence[int]) -> None:
        """Remove the state of `tokens`: llama.cpp did not accept it."""
        try:
            self._path(self._key(tokens)).unlink(missing_ok=True)
        except OSError as error:
            _log.info("prefix file not removed: %s", error)

    def _prune(self) -> None:
        found: list[tuple[float, int, Path]] = []
        for path in self._folder.iterdir():
            stat = path.lstat()
            if path.name.endswith(_SUFFIX):
                found.append((stat.st_mtime, stat.st_size, path))
            elif path.name.endswith(_PART) and time.time() - stat.st_mtime > _PART_AGE_S:
                path.unlink(missing_ok=True)  # left by a crash
        total = 0
        for number, (_time, size, path) in enumerate(sorted(found, reverse=True)):
            total += size
            if number >= self._max_files or total > self._max_bytes:
                path.unlink(missing_ok=True)


def _checked(data: bytes, key: bytes) -> bytes | None:
    """Return the state inside a file's bytes when everything about them is right."""
    if len(data) < _HEADER.size:
        return None
    magic, file_key, digest, length = _HEADER.unpack_from(data)
    state = data[_HEADER.size :]
    if magic != _MAGIC or file_key != key or length != len(state) or hashlib.sha256(state).digest() != digest:
        return None
    return state
