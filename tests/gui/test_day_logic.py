"""The day on every surface: window, tray, command line and coach show and write the same one (T1–T4, X1, X5, X7)."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.base.settings import DAY_START_MINUTES
from lifehelper_desktop.chat.claims import claims_a_write
from lifehelper_desktop.cli.main import run
from lifehelper_desktop.domain.habits import EntryValue, Habit
from lifehelper_desktop.llm.protocol import LlmFunctionCall, LlmTextChunk
from lifehelper_desktop.storage.store import Store, open_store
from lifehelper_desktop.ui.text import long_day
from tests.gui.conftest import Gui, MakeGui, card_of
from tests.helpers.scripted_llm import ScriptedLlmService
from tests.helpers.worlds import add_habit

SEOUL = ZoneInfo("Asia/Seoul")
LOS_ANGELES = ZoneInfo("America/Los_Angeles")
NEW_YORK = ZoneInfo("America/New_York")


@dataclass
class Surfaces:
    """One habit, and every way to record it today.

    Attributes:
        shown: What each way says the day is, as the user reads it there.
    """

    gui: Gui
    store: Store
    clock: FixedClock
    capsys: pytest.CaptureFixture[str]
    habit: Habit

    def log_in_window(self) -> None:
        """Click 완료 on the card."""
        self.gui.click("mark_done", card_of(self.gui, self.habit))

    def log_in_tray(self) -> None:
        """Choose 완료 in the tray's menu."""
        tray = self.gui.window.tray
        tray.fill_menu()
        tray.mark_action(self.habit.id, EntryValue.DONE).trigger()

    def log_on_command_line(self) -> None:
        """Run `lifehelper log`."""
        assert self.run_cli("log", str(self.habit.id))["status"] == "ok"

    def log_with_coach(self) -> None:
        """Let the model call the tool without a day, and agree."""
        self.gui.llm.script.extend(
            [
                [LlmFunctionCall("log_tracker_entry", {"habit_id": self.habit.id, "value": "done"})],
                [LlmTextChunk("네.")],
            ]
        )
        self.gui.say("오늘 했어, 기록해 줘")
        self.gui.wait_dialog().yes.click()
        self.gui.wait_idle()

    def run_cli(self, *argv: str) -> dict[str, object]:
        """Run a command line on the same data and clock; return its JSON."""
        store = self.store
        arguments = ["--data-dir", str(store.paths.data), *argv, "--json"]
        run(arguments, lambda paths, _clock: open_store(paths, self.clock), lambda *_names: ScriptedLlmService())
        answer: dict[str, object] = json.loads(self.capsys.readouterr().out.splitlines()[-1])
        return answer

    def at(self, moment: datetime) -> None:
        """Let it be `moment`; the window notices as it does within a minute of any change of clock or zone."""
        self.clock.set(moment)
        self.gui.window.watcher.check_day()

    def recorded(self) -> list[date]:
        """The days that hold an entry."""
        return list(self.store.entries.for_habit(self.habit.id))


WAYS: dict[str, Callable[[Surfaces], None]] = {
    "window": Surfaces.log_in_window,
    "tray": Surfaces.log_in_tray,
    "cli": Surfaces.log_on_command_line,
    "coach": Surfaces.log_with_coach,
}
every_way = pytest.mark.parametrize("way", WAYS)


