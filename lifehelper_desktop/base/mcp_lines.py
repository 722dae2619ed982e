"""Lines of JSON from other programs whose texts no message can hold as they are."""

from __future__ import annotations

import json


def mended(line: bytes | str) -> bytes:
    """Return a line of JSON with halves of characters replaced, which models and file names leave behind in texts.

    Raises:
        ValueError, RecursionError: It is no JSON, or nested too deep.
    """
    return json.dumps(json.loads(line), ensure_ascii=False).encode("utf-8", "replace")
