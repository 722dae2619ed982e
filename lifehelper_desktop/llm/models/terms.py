"""Which terms the user has accepted: the text of the setting `accepted_terms`, read and written."""

from __future__ import annotations

import json
from datetime import date

from lifehelper_desktop.llm.models.known import Terms


def accepted_on(setting: str, terms: Terms) -> date | None:
    """Return the day on which this version of `terms` was accepted, None when it was not."""
    row = _read(setting).get(terms.id)
    if not isinstance(row, dict) or row.get("version") != terms.version:
        return None
    try:
        return date.fromisoformat(str(row.get("date")))
    except ValueError:
        return None


def accept(setting: str, terms: Terms, day: date) -> str:
    """Return the setting with this version of `terms` accepted on `day`."""
    rows = _read(setting)
    rows[terms.id] = {"version": terms.version, "date": day.isoformat()}
    return json.dumps(rows, sort_keys=True)


def _read(setting: str) -> dict[str, object]:
    try:
        rows = json.loads(setting) if setting else {}
    except ValueError:
        return {}
    return rows if isinstance(rows, dict) else {}
