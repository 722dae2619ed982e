"""What the accessibility tests look for, one function a rule. Each returns what it found in words, or nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QKeySequenceEdit,
    QLabel,
    QLineEdit,
    QMenuBar,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QScrollBar,
    QSplitterHandle,
    QTabBar,
    QWidget,
)

#: Buttons that the Tab key passes by, and the keys that reach them: object name or class to the way by keyboard.
OTHERWISE_BY_KEYBOARD = {
    "qt_menubar_ext_button": "the menu bar's own keys (Alt, F10, arrows)",
    "RovingToolButton": "one of its row has the Tab key, the arrow keys go on from there",
    "MarkButton": "one of its row has the Tab key, the arrow keys go on from there",
    "_Chip": "one of its row has the Tab key, the arrow keys go on from there",
}
_NO_ROLE = (QAccessible.Role.NoRole, QAccessible.Role.Client)
_SLACK = 1  # pixels that rounding may take


def widgets(root: QWidget) -> Iterator[QWidget]:
    """Give `root` and all visible widgets inside it, those of other windows left out."""
    yield root
    for each in root.findChildren(QWidget):
        if each.isVisibleTo(root) and each.window() is root.window():
            yield each


def is_inner(widget: QWidget) -> bool:
    """Return whether the widget is a part of a control of Qt's own, which answers for it."""
    parent = widget.parentWidget()
    owners = (QLineEdit, QComboBox, QAbstractSpinBox, QTabBar)
    if isinstance(widget, QScrollBar | QSplitterHandle | QKeySequenceEdit) or widget.focusProxy() is not None:
        return True
    return isinstance(parent, owners) or (
        isinstance(parent, QAbstractScrollArea) and not isinstance(parent, QScrollArea)
    )


def tells(widget: QWidget) -> str:
    """Return how a widget is named in a finding."""
    text = getattr(widget, "text", lambda: "")
    words = text() if callable(text) else ""
    return f"{type(widget).__name__} {widget.objectName()!r} {words if isinstance(words, str) else ''!r}"


def without_name_or_role(root: QWidget) -> list[str]:
    """Every control that takes the focus has a name and a role for screen readers."""
    found = []
    for each in widgets(root):
        if not each.focusPolicy() & Qt.FocusPolicy.TabFocus or is_inner(each):
            continue
        interface = QAccessible.queryAccessibleInterface(each)
        if interface is None:
            found.append(f"no interface: {tells(each)}")
            continue
        if not interface.text(QAccessible.Text.Name).strip():
            found.append(f"no name: {tells(each)}")
        if interface.role() in _NO_ROLE and not isinstance(each, QScrollArea):
            found.append(f"no role: {tells(each)}")
    return found


def tab_chain(root: QWidget) -> list[QWidget]:
    """Return the visible controls inside `root` in the order of the Tab key."""
    chain: list[QWidget] = []
    each = root
    while True:
        each = each.nextInFocusChain()
        if each is root or each is None or each in chain:
            return chain
        fits = root.isAncestorOf(each) and each.isVisibleTo(root) and each.window() is root.window()
        if fits and each.isEnabled() and each.focusPolicy() & Qt.FocusPolicy.TabFocus and not is_inner(each):
            chain.append(each)


def place(widget: QWidget, root: QWidget) -> QRect:
    """Return where a widget is in `root`."""
    return QRect(widget.mapTo(root, QPoint(0, 0)), widget.size())


def against_reading_order(root: QWidget) -> list[str]:
    """The Tab key goes down each panel, and from left to right where controls stand beside each other."""
    found = []
    last: dict[QWidget, QWidget] = {}
    for each in tab_chain(root):
        panel = each.parentWidget()
        assert panel is not None
        before = last.get(panel)
        last[panel] = each
        if before is None:
            continue
        one, two = place(before, root), place(each, root)
        if two.bottom() <= one.top():
            found.append(f"{tells(each)} stands above {tells(before)} but comes after it")
        elif two.right() <= one.left() and two.center().y() <= one.bottom() and two.center().y() >= one.top():
            found.append(f"{tells(each)} stands left of {tells(before)} but comes after it")
    return found


def out_of_keyboards_reach(root: QWidget) -> list[str]:
    """Whatever can be clicked can be reached by keyboard."""
    return [
        tells(each)
        for each in widgets(root)
        if isinstance(each, QAbstractButton)
        and not each.focusPolicy() & Qt.FocusPolicy.TabFocus
        and not is_inner(each)
        and not _is_in_radio_group(each)
        and not {each.objectName(), type(each).__name__} & set(OTHERWISE_BY_KEYBOARD)
        and not each.property("roving")  # see ui/widgets/roving.py: the arrow keys reach it
    ]


