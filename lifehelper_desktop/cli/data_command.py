"""`lifehelper search` and `lifehelper check`: words in one's own data, and what in it is off."""

from __future__ import annotations

import argparse
from typing import Any, Final

from lifehelper_desktop.base.i18n import _, ngettext
from lifehelper_desktop.cli.context import CliContext, count_to
from lifehelper_desktop.domain.particles import with_particles
from lifehelper_desktop.domain.quality import FailedCheck
from lifehelper_desktop.domain.quality_checks import CHECKS
from lifehelper_desktop.domain.rules import RuleViolation
from lifehelper_desktop.domain.searching import search_words
from lifehelper_desktop.storage.quality import check_quality
from lifehelper_desktop.storage.search.finder import Found, Hit, HitKind
from lifehelper_desktop.storage.text import shorten

OK: Final = 0
FOUND_NOTHING: Final = 1
_SHOWN: Final = 20
_SHOWN_MAX: Final = 1000


def register(subs: Any, common: argparse.ArgumentParser) -> None:
    """Add the commands to the parser."""
    search = subs.add_parser("search", parents=[common], help=_("내 습관과 메모에서 찾기"))
    search.add_argument("words", nargs="+", help=_("찾을 낱말"))
    search.add_argument("--habit", type=int, metavar="ID", help=_("이 습관에서만"))
    search.add_argument("--conversations", action="store_true", help=_("남겨 둔 대화에서도 찾기"))
    search.add_argument(
        "--limit",
        type=count_to(_SHOWN_MAX),
        default=_SHOWN,
        metavar="N",
        help=_("많아야 N개(기본 {n})").format(n=_SHOWN),
    )
    search.set_defaults(run=_search)

    check = subs.add_parser("check", parents=[common], help=_("기록에서 살펴볼 곳 찾기"))
    check.add_argument("--habit", type=int, metavar="ID", help=_("이 습관에서만"))
    check.add_argument(
        "--samples", type=count_to(_SHOWN_MAX), default=2, metavar="N", help=_("가지마다 많아야 N줄(기본 2)")
    )
    check.set_defaults(run=_check)


def _search(context: CliContext, args: argparse.Namespace) -> int:
    store = context.store
    wanted = " ".join(args.words)
    if not search_words(wanted):
        raise RuleViolation("validation", field="words")
    if args.habit is not None:
        store.habits.get(args.habit)
    found = store.search.find(
        wanted,
        language=context.language,
        limit=args.limit,
        habit_id=args.habit,
        conversations=args.conversations,
        typing=True,
    )
    if context.as_json:
        context.print_json(_found_json(found))
    else:
        _print_found(context, found, wanted)
    return OK if found.total else FOUND_NOTHING


def _found_json(found: Found) -> dict[str, Any]:
    return {
        "count": found.total,
        "counts": {kind.value: found.counts.get(kind, 0) for kind in HitKind},
        "is_exact": found.is_exact,
        "items": [
            {
                "kind": hit.kind.value,
                "id": hit.id,
                "habit_id": hit.habit_id,
                "title": hit.title,
                "date": None if hit.day is None else hit.day.isoformat(),
                "field": hit.field,
                "text": hit.text,
                "score": hit.score,
                "archived": hit.is_archived,
            }
            for hit in found.hits
        ],
    }


def _print_found(context: CliContext, found: Found, wanted: str) -> None:
    n = found.total
    if not n:
        words = _("‘{words}’을(를) 찾지 못했어요. 더 짧은 낱말로 찾아 보세요.").format(words=shorten(wanted))
        context.print(with_particles(words))
        return
    if not found.is_exact:
        words = _("‘{words}’ 그대로는 없어서, 비슷하게 시작하는 것을 찾았어요.").format(words=shorten(wanted))
        context.print(words)
    for hit in found.hits:
        context.print(_hit_line(hit))
    context.print(ngettext("모두 {n}개예요.", "모두 {n}개예요.", n).format(n=n))


def _hit_line(hit: Hit) -> str:
    match hit.kind:
        case HitKind.HABIT:
            head = _("{habit_id}번 습관 {title}").format(habit_id=hit.habit_id, title=hit.title)
        case HitKind.NOTE:
            day = hit.day.isoformat() if hit.day is not None else ""
            head = _("{day} 메모, {habit_id}번 {title}").format(day=day, habit_id=hit.habit_id, title=hit.title)
        case HitKind.MESSAGE:
            day = hit.day.isoformat() if hit.day is not None else ""
            head = _("{day} 대화 {id}번 {title}").format(day=day, id=hit.id, title=hit.title)
    if hit.is_archived:
        head += f" ({_('보관')})"
    return head if hit.text == hit.title else f"{head}: {hit.text}"


def _check(context: CliContext, args: argparse.Namespace) -> int:
    store = context.store
    if args.habit is not None:
        store.habits.get(args.habit)
    failed = check_quality(store, args.habit, args.samples)
    if context.as_json:
        context.print_json(
            {"checked": len(CHECKS), "failed": len(failed), "items": [_failed_json(context, each) for each in failed]}
        )
        return OK
    for each in failed:
        _print_failed(context, each)
    n = len(failed)
    if n:
        context.print(ngettext("살펴볼 것이 {n}가지 있어요.", "살펴볼 것이 {n}가지 있어요.", n).format(n=n))
    else:
        context.print(_("살펴본 것이 모두 좋아요. 그대로 이어 가면 돼요."))
    return OK


def _failed_json(context: CliContext, failed: FailedCheck) -> dict[str, Any]:
    return {
        "check": failed.check.name,
        "severity": failed.check.severity.value,
        "what": _(failed.check.title),
        "count": failed.count,
        "samples": [
            {
                "habit_id": row.habit.id,
                "title": row.habit.title(context.language),
                "date": None if row.day is None else row.day.isoformat(),
                "detail": row.detail,
            }
            for row in failed.samples
        ],
        "next": _(failed.check.advice),
    }


def _print_failed(context: CliContext, failed: FailedCheck) -> None:
    context.print(f"[{failed.check.severity.words}] {_(failed.check.title)}: {failed.count}")
    for row in failed.samples:
        context.print(f"  {row.habit.id}  {row.words(context.language)}")
    context.print(f"  → {_(failed.check.advice)}")
