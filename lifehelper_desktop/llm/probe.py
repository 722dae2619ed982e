"""Tries a model file before the window's own process loads it: llama.cpp may abort on a bad one.

`python -m lifehelper_desktop.llm.probe FILE` is the child; a frozen program routes `PROBE_FLAG FILE` to `main`.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Final

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.base.old_processor import require_for_coach
from lifehelper_desktop.llm.gguf_header import GgufError, GgufHeader, read_header
from lifehelper_desktop.llm.llama_native import engine_trouble, engine_version, native
from lifehelper_desktop.llm.protocol import LlmStopped

_log = logging.getLogger(__name__)

PROBE_FLAG: Final = "--probe-model"
SUPPORTED: Final = ("gemma4", "gemma3", "gemma3n", "gemma2", "gemma")
_REFUSED: Final = 3
_NO_ENGINE: Final = 4
_ENGINE_LOADED: Final = "llama.cpp is loaded"
"""What the child says before it touches the file: where a signal ends it earlier, the file is not to blame."""
_POLL_S: Final = 0.05
_CACHE_NAME: Final = "probed-models.json"
_CACHE_SIZE: Final = 50


def check_header(path: Path) -> GgufHeader:
    """Return the header of `path` after the checks that need no llama.cpp.

    Raises:
        WorldError: In plain words, with the next step.
    """
    name = path.name
    again = _("파일을 다시 받거나, 설정에서 다른 GGUF 모델을 골라 주세요.")
    try:
        header = read_header(path)
    except GgufError as error:
        _log.warning("model file %s: %s: %s", path, error.kind, error)
        texts = {
            "empty": _("모델 파일이 비어 있어요: {name}"),
            "not_gguf": _("GGUF 모델 파일이 아니에요: {name}"),
            "version": _("이 앱이 아직 모르는 버전의 GGUF 파일이에요: {name}"),
            "truncated": _("모델 파일이 중간에서 끊겨 있어요: {name}"),
        }
        raise WorldError(
            texts.get(error.kind, _("모델 파일의 내용이 깨져 있어요: {name}")).format(name=name), again
        ) from error
    except FileNotFoundError as error:
        raise WorldError(
            _("모델 파일을 찾을 수 없어요: {name}").format(name=name),
            _("파일을 제자리에 돌려놓거나, 설정에서 다른 모델을 골라 주세요."),
        ) from error
    except OSError as error:
        raise WorldError(
            _("모델 파일을 열 수 없어요: {name} ({reason})").format(name=name, reason=error.strerror or error),
            _("파일의 접근 권한을 확인하거나, 설정에서 다른 모델을 골라 주세요."),
        ) from error
    if header.architecture not in SUPPORTED:
        raise WorldError(
            _("이 앱이 쓸 수 없는 종류의 모델이에요: {kind}").format(kind=header.architecture or "?"),
            _("설정에서 Gemma 계열의 GGUF 모델을 골라 주세요."),
        )
    return header


def probe_command(path: Path) -> list[str]:
    """Return the command that tries `path` in another process."""
    if getattr(sys, "frozen", False):
        return [sys.executable, PROBE_FLAG, os.fspath(path)]
    return [sys.executable, "-m", "lifehelper_desktop.llm.probe", os.fspath(path)]


def probe_model(
    path: Path,
    *,
    cache_dir: Path | None = None,
    stop: threading.Event | None = None,
    timeout_s: float = 180.0,
) -> None:
    """Check `path`, then load it in a child process; a file that passed before is not tried again.

    Raises:
        WorldError: The file cannot be used; says why and what to do.
        LlmStopped: `stop` was set.
    """
    check_header(path)
    require_for_coach()
    key = _cache_key(path)
    if cache_dir is not None and key in _read_cache(cache_dir):
        return
    code, output = _run_child(path, stop or threading.Event(), timeout_s)
    if code == _NO_ENGINE or (code is not None and code < 0 and _ENGINE_LOADED not in output):
        _log.error("llama.cpp does not load: the probe ended with %s: %s", code, output.strip()[-2000:])
        raise engine_trouble()
    if code != 0:
        _log.warning("probe of %s ended with %s: %s", path, code, output.strip()[-2000:])
        raise WorldError(
            _("모델을 시험 삼아 열어 보았지만 열리지 않았어요: {name}").format(name=path.name),
            _("파일을 다시 받거나, 설정에서 다른 GGUF 모델을 골라 주세요."),
        )
    if cache_dir is not None:
        _remember(cache_dir, key)


def _run_child(path: Path, stop: threading.Event, timeout_s: float) -> tuple[int | None, str]:
    environment = dict(os.environ)
    root = os.fspath(Path(__file__).resolve().parent.parent.parent)
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, (root, environment.get("PYTHONPATH"))))
    environment["PYTHONUTF8"] = "1"
    flags = getattr(subprocess, "CREATE_NO_WINDOW", 0)
    with tempfile.TemporaryFile() as output:
        child = subprocess.Popen(  # noqa: S603 - our own program
            probe_command(path),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=environment,
            creationflags=flags,
        )
        deadline = time.monotonic() + timeout_s
        try:
            while True:
                try:
                    child.wait(_POLL_S)
                    break
                except subprocess.TimeoutExpired:
                    if stop.is_set():
                        raise LlmStopped from None
                    if time.monotonic() > deadline:
                        return None, "timed out"
        finally:
            if child.poll() is None:
                child.kill()
                child.wait()
        output.seek(0)
        return child.returncode, output.read(65536).decode("utf-8", "replace")


# -- what passed before


def _cache_key(path: Path) -> str:
    stat = path.stat()
    text = f"{path.resolve()}|{stat.st_size}|{stat.st_mtime_ns}|{engine_version()}"
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def _read_cache(folder: Path) -> list[str]:
    try:
        value = json.loads((folder / _CACHE_NAME).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _remember(folder: Path, key: str) -> None:
    """Add `key`; a cache that cannot be written only costs time."""
    kept = [*_read_cache(folder), key][-_CACHE_SIZE:]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        part = folder / f"{_CACHE_NAME}.{os.getpid()}.part"
        part.write_text(json.dumps(kept), encoding="utf-8")
        part.replace(folder / _CACHE_NAME)
    except OSError:
        _log.info("the probe cache cannot be written", exc_info=True)


# -- the child


def main(argv: list[str]) -> int:
    """Load the file named by `argv` and decode a token; return 0 when both work, else whose fault it is."""
    from lifehelper_desktop.llm.llama_engine import LlamaEngine

    logging.basicConfig(level=logging.WARNING)
    try:
        native()
    except Exception:  # noqa: BLE001 - as below
        _log.exception("no engine")
        return _NO_ENGINE
    print(_ENGINE_LOADED, flush=True)  # noqa: T201 - to the parent
    try:
        engine = LlamaEngine(Path(argv[-1]), n_ctx=512, n_threads=1)
        engine.evaluate([max(engine.vocabulary.bos, 0)])
        engine.close()
    except Exception:  # noqa: BLE001 - every reason is the same answer
        _log.exception("refused")
        return _REFUSED
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
