"""The multi-turn loop between the user, the model and the tools.

`ChatSessionController` is free of Qt. It lives on the thread that owns the model; only `request_stop` may be called
from another thread.
"""

from __future__ import annotations

import dataclasses
import itertools
import logging
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.chat.claims import claims_a_write
from lifehelper_desktop.chat.crisis import CRISIS_ANSWER, sounds_like_crisis
from lifehelper_desktop.chat.frame_suggest import FrameSuggestion, suggest_frame
from lifehelper_desktop.chat.messages import (
    ChatCleared,
    ChatEvent,
    ChatListener,
    ChatMessage,
    ChatSessionState,
    MessageAdded,
    ModelChatMessage,
    ModelLoading,
    PromptReading,
    SystemChatMessage,
    SystemMessageKind,
    TextStreamed,
    ToolCallChatMessage,
    TurnFailed,
    TurnFinished,
    UserChatMessage,
)
from lifehelper_desktop.chat.prompts import chat_prompt, turn_context
from lifehelper_desktop.chat.tool_round import ToolRound
from lifehelper_desktop.llm.protocol import (
    LlmChatEvent,
    LlmChatSession,
    LlmError,
    LlmFunctionCall,
    LlmService,
    LlmStopped,
    LlmTextChunk,
    LlmToolResult,
    LlmTurn,
)
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.tools.confirm_gate import ConfirmGate
from lifehelper_desktop.tools.definition import ToolDeps
from lifehelper_desktop.tools.dispatcher import ToolDispatcher
from lifehelper_desktop.tools.registry import ToolRegistry

_log = logging.getLogger(__name__)

CHAT_MAX_TURNS: Final = 4
CHAT_SOFT_HISTORY_LIMIT: Final = 8
USER_TEXT_MAX: Final = 4000

_StreamSource = Callable[[], Iterator[LlmChatEvent]]


