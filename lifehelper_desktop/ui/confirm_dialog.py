"""The question before a write: a QMessageBox that cannot be answered by accident, and the presenter that shows it.

The default button is 취소, not 수행 as in the mobile app: a window appears under a moving mouse and a typing hand, so
for half a second both buttons take neither keys nor clicks, and after that Enter still means no. Esc and closing mean
no at any moment.
"""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QElapsedTimer, QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QMessageBox, QPushButton, QWidget

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.tools.confirm_gate import PendingConfirm, Verdict
from lifehelper_desktop.ui import icons
from lifehelper_desktop.ui.bus import Bus
from lifehelper_desktop.ui.text import clean_lines
from lifehelper_desktop.ui.theme import theme
from lifehelper_desktop.ui.widgets.basics import repolish

GUARD_MS = 500
_SHOWN_MAX = 1200  # characters of one text; what is longer than any real summary is cut with an ellipsis
_GUARDED_EVENTS = frozenset(
    {
        QEvent.Type.KeyPress,
        QEvent.Type.KeyRelease,
        QEvent.Type.MouseButtonPress,
        QEvent.Type.MouseButtonRelease,
        QEvent.Type.MouseButtonDblClick,
        QEvent.Type.TouchBegin,
        QEvent.Type.TouchEnd,
    }
)
_ENTER_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space, Qt.Key.Key_Select)


class ConfirmDialog(QMessageBox):
    """Asks about one PendingConfirm and answers it exactly once, for its invocation and the arguments shown."""

    def __init__(self, pending: PendingConfirm, parent: QWidget | None = None) -> None:
        """Build the box; show it with `open()`."""
        super().__init__(parent)
        self.pending = pending
        self._clock = QElapsedTimer()
        request = pending.request
        self._invocation_id, self._digest = request.invocation_id, request.digest
        self.setObjectName("confirmDialog")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setIconPixmap(icons.pixmap("question", theme().tokens["accent"], 36, self.devicePixelRatioF()))
        self.setTextFormat(Qt.TextFormat.PlainText)
        question = _("이 작업을 수행할까요?")
        self.setWindowTitle(question)
        # The question stands in the box too: macOS shows no title on message boxes.
        self.setText(f"{question}\n{_shorten(request.label)}")
        self.setInformativeText(f"{_shorten(_(request.description))}\n\n{_shorten(request.summary)}")
        self.no = self._add(_("취소"), QMessageBox.ButtonRole.RejectRole, "confirmNo")
        self.yes = self._add(_("수행"), QMessageBox.ButtonRole.AcceptRole, "confirmYes")
        self.yes.setProperty("role", "primary")
        self.setDefaultButton(self.no)
        self.setEscapeButton(self.no)
        self.yes.clicked.connect(lambda _checked=False: self._answer(Verdict.CONFIRMED))
        self.no.clicked.connect(lambda _checked=False: self._answer(Verdict.DECLINED))
        self.rejected.connect(lambda: self._answer(Verdict.DECLINED))
        self._arm_timer = QTimer(self)
        self._arm_timer.setSingleShot(True)
        self._arm_timer.timeout.connect(self._arm)
        self._show_armed(False)

    @property
    def is_guarded(self) -> bool:
        """Whether the first half second still runs."""
        return not self._clock.isValid() or self._clock.elapsed() < GUARD_MS

    def withdraw(self) -> None:
        """The question has ended elsewhere (stop, quit): close without an answer of the user's."""
        self.pending.cancel()
        self.close()

    def showEvent(self, event: QShowEvent) -> None:
        """The half second begins when the user can see the box."""
        super().showEvent(event)
        self._clock.start()
        self._arm_timer.start(GUARD_MS)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Closing means no."""
        self._answer(Verdict.DECLINED)
        super().closeEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter and Space do nothing in the first half second; Esc always means no."""
        if event.key() in _ENTER_KEYS and self.is_guarded:
            event.accept()
            return
        super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep keys and clicks from the buttons while the box is guarded; Esc passes."""
        if event.type() in _GUARDED_EVENTS and self.is_guarded and not _is_escape(event):
            return True
        return super().eventFilter(watched, event)

    def _add(self, text: str, role: QMessageBox.ButtonRole, name: str) -> QPushButton:
        result = self.addButton(text, role)
        result.setObjectName(name)
        result.installEventFilter(self)
        return result

    def _arm(self) -> None:
        self._show_armed(True)

    def _show_armed(self, armed: bool) -> None:
        for each in (self.yes, self.no):
            each.setProperty("armed", armed)
            repolish(each)

    def _answer(self, verdict: Verdict) -> None:
        self.pending.answer(verdict, self._invocation_id, self._digest)


class ConfirmPresenter(QObject):
    """Shows the questions that come over the bus, one at a time, above `window`. Main thread."""

    def __init__(self, bus: Bus, window: QWidget) -> None:
        """Listen to `bus`."""
        super().__init__(window)
        self._window = window
        self.dialog: ConfirmDialog | None = None
        bus.on_confirm(self.ask)

    def ask(self, pending: PendingConfirm) -> None:
        """Show one question, unless it has ended already."""
        if pending.is_answered:
            return
        self.withdraw()  # the worker asks one thing at a time: an open box is left over from a stopped turn
        dialog = ConfirmDialog(pending, self._window)
        dialog.finished.connect(partial(self._forget, dialog))
        self.dialog = dialog
        dialog.open()

    def withdraw(self) -> None:
        """Close the open question as cancelled."""
        dialog, self.dialog = self.dialog, None
        if dialog is not None:
            dialog.withdraw()

    def _forget(self, dialog: ConfirmDialog, _result: int) -> None:
        if self.dialog is dialog:
            self.dialog = None


def _is_escape(event: QEvent) -> bool:
    return isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape


def _shorten(text: str) -> str:
    cleaned = clean_lines(text)
    return cleaned if len(cleaned) <= _SHOWN_MAX else cleaned[:_SHOWN_MAX] + "…"
