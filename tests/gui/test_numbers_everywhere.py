"""The same numbers on every surface: window, tray, command line and coach (T5, X2, X3)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta

import pytest

from lifehelper_desktop.chat.messages import ToolCallChatMessage
from lifehelper_desktop.domain.habits import EntryValue, HabitStatus, Schedule, ScheduleKind
from lifehelper_desktop.llm.protocol import LlmFunctionCall, LlmTextChunk
from lifehelper_desktop.tools.envelope import ToolOk
from lifehelper_desktop.ui import today_marks
from lifehelper_desktop.ui.widgets.day_editor import DayEditor
from tests.gui.conftest import card_of
from tests.gui.test_day_logic import SEOUL, Surfaces, surfaces
from tests.helpers.worlds import fill

__all__ = ["surfaces"]  # the fixture


def streak_in_window(surfaces: Surfaces) -> int:
    surfaces.gui.window.refresh()
    return card_of(surfaces.gui, surfaces.habit).overview.streaks.current_streak


def streak_in_tray(surfaces: Surfaces) -> int:
    today = today_marks.look(surfaces.store)
    [each] = [*today.due, *today.others]
    return each.streaks.current_streak


def streak_on_command_line(surfaces: Surfaces) -> int:
    data = surfaces.run_cli("streak", str(surfaces.habit.id))["data"]
    assert isinstance(data, dict)
    return int(data["current_streak"])


def streak_by_coach(surfaces: Surfaces) -> int:
    call = LlmFunctionCall("get_streak", {"habit_id": surfaces.habit.id})
    surfaces.gui.llm.script.extend([[call], [LlmTextChunk("네.")]])
    surfaces.gui.say("며칠째야?")
    surfaces.gui.wait_idle()
    result = next(
        message.result
        for message in reversed(surfaces.gui.window.conversation.messages)
        if isinstance(message, ToolCallChatMessage)
    )
    assert isinstance(result, ToolOk)
    return int(result.data["current_streak"])


READERS: dict[str, Callable[[Surfaces], int]] = {
    "window": streak_in_window,
    "tray": streak_in_tray,
    "cli": streak_on_command_line,
    "coach": streak_by_coach,
}


# ---- T5: a late answer belongs to its day -------------------------------------------------------------------------


def late_in_window(surfaces: Surfaces, day: date) -> None:
    surfaces.gui.window.show_habit(surfaces.habit.id)
    detail = surfaces.gui.window.detail
    assert detail is not None
    detail.open_day(day)
    editor = surfaces.gui.find(DayEditor, "dayEditor", detail)
    surfaces.gui.click("day_done", editor)
    surfaces.gui.click("daySave", editor)


def late_on_command_line(surfaces: Surfaces, day: date) -> None:
    assert surfaces.run_cli("log", str(surfaces.habit.id), "--date", day.isoformat())["status"] == "ok"


def late_with_coach(surfaces: Surfaces, day: date) -> None:
    call = LlmFunctionCall(
        "log_tracker_entry", {"habit_id": surfaces.habit.id, "value": "done", "date": day.isoformat()}
    )
    surfaces.gui.llm.script.extend([[call], [LlmTextChunk("네.")]])
    surfaces.gui.say("그날 했어, 기록해 줘")
    surfaces.gui.wait_dialog().yes.click()
    surfaces.gui.wait_idle()


@pytest.mark.parametrize("way", [late_in_window, late_on_command_line, late_with_coach])
@pytest.mark.parametrize("back", [1, 5])
def test_t5_a_late_answer_lands_on_its_day(
    surfaces: Surfaces, way: Callable[[Surfaces, date], None], back: int
) -> None:
    day = surfaces.store.today() - timedelta(days=back)
    way(surfaces, day)
    assert surfaces.recorded() == [day]


# ---- X2: another schedule changes nothing of the past -------------------------------------------------------------


@pytest.mark.parametrize("reader", READERS)
def test_x2_switching_to_twice_a_week_leaves_the_past_as_it_was(surfaces: Surfaces, reader: str) -> None:
    store, habit = surfaces.store, surfaces.habit
    today = store.today()
    fill(store, habit, today - timedelta(days=29), today - timedelta(days=1))
    read = READERS[reader]
    assert read(surfaces) == 29
    before = store.record(habit.id)
    store.habits.set_schedule(habit.id, Schedule(ScheduleKind.PER_WEEK, times=2))
    after = store.record(habit.id)
    assert after.strength[:-1] == before.strength[:-1]
    # What runs goes on in weeks: the three whole ones from 9 to 29 December.
    assert read(surfaces) == after.overview.streaks.current_streak == 3
    assert store.entries.for_habit(habit.id) == before.entries


# ---- X3: days without an entry are no success ---------------------------------------------------------------------


@pytest.mark.parametrize("reader", READERS)
def test_x3_blank_days_are_no_streak_and_today_is_still_asked(surfaces: Surfaces, reader: str) -> None:
    store, habit = surfaces.store, surfaces.habit
    for back in (3, 2, 1):
        store.entries.log(habit.id, EntryValue.BLANK, store.today() - timedelta(days=back))
    assert READERS[reader](surfaces) == 0
    surfaces.at(datetime(2025, 1, 2, 21, tzinfo=SEOUL))
    [due] = [each for each in store.overviews() if each.habit.status is HabitStatus.ACTIVE]
    assert due.is_due  # so the reminder still rings
    assert today_marks.look(store).open_count == 1
