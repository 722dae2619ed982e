"""A thin engine over llama.cpp: one model, one context, an append-only log of the tokens really decoded.

Everything runs on the one thread that made the engine; another thread gets a RuntimeError, because llama.cpp has no
locks inside and would crash or hang. `StopFlag.set()` alone may come from anywhere.
"""

from __future__ import annotations

import ctypes
import logging
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.llm.llama_load import context_identity, load_model, make_context, read_metadata
from lifehelper_desktop.llm.llama_native import engine_version, native
from lifehelper_desktop.llm.llama_sampler import NativeSampler, Sampling
from lifehelper_desktop.llm.machine import plan_for_this_machine
from lifehelper_desktop.llm.prefix_cache import PrefixCache, common_length, model_identity
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

_CHUNK_SECONDS: Final = 0.15
"""A stop waits no longer than for one chunk of a prompt, even where a GPU asks no abort callback."""
_MIN_CHUNK: Final = 8
_FIRST_CHUNK: Final = 32
_MIN_PREFIX: Final = 64
"""Shorter openings are not worth a file."""


def _log_softmax(logits: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    import numpy as np

    shifted = logits - logits.max()
    return shifted - np.log(np.exp(shifted).sum(dtype=np.float64)).astype(np.float32)  # type: ignore[no-any-return]


def _context_full() -> LlmError:
    return LlmError("context_full", _("대화가 너무 길어졌어요. 새 대화로 시작해 주세요."))


class LlamaEngine:
    """One loaded model with its context.

    Public attributes are constants of the loaded model: `n_ctx` (tokens), `n_threads`, `n_batch`
    (tokens a step), `n_vocab`, `vocabulary`, `metadata`.
    """

    def __init__(
        self,
        path: Path,
        *,
        n_ctx: int = 4096,
        n_threads: int | None = None,
        stop: StopFlag | None = None,
        progress: LoadProgress | None = None,
        cache_dir: Path | None = None,
    ) -> None:
        """Load `path`, which may take seconds; `progress` is called with rising fractions on this thread.

        Args:
            n_threads: None lets the machine decide.
            cache_dir: Where the openings of conversations are kept between starts; None keeps none.

        Raises:
            WorldError: llama.cpp refused the file, or memory did not suffice.
            LlmStopped: `stop` was set while it loaded.
        """
        self._thread = threading.get_ident()
        self._stop = stop or StopFlag()
        self._api = native()
        self._model: Any = None
        self._context: Any = None
        self._batch: Any = None
        self._logs: dict[int, list[int]] = {CONVERSATION: [], ASIDE: []}
        self._logits_of: int | None = None
        self._prefix: list[int] = []
        self._seconds_per_token = 0.0
        # Asked for its own value each time: tests put another flag in its place.
        self._abort_callback = self._api.ggml_abort_callback(lambda _user: self._stop.is_set())
        plan = plan_for_this_machine()
        self.n_threads = n_threads or plan.threads
        self.n_batch = plan.batch
        try:
            self._model = load_model(self._api, path, self._stop, progress)
            self.vocabulary = Vocabulary(self._api, self._api.llama_model_get_vocab(self._model))
            self.n_vocab = self.vocabulary.size
            self.metadata = read_metadata(self._api, self._model)
            self._context = make_context(
                self._api,
                self._model,
                n_ctx=n_ctx,
                n_threads=self.n_threads,
                n_batch=self.n_batch,
                n_seq=_FIRST_SCRATCH + _SCRATCH,
            )
            self._memory = self._api.llama_get_memory(self._context)
            self.n_ctx = int(self._api.llama_n_ctx(self._context))
            self._batch = self._api.llama_batch_init(self.n_batch, 0, 1)
            self._cache = self._open_cache(path, cache_dir)
            if progress is not None:
                progress(1.0)
        except BaseException:
            self.close()
            raise

    def _open_cache(self, path: Path, folder: Path | None) -> PrefixCache | None:
        if folder is None:
            return None
        try:
            model = model_identity(path)
        except OSError:
            return None
        identity = (model, "no adapter", engine_version(), str(self.n_ctx), context_identity(self._api))
        return PrefixCache(folder / "prefixes", identity)

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

    def truncate(self, length: int, log: int = CONVERSATION) -> int:
        """Forget the tokens of `log` from position `length` on; return how many remain.

        That is `length` (or less, if the log was shorter), or 0 for a kind of model that cannot forget a tail.
        """
        self._check()
        tokens = self._logs[log]
        if length < len(tokens):
            self._logits_of = None
            if not self._api.llama_memory_seq_rm(self._memory, log, length, -1):
                self._api.llama_memory_seq_rm(self._memory, log, -1, -1)
                length = 0
            del tokens[length:]
        return len(tokens)

    def evaluate(self, tokens: Sequence[int], log: int = CONVERSATION) -> None:
        """Append `tokens` to `log`, in chunks small enough to stop between them.

        Raises:
            LlmStopped: The stop flag was set; what was decoded before stands in the log.
            LlmError: `context_full` before anything is decoded, or `decode`.
        """
        self._check()
        if len(tokens) > self.free_tokens():
            raise _context_full()
        done = 0
        while done < len(tokens):
            if self._stop.is_set():
                raise LlmStopped
            chunk = tokens[done : done + self._chunk_size()]
            self._decode(chunk, log, last=done + len(chunk) == len(tokens))
            done += len(chunk)

    def keep_prefix(self, tokens: Sequence[int]) -> None:
        """From now on take `tokens` from the disk when a conversation begins with them, and save them once read."""
        self._check()
        self._prefix = list(tokens) if len(tokens) >= _MIN_PREFIX else []

    def replace(self, tokens: Sequence[int], log: int = CONVERSATION) -> int:
        """Make `log` equal to `tokens`, keeping the longest common prefix; return how many were not evaluated.

        Raises:
            LlmStopped, LlmError: As `evaluate`; what was decoded stands in the log and is reused next time.
        """
        self._check()
        common = common_length(self._logs[log], tokens)
        # The last token is decoded again when nothing else is: its logits are needed.
        common = min(common, max(0, len(tokens) - 1))
        size = len(self._prefix)
        if log == CONVERSATION and common < size < len(tokens) and self._prefix == list(tokens[:size]):
            reused = self._read_prefix(common)
            self.evaluate(tokens[size:], log)
            return reused
        common = self.truncate(common, log)
        self.evaluate(tokens[common:], log)
        return common

    def _read_prefix(self, common: int) -> int:
        """Make the conversation's log equal to the kept prefix; return how many tokens were not evaluated."""
        if self._restore_prefix():
            return len(self._prefix)
        common = self.truncate(common)
        self.evaluate(self._prefix[common:])
        if self._cache is not None:
            size = self._api.llama_state_seq_get_size(self._context, CONVERSATION)
            buffer = (ctypes.c_uint8 * size)()
            written = self._api.llama_state_seq_get_data(self._context, buffer, size, CONVERSATION)
            self._cache.save(self._prefix, memoryview(buffer)[:written].tobytes())
        return common

    def _restore_prefix(self) -> bool:
        state = self._cache.load(self._prefix) if self._cache is not None else None
        if state is None:
            return False
        assert self._cache is not None
        self.truncate(0)
        buffer = (ctypes.c_uint8 * len(state)).from_buffer_copy(state)
        taken = self._api.llama_state_seq_set_data(self._context, buffer, len(state), CONVERSATION)
        last = self._api.llama_memory_seq_pos_max(self._memory, CONVERSATION)
        if taken != len(state) or last != len(self._prefix) - 1:
            self._api.llama_memory_seq_rm(self._memory, CONVERSATION, -1, -1)
            self._cache.forget(self._prefix)
            _log.warning("a saved prefix was not accepted")
            return False
        self._logs[CONVERSATION].extend(self._prefix)
        return True

    def _chunk_size(self) -> int:
        if not self._seconds_per_token:
            return min(_FIRST_CHUNK, self.n_batch)
        fitting = int(_CHUNK_SECONDS / self._seconds_per_token)
        return max(_MIN_CHUNK, min(self.n_batch, fitting // _MIN_CHUNK * _MIN_CHUNK))

    def _decode(self, chunk: Sequence[int], log: int, *, last: bool) -> None:
        api = self._api
        tokens = self._logs[log]
        batch = self._batch
        batch.n_tokens = len(chunk)
        for index, token in enumerate(chunk):
            batch.token[index] = token
            batch.pos[index] = len(tokens) + index
            batch.n_seq_id[index] = 1
            batch.seq_id[index][0] = log
            batch.logits[index] = 0
        batch.logits[len(chunk) - 1] = last
        if len(chunk) == 1:
            # A single token takes no longer than the stop may; asking Python hundreds of times would slow it.
            code = api.llama_decode(self._context, batch)
        else:
            started = time.perf_counter()
            code = self._decode_abortable()
            if code == 0 and len(chunk) >= _MIN_CHUNK:
                self._seconds_per_token = (time.perf_counter() - started) / len(chunk)
        if code == 0:
            tokens.extend(chunk)
            self._logits_of = log if last else None
            return
        self._logits_of = None
        # Whatever part of the batch went in is taken out again, so that log and memory agree.
        api.llama_memory_seq_rm(self._memory, log, len(tokens), -1)
        if code == 2:
            raise LlmStopped
        if code == 1:
            raise _context_full()
        _log.error("llama_decode returned %s", code)
        raise LlmError("decode", _("모델이 답을 만들지 못했어요. 다시 보내 주세요."))

    def _decode_abortable(self) -> int:
        """Decode the batch, asking the stop flag all along; return llama.cpp's code, 2 when it was set."""
        self._api.llama_set_abort_callback(self._context, self._abort_callback, None)
        try:
            return int(self._api.llama_decode(self._context, self._batch))
        finally:
            self._api.llama_set_abort_callback(self._context, self._api.ggml_abort_callback(), None)

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
                if group and size + need > self.n_batch:
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
        if size > min(self.n_batch, self.free_tokens()):
            raise _context_full()
        batch = self._batch
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
            code = self._decode_abortable()
            if code == 2:
                raise LlmStopped
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
        if self._batch is not None:
            self._api.llama_batch_free(self._batch)
            self._batch = None
        if self._context is not None:
            self._api.llama_free(self._context)
            self._context = self._memory = None
        if self._model is not None:
            self._api.llama_model_free(self._model)
            self._model = None
        for log in self._logs.values():
            log.clear()
