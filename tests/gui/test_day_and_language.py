"""The day that the window shows and writes to, and the language it speaks from its start."""

from __future__ import annotations

import os
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication

from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.base.i18n import set_language
from lifehelper_desktop.base.settings import DAY_START_MINUTES
from lifehelper_desktop.domain.habits import EntryValue, Habit
from lifehelper_desktop.storage.store import Store, open_store
from lifehelper_desktop.ui import start
from lifehelper_desktop.ui.app import WindowEnd
from lifehelper_desktop.ui.context import AppContext
from lifehelper_desktop.ui.watcher import ms_to_next_day
from tests.gui.conftest import MakeGui, card_of
from tests.helpers.scripted_llm import ScriptedLlmService

TODAY = date(2026, 8, 12)


# ---- the day ------------------------------------------------------------------------------------------------------


def test_a_mark_never_goes_to_another_day_than_the_one_shown(
    make_gui: MakeGui, habits: dict[str, Habit], store: Store, clock: FixedClock
) -> None:
    gui, walk = make_gui(), habits["walk"]
    clock.set(datetime(2026, 8, 13, 4, 0, 10, tzinfo=UTC))
    gui.click("mark_done", card_of(gui, walk))
    assert store.entries.get(walk.id, TODAY) is None
    assert store.entries.get(walk.id, TODAY + timedelta(days=1)) is None
    assert gui.text("todayTitle") == "8월 13일 목요일"
    assert "새 하루가" in gui.window.habits.notice.text
    gui.click("mark_done", card_of(gui, walk))
    assert store.entries.get(walk.id, TODAY + timedelta(days=1)) is not None


def test_the_undo_of_a_number_key_belongs_to_its_day(
    make_gui: MakeGui, habits: dict[str, Habit], store: Store, clock: FixedClock
) -> None:
    gui, walk = make_gui(), habits["walk"]
    gui.window.habits.mark_number(1)
    clock.set(datetime(2026, 8, 13, 4, 0, 10, tzinfo=UTC))
    store.entries.log(walk.id, EntryValue.MINIMUM)
    gui.click("noticeAction", gui.window.habits)
    assert store.entries.get(walk.id, TODAY) is None
    assert store.entries.get(walk.id, TODAY + timedelta(days=1)) is not None


def test_the_next_day_begins_at_once(make_gui: MakeGui, habits: dict[str, Habit], clock: FixedClock) -> None:
    clock.set(datetime(2026, 8, 13, 3, 59, 59, 900_000, tzinfo=UTC))
    gui = make_gui()
    assert gui.text("todayTitle") == "8월 12일 수요일"
    clock.set(datetime(2026, 8, 13, 4, 0, tzinfo=UTC))
    gui.qtbot.waitUntil(lambda: gui.text("todayTitle") == "8월 13일 목요일", timeout=2000)


def test_another_day_start_is_waited_for(make_gui: MakeGui, store: Store) -> None:
    gui = make_gui()  # 21:30
    timer = gui.window.watcher._next_day_timer
    assert timer.isActive()
    assert timer.interval() == (6 * 60 + 30) * 60_000
    with closing(open_store(store.paths, store.clock)) as other:
        other.settings.set(DAY_START_MINUTES, 0)
        gui.window.watcher.check_data()
    assert timer.interval() == (2 * 60 + 30) * 60_000


@pytest.mark.parametrize(
    ("now", "start_minutes", "wanted"),
    [
        (datetime(2026, 8, 13, 3, 59, 59, 999_500, tzinfo=UTC), 240, 20),
        (datetime(2026, 8, 13, 3, 59, tzinfo=UTC), 240, 60_000),
        (datetime(2026, 8, 13, 4, 0, tzinfo=UTC), 240, 86_400_000),
        (datetime(2026, 8, 13, 0, 0, tzinfo=UTC), 0, 86_400_000),
        (datetime(2026, 12, 31, 23, 0, tzinfo=UTC), 0, 3_600_000),
    ],
)
def test_the_time_to_the_next_day(now: datetime, start_minutes: int, wanted: int) -> None:
    assert ms_to_next_day(now, start_minutes) == wanted


# ---- the language -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "title", "cancel"), [("ko", "8월 12일 수요일", "취소"), ("en", "Wednesday, 12 August", "Cancel")]
)
def test_the_language_of_the_command_line_is_in_force_everywhere(
    store: Store,
    habits: dict[str, Habit],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    make_gui: MakeGui,
    language: str,
    title: str,
    cancel: str,
) -> None:
    """Also where the system speaks the other language: the date, the texts, and Qt's own words."""
    other = "en_GB.UTF-8" if language == "ko" else "ko_KR.UTF-8"
    for name in ("LC_ALL", "LC_MESSAGES", "LANGUAGE", "LANG"):
        monkeypatch.setitem(os.environ, name, other)
    contexts: list[AppContext] = []

    def shown(context: AppContext, *_more: object) -> WindowEnd:
        contexts.append(context)
        gui = make_gui(context=context)
        assert gui.text("todayTitle") == title
        assert gui.window.windowTitle() == ("라이프 헬퍼" if language == "ko" else "LifeHelper")
        assert QCoreApplication.translate("QPlatformTheme", "Cancel") == cancel
        assert ("화" if language == "ko" else "Tue") in card_of(gui, habits["walk"]).week._names
        gui.window.close()
        return WindowEnd(0)

    monkeypatch.setattr(start, "run_window", shown)
    monkeypatch.setattr(start, "setup_logging", lambda *_args, **_more: None)
    arguments = ["--data-dir", str(tmp_path), "--lang", language]
    start.run(arguments, lambda _paths, _clock: store, lambda _paths, _model: ScriptedLlmService())
    assert len(contexts) == 1
    set_language("ko")
