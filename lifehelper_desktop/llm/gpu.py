"""Whether llama.cpp computes on a graphics card here, and why not when it does not. Loads the native library."""

from __future__ import annotations

import ctypes
import logging
from dataclasses import dataclass
from typing import Any, Final

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.llm.llama_native import native
from lifehelper_desktop.llm.variants import ggml_library

_log = logging.getLogger(__name__)
_GPU_TYPES: Final = (1, 2)
"""GGML_BACKEND_DEVICE_TYPE_GPU and _IGPU of ggml-backend.h."""


@dataclass(frozen=True, slots=True)
class GpuStatus:
    """What there is to compute on.

    Attributes:
        used: Whether models are put on a graphics card (all layers that fit).
        devices: The cards' descriptions.
        reason: Why none is used, in the user's language; empty when one is.
    """

    used: bool
    devices: tuple[str, ...]
    reason: str


def gpu_status(api: Any = None) -> GpuStatus:
    """Look at the build and at the cards that it sees."""
    api = api if api is not None else native()
    if not api.llama_supports_gpu_offload():
        return GpuStatus(False, (), _("이 llama.cpp는 CPU용으로 만들어졌어요. 그래픽 카드 없이 움직여요."))
    devices = _devices(api)
    if not devices:
        return GpuStatus(False, (), _("쓸 수 있는 그래픽 카드를 찾지 못해서 CPU로 움직여요."))
    return GpuStatus(True, devices, "")


def _devices(api: Any) -> tuple[str, ...]:
    library = ggml_library(api, "ggml_backend_dev_count")  # the binding does not wrap these
    try:
        count, get = library.ggml_backend_dev_count, library.ggml_backend_dev_get
        kind, describe = library.ggml_backend_dev_type, library.ggml_backend_dev_description
    except AttributeError:
        _log.warning("this build of llama.cpp does not tell its devices")
        return ()
    count.restype, get.restype, get.argtypes = ctypes.c_size_t, ctypes.c_void_p, [ctypes.c_size_t]
    kind.restype, kind.argtypes = ctypes.c_int, [ctypes.c_void_p]
    describe.restype, describe.argtypes = ctypes.c_char_p, [ctypes.c_void_p]
    found = [get(index) for index in range(count())]
    return tuple((describe(each) or b"").decode("utf-8", "replace") for each in found if kind(each) in _GPU_TYPES)
