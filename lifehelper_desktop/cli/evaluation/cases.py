"""Cases as read from a JSON-lines file, and the throw-away world each is played in."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any

from lifehelper_desktop.base import settings
from lifehelper_desktop.base.clock import Clock, FixedClock
from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.base.paths import AppPaths, resolve_paths
from lifehelper_desktop.cli.evaluation.judge import check_expect
from lifehelper_desktop.domain.habits import EntryValue, NewHabit
from lifehelper_desktop.storage.store import Store

OpenStore = Callable[[AppPaths, Clock | None], Store]


@dataclass(frozen=True, slots=True)
class Case:
    """One user turn in a prepared world.

    Attributes:
        now: Wall-clock moment; only its civil time matters.
        day_start_minutes: Minutes after midnight at which days begin.
        before: Earlier turns of the conversation.
        confirm: Answer to every confirmation: `yes`, `no`, or `none` (nobody answers).
        expect: What is right, as written in the file.
    """

    id: str
    language: str
    now: datetime
    day_start_minutes: int
    habits: Sequence[Mapping[str, Any]]
    before: Sequence[Mapping[str, Any]]
    user: str
    confirm: str
    expect: Mapping[str, Any]
    tags: tuple[str, ...]


def read_cases(path: Path) -> list[Case]:
    """Read the cases of a file.

    Raises:
        WorldError: The file cannot be read, or a line is no case; names the line.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise WorldError(
            _("평가 파일을 읽지 못했어요: {error}").format(error=error), _("파일 경로를 확인해 주세요.")
        ) from error
    cases = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            cases.append(_case(json.loads(line)))
        except (KeyError, ValueError, TypeError, AttributeError, re.error) as error:
            raise WorldError(
                _("평가 파일의 {number}번째 줄을 읽지 못했어요: {error!r}").format(number=number, error=error),
                _("그 줄을 고쳐 주세요."),
            ) from error
    return cases


def _case(row: Mapping[str, Any]) -> Case:
    check_expect(row["expect"])
    for turn in row.get("before", ()):
        for call in turn.get("calls", ()):
            call.setdefault("args", {})
            if not isinstance(call["name"], str) or not isinstance(call["args"], dict):
                raise TypeError("a call in `before` needs a name and an object of arguments")
    start = time.fromisoformat(row.get("day_start", "04:00"))
    # The zone is of no account: days are civil days. UTC has no gaps, so every wall-clock time exists.
    now = datetime.fromisoformat(row["now"]).replace(tzinfo=UTC)
    return Case(
        id=str(row["id"]),
        language=str(row.get("lang", "ko")),
        now=now,
        day_start_minutes=start.hour * 60 + start.minute,
        habits=tuple(row.get("habits", ())),
        before=tuple(row.get("before", ())),
        user=str(row["user"]),
        confirm=str(row.get("confirm", "yes")),
        expect=dict(row["expect"]),
        tags=tuple(row.get("tags", ())),
    )


def build_world(case: Case, folder: Path, open_store: OpenStore) -> Store:
    """Make the case's world in `folder` through the ordinary repositories; habits get ids 1, 2, 3 …"""
    clock = FixedClock(case.now)
    store = open_store(resolve_paths(folder), clock)
    store.settings.set(settings.DAY_START_MINUTES, case.day_start_minutes)
    for number, row in enumerate(case.habits, 1):
        started = date.fromisoformat(row["started"])
        clock.set(datetime.combine(started, time(12), tzinfo=UTC) + timedelta(minutes=case.day_start_minutes))
        habit, _changes = store.habits.add(
            NewHabit(
                protocol_id=row["protocol_id"],
                frame_level=row["frame_level"],
                framed_text=row["framed_text"],
                anchor_when=row.get("anchor_when"),
                anchor_after_what=row.get("anchor_after_what"),
            )
        )
        if habit.id != number:
            raise RuntimeError(f"case {case.id}: habit {number} got id {habit.id}")
        clock.set(case.now)
        for day, value in row.get("entries", {}).items():
            store.entries.log(habit.id, EntryValue(value), date.fromisoformat(day), any_past_day=True)
        if row.get("paused"):
            store.habits.pause(habit.id)
        if row.get("archived"):
            store.habits.archive(habit.id)
    clock.set(case.now)
    return store
