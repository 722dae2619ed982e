"""The day boundary: wall-clock arithmetic only."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lifehelper_desktop.base.clock import FixedClock, SystemClock, logical_day

SEOUL = ZoneInfo("Asia/Seoul")
ZONES = ["Asia/Seoul", "America/New_York", "Europe/London", "Australia/Lord_Howe", "Pacific/Apia"]


@pytest.mark.parametrize(
    ("moment", "day_start", "day"),
    [
        ("2026-08-13 02:30", 240, "2026-08-12"),
        ("2026-08-13 03:59", 240, "2026-08-12"),
        ("2026-08-13 04:00", 240, "2026-08-13"),
        ("2026-08-13 00:10", 0, "2026-08-13"),
        ("2026-08-13 02:30", 120, "2026-08-13"),
        ("2026-08-13 05:59", 360, "2026-08-12"),
        ("2026-01-01 03:59", 240, "2025-12-31"),
        ("2028-03-01 01:00", 240, "2028-02-29"),
        ("1970-01-01 01:00", 240, "1969-12-31"),
        ("1911-05-05 05:00", 240, "1911-05-05"),
    ],
)
def test_the_table(moment: str, day_start: int, day: str) -> None:
    now = datetime.fromisoformat(moment).replace(tzinfo=SEOUL)
    assert logical_day(now, day_start) == date.fromisoformat(day)


@pytest.mark.parametrize(
    ("zone", "moment", "fold", "day"),
    [
        # Clocks go from 02:00 to 03:00: 03:59 still belongs to the day before, though only 3 hours have passed.
        ("America/New_York", "2026-03-08 03:59", 0, "2026-03-07"),
        ("America/New_York", "2026-03-08 04:00", 0, "2026-03-08"),
        # Clocks go from 02:00 back to 01:00: 01:30 comes twice and is the same day both times.
        ("America/New_York", "2026-11-01 01:30", 0, "2026-10-31"),
        ("America/New_York", "2026-11-01 01:30", 1, "2026-10-31"),
        ("America/New_York", "2026-11-01 04:00", 0, "2026-11-01"),
        ("Europe/London", "2026-03-29 03:59", 0, "2026-03-28"),
        ("Europe/London", "2026-10-25 01:30", 1, "2026-10-24"),
        ("Europe/London", "2026-10-25 04:00", 0, "2026-10-25"),
    ],
)
def test_summer_time_makes_and_loses_no_day(zone: str, moment: str, fold: int, day: str) -> None:
    now = datetime.fromisoformat(moment).replace(tzinfo=ZoneInfo(zone), fold=fold)
    assert logical_day(now, 240) == date.fromisoformat(day)


@pytest.mark.parametrize("zone", ["America/New_York", "Europe/London", "Asia/Seoul"])
def test_every_day_of_a_year_comes_once_and_in_order(zone: str) -> None:
    moment = datetime(2026, 1, 1, 12, tzinfo=UTC)
    days = []
    for _hour in range(24 * 364):
        days.append(logical_day(moment.astimezone(ZoneInfo(zone)), 240))
        moment += timedelta(hours=1)
    assert days == sorted(days)
    assert len(set(days)) == (days[-1] - days[0]).days + 1


@given(
    st.datetimes(datetime(1901, 1, 2), datetime(2100, 1, 1)),  # noqa: DTZ001
    st.sampled_from(ZONES),
    st.sampled_from(range(0, 361, 30)),
)
@settings(max_examples=200, deadline=None)
def test_the_day_is_the_civil_day_or_the_one_before(moment: datetime, zone: str, day_start: int) -> None:
    day = logical_day(moment.replace(tzinfo=ZoneInfo(zone)), day_start)
    early = moment.hour * 60 + moment.minute < day_start
    assert day == moment.date() - timedelta(days=int(early))


@pytest.mark.parametrize("day_start", [-1, 361, 1440])
def test_a_day_start_outside_the_range_is_an_error(day_start: int) -> None:
    with pytest.raises(ValueError, match="day_start_minutes"):
        logical_day(datetime(2026, 8, 12, tzinfo=SEOUL), day_start)


def test_a_naive_moment_is_an_error() -> None:
    with pytest.raises(ValueError, match="aware"):
        logical_day(datetime(2026, 8, 12), 240)  # noqa: DTZ001


def test_clocks_tell_aware_moments() -> None:
    assert SystemClock().now().tzinfo is not None
    assert FixedClock(datetime(2026, 8, 12, 21, 30)).now().tzinfo is not None  # noqa: DTZ001
    moment = datetime(2026, 8, 12, 21, 30, tzinfo=SEOUL)
    assert FixedClock(moment).now() is moment


@pytest.fixture
def zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Patches the environment; the C library's zone is put back at the end."""
    yield monkeypatch
    monkeypatch.undo()
    if sys.platform != "win32":
        time.tzset()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has its zone elsewhere than in TZ")
def test_t4_the_system_clock_sees_that_the_machine_has_moved(zone: pytest.MonkeyPatch) -> None:
    clock = SystemClock()
    for name, hours in (("Asia/Seoul", 9), ("Pacific/Honolulu", -10), ("Pacific/Kiritimati", 14)):
        zone.setenv("TZ", name)
        assert clock.now().utcoffset() == timedelta(hours=hours)
    assert clock.now().date() > datetime.now(UTC).astimezone(ZoneInfo("Pacific/Honolulu")).date()
