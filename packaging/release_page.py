#!/usr/bin/env python3
"""Tell the program where new versions are: `release_page.py https://…` writes `resources/release.json`.

The program never looks there by itself. It shows a button that opens the page in the user's browser; without a page
there is no button. Whoever publishes the packages calls this before building them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

TARGET = Path(__file__).resolve().parent.parent / "resources" / "release.json"


def main(arguments: Sequence[str], target: Path = TARGET) -> int:
    """Write the page that is named, or empty it."""
    page = arguments[0] if arguments else ""
    if len(arguments) > 1 or (page and (urlsplit(page).scheme != "https" or not urlsplit(page).hostname)):
        print("usage: release_page.py [https://…]", file=sys.stderr)
        return 2
    target.write_text(json.dumps({"page": page}) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
