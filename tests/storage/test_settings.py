"""Settings: values that fit come back, everything else is the default."""

from __future__ import annotations

import pytest

from lifehelper_desktop.base.settings import AI_ENABLED, DAY_START_MINUTES, LANGUAGE, MODEL_PATH, SETTINGS, Setting
from lifehelper_desktop.domain.changes import NOTHING, Changes
from lifehelper_desktop.storage.store import Store


def test_defaults(store: Store) -> None:
    assert {key: store.settings.get(row) for key, row in SETTINGS.items()} == {
        key: row.default for key, row in SETTINGS.items()
    }


def test_values_come_back(store: Store) -> None:
    assert store.settings.set(LANGUAGE, "en") == Changes(settings=frozenset({"language"}))
    store.settings.set(AI_ENABLED, False)
    store.settings.set(DAY_START_MINUTES, 0)
    store.settings.set(MODEL_PATH, "/모델/🦙 \udcff.gguf")  # file names may hold undecodable bytes
    assert store.settings.get_str(LANGUAGE) == "en"
    assert store.settings.get_bool(AI_ENABLED) is False
    assert store.settings.get_int(DAY_START_MINUTES) == 0
    assert store.settings.get_str(MODEL_PATH) == "/모델/🦙 \udcff.gguf"


def test_the_same_value_again_changes_nothing(store: Store) -> None:
    store.settings.set(LANGUAGE, "ko")
    assert store.settings.set(LANGUAGE, "ko") == NOTHING
    assert store.settings.set(LANGUAGE, "system") != NOTHING


@pytest.mark.parametrize("value", ["fr", 1, None, True])
def test_values_that_do_not_fit_are_refused(store: Store, value: object) -> None:
    with pytest.raises(ValueError):
        store.settings.set(LANGUAGE, value)  # type: ignore[arg-type]
    assert store.settings.get(LANGUAGE) == "system"


def test_unknown_rows_are_refused(store: Store) -> None:
    with pytest.raises(KeyError):
        store.settings.set(Setting("colour", "red"), "blue")


@pytest.mark.parametrize("stored", ["", "{", "7", '"fr"', "null", "[1]"])
def test_unreadable_values_read_as_the_default(store: Store, stored: str) -> None:
    with store.db.write():
        store.db.sql("INSERT INTO setting VALUES ('language', ?)", (stored,))
    assert store.settings.get(LANGUAGE) == "system"
    store.settings.set(LANGUAGE, "en")
    assert store.settings.get(LANGUAGE) == "en"
