"""Roles for screen readers of widgets that are drawn by hand: without one they hear of an unnamed area."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QAccessibleWidget, QWidget

_PROPERTY: Final = "readerRole"
_installed: list[bool] = []


def set_reader_role(widget: QWidget, role: QAccessible.Role) -> None:
    """Tell screen readers what `widget` is; its name and description stay those of the widget. Main thread."""
    if not _installed:
        QAccessible.installFactory(_make)
        _installed.append(True)
    widget.setProperty(_PROPERTY, role.value)


def _make(_class: str, thing: QObject) -> QAccessibleInterface | None:
    if not isinstance(thing, QWidget) or (role := thing.property(_PROPERTY)) is None:
        return None
    return QAccessibleWidget(thing, QAccessible.Role(role))
