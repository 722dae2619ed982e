"""The wall clock and the logical day. Dates are civil days; no UTC arithmetic ever takes part."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Protocol

DAY_START_DEFAULT_MINUTES = 240
DAY_START_MAX_MINUTES = 360
DAY_START_STEP_MINUTES = 30

# The C library looks only once in the life of a program which zone the machine is in, unless it is told to look anew.
if sys.platform == "win32":
    import ctypes

    _read_zone_anew: Callable[[], object] = ctypes.CDLL("ucrtbase")._tzset  # Python has no `time.tzset` there
else:
    _read_zone_anew = time.tzset


class Clock(Protocol):
    """Tells the time. Any thread may ask."""

    def now(self) -> datetime:
        """Return the current moment as an aware datetime in the user's time zone."""
        ...


class SystemClock:
    """The machine's clock in the machine's current time zone (read anew at each call, so zone changes show)."""

    def now(self) -> datetime:
        """Return the current moment, aware, in the local zone."""
        _read_zone_anew()
        return datetime.now().astimezone()


class FixedClock:
    """A clock that stands still: evaluation worlds and `--now` replays use it."""

    def __init__(self, moment: datetime) -> None:
        """Stand at `moment`; a naive moment is taken as local wall-clock time."""
        self._moment = moment if moment.tzinfo is not None else moment.astimezone()

    def now(self) -> datetime:
        """Return the fixed moment."""
        return self._moment

    def set(self, moment: datetime) -> None:
        """Stand at another moment from now on."""
        self._moment = moment if moment.tzinfo is not None else moment.astimezone()


def logical_day(now: datetime, day_start_minutes: int) -> date:
    """Return the civil day that `now` belongs to when days begin `day_start_minutes` after midnight.

    Wall-clock arithmetic only: the date of (wall clock − day start), so a change to or from summer time never
    makes or loses a day. `day_start_minutes` is 0–360.

    Raises:
        ValueError: `now` is naive, or the day start lies outside 0–360.
    """
    if now.tzinfo is None:
        raise ValueError("logical_day needs an aware datetime")
    if not 0 <= day_start_minutes <= DAY_START_MAX_MINUTES:
        raise ValueError(f"day_start_minutes must be 0–{DAY_START_MAX_MINUTES}, got {day_start_minutes}")
    return (now.replace(tzinfo=None) - timedelta(minutes=day_start_minutes)).date()
