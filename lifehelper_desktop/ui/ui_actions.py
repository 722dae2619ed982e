"""The coach's tools on the window: asked for on the LLM thread, carried out on the main thread, answered truly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.i18n import _, current_language
from lifehelper_desktop.chat.messages import ChatMessage, ModelChatMessage, UserChatMessage
from lifehelper_desktop.tools.copy_text import CLIPBOARD_MAX
from lifehelper_desktop.tools.definition import UiAnswer, UiOutcome
from lifehelper_desktop.tools.screens import HABIT_PAGE, SCREENS, squeezed
from lifehelper_desktop.ui.actions import BY_NAME, Command
from lifehelper_desktop.ui.bus import Bus, Trouble
from lifehelper_desktop.ui.text import clean_lines
from lifehelper_desktop.ui.turn_asker import TurnAsker
from lifehelper_desktop.ui.wishes import PendingWish, UiAction, Wish

if TYPE_CHECKING:
    from lifehelper_desktop.ui.main_window import MainWindow

#: The pages of the window by the command that shows them.
_PAGES: Final = {"show_habits": "habits", "show_catalogue": "catalogue", "show_review": "review"}
#: The dialogs whose name among the open ones is not that of their command.
_DIALOGS: Final = {"import_data": "import", "export_data": "export", "open_conversations": "conversations"}
SCREEN_COMMANDS: Final[tuple[Command, ...]] = tuple(BY_NAME[name] for name in SCREENS if name != HABIT_PAGE)


class BusUiActions(TurnAsker[PendingWish, UiAnswer]):
    """Implements UiActions; what is refused is answered “stopped”, after `close` “no window”.

    Attributes:
        habit_in_view: The habit whose page is shown, or None; the main thread writes it.
    """

    def __init__(self, bus: Bus) -> None:
        """Publish wishes through `bus`."""
        super().__init__()
        self._bus = bus
        self.habit_in_view: int | None = None

    def open_screen(self, name: str) -> UiAnswer:
        """Show a screen; see the protocol."""
        return self._ask(PendingWish(Wish(UiAction.OPEN_SCREEN, text=name)))

    def show_habit(self, habit_id: int) -> UiAnswer:
        """Show the page of a habit; see the protocol."""
        return self._ask(PendingWish(Wish(UiAction.SHOW_HABIT, habit_id=habit_id)))

    def copy_text(self, text: str) -> UiAnswer:
        """Put plain text on the clipboard, or without one the coach's last answer; `words` is what lies there now."""
        return self._ask(PendingWish(Wish(UiAction.COPY_TEXT, text=text)))

    def _publish(self, pending: PendingWish) -> None:
        self._bus.publish_wish(pending)

    def _end(self, pending: PendingWish, *, closed: bool) -> None:
        pending.take_back(UiOutcome.NO_WINDOW if closed else UiOutcome.STOPPED)


class WishPerformer(QObject):
    """Carries wishes out. Main thread; a part of the window.

    What is answered is what is to be seen afterwards, not what was tried. The cursor stays in the message field where
    it was there: a page that opens must not take the words that the user is writing.
    """

    def __init__(self, window: MainWindow) -> None:
        """Listen to the window's bus."""
        super().__init__(window)
        self._window = window
        self._bus = window.bus
        window.bus.on_wish(self._carry_out)

    def _carry_out(self, pending: PendingWish) -> None:
        if not pending.begin():
            return
        answer = UiAnswer(UiOutcome.FAILED)
        try:
            answer = self._answer(pending.wish)
        except WorldError as error:
            self._bus.publish_notice(Trouble(error))
            answer = UiAnswer(UiOutcome.FAILED, error.message)
        finally:
            pending.finish(answer)  # also of a bug of ours: the coach must not wait for ever

    def _answer(self, wish: Wish) -> UiAnswer:
        if not self._window.isVisible():
            return UiAnswer(UiOutcome.NO_WINDOW)
        match wish.action:
            case UiAction.OPEN_SCREEN:
                return self._open_screen(wish.text)
            case UiAction.SHOW_HABIT:
                return self._keeping_the_cursor(lambda: self._show_habit(wish.habit_id))
            case UiAction.COPY_TEXT:
                return self._copy(wish.text)

    # ---- screens ----------------------------------------------------------------------------------------------

    def _open_screen(self, name: str) -> UiAnswer:
        command = find_command(name)
        if command is None or not self._window.commands.by_name[command.name].isEnabled():
            return UiAnswer(UiOutcome.UNKNOWN, ", ".join(map(_title, SCREEN_COMMANDS)))
        if command.name in _PAGES:
            return self._keeping_the_cursor(lambda: self._run(command))
        return self._run(command)

    def _run(self, command: Command) -> UiAnswer:
        if not (command.name == "quick_log" and self._is_shown(command)):  # a second time would close it
            self._window.run_command(command)
        return UiAnswer(UiOutcome.DONE, _title(command)) if self._is_shown(command) else UiAnswer(UiOutcome.FAILED)

    def _is_shown(self, command: Command) -> bool:
        window = self._window
        if command.name in _PAGES:
            return window.page_name == _PAGES[command.name] and not window.stack.isHidden()
        if command.name == "quick_log":
            return window.tray.quick_log.isVisible()
        if command.name == "open_models":
            return window.models.dialog is not None and window.models.dialog.isVisible()
        dialog = window.dialogs.get(_DIALOGS.get(command.name, command.name))
        return dialog is not None and dialog.isVisible()

    def _show_habit(self, habit_id: int) -> UiAnswer:
        window = self._window
        window.show_habit(habit_id)
        record = window.detail.record if window.detail is not None else None
        if window.page_name == "detail" and record is not None and record.overview.habit.id == habit_id:
            return UiAnswer(UiOutcome.DONE, record.overview.habit.title(current_language()))
        return UiAnswer(UiOutcome.UNKNOWN)

    def _keeping_the_cursor(self, do: Callable[[], UiAnswer]) -> UiAnswer:
        chat, focused = self._window.chat, QApplication.focusWidget()
        was_writing = isinstance(focused, QWidget) and chat is not None and chat.isAncestorOf(focused)
        answer = do()
        if was_writing and focused is not None and focused.isVisible():
            focused.setFocus()
        return answer

    # ---- the clipboard ----------------------------------------------------------------------------------------

    def _copy(self, text: str) -> UiAnswer:
        wanted = clean_lines(text or last_answer(self._window.conversation.messages))[:CLIPBOARD_MAX]
        if not wanted:
            return UiAnswer(UiOutcome.UNKNOWN)
        clipboard = QGuiApplication.clipboard()
        clipboard.setText(wanted)
        if clipboard.text() != wanted:
            return UiAnswer(UiOutcome.FAILED, _("클립보드를 다른 프로그램이 쓰고 있어요."))
        return UiAnswer(UiOutcome.DONE, wanted)


def find_command(name: str) -> Command | None:
    """Return the command that shows the screen of this name: the command's own name, or its title in a language."""
    wanted = squeezed(name)
    for command in SCREEN_COMMANDS:
        if wanted and wanted in {
            squeezed(each) for each in (command.name, command.words, command.title(), command.english_title())
        }:
            return command
    return None


def last_answer(messages: Sequence[ChatMessage]) -> str:
    """Return what the coach answered before the user's last message; nothing when it had not answered yet."""
    asked = max((at for at, each in enumerate(messages) if isinstance(each, UserChatMessage)), default=len(messages))
    answers = [each.text for each in messages[:asked] if isinstance(each, ModelChatMessage)]
    return answers[-1] if answers else ""


def _title(command: Command) -> str:
    return command.title().rstrip("…")
