"""`search_data`: which habits, notes and, when asked, kept conversations have these words."""

from __future__ import annotations

from typing import Any, Final

from lifehelper_desktop.base.i18n import N_, _, ngettext
from lifehelper_desktop.base.settings import KEEP_CONVERSATIONS
from lifehelper_desktop.domain.searching import search_words
from lifehelper_desktop.storage.search.finder import Hit, HitKind
from lifehelper_desktop.tools.definition import Args, ToolDefinition, ToolDeps, ToolEffect, ToolScope
from lifehelper_desktop.tools.envelope import ToolOk, ToolResult
from lifehelper_desktop.tools.references import check_habit, with_habit_id

DEFAULT_LIMIT: Final = 5
MAX_LIMIT: Final = 20
WORDS_MAX: Final = 200


def _check(args: Args, deps: ToolDeps) -> str | None:
    if "habit_id" in args:
        check_habit(args, deps)
    if search_words(args["words"]):
        return None
    return _("words: 찾을 낱말을 하나 이상 적어 주세요.")


def _handle(args: Args, deps: ToolDeps) -> ToolResult:
    store = deps.store
    wanted = bool(args.get("conversations", False))
    kept = store.settings.get_bool(KEEP_CONVERSATIONS)
    habit_id = args.get("habit_id")
    if habit_id is not None:
        store.habits.get(habit_id)
    found = store.search.find(
        args["words"],
        language=deps.language,
        limit=min(MAX_LIMIT, max(1, int(args.get("limit", DEFAULT_LIMIT)))),
        habit_id=habit_id,
        conversations=wanted and kept,
    )
    data: dict[str, Any] = {"count": found.total, **{f"{kind.value}s": found.counts.get(kind, 0) for kind in HitKind}}
    if not (wanted and kept):
        del data["messages"]
    if wanted and not kept:
        data["conversations"] = _("대화를 남기지 않도록 정해 두어서 대화는 찾지 않았어요.")
    if not found.total:
        data["hint"] = _("찾지 못했어요. 더 짧은 낱말로 다시 찾거나, 없다고 말해 주세요.")
    data["items"] = [_item(hit) for hit in found.hits]
    n = found.total
    return ToolOk(data, words=ngettext("내 기록에서 {n}개를 찾았어요.", "내 기록에서 {n}개를 찾았어요.", n).format(n=n))


def _item(hit: Hit) -> dict[str, Any]:
    item: dict[str, Any] = {"kind": hit.kind.value}
    if hit.habit_id is not None:
        item["habit_id"] = hit.habit_id
    item["title"] = hit.title
    if hit.day is not None:
        item["date"] = hit.day.isoformat()
    item |= {"field": hit.field, "text": hit.text}
    if hit.is_archived:
        item["archived"] = True
    return item


DEFINITION = ToolDefinition(
    name="search_data",
    label={"ko": "내 기록에서 찾기", "en": "Search my data"},
    description=N_(
        "내 습관의 이름·문장·용량과 기록의 메모에서 낱말을 찾는다. 지난 대화는 conversations가 true일 때만 찾는다."
    ),
    parameters_schema={
        "type": "object",
        "properties": {
            "words": {"type": "string", "maxLength": WORDS_MAX, "description": N_("찾을 낱말, 여럿이면 모두 든 것")},
            "habit_id": {"type": ["integer", "string"], "description": N_("이 습관에서만: 번호나 이름")},
            "conversations": {"type": "boolean", "description": N_("지난 대화에서도 찾을지")},
            "limit": {"type": "integer", "description": N_("1~20, 기본 5")},
        },
        "required": ["words"],
    },
    effect=ToolEffect.READ,
    scope=ToolScope.DATA,
    short_name="검색",
    handler=_handle,
    normalise=with_habit_id,
    check=_check,
)
