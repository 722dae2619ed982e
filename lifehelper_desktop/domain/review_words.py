"""What a week comes to in words: up to three true sentences on what went well, and one thing to change.

Every sentence is prepared and filled from the numbers; nothing is guessed and nobody is blamed. The thing to change
follows these rules; the first that fits speaks (`Advice` names it):

1. no habit was there: begin with one from the catalogue;
2. something was asked and nothing recorded: begin again with the minimum dose of the first habit;
3. a habit missed the same weekday in this week and the one before, and kept half of what it asked at least: another
   anchor or time for that day;
4. a habit rested on purpose three times or more: pause it for a while, or make the dose smaller;
5. a habit was missed twice in a row: the minimum dose on the day after a gap (R4);
6. a habit missed half or more of what it asked, twice at least: let the minimum be the standard for a while;
7. something was missed once or twice here and there: keep it, with the minimum dose at hand;
8. half or more of at least four done days were minimum days: that is fine, keep it;
9. everything was kept: nothing to change; from day 43 on the dose may be looked at (R6).

Between several habits the one with the larger number speaks, then the one higher in the list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Final

from lifehelper_desktop.base.i18n import N_, _, current_language, ngettext
from lifehelper_desktop.domain.habits import EntryValue, Habit, HabitStatus
from lifehelper_desktop.domain.labels import LONG_WEEKDAYS, VALUE_LABELS, day_text, weekday_label
from lifehelper_desktop.domain.particles import with_particles
from lifehelper_desktop.domain.review import (
    DayMark,
    HabitWeek,
    WeekReview,
    longest_gap,
    missed_on_same_weekday,
    returned_after_miss,
)
from lifehelper_desktop.domain.rules import PHASE_DAYS

MOST_SENTENCES: Final = 3
_RESTS: Final = 3  # intended rests in a week that ask for a pause or a smaller dose
_MINIMUMS: Final = 4  # done days from which minimum days can be called many
_LONG_RUN: Final = 3  # the shortest streak that is worth a sentence


class AdviceRule(StrEnum):
    """The rules in their order."""

    NO_HABIT = "no_habit"
    NOTHING_RECORDED = "nothing_recorded"
    SAME_WEEKDAY = "same_weekday"
    MANY_RESTS = "many_rests"
    TWO_IN_A_ROW = "two_in_a_row"
    HALF_MISSED = "half_missed"
    FEW_MISSED = "few_missed"
    MANY_MINIMUMS = "many_minimums"
    ALL_KEPT_RAISE = "all_kept_raise"
    ALL_KEPT = "all_kept"


@dataclass(frozen=True, slots=True)
class Advice:
    """The one thing to change.

    Attributes:
        rule: Which rule spoke.
        text: The sentences, in the language in force.
        habit_id: The habit that it is about, or None.
    """

    rule: AdviceRule
    text: str
    habit_id: int | None = None


def week_name(review: WeekReview) -> str:
    """Return `이번 주`, `지난주`, or the days of an older week, in the language in force."""
    if not review.is_closed:
        return _("이번 주")
    if review.is_recent:
        return _("지난주")
    return _span(review)


def _span(review: WeekReview) -> str:
    return _("{first}부터 {last}까지").format(first=day_text(review.first), last=day_text(review.last))


def went_well(review: WeekReview) -> tuple[str, ...]:
    """Return one to three sentences on what went well, in the language in force."""
    if not any(each.has_record for each in review.habits):
        return (_("기록이 없는 주도 있어요. 돌아보러 온 지금이 다시 시작하기 좋은 때예요."),)
    return tuple(with_particles(each) for each in _praise(review)[:MOST_SENTENCES])


def _praise(review: WeekReview) -> list[str]:
    found: list[str] = []
    asking = [each for each in review.habits if each.asked]
    if len(asking) > 1 and all(each.is_all_kept for each in asking):
        words = (
            _("모든 습관을 빠짐없이 이었어요.") if review.is_closed else _("지금까지 모든 습관을 빠짐없이 이었어요.")
        )
        found.append(words)
    else:
        best = _largest(asking, lambda each: each.kept if each.is_all_kept else 0)
        if best is not None and best.kept > 1:  # "all of one" is no praise
            n = best.kept
            words = ngettext("‘{title}’ 습관을 {n}번 모두 해냈어요.", "‘{title}’ 습관을 {n}번 모두 해냈어요.", n)
            found.append(words.format(title=_title(best), n=n))
    found.extend(_run_sentence(review))
    for each in review.habits:
        if (pair := returned_after_miss(each)) is not None:
            words = _("‘{title}’: {missed}을(를) 비운 뒤 {day}에 바로 돌아왔어요.")
            found.append(words.format(title=_title(each), missed=weekday_word(pair[0]), day=weekday_word(pair[1])))
            break
    most = _largest(review.habits, lambda each: each.done_like)
    if most is not None and not found:
        n = most.done_like
        words = ngettext("‘{title}’ 습관을 {n}번 했어요.", "‘{title}’ 습관을 {n}번 했어요.", n)
        found.append(words.format(title=_title(most), n=n))
    more = review.counted - review.counted_before
    if review.before and review.is_closed and more > 0:
        words = ngettext("그 전주보다 {n}번 더 했어요.", "그 전주보다 {n}번 더 했어요.", more)
        found.append(words.format(n=more))
    if review.minimum:
        n = review.minimum
        words = ngettext("힘든 날에도 최소 용량으로 {n}번 이었어요.", "힘든 날에도 최소 용량으로 {n}번 이었어요.", n)
        found.append(words.format(n=n))
    if not found and review.blank:
        n = review.blank
        words = ngettext("쉬는 날을 {n}번 스스로 정했어요.", "쉬는 날을 {n}번 스스로 정했어요.", n)
        found.append(words.format(n=n))
    return found


def _run_sentence(review: WeekReview) -> list[str]:
    """Return a sentence on the longest streak that stands at its record now; only recent weeks can say it."""
    if not review.is_recent:
        return []

    def record(week: HabitWeek) -> int:
        standing = review.standings[week.habit.id]
        run = standing.current_run
        is_record = run >= _LONG_RUN and run == standing.longest_run and week.habit.status is HabitStatus.ACTIVE
        return run if is_record else 0

    best = _largest(review.habits, record)
    if best is None:
        return []
    return [_("‘{title}’ 습관이 지금까지 가운데 가장 길게 이어지고 있어요.").format(title=_title(best))]


def one_change(review: WeekReview) -> Advice:
    """Return the one thing to change, by the rules of this module, in the language in force."""
    for rule in (_nothing_there, _same_weekday, _many_rests, _two_in_a_row, _half_missed, _few_missed, _many_minimums):
        advice = rule(review)
        if advice is not None:
            return advice
    return _all_kept(review)


def _nothing_there(review: WeekReview) -> Advice | None:
    if not review.habits:
        words = _("아직 습관이 없던 주예요. 카탈로그에서 하나를 골라 작게 시작해 보세요.")
        return Advice(AdviceRule.NO_HABIT, words)
    if any(each.has_record for each in review.habits):
        return None
    first = next((each for each in review.habits if each.habit.status is HabitStatus.ACTIVE), review.habits[0])
    return _dose_advice(
        AdviceRule.NOTHING_RECORDED,
        first,
        _("‘{title}’ 하나만, 가장 작게 시작해 보세요: {minimum}"),
        _("‘{title}’ 하나만, 가장 작게 시작해 보세요."),
    )


def _same_weekday(review: WeekReview) -> Advice | None:
    days = {
        each.habit.id: missed_on_same_weekday(each, review.before.get(each.habit.id))
        for each in review.habits
        if _is_live(each.habit)
    }
    each = _largest(review.habits, lambda week: len(days.get(week.habit.id, ())))
    if each is None:
        return None
    words = _("‘{title}’: {day}이(가) 두 주 이어서 비었어요. 그날만 다른 시각이나 다른 일 뒤로 옮겨 볼까요?")
    return _advice(AdviceRule.SAME_WEEKDAY, each, words, day=weekday_word(days[each.habit.id][0]))


def _many_rests(review: WeekReview) -> Advice | None:
    each = _largest(review.habits, lambda week: week.blank if week.blank >= _RESTS and _is_live(week.habit) else 0)
    if each is None:
        return None
    words = ngettext(
        "‘{title}’: {n}번 쉬었어요. 당분간 쉬게 하거나 조금 작은 용량으로 해 볼까요?",
        "‘{title}’: {n}번 쉬었어요. 당분간 쉬게 하거나 조금 작은 용량으로 해 볼까요?",
        each.blank,
    )
    return _advice(AdviceRule.MANY_RESTS, each, words, n=each.blank)


def _two_in_a_row(review: WeekReview) -> Advice | None:
    each = _largest(review.habits, lambda week: gap if (gap := longest_gap(week)) > 1 and _is_live(week.habit) else 0)
    if each is None:
        return None
    return _dose_advice(
        AdviceRule.TWO_IN_A_ROW,
        each,
        _("‘{title}’: 하루가 비면 이튿날은 최소 용량만 해도 충분해요: {minimum}"),
        _("‘{title}’: 하루가 비면 이튿날은 아주 조금만 해도 충분해요."),
    )


def _half_missed(review: WeekReview) -> Advice | None:
    def weight(week: HabitWeek) -> int:
        return week.missed if week.missed > 1 and 2 * week.missed >= week.asked and _is_live(week.habit) else 0

    each = _largest(review.habits, weight)
    if each is None:
        return None
    return _dose_advice(
        AdviceRule.HALF_MISSED,
        each,
        _("‘{title}’: 한동안 최소 용량을 그날의 목표로 삼아 볼까요? {minimum}"),
        _("‘{title}’: 한동안 지금보다 작은 용량으로 해 볼까요?"),
    )


def _few_missed(review: WeekReview) -> Advice | None:
    each = _largest(review.habits, lambda week: week.missed if _is_live(week.habit) else 0)
    if each is None:
        return None
    return _dose_advice(
        AdviceRule.FEW_MISSED,
        each,
        _("‘{title}’: 바쁜 날에 할 최소 용량을 미리 떠올려 두세요: {minimum}"),
        _("‘{title}’: 바쁜 날에 할 작은 몫을 미리 정해 두세요."),
    )


def _many_minimums(review: WeekReview) -> Advice | None:
    if review.done_like < _MINIMUMS or 2 * review.minimum < review.done_like:
        return None
    words = _("최소 용량으로 이은 날이 많았어요. 그것으로 충분하니 이대로 이어 가요.")
    return Advice(AdviceRule.MANY_MINIMUMS, words)


def _all_kept(review: WeekReview) -> Advice:
    ready = [
        each
        for each in review.habits
        if each.is_all_kept
        and review.is_recent
        and each.habit.status is HabitStatus.ACTIVE
        and review.standings[each.habit.id].phase_day > PHASE_DAYS
    ]
    each = _largest(ready, lambda week: review.standings[week.habit.id].phase_day)
    if each is not None:
        words = _("바꿀 것이 없어요. ‘{title}’ 습관은 42일을 넘겼으니, 원하면 용량을 올려 볼 수 있어요.")
        return _advice(AdviceRule.ALL_KEPT_RAISE, each, words)
    return Advice(AdviceRule.ALL_KEPT, _("바꿀 것이 없어요. 지금처럼 이어 가요."))


def _advice(rule: AdviceRule, each: HabitWeek, words: str, **values: object) -> Advice:
    text = with_particles(words.format(title=_title(each), **values))
    return Advice(rule, text, each.habit.id)


def _dose_advice(rule: AdviceRule, each: HabitWeek, with_minimum: str, without: str) -> Advice:
    """Return the advice that names the minimum dose, or the other one for a habit without any."""
    minimum = each.habit.minimum_dose
    return _advice(rule, each, with_minimum, minimum=minimum) if minimum else _advice(rule, each, without)


def _largest(weeks: Iterable[HabitWeek], weight: Callable[[HabitWeek], int]) -> HabitWeek | None:
    """Return the first of the weeks with the largest weight above 0."""
    best, most = None, 0
    for each in weeks:
        if (found := weight(each)) > most:
            best, most = each, found
    return best


def _is_live(habit: Habit) -> bool:
    return habit.status is not HabitStatus.ARCHIVED


def _title(each: HabitWeek) -> str:
    return each.habit.title(current_language())


def weekday_word(day: date) -> str:
    """Return the full name of the weekday in the language in force."""
    return _(LONG_WEEKDAYS[day.weekday()])


# ---- the table and the text -----------------------------------------------------------------------------------------

MARK_SIGNS: Final = {
    DayMark.DONE: "●",
    DayMark.MINIMUM: "◐",
    DayMark.BLANK: "–",
    DayMark.MISSED: "○",
    DayMark.OPEN: "◌",
    DayMark.OFF: "·",
}
MARK_WORDS: Final = {
    DayMark.DONE: VALUE_LABELS[EntryValue.DONE],
    DayMark.MINIMUM: VALUE_LABELS[EntryValue.MINIMUM],
    DayMark.BLANK: VALUE_LABELS[EntryValue.BLANK],
    DayMark.MISSED: N_("기록 없음"),
    DayMark.OPEN: N_("기록 전"),
    DayMark.OFF: N_("정한 날이 아님"),
}


def mark_word(state: DayMark) -> str:
    """Return the name of a day's state in the language in force."""
    return _(MARK_WORDS[state])


