"""The prompt `weekly_review`: one week of the user's own, and how to talk about it."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Final

import mcp_types as types
from mcp.shared.exceptions import MCPError

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.domain.review import WEEK
from lifehelper_desktop.domain.review_words import review_text
from lifehelper_desktop.domain.rules import RuleViolation
from lifehelper_desktop.storage.review import first_of_week, last_closed_week, read_review
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.tools.dates import normalise_date, parse_iso_date

WEEKLY_REVIEW: Final = "weekly_review"
_WEEKS: Final = 8  # that are offered as completions


def listed() -> list[types.Prompt]:
    """Return the prompts."""
    return [
        types.Prompt(
            name=WEEKLY_REVIEW,
            title=_("한 주 돌아보기"),
            description=_("한 주의 습관 기록을 함께 돌아보고, 다음 주에 바꿀 것을 하나 골라요."),
            arguments=[
                types.PromptArgument(
                    name="week",
                    description=_("그 주의 아무 날(YYYY-MM-DD, 오늘, 어제), 없으면 지난주"),
                    required=False,
                )
            ],
        )
    ]


def filled(store: Store, name: str, arguments: dict[str, str] | None) -> types.GetPromptResult:
    """Return a prompt with the user's week in it. Any thread.

    Raises:
        MCPError: There is no such prompt, or no such week.
        WorldError: The data could not be read.
    """
    if name != WEEKLY_REVIEW:
        raise MCPError(types.INVALID_PARAMS, f"unknown prompt {name!r}; known: {WEEKLY_REVIEW}")
    try:
        review = read_review(store, _first_day(store, (arguments or {}).get("week", "")))
    except OverflowError as error:  # the week before it, or its first day, is before the calendar's first
        raise MCPError(types.INVALID_PARAMS, RuleViolation("validation", field="week").reason) from error
    text = _(
        "아래는 내 한 주의 습관 기록이에요. 함께 돌아봐 주세요.\n\n{review}\n\n이렇게 이야기해 주세요.\n"
        "- 잘된 것부터, 기록에 있는 것만 말해 주세요.\n"
        "- 쉬기는 계획한 쉼이에요. 빠진 날도 나무라지 말아 주세요.\n"
        "- 다음 주에 바꿀 것은 하나만, 하지 말 것이 아니라 할 것으로 말해 주세요.\n"
        "- 기록을 더하거나 고칠 때는 먼저 나에게 물어봐 주세요."
    ).format(review=review_text(review).strip())
    return types.GetPromptResult(
        description=_("한 주 돌아보기"),
        messages=[types.PromptMessage(role="user", content=types.TextContent(text=text))],
    )


def weeks(store: Store, prefix: str) -> types.Completion:
    """Return the first days of the newest weeks that begin with `prefix`, the newest first."""
    first = last_closed_week(store)
    days = [(first - timedelta(days=WEEK * back)).isoformat() for back in range(_WEEKS)]
    return types.Completion(values=[day for day in days if day.startswith(prefix.strip())])


def _first_day(store: Store, week: str) -> date:
    if not week.strip():
        return last_closed_week(store)
    today = store.today()
    day = parse_iso_date(normalise_date(week.strip(), today))
    if day is None:
        raise MCPError(types.INVALID_PARAMS, RuleViolation("validation", field="week").reason)
    if day > today:
        raise MCPError(types.INVALID_PARAMS, RuleViolation("future_date", today=today.isoformat()).reason)
    return first_of_week(store, day)
