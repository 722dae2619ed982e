"""What in the data is off, as a table of checks. To add one: a function here and its row in `CHECKS`.

A check returns the rows that fail it; no row means that it is passed. Nothing is repaired: what to do next is said in
words. Pure functions over `QualityData`; the same data gives the same answer, in the same order. Any thread.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import Final

from lifehelper_desktop.base.i18n import N_, _, current_language, ngettext
from lifehelper_desktop.domain.framing import detect_avoidance_keywords
from lifehelper_desktop.domain.habits import Habit, HabitStatus, HabitType, ScheduleKind
from lifehelper_desktop.domain.quality import FailedCheck, HabitData, QualityCheck, QualityData, QualityRow, Severity
from lifehelper_desktop.domain.rules import MAX_ACTIVE_BREAK, MAX_ACTIVE_BUILD
from lifehelper_desktop.domain.searching import search_form
from lifehelper_desktop.domain.text import has_visible_text

SILENT_DAYS: Final = 14
SAMPLES: Final = 2
_RECORDED: Final = re.compile(rb"[Dmbn]")
_LAST_MISSED_TWICE: Final = re.compile(rb".*\.x*(\.)", re.DOTALL)


def failed_checks(data: QualityData, habit_id: int | None = None, samples: int = SAMPLES) -> list[FailedCheck]:
    """Return the checks that something fails, in the order of the table, with their first rows.

    With `habit_id` only the rows of that habit count.
    """
    found = []
    for check in CHECKS:
        rows = [row for row in check.find(data) if habit_id is None or row.habit.id == habit_id]
        if rows:
            found.append(FailedCheck(check, len(rows), tuple(rows[:samples])))
    return found


def _days(each: HabitData, first: int, last: int, seek: re.Pattern[bytes] = _RECORDED) -> Iterator[date]:
    """Give the days from `first` to `last` (ordinals, both included) whose sign `seek` finds, the newest first."""
    signs = each.line.marks.between(first, last)
    for match in reversed(list(seek.finditer(signs))):
        yield date.fromordinal(first + match.start())


def _end_of_marks(each: HabitData) -> int:
    marks = each.line.marks
    return marks.first + len(marks.signs) - 1


def _over_quota(data: QualityData) -> list[QualityRow]:
    rows = []
    for habit_type, most in ((HabitType.BUILD, MAX_ACTIVE_BUILD), (HabitType.BREAK, MAX_ACTIVE_BREAK)):
        habits = [each.habit for each in data.active() if each.habit.habit_type is habit_type]
        rows += [QualityRow(habit) for habit in habits[most:]]
    return rows


def _future(data: QualityData) -> list[QualityRow]:
    first = data.today.toordinal() + 1
    return [QualityRow(each.habit, day) for each in data.habits for day in _days(each, first, _end_of_marks(each))]


def _before_start(data: QualityData) -> list[QualityRow]:
    return [
        QualityRow(each.habit, day)
        for each in data.habits
        for day in _days(each, each.line.marks.first, min(each.line.start - 1, _end_of_marks(each)))
    ]


def _after_archive(data: QualityData) -> list[QualityRow]:
    rows = []
    for each in data.habits:
        if each.habit.archived_on is not None:
            first, last = each.habit.archived_on.toordinal() + 1, min(data.today.toordinal(), _end_of_marks(each))
            rows += [QualityRow(each.habit, day) for day in _days(each, first, last)]
    return rows


def _in_pause(data: QualityData) -> list[QualityRow]:
    rows = []
    for each in data.habits:
        spans = [(first, min(last, _end_of_marks(each))) for first, last in each.line.pauses]
        days = {day for first, last in spans for day in _days(each, first, last)}
        rows += [QualityRow(each.habit, day) for day in sorted(days, reverse=True)]
    return rows


def _minimum_without_dose(data: QualityData) -> list[QualityRow]:
    minimum = re.compile(b"m")
    return [
        QualityRow(each.habit, day)
        for each in data.habits
        if not has_visible_text(each.habit.minimum_dose)
        for day in _days(each, each.line.marks.first, _end_of_marks(each), minimum)
    ]


def _avoidance(data: QualityData) -> list[QualityRow]:
    rows = []
    for each in data.habits:
        if each.habit.status is not HabitStatus.ARCHIVED:
            words = detect_avoidance_keywords(each.habit.framed_text)
            if words:
                rows.append(QualityRow(each.habit, detail=f"‘{each.habit.framed_text}’: {', '.join(words)}"))
    return rows


def _no_anchor(data: QualityData) -> list[QualityRow]:
    return [
        QualityRow(each.habit)
        for each in data.active()
        if not has_visible_text(each.habit.anchor_when) and not has_visible_text(each.habit.anchor_after_what)
    ]


def _no_minimum_dose(data: QualityData) -> list[QualityRow]:
    return [QualityRow(each.habit) for each in data.active() if not has_visible_text(each.habit.minimum_dose)]


def _same_title(data: QualityData) -> list[QualityRow]:
    first: dict[str, Habit] = {}
    rows = []
    for each in data.habits:
        if each.habit.status is HabitStatus.ARCHIVED:
            continue
        form = search_form(each.habit.title(current_language())).spaced.replace(" ", "")
        other = first.setdefault(form, each.habit)
        if other is not each.habit:
            words = _("{one}번과 {other}번").format(one=other.id, other=each.habit.id)
            rows.append(QualityRow(each.habit, detail=words))
    return rows


def _silent(data: QualityData) -> list[QualityRow]:
    """Active habits in which nothing was recorded for two weeks that it has been running.

    What may rest so long by its schedule is silent once something was missed.
    """
    rows = []
    for each in data.active():
        schedule = each.habit.schedule
        rests_long = schedule.kind is ScheduleKind.PER_MONTH or schedule.days > SILENT_DAYS
        if rests_long and not each.has_missed:
            continue
        today, end = data.today.toordinal(), each.line.start - 1
        for day in _days(each, each.line.start, min(today, _end_of_marks(each))):
            end = day.toordinal()
            break
        last_pause = max((last for first, last in each.line.pauses if first <= today), default=0)
        days = today - max(end, min(last_pause, today))
        if days >= SILENT_DAYS:
            detail = ngettext("{n}일째 기록 없음", "{n}일째 기록 없음", days).format(n=days)
            rows.append(QualityRow(each.habit, date.fromordinal(end) if end >= each.line.start else None, detail))
    return rows


def _missed_twice(data: QualityData) -> list[QualityRow]:
    rows = []
    for each in data.active():
        if each.missed_twice:
            signs = each.line.counted[each.line.window :]
            # Where the choice of days is open, weeks or months are missed: no day can be told.
            fixed = all(piece.schedule.kind.has_fixed_days for piece in each.line.pieces)
            last = _LAST_MISSED_TWICE.match(signs) if fixed else None
            day = each.line.date_of(each.line.window + last.start(1)) if last is not None else None
            rows.append(QualityRow(each.habit, day))
    return rows


def _gaps(data: QualityData) -> list[QualityRow]:
    """Days of the last six counted weeks that asked for the habit and have no entry, the newest day of each told."""
    rows = []
    for each in data.active():
        line, missing = each.line, []
        for piece in line.pieces:
            if piece.schedule.kind.has_fixed_days:
                begin = max(piece.begin, line.window)
                missing += [at for at in range(begin, piece.end) if line.counted[at] == ord(".")]
        if missing:
            n = len(missing)
            detail = ngettext("{n}일 비어 있음", "{n}일 비어 있음", n).format(n=n)
            rows.append(QualityRow(each.habit, line.date_of(missing[-1]), detail))
    return rows


def _resting_reminders(data: QualityData) -> list[QualityRow]:
    resting = {each.habit.id: each.habit for each in data.habits if each.habit.status is not HabitStatus.ACTIVE}
    return [
        QualityRow(resting[each.habit_id], detail=f"{each.time:%H:%M}")
        for each in data.reminders
        if each.is_on and each.habit_id in resting
    ]


def _blank_notes(data: QualityData) -> list[QualityRow]:
    habits = {each.habit.id: each.habit for each in data.habits}
    return [
        QualityRow(habits[habit_id], day, " ".join(note.split()))
        for habit_id, day, note in data.blank_notes
        if habit_id in habits
    ]


_HIGH, _MEDIUM, _LOW = Severity.HIGH, Severity.MEDIUM, Severity.LOW
#: The checks, what matters most first.
CHECKS: Final[tuple[QualityCheck, ...]] = (
    QualityCheck(
        "over_quota",
        _HIGH,
        N_("한 번에 하기로 한 수보다 많은 습관"),
        N_("하나를 쉬게 하거나 보관하면 남은 습관에 힘을 모을 수 있어요."),
        _over_quota,
    ),
    QualityCheck(
        "future_entries",
        _HIGH,
        N_("아직 오지 않은 날의 기록"),
        N_("기기의 날짜가 맞는지 확인해 주세요. 그날이 되면 달력에서 고칠 수 있어요."),
        _future,
    ),
    QualityCheck(
        "before_start",
        _HIGH,
        N_("시작한 날보다 앞선 기록"),
        N_("맞는 기록이면 달력에서 그날을 지우고 다시 적어 주세요. 시작한 날이 함께 앞당겨져요."),
        _before_start,
    ),
    QualityCheck(
        "after_archive",
        _HIGH,
        N_("보관한 뒤의 기록"),
        N_("이어서 하고 있다면 습관을 다시 시작해 주세요."),
        _after_archive,
    ),
    QualityCheck(
        "in_pause",
        _MEDIUM,
        N_("쉬는 동안의 기록"),
        N_("쉬는 날의 기록은 세지 않아요. 잘못 적었다면 그날을 열어 지워 주세요."),
        _in_pause,
    ),
    QualityCheck(
        "minimum_without_dose",
        _MEDIUM,
        N_("최소 용량 없이 적은 최소 기록"),
        N_("가장 힘든 날에도 할 수 있는 최소 용량을 습관에 적어 두면 좋아요."),
        _minimum_without_dose,
    ),
    QualityCheck(
        "avoidance_words",
        _MEDIUM,
        N_("하지 않을 일로 쓴 문장"),
        N_("무엇을 할지로 바꾸어 적어 보세요. 코치에게 문장을 부탁해도 돼요."),
        _avoidance,
    ),
    QualityCheck(
        "no_anchor",
        _MEDIUM,
        N_("언제 할지 정하지 않은 습관"),
        N_("언제, 또는 무엇을 한 뒤에 할지 하나만 정해도 이어 가기 쉬워져요."),
        _no_anchor,
    ),
    QualityCheck(
        "missed_twice",
        _MEDIUM,
        N_("최근에 두 번 이어서 빈 습관"),
        N_("오늘은 최소 용량만 해도 충분해요. 한 번 이으면 흐름이 돌아와요."),
        _missed_twice,
    ),
    QualityCheck(
        "silent",
        _MEDIUM,
        N_("2주 이상 기록이 없는 습관"),
        N_("지금 다시 시작해도 좋고, 잠시 쉬게 하거나 보관해도 괜찮아요."),
        _silent,
    ),
    QualityCheck(
        "same_title",
        _MEDIUM,
        N_("이름이 같은 습관"),
        N_("같은 습관이면 하나를 보관하고, 다른 습관이면 이름을 다르게 적어 주세요."),
        _same_title,
    ),
    QualityCheck(
        "no_minimum_dose",
        _LOW,
        N_("최소 용량이 없는 습관"),
        N_("바쁜 날을 위한 작은 용량을 하나 정해 두면 좋아요."),
        _no_minimum_dose,
    ),
    QualityCheck(
        "gaps",
        _LOW,
        N_("최근 6주에 기록이 빈 날"),
        N_("한 날이 있으면 달력에서 채우고, 쉰 날이면 쉬기로 적어 두세요. 비워 두어도 괜찮아요."),
        _gaps,
    ),
    QualityCheck(
        "resting_reminders",
        _LOW,
        N_("쉬는 습관에 켜져 있는 알림"),
        N_("쉬는 동안에는 조용해요. 오래 쉰다면 꺼 두어도 돼요."),
        _resting_reminders,
    ),
    QualityCheck(
        "blank_notes",
        _LOW,
        N_("쉰 날에 남긴 메모"),
        N_("조금이라도 했다면 최소로 바꾸어 적어 주세요. 쉰 날의 메모로 두어도 좋아요."),
        _blank_notes,
    ),
)
