"""Small building blocks: labels, buttons, frames and rows that take their look from the style sheet by `role`."""

from __future__ import annotations

import html
from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from lifehelper_desktop.ui import icons
from lifehelper_desktop.ui.theme import theme

LabelT = TypeVar("LabelT", bound=QLabel)
ButtonT = TypeVar("ButtonT", bound=QPushButton)
_SCREEN_EDGE = 60  # pixels that a dialog leaves of the screen's height


def set_role(widget: QWidget, role: str) -> None:
    """Give `widget` another role of the style sheet, also after it was shown."""
    widget.setProperty("role", role)
    repolish(widget)


def repolish(widget: QWidget) -> None:
    """Make a changed property take effect in the style sheet, for the children too."""
    for each in (widget, *widget.findChildren(QWidget)):
        each.style().unpolish(each)
        each.style().polish(each)


def label(text: str = "", role: str = "body", *, wrap: bool = True, selectable: bool = False) -> QLabel:
    """Return a plain-text label: text from files, people and models never becomes markup."""
    return as_label(QLabel(text), role, wrap=wrap, selectable=selectable)


def as_label(result: LabelT, role: str = "body", *, wrap: bool = True, selectable: bool = False) -> LabelT:
    """Give a label of any class the look and manners of `label`, and return it."""
    result.setTextFormat(Qt.TextFormat.PlainText)
    result.setProperty("role", role)
    result.setWordWrap(wrap)
    if wrap:
        policy = result.sizePolicy()
        policy.setHorizontalPolicy(QSizePolicy.Policy.Expanding)
        policy.setHeightForWidth(True)
        result.setSizePolicy(policy)
        result.setMinimumWidth(1)
    if selectable:
        result.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        result.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
    return result


def plain_tip(text: str) -> str:
    """Return a tool tip that shows `text` as it is: what looks like markup to Qt is escaped."""
    return f"<span>{html.escape(text)}</span>" if "<" in text else text


def icon_label(name: str, colour: str, size: int = 18) -> QLabel:
    """Return a label that shows an icon in the theme's colour `colour`; decoration, so without a name.

    `size` is in pixels at 100 % text.
    """
    result = QLabel()
    result.setPixmap(icons.pixmap(name, theme().tokens[colour], size, result.devicePixelRatioF()))
    result.setFixedSize(icons.size(size))
    return result


def button(
    text: str, on_click: Callable[[], object] | None = None, *, role: str = "", icon: str = "", name: str = ""
) -> QPushButton:
    """Return a push button; `name` is its object name for tests and the style sheet."""
    return as_button(QPushButton(text), on_click, role=role, icon=icon, name=name)


def as_button(
    result: ButtonT, on_click: Callable[[], object] | None = None, *, role: str = "", icon: str = "", name: str = ""
) -> ButtonT:
    """Give a push button of any class the look and manners of `button`, and return it."""
    result.setProperty("role", role)
    result.setObjectName(name)
    result.setAutoDefault(False)
    result.setCursor(Qt.CursorShape.PointingHandCursor)
    if icon:
        colours = {"primary": "on_accent", "soft": "on_accent_soft", "flat": "accent"}
        result.setIcon(icons.icon(icon, theme().tokens[colours.get(role, "text")], 18))
        result.setIconSize(icons.size(18))
    if on_click is not None:
        result.clicked.connect(lambda _checked=False: on_click())
    return result


def tool_button(
    icon: str, tip: str, on_click: Callable[[], object] | None = None, *, name: str = "", colour: str = "muted"
) -> QToolButton:
    """Return an icon button; `tip` is its tool tip and its name for screen readers."""
    result = QToolButton()
    result.setIcon(icons.icon(icon, theme().tokens[colour], 20))
    result.setIconSize(icons.size(20))
    result.setToolTip(tip)
    result.setAccessibleName(tip)
    result.setObjectName(name)
    result.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    result.setCursor(Qt.CursorShape.PointingHandCursor)
    if on_click is not None:
        result.clicked.connect(lambda _checked=False: on_click())
    return result


def text_field(layout: QBoxLayout, title: str, text: str, limit: int, name: str) -> QLineEdit:
    """Add a field of one line that holds at most `limit` characters to `layout`, below its title, and return it."""
    layout.addWidget(label(title, "muted"))
    edit = QLineEdit(text)
    edit.setMaxLength(limit)
    edit.setObjectName(name)
    edit.setAccessibleName(title)
    edit.setCursorPosition(0)
    layout.addWidget(edit)
    return edit


def frame(role: str, name: str = "") -> QFrame:
    """Return a frame with a role (card, sunken, hint, …)."""
    result = QFrame()
    result.setProperty("role", role)
    result.setObjectName(name)
    return result


def scroll_page(name: str = "pageBody", *, focusable: bool = False) -> tuple[QScrollArea, QWidget]:
    """Return an area that scrolls up and down only, and the empty page inside it.

    `focusable` where nothing inside takes the focus, so that the keyboard can still scroll.
    """
    scroll, page = QScrollArea(), QWidget()
    scroll.setWidgetResizable(True)
    scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    if not focusable:
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    page.setObjectName(name)
    scroll.setWidget(page)
    return scroll, page


def centred(page: QWidget, most: int, margins: tuple[int, int, int, int]) -> QWidget:
    """Return an empty widget in the middle of `page`, at most `most` pixels (at 100 % text) wide."""
    centre = row(page, margins=margins)
    holder = QWidget()
    holder.setMaximumWidth(theme().px(most))
    centre.addStretch(1)
    centre.addWidget(holder, 100)
    centre.addStretch(1)
    return holder


def size_on_screen(dialog: QWidget, width: int, height: int, *, side: int = _SCREEN_EDGE) -> QSize:
    """Return a size in pixels at 100 % text, as far as the screen has room for it and for `side` pixels beside it."""
    px, screen = theme().px, (dialog.screen() or QGuiApplication.primaryScreen()).availableSize()
    return QSize(min(px(width), screen.width() - side), min(px(height), screen.height() - _SCREEN_EDGE))


def column(parent: QWidget | None = None, *, margins: int | tuple[int, int, int, int] = 0, gap: int = 8) -> QVBoxLayout:
    """Return a vertical layout, on `parent` when given."""
    layout = QVBoxLayout(parent) if parent is not None else QVBoxLayout()
    _space(layout, margins, gap)
    return layout


def row(parent: QWidget | None = None, *, margins: int | tuple[int, int, int, int] = 0, gap: int = 8) -> QHBoxLayout:
    """Return a horizontal layout, on `parent` when given."""
    layout = QHBoxLayout(parent) if parent is not None else QHBoxLayout()
    _space(layout, margins, gap)
    return layout


def _space(layout: QBoxLayout, margins: int | tuple[int, int, int, int], gap: int) -> None:
    sides = (margins,) * 4 if isinstance(margins, int) else margins
    layout.setContentsMargins(*sides)
    layout.setSpacing(gap)


def clear_layout(layout: QLayout) -> None:
    """Remove and delete everything in `layout`."""
    while (item := layout.takeAt(0)) is not None:
        inner, widget = item.layout(), item.widget()
        if inner is not None:
            clear_layout(inner)
            inner.deleteLater()
        if widget is not None:
            widget.hide()
            widget.setParent(None)
            widget.deleteLater()
