"""The rows of `ui/actions.py` as QActions of the window, and the menu bar that they stand in."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QApplication,
    QLineEdit,
    QMainWindow,
    QMenu,
    QPlainTextEdit,
    QTextEdit,
    QToolButton,
    QWidget,
)

from lifehelper_desktop.base.i18n import N_, _
from lifehelper_desktop.ui import icons
from lifehelper_desktop.ui.actions import COMMANDS, MENU_WORDS, Command, Menu
from lifehelper_desktop.ui.shortcuts import Keys, keys_in_force, pressed_key, shown_key
from lifehelper_desktop.ui.theme import theme

_MARK_MENU = N_("오늘 완료로 기록")
_Standard = QKeySequence.StandardKey


class WindowActions(QObject):
    """One QAction per row, on the window, so that its keys act wherever the focus is. Main thread.

    `chosen` carries the Command that was asked for by key, menu or palette.
    """

    chosen = Signal(object)

    def __init__(self, window: QMainWindow) -> None:
        """Make the actions and the menu bar; `dress` and `show_keys` give them words and keys."""
        super().__init__(window)
        self._window = window
        self._with_coach = True
        self._titles: Sequence[str] = ()
        self.keys: dict[str, Keys] = {}
        self.by_name: dict[str, QAction] = {}
        self.menus: dict[Menu, QMenu] = {}
        for command in COMMANDS:
            action = QAction(window)
            action.setObjectName(command.name)
            action.setMenuRole(command.role)
            # Pictures beside every line of a menu are not the custom there.
            action.setIconVisibleInMenu(sys.platform != "darwin")
            action.triggered.connect(partial(self._choose, command))
            window.addAction(action)
            self.by_name[command.name] = action
        self._build_menus()
        self.show_keys({})
        self._fields = _FieldKeys(self)

    def _build_menus(self) -> None:
        bar = self._window.menuBar()
        bar.setObjectName("menuBar")
        for menu in Menu:
            self.menus[menu] = bar.addMenu("")
            self.menus[menu].setObjectName(f"menu_{menu.value}")
        self._marks = QMenu(self._window)
        self._marks.setObjectName("menu_marks")
        for command in COMMANDS:
            menu_ = self.menus[command.menu]
            if command.begins_group:
                menu_.addSeparator()
            if command.number == 1:
                menu_.addMenu(self._marks)
            (self._marks if command.number else menu_).addAction(self.by_name[command.name])

    def _choose(self, command: Command, _checked: bool = False) -> None:
        self.chosen.emit(command)

    # ---- showing ----------------------------------------------------------------------------------------------

    def dress(self, *, with_coach: bool) -> None:
        """Give everything its words and pictures, in the language and theme in force."""
        self._with_coach = with_coach
        colour = theme().tokens["text"]
        for menu, item in self.menus.items():
            item.setTitle(_(MENU_WORDS[menu]))
        self._marks.setTitle(_(_MARK_MENU))
        rest = self._window.menuBar().findChild(QToolButton, "qt_menubar_ext_button")
        if rest is not None:  # Qt's own, where the window is too narrow for all menus; not on macOS
            rest.setIcon(icons.icon("more", colour, 14))
            rest.setAccessibleName(_("나머지 메뉴"))
            rest.setToolTip(_("나머지 메뉴"))
        self.menus[Menu.COACH].menuAction().setVisible(with_coach)
        for command in COMMANDS:
            action = self.by_name[command.name]
            action.setIcon(icons.icon(command.icon, colour, 18) if command.icon else icons.empty())
            self._show_words(command)
            if command.needs_coach:
                action.setEnabled(with_coach)
                action.setVisible(with_coach)
        self.show_habits(self._titles)

    def show_habits(self, titles: Sequence[str]) -> None:
        """Name the habits that the number keys mark, in their order; numbers without one are out of use."""
        self._titles = titles
        for command in COMMANDS:
            if command.number:
                action = self.by_name[command.name]
                action.setEnabled(command.number <= len(titles))
                action.setVisible(command.number <= len(titles))
                self._show_words(command)
        self._marks.menuAction().setVisible(bool(titles))

    def show_keys(self, changed: Mapping[str, Keys]) -> None:
        """Put the keys in force."""
        self.keys = keys_in_force(changed)
        for command in COMMANDS:
            if not command.in_field:
                self.by_name[command.name].setShortcuts([QKeySequence(key) for key in self.keys[command.name]])
            self._show_words(command)

    def shown_keys(self) -> dict[str, str]:
        """Return the first key of every command as people read it; empty where it has none."""
        return {name: shown_key(keys[0]) if keys else "" for name, keys in self.keys.items()}

    def _show_words(self, command: Command) -> None:
        action = self.by_name[command.name]
        words = command.title()
        if 1 <= command.number <= len(self._titles):
            title = self._titles[command.number - 1].replace("&", "&&")
            words = f"&{command.number}  {title}"
        keys = self.keys.get(command.name, ())
        if command.in_field and keys:  # shown like a shortcut, without being one outside the field
            words = f"{words}\t{shown_key(keys[0])}"
        action.setText(words)

    # ---- fields -----------------------------------------------------------------------------------------------

    def takes(self, event: QKeyEvent) -> bool:
        """Whether a key press in a field belongs to the window: a command has it, and the field needs it not.

        Keys without Ctrl or Alt are the field's own affair: it claims those that it wants.
        """
        key = pressed_key(event)
        if not key or not event.modifiers() & _CHORD or any(event.matches(standard) for standard in _FIELDS_OWN):
            return False
        return any(
            key in self.keys[command.name] and self.by_name[command.name].isEnabled()
            for command in COMMANDS
            if not command.in_field
        )


_CHORD = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
# Fields also take keys for deleting lines (Ctrl+K and Ctrl+U on some systems): those yield to a command.
_FIELDS_OWN = (
    _Standard.Undo,
    _Standard.Redo,
    _Standard.Cut,
    _Standard.Copy,
    _Standard.Paste,
    _Standard.SelectAll,
    _Standard.Deselect,
    _Standard.Backspace,
    _Standard.Delete,
    _Standard.DeleteStartOfWord,
    _Standard.DeleteEndOfWord,
    *(
        getattr(_Standard, f"{kind}{place}")
        for kind in ("MoveTo", "Select")
        for place in (
            *("NextChar", "PreviousChar", "NextWord", "PreviousWord", "NextLine", "PreviousLine"),
            *("NextPage", "PreviousPage", "StartOfLine", "EndOfLine", "StartOfBlock", "EndOfBlock"),
            *("StartOfDocument", "EndOfDocument"),
        )
    ),
)


class _FieldKeys(QObject):
    """Looks into the keys of the one field that has the focus: filtering all events would slow everything down."""

    def __init__(self, actions: WindowActions) -> None:
        super().__init__(actions)
        self._actions = actions
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._on_focus)

    def _on_focus(self, _old: QWidget | None, new: QWidget | None) -> None:
        if isinstance(new, QLineEdit | QPlainTextEdit | QTextEdit) and new.window() is self._actions.parent():
            new.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep the field from claiming a key that a command has."""
        if event.type() == QEvent.Type.FocusOut:
            watched.removeEventFilter(self)
        elif (
            event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._actions.takes(event)
        ):
            event.ignore()
            return True
        return False