@pytest.fixture
def surfaces(
    make_gui: MakeGui,
    store: Store,
    clock: FixedClock,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Surfaces:
    """Walking since December 2024, seen at noon of 2 January 2025 in Seoul."""
    monkeypatch.setenv("LC_ALL", "ko_KR.UTF-8")
    clock.set(datetime(2025, 1, 2, 12, tzinfo=SEOUL))
    habit = add_habit(store, "daily-steps", started=date(2024, 12, 1))
    clock.set(datetime(2025, 1, 2, 12, tzinfo=SEOUL))
    return Surfaces(make_gui(), store, clock, capsys, habit)


# ---- T1: the day starts at 03:00 ----------------------------------------------------------------------------------


@every_way
@pytest.mark.parametrize(
    ("time", "day"),
    [
        ((1, 30, 0), date(2025, 1, 1)),
        ((2, 59, 59), date(2025, 1, 1)),
        ((3, 0, 0), date(2025, 1, 2)),
    ],
)
def test_t1_day_start(surfaces: Surfaces, way: str, time: tuple[int, int, int], day: date) -> None:
    surfaces.store.settings.set(DAY_START_MINUTES, 180)
    surfaces.at(datetime(2025, 1, 2, *time, tzinfo=SEOUL))
    assert surfaces.gui.text("todayTitle") == long_day(day)
    WAYS[way](surfaces)
    assert surfaces.recorded() == [day]


# ---- T2: local days, never UTC ones -------------------------------------------------------------------------------


@every_way
@pytest.mark.parametrize(("zone", "day"), [(SEOUL, date(2025, 1, 3)), (LOS_ANGELES, date(2025, 1, 2))])
def test_t2_local_day(surfaces: Surfaces, way: str, zone: ZoneInfo, day: date) -> None:
    surfaces.at(datetime(2025, 1, 2, 23, 30, tzinfo=UTC).astimezone(zone))
    assert surfaces.gui.text("todayTitle") == long_day(day)
    WAYS[way](surfaces)
    assert surfaces.recorded() == [day]


def test_t2_an_open_window_moves_to_the_new_day_at_its_first_second(surfaces: Surfaces) -> None:
    surfaces.store.settings.set(DAY_START_MINUTES, 0)
    surfaces.at(datetime(2025, 1, 2, 23, 59, 59, 950_000, tzinfo=SEOUL))
    assert surfaces.gui.text("todayTitle") == long_day(date(2025, 1, 2))
    surfaces.clock.set(datetime(2025, 1, 3, 0, 0, 1, tzinfo=SEOUL))
    surfaces.gui.qtbot.waitUntil(lambda: surfaces.gui.text("todayTitle") == long_day(date(2025, 1, 3)), timeout=2000)


@pytest.mark.parametrize(
    "woken",
    [
        datetime(2025, 1, 5, 9, tzinfo=SEOUL),  # slept over two nights: timers stood still
        datetime(2025, 1, 2, 12, tzinfo=SEOUL).astimezone(ZoneInfo("Pacific/Kiritimati")) + timedelta(hours=9),
    ],
)
def test_t2_after_sleep_or_a_zone_change_the_day_is_right_within_a_minute(surfaces: Surfaces, woken: datetime) -> None:
    timer = surfaces.gui.window.watcher._day_timer
    assert timer.isActive()
    assert timer.interval() <= 60_000
    surfaces.clock.set(woken)
    timer.timeout.emit()
    assert surfaces.gui.text("todayTitle") == long_day(surfaces.store.today())
    assert surfaces.store.today() == (woken - timedelta(hours=4)).date()


# ---- T3: summer time ----------------------------------------------------------------------------------------------


@every_way
@pytest.mark.parametrize("first", [date(2025, 3, 8), date(2025, 11, 1)])
def test_t3_summer_time(surfaces: Surfaces, way: str, first: date) -> None:
    days = [first + timedelta(days=number) for number in range(3)]
    for day in days:
        surfaces.at(datetime(day.year, day.month, day.day, 22, tzinfo=NEW_YORK))
        WAYS[way](surfaces)
    assert surfaces.recorded() == days
    assert surfaces.store.overview(surfaces.habit).streaks.current_streak == 3


# ---- T4: travel ---------------------------------------------------------------------------------------------------


@every_way
def test_t4_travel(surfaces: Surfaces, way: str) -> None:
    tenth, eleventh = date(2025, 4, 10), date(2025, 4, 11)
    for day in (tenth, eleventh):
        surfaces.at(datetime(2025, 4, day.day, 10, tzinfo=SEOUL))
        WAYS[way](surfaces)
    arrived = datetime(2025, 4, 11, 11, tzinfo=SEOUL).astimezone(LOS_ANGELES)
    surfaces.at(arrived)
    assert arrived.date() == surfaces.store.today() == tenth
    assert surfaces.recorded() == [tenth, eleventh]
    seen = card_of(surfaces.gui, surfaces.habit).overview
    assert seen.today_entry is not None
    assert seen.today_entry.value is EntryValue.DONE
    # Of the two days the eleventh has not come yet here; it waits for its day, and counts again then.
    assert seen.streaks.current_streak == 1
    surfaces.at(datetime(2025, 4, 11, 20, tzinfo=SEOUL))
    assert surfaces.recorded() == [tenth, eleventh]
    assert card_of(surfaces.gui, surfaces.habit).overview.streaks.current_streak == 2


# ---- X1: undo, wherever and whenever ------------------------------------------------------------------------------


def undo_in_window(surfaces: Surfaces) -> None:
    surfaces.gui.window.undo()


def undo_in_tray(surfaces: Surfaces) -> None:
    tray = surfaces.gui.window.tray
    tray.fill_menu()
    next(each for each in tray.menu.actions() if each.objectName() == "trayUndo").trigger()


def undo_on_command_line(surfaces: Surfaces) -> None:
    assert surfaces.run_cli("undo")["status"] == "ok"


UNDO_WAYS = {"window": undo_in_window, "tray": undo_in_tray, "cli": undo_on_command_line}


@every_way
@pytest.mark.parametrize("undo", UNDO_WAYS)
@pytest.mark.parametrize("zone", [SEOUL, ZoneInfo("Etc/GMT-1")])
def test_x1_undo_takes_the_mark_back_whoever_made_it(surfaces: Surfaces, way: str, undo: str, zone: ZoneInfo) -> None:
    surfaces.at(datetime(2025, 3, 1, 6, 46, tzinfo=UTC).astimezone(zone))
    WAYS[way](surfaces)
    assert surfaces.recorded() == [date(2025, 3, 1)]
    UNDO_WAYS[undo](surfaces)
    assert surfaces.recorded() == []


@pytest.mark.parametrize("undo", UNDO_WAYS)
def test_x1_undo_of_a_mark_ten_days_ago_removes_that_one(surfaces: Surfaces, undo: str) -> None:
    surfaces.log_in_window()
    past = surfaces.store.today() - timedelta(days=10)
    surfaces.store.entries.change(surfaces.habit.id, past, EntryValue.DONE)
    UNDO_WAYS[undo](surfaces)
    assert surfaces.recorded() == [surfaces.store.today()]


# ---- X5 and X7 ----------------------------------------------------------------------------------------------------


def test_x5_marking_a_done_habit_done_again_from_the_tray_changes_nothing(surfaces: Surfaces) -> None:
    surfaces.log_in_tray()
    before = surfaces.store.entries.for_habit(surfaces.habit.id)
    steps = surfaces.store.journal.history()
    surfaces.log_in_tray()
    assert surfaces.store.entries.for_habit(surfaces.habit.id) == before
    assert surfaces.store.journal.history() == steps


@pytest.mark.parametrize("answer", ["cancel", "no call"])
def test_x7_no_claim_without_a_row(surfaces: Surfaces, answer: str) -> None:
    gui, yesterday = surfaces.gui, date(2025, 1, 1)
    call = LlmFunctionCall("log_tracker_entry", {"habit_id": surfaces.habit.id, "value": "done", "date": "어제"})
    claim = [LlmTextChunk("어제 운동을 기록했어요.")]
    gui.llm.script.extend([[call], claim] if answer == "cancel" else [claim])
    gui.say("어제 운동 했어")
    if answer == "cancel":
        dialog = gui.wait_dialog()
        assert yesterday.isoformat() in dialog.informativeText() or long_day(yesterday) in dialog.informativeText()
        dialog.reject()
    gui.wait_idle()
    assert surfaces.recorded() == []
    claims = [text for text in gui.bubbles() if claims_a_write(text)]
    # What the model wrote is its own; the app says beside it, in the same place, that nothing was changed.
    assert not claims or any("실제로 바뀐 기록은 없어요" in line for line in gui.system_lines())