class ChatSessionController:
    """Runs conversations. Holds the state; tells the listener of every step, on its own thread."""

    def __init__(
        self,
        llm: LlmService,
        store: Store,
        registry: ToolRegistry,
        gate: ConfirmGate | None,
        listener: ChatListener,
        language: str,
        history: tuple[LlmTurn, ...] = (),
    ) -> None:
        """Make a controller with an empty conversation; nothing is loaded yet.

        `gate` None means that nobody can be asked: writes are cancelled. `history` is replayed to the model as
        earlier turns (evaluation cases).
        """
        self.state = ChatSessionState()
        self._llm = llm
        self._store = store
        self._registry = registry
        self._gate = gate
        self._listener = listener
        self._language = language
        self._history = history
        self._deps = ToolDeps(store, language)
        self._dispatcher = ToolDispatcher(registry, self._deps)
        self._session: LlmChatSession | None = None
        self._pending: list[LlmToolResult] = []
        self._keys = itertools.count(1)
        self._user_turns = 0
        self._wrote = False
        self._stop = threading.Event()

    # -- commands -----------------------------------------------------------------------------------------------

    def user_turn(self, text: str) -> None:
        """Run one whole turn for the user's `text`; empty text, or a turn that is running, does nothing.

        Text is cut to 4,000 characters and loses NUL. World and model errors end in `state.error`.
        """
        trimmed = text.replace("\0", "").strip()[:USER_TEXT_MAX]
        if not trimmed or self.state.is_streaming:
            return
        self._begin()
        self._wrote = False
        self._append(UserChatMessage(trimmed))
        self._user_turns += 1
        if sounds_like_crisis(trimmed):
            # Whatever the model would say or call: this answer is the same, at once, and no tool runs.
            self._finish(_(CRISIS_ANSWER))
            return

        def first() -> Iterator[LlmChatEvent]:
            session = self._ensure_session()
            if self._pending:
                session.add_tool_results(self._take_pending())
            return session.send_user(trimmed, turn_context(self._store, self._language))

        self._guarded(first)

    def continue_turn(self) -> None:
        """Go on after the turn cap with four fresh model turns; does nothing when no cap was reached."""
        if not self.state.can_continue or self.state.is_streaming or self._session is None:
            return
        self._begin()
        self._guarded(self._send_results)

    def clear(self) -> None:
        """Begin a new conversation; ignored while a turn runs."""
        if self.state.is_streaming:
            return
        self._close_session()
        self._pending.clear()
        self._user_turns = 0
        self.state = ChatSessionState()
        self._emit(ChatCleared())

    def request_stop(self) -> None:
        """Stop the running turn: loading, reading the prompt, writing, or asking. Any thread may call this."""
        self._stop.set()
        session = self._session
        if session is not None:
            session.request_stop()
        self._llm.request_stop()

    def suggest_frame(self, protocol_id: str, level: int, language: str) -> FrameSuggestion:
        """Return a frame sentence for a catalogue entry; the conversation stays as it is.

        Raises:
            WorldError: No model, or it failed.
            LlmStopped: The user stopped it.
        """
        entry = self._store.catalogue.get(protocol_id)
        if entry is None:
            raise ValueError(f"unknown protocol {protocol_id!r}")
        self._stop.clear()
        try:
            return suggest_frame(self._ensure_session(), entry, level, language, self._store.catalogue)
        except LlmStopped:
            raise
        except LlmError as error:
            raise WorldError(error.message, _("잠시 뒤에 다시 눌러 주세요.")) from error

    def close(self) -> None:
        """Give the conversation's memory back; the model itself belongs to the service."""
        self._close_session()

    @property
    def session(self) -> LlmChatSession | None:
        """The model's side of the conversation, for measurements; None before the first turn."""
        return self._session

    # -- the loop -----------------------------------------------------------------------------------------------

    def _guarded(self, first: _StreamSource) -> None:
        """Run the loop and end the turn in every case."""
        try:
            self._loop(first)
        except LlmStopped:
            self._finish_stopped()
        except WorldError as error:
            self._fail(error.message, error.next_step)
        except LlmError as error:
            _log.warning("the model failed: %s", error.kind)
            words = error.message or _("LLM 응답 실패: {kind}").format(kind=error.kind)
            self._fail(words, _("다시 보내거나 새 대화를 시작해 주세요."))
        except Exception as error:  # noqa: BLE001 - the turn must end in a state the user can go on from
            _log.exception("a chat turn failed")
            kind = type(error).__name__
            self._fail(_("LLM 응답 실패: {kind}").format(kind=kind), _("다시 보내거나 새 대화를 시작해 주세요."))

    def _loop(self, first: _StreamSource) -> None:
        source = first
        for _turn in range(CHAT_MAX_TURNS):
            text, calls = self._read(source())
            if not calls:
                self._finish(text)
                return
            if text.strip():
                self._append(ModelChatMessage(text.strip()))
            self._set(streaming_text="")
            self._pending = self._run_calls(calls)
            if self._stop.is_set():
                raise LlmStopped
            source = self._send_results
        self._finish_capped()

    def _read(self, stream: Iterator[LlmChatEvent]) -> tuple[str, list[LlmFunctionCall]]:
        """Read one model turn to its end: streamed text, and calls collected for later."""
        text = ""
        calls: list[LlmFunctionCall] = []
        for event in stream:
            if isinstance(event, LlmTextChunk):
                text += event.text
                self._set(streaming_text=text)
                self._emit(TextStreamed(event.text))
            else:
                calls.append(event)
        return text, calls

    def _run_calls(self, calls: list[LlmFunctionCall]) -> list[LlmToolResult]:
        """Run the calls of one model turn in order and return their results in order, duplicates included."""
        round_ = ToolRound(
            dispatcher=self._dispatcher,
            registry=self._registry,
            deps=self._deps,
            gate=self._gate,
            show=self._show_card,
            next_key=lambda: f"call-{next(self._keys)}",
            stopped=self._stop.is_set,
        )
        results = round_.run(calls)
        self._wrote = self._wrote or round_.wrote
        return results

    # -- ends of a turn -----------------------------------------------------------------------------------------

    def _begin(self) -> None:
        self._stop.clear()
        self._set(is_streaming=True, streaming_text="", error=None, can_continue=False)

    def _finish(self, text: str) -> None:
        answer = text.strip()
        if answer:
            self._append(ModelChatMessage(answer))
        elif not isinstance(self.state.messages[-1], ToolCallChatMessage):
            self._append(SystemChatMessage(_("답이 비어 있었어요. 조금 다르게 말해 보시겠어요?")))
        self._end()

    def _finish_stopped(self) -> None:
        partial = (self.state.streaming_text or "").strip()
        if partial:
            self._append(ModelChatMessage(partial, stopped=True))
        else:
            self._append(SystemChatMessage(_("멈췄어요.")))
        self._end()

    def _finish_capped(self) -> None:
        words = _("도구 호출 루프가 너무 길어 중단했습니다.")
        self._append(SystemChatMessage(words, SystemMessageKind.TURN_CAP))
        self._set(error=words, can_continue=True)
        self._end()

    def _end(self) -> None:
        self._add_notices()
        self._set(is_streaming=False, streaming_text=None)
        self._emit(TurnFinished(self.state))

    def _fail(self, error: str, next_step: str) -> None:
        partial = (self.state.streaming_text or "").strip()
        if partial:
            self._append(ModelChatMessage(partial, stopped=True))
        self._add_notices()
        self._set(is_streaming=False, streaming_text=None, error=error)
        self._emit(TurnFailed(error, next_step, self.state))

    def _add_notices(self) -> None:
        """Put a claimed write that did not happen right, and say once that the conversation has become long."""
        said_now = list(
            itertools.takewhile(lambda m: not isinstance(m, UserChatMessage), reversed(self.state.messages))
        )
        claimed = any(isinstance(message, ModelChatMessage) and claims_a_write(message.text) for message in said_now)
        if claimed and not self._wrote and not self._has_notice(SystemMessageKind.NOTHING_CHANGED, said_now):
            words = _("참고: 이번 답에서 실제로 바뀐 기록은 없어요.")
            self._append(SystemChatMessage(words, SystemMessageKind.NOTHING_CHANGED))
        is_long = self._user_turns >= CHAT_SOFT_HISTORY_LIMIT
        if is_long and not self._has_notice(SystemMessageKind.LONG_HISTORY, self.state.messages):
            words = _("대화가 길어졌어요. 새 대화로 시작하면 더 빨라져요.")
            self._append(SystemChatMessage(words, SystemMessageKind.LONG_HISTORY))

    # -- small things -------------------------------------------------------------------------------------------

    def _ensure_session(self) -> LlmChatSession:
        """Load the model and begin the model's side of the conversation when that has not happened yet."""
        if self._session is not None and not self._llm.is_loaded:
            # The service was closed under us: begin anew rather than talk to nothing. Results of calls that the new
            # session never made would only confuse it.
            self._close_session()
            self._pending.clear()
        if self._session is None:
            self._llm.load(self._loading_listener())
            if self._stop.is_set():
                raise LlmStopped
            prompt = dataclasses.replace(
                chat_prompt(self._registry, self._store, self._language), history=self._history
            )
            self._session = self._llm.start_chat(prompt)
        self._emit(PromptReading())
        return self._session

    def _loading_listener(self) -> Callable[[float], None]:
        """Return a progress function that passes on each whole per cent once: llama.cpp reports every tensor."""
        shown = -1

        def listen(fraction: float) -> None:
            nonlocal shown
            percent = int(fraction * 100)
            if percent > shown:
                shown = percent
                self._emit(ModelLoading(fraction))

        return listen

    def _close_session(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            session.close()

    def _send_results(self) -> Iterator[LlmChatEvent]:
        return self._ensure_session().send_tool_results(self._take_pending())

    def _take_pending(self) -> list[LlmToolResult]:
        pending, self._pending = self._pending, []
        return pending

    def _append(self, message: ChatMessage) -> None:
        self._set(messages=(*self.state.messages, message))
        self._emit(MessageAdded(message))

    def _show_card(
        self, event: ChatEvent, messages: Callable[[tuple[ChatMessage, ...]], tuple[ChatMessage, ...]]
    ) -> None:
        self._set(messages=messages(self.state.messages))
        self._emit(event)

    def _set(self, **changes: object) -> None:
        self.state = dataclasses.replace(self.state, **changes)  # type: ignore[arg-type]

    def _emit(self, event: ChatEvent) -> None:
        """Tell the listener; a listener that has gone (window closed) must not end the turn."""
        try:
            self._listener(event)
        except Exception:  # noqa: BLE001
            _log.exception("a chat listener failed on %s", type(event).__name__)

    @staticmethod
    def _has_notice(kind: SystemMessageKind, messages: Iterable[ChatMessage]) -> bool:
        return any(isinstance(message, SystemChatMessage) and message.kind is kind for message in messages)
