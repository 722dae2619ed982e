"""`lifehelper undo`, `redo`, `history` and `trash`: taking changes back, whichever surface made them."""

from __future__ import annotations

import argparse
from typing import Any

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.cli.context import CliContext
from lifehelper_desktop.storage.journal import KEEP_CHANGES, RecordedChange, TakenBack
from lifehelper_desktop.storage.trash import TrashedHabit

OK, REFUSED = 0, 1


def register(subs: Any, common: argparse.ArgumentParser) -> None:
    """Add the commands to the parser."""
    undo = subs.add_parser("undo", parents=[common], help=_("마지막 변경을 되돌리기"))
    undo.set_defaults(run=_undo)
    redo = subs.add_parser("redo", parents=[common], help=_("되돌린 것을 다시 하기"))
    redo.set_defaults(run=_redo)
    history = subs.add_parser("history", parents=[common], help=_("되돌릴 수 있는 변경 보기"))
    history.add_argument("--limit", type=int, default=20, help=_("몇 개까지"))
    history.set_defaults(run=_history)

    trash = subs.add_parser("trash", parents=[common], help=_("휴지통"))
    inner = trash.add_subparsers(dest="trash_command", required=True)
    inner.add_parser("list", parents=[common], help=_("모두 보기")).set_defaults(run=_list)
    for name, run, words in (
        ("put", _put, _("습관을 휴지통에 넣기")),
        ("restore", _restore, _("습관을 휴지통에서 꺼내기")),
        ("remove", _remove, _("휴지통의 습관 하나를 아주 지우기")),
        ("empty", _empty, _("휴지통을 비우기")),
    ):
        each = inner.add_parser(name, parents=[common], help=words)
        if name != "empty":
            each.add_argument("habit_id", type=int)
        if name in ("remove", "empty"):
            each.add_argument("--yes", action="store_true", help=_("묻지 않고 수행"))
        each.set_defaults(run=run)


def _undo(context: CliContext, args: argparse.Namespace) -> int:
    return _tell(context, context.store.journal.undo())


def _redo(context: CliContext, args: argparse.Namespace) -> int:
    return _tell(context, context.store.journal.redo())


def _tell(context: CliContext, done: TakenBack) -> int:
    if context.as_json:
        context.print_json({"status": "ok", "again": done.again, "change": _change_json(context, done.change)})
    else:
        context.print(done.words(context.language))
    return OK


def _change_json(context: CliContext, change: RecordedChange) -> dict[str, Any]:
    return {
        "id": change.id,
        "made_at": change.made_at.isoformat(),
        "source": change.source,
        "state": change.state.value,
        "rows": change.rows,
        "what": change.words(context.language),
        "label": dict(change.label),
    }


def _history(context: CliContext, args: argparse.Namespace) -> int:
    changes = context.store.journal.history(max(1, min(args.limit, KEEP_CHANGES)))
    if context.as_json:
        context.print_json([_change_json(context, change) for change in changes])
        return OK
    for change in changes:
        state = change.state.words
        line = f"{change.made_at:%Y-%m-%d %H:%M}  {change.source_words}  {change.words(context.language)}"
        context.print(f"{line}  ({state})" if state else line)
    if not changes:
        context.print(_("되돌릴 것이 아직 없어요."))
    return OK


def _trashed_json(context: CliContext, habit: TrashedHabit) -> dict[str, Any]:
    return {
        "habit_id": habit.id,
        "title": habit.title(context.language),
        "framed_text": habit.framed_text,
        "status": habit.status.value,
        "deleted_on": habit.deleted_on.isoformat(),
        "last_day": habit.last_day.isoformat(),
        "entries": habit.entries,
    }


def _list(context: CliContext, args: argparse.Namespace) -> int:
    habits = context.store.trash.list()
    if context.as_json:
        context.print_json([_trashed_json(context, habit) for habit in habits])
        return OK
    for habit in habits:
        words = _("{habit_id}  {title} — 기록 {entries}개, {day}까지 꺼낼 수 있어요").format(
            habit_id=habit.id,
            title=habit.title(context.language),
            entries=habit.entries,
            day=habit.last_day.isoformat(),
        )
        context.print(words)
    if not habits:
        context.print(_("휴지통이 비어 있어요."))
    return OK


def _put(context: CliContext, args: argparse.Namespace) -> int:
    title = context.store.habits.get(args.habit_id).title(context.language)
    context.store.trash.delete(args.habit_id)
    words = _("휴지통에 넣었어요: {title}. 30일 안에 꺼낼 수 있어요.").format(title=title)
    return _done(context, words, habit_id=args.habit_id)


def _restore(context: CliContext, args: argparse.Namespace) -> int:
    context.store.trash.restore(args.habit_id)
    title = context.store.habits.get(args.habit_id).title(context.language)
    return _done(context, _("휴지통에서 꺼냈어요: {title}").format(title=title), habit_id=args.habit_id)


def _remove(context: CliContext, args: argparse.Namespace) -> int:
    if not args.yes:
        return _not_confirmed(context)
    context.store.trash.remove(args.habit_id)
    return _done(context, _("아주 지웠어요."), habit_id=args.habit_id)


def _empty(context: CliContext, args: argparse.Namespace) -> int:
    if not args.yes:
        return _not_confirmed(context)
    removed = sorted(context.store.trash.empty().habits)
    return _done(context, _("휴지통을 비웠어요."), habit_ids=removed)


def _not_confirmed(context: CliContext) -> int:
    reason = _("아주 지우면 되돌릴 수 없어요. 그래도 지우려면 --yes를 붙여 주세요.")
    if context.as_json:
        context.print_json({"status": "error", "code": "not_confirmed", "reason": reason})
    else:
        context.print(reason)
    return REFUSED


def _done(context: CliContext, words: str, **values: Any) -> int:
    if context.as_json:
        context.print_json({"status": "ok", **values})
    else:
        context.print(words)
    return OK
