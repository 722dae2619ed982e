"""The commands about habits, the catalogue, entries, tools and frames."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.cli.context import CliContext
from lifehelper_desktop.domain.framing import detect_avoidance_keywords
from lifehelper_desktop.domain.habits import EntryValue
from lifehelper_desktop.domain.labels import run_words, tier_label, value_label
from lifehelper_desktop.domain.schedule import unit_of
from lifehelper_desktop.tools.confirm_gate import ConfirmGate, ConfirmRequest, FixedGate, Verdict
from lifehelper_desktop.tools.envelope import ToolErr, ToolOk, ToolResult, words_for_people
from lifehelper_desktop.tools.registry import ToolRegistry
from lifehelper_desktop.tools.search_catalog import MAX_LIMIT
from lifehelper_desktop.tools.visibility import Place

OK, REFUSED = 0, 1
_YES = frozenset({"y", "yes", "예", "네", "응", "ㅇ"})


class TerminalGate:
    """Asks on the terminal; anything but a clear yes is a no."""

    def confirm(self, request: ConfirmRequest) -> Verdict:
        """Show the effect and read the answer from standard input."""
        print(_("이 작업을 수행할까요?"), request.description, request.summary, sep="\n", file=sys.stderr)
        print(_("수행하려면 y, 취소는 Enter:"), end=" ", file=sys.stderr, flush=True)
        answer = sys.stdin.readline().strip().casefold()
        return Verdict.CONFIRMED if answer in _YES else Verdict.DECLINED


def gate_for(yes: bool) -> ConfirmGate | None:
    """Return the gate of this run: `--yes`, a person at a terminal, or nobody (then writes are cancelled)."""
    if yes:
        return FixedGate(Verdict.CONFIRMED)
    return TerminalGate() if sys.stdin is not None and sys.stdin.isatty() else None


def register(subs: Any, common: argparse.ArgumentParser) -> None:
    """Add these commands to the parser."""
    habits = subs.add_parser("habits", parents=[common], help=_("하고 있는 습관 보기"))
    habits.set_defaults(run=_habits)

    catalog = subs.add_parser("catalog", parents=[common], help=_("카탈로그 찾기"))
    catalog.add_argument("keyword", nargs="*", help=_("찾을 낱말"))
    catalog.add_argument("--category", help=_("분류"))
    catalog.add_argument("--limit", type=int, default=10)
    catalog.add_argument("--id", dest="entry_id", help=_("이 항목을 자세히 보기"))
    catalog.set_defaults(run=_catalog)

    log = subs.add_parser("log", parents=[common], help=_("기록하기"))
    log.add_argument("habit_id", type=int)
    log.add_argument("value", nargs="?", default="done", help=_("done 완료, minimum 최소, blank 쉬기"))
    log.add_argument("--date", help=_("YYYY-MM-DD, 오늘, 어제, 그제"))
    log.add_argument("--note")
    log.set_defaults(run=_log)

    add = subs.add_parser("add", parents=[common], help=_("습관 추가"))
    add.add_argument("protocol_id")
    add.add_argument("--text", required=True, help=_("하려는 행동으로 쓴 문장"))
    add.add_argument("--level", type=int, default=2, help=_("1 결과, 2 과정, 3 정체성"))
    add.add_argument("--when", help=_("언제"))
    add.add_argument("--after", help=_("무엇을 한 뒤"))
    add.add_argument("--dose", help=_("표준 용량"))
    add.set_defaults(run=_add)

    streak = subs.add_parser("streak", parents=[common], help=_("연속 기록 보기"))
    streak.add_argument("habit_id", type=int)
    streak.set_defaults(run=_streak)

    tool = subs.add_parser("tool", parents=[common], help=_("코치의 도구"))
    tool_subs = tool.add_subparsers(dest="tool_command", required=True)
    tool_subs.add_parser("list", parents=[common]).set_defaults(run=_tool_list)
    call = tool_subs.add_parser("call", parents=[common])
    call.add_argument("name")
    call.add_argument("arguments", metavar="JSON")
    call.add_argument("--yes", action="store_true", help=_("묻지 않고 수행"))
    call.set_defaults(run=_tool_call)

    frame = subs.add_parser("frame", parents=[common], help=_("습관 문장 살펴보기"))
    frame_subs = frame.add_subparsers(dest="frame_command", required=True)
    check = frame_subs.add_parser("check", parents=[common])
    check.add_argument("text")
    check.set_defaults(run=_frame_check)


def _show(context: CliContext, result: ToolResult, words: Any) -> int:
    """Print a result as its envelope, or `words(data)` for people; a refusal is its reason."""
    if context.as_json:
        context.print_json(result.to_json())
    elif isinstance(result, ToolOk):
        context.print(words(result.data))
    elif isinstance(result, ToolErr):
        print(words_for_people(result.reason), file=sys.stderr)
    else:
        print(_("취소했어요. 바뀐 것은 없어요."), file=sys.stderr)
    return OK if isinstance(result, ToolOk) else REFUSED


def _habits(context: CliContext, args: argparse.Namespace) -> int:
    def words(data: Any) -> str:
        lines = [
            _("{habit_id}  {title} — {framed_text}  [{today}]").format(
                habit_id=item["habit_id"],
                title=item["title"],
                framed_text=item["framed_text"],
                today=value_label(EntryValue(item["today"])) if item["today"] else "·",
            )
            for item in data["items"]
        ] or [_("아직 습관이 없어요. ‘lifehelper catalog’에서 하나 골라 보세요.")]
        lines.append(
            _("남은 자리: 세우기 {build}, 깨기 {break_}").format(
                build=data["build_quota_remaining"], break_=data["break_quota_remaining"]
            )
        )
        return "\n".join(lines)

    return _show(context, context.dispatch("list_active_habits", {}), words)


def _catalog(context: CliContext, args: argparse.Namespace) -> int:
    if args.entry_id:

        def entry_words(data: Any) -> str:
            return json.dumps(data, ensure_ascii=False, indent=2)

        return _show(context, context.dispatch("query_protocol", {"id": args.entry_id}), entry_words)

    def words(data: Any) -> str:
        if data["items"]:
            lines = [f"{item['id']}  {item['title']} — {item['summary']}" for item in data["items"]]
            if data["count"] == MAX_LIMIT:
                lines.append(_("더 있을 수 있어요. 낱말이나 --category로 좁혀 보세요."))
            return "\n".join(lines)
        if "valid_categories" in data:
            return _("그런 분류는 없어요. 고를 수 있는 분류: {names}").format(names=", ".join(data["valid_categories"]))
        return _("찾은 항목이 없어요.")

    wanted = {"keyword": " ".join(args.keyword), "category": args.category, "limit": args.limit}
    return _show(context, context.dispatch("search_catalog", wanted), words)


def _log(context: CliContext, args: argparse.Namespace) -> int:
    wanted = {"habit_id": args.habit_id, "value": args.value, "date": args.date, "note": args.note}
    # The person typed the command itself: that is the yes.
    result = context.dispatch("log_tracker_entry", wanted, FixedGate(Verdict.CONFIRMED))
    return _show(context, result, lambda data: _stored(context, result))


def _add(context: CliContext, args: argparse.Namespace) -> int:
    wanted = {
        "protocol_id": args.protocol_id,
        "frame_level": args.level,
        "framed_text": args.text,
        "anchor_when": args.when,
        "anchor_after_what": args.after,
        "dose_text": args.dose,
    }
    result = context.dispatch("add_habit", wanted, FixedGate(Verdict.CONFIRMED))
    return _show(context, result, lambda data: _stored(context, result))


def _stored(context: CliContext, result: ToolResult) -> str:
    from lifehelper_desktop.chat.stored_rows import describe_changes

    return describe_changes(context.store, result.changes, context.language) if isinstance(result, ToolOk) else ""


def _streak(context: CliContext, args: argparse.Namespace) -> int:
    def words(data: Any) -> str:
        unit = unit_of(context.store.habits.get(args.habit_id).schedule)
        return _("연속 {current} · 최장 {longest} · 30일 중 {month}일 · 단계 {tier}").format(
            current=run_words(data["current_streak"], unit),
            longest=run_words(data["longest_streak"], unit),
            month=data["done_count_30d"],
            tier=tier_label(data["tier"]),
        )

    return _show(context, context.dispatch("get_streak", {"habit_id": args.habit_id}), words)


def _tool_list(context: CliContext, args: argparse.Namespace) -> int:
    rows = [
        {
            "name": tool.name,
            "label": tool.label[context.language],
            "description": _(tool.description),
            "effect": tool.effect.value,
            "scope": tool.scope,
            "parameters": dict(tool.parameters_schema),
        }
        for tool in ToolRegistry.defaults().visible(Place.CLI)
    ]
    if context.as_json:
        context.print_json(rows)
    else:
        for row in rows:
            context.print(f"{row['name']}  {row['label']} — {row['description']}")
    return OK


def _tool_call(context: CliContext, args: argparse.Namespace) -> int:
    try:
        arguments = json.loads(args.arguments)
    except (ValueError, RecursionError):
        arguments = None  # the dispatcher says in words what it wants instead
    result = context.dispatch(args.name, arguments, gate_for(args.yes))
    return _show(context, result, lambda data: json.dumps(data, ensure_ascii=False, indent=2))


def _frame_check(context: CliContext, args: argparse.Namespace) -> int:
    words = detect_avoidance_keywords(args.text)
    if context.as_json:
        context.print_json({"text": args.text, "passes": not words, "words": words})
    elif words:
        context.print(_("‘{words}’ 대신 무엇을 할지로 적어 주세요.").format(words="’, ‘".join(words)))
    else:
        context.print(_("좋아요. 하려는 행동으로 쓴 문장이에요."))
    return REFUSED if words else OK
