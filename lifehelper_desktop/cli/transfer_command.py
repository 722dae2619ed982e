"""`import`, `imports` and `export`: habits from other trackers, and one's own in and out."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from lifehelper_desktop.base.i18n import N_, _, ngettext
from lifehelper_desktop.cli.commands import gate_for
from lifehelper_desktop.cli.context import CliContext
from lifehelper_desktop.storage.transfer.errors import TransferError
from lifehelper_desktop.storage.transfer.model import FileFormat
from lifehelper_desktop.storage.transfer.plan import HabitPlan, ImportPlan
from lifehelper_desktop.storage.transfer.report import RowRemark, Severity
from lifehelper_desktop.storage.transfer.transfers import ImportPreview, ImportResult
from lifehelper_desktop.storage.transfer.watch import Progress, Stage
from lifehelper_desktop.tools.confirm_gate import ConfirmRequest, Verdict, arguments_digest

OK, REFUSED, WORLD = 0, 1, 3
_ROWS_SHOWN: Final = 20
#: Refusals that another choice on the command line resolves.
_CHOICES: Final = frozenset({"bad_rows", "bad_choice", "not_found", "unknown_zone"})
_Run = Callable[[CliContext, argparse.Namespace], int]


def register(subs: Any, common: argparse.ArgumentParser) -> None:
    """Add these commands to the parser."""
    formats = ", ".join(each.value for each in FileFormat)
    bring = subs.add_parser("import", parents=[common], help=_("다른 습관 앱의 파일 가져오기"))
    bring.add_argument("file", type=Path, help=_("내보낸 파일, 또는 그것을 푼 폴더"))
    bring.add_argument("--dry-run", action="store_true", help=_("바꾸지 않고 무엇이 들어올지만 보기"))
    bring.add_argument("--format", help=_("형식: {names}. 없으면 내용을 보고 알아봐요.").format(names=formats))
    bring.add_argument("--keep", metavar="1,3", help=_("이어서 할 습관의 번호; 나머지는 보관해요"))
    bring.add_argument("--zone", metavar="Asia/Seoul", help=_("시각을 날짜로 바꿀 시간대"))
    bring.add_argument("--skip-bad", action="store_true", help=_("읽지 못한 줄은 빼고 가져오기"))
    bring.add_argument("--yes", action="store_true", help=_("묻지 않고 수행"))
    bring.set_defaults(run=_told(_import))

    past = subs.add_parser("imports", parents=[common], help=_("지난 가져오기를 보거나 되돌리기"))
    past.add_argument("--undo", type=int, metavar="ID", help=_("이 가져오기를 되돌리기"))
    past.set_defaults(run=_told(_imports))

    out = subs.add_parser("export", parents=[common], help=_("내 습관과 기록을 파일로 내보내기"))
    out.add_argument("file", type=Path, help=_(".json이면 다시 가져올 수 있는 전부, .csv면 표 계산용"))
    out.add_argument("--no-bom", action="store_true", help=_("CSV 앞에 UTF-8 표시를 넣지 않기"))
    out.set_defaults(run=_told(_export))


def _told(command: _Run) -> _Run:
    """Return the command with its refusals told by their own codes."""

    def run(context: CliContext, args: argparse.Namespace) -> int:
        try:
            return command(context, args)
        except TransferError as error:
            if context.as_json:
                context.print_json({"status": "error", "code": error.code, "reason": str(error)})
            else:
                print(str(error), file=sys.stderr)
            return REFUSED if error.code in _CHOICES else WORLD

    return run


def _progress() -> Progress | None:
    """Return what shows progress on a terminal; elsewhere nothing is shown."""
    if sys.stderr is None or not sys.stderr.isatty():
        return None

    def show(stage: Stage, done: int, total: int) -> None:
        words = f"{stage.words} {done * 100 // total}%" if total else f"{stage.words} {done or ''}"
        print(f"\r\033[K{words}", end="\r", file=sys.stderr, flush=True)

    return show


# Import


def _import(context: CliContext, args: argparse.Namespace) -> int:
    transfers = context.store.transfers
    keep = _numbers(args.keep)
    show = _progress()
    preview = transfers.preview(args.file, file_format=args.format, zone=args.zone, keep=keep, progress=show)
    if args.dry_run:
        if context.as_json:
            context.print_json({"status": "ok", "dry_run": True, **_preview_json(preview)})
        else:
            context.print(_preview_words(preview))
        return OK
    if preview.plan.is_empty or args.yes or _is_confirmed(context, preview, skip_bad=args.skip_bad):
        result = transfers.run(preview, keep=keep, skip_bad=args.skip_bad, progress=show)
        if context.as_json:
            context.print_json({"status": "ok", "dry_run": False, **_preview_json(preview), **_result_json(result)})
        else:
            context.print("\n".join([*_remark_lines(preview), _result_words(result)]))
        return OK
    reason = _("가져오려면 --yes를 붙여 주세요. 먼저 --dry-run으로 볼 수 있어요.")
    if context.as_json:
        context.print_json({"status": "error", "code": "not_confirmed", "reason": reason, **_preview_json(preview)})
    else:
        print(reason, file=sys.stderr)
    return REFUSED


def _numbers(text: str | None) -> frozenset[int] | None:
    if text is None:
        return None
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not all(part.isdecimal() and len(part) < 10 for part in parts):
        raise TransferError("bad_choice", _("번호를 쉼표로 이어 적어 주세요. 예: 1,3"))
    return frozenset(int(part) for part in parts)


def _is_confirmed(context: CliContext, preview: ImportPreview, *, skip_bad: bool) -> bool:
    gate = gate_for(yes=False)
    if gate is None or context.as_json or (preview.bad_rows and not skip_bad):
        # Rows that cannot be read are refused by the import itself, with the first of them named.
        return bool(preview.bad_rows and not skip_bad)
    args = {"file": preview.data.file_name}
    description, digest = _("파일의 습관과 기록을 가져온다."), arguments_digest("import", args)
    request = ConfirmRequest("import", "", description, _preview_words(preview), args, digest)
    return gate.confirm(request) is Verdict.CONFIRMED


def _preview_words(preview: ImportPreview) -> str:
    data, plan = preview.data, preview.plan
    head = _("{app} · 습관 {habits}개 · 기록 {entries}개").format(
        app=data.format.app, habits=len(data.habits), entries=preview.entries
    )
    span = f" · {preview.first_day} – {preview.last_day}" if preview.first_day else ""
    lines = [head + span, *(_habit_line(each) for each in plan.habits), *_remark_lines(preview)]
    lines.append(_plan_words(plan))
    return "\n".join(lines)


def _habit_line(plan: HabitPlan) -> str:
    parts = [_("새 기록 {n}개").format(n=len(plan.new))]
    for words, number in (
        (N_("파일에서 바뀐 기록 {n}개"), len(plan.newer)),
        (N_("같은 기록 {n}개"), plan.same),
        (N_("여기서 고쳐 그대로 둘 기록 {n}개"), plan.kept),
    ):
        if number:
            parts.append(_(words).format(n=number))
    return f"{plan.number:>3}  {plan.habit.title} — {plan.fate.words} · {', '.join(parts)}"


def _remark_lines(preview: ImportPreview) -> list[str]:
    rows = sorted(preview.report.rows, key=lambda row: row.severity is not Severity.BAD)
    signs = {Severity.BAD: "!", Severity.NOTE: "·"}
    lines = [f"{signs[row.severity]} {row.where}: {row.words}" for row in rows[:_ROWS_SHOWN]]
    left = sum(preview.report.counts.values()) - len(lines)
    if left > 0:
        lines.append(_("그 밖에 {n}줄이 더 있어요. --json으로 모두 볼 수 있어요.").format(n=left))
    return lines


def _plan_words(plan: ImportPlan) -> str:
    words = _("새로 들어올 것: 습관 {habits}개, 기록 {entries}개").format(
        habits=plan.new_habits, entries=plan.new_entries + plan.changed_entries
    )
    return words + (", " + _reminders_text(plan.new_reminders) if plan.new_reminders else "")


def _reminders_text(count: int) -> str:
    return ngettext("알림 {n}개", "알림 {n}개", count).format(n=count)


def _result_words(result: ImportResult) -> str:
    if result.import_id is None:
        return _("새로 가져온 것은 0개예요. 이미 모두 있어요.")
    words = _(
        "습관 {habits}개와 기록 {entries}개를 가져왔어요. 되돌리려면: lifehelper imports --undo {import_id}"
    ).format(habits=result.habits, entries=result.entries, import_id=result.import_id)
    return words + (f" ({_reminders_text(result.reminders)})" if result.reminders else "")


def _preview_json(preview: ImportPreview) -> dict[str, Any]:
    plan = preview.plan
    return {
        "file": preview.data.file_name,
        "format": preview.data.format.value,
        "app": preview.data.format.app,
        "habits": [_plan_json(each) for each in plan.habits],
        "entries": preview.entries,
        "first_day": preview.first_day.isoformat() if preview.first_day else None,
        "last_day": preview.last_day.isoformat() if preview.last_day else None,
        "new_habits": plan.new_habits,
        "new_entries": plan.new_entries,
        "new_reminders": plan.new_reminders,
        "changed_entries": plan.changed_entries,
        "places": {kind.value: number for kind, number in plan.places.items()},
        "settings": dict(plan.settings),
        "bad_rows": preview.bad_rows,
        "remarks": sum(preview.report.counts.values()),
        "report": [_remark_json(row) for row in preview.report.rows],
    }


def _plan_json(plan: HabitPlan) -> dict[str, Any]:
    habit = plan.habit
    return {
        "number": plan.number,
        "title": habit.title,
        "type": habit.habit_type.value,
        "status": plan.status.value,
        "fate": plan.fate.value,
        "habit_id": plan.habit_id,
        "entries": len(habit.entries),
        "new": len(plan.new),
        "changed": len(plan.newer),
        "same": plan.same,
        "kept": plan.kept,
        "reminders": [
            {"time": f"{each.minutes // 60:02}:{each.minutes % 60:02}", "weekdays": sorted(each.weekdays)}
            for each in habit.reminders
        ],
    }


def _remark_json(row: RowRemark) -> dict[str, str]:
    return {"where": row.where, "severity": row.severity.value, "code": row.reason, "reason": row.words}


def _result_json(result: ImportResult) -> dict[str, Any]:
    return {
        "import_id": result.import_id,
        "imported_habits": result.habits,
        "imported_entries": result.entries,
        "imported_reminders": result.reminders,
        "backup": str(result.backup) if result.backup is not None else None,
    }


# The imports of the past


def _imports(context: CliContext, args: argparse.Namespace) -> int:
    transfers = context.store.transfers
    if args.undo is not None:
        taken = transfers.undo_import(args.undo, progress=_progress())
        if context.as_json:
            kept = list(taken.kept_habits)
            context.print_json({"status": "ok", "habits": taken.habits, "entries": taken.entries, "kept_habits": kept})
            return OK
        context.print(
            _("가져오기를 되돌렸어요: 습관 {habits}개, 기록 {entries}개").format(
                habits=taken.habits, entries=taken.entries
            )
        )
        if taken.kept_habits:
            names = ", ".join(taken.kept_habits)
            context.print(_("직접 기록한 날이 있어 남겨 둔 습관: {names}").format(names=names))
        return OK
    runs = transfers.history()
    if context.as_json:
        context.print_json(
            [
                {
                    "id": run.id,
                    "format": run.format,
                    "file": run.file_name,
                    "made_at": run.made_at.isoformat(),
                    "habits": run.habits,
                    "entries": run.entries,
                }
                for run in runs
            ]
        )
        return OK
    for run in runs:
        words = _("{id}  {at}  {name} — 습관 {habits}개, 기록 {entries}개").format(
            id=run.id, at=f"{run.made_at:%Y-%m-%d %H:%M}", name=run.file_name, habits=run.habits, entries=run.entries
        )
        context.print(words)
    if not runs:
        context.print(_("아직 가져온 것이 없어요."))
    return OK


# Export


def _export(context: CliContext, args: argparse.Namespace) -> int:
    transfers = context.store.transfers
    kind = args.file.suffix.casefold()
    if kind == ".json":
        entries = transfers.export_json(args.file, progress=_progress())
    elif kind == ".csv":
        entries = transfers.export_csv(args.file, bom=not args.no_bom, progress=_progress())
    else:
        raise TransferError("bad_choice", _("파일 이름을 .json이나 .csv로 끝내 주세요."))
    if context.as_json:
        context.print_json({"status": "ok", "file": str(args.file), "entries": entries})
    else:
        context.print(_("내보냈어요: {path}").format(path=args.file))
    return OK
