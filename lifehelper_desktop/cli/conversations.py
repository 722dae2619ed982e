"""`lifehelper conversations`: the conversations that were kept, without the window and without a model."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.chat.export import to_json, to_markdown, to_text
from lifehelper_desktop.chat.reopening import read_conversation
from lifehelper_desktop.cli.context import CliContext
from lifehelper_desktop.storage.conversations import ConversationRow

OK, REFUSED = 0, 1


def register(subs: Any, common: argparse.ArgumentParser) -> None:
    """Add the command to the parser."""
    parser = subs.add_parser("conversations", parents=[common], help=_("지난 대화"))
    inner = parser.add_subparsers(dest="conversations_command", required=True)
    inner.add_parser("list", parents=[common], help=_("모두 보기")).set_defaults(run=_list, words=[])
    search = inner.add_parser("search", parents=[common], help=_("제목과 내용에서 찾기"))
    search.add_argument("words", nargs="+")
    search.set_defaults(run=_list)
    for name, run, words in (
        ("show", _show, _("하나를 보기")),
        ("export", _export, _("파일로 내보내기")),
        ("rename", _rename, _("이름 바꾸기")),
        ("delete", _delete, _("지우기")),
        ("delete-summary", _delete_summary, _("앞부분 요약 지우기")),
    ):
        each = inner.add_parser(name, parents=[common], help=words)
        each.add_argument("conversation_id", type=int)
        each.set_defaults(run=run)
        if name == "export":
            each.add_argument("file", type=Path, help=_(".json이면 JSON, 아니면 Markdown"))
        elif name == "rename":
            each.add_argument("title")
        elif name in ("delete", "delete-summary"):
            each.add_argument("--yes", action="store_true", help=_("묻지 않고 수행"))


def _row_json(row: ConversationRow) -> dict[str, Any]:
    return {
        "id": row.id,
        "title": row.title,
        "created_at": row.created_at.isoformat(),
        "updated_at": row.updated_at.isoformat(),
    }


def _list(context: CliContext, args: argparse.Namespace) -> int:
    rows = context.store.conversations.list(" ".join(args.words))
    if context.as_json:
        context.print_json([_row_json(row) for row in rows])
        return OK
    for row in rows:
        context.print(f"{row.id}  {row.updated_at:%Y-%m-%d %H:%M}  {row.title}")
    if not rows:
        context.print(_("찾은 대화가 없어요.") if args.words else _("남겨 둔 대화가 아직 없어요."))
    return OK


def _show(context: CliContext, args: argparse.Namespace) -> int:
    row = context.store.conversations.get(args.conversation_id)
    messages, _rebuilt = read_conversation(context.store, row.id, context.language)
    summary = context.store.summaries.get(row.id)
    if context.as_json:
        context.print_json(to_json(row, messages, summary))
    else:
        context.print(to_markdown(row, messages, summary).rstrip())
    return OK


def _export(context: CliContext, args: argparse.Namespace) -> int:
    row = context.store.conversations.get(args.conversation_id)
    messages, _rebuilt = read_conversation(context.store, row.id, context.language)
    summary = context.store.summaries.get(row.id)
    text = to_text(row, messages, summary, as_json=args.file.suffix.casefold() == ".json")
    try:
        args.file.write_text(text, encoding="utf-8", errors="replace")
    except OSError as error:
        raise WorldError(_("파일을 쓰지 못했어요."), _("다른 폴더나 이름을 골라 주세요.")) from error
    if context.as_json:
        context.print_json({"status": "ok", "file": str(args.file)})
    else:
        context.print(_("내보냈어요: {path}").format(path=args.file))
    return OK


def _rename(context: CliContext, args: argparse.Namespace) -> int:
    title = context.store.conversations.rename(args.conversation_id, args.title)
    if context.as_json:
        context.print_json({"status": "ok", "title": title})
    else:
        context.print(_("이름을 바꿨어요: {title}").format(title=title))
    return OK


def _delete(context: CliContext, args: argparse.Namespace) -> int:
    row = context.store.conversations.get(args.conversation_id)
    if not args.yes:
        return _not_confirmed(context, row)
    context.store.conversations.delete(row.id)
    if context.as_json:
        context.print_json({"status": "ok"})
    else:
        context.print(_("지웠어요. 습관 기록은 그대로예요."))
    return OK


def _delete_summary(context: CliContext, args: argparse.Namespace) -> int:
    row = context.store.conversations.get(args.conversation_id)
    if not args.yes:
        return _not_confirmed(context, row)
    deleted = context.store.summaries.delete(row.id)
    if context.as_json:
        context.print_json({"status": "ok", "deleted": deleted})
    else:
        context.print(_("요약을 지웠어요. 대화는 그대로예요.") if deleted else _("이 대화에는 요약이 없어요."))
    return OK


def _not_confirmed(context: CliContext, row: ConversationRow) -> int:
    reason = _("지우려면 --yes를 붙여 주세요: {title}").format(title=row.title)
    if context.as_json:
        context.print_json({"status": "error", "code": "not_confirmed", "reason": reason})
    else:
        context.print(reason)
    return REFUSED
