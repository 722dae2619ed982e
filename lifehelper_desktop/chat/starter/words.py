"""The words of the starter coach, prepared and filled with facts: `resources/prompts/starter_words.json`.

A model of this size chooses well and invents freely. So it says which kind of words are due, and the words that carry
facts (what was written, numbers, safety lines, where something is on the screen) come from here and from results:
they are true by construction. They follow the language of the message, not that of the window.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import date
from functools import lru_cache
from typing import Any, Final

from lifehelper_desktop.base.paths import resources_dir
from lifehelper_desktop.domain.particles import with_particles
from lifehelper_desktop.tools.envelope import words_for_people

_LISTED: Final = 5


@lru_cache(maxsize=1)
def _texts() -> Mapping[str, Mapping[str, Mapping[str, Sequence[str]]]]:
    path = resources_dir() / "prompts" / "starter_words.json"
    return json.loads(path.read_text(encoding="utf-8"))  # type: ignore[no-any-return]


def say(group: str, key: str, language: str, user: str, **fields: object) -> str:
    """Return one of the prepared texts of `key`, filled; the same message gets the same one.

    Raises:
        KeyError: There is no such text, or a field of it was not given: a mistake of ours.
    """
    choices = _texts()[language][group][key]
    pick = int.from_bytes(hashlib.sha256(user.encode()).digest()[:4], "big") % len(choices)
    return with_particles(choices[pick].format(**fields)).strip()


def closing(
    results: Sequence[tuple[str, Mapping[str, Any], Mapping[str, Any]]],
    titles: Mapping[int, str],
    language: str,
    user: str,
) -> str:
    """Return the words after the results of a turn's calls, which say nothing that the results do not.

    Args:
        results: Name of the tool, the call's arguments and the envelope, in call order.
        titles: Titles of habits by id.
        language: `ko` or `en`.
        user: The message, which decides between wordings.
    """
    failed = [
        words_for_people(str(result.get("reason") or ""))
        for _name, _args, result in results
        if result.get("status") == "error"
    ]
    done = [(name, {**args, **_data(result)}) for name, args, result in results if result.get("status") == "ok"]
    if not done:
        return failed[0] if failed and failed[0] else say("closing", "cancelled", language, user)
    logs = [data for name, data in done if name == "log_tracker_entry"]
    others = [row for row in done if row[0] != "log_tracker_entry"]
    parts = []
    if others:
        # What was read on the way to a change lies in its card; the last one is what the message was about.
        parts.append(_about(*others[-1], titles, language, user))
    if logs:
        parts.append(_logged(logs, titles, language, user))
    words = " ".join(part for part in parts if part)
    return say("closing", "partly", language, user, done=words, reason=failed[0]) if failed and words else words


def _data(result: Mapping[str, Any]) -> Mapping[str, Any]:
    inner = result.get("data", result)
    return inner if isinstance(inner, Mapping) else {}


def _logged(logs: Sequence[Mapping[str, Any]], titles: Mapping[int, str], language: str, user: str) -> str:
    named = [_title(log["habit_id"], titles) for log in logs]
    if len(logs) > 1:
        return say("closing", "log:many", language, user, count=len(logs), titles=", ".join(named))
    key = f"log:{logs[0]['value']}"
    return say("closing", key, language, user, title=named[0], date=_day(str(logs[0]["date"]), language))


def _title(habit: object, titles: Mapping[int, str]) -> str:
    return titles.get(habit, str(habit)) if isinstance(habit, int) else str(habit)


def _length(data: Mapping[str, Any], field: str, language: str, user: str) -> str:
    """Return the length of a run with its unit; only habits whose run is not counted in days name one."""
    n, unit = data[field], data.get("streak_unit", "day")
    return say("length", f"{unit}:1" if n == 1 else unit, language, user, n=n)


def _day(iso: str, language: str) -> str:
    day = date.fromisoformat(iso)
    if language == "ko":
        return f"{day.month}월 {day.day}일"
    names = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
    return f"{names[day.month - 1]} {day.day}"


def _about(name: str, data: Mapping[str, Any], titles: Mapping[int, str], language: str, user: str) -> str:
    match name:
        case "add_habit":
            return say("closing", "add", language, user, title=data["title"])
        case "get_streak":
            key = "streak:broken" if data["never_miss_twice_broken"] else "streak"
            if data["current_streak"] == 0:
                key = "streak:zero"
            return say(
                "closing",
                key,
                language,
                user,
                title=_title(data.get("habit_id"), titles),
                current=_length(data, "current_streak", language, user),
                longest=_length(data, "longest_streak", language, user),
                done30=data["done_count_30d"],
            )
        case "list_active_habits":
            if not data["items"]:
                return say("closing", "list:none", language, user)
            return say(
                "closing",
                "list",
                language,
                user,
                titles=", ".join(str(item["title"]) for item in data["items"]),
                build=data["build_quota_remaining"],
                **{"break": data["break_quota_remaining"]},
            )
        case "search_catalog":
            found = [str(item["title"]) for item in data["items"]][:_LISTED]
            key = "search:none" if not found else "search:one" if len(found) == 1 else "search"
            return say("closing", key, language, user, titles=", ".join(found))
        case "query_protocol":
            key = "explain:safety" if data.get("requires_ack") and data.get("safety") else "explain"
            return say(
                "closing",
                key,
                language,
                user,
                title=data["title"],
                summary=data["summary"],
                standard=data["standard_dose"],
                minimum=data["minimum_dose"],
                safety=data.get("safety", ""),
            )
        case "open_screen" | "show_habit":
            return say("closing", "open", language, user, name=data["opened"])
        case "copy_text":
            return say("closing", "copy", language, user)
        case _:
            return ""
