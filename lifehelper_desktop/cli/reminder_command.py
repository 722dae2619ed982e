"""`lifehelper reminders`: the times at which the window reminds of a habit."""

from __future__ import annotations

import argparse
import re
from typing import Any, Final

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.cli.context import CliContext
from lifehelper_desktop.domain.labels import weekdays_words
from lifehelper_desktop.domain.reminders import EVERY_DAY, Reminder

OK: Final = 0
_TIME: Final = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")
_SETS: Final = {"every": EVERY_DAY, "weekdays": frozenset({1, 2, 3, 4, 5}), "weekend": frozenset({6, 7})}


def register(subs: Any, common: argparse.ArgumentParser) -> None:
    """Add the commands to the parser."""
    reminders = subs.add_parser("reminders", parents=[common], help=_("습관의 알림"))
    reminders.set_defaults(run=_list, habit_id=None)
    inner = reminders.add_subparsers(dest="reminders_command", metavar=_("동작"))
    listing = inner.add_parser("list", parents=[common], help=_("알림 보기"))
    listing.add_argument("habit_id", type=int, nargs="?", help=_("이 습관의 것만"))
    listing.set_defaults(run=_list)
    add = inner.add_parser("add", parents=[common], help=_("알림 추가"))
    add.add_argument("habit_id", type=int)
    add.add_argument("time", type=_minutes, help=_("시각(예: 07:30)"))
    add.add_argument(
        "--days", type=_weekdays, default=EVERY_DAY, help=_("every, weekdays, weekend, 또는 135처럼 요일(월 1 … 일 7)")
    )
    add.set_defaults(run=_add)
    for name, run, words in (
        ("remove", _remove, _("알림 지우기")),
        ("on", _on, _("알림 켜기")),
        ("off", _off, _("알림 끄기")),
    ):
        each = inner.add_parser(name, parents=[common], help=words)
        each.add_argument("reminder_id", type=int)
        each.set_defaults(run=run)


def _minutes(text: str) -> int:
    """Return minutes after midnight of `HH:MM`; argparse tells what is wrong."""
    match = _TIME.fullmatch(text.strip())
    if match is None:
        raise argparse.ArgumentTypeError(_("시각은 07:30처럼 적어 주세요."))
    return int(match[1]) * 60 + int(match[2])


def _weekdays(text: str) -> frozenset[int]:
    """Return ISO weekdays from a name or digits."""
    named = _SETS.get(text.strip().casefold())
    digits = text.replace(",", "").strip()
    if named is None and (not digits or not set(digits) <= set("1234567")):
        raise argparse.ArgumentTypeError(
            _("요일은 every, weekdays, weekend 가운데 하나나, 135처럼 숫자로 적어 주세요.")
        )
    return named if named is not None else frozenset(map(int, digits))


def _reminder_json(context: CliContext, reminder: Reminder) -> dict[str, Any]:
    return {
        "reminder_id": reminder.id,
        "habit_id": reminder.habit_id,
        "title": context.store.habits.get(reminder.habit_id).title(context.language),
        "time": f"{reminder.time:%H:%M}",
        "weekdays": sorted(reminder.weekdays),
        "on": reminder.is_on,
    }


def _list(context: CliContext, args: argparse.Namespace) -> int:
    store = context.store
    found = store.reminders.all_live()
    if args.habit_id is not None:
        found = store.reminders.list(store.habits.get(args.habit_id).id)
    if context.as_json:
        context.print_json([_reminder_json(context, each) for each in found])
        return OK
    for each in found:
        title = store.habits.get(each.habit_id).title(context.language)
        context.print(f"{each.id}  {_words(context, each)} — {title}" + ("" if each.is_on else f"  ({_('꺼짐')})"))
    if not found:
        context.print(_("아직 알림이 없어요."))
    return OK


def _add(context: CliContext, args: argparse.Namespace) -> int:
    reminder, _changes = context.store.reminders.add(args.habit_id, args.time, args.days)
    return _tell(context, reminder, _("알림을 추가했어요: {words}"))


def _remove(context: CliContext, args: argparse.Namespace) -> int:
    reminder = context.store.reminders.get(args.reminder_id)
    context.store.reminders.remove(reminder.id)
    return _tell(context, reminder, _("알림을 지웠어요: {words}"))


def _on(context: CliContext, args: argparse.Namespace) -> int:
    return _switch(context, args.reminder_id, True, _("알림을 켰어요: {words}"))


def _off(context: CliContext, args: argparse.Namespace) -> int:
    return _switch(context, args.reminder_id, False, _("알림을 껐어요: {words}"))


def _switch(context: CliContext, reminder_id: int, on: bool, words: str) -> int:
    context.store.reminders.change(reminder_id, is_on=on)
    return _tell(context, context.store.reminders.get(reminder_id), words)


def _tell(context: CliContext, reminder: Reminder, words: str) -> int:
    if context.as_json:
        context.print_json({"status": "ok", **_reminder_json(context, reminder)})
    else:
        context.print(words.format(words=_words(context, reminder)))
    return OK


def _words(context: CliContext, reminder: Reminder) -> str:
    return f"{reminder.time:%H:%M} {weekdays_words(reminder.weekdays, context.store.week_start())}"