def count_words(week: HabitWeek) -> str:
    """Return a habit's week in numbers and words: `7번 가운데 5번`, `7번 모두`, or `3번` where nothing was asked."""
    if week.is_all_kept and week.kept > 1:
        return ngettext("{n}번 모두", "{n}번 모두", week.kept).format(n=week.kept)
    if week.asked:
        return _("{asked}번 가운데 {kept}번").format(asked=week.asked, kept=week.kept)
    return ngettext("{n}번", "{n}번", week.done_like).format(n=week.done_like)


def more_words(week: HabitWeek) -> str:
    """Return what else was in a habit's week (`최소 2 · 쉬기 1`), empty when there was nothing else."""
    parts = []
    if week.minimum:
        parts.append(_("최소 {n}").format(n=week.minimum))
    if week.blank:
        parts.append(_("쉬기 {n}").format(n=week.blank))
    return " · ".join(parts)


def total_words(review: WeekReview) -> str:
    """Return the whole week in one line, with the week before where there was one; never a share alone."""
    if not review.habits:
        return _("이 주에는 습관이 없었어요.")
    if review.asked:
        words = _("모두 {asked}번 가운데 {kept}번을 이었어요.").format(asked=review.asked, kept=review.kept)
    elif not review.done_like:
        words = _("아직 기록이 없어요.")
    else:
        n = review.done_like
        words = ngettext("모두 {n}번 했어요.", "모두 {n}번 했어요.", n).format(n=n)
    if review.before and review.is_closed:
        n = review.counted_before
        words += " " + ngettext("그 전주에는 {n}번 했어요.", "그 전주에는 {n}번 했어요.", n).format(n=n)
    return words


def review_text(review: WeekReview) -> str:
    """Return the whole review as plain text, for the command line and the clipboard."""
    head = _("주간 돌아보기")
    lines = [f"{head}: {_span(review)}", total_words(review), ""]
    for each in review.habits:
        signs = " ".join(f"{weekday_label(day)}{MARK_SIGNS[state]}" for day, state in each.days)
        more = more_words(each)
        lines.append(f"{signs}  {_title(each)}  {count_words(each)}" + (f" ({more})" if more else ""))
    if review.habits:
        used = [state for state in DayMark if any(state in dict(each.days).values() for each in review.habits)]
        legend = [f"{MARK_SIGNS[state]} {mark_word(state)}" for state in used]
        lines += ["  ".join(legend), ""]
    lines.append(_("잘된 것"))
    lines += [f"- {each}" for each in went_well(review)]
    lines += ["", _("바꿔 볼 것 하나"), f"- {one_change(review).text}", ""]
    return "\n".join(lines)
