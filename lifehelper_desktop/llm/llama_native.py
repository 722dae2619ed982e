"""The ctypes module of llama.cpp, imported at first use, and its log sent to ours.

Importing llama_cpp loads the native libraries and numpy, which takes a few tenths of a second: nothing imports it
before a model is really needed. Any thread may call `native()`; what it returns belongs to the model's owner.
"""

from __future__ import annotations

import logging
import os
import threading
from typing import Any, Final

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.base.old_processor import require_for_coach
from lifehelper_desktop.llm.variants import load_backends

_log = logging.getLogger(__name__)

# ggml.h: NONE, DEBUG, INFO, WARN, ERROR, CONT. llama-cpp-python's own table has these wrong, which hides errors.
# llama.cpp's INFO is hundreds of lines per load, hence DEBUG.
_LEVELS: Final = {1: logging.DEBUG, 2: logging.DEBUG, 3: logging.WARNING, 4: logging.ERROR}
_CONT: Final = 5
# Said of every healthy model with a sliding window or a shorter context than it was trained for: news to nobody.
_NOT_NEWS: Final = (
    "control-looking token",
    "removing memory module",
    "n_ctx_seq",
    "full-size SWA cache",
    "n_ctx_per_seq",
    "swa_full",
)
# Said whenever the user stops a prompt; the engine logs the cases that are real failures itself.
_OURS_TO_TELL: Final = ("graph_compute:", "failed to compute graph", "removing memory module", "llama_decode: failed")

SPIN_COUNT: Final = "100"

_lock = threading.Lock()
_module: Any = None
_log_callback: Any = None  # ctypes frees a callback nobody refers to, while llama.cpp still calls it


class _LineLogger:
    """Joins the pieces that llama.cpp prints into whole lines. Called from any thread, under the GIL."""

    def __init__(self) -> None:
        self._text = ""
        self._level = logging.DEBUG

    def __call__(self, level: int, text: bytes | None, _user: Any) -> None:
        try:
            self._add(level, (text or b"").decode("utf-8", errors="replace"))
        except Exception:  # noqa: BLE001 - an exception must never travel back into C
            self._text = ""

    def _add(self, level: int, text: str) -> None:
        if level != _CONT:
            self._level = _LEVELS.get(level, logging.DEBUG)
        self._text += text
        while "\n" in self._text:
            line, self._text = self._text.split("\n", 1)
            self._emit(line)
        if len(self._text) > 4000:
            self._text = ""

    def _emit(self, line: str) -> None:
        level = self._level
        if any(word in line for word in (_OURS_TO_TELL if level > logging.WARNING else _NOT_NEWS)):
            level = logging.DEBUG
        if line.strip() and _log.isEnabledFor(level):
            _log.log(level, "llama.cpp: %s", line.rstrip())


def prepare_environment() -> None:
    """Say how threads wait for each other; OpenMP reads this when it is loaded, so it must come first.

    Spinning long starves the thread that is waited for as soon as another program needs the core (0.4 tokens/s);
    sleeping at once costs a third of the speed on idle cores. Some hundred turns are worth both; see
    `tests/benchmarks/README.md`. What the user has set stays.
    """
    if "OMP_WAIT_POLICY" not in os.environ:
        os.environ["OMP_WAIT_POLICY"] = "PASSIVE"  # other OpenMP libraries than GNU's know only this
        os.environ.setdefault("GOMP_SPINCOUNT", SPIN_COUNT)


def native() -> Any:
    """Return `llama_cpp.llama_cpp` (llama.h as Python functions), imported and initialised once.

    Raises:
        WorldError: The processor is too old for NumPy, which the binding imports.
        OSError: A native library is missing or was built for another processor.
        ImportError: llama-cpp-python is not installed.
    """
    global _module, _log_callback
    with _lock:
        if _module is None:
            require_for_coach()
            prepare_environment()
            try:
                import llama_cpp.llama_cpp as module
            except RuntimeError as error:  # what the binding makes of a library that the system cannot load
                raise OSError(str(error)) from error

            _log_callback = module.llama_log_callback(_LineLogger())
            module.llama_log_set(_log_callback, None)
            load_backends(module)
            module.llama_backend_init()
            _module = module
        return _module


def engine_trouble() -> WorldError:
    """Return the error for a llama.cpp that does not load: no file of a model is to blame."""
    return WorldError(
        _("모델을 돌리는 엔진을 불러오지 못했어요."), _("앱을 다시 설치해 주세요. 습관 기록은 그대로예요.")
    )


def engine_version() -> str:
    """Return the version of llama-cpp-python without importing it."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("llama-cpp-python")
    except PackageNotFoundError:
        return "unknown"
