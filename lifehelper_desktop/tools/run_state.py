"""What one run of the coach knows beside the messages: one object that everything it calls reads and none copies."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from datetime import date


@dataclass(slots=True)
class RunState:
    """Lives on the thread that runs the tools. One for each run; a tool that asks a model is part of the same run.

    Attributes:
        language: Of titles and words in results: `ko` or `en`.
        habit_id: The habit in view or last spoken of, or None.
        day: The logical day on which the run began, or None before its first message.
        stop: Set, from any thread, when nobody waits for the run any more: tools that may take long look at it.
    """

    language: str
    habit_id: int | None = None
    day: date | None = None
    stop: threading.Event = field(default_factory=threading.Event, compare=False, repr=False)
