"""What a notice says. A locked screen may show it: the title, the user's own sentence and its anchor, nothing more.

Of a habit that is being broken (smoking, alcohol) only the title stands there. Notes, doses, numbers and what the
coach said never do.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Final

from lifehelper_desktop.base.i18n import _, current_language, ngettext
from lifehelper_desktop.domain.habits import EntryValue, Habit, HabitType
from lifehelper_desktop.domain.labels import value_label
from lifehelper_desktop.domain.text import has_visible_text
from lifehelper_desktop.ui.reminders.notifier import Notice, NoticeButton
from lifehelper_desktop.ui.text import one_line, short_day

LATER: Final = "later"
OPEN: Final = "open"
TEST_KEY: Final = "test"


def reminder_notice(key: str, habit: Habit, day: date, problem: str = "") -> Notice:
    """Return the notice of one habit; `problem` says why an answer could not be kept and asks for another try."""
    values = [EntryValue.DONE, EntryValue.MINIMUM, EntryValue.BLANK]
    if not has_visible_text(habit.minimum_dose):
        values.remove(EntryValue.MINIMUM)  # R10
    buttons = [NoticeButton(value.value, value_label(value)) for value in values]
    lines = [_sentence(habit), _day_line(habit, day)]
    return Notice(
        key,
        _title(habit),
        "\n".join([problem] if problem else lines),
        (*buttons, NoticeButton(LATER, _("나중에"))),
    )


def group_notice(key: str, habits: Sequence[Habit]) -> Notice:
    """Return one notice for several habits that are due together."""
    count = len(habits)
    title = ngettext("습관 {n}개를 할 시간이에요", "습관 {n}개를 할 시간이에요", count).format(n=count)
    body = " · ".join(_title(habit) for habit in habits)
    return Notice(key, title, body, (NoticeButton(OPEN, _("오늘 기록하기")), NoticeButton(LATER, _("나중에"))))


def refusal_notice(key: str, habit: Habit | None, reason: str) -> Notice:
    """Return what tells that an answer was not kept, and why."""
    return Notice(key, _title(habit) if habit is not None else _("기록하지 못했어요"), reason, opens=False)


def test_notice() -> Notice:
    """Return the notice with which the user sees how reminders look."""
    return Notice(
        TEST_KEY,
        _("시험 알림"),
        _("알림은 이렇게 보여요. 단추를 눌러도 기록은 그대로예요."),
        (NoticeButton("seen", _("잘 보여요")),),
        opens=False,
    )


def _title(habit: Habit) -> str:
    return one_line(habit.title(current_language()))


def _sentence(habit: Habit) -> str:
    if habit.habit_type is HabitType.BREAK:
        return _("내가 정해 둔 시간이에요. 지금 한 걸음이면 돼요.")
    return one_line(habit.framed_text)


def _day_line(habit: Habit, day: date) -> str:
    anchor = habit.anchor_when or habit.anchor_after_what
    shown = one_line(anchor) if anchor and habit.habit_type is HabitType.BUILD else ""
    return " · ".join(part for part in (short_day(day), shown) if part)
