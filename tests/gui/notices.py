"""What the tests of notices share: a notice, and what a notifier tells."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from lifehelper_desktop.ui.reminders.notifier import Notice, NoticeButton, Notifier

DONE, LATER = NoticeButton("done", "완료"), NoticeButton("later", "나중에")


def notice(key: str = "a", body: str = "저녁을 먹은 뒤 20분 걷는다\n8월 12일(수)") -> Notice:
    return Notice(key, "하루 걷기", body, (DONE, LATER))


@dataclass
class Heard:
    """What a notifier has told, in order."""

    events: list[tuple[Any, ...]] = field(default_factory=list)

    @classmethod
    def of(cls, notifier: Notifier) -> Heard:
        heard = cls()
        for name in ("pressed", "clicked", "dismissed", "shown", "probed"):
            getattr(notifier, name).connect(lambda *values, what=name: heard.events.append((what, *values)))
        notifier.failed.connect(lambda each: heard.events.append(("failed", each.key)))
        return heard