def _is_in_radio_group(each: QAbstractButton) -> bool:
    """Qt takes the Tab key from all but the chosen button of an exclusive group; the arrow keys go between them."""
    group = each.group()
    return isinstance(each, QRadioButton) or (group is not None and group.exclusive())


def icons_without_tips(root: QWidget) -> list[str]:
    """A button without words explains itself in a tool tip."""
    return [
        tells(each)
        for each in widgets(root)
        if isinstance(each, QAbstractButton)
        and not isinstance(each, QCheckBox | QRadioButton)
        and not is_inner(each)
        and not each.text()
        and not each.toolTip()
    ]


def clipped(root: QWidget) -> list[str]:
    """Words have the room that they need; what is shortened says all of it in its tool tip."""
    found = []
    for each in widgets(root):
        if is_inner(each) or not each.isVisible():
            continue
        if isinstance(each, QLabel) and each.text():
            found += _clipped_label(each)
        elif isinstance(each, QPushButton | QCheckBox | QRadioButton) and each.text() and not each.toolTip():
            found += _too_small(each)
        elif isinstance(each, QScrollArea):
            found += _too_wide(each)
        found += _outside(each, root)
    return found


def _clipped_label(label: QLabel) -> list[str]:
    if not label.wordWrap():
        return [] if label.toolTip() else _too_small(label)
    needed, inner = label.heightForWidth(label.width()), label.contentsRect().width() - 2 * label.margin()
    found = [f"{needed} high, has {label.height()}: {tells(label)}"] if needed > label.height() + _SLACK else []
    widest = max((label.fontMetrics().horizontalAdvance(word) for word in re.split(r"\s+", label.text())), default=0)
    # A path or an address has no place to break; it wraps anywhere or can be selected.
    if widest > inner + _SLACK and not label.textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByMouse:
        found.append(f"a word of {widest} in {inner}: {tells(label)}")
    return found


def _too_small(widget: QWidget) -> list[str]:
    needed = widget.sizeHint() if isinstance(widget, QLabel) else widget.minimumSizeHint()
    if needed.width() > widget.width() + _SLACK or needed.height() > widget.height() + _SLACK:
        return [f"needs {needed.width()}×{needed.height()}, has {widget.width()}×{widget.height()}: {tells(widget)}"]
    return []


def _too_wide(area: QScrollArea) -> list[str]:
    page = area.widget()
    sideways = area.horizontalScrollBarPolicy() == Qt.ScrollBarPolicy.ScrollBarAlwaysOff
    if page is None or not sideways or page.width() <= area.viewport().width() + _SLACK:
        return []
    return [f"page of {page.width()} in {area.viewport().width()}: {tells(area)} {page.objectName()!r}"]


def _outside(each: QWidget, root: QWidget) -> list[str]:
    """Return a finding when a control sticks out of its parent, which cuts it off."""
    parent = each.parentWidget()
    if each is root or parent is None or not isinstance(each, QLabel | QAbstractButton | QLineEdit | QComboBox):
        return []
    if parent.objectName() == "qt_scrollarea_viewport" or isinstance(parent, QMenuBar):
        return []
    box, own = parent.rect().adjusted(-_SLACK, -_SLACK, _SLACK, _SLACK), each.geometry()
    return [] if box.contains(own) else [f"{own} sticks out of {parent.rect()}: {tells(each)}"]


def visible_words(root: QWidget) -> Iterator[tuple[str, str]]:
    """Give every text that the user can see or hear, with the widget that has it."""
    for each in widgets(root):
        name = tells(each)
        texts = [each.toolTip(), each.accessibleName(), each.accessibleDescription(), each.windowTitle()]
        if isinstance(each, QLabel | QAbstractButton):
            texts.append(each.text())
        if isinstance(each, QLineEdit):
            texts.append(each.placeholderText())
        if isinstance(each, QComboBox):
            texts += [each.itemText(at) for at in range(each.count())]
        if isinstance(each, QTabBar):
            texts += [each.tabText(at) for at in range(each.count())]
        if isinstance(each, QMenuBar):
            texts += [action.text() for action in each.actions()]
        texts += [action.text() for action in each.actions()]
        yield from ((text, name) for text in texts if text)
