"""`lifehelper habit`: what the window's habit menu and calendar do, by habit id."""

from __future__ import annotations

import argparse
from typing import Any, Final

from lifehelper_desktop.base.i18n import N_, _
from lifehelper_desktop.cli.context import CliContext
from lifehelper_desktop.domain.changes import NOTHING, Changes
from lifehelper_desktop.domain.habits import DAILY, Entry, EntryValue, Habit, HabitStatus, Schedule, ScheduleKind
from lifehelper_desktop.domain.labels import schedule_words, value_label
from lifehelper_desktop.domain.rules import RuleViolation
from lifehelper_desktop.tools.dates import normalise_date, parse_iso_date

OK: Final = 0
_STATUS_WORDS: Final = {
    HabitStatus.ACTIVE: N_("하는 중"),
    HabitStatus.PAUSED: N_("쉬는 중"),
    HabitStatus.ARCHIVED: N_("보관함"),
}
_NOTHING_RECORDED: Final = "none"
_BY_PLACE: Final = "place"
_BY_STRENGTH: Final = "strength"


def register(subs: Any, common: argparse.ArgumentParser) -> None:
    """Add the command to the parser."""
    habit = subs.add_parser("habit", parents=[common], help=_("습관 하나를 다루기"))
    inner = habit.add_subparsers(dest="habit_command", required=True, metavar=_("동작"))
    listing = inner.add_parser("list", parents=[common], help=_("쉬거나 보관한 습관까지 모두 보기"))
    listing.add_argument(
        "--sort", choices=(_BY_PLACE, _BY_STRENGTH), default=_BY_PLACE, help=_("목록 순서대로, 또는 강도가 높은 것부터")
    )
    listing.set_defaults(run=_list)
    for name, run, words in (
        ("days", _days, _("기록한 날과 메모 보기")),
        ("pause", _pause, _("쉬게 하기")),
        ("resume", _resume, _("다시 시작하기")),
        ("archive", _archive, _("보관하기")),
        ("unarchive", _unarchive, _("보관함에서 꺼내 이어 하기")),
        ("schedule", _schedule, _("얼마나 자주 할지 보거나 오늘부터 바꾸기")),
        ("move", _move, _("목록에서 자리 옮기기")),
        ("dose", _dose, _("표준 용량과 최소 용량 정하기")),
        ("change", _change, _("지난 날의 기록을 고치거나 지우기")),
    ):
        each = inner.add_parser(name, parents=[common], help=words)
        each.add_argument("habit_id", type=int)
        each.set_defaults(run=run)
        if name == "move":
            each.add_argument("place", type=int, help=_("위에서부터 몇 번째, 1부터"))
        elif name == "schedule":
            _add_schedule_options(each)
        elif name == "dose":
            each.add_argument("--standard", help=_("표준 용량"))
            each.add_argument("--minimum", help=_("최소 용량"))
        elif name == "change":
            values = [*(value.value for value in EntryValue), _NOTHING_RECORDED]
            each.add_argument("date", help=_("YYYY-MM-DD, 오늘, 어제, 그제"))
            each.add_argument("value", choices=values, help=_("done 완료, minimum 최소, blank 쉬기, none 지우기"))
            each.add_argument("--note", help=_("메모; 없으면 있던 메모를 그대로 두기"))


def _add_schedule_options(parser: argparse.ArgumentParser) -> None:
    kinds = parser.add_mutually_exclusive_group()
    kinds.add_argument("--daily", action="store_true", help=_("매일"))
    kinds.add_argument("--weekdays", metavar="1,3,5", help=_("요일마다: 1 월요일부터 7 일요일까지"))
    kinds.add_argument("--per-week", type=int, metavar="N", help=_("일주일에 N번"))
    kinds.add_argument("--per-month", type=int, metavar="N", help=_("한 달에 N번"))
    kinds.add_argument("--every", type=int, metavar="N", help=_("N일마다 한 번"))


def _list(context: CliContext, args: argparse.Namespace) -> int:
    habits = context.store.habits.list(*HabitStatus)
    strengths = context.store.strengths() if context.as_json or args.sort == _BY_STRENGTH else {}
    if args.sort == _BY_STRENGTH:
        habits.sort(key=lambda habit: -strengths.get(habit.id, 0))
    if context.as_json:
        context.print_json([_habit_json(context, habit, strengths.get(habit.id, 0)) for habit in habits])
        return OK
    for habit in habits:
        words = _("{habit_id}  {title} — {framed_text}  [{status}]").format(
            habit_id=habit.id,
            title=habit.title(context.language),
            framed_text=habit.framed_text,
            status=_(_STATUS_WORDS[habit.status]),
        )
        if args.sort == _BY_STRENGTH:
            words += "  " + _("강도 {percent}%").format(percent=round(100 * strengths.get(habit.id, 0)))
        context.print(words)
    if not habits:
        context.print(_("아직 습관이 없어요. ‘lifehelper catalog’에서 하나 골라 보세요."))
    return OK


