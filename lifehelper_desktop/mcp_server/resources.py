"""The catalogue and the user's habits as documents that other programs can list, read and follow."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict
from datetime import timedelta
from typing import Any, Final

import mcp_types as types
from mcp.shared.exceptions import MCPError

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.domain.habits import HabitStatus
from lifehelper_desktop.domain.labels import schedule_words
from lifehelper_desktop.domain.rules import RuleViolation
from lifehelper_desktop.storage.store import HabitOverview, Store
from lifehelper_desktop.tools.query_protocol import protocol_fields

CATALOGUE: Final = "lifehelper://catalogue"
HABITS: Final = "lifehelper://habits"
ENTRY_TEMPLATE: Final = f"{CATALOGUE}/{{id}}"
HABIT_TEMPLATE: Final = f"{HABITS}/{{id}}"
DAYS: Final = 30  # of a habit's entries that its document holds
PAGE: Final = 50
COMPLETIONS: Final = 100  # the most that the protocol allows
_JSON: Final = "application/json"
_ENTRY: Final = re.compile(rf"{re.escape(CATALOGUE)}/([a-z0-9][a-z0-9-]*)")
_HABIT: Final = re.compile(rf"{re.escape(HABITS)}/([0-9]{{1,18}})")


class Resources:
    """Reads the documents. Any thread; nothing is kept between calls."""

    def __init__(self, store: Store, language: str) -> None:
        """Read from `store`, in `language`."""
        self._store = store
        self._language = language

    def listed(self, cursor: str | None = None) -> types.ListResourcesResult:
        """Return a page of the documents: the two lists, each habit, each catalogue entry.

        Raises:
            MCPError: The cursor is none of ours.
            WorldError: The data could not be read.
        """
        start = 0 if cursor is None else _place(cursor)
        found = [*self._lists(), *self._habit_rows(), *self._entry_rows()]
        after = start + PAGE
        return types.ListResourcesResult(
            resources=found[start:after], next_cursor=str(after) if after < len(found) else None
        )

    def templates(self) -> list[types.ResourceTemplate]:
        """Return the kinds of documents whose addresses can be made."""
        return [
            types.ResourceTemplate(
                uri_template=ENTRY_TEMPLATE,
                name="catalogue-entry",
                title=_("카탈로그 항목"),
                description=_("항목 하나의 용량, 앵커, 문장 예, 근거, 안전 안내예요."),
                mime_type=_JSON,
            ),
            types.ResourceTemplate(
                uri_template=HABIT_TEMPLATE,
                name="habit",
                title=_("내 습관 하나"),
                description=_("습관 하나와 최근 30일의 기록이에요."),
                mime_type=_JSON,
            ),
        ]

    def read(self, uri: str) -> types.ReadResourceResult:
        """Return one document.

        Raises:
            MCPError: There is none at this address.
            WorldError: The data could not be read.
        """
        text = json.dumps(self._document(uri), ensure_ascii=False, indent=1)
        return types.ReadResourceResult(contents=[types.TextResourceContents(uri=uri, mime_type=_JSON, text=text)])

    def complete(self, template: str, prefix: str) -> types.Completion:
        """Return the ids that begin with `prefix`, of what a template stands for."""
        ids: list[str] = []
        if template == ENTRY_TEMPLATE:
            ids = [entry.id for entry in self._store.catalogue.all()]
        elif template == HABIT_TEMPLATE:
            ids = [str(habit.id) for habit in self._store.habits.list(*HabitStatus)]
        found = [each for each in ids if each.startswith(prefix.strip())]
        return types.Completion(
            values=found[:COMPLETIONS], total=len(found), has_more=True if len(found) > COMPLETIONS else None
        )

    def fingerprints(self) -> dict[str, str]:
        """Return what tells whether a document that can change has changed, by address.

        Raises:
            WorldError: The data could not be read.
        """
        uris = [HABITS, *(f"{HABITS}/{habit.id}" for habit in self._store.habits.list(*HabitStatus))]
        found: dict[str, str] = {}
        for uri in uris:
            try:
                found[uri] = hashlib.sha256(json.dumps(self._document(uri)).encode()).hexdigest()
            except MCPError:
                continue  # removed since it was listed
        return found

    # Rows of the list

    def _lists(self) -> list[types.Resource]:
        return [
            types.Resource(
                uri=HABITS,
                name="habits",
                title=_("내 습관"),
                description=_("하고 있는 습관과 쉬어 가는 습관, 오늘의 기록과 연속이에요."),
                mime_type=_JSON,
            ),
            types.Resource(
                uri=CATALOGUE,
                name="catalogue",
                title=_("습관 카탈로그"),
                description=_("근거가 있는 습관의 목록이에요."),
                mime_type=_JSON,
            ),
        ]

    def _habit_rows(self) -> list[types.Resource]:
        return [
            types.Resource(
                uri=f"{HABITS}/{habit.id}",
                name=f"habit-{habit.id}",
                title=habit.title(self._language),
                description=habit.framed_text,
                mime_type=_JSON,
            )
            for habit in self._store.habits.list(*HabitStatus)
        ]

    def _entry_rows(self) -> list[types.Resource]:
        return [
            types.Resource(
                uri=f"{CATALOGUE}/{entry.id}",
                name=entry.id,
                title=entry.text("title", self._language),
                description=entry.text("summary", self._language),
                mime_type=_JSON,
            )
            for entry in self._store.catalogue.all()
        ]

    # The documents

    def _document(self, uri: str) -> Mapping[str, Any]:
        fixed: Mapping[str, Callable[[], Mapping[str, Any]]] = {CATALOGUE: self._catalogue, HABITS: self._habits}
        if uri in fixed:
            return fixed[uri]()
        if (match := _ENTRY.fullmatch(uri)) is not None:
            entry = self._store.catalogue.get(match[1])
            if entry is not None:
                return protocol_fields(entry, self._language)
        elif (match := _HABIT.fullmatch(uri)) is not None:
            try:
                return self._habit(int(match[1]))
            except RuleViolation:
                pass
        raise MCPError(types.INVALID_PARAMS, _("그런 자료는 없어요."), {"uri": uri})

    def _catalogue(self) -> Mapping[str, Any]:
        labels = {row.name: row.en if self._language == "en" else row.ko for row in self._store.catalogue.categories}
        return {
            "categories": labels,
            "entries": [
                {
                    "id": entry.id,
                    "uri": f"{CATALOGUE}/{entry.id}",
                    "kind": entry.kind.value,
                    "category": entry.category,
                    "title": entry.text("title", self._language),
                    "summary": entry.text("summary", self._language),
                }
                for entry in self._store.catalogue.all()
            ],
        }

    def _habits(self) -> Mapping[str, Any]:
        with self._store.db.snapshot():
            today = self._store.today()
            rows = [self._facts(each) for each in self._store.overviews()]
        return {"today": today.isoformat(), "habits": rows}

    def _habit(self, habit_id: int) -> Mapping[str, Any]:
        record = self._store.record(habit_id)
        since = record.today - timedelta(days=DAYS - 1)
        return {
            **self._facts(record.overview),
            "description": record.overview.habit.description,
            "archived_on": record.overview.habit.archived_on and record.overview.habit.archived_on.isoformat(),
            "entries": [
                {"date": day.isoformat(), "value": entry.value.value, "note": entry.note}
                for day, entry in record.entries.items()
                if day >= since
            ],
        }

    def _facts(self, overview: HabitOverview) -> dict[str, Any]:
        habit = overview.habit
        return {
            "habit_id": habit.id,
            "uri": f"{HABITS}/{habit.id}",
            "protocol_id": habit.catalogue_id or None,
            "title": habit.title(self._language),
            "type": habit.habit_type.value,
            "status": habit.status.value,
            "frame_level": habit.frame_level,
            "framed_text": habit.framed_text,
            "anchor_when": habit.anchor_when,
            "anchor_after_what": habit.anchor_after_what,
            "standard_dose": habit.standard_dose,
            "minimum_dose": habit.minimum_dose,
            "schedule": schedule_words(habit.schedule, self._store.week_start()),
            "start": habit.start.isoformat(),
            "is_due": overview.is_due,
            "today": overview.today_entry.value.value if overview.today_entry is not None else None,
            "streaks": asdict(overview.streaks),
        }


def _place(cursor: str) -> int:
    if not cursor.isascii() or not cursor.isdecimal() or len(cursor) > 9:
        raise MCPError(types.INVALID_PARAMS, "unknown cursor")
    return int(cursor)
