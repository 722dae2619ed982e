"""Opening a model file and making its context. On the engine's thread only."""

from __future__ import annotations

import ctypes
import logging
import os
import threading
from pathlib import Path
from typing import Any

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.llm.protocol import LlmStopped, LoadProgress

_log = logging.getLogger(__name__)


def load_model(api: Any, path: Path, stop: threading.Event, progress: LoadProgress | None) -> Any:
    """Return llama.cpp's model; `progress` is called with rising fractions up to 0.95.

    Raises:
        WorldError: llama.cpp refused the file.
        LlmStopped: `stop` was set while it loaded.
    """
    failure: list[BaseException] = []
    last = [0.0]

    def report(fraction: float, _user: Any) -> bool:
        # Runs inside C: nothing may be raised here.
        try:
            last[0] = max(last[0], min(float(fraction), 1.0))
            if progress is not None and not failure:
                # 1.0 is said once the context stands as well.
                progress(last[0] * 0.95)
        except BaseException as error:  # noqa: BLE001
            failure.append(error)
        return not failure and not stop.is_set()

    params = api.llama_model_default_params()
    callback = api.llama_progress_callback(report)
    params.progress_callback = callback
    name = os.fspath(path).encode("utf-8", "surrogateescape")
    # By default every layer goes to a graphics card where the build has one.
    model = api.llama_model_load_from_file(name, params)
    if not model and not failure and not stop.is_set() and api.llama_supports_gpu_offload():
        _log.warning("the model would not load with the graphics card; trying the processor alone")
        params.n_gpu_layers = 0
        model = api.llama_model_load_from_file(name, params)
    if failure or stop.is_set():
        if model:
            api.llama_model_free(model)
        raise failure[0] if failure else LlmStopped
    if not model:
        raise WorldError(
            _("모델 파일을 읽지 못했어요: {name}").format(name=path.name),
            _("파일이 온전한지 확인하거나, 설정에서 다른 GGUF 모델을 골라 주세요."),
        )
    return model


def make_context(api: Any, model: Any, *, n_ctx: int, n_threads: int, n_batch: int, n_seq: int) -> Any:
    """Return a context for `n_seq` token logs that share `n_ctx` cells, or the model's own length if shorter.

    Raises:
        WorldError: Memory did not suffice.
    """
    params = api.llama_context_default_params()
    params.n_ctx = min(n_ctx, max(512, api.llama_model_n_ctx_train(model)))
    # Small batches: the compute buffer grows with n_batch x vocabulary (514 MiB at 512, 64 at 64).
    params.n_batch = params.n_ubatch = n_batch
    params.n_threads = params.n_threads_batch = n_threads
    params.n_seq_max = n_seq
    params.kv_unified = True
    # A window-sized cache would give wrong answers silently after a rollback over more than the window.
    params.swa_full = True
    params.no_perf = True
    context = api.llama_init_from_model(model, params)
    if not context:
        raise WorldError(
            _("메모리가 부족해 모델을 열지 못했어요."),
            _("다른 프로그램을 닫거나, 설정에서 더 작은 모델을 골라 주세요."),
        )
    return context


def context_identity(api: Any) -> str:
    """Return what the bytes of a saved state depend on besides model, tokens and length of the context."""
    params = api.llama_context_default_params()
    return f"k{params.type_k}v{params.type_v}flash{params.flash_attn_type}swa-full"


def read_metadata(api: Any, model: Any) -> dict[str, str]:
    """Return the model file's key-value pairs, each value cut to 64 KiB."""
    out: dict[str, str] = {}
    buffer = ctypes.create_string_buffer(64 * 1024)
    for index in range(api.llama_model_meta_count(model)):
        api.llama_model_meta_key_by_index(model, index, buffer, len(buffer))
        key = buffer.value.decode("utf-8", "replace")
        api.llama_model_meta_val_str_by_index(model, index, buffer, len(buffer))
        out[key] = buffer.value.decode("utf-8", "replace")
    return out
