"""One row per setting: key, type, default and allowed values. Unknown keys fail; storage keeps the values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from lifehelper_desktop.base.clock import (
    DAY_START_DEFAULT_MINUTES,
    DAY_START_MAX_MINUTES,
    DAY_START_STEP_MINUTES,
)
from lifehelper_desktop.base.mcp_servers import read_servers

SettingValue = bool | int | str


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting.

    Attributes:
        key: Name in the database and in code.
        default: Value when none is stored; its type is the setting's type.
        choices: Allowed values, or empty when any value of the type is allowed.
        undoable: Whether undo takes a change back; False for what is no choice of a moment (accepted terms).
        reads: Reads a text value that has a form of its own; a ValueError means that it does not fit.
    """

    key: str
    default: SettingValue
    choices: tuple[SettingValue, ...] = ()
    undoable: bool = True
    reads: Callable[[str], object] | None = None

    def check(self, value: Any) -> SettingValue:
        """Return `value` when it fits this row.

        Raises:
            ValueError: Wrong type, not one of the choices, or a text of another form.
        """
        if type(value) is not type(self.default):
            raise ValueError(f"setting {self.key}: expected {type(self.default).__name__}, got {value!r}")
        if self.choices and value not in self.choices:
            raise ValueError(f"setting {self.key}: {value!r} is not one of {self.choices}")
        checked: SettingValue = value
        if self.reads is not None:
            self.reads(str(checked))
        return checked


LANGUAGE: Final = Setting("language", "system", ("system", "ko", "en"))
THEME: Final = Setting("theme", "system", ("system", "light", "dark"))
DAY_START_MINUTES: Final = Setting(
    "day_start_minutes",
    DAY_START_DEFAULT_MINUTES,
    tuple(range(0, DAY_START_MAX_MINUTES + 1, DAY_START_STEP_MINUTES)),
)
WEEK_START: Final = Setting("week_start", "monday", ("monday", "sunday"))
FONT_PERCENT: Final = Setting("font_percent", 100, (80, 90, 100, 110, 125, 150, 175, 200))
HIGH_CONTRAST: Final = Setting("high_contrast", False)
REMINDERS_ENABLED: Final = Setting("reminders_enabled", True)
SNOOZE_MINUTES: Final = Setting("snooze_minutes", 30, (10, 20, 30, 60, 120))
BACKUPS_ENABLED: Final = Setting("backups_enabled", True)  # the daily ones; those before risky steps are always made
BACKUP_COPY_FOLDER: Final = Setting("backup_copy_folder", "")  # a second place for each daily backup; empty: none
TRAY_ENABLED: Final = Setting("tray_enabled", True)
CLOSE_TO_TRAY: Final = Setting("close_to_tray", True)  # only ever where a tray is there
SHORTCUT_KEYS: Final = Setting("shortcut_keys", "")  # JSON: command name to a list of key sequences, only the changed
FIRST_RUN_DONE: Final = Setting("first_run_done", False, undoable=False)
AI_ENABLED: Final = Setting("ai_enabled", True)
KEEP_CONVERSATIONS: Final = Setting("keep_conversations", True)  # off: no conversation is stored
MODEL_PATH: Final = Setting("model_path", "")  # empty: the starter model
MODEL_FAMILY: Final = Setting("model_family", "auto", ("auto", "gemma3", "gemma3-base", "functiongemma", "gemma4"))
ADDED_MODELS: Final = Setting("added_models", "", undoable=False)  # JSON: paths of the user's own model files
ACCEPTED_TERMS: Final = Setting("accepted_terms", "", undoable=False)  # JSON: version and day by licence
MCP_SERVERS: Final = Setting("mcp_servers", "", reads=read_servers)  # JSON: see `base.mcp_servers`

SETTINGS: Final[dict[str, Setting]] = {
    row.key: row
    for row in (
        LANGUAGE,
        THEME,
        DAY_START_MINUTES,
        WEEK_START,
        FONT_PERCENT,
        HIGH_CONTRAST,
        REMINDERS_ENABLED,
        SNOOZE_MINUTES,
        BACKUPS_ENABLED,
        BACKUP_COPY_FOLDER,
        TRAY_ENABLED,
        CLOSE_TO_TRAY,
        SHORTCUT_KEYS,
        FIRST_RUN_DONE,
        AI_ENABLED,
        KEEP_CONVERSATIONS,
        MODEL_PATH,
        MODEL_FAMILY,
        ADDED_MODELS,
        ACCEPTED_TERMS,
        MCP_SERVERS,
    )
}


def setting(key: str) -> Setting:
    """Return the row of `key`.

    Raises:
        KeyError: No such setting.
    """
    return SETTINGS[key]
