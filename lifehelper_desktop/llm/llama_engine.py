"""A thin engine over llama.cpp: one model, one context, an append-only log of the tokens really decoded.

Everything runs on the one thread that made the engine; another thread gets a RuntimeError, because llama.cpp has no
locks inside and would crash or hang. `StopFlag.set()` alone may come from anywhere.
"""

from __future__ import annotations

import ctypes
import logging
import os
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.llm.llama_native import native
from lifehelper_desktop.llm.llama_sampler import NativeSampler, Sampling
from lifehelper_desktop.llm.protocol import LlmError, LlmStopped, LoadProgress
from lifehelper_desktop.llm.vocabulary import Vocabulary

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_log = logging.getLogger(__name__)

StopFlag = threading.Event

CONVERSATION: Final = 0
ASIDE: Final = 1
"""The two token logs: the conversation, and short questions outside it. They share the context's cells."""

_FIRST_SCRATCH: Final = 2
_SCRATCH: Final = 14

_N_BATCH: Final = 64
_CHUNK_SECONDS: Final = 0.15
_MIN_CHUNK: Final = 8


def _log_softmax(logits: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    import numpy as np

    shifted = logits - logits.max()
    return shifted - np.log(np.exp(shifted).sum(dtype=np.float64)).astype(np.float32)  # type: ignore[no-any-return]


def default_threads() -> int:
    """Return how many threads to compute with: the cores this process may use, one left for the window from four on."""
    import psutil

    try:
        usable = len(os.sched_getaffinity(0))
    except AttributeError:  # not on macOS and Windows
        usable = os.cpu_count() or 1
    cores = min(psutil.cpu_count(logical=False) or usable, usable)
    return max(1, cores - 1 if cores >= 4 else cores)


class LlamaEngine:
    """One loaded model with its context.

    Public attributes are constants of the loaded model: `n_ctx` (tokens), `n_vocab`, `vocabulary`, `metadata`.
    """

    def __init__(
        self,
        path: Path,
        *,
        n_ctx: int = 4096,
        n_threads: int | None = None,
        stop: StopFlag | None = None,
        progress: LoadProgress | None = None,
    ) -> None:
        """Load `path`, which may take seconds; `progress` is called with rising fractions on this thread.

        Raises:
            WorldError: llama.cpp refused the file, or memory did not suffice.
            LlmStopped: `stop` was set while it loaded.
        """
        self._thread = threading.get_ident()
        self._stop = stop or StopFlag()
        self._api = native()
        self._model: Any = None
        self._context: Any = None
        self._logs: dict[int, list[int]] = {CONVERSATION: [], ASIDE: []}
        self._logits_of: int | None = None
        self._seconds_per_token = _CHUNK_SECONDS / _N_BATCH
        self._abort_callback: Any = None
        try:
            self._load_model(path, progress)
            self._make_context(n_ctx, n_threads or default_threads())
            if progress is not None:
                progress(1.0)
        except BaseException:
            self.close()
            raise

    def _load_model(self, path: Path, progress: LoadProgress | None) -> None:
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
            return not failure and not self._stop.is_set()

        params = self._api.llama_model_default_params()
        callback = self._api.llama_progress_callback(report)
        params.progress_callback = callback
        model = self._api.llama_model_load_from_file(os.fspath(path).encode("utf-8", "surrogateescape"), params)
        if failure:
            if model:
                self._api.llama_model_free(model)
            raise failure[0]
        if self._stop.is_set():
            if model:
                self._api.llama_model_free(model)
            raise LlmStopped
        if not model:
            raise WorldError(
                _("모델 파일을 읽지 못했어요: {name}").format(name=path.name),
                _("파일이 온전한지 확인하거나, 설정에서 다른 GGUF 모델을 골라 주세요."),
            )
        self._model = model
        self.vocabulary = Vocabulary(self._api, self._api.llama_model_get_vocab(model))
        self.n_vocab = self.vocabulary.size
        self.metadata = self._read_metadata()

    def _make_context(self, n_ctx: int, n_threads: int) -> None:
        api = self._api
        params = api.llama_context_default_params()
        params.n_ctx = min(n_ctx, max(512, api.llama_model_n_ctx_train(self._model)))
        # Small batches: the compute buffer grows with n_batch x vocabulary (514 MiB at 512, 64 at 64).
        params.n_batch = params.n_ubatch = _N_BATCH
        params.n_threads = params.n_threads_batch = n_threads
        params.n_seq_max = _FIRST_SCRATCH + _SCRATCH
        params.kv_unified = True
        # A window-sized cache would give wrong answers silently after a rollback over more than the window.
        params.swa_full = True
        params.no_perf = True

        def abort(_user: Any) -> bool:
            return self._stop.is_set()

        self._abort_callback = api.ggml_abort_callback(abort)
        context = api.llama_init_from_model(self._model, params)
        if not context:
            raise WorldError(
                _("메모리가 부족해 모델을 열지 못했어요."),
                _("다른 프로그램을 닫거나, 설정에서 더 작은 모델을 골라 주세요."),
            )
        self._context = context
        self._memory = api.llama_get_memory(context)
        self.n_ctx = int(api.llama_n_ctx(context))

    def _read_metadata(self) -> dict[str, str]:
        api = self._api
        out: dict[str, str] = {}
        buffer = ctypes.create_string_buffer(64 * 1024)
        for index in range(api.llama_model_meta_count(self._model)):
            api.llama_model_meta_key_by_index(self._model, index, buffer, len(buffer))
            key = buffer.value.decode("utf-8", "replace")
            api.llama_model_meta_val_str_by_index(self._model, index, buffer, len(buffer))
            out[key] = buffer.value.decode("utf-8", "replace")
        return out

    # -- the token logs

    @property
    def is_closed(self) -> bool:
        """Whether the memory was given back."""
        return self._model is None

    def length(self, log: int = CONVERSATION) -> int:
        """Return how many tokens `log` holds."""
        return len(self._logs[log])

    def tokens(self, log: int = CONVERSATION) -> tuple[int, ...]:
        """Return the tokens decoded so far in `log`."""
        return tuple(self._logs[log])

    def free_tokens(self) -> int:
        """Return how many more tokens the context takes."""
        return self.n_ctx - sum(len(log) for log in self._logs.values())

    def truncate(self, length: int, log: int = CONVERSATION) -> None:
        """Forget the tokens of `log` from position `length` on."""
        self._check()
        tokens = self._logs[log]
        if length >= len(tokens):
            return
        if not self._api.llama_memory_seq_rm(self._memory, log, length, -1):
            self._api.llama_memory_seq_rm(self._memory, log, -1, -1)
            tokens.clear()
            self._logits_of = None
            raise LlmError("decode", _("모델의 기억을 되돌리지 못했어요. 새 대화로 시작해 주세요."))
        del tokens[length:]
        self._logits_of = None

    def evaluate(self, tokens: Sequence[int], log: int = CONVERSATION) -> None:
        """Append `tokens` to `log`, in chunks small enough to stop between them.

        Raises:
            LlmStopped: The stop flag was set; what was decoded before stands in the log.
            LlmError: `context_full` before anything is decoded, or `decode`.
        """
        self._check()
        if len(tokens) > self.free_tokens():
            raise LlmError("context_full", _("대화가 너무 길어졌어요. 새 대화로 시작해 주세요."))
        done = 0
        while done < len(tokens):
            if self._stop.is_set():
                raise LlmStopped
            chunk = tokens[done : done + self._chunk_size()]
            self._decode(chunk, log, last=done + len(chunk) == len(tokens))
            done += len(chunk)

    def replace(self, tokens: Sequence[int], log: int = CONVERSATION) -> int:
        """Make `log` equal to `tokens`, keeping the longest common prefix; return how many tokens were reused."""
        self._check()
        old = self._logs[log]
        common = 0
        for have, want in zip(old, tokens, strict=False):
            if have != want:
                break
            common += 1
        # The last token is decoded again when nothing else is: its logits are needed.
        common = min(common, max(0, len(tokens) - 1))
        self.truncate(common, log)
        self.evaluate(tokens[common:], log)
        return common

    def _chunk_size(self) -> int:
        fitting = int(_CHUNK_SECONDS / max(self._seconds_per_token, 1e-6))
        return max(_MIN_CHUNK, min(_N_BATCH, fitting // _MIN_CHUNK * _MIN_CHUNK))

    def _decode(self, chunk: Sequence[int], log: int, *, last: bool) -> None:
        api = self._api
        tokens = self._logs[log]
        batch = api.llama_batch_init(len(chunk), 0, 1)
        started = time.perf_counter()
        # A single token takes no longer than the stop may; asking Python hundreds of times per token would slow it.
        if len(chunk) > 1:
            api.llama_set_abort_callback(self._context, self._abort_callback, None)
        try:
            batch.n_tokens = len(chunk)
            for index, token in enumerate(chunk):
                batch.token[index] = token
                batch.pos[index] = len(tokens) + index
                batch.n_seq_id[index] = 1
                batch.seq_id[index][0] = log
                batch.logits[index] = last and index == len(chunk) - 1
            code = api.llama_decode(self._context, batch)
        finally:
            api.llama_batch_free(batch)
            if len(chunk) > 1:
                api.llama_set_abort_callback(self._context, api.ggml_abort_callback(), None)
        if code == 0:
            tokens.extend(chunk)
            self._logits_of = log if last else None
            if len(chunk) >= _MIN_CHUNK:
                self._seconds_per_token = (time.perf_counter() - started) / len(chunk)
            return
        self._logits_of = None
        # Whatever part of the batch went in is taken out again, so that log and memory agree.
        api.llama_memory_seq_rm(self._memory, log, len(tokens), -1)
        if code == 2:
            raise LlmStopped
        if code == 1:
            raise LlmError("context_full", _("대화가 너무 길어졌어요. 새 대화로 시작해 주세요."))
        _log.error("llama_decode returned %s", code)
        raise LlmError("decode", _("모델이 답을 만들지 못했어요. 다시 보내 주세요."))

    # -- what comes next

    def logits(self) -> npt.NDArray[np.float32]:
        """Return a copy of the raw scores of the next token, one per vocabulary entry."""
        import numpy as np

        self._check()
        assert self._logits_of is not None, "nothing was decoded since the last change"
        pointer = self._api.llama_get_logits_ith(self._context, -1)
        return np.ctypeslib.as_array(pointer, (self.n_vocab,)).copy()

    def score(self, continuations: Sequence[Sequence[int]], log: int = ASIDE) -> list[float]:
        """Return the log-probability of each continuation of `log`, which stays as it is. Shorter ones win ties.

        Continuations are decoded side by side, many in one batch. Each needs at least one token.
        """
        self._check()
        assert self._logits_of == log, "the log must just have been evaluated"
        first = _log_softmax(self.logits())
        totals = [float(first[tokens[0]]) for tokens in continuations]
        waiting = [index for index, tokens in enumerate(continuations) if len(tokens) > 1]
        while waiting:
            if self._stop.is_set():
                raise LlmStopped
            group: list[int] = []
            size = 0
            while waiting and len(group) < _SCRATCH:
                need = len(continuations[waiting[0]]) - 1
                if group and size + need > _N_BATCH:
                    break
                size += need
                group.append(waiting.pop(0))
            self._score_group(continuations, group, totals, log)
        return totals

    def _score_group(
        self, continuations: Sequence[Sequence[int]], group: Sequence[int], totals: list[float], log: int
    ) -> None:
        import numpy as np

        api = self._api
        start = len(self._logs[log])
        # The last token of a continuation predicts nothing that is asked for.
        size = sum(len(continuations[index]) - 1 for index in group)
        if size > min(_N_BATCH, self.free_tokens()):
            raise LlmError("context_full", _("대화가 너무 길어졌어요. 새 대화로 시작해 주세요."))
        batch = api.llama_batch_init(size, 0, 1)
        row = 0
        try:
            for offset, index in enumerate(group):
                sequence = _FIRST_SCRATCH + offset
                api.llama_memory_seq_cp(self._memory, log, sequence, 0, -1)
                for position, token in enumerate(continuations[index][:-1]):
                    batch.token[row] = token
                    batch.pos[row] = start + position
                    batch.n_seq_id[row] = 1
                    batch.seq_id[row][0] = sequence
                    batch.logits[row] = True
                    row += 1
            batch.n_tokens = row
            code = api.llama_decode(self._context, batch)
            if code != 0:
                _log.error("llama_decode returned %s while scoring", code)
                raise LlmError("decode", _("모델이 답을 만들지 못했어요. 다시 보내 주세요."))
            pointer = api.llama_get_logits(self._context)
            rows = np.ctypeslib.as_array(pointer, (row, self.n_vocab))
            row = 0
            for index in group:
                for token in continuations[index][1:]:
                    totals[index] += float(_log_softmax(rows[row])[token])
                    row += 1
        finally:
            api.llama_batch_free(batch)
            for offset in range(len(group)):
                api.llama_memory_seq_rm(self._memory, _FIRST_SCRATCH + offset, -1, -1)
            self._logits_of = None

    def sampler(self, sampling: Sampling) -> NativeSampler:
        """Return a new sampler chain; the caller closes it."""
        self._check()
        return NativeSampler(sampling, self.n_vocab)

    def sample(self, sampler: NativeSampler) -> int:
        """Return the next token by `sampler`; it is not decoded yet."""
        self._check()
        assert self._logits_of is not None, "nothing was decoded since the last change"
        return sampler.sample(self._context)

    # -- the end

    def _check(self) -> None:
        if threading.get_ident() != self._thread:
            raise RuntimeError("the engine belongs to another thread")
        if self._context is None:
            raise LlmError("closed", _("모델이 닫혀 있어요."))

    def close(self) -> None:
        """Give all memory back; safe to call twice, on the engine's thread only."""
        if threading.get_ident() != self._thread:
            raise RuntimeError("the engine belongs to another thread")
        if self._context is not None:
            self._api.llama_free(self._context)
            self._context = None
            self._memory = None
        if self._model is not None:
            self._api.llama_model_free(self._model)
            self._model = None
        for log in self._logs.values():
            log.clear()
