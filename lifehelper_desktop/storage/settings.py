"""The values of the settings; their rows (key, type, default, choices) are in `base.settings`."""

from __future__ import annotations

import json
import logging

from lifehelper_desktop.base.settings import Setting, SettingValue, setting
from lifehelper_desktop.domain.changes import NOTHING, Changes
from lifehelper_desktop.storage.database import Database
from lifehelper_desktop.storage.tables import SETTING

_log = logging.getLogger(__name__)


class SettingsRepository:
    """Reads and writes settings. Any thread; values are read anew each time, so another process's change shows."""

    def __init__(self, db: Database) -> None:
        """Work on `db`."""
        self._db = db

    def get(self, row: Setting) -> SettingValue:
        """Return the stored value, or the default when there is none or it does not fit the row."""
        with self._db.read():
            found = self._db.sql("SELECT value FROM setting WHERE key = ?", (row.key,))
        if not found:
            return row.default
        try:
            return row.check(json.loads(found[0][0]))
        except ValueError as error:
            _log.warning("setting %s is unreadable, the default is used: %s", row.key, error)
            return row.default

    def get_bool(self, row: Setting) -> bool:
        """Return the value of a yes-or-no setting."""
        value = self.get(row)
        assert isinstance(value, bool), row.key
        return value

    def get_int(self, row: Setting) -> int:
        """Return the value of a number setting."""
        value = self.get(row)
        assert isinstance(value, int), row.key
        return value

    def get_str(self, row: Setting) -> str:
        """Return the value of a text setting."""
        value = self.get(row)
        assert isinstance(value, str), row.key
        return value

    def set(self, row: Setting, value: SettingValue) -> Changes:
        """Store `value` and return what changed (nothing when it was so before).

        Raises:
            KeyError: `row` is no row of `base.settings`.
            ValueError: The value does not fit the row.
            WorldError: The disk did not take it.
        """
        setting(row.key)
        text = json.dumps(row.check(value))  # ASCII: paths may hold lone surrogates, which SQLite cannot store
        with self._db.write():
            if self.get(row) == value and self._db.sql("SELECT 1 FROM setting WHERE key = ?", (row.key,)):
                return NOTHING
            self._db.run(SETTING.insert({SETTING.c.key: row.key, SETTING.c.value: text}).on_conflict("REPLACE"))
        return Changes(settings=frozenset({row.key}))