def _habit_json(context: CliContext, habit: Habit, strength: float) -> dict[str, Any]:
    return {
        "habit_id": habit.id,
        "title": habit.title(context.language),
        "framed_text": habit.framed_text,
        "status": habit.status.value,
        "start": habit.start.isoformat(),
        "archived_on": None if habit.archived_on is None else habit.archived_on.isoformat(),
        "standard_dose": habit.standard_dose,
        "minimum_dose": habit.minimum_dose,
        "schedule": _schedule_json(habit.schedule),
        "anchor_when": habit.anchor_when,
        "anchor_after_what": habit.anchor_after_what,
        "source": habit.source,
        "strength": round(strength, 4),
    }


def _days(context: CliContext, args: argparse.Namespace) -> int:
    context.store.habits.get(args.habit_id)
    entries = context.store.entries.for_habit(args.habit_id)
    if context.as_json:
        context.print_json([_entry_json(entry) for entry in entries.values()])
        return OK
    for day, entry in entries.items():
        line = f"{day.isoformat()}  {value_label(entry.value)}"
        context.print(f"{line}  {entry.note}" if entry.note else line)
    if not entries:
        context.print(_("아직 기록이 없어요."))
    return OK


def _entry_json(entry: Entry) -> dict[str, Any]:
    return {"date": entry.date.isoformat(), "value": entry.value.value, "note": entry.note, "amount": entry.amount}


def _pause(context: CliContext, args: argparse.Namespace) -> int:
    return _tell(context, args.habit_id, context.store.habits.pause(args.habit_id))


def _resume(context: CliContext, args: argparse.Namespace) -> int:
    return _tell(context, args.habit_id, context.store.habits.resume(args.habit_id))


def _archive(context: CliContext, args: argparse.Namespace) -> int:
    return _tell(context, args.habit_id, context.store.habits.archive(args.habit_id))


def _unarchive(context: CliContext, args: argparse.Namespace) -> int:
    return _tell(context, args.habit_id, context.store.habits.unarchive(args.habit_id))


def _schedule(context: CliContext, args: argparse.Namespace) -> int:
    wanted = _wanted_schedule(args)
    if wanted is not None:
        changes = context.store.habits.set_schedule(args.habit_id, wanted)
        return _tell(context, args.habit_id, changes, schedule=_schedule_json(wanted))
    habit = context.store.habits.get(args.habit_id)
    if context.as_json:
        context.print_json([{"from": day.isoformat(), **_schedule_json(each)} for day, each in habit.history])
        return OK
    week_start = context.store.week_start()
    for day, each in habit.history:
        words = _("{day}부터 {schedule}").format(day=day.isoformat(), schedule=schedule_words(each, week_start))
        context.print(words)
    return OK


def _wanted_schedule(args: argparse.Namespace) -> Schedule | None:
    """Return what the options ask for, or None; what cannot be is refused where it is stored."""
    if args.daily:
        return DAILY
    if args.weekdays is not None:
        days = [part.strip() for part in args.weekdays.split(",")]
        if not all(day.isascii() and day.isdigit() for day in days):
            raise RuleViolation("validation", field="weekdays")
        return Schedule(ScheduleKind.WEEKDAYS, weekdays=frozenset(map(int, days)))
    if args.per_week is not None:
        return Schedule(ScheduleKind.PER_WEEK, times=args.per_week)
    if args.per_month is not None:
        return Schedule(ScheduleKind.PER_MONTH, times=args.per_month)
    return None if args.every is None else Schedule(ScheduleKind.EVERY_DAYS, days=args.every)


def _schedule_json(schedule: Schedule) -> dict[str, Any]:
    return {
        "kind": schedule.kind.value,
        "weekdays": sorted(schedule.weekdays),
        "times": schedule.times,
        "days": schedule.days,
    }


def _move(context: CliContext, args: argparse.Namespace) -> int:
    habits = context.store.habits
    wanted = habits.get(args.habit_id)
    ids = [habit.id for habit in habits.list() if habit.id != wanted.id]
    ids.insert(min(max(0, args.place - 1), len(ids)), wanted.id)
    return _tell(context, wanted.id, habits.reorder(ids))


def _dose(context: CliContext, args: argparse.Namespace) -> int:
    habit = context.store.habits.get(args.habit_id)
    standard = habit.standard_dose if args.standard is None else args.standard
    minimum = (habit.minimum_dose or "") if args.minimum is None else args.minimum
    return _tell(context, habit.id, context.store.habits.set_doses(habit.id, standard, minimum))


def _change(context: CliContext, args: argparse.Namespace) -> int:
    store = context.store
    day = parse_iso_date(normalise_date(args.date, store.today()))
    if day is None:
        raise RuleViolation("validation", field="date")
    value = None if args.value == _NOTHING_RECORDED else EntryValue(args.value)
    changes = store.entries.change(args.habit_id, day, value, args.note)
    return _tell(context, args.habit_id, changes, date=day.isoformat(), value=args.value)


def _tell(context: CliContext, habit_id: int, changes: Changes, **values: Any) -> int:
    if context.as_json:
        context.print_json({"status": "ok", "changed": changes != NOTHING, "habit_id": habit_id, **values})
        return OK
    if changes == NOTHING:
        context.print(_("이미 그래서 바뀐 것은 없어요."))
        return OK
    from lifehelper_desktop.chat.stored_rows import describe_changes

    context.print(describe_changes(context.store, changes, context.language) or _("바꾸었어요."))
    return OK
