"""Where the window was: one small JSON file in the data folder. Losing it costs nothing."""

from __future__ import annotations

import json
import logging
from dataclasses import asdict, dataclass
from pathlib import Path

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

_log = logging.getLogger(__name__)
FILE_NAME = "window.json"
_TITLE_BAR = 36  # pixels that the system's frame takes above the window


@dataclass(frozen=True, slots=True)
class WindowState:
    """Size and place in device-independent pixels; `chat_width` is that of the chat pane, which may be
    folded; `knows_tray` says that the user was told that the program goes on in the tray; `recent` holds what was
    chosen in the palette, newest first."""

    width: int = 1180
    height: int = 780
    x: int | None = None
    y: int | None = None
    maximised: bool = False
    chat_open: bool = True
    chat_width: int = 380
    knows_tray: bool = False
    recent: tuple[str, ...] = ()


def load_state(folder: Path) -> WindowState:
    """Read the state; anything odd in the file gives the default."""
    try:
        values = json.loads((folder / FILE_NAME).read_text(encoding="utf-8"))
        values["recent"] = tuple(values.get("recent", ()))
        state = WindowState(**values)
    except (OSError, ValueError, TypeError, AttributeError):
        return WindowState()
    numbers = (state.width, state.height, state.chat_width)
    if not all(type(number) is int and 100 <= number <= 20_000 for number in numbers):
        return WindowState()
    if not all(place is None or type(place) is int for place in (state.x, state.y)):
        return WindowState()
    if not all(type(key) is str for key in state.recent):
        return WindowState()
    return state


def save_state(folder: Path, state: WindowState) -> None:
    """Write the state; a disk that does not take it is only logged."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / FILE_NAME).write_text(json.dumps(asdict(state)), encoding="utf-8")
    except OSError as error:
        _log.info("window state not saved: %s", error)


def state_of(
    window: QWidget, *, chat_open: bool, chat_width: int, knows_tray: bool, recent: tuple[str, ...]
) -> WindowState:
    """Return where `window` is now; of a maximised one the place that it goes back to."""
    place = window.normalGeometry() if window.isMaximized() else window.geometry()
    return WindowState(
        width=place.width(),
        height=place.height(),
        x=window.pos().x(),
        y=window.pos().y(),
        maximised=window.isMaximized(),
        chat_open=chat_open,
        chat_width=chat_width,
        knows_tray=knows_tray,
        recent=recent,
    )


def _area(place: QRect) -> int:
    return place.width() * place.height()


def put_in_place(window: QWidget, state: WindowState) -> None:
    """Give `window` the size and place of `state`; a screen that is gone or smaller now must not swallow it."""
    screen = QGuiApplication.primaryScreen()
    if state.x is not None and state.y is not None:
        place = QRect(state.x, state.y, state.width, state.height)
        there = [each for each in QGuiApplication.screens() if each.availableGeometry().intersects(place)]
        if there:
            screen = max(there, key=lambda each: _area(each.availableGeometry().intersected(place)))
            window.move(state.x, state.y)
    # A small screen with a large scale has fewer of our pixels than the window usually wants at least.
    room = screen.availableGeometry().size() - QSize(0, _TITLE_BAR)
    window.setMinimumSize(window.minimumSize().boundedTo(room))
    window.resize(QSize(state.width, state.height).boundedTo(room))
    if state.maximised:
        window.setWindowState(Qt.WindowState.WindowMaximized)
