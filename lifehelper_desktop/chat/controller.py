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
from lifehelper_desktop.chat.history import answer_interrupted, last_user, last_user_text, turns_of, with_card
from lifehelper_desktop.chat.keeping import ConversationKeeper
from lifehelper_desktop.chat.memory import TalkMemory
from lifehelper_desktop.chat.messages import (
    ChatCleared,
    ChatListener,
    ChatSessionState,
    MessageAdded,
    MessagesReplaced,
    ModelChatMessage,
    ModelThinking,
    TextStreamed,
    ToolCallChatMessage,
    ToolCallUpdated,
    TurnFailed,
    TurnFinished,
    UserChatMessage,
)
from lifehelper_desktop.chat.model_side import ModelSide
from lifehelper_desktop.chat.notices import notices_after
from lifehelper_desktop.chat.prompts import chat_prompt
from lifehelper_desktop.chat.reopening import read_conversation, writes_that_stay
from lifehelper_desktop.chat.talk import Talk
from lifehelper_desktop.chat.tool_round import ToolRound
from lifehelper_desktop.chat.tool_side import ToolSide
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
from lifehelper_desktop.mcp_client.tools import ServerTools
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.tools.confirm_gate import ConfirmGate
from lifehelper_desktop.tools.definition import UiActions
from lifehelper_desktop.tools.frame_suggestion import FrameSuggestion
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
        ui: UiActions | None = None,
        servers: ServerTools | None = None,
    ) -> None:
        """Make a controller with an empty conversation; nothing is loaded yet.

        `gate` None means that nobody can be asked: writes are cancelled. `history` is replayed to the model as
        earlier turns (evaluation cases). With `keep` the conversation is stored as it happens, unless the setting
        `keep_conversations` says otherwise. `ui` is the window; without one its tools are not there. `servers` have
        the tools of other programs that the user added.
        """
        self._store = store
        self._gate = gate
        self._language = language
        self._history = history
        self._keeper = ConversationKeeper(store, wanted=keep)
        self._talk = Talk(listener, self._keeper)
        self._done: frozenset[str] = frozenset()
        self._trim = LlmTrim()
        self._user_turns = 0
        self._wrote = False
        self._stop = threading.Event()
        self._llm = llm
        self._model = ModelSide(llm, self._prompt, self._talk.emit, self._stop.is_set)
        self._memory = TalkMemory(store, self._keeper, self._talk, language, before=len(history))
        self._tools = ToolSide(store, registry, language, self._model, self._stop, ui, servers)

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
            self._talk.show_card(ToolCallUpdated(card), partial(with_card, card))
        message, error = self._message(trimmed)
        self._keeper.begin_turn(message)
        self._talk.set(messages=(*self.state.messages, message))
        self._talk.emit(MessageAdded(message))
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
        self._talk.set(messages=(*self.state.messages[:place], message, *stay))
        self._talk.emit(MessagesReplaced(self.state.messages))
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
        self._talk.state = ChatSessionState(messages=messages)
        self._talk.emit(MessagesReplaced(messages))
        self._memory.open(conversation_id)

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
        self._tools.forget()
        self._memory.clear()
        self._trim = LlmTrim()
        self._keeper.conversation_id = None
        self._user_turns = 0
        self._talk.state = ChatSessionState()
        self._talk.emit(ChatCleared())

    def request_stop(self) -> None:
        """Stop the running turn: loading, reading the prompt, writing, or asking. Any thread may call this."""
        self._stop.set()
        self._model.request_stop()

    @property
    def may_tidy(self) -> bool:
        """Whether there is something for `tidy` to do."""
        return self._memory.may_tidy and self._model.session is not None and not self.state.is_streaming

    def tidy(self, interrupted: Callable[[], bool]) -> None:
        """Between turns, when nobody waits: let the model put what it left out into better words; blocks.

        Not begun when `interrupted` answers yes; `stop_tidying` ends it.
        """
        if self.may_tidy:
            self._memory.tidy(self._model.session, interrupted)

    def stop_tidying(self) -> None:
        """End a `tidy` that runs, within half a second. Any thread; never while a turn runs: it would end that."""
        self._model.request_stop()

    def forget_summary(self) -> None:
        """Delete what stands for the beginning of the conversation; the model is told it no longer."""
        if not self.state.is_streaming:
            self._memory.forget(self._model.session)

    def suggest_frame(self, protocol_id: str, level: int, language: str) -> FrameSuggestion:
        """Return a frame sentence for a catalogue entry; the conversation stays as it is.

        Raises:
            WorldError: No model, or it failed.
            LlmStopped: The user stopped it.
        """
        self._stop.clear()
        return self._tools.suggest_frame(protocol_id, level, language)

    def close(self) -> None:
        """Give the conversation's memory back; the model itself belongs to the service."""
        self._model.close()

    @property
    def state(self) -> ChatSessionState:
        """The conversation as it stands."""
        return self._talk.state

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
            self._tools.begin_run()
            return UserChatMessage(text, self._tools.context(stay)), None
        except WorldError as error:
            return UserChatMessage(text), error

    def _answer(self, message: UserChatMessage, error: WorldError | None) -> None:
        if sounds_like_crisis(message.text):
            # Whatever the model would say or call: this answer is the same, at once, and no tool runs.
            self._memory.not_heard()
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
            self._talk.add_stopped()
            self._end(stopped=True)
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
                self._talk.append(ModelChatMessage(text.strip()))
            self._talk.set(streaming_text="")
            self._model.pending = self._run_calls(calls)
            if self._stop.is_set():
                raise LlmStopped
            source = self._model.send_results
        self._talk.add_cap()
        self._end()

    def _read(self, stream: Iterator[LlmChatEvent]) -> tuple[str, list[LlmFunctionCall]]:
        """Read one model turn to its end: streamed text, and calls collected for later."""
        text = ""
        calls: list[LlmFunctionCall] = []
        for event in stream:
            if isinstance(event, LlmTextChunk):
                text += event.text
                self._talk.set(streaming_text=text)
                self._talk.emit(TextStreamed(event.text))
            else:
                calls.append(event)
        return text, calls

    def _run_calls(self, calls: list[LlmFunctionCall]) -> list[LlmToolResult]:
        """Run the calls of one model turn in order and return their results in order, duplicates included."""
        round_ = ToolRound(
            dispatcher=self._tools.dispatcher,
            registry=self._tools.registry,
            deps=self._tools.deps,
            gate=self._gate,
            show=self._talk.show_card,
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
        self._memory.look_again(self._model.session)
        self._talk.set(is_streaming=True, streaming_text="", error=None, can_continue=False)

    def _finish(self, text: str) -> None:
        self._talk.add_answer(text)
        self._end()

    def _end(self, *, stopped: bool = False) -> None:
        self._add_notices()
        self._talk.set(is_streaming=False, streaming_text=None)
        self._talk.emit(TurnFinished(self.state, stopped))

    def _fail(self, error: str, next_step: str) -> None:
        self._talk.add_partial()
        self._add_notices()
        self._talk.set(is_streaming=False, streaming_text=None, error=error)
        self._talk.emit(TurnFailed(error, next_step, self.state))

    def _add_notices(self) -> None:
        """Say what the turn leaves to say: see `notices_after`."""
        before = self._trim
        self._trim = self._model.trimmed
        summarised = self._memory.after_turn(self._trim, self._llm.info, self._model.session)
        found = notices_after(
            self.state.messages,
            wrote=self._wrote,
            user_turns=self._user_turns,
            trim=self._trim,
            trim_before=before,
            summarised=summarised,
        )
        for notice in found:
            self._talk.append(notice)

    # -- small things -------------------------------------------------------------------------------------------

    def _prompt(self) -> LlmPrompt:
        """Return what starts the model's side, with what was said before the message that is being answered."""
        past = self.state.messages
        if self.state.is_streaming:
            past = past[: last_user(past)]
        prompt = chat_prompt(self._tools.show_to(self._llm.info), self._store, self._language)
        self._memory.session_begins()
        return dataclasses.replace(
            prompt,
            history=(*self._history, *turns_of(past)),
            recap=self._memory.recap,
            thinking=lambda: self._talk.emit(ModelThinking()),
        )


def _clean(text: str) -> str:
    return text.replace("\0", "").strip()[:USER_TEXT_MAX]
