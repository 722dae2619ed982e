"""Where new versions are. The program never looks there: it only opens the page when the user asks for it."""

from __future__ import annotations

import json
from urllib.parse import urlsplit

from lifehelper_desktop.base.paths import resources_dir


def release_page() -> str:
    """Return the page that whoever published this copy names in `resources/release.json`; empty when there is none."""
    try:
        values = json.loads((resources_dir() / "release.json").read_text(encoding="utf-8"))
        page = str(values.get("page", ""))
        parts = urlsplit(page)
        return page if parts.scheme == "https" and parts.hostname else ""
    except (OSError, ValueError, AttributeError):
        return ""
