"""Words about one habit that its card and its page share: the plan, today's marks, missed days, and the phase."""

from __future__ import annotations

from lifehelper_desktop.base.i18n import _, ngettext
from lifehelper_desktop.domain.habits import EntryValue, Habit
from lifehelper_desktop.domain.rules import PHASE_DAYS
from lifehelper_desktop.storage.overviews import HabitOverview


def anchor_words(habit: Habit) -> str:
    """Return when it is done."""
    anchors = [part for part in (habit.anchor_when, habit.anchor_after_what) if part]
    return " · ".join(anchors) or _("정한 때가 아직 없어요")


def dose_words(habit: Habit) -> str:
    """Return how much is done, and the minimum where there is one."""
    words = _("{standard} · 최소: {minimum}") if habit.minimum_dose else "{standard}"
    doses = words.format(standard=habit.standard_dose, minimum=habit.minimum_dose)
    return doses or _("정한 용량이 아직 없어요")


def mark_tips(habit: Habit) -> dict[EntryValue, str]:
    """Return what each of today's marks means for this habit."""
    return {
        EntryValue.DONE: habit.standard_dose,
        EntryValue.MINIMUM: habit.minimum_dose or _("최소 용량을 먼저 정해 주세요."),
        EntryValue.BLANK: _("오늘은 일부러 쉬어요. 이어 온 날은 그대로예요."),
    }


def gap_words(overview: HabitOverview) -> str:
    """Return what is said after missed days; empty without any, and when today is recorded or asks for nothing.

    R4: after one miss the minimum is enough, after two it is a way to begin again.
    """
    if overview.open_gap < 1 or overview.today_entry is not None or not overview.is_due:
        return ""
    if not overview.habit.minimum_dose:
        return _("오늘 한 번이면 다시 이어 갈 수 있어요.")
    if overview.open_gap == 1:
        return _("오늘은 최소 용량이면 충분해요.")
    return _("다시 시작하기 좋은 날이에요. 최소 용량 하나로 이어 볼까요?")


def phase_words(day: int) -> str:
    """Return where the phase stands: `형성기 12/42일`, and from day 43 on `유지기 50일째`."""
    return (_("형성기 {n}/42일") if day <= PHASE_DAYS else _("유지기 {n}일째")).format(n=day)


def done_words(done: int) -> str:
    """Return how many of the last 42 days were done."""
    return ngettext("최근 42일 가운데 {n}일 했어요", "최근 42일 가운데 {n}일 했어요", done).format(n=done)
