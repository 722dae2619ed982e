"""The multi-turn loop between the user, the model and the tools.

`ChatSessionController` is free of Qt. It lives on the thread that owns the model; only `request_stop` may be called
from another thread.
"""

from __future__ import annotations

import dataclasses
import logging
import threading
import uuid
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.chat.crisis import CRISIS_ANSWER, sounds_like_crisis
from lifehelper_desktop.chat.frame_suggest import FrameSuggestion, suggest_frame
from lifehelper_desktop.chat.history import answer_interrupted, last_user, last_user_text, turns_of, with_card
from lifehelper_desktop.chat.keeping import ConversationKeeper
from lifehelper_desktop.chat.messages import (
    ChatCleared,
    ChatEvent,
    ChatListener,
    ChatMessage,
    ChatSessionState,
    MessageAdded,
    MessagesReplaced,
    ModelChatMessage,
    SystemChatMessage,
    SystemMessageKind,
    TextStreamed,
    ToolCallChatMessage,
    ToolCallUpdated,
    TurnFailed,
    TurnFinished,
    UserChatMessage,
)
from lifehelper_desktop.chat.model_side import ModelSide
from lifehelper_desktop.chat.notices import notices_after
from lifehelper_desktop.chat.prompts import chat_prompt, turn_context
from lifehelper_desktop.chat.reopening import read_conversation, writes_that_stay
from lifehelper_desktop.chat.tool_round import ToolRound
from lifehelper_desktop.llm.protocol import (
    LlmChatEvent,
    LlmChatSession,
    LlmError,
    LlmFunctionCall,
    LlmPrompt,
    LlmService,
    LlmStopped,
    LlmTextChunk,
    LlmToolResult,
    LlmTrim,
    LlmTurn,
)
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.tools.confirm_gate import ConfirmGate
from lifehelper_desktop.tools.definition import ToolDeps
from lifehelper_desktop.tools.dispatcher import ToolDispatcher
from lifehelper_desktop.tools.registry import ToolRegistry

_log = logging.getLogger(__name__)

