"""`lifehelper review`: one week looked back at, as text or JSON."""

from __future__ import annotations

import argparse
from datetime import date
from typing import Any, Final

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.cli.context import CliContext
from lifehelper_desktop.domain.review import HabitWeek, WeekReview
from lifehelper_desktop.domain.review_words import one_change, review_text, went_well
from lifehelper_desktop.domain.rules import RuleViolation
from lifehelper_desktop.storage.review import first_of_week, last_closed_week, read_review
from lifehelper_desktop.tools.dates import normalise_date, parse_iso_date

OK = 0
_EARLIEST: Final = date(1900, 1, 1)  # the calendar ends at the year 1, and the week before is looked at too


def register(subs: Any, common: argparse.ArgumentParser) -> None:
    """Add the command to the parser."""
    review = subs.add_parser("review", parents=[common], help=_("한 주 돌아보기"))
    review.add_argument("--week", metavar=_("날"), help=_("그 주의 아무 날(YYYY-MM-DD, 오늘, 어제), 없으면 지난주"))
    review.set_defaults(run=_review)


def _review(context: CliContext, args: argparse.Namespace) -> int:
    store = context.store
    if args.week is None:
        first = last_closed_week(store)
    else:
        day = parse_iso_date(normalise_date(args.week, store.today()))
        if day is None or day < _EARLIEST:
            raise RuleViolation("validation", field="week")
        if day > store.today():
            raise RuleViolation("future_date", today=store.today().isoformat())
        first = first_of_week(store, day)
    review = read_review(store, first)
    if context.as_json:
        context.print_json(_as_json(review, context.language))
    else:
        context.print(review_text(review).rstrip())
    return OK


def _as_json(review: WeekReview, language: str) -> dict[str, Any]:
    advice = one_change(review)
    return {
        "from": review.first.isoformat(),
        "to": review.last.isoformat(),
        "is_closed": review.is_closed,
        "asked": review.asked,
        "kept": review.kept,
        "minimum": review.minimum,
        "blank": review.blank,
        "done_days": review.done_like,
        "done_days_before": review.done_like_before,
        "habits": [_habit_json(each, language) for each in review.habits],
        "went_well": list(went_well(review)),
        "one_change": {"rule": advice.rule.value, "habit_id": advice.habit_id, "text": advice.text},
    }


def _habit_json(week: HabitWeek, language: str) -> dict[str, Any]:
    return {
        "id": week.habit.id,
        "title": week.habit.title(language),
        "asked": week.asked,
        "kept": week.kept,
        "done": week.done,
        "minimum": week.minimum,
        "blank": week.blank,
        "missed": week.missed,
        "days": {day.isoformat(): mark.value for day, mark in week.days},
    }
