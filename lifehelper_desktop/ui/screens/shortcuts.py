"""The list of shortcuts: search it, and give a command another key, none, or its first one back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QDialog, QKeySequenceEdit, QLineEdit, QWidget

from lifehelper_desktop.base.i18n import _, ngettext
from lifehelper_desktop.base.settings import SHORTCUT_KEYS
from lifehelper_desktop.domain.changes import Changes
from lifehelper_desktop.domain.finding import finds
from lifehelper_desktop.domain.particles import with_particles
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui.actions import BY_NAME, COMMANDS, MENU_WORDS, Command
from lifehelper_desktop.ui.bus import Bus
from lifehelper_desktop.ui.shortcuts import (
    Keys,
    assign,
    default_keys,
    holders,
    keys_in_force,
    normal_key,
    read_changed,
    shown_key,
    why_not,
    write_changed,
)
from lifehelper_desktop.ui.trouble import guarded
from lifehelper_desktop.ui.widgets.announce import announce
from lifehelper_desktop.ui.widgets.basics import button, column, frame, label, row, size_on_screen
from lifehelper_desktop.ui.widgets.flow import FlowBox
from lifehelper_desktop.ui.widgets.line_list import Line, LineList
from lifehelper_desktop.ui.widgets.notice import NoticeBar
from lifehelper_desktop.ui.widgets.search_field import SearchField
from lifehelper_desktop.ui.writes import attempt

_WIDTH: Final = 560  # pixels at 100 % text
_HEIGHT: Final = 640


class KeyEdit(QKeySequenceEdit):
    """Takes the next key; Tab moves on, so that nobody is caught in it. `pressed` carries the key as portable text."""

    pressed = Signal(str)

    def __init__(self) -> None:
        """Start empty."""
        super().__init__()
        self.setObjectName("keyEdit")
        self.setMaximumSequenceLength(1)
        self.setClearButtonEnabled(False)
        self._field = self.findChild(QLineEdit)
        self.keySequenceChanged.connect(self._on_changed)

    def name(self, words: str, invitation: str) -> None:
        """Say whose keys it takes: `words` to screen readers, `invitation` while it is empty."""
        self.setAccessibleName(words)
        if self._field is not None:
            self._field.setAccessibleName(words)
            self._field.setPlaceholderText(invitation)

    def event(self, event: QEvent) -> bool:
        """Leave Tab to the dialog."""
        if isinstance(event, QKeyEvent) and event.key() in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
            if event.type() == QEvent.Type.ShortcutOverride:
                return False
            if event.type() == QEvent.Type.KeyPress and not event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier:
                back = event.key() == Qt.Key.Key_Backtab or bool(event.modifiers())
                return self.focusNextPrevChild(not back)
        return super().event(event)

    def _on_changed(self, sequence: QKeySequence) -> None:
        if not sequence.isEmpty():
            key = normal_key(sequence.toString(QKeySequence.SequenceFormat.PortableText))
            self.clear()
            if key:
                self.pressed.emit(key)


class ShortcutsDialog(QDialog):
    """Non-modal. Every change is stored at once; `changed` carries the key of the setting, which the window applies."""

    changed = Signal(str)

    def __init__(self, store: Store, bus: Bus, parent: QWidget | None = None) -> None:
        """Show the keys in force.

        Raises:
            WorldError: The setting could not be read.
        """
        changed = read_changed(store.settings.get_str(SHORTCUT_KEYS))  # before there is a widget
        super().__init__(parent)
        self.setObjectName("shortcutsDialog")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(_("단축키"))
        self.bus = bus
        self._store, self._changed_keys = store, changed
        layout = column(self, margins=(22, 18, 22, 16), gap=10)
        layout.addWidget(label(_("단축키"), "title"))
        layout.addWidget(label(_("줄을 고르고 아래 칸에서 새 키를 누르면 바로 바뀌어요."), "muted"))
        self.search = SearchField("shortcutSearch", _("찾기: 새 대화, Ctrl+N…"), _("단축키에서 찾기"))
        self.search.searched.connect(lambda _wanted: self._show())
        layout.addWidget(self.search)
        self.list = LineList("shortcutList", _("단축키 목록"))
        self.list.chosen.connect(self._show_chosen)
        self.list.itemActivated.connect(lambda _item: self.key_edit.setFocus())
        layout.addWidget(self.list, 1)
        self.notice = NoticeBar()
        layout.addWidget(self.notice)
        layout.addWidget(self._build_panel())
        foot = FlowBox(name="shortcutsFoot")
        foot.add(button(_("모두 처음대로"), self.reset_all, role="flat", name="resetAllKeys"))
        foot.add(button(_("닫기"), self.close, role="primary", name="closeShortcuts"), at_end=True)
        layout.addWidget(foot)
        self._show()
        self.resize(self.sizeHint())
        self.search.setFocus()
        bus.on_data(self._on_data)

    def sizeHint(self) -> QSize:
        """Room for a dozen commands, as far as the screen has it."""
        return size_on_screen(self, _WIDTH, _HEIGHT)

    def _build_panel(self) -> QWidget:
        panel = frame("card", "keyPanel")
        inside = column(panel, margins=(14, 10, 14, 12), gap=8)
        self.chosen_words = label("", "section")
        self.chosen_words.setObjectName("chosenCommand")
        inside.addWidget(self.chosen_words)
        line = row(gap=8)
        self.key_edit = KeyEdit()
        self.key_edit.pressed.connect(self.give)
        line.addWidget(self.key_edit, 1)
        self.clear_button = button(_("비우기"), self.clear_keys, name="clearKeys")
        self.reset_button = button(_("처음대로"), self.reset_keys, name="resetKeys")
        line.addWidget(self.clear_button)
        line.addWidget(self.reset_button)
        inside.addLayout(line)
        return panel

    # ---- showing ----------------------------------------------------------------------------------------------

    @property
    def command(self) -> Command | None:
        """The command chosen in the list."""
        line = self.list.current
        return BY_NAME[str(line.key)] if line is not None else None

    def choose(self, name: str) -> None:
        """Choose a command, whatever is searched for."""
        self.search.clear()
        self.list.choose(name)

    @guarded
    def refresh(self) -> None:
        """Read the keys anew."""
        self._changed_keys = read_changed(self._store.settings.get_str(SHORTCUT_KEYS))
        self._show()

    def _on_data(self, changes: Changes) -> None:
        if SHORTCUT_KEYS.key in changes.settings:
            self.refresh()  # undone, for example

    def _show(self) -> None:
        now = keys_in_force(self._changed_keys)
        wanted = self.search.wanted
        found = [each for each in COMMANDS if _fits(each, now[each.name], wanted)]
        self.list.show_lines([_line(each, now[each.name], each.name in self._changed_keys) for each in found])
        if wanted.strip():
            n = len(found)
            announce(self, ngettext("{n}개를 찾았어요", "{n}개를 찾았어요", n).format(n=n))
        self._show_chosen()

    def _show_chosen(self) -> None:
        command = self.command
        title = command.title() if command is not None else ""
        self.chosen_words.setText(title or _("맞는 것이 없어요. 다른 말로 찾아 보세요."))
        self.key_edit.name(_("‘{title}’의 새 키").format(title=title), _("여기를 고르고 새 키를 눌러 주세요"))
        self.key_edit.setEnabled(command is not None)
        self.clear_button.setEnabled(command is not None and bool(keys_in_force(self._changed_keys)[command.name]))
        self.reset_button.setEnabled(command is not None and command.name in self._changed_keys)

    # ---- changing ---------------------------------------------------------------------------------------------

    def give(self, key: str) -> None:
        """Give the chosen command `key`, asking first when another one has it."""
        command = self.command
        if command is None:
            return
        problem = why_not(command, key)
        if problem:
            self._tell(f"{shown_key(key)}: {problem}", error=True)
        else:
            self._assign(command, (key,))

    def clear_keys(self) -> None:
        """Leave the chosen command without a key."""
        if self.command is not None:
            self._assign(self.command, ())

    def reset_keys(self) -> None:
        """Give the chosen command its first keys back."""
        if self.command is not None:
            self._assign(self.command, default_keys(self.command))

    def reset_all(self) -> None:
        """Give every command its first keys back."""
        if self._store_keys({}):
            self._tell(_("모든 단축키를 처음대로 돌려놓았어요."))

    def _assign(self, command: Command, keys: Keys) -> None:
        others = holders(self._changed_keys, command.name, keys)
        if not others:
            self._carry_out(command, keys)
            return
        names = ", ".join(f"‘{each.title()}’" for each in others)
        shared = [key for key in keys if any(key in keys_in_force(self._changed_keys)[each.name] for each in others)]
        words = _("{keys} 키는 {names}에서 쓰고 있어요. 옮길까요?")
        self._tell(
            words.format(keys=_shown(tuple(shared)), names=names),
            action=_("옮기기"),
            on_action=lambda: self._carry_out(command, keys),
        )

    def _carry_out(self, command: Command, keys: Keys) -> None:
        if self._store_keys(assign(self._changed_keys, command.name, keys)):
            words = _("‘{title}’의 키를 {keys}(으)로 바꾸었어요.") if keys else _("‘{title}’의 키를 비웠어요.")
            self._tell(with_particles(words.format(title=command.title(), keys=_shown(keys))))

    def _store_keys(self, changed: dict[str, Keys]) -> bool:
        outcome = attempt(self.bus, lambda: self._store.settings.set(SHORTCUT_KEYS, write_changed(changed)))
        self.refresh()
        if outcome.is_ok:
            self.changed.emit(SHORTCUT_KEYS.key)
        else:
            self._tell(outcome.problem, error=True)
        return outcome.is_ok

    def _tell(
        self, words: str, *, error: bool = False, action: str = "", on_action: Callable[[], object] | None = None
    ) -> None:
        self.notice.show_notice(words, error=error, action=action, on_action=on_action)
        # The bar takes room from the list, which then must not hide what is spoken of.
        QTimer.singleShot(0, self.list, lambda: self.list.scrollTo(self.list.currentIndex()))
        announce(self.notice, words)


def _shown(keys: Keys) -> str:
    return ", ".join(map(shown_key, keys))


def _line(command: Command, keys: Keys, is_changed: bool) -> Line:
    parts = [_(MENU_WORDS[command.menu]).replace("&", "").split("(")[0]]
    if len(keys) > 1:
        parts.append(_("또는 {keys}").format(keys=_shown(keys[1:])))
    if command.in_field:
        parts.append(_("글을 쓰는 칸에서"))
    if is_changed:
        parts.append(_("바꾼 키"))
    badge = shown_key(keys[0]) if keys else _("키 없음")
    return Line(command.name, command.title(), " · ".join(parts), badge, "note" if is_changed else "plain")


def _fits(command: Command, keys: Keys, wanted: str) -> bool:
    """Return whether a row is looked for: by its words in either language, or by a key."""
    texts = (command.title(), command.english_title(), command.words, *map(shown_key, keys))
    return any(finds(wanted, text) for text in texts)