CHAT_MAX_TURNS: Final = 4
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
        *,
        keep: bool = True,
    ) -> None:
        """Make a controller with an empty conversation; nothing is loaded yet.

        `gate` None means that nobody can be asked: writes are cancelled. `history` is replayed to the model as
        earlier turns (evaluation cases). With `keep` the conversation is stored as it happens, unless the setting
        `keep_conversations` says otherwise.
        """
        self.state = ChatSessionState()
        self._store = store
        self._registry = registry
        self._gate = gate
        self._listener = listener
        self._language = language
        self._history = history
        self._deps = ToolDeps(store, language)
        self._dispatcher = ToolDispatcher(registry, self._deps)
        self._keeper = ConversationKeeper(store, wanted=keep)
        self._done: frozenset[str] = frozenset()
        self._trim = LlmTrim()
        self._user_turns = 0
        self._wrote = False
        self._stop = threading.Event()
        self._model = ModelSide(llm, self._prompt, self._emit, self._stop.is_set)

    # -- commands -----------------------------------------------------------------------------------------------

    def user_turn(self, text: str) -> None:
        """Run one whole turn for the user's `text`; empty text, or a turn that is running, does nothing.

        Text is cut to 4,000 characters and loses NUL. World and model errors end in `state.error`.
        """
        trimmed = _clean(text)
        if not trimmed or self.state.is_streaming:
            return
        self._begin()
        self._wrote, self._done = False, frozenset()
        self._user_turns += 1
        for card in answer_interrupted(self.state.messages):
            self._show_card(ToolCallUpdated(card), partial(with_card, card))
        message, error = self._message(trimmed)
        self._keeper.begin_turn(message)
        self._set(messages=(*self.state.messages, message))
        self._emit(MessageAdded(message))
        self._answer(message, error)

    def regenerate(self) -> None:
        """Answer the last message of the user anew; see `edit_last`."""
        self.edit_last(last_user_text(self.state.messages))

    def edit_last(self, text: str) -> None:
        """Put `text` in the place of the user's last message and answer it; what came after that message goes.

        What its calls have written stays written and shown, and the model is told; the same call again is not run
        but answered `repeated_call`. Does nothing while a turn runs, without a message, or for an empty text.
        """
        trimmed, place = _clean(text), last_user(self.state.messages)
        if not trimmed or place is None or self.state.is_streaming:
            return
        stay = writes_that_stay(self._store, self.state.messages[place:], self._language)
        self._begin()
        self._wrote, self._done = bool(stay), frozenset(card.identity for card in stay)
        message, error = self._message(trimmed, stay)
        self._keeper.begin_again(message, {card.key for card in stay})
        self._set(messages=(*self.state.messages[:place], message, *stay))
        self._emit(MessagesReplaced(self.state.messages))
        self._model.go_back()
        self._answer(message, error)

    def open(self, conversation_id: int) -> None:
        """Go on with a stored conversation; the model is given its history with the next message.

        Nothing of it is run again. Ignored while a turn runs.

        Raises:
            RuleViolation: `not_found`.
            WorldError: It could not be read.
        """
        if self.state.is_streaming:
            return
        messages, rebuilt = read_conversation(self._store, conversation_id, self._language)
        self.clear()
        self._keeper.conversation_id = conversation_id
        for card in rebuilt:
            self._keeper.note(card)
        self._user_turns = sum(isinstance(message, UserChatMessage) for message in messages)
        self.state = ChatSessionState(messages=messages)
        self._emit(MessagesReplaced(messages))

    def continue_turn(self) -> None:
        """Go on after the turn cap with four fresh model turns; does nothing when no cap was reached."""
        if not self.state.can_continue or self.state.is_streaming or self._model.session is None:
            return
        self._begin()
        self._guarded(self._model.send_results)

    def clear(self) -> None:
        """Begin a new conversation; ignored while a turn runs."""
        if self.state.is_streaming:
            return
        self._model.close()
        self._trim = LlmTrim()
        self._keeper.conversation_id = None
        self._user_turns = 0
        self.state = ChatSessionState()
        self._emit(ChatCleared())

    def request_stop(self) -> None:
        """Stop the running turn: loading, reading the prompt, writing, or asking. Any thread may call this."""
        self._stop.set()
        self._model.request_stop()

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
            return suggest_frame(self._model.ready(), entry, level, language, self._store.catalogue)
        except LlmStopped:
            raise
        except LlmError as error:
            raise WorldError(error.message, _("잠시 뒤에 다시 눌러 주세요.")) from error

    def close(self) -> None:
        """Give the conversation's memory back; the model itself belongs to the service."""
        self._model.close()

    @property
    def conversation_id(self) -> int | None:
        """The stored conversation that is going on, or None when nothing of it is stored. Any thread."""
        return self._keeper.conversation_id

    @property
    def session(self) -> LlmChatSession | None:
        """The model's side of the conversation, for measurements; None before the first turn."""
        return self._model.session

    # -- the loop -----------------------------------------------------------------------------------------------

    def _message(
        self, text: str, stay: Sequence[ToolCallChatMessage] = ()
    ) -> tuple[UserChatMessage, WorldError | None]:
        """Return the message with the facts beside it, or what kept them from being read."""
        try:
            return UserChatMessage(text, turn_context(self._store, self._language, stay)), None
        except WorldError as error:
            return UserChatMessage(text), error

    def _answer(self, message: UserChatMessage, error: WorldError | None) -> None:
        if sounds_like_crisis(message.text):
            # Whatever the model would say or call: this answer is the same, at once, and no tool runs.
            self._finish(_(CRISIS_ANSWER))
            return
        if error is not None:
            self._fail(error.message, error.next_step)
            return
        self._guarded(lambda: self._model.send_user(message))

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
            self._model.pending = self._run_calls(calls)
            if self._stop.is_set():
                raise LlmStopped
            source = self._model.send_results
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
            next_key=lambda: uuid.uuid4().hex,
            stopped=self._stop.is_set,
            done=self._done,
            invocation=self._keeper.invocation,
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
        """Say what the turn leaves to say: see `notices_after`."""
        before = self._trim
        self._trim = self._model.trimmed
        found = notices_after(
            self.state.messages, wrote=self._wrote, user_turns=self._user_turns, trim=self._trim, trim_before=before
        )
        for notice in found:
            self._append(notice)

    # -- small things -------------------------------------------------------------------------------------------

    def _prompt(self) -> LlmPrompt:
        """Return what starts the model's side, with what was said before the message that is being answered."""
        past = self.state.messages
        if self.state.is_streaming:
            past = past[: last_user(past)]
        prompt = chat_prompt(self._registry, self._store, self._language)
        return dataclasses.replace(prompt, history=(*self._history, *turns_of(past)))

    def _append(self, message: ChatMessage) -> None:
        self._set(messages=(*self.state.messages, message))
        self._keeper.note(message)
        self._emit(MessageAdded(message))

    def _show_card(
        self, event: ChatEvent, messages: Callable[[tuple[ChatMessage, ...]], tuple[ChatMessage, ...]]
    ) -> None:
        self._set(messages=messages(self.state.messages))
        if isinstance(event, MessageAdded) or (isinstance(event, ToolCallUpdated) and event.message.result is not None):
            self._keeper.note(event.message)
        self._emit(event)

    def _set(self, **changes: object) -> None:
        self.state = dataclasses.replace(self.state, **changes)  # type: ignore[arg-type]

    def _emit(self, event: ChatEvent) -> None:
        """Tell the listener; a listener that has gone (window closed) must not end the turn."""
        try:
            self._listener(event)
        except Exception:  # noqa: BLE001
            _log.exception("a chat listener failed on %s", type(event).__name__)


def _clean(text: str) -> str:
    return text.replace("\0", "").strip()[:USER_TEXT_MAX]
