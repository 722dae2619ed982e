"""The thread that owns the model. The window queues commands; events come back over the bus."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, QThread, QTimer

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.base.logs import crash_text, write_crash_report
from lifehelper_desktop.chat.history import last_user_text
from lifehelper_desktop.chat.messages import (
    AsideAnswered,
    ChatCleared,
    ChatEvent,
    ChatSessionState,
    DataChanged,
    ModelLoading,
    TextStreamed,
    TurnFailed,
    TurnFinished,
)
from lifehelper_desktop.domain.rules import RuleViolation
from lifehelper_desktop.llm.protocol import LlmError, LlmService, LlmStopped
from lifehelper_desktop.ui.bus import Bus, CrashNotice, FrameProposal
from lifehelper_desktop.ui.confirm_gate import BusConfirmGate
from lifehelper_desktop.ui.context import AppContext, CoachController
from lifehelper_desktop.ui.ui_actions import BusUiActions

FLUSH_MS = 33  # streamed text crosses to the window about 30 times a second
REST_S = 1.0  # after so long without a command the coach may tidy up
_STOP_AGAIN_MS = 200


@dataclass(frozen=True, slots=True)
class _Command:
    """One piece of work for the thread. `is_turn` work is dropped by Stop while it still waits in the queue."""

    run: Callable[[], None]
    number: int
    is_turn: bool = False


class LlmThread(QThread):
    """Runs the coach. The object lives in the main thread, which calls every public method; `run` is the worker.

    The worker makes the model and the controller at the first command, so starting the program costs nothing.
    """

    def __init__(self, context: AppContext, bus: Bus, parent: QObject | None = None) -> None:
        """Prepare; the thread starts with the first command."""
        super().__init__(parent)
        self.setObjectName("llm")
        self._context = context
        self._bus = bus
        self.gate = BusConfirmGate(bus)
        self.ui = BusUiActions(bus)
        self._commands: queue.SimpleQueue[_Command | None] = queue.SimpleQueue()
        self._number = 0
        self._drop_up_to = 0
        self._running = 0  # number of the command that runs, 0 between commands
        self._finished = 0
        self._closing = False
        self._tidying = False
        # Held while `_tidying` changes and while tidying is stopped: a stop must never reach the turn after it.
        self._tidy_lock = threading.Lock()
        self._llm: LlmService | None = None
        self._controller: CoachController | None = None
        self._text: list[str] = []
        self._text_lock = threading.Lock()
        self._flush_timer = QTimer(self)
        self._flush_timer.setInterval(FLUSH_MS)
        self._flush_timer.timeout.connect(self._flush)

    # ---- main thread ------------------------------------------------------------------------------------------

    def user_turn(self, text: str) -> None:
        """Send the user's message."""
        self._queue(lambda: self._ready_controller().user_turn(text), is_turn=True)

    def continue_turn(self) -> None:
        """Go on after the turn cap."""
        self._queue(lambda: self._ready_controller().continue_turn(), is_turn=True)

    def answer_again(self, text: str) -> None:
        """Answer `text` in the place of the user's last message: the same text, or an edited one."""
        self._queue(lambda: self._answer_again(text), is_turn=True)

    def open_conversation(self, conversation_id: int) -> None:
        """Go on with a stored conversation. Ends in ChatCleared, whatever happens, and then its messages."""
        self._queue(lambda: self._open(conversation_id))

    def forget_summary(self) -> None:
        """Delete what stands for the beginning of the conversation. Ends in SummaryChanged where there is any."""
        self._queue(lambda: self._ready_controller().forget_summary())

    @property
    def conversation_id(self) -> int | None:
        """The stored conversation that is going on, or None."""
        controller = self._controller
        return controller.conversation_id if controller is not None else None

    def clear(self) -> None:
        """Empty the conversation. Ends in ChatCleared, whatever happens."""
        self._queue(self._clear)

    def load(self) -> None:
        """Load the model ahead of the first message."""
        self._queue(self._load, is_turn=True)

    def suggest_frame(self, protocol_id: str, level: int, language: str) -> int:
        """Ask for a frame text; the FrameProposal with the returned number comes over the bus."""
        request_id = self._number + 1
        self._queue(lambda: self._suggest(request_id, protocol_id, level, language))
        return request_id

    def restart(self) -> None:
        """Language or model changed: close both, so that the next command makes them anew. Ends in ChatCleared."""
        if self.isRunning():
            self.stop()
            self._queue(self._close_and_clear)
        else:
            self._publish(ChatCleared())

    def stop(self) -> None:
        """End whatever runs or waits: the open question is cancelled, the answer stops."""
        self._drop_up_to = self._number
        self._stop_now()

    def shutdown(self) -> None:
        """Stop, end the servers, close the model inside the worker, and wait until the thread has ended."""
        self._closing = True
        self.gate.close()
        self.ui.close()
        self.stop()
        self._flush_timer.stop()
        if self._context.servers is not None:
            self._context.servers.close()
        if not self.isRunning():
            return
        self._commands.put(None)
        # A turn that begins just now forgets earlier stops, so ask again until the worker is through.
        while not self.wait(_STOP_AGAIN_MS):
            self._stop_now()

    def _queue(self, run: Callable[[], None], *, is_turn: bool = False) -> None:
        if self._closing:
            return
        self._number += 1
        self._commands.put(_Command(run, self._number, is_turn))
        self._stop_tidying()
        self._flush_timer.start()
        if not self.isRunning():
            self.start()

    def _stop_now(self) -> None:
        self.gate.cancel()
        self.ui.cancel()
        controller, llm = self._controller, self._llm
        if controller is not None:
            controller.request_stop()
        if llm is not None:
            llm.request_stop()

    def _stop_tidying(self) -> None:
        """End what the coach does at rest, when it does that: somebody waits now."""
        with self._tidy_lock:
            if self._tidying and self._controller is not None:
                self._controller.stop_tidying()

    def _flush(self) -> None:
        with self._text_lock:
            self._emit_text()
        if self._tidying and self._finished < self._number:
            self._stop_tidying()  # tidying that was just beginning may have missed the first call
        if 0 < self._running <= self._drop_up_to:
            self._stop_now()  # a turn that was just beginning may have missed the first call
        elif self._finished == self._number:
            self._flush_timer.stop()

    # ---- worker -----------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Carry out commands until `shutdown`. An error in one of them is reported and does not end the thread."""
        while (command := self._next()) is not None:
            self.gate.begin_turn()
            self.ui.begin_turn()
            try:
                if command.is_turn and command.number <= self._drop_up_to:
                    self._publish(TurnFinished(self._state(), stopped=True))
                else:
                    self._running = command.number
                    command.run()
            except WorldError as error:  # for example the settings could not be read
                self._publish(TurnFailed(error.message, error.next_step, self._state()))
            except Exception as error:  # noqa: BLE001 - the worker must outlive any bug
                self._report(error)
            self._running, self._finished = 0, command.number
        try:
            self._close()
        except Exception as error:  # noqa: BLE001
            self._report(error)

    def _next(self) -> _Command | None:
        """Wait for the next command; what the coach may do at rest is done meanwhile."""
        while self._controller is not None and self._controller.may_tidy:
            try:
                return self._commands.get(timeout=REST_S)
            except queue.Empty:
                self._tidy(self._controller)
        return self._commands.get()

    def _tidy(self, controller: CoachController) -> None:
        with self._tidy_lock:
            self._tidying = True
        try:
            controller.tidy(lambda: not self._commands.empty())
        except Exception as error:  # noqa: BLE001 - nobody waits for it, so nobody is told but the report
            write_crash_report(self._context.store.paths.logs, type(error), error, error.__traceback__)
        finally:
            with self._tidy_lock:
                self._tidying = False

    def _ready_controller(self) -> CoachController:
        if self._llm is None:
            self._llm = self._context.make_llm()
        if self._controller is None:
            self._controller = self._context.make_controller(self._llm, self.gate, self._publish, self.ui)
        return self._controller

    def _state(self) -> ChatSessionState:
        return self._controller.state if self._controller is not None else ChatSessionState()

    def _clear(self) -> None:
        try:
            if self._controller is not None:
                self._controller.clear()  # tells so itself
                return
        except Exception:
            self._publish(ChatCleared())
            raise
        self._publish(ChatCleared())

    def _answer_again(self, text: str) -> None:
        controller = self._ready_controller()
        if last_user_text(controller.state.messages):
            controller.edit_last(text)
        else:  # it failed before the controller heard of it
            controller.user_turn(text)

    def _open(self, conversation_id: int) -> None:
        try:
            self._ready_controller().open(conversation_id)
        except RuleViolation as refusal:
            self._clear()
            self._publish(TurnFailed(refusal.reason, "", self._state()))
        except Exception:
            self._clear()
            raise

    def _close_and_clear(self) -> None:
        try:
            self._close()
        finally:
            self._publish(ChatCleared())

    def _load(self) -> None:
        self._ready_controller()
        assert self._llm is not None
        try:
            self._llm.load(lambda fraction: self._publish(ModelLoading(fraction)))
        except LlmStopped:
            self._publish(TurnFinished(self._state(), stopped=True))
        except WorldError as error:
            self._publish(TurnFailed(error.message, error.next_step, self._state()))
        else:
            self._publish(TurnFinished(self._state()))

    def _suggest(self, request_id: int, protocol_id: str, level: int, language: str) -> None:
        failed = _("지금은 제안을 만들지 못했어요.")
        use_own = _("직접 적거나 예시를 써 주세요.")
        answer = FrameProposal(request_id, error=failed, next_step=use_own)
        try:
            found = self._ready_controller().suggest_frame(protocol_id, level, language)
            answer = FrameProposal(request_id, text=found.text, by_model=found.by_model)
        except WorldError as error:
            answer = FrameProposal(request_id, error=error.message, next_step=error.next_step or use_own)
        except LlmError as error:
            answer = FrameProposal(request_id, error=error.message or failed, next_step=use_own)
        finally:
            self._publish(AsideAnswered())  # the model may have been loaded and begun for it
            self._bus.publish_notice(answer)

    def _close(self) -> None:
        controller, llm = self._controller, self._llm
        self._controller = self._llm = None
        if controller is not None:
            controller.close()
        if llm is not None:
            llm.close()

    def _publish(self, event: ChatEvent) -> None:
        """The controller's listener: text is gathered, anything else goes out at once, after the text before it."""
        with self._text_lock:
            if isinstance(event, TextStreamed):
                self._text.append(event.text)
                return
            self._emit_text()
            self._bus.publish_chat(event)
        if isinstance(event, DataChanged) and event.changes:
            self._bus.publish_data(event.changes)

    def _emit_text(self) -> None:
        if self._text:
            text = "".join(self._text)
            self._text.clear()
            self._bus.publish_chat(TextStreamed(text))

    def _report(self, error: Exception) -> None:
        kind, trace = type(error), error.__traceback__
        path = write_crash_report(self._context.store.paths.logs, kind, error, trace)
        self._bus.publish_notice(CrashNotice(path, crash_text(kind, error, trace)))
        self._publish(
            TurnFailed(
                _("코치가 예상하지 못한 문제를 만났어요."),
                _("다시 시도하거나 새 대화를 시작해 주세요. 습관 기록은 그대로 있어요."),
                self._state(),
            )
        )
