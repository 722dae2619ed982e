"""The one model of the program, loaded when it is first needed. Lives on one thread, except for `request_stop`."""

from __future__ import annotations

import gc
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Final

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.llm.base_session import LlamaBaseSession
from lifehelper_desktop.llm.families import (
    AUTO,
    CONTRACT_KEY,
    PRETRAINED,
    STARTER,
    chat_format,
    choose_family,
)
from lifehelper_desktop.llm.line_session import LlamaLineSession
from lifehelper_desktop.llm.llama_engine import LlamaEngine, StopFlag
from lifehelper_desktop.llm.llama_native import engine_trouble
from lifehelper_desktop.llm.llama_session import LlamaChatSession
from lifehelper_desktop.llm.probe import check_header, probe_model
from lifehelper_desktop.llm.protocol import (
    LlmChatSession,
    LlmError,
    LlmModelInfo,
    LlmPrompt,
    LlmStopped,
    LoadProgress,
)

_log = logging.getLogger(__name__)

_SPARE_BYTES: Final = 250 * 1024 * 1024
"""What the context, the compute buffers and the rest of the program need beside the weights."""

_Identity = tuple[Path, int, int]


class LlamaService:
    """Implements `LlmService` with llama.cpp."""

    def __init__(
        self,
        model_path: Callable[[], Path],
        *,
        n_ctx: int = 4096,
        n_threads: int | None = None,
        probe: bool = True,
        cache_dir: Path | None = None,
        family: str = AUTO,
        prepare: Callable[[LoadProgress | None, StopFlag], object] | None = None,
    ) -> None:
        """Keep the settings; nothing is loaded and no native library is touched yet.

        Args:
            model_path: Returns the file to load, asked at each load; may raise WorldError.
            n_ctx: Length of the context in tokens.
            n_threads: Threads to compute with; None leaves one core to the window where there are four.
            probe: Whether a new file is first loaded in a child process.
            cache_dir: Where files that passed the probe, and openings of conversations, are remembered; None forgets.
            family: One of `families.FAMILIES`, or `auto` to go by the file's metadata.
            prepare: Called before `model_path` at each load, with the load's progress and stop: makes the file when
                that takes long.
        """
        self._model_path = model_path
        self._n_ctx = n_ctx
        self._n_threads = n_threads
        self._probe = probe
        self._cache_dir = cache_dir
        self._family = family
        self._prepare = prepare
        self._stop = StopFlag()
        self._engine: LlamaEngine | None = None
        self._info: LlmModelInfo | None = None
        self._identity: _Identity | None = None
        self._session: LlmChatSession | None = None

    @property
    def is_loaded(self) -> bool:
        """Whether `start_chat` would answer at once."""
        return self._engine is not None

    @property
    def info(self) -> LlmModelInfo | None:
        """The loaded model, or None."""
        return self._info

    def load(self, progress: LoadProgress | None = None) -> LlmModelInfo:
        """Load the model if that has not happened yet, or if its file was replaced; see the protocol."""
        self._stop.clear()
        try:
            if self._prepare is not None:
                # What remains after it is the shorter part; the window shows rising figures only.
                self._prepare(None if progress is None else lambda done: progress(0.9 * done), self._stop)
            path = self._model_path()
            identity = _identity_of(path)
        except WorldError:
            self.close()
            raise
        if self._engine is not None and identity == self._identity and self._info is not None:
            return self._info
        self.close()
        header = check_header(path)
        _check_memory(header.file_bytes)
        if self._probe:
            probe_model(path, cache_dir=self._cache_dir, stop=self._stop)
        if self._stop.is_set():
            raise LlmStopped
        try:
            engine = LlamaEngine(
                path,
                n_ctx=self._n_ctx,
                n_threads=self._n_threads,
                stop=self._stop,
                progress=progress,
                cache_dir=self._cache_dir,
            )
        except (ImportError, OSError) as error:
            _log.exception("llama.cpp cannot be loaded")
            raise engine_trouble() from error
        except MemoryError as error:
            raise _no_memory() from error
        self._engine = engine
        self._identity = identity
        family = choose_family(header, lambda text: engine.vocabulary.marker(text) is not None, self._family)
        self._info = LlmModelInfo(
            name=header.name or path.stem,
            family=family,
            path=str(path),
            file_bytes=header.file_bytes,
            context_tokens=engine.n_ctx,
            chat_tuned=family not in (PRETRAINED, STARTER),
            parameters=header.parameters,
        )
        return self._info

    def start_chat(self, prompt: LlmPrompt) -> LlmChatSession:
        """Begin a conversation; see the protocol."""
        if self._engine is None or self._info is None:
            raise LlmError("closed", _("모델이 아직 열리지 않았어요."))
        if self._session is not None:
            self._session.close()
        self._session = self._new_session(self._engine, self._info, prompt)
        return self._session

    def _new_session(self, engine: LlamaEngine, info: LlmModelInfo, prompt: LlmPrompt) -> LlmChatSession:
        if info.chat_tuned:
            return LlamaChatSession(engine, chat_format(info.family), prompt, self._stop)
        if info.family == STARTER and prompt.lines is not None:
            trained_for = engine.metadata.get(CONTRACT_KEY, "")
            if trained_for == prompt.lines.contract:
                return LlamaLineSession(engine, prompt, prompt.lines, self._stop)
            _log.error("the adapter was trained for other tools or another catalogue: %.12s", trained_for)
        return LlamaBaseSession(engine, prompt, self._stop)

    def request_stop(self) -> None:
        """Stop loading or answering. Any thread may call this."""
        self._stop.set()

    def close(self) -> None:
        """Give all memory back; the model can be loaded again afterwards. Safe to call twice."""
        if self._session is not None:
            self._session.close()
            self._session = None
        engine, self._engine = self._engine, None
        self._info = None
        self._identity = None
        if engine is not None:
            engine.close()
            del engine
            gc.collect()


def _identity_of(path: Path) -> _Identity:
    try:
        stat = path.stat()
    except OSError as error:
        raise WorldError(
            _("모델 파일을 찾을 수 없어요: {name}").format(name=path.name),
            _("파일을 제자리에 돌려놓거나, 설정에서 다른 모델을 골라 주세요."),
        ) from error
    return path, stat.st_size, stat.st_mtime_ns


def _check_memory(file_bytes: int) -> None:
    import psutil

    if psutil.virtual_memory().available < file_bytes + _SPARE_BYTES:
        raise _no_memory()


def _no_memory() -> WorldError:
    return WorldError(
        _("메모리가 부족해 모델을 열지 못했어요."),
        _("다른 프로그램을 닫거나, 설정에서 더 작은 모델을 골라 주세요."),
    )
