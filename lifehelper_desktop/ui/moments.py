"""Moments of the past in words, and a few sentences about amounts of data that several dialogs share."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from lifehelper_desktop.base.i18n import _, current_language, ngettext
from lifehelper_desktop.ui.text import short_day


def moment_text(moment: datetime, now: datetime) -> str:
    """Return an aware moment as seen at `now` and in its zone: `오늘 21:30`, `8월 10일(월) 09:12`."""
    local = moment.astimezone(now.tzinfo)
    return f"{day_text(local.date(), now.date())} {local:%H:%M}"


def day_text(day: date, today: date) -> str:
    """Return a day as seen from `today`: `오늘`, `어제`, `8월 10일(월)`, `2025년 8월 10일(일)`."""
    if day == today:
        return _("오늘")
    if day == today - timedelta(days=1):
        return _("어제")
    words = short_day(day)
    if day.year == today.year:
        return words
    return f"{day.year}년 {words}" if current_language() == "ko" else f"{words} {day.year}"


def habits_text(count: int) -> str:
    """Return `습관 3개`."""
    return ngettext("습관 {n}개", "습관 {n}개", count).format(n=number_text(count))


def entries_text(count: int) -> str:
    """Return `기록 1,204개`."""
    return ngettext("기록 {n}개", "기록 {n}개", count).format(n=number_text(count))


def amounts_text(habits: int, entries: int) -> str:
    """Return `습관 3개, 기록 1,204개`."""
    return f"{habits_text(habits)}, {entries_text(entries)}"


def number_text(number: int) -> str:
    """Return a number as people write it: `1,204`."""
    return f"{number:,}"
