"""Which keys belong to which command: the defaults of `ui/actions.py`, and what the user changed.

Keys are portable text (`Ctrl+Shift+C`); Enter on the number pad counts as Return. The setting holds only the commands
that were changed, as JSON; what cannot be read in it is logged and left out.
"""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterable, Mapping
from typing import Any, Final

from PySide6.QtCore import QKeyCombination, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence

from lifehelper_desktop.base.i18n import _, load_translations
from lifehelper_desktop.ui.actions import BY_NAME, COMMANDS, MENU_WORDS, Command

Keys = tuple[str, ...]
_log = logging.getLogger(__name__)
_Format = QKeySequence.SequenceFormat
_Mod = Qt.KeyboardModifier
_Standard = QKeySequence.StandardKey
# What every field that is typed in does by itself; a command must not take these away.
_FIELD_KEYS: Final = (_Standard.Copy, _Standard.Cut, _Standard.Paste, _Standard.SelectAll)
_MODIFIER_KEYS: Final = frozenset(
    (Qt.Key.Key_Control, Qt.Key.Key_Shift, Qt.Key.Key_Alt, Qt.Key.Key_Meta, Qt.Key.Key_AltGr, Qt.Key.Key_unknown)
)
#: What stands on the keys themselves, whatever the language.
_SIGNS: Final = {"Return": "Enter", "Up": "↑", "Down": "↓", "Left": "←", "Right": "→"}
_BARE_IN_FIELD: Final = frozenset((Qt.Key.Key_Return, Qt.Key.Key_Up, Qt.Key.Key_Down))


def normal_key(key: str) -> str:
    """Return `key` as it is stored and compared; empty when it is no single key."""
    sequence = QKeySequence.fromString(key, _Format.PortableText)
    return _portable(_combination(sequence)) if sequence.count() == 1 else ""


def _combination(sequence: QKeySequence) -> QKeyCombination:
    """Return the first key of a sequence that has one."""
    return sequence[0]  # type: ignore[index]  # the stubs do not know that it can be indexed


def pressed_key(event: QKeyEvent) -> str:
    """Return the key of a key press; empty for a modifier alone."""
    return _portable(event.keyCombination())


def _portable(combination: QKeyCombination) -> str:
    key, modifiers = combination.key(), combination.keyboardModifiers() & ~_Mod.KeypadModifier
    if key in _MODIFIER_KEYS:
        return ""
    if key == Qt.Key.Key_Enter:
        key = Qt.Key.Key_Return
    if key == Qt.Key.Key_Backtab:
        key, modifiers = Qt.Key.Key_Tab, modifiers | _Mod.ShiftModifier
    text = QKeySequence(QKeyCombination(modifiers, key)).toString(_Format.PortableText)
    return text if text.isprintable() else ""


def shown_key(key: str) -> str:
    """Return `key` as people read it on this system."""
    if sys.platform == "darwin":
        return QKeySequence(key).toString(_Format.NativeText)
    *modifiers, last = key.split("+") if not key.endswith("+") else (*key[:-1].split("+")[:-1], "+")
    return "+".join((*modifiers, _SIGNS.get(last, last)))


def words_with_key(words: str, keys: Keys) -> str:
    """Return `words` with the first of the keys in brackets, for tool tips."""
    return f"{words} ({shown_key(keys[0])})" if keys else words


def default_keys(command: Command) -> Keys:
    """Return the keys of a row: the system's own comes first."""
    system = QKeySequence.keyBindings(command.standard) if command.standard is not None else []
    first = [normal_key(each.toString(_Format.PortableText)) for each in system[:1]]
    return tuple(dict.fromkeys(key for key in (*first, *map(normal_key, command.keys)) if key))


def read_changed(text: str) -> dict[str, Keys]:
    """Return the changed commands of the setting's value; an unreadable one changes nothing."""
    if not text:
        return {}
    try:
        stored = json.loads(text)
    except ValueError:
        stored = None
    if not isinstance(stored, dict):
        _log.warning("the changed shortcuts are unreadable, the defaults are used")
        return {}
    changed: dict[str, Keys] = {}
    for name, keys in stored.items():
        if name not in BY_NAME:
            _log.warning("changed shortcut of an unknown command: %.60r", name)
        elif (read := _read_keys(keys)) is None:
            _log.warning("unreadable shortcut of %s: %.60r", name, keys)
        else:
            changed[name] = read
    return changed


def _read_keys(keys: Any) -> Keys | None:
    if not isinstance(keys, list) or not all(isinstance(key, str) for key in keys):
        return None
    read = tuple(dict.fromkeys(map(normal_key, keys)))
    return None if "" in read else read


def write_changed(changed: Mapping[str, Keys]) -> str:
    """Return the setting's value; empty when nothing is changed."""
    return json.dumps({name: list(keys) for name, keys in changed.items()}) if changed else ""


def keys_in_force(changed: Mapping[str, Keys]) -> dict[str, Keys]:
    """Return the keys of every command. A key that was given to one is no other's, whatever the defaults say."""
    result: dict[str, Keys] = {}
    taken: set[str] = set()
    for name, keys in changed.items():
        result[name] = tuple(key for key in keys if key not in taken)
        taken.update(keys)
    for command in COMMANDS:
        if command.name not in changed:
            result[command.name] = tuple(key for key in default_keys(command) if key not in taken)
    return result


def holders(changed: Mapping[str, Keys], name: str, keys: Iterable[str]) -> list[Command]:
    """Return the other commands that hold one of `keys` now."""
    wanted, now = set(keys), keys_in_force(changed)
    return [each for each in COMMANDS if each.name != name and wanted & set(now[each.name])]


def assign(changed: Mapping[str, Keys], name: str, keys: Keys) -> dict[str, Keys]:
    """Return the changes after `name` got `keys`, taken from whoever held them."""
    now = keys_in_force(changed)
    result = {**changed, name: keys}
    for other in holders(changed, name, keys):
        result[other.name] = tuple(key for key in now[other.name] if key not in keys)
    return {each: given for each, given in result.items() if given != default_keys(BY_NAME[each])}


def _menu_keys() -> frozenset[str]:
    """Return the keys that open the menus, in either language: with a command on it too, neither would act."""
    titles = (
        each for words in MENU_WORDS.values() for each in (_(words), words, load_translations("en").gettext(words))
    )
    return frozenset(QKeySequence.mnemonic(each).toString(_Format.PortableText) for each in titles) - {""}


def why_not(command: Command, key: str) -> str:
    """Return in words why `key` cannot be the command's; empty when it can."""
    combination = _combination(QKeySequence(key))
    bare = not combination.keyboardModifiers() & ~_Mod.ShiftModifier
    if any(QKeySequence(key) in QKeySequence.keyBindings(each) for each in _FIELD_KEYS):
        return _("글을 고를 때와 복사하고 붙일 때 쓰는 키라서 비워 둬야 해요.")
    is_free = Qt.Key.Key_F1 <= combination.key() <= Qt.Key.Key_F35 or combination.key() == Qt.Key.Key_Escape
    is_fields_own = command.in_field and combination.key() in _BARE_IN_FIELD
    if normal_key(key) in _menu_keys():
        return _("메뉴를 여는 키라서 비워 둬야 해요.")
    if bare and not is_free and not is_fields_own:
        return _("글을 쓰거나 자리를 옮길 때 쓰는 키예요. Ctrl이나 Alt와 함께 눌러 주세요.")
    return ""
