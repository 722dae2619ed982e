"""The weekly review: its counts, what it says went well, and the one thing to change, rule by rule."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, timedelta

import pytest

from lifehelper_desktop.base.i18n import set_language
from lifehelper_desktop.domain.habits import (
    DAILY,
    Habit,
    HabitKind,
    HabitStatus,
    Schedule,
    ScheduleKind,
)
from lifehelper_desktop.domain.review import (
    DayMark,
    ReviewHabit,
    WeekReview,
    habit_week,
    longest_gap,
    returned_after_miss,
    review_week,
    week_first,
)
from lifehelper_desktop.domain.review_words import (
    AdviceRule,
    count_words,
    one_change,
    review_text,
    total_words,
    week_name,
    went_well,
)

FIRST = date(2026, 8, 3)  # a Monday
LAST = date(2026, 8, 9)
TODAY = date(2026, 8, 12)
BEFORE = FIRST - timedelta(days=7)
MON_WED_FRI = Schedule(ScheduleKind.WEEKDAYS, frozenset({1, 3, 5}))
THREE_TIMES = Schedule(ScheduleKind.PER_WEEK, times=3)
VALUES = {"D": "done", "M": "minimum", "B": "blank", "N": "not_done"}


def days(signs: str, first: date = FIRST) -> dict[date, str]:
    """`D`one, `M`inimum, `B`lank, `N`ot done, and anything else for no entry, from Monday on."""
    return {first + timedelta(days=at): VALUES[sign] for at, sign in enumerate(signs) if sign in VALUES}


def habit(number: int = 1, title: str = "걷기", **changes: object) -> Habit:
    base = Habit(
        id=number,
        protocol_id="daily-steps",
        break_protocol_id=None,
        kind=HabitKind.PROTOCOL,
        title_ko=title,
        title_en="Walking",
        frame_level=2,
        framed_text="저녁을 먹은 뒤 걷는다",
        anchor_when=None,
        anchor_after_what="저녁을 먹은 뒤",
        anchor_source="user",
        standard_dose="20분",
        minimum_dose="5분",
        status=HabitStatus.ACTIVE,
        start=date(2026, 7, 1),
    )
    return replace(base, **changes)  # type: ignore[arg-type]


def known(
    values: Mapping[date, str] | str,
    *,
    schedule: Schedule = DAILY,
    of: Habit | None = None,
    before: str = "",
    paused: frozenset[date] = frozenset(),
    archived_on: date | None = None,
    run: int = 0,
    longest: int = 0,
    phase_day: int = 20,
) -> ReviewHabit:
    found = dict(days(values)) if isinstance(values, str) else dict(values)
    found |= days(before, BEFORE)
    own = replace(of or habit(), schedule=schedule)
    if archived_on is not None:
        own = replace(own, archived_on=archived_on)
    return ReviewHabit(
        habit=own,
        values=found,
        paused_days=paused,
        current_run=run,
        longest_run=longest,
        phase_day=phase_day,
    )


def review(*habits: ReviewHabit, today: date = TODAY, first: date = FIRST) -> WeekReview:
    return review_week(habits, first, today)


def counts(each: ReviewHabit, today: date = TODAY, first: date = FIRST) -> tuple[int, int, int, int, int, int]:
    week = habit_week(each, first, today)
    assert week is not None
    return week.asked, week.kept, week.done, week.minimum, week.blank, week.missed


# ---- the counts ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("day", "week_start", "first"),
    [
        (date(2026, 8, 12), 1, date(2026, 8, 10)),
        (date(2026, 8, 10), 1, date(2026, 8, 10)),
        (date(2026, 8, 16), 1, date(2026, 8, 10)),
        (date(2026, 8, 12), 7, date(2026, 8, 9)),
        (date(2026, 8, 9), 7, date(2026, 8, 9)),
        (date(2026, 8, 15), 7, date(2026, 8, 9)),
    ],
)
def test_the_week_of_a_day(day: date, week_start: int, first: date) -> None:
    assert week_first(day, week_start) == first


def test_a_rest_is_neither_kept_nor_missed_in_any_figure() -> None:
    assert counts(known("DDDBDD-")) == (6, 5, 5, 0, 1, 1)
    assert counts(known("BBBBBBB")) == (0, 0, 0, 0, 7, 0)
    week = review(known("DDDBDD-"))
    assert (week.asked, week.kept, week.blank) == (6, 5, 1)


def test_an_explicit_no_is_a_missed_day() -> None:
    assert counts(known("DDDDDDN")) == (7, 6, 6, 0, 0, 1)


def test_the_minimum_is_kept() -> None:
    assert counts(known("MMMMMMM")) == (7, 7, 0, 7, 0, 0)


def test_days_off_ask_for_nothing_and_what_is_done_on_them_counts() -> None:
    assert counts(known("D-D-D--", schedule=MON_WED_FRI)) == (3, 3, 3, 0, 0, 0)
    assert counts(known("DDD-D--", schedule=MON_WED_FRI)) == (3, 3, 4, 0, 0, 0)
    assert counts(known("DB--D--", schedule=MON_WED_FRI)) == (3, 2, 2, 0, 0, 1)  # a rest on a day off says nothing


def test_the_running_week_misses_nothing_that_can_still_be_done() -> None:
    running = date(2026, 8, 10)
    each = known(days("D-", running))
    assert counts(each, first=running) == (2, 1, 1, 0, 0, 1)  # Tuesday is over, today and later are open
    week = habit_week(each, running, TODAY)
    assert week is not None
    assert [mark for _day, mark in week.days][1:] == [DayMark.MISSED, *[DayMark.OPEN] * 5]
    assert counts(known(days("DDD", running)), first=running) == (3, 3, 3, 0, 0, 0)


def test_times_a_week_are_missed_when_the_week_is_over() -> None:
    assert counts(known("D---D--", schedule=THREE_TIMES)) == (3, 2, 2, 0, 0, 1)
    assert counts(known("DDDD---", schedule=THREE_TIMES)) == (3, 3, 4, 0, 0, 0)
    running = date(2026, 8, 10)
    assert counts(known(days("D", running), schedule=THREE_TIMES), first=running) == (3, 1, 1, 0, 0, 0)


def test_rests_and_a_late_start_take_a_share_of_the_times() -> None:
    assert counts(known("BBB-D--", schedule=THREE_TIMES)) == (2, 1, 1, 0, 3, 1)
    late = habit(start=date(2026, 8, 8))
    assert counts(known("-----D-", schedule=THREE_TIMES, of=late)) == (1, 1, 1, 0, 0, 0)


@pytest.mark.parametrize(
    "schedule",
    [Schedule(ScheduleKind.EVERY_DAYS, days=3), Schedule(ScheduleKind.PER_MONTH, times=5)],
    ids=lambda schedule: schedule.kind.value,
)
def test_schedules_longer_than_a_week_ask_a_single_week_for_nothing(schedule: Schedule) -> None:
    each = known("D--M-B-", schedule=schedule)
    assert counts(each) == (0, 0, 1, 1, 1, 0)
    assert count_words(review(each).habits[0]) == "2번"
    assert one_change(review(each)).rule is AdviceRule.ALL_KEPT


def test_each_day_is_judged_by_the_schedule_of_its_own_time() -> None:
    changed = habit(schedule=MON_WED_FRI, schedules=((date(2026, 7, 1), DAILY), (date(2026, 8, 6), MON_WED_FRI)))
    week = habit_week(replace(known("D-D----"), habit=changed), FIRST, TODAY)
    assert week is not None
    marks = [mark.value for _day, mark in week.days]
    assert marks == ["done", "missed", "done", "off", "missed", "off", "off"]


def test_days_before_the_start_in_a_pause_and_after_the_archive_day_are_out() -> None:
    assert counts(known("---DDDD", of=habit(start=date(2026, 8, 6)))) == (4, 4, 4, 0, 0, 0)
    paused = frozenset({date(2026, 8, 5), date(2026, 8, 6)})
    assert counts(known("DDDDDDD", paused=paused)) == (5, 5, 5, 0, 0, 0)
    assert counts(known("DDD----", archived_on=date(2026, 8, 5))) == (3, 3, 3, 0, 0, 0)


def test_the_day_of_archiving_is_no_miss() -> None:
    """As in every other number: it was still open when the habit ended."""
    assert counts(known("DD-----", archived_on=date(2026, 8, 5))) == (2, 2, 2, 0, 0, 0)
    assert counts(known("D-B----", archived_on=date(2026, 8, 5))) == (2, 1, 1, 0, 1, 1)
    only_today = known("", of=habit(start=date(2026, 8, 5)), archived_on=date(2026, 8, 5))
    assert review(only_today).habits == ()


@pytest.mark.parametrize(
    "gone",
    [
        known("", of=habit(start=date(2026, 8, 10))),
        known("", archived_on=date(2026, 8, 2)),
        known("", paused=frozenset(FIRST + timedelta(days=at) for at in range(7))),
    ],
    ids=["not begun", "archived", "paused all week"],
)
def test_a_habit_that_was_not_there_is_left_out(gone: ReviewHabit) -> None:
    assert review(gone).habits == ()


def test_the_week_before_counts_what_has_gone_since() -> None:
    gone = known("", of=habit(2), before="DDDDDDD", archived_on=date(2026, 8, 2))
    week = review(known("DDDDDDD", before="D"), gone)
    assert week.done_like_before == 8
    assert not any("더 했어요" in words for words in went_well(week))


def test_gaps_and_returns() -> None:
    def of(signs: str, schedule: Schedule = DAILY) -> tuple[int, tuple[date, date] | None]:
        week = habit_week(known(signs, schedule=schedule), FIRST, TODAY)
        assert week is not None
        return longest_gap(week), returned_after_miss(week)

    assert of("DD-DDDD") == (1, (date(2026, 8, 5), date(2026, 8, 6)))
    assert of("DD--DDD") == (2, None)
    assert of("D-BDDDD") == (1, None)
    assert of("-D---D-") == (3, None)
    assert of("D---D--", MON_WED_FRI) == (1, (date(2026, 8, 5), date(2026, 8, 7)))
    assert of("----D--", MON_WED_FRI) == (2, None)


# ---- what went well -----------------------------------------------------------------------------------------------


def test_a_full_week_is_said_first() -> None:
    full = known("DDDDDDD", before="DDDDDDD", run=20, longest=20)
    week = review(full, known("DDDDMDD", of=habit(2, "물 마시기"), before="DDDDDDD"))
    assert went_well(week) == (
        "모든 습관을 빠짐없이 이었어요.",
        "‘걷기’ 습관이 지금까지 가운데 가장 길게 이어지고 있어요.",
        "힘든 날에도 최소 용량으로 1번 이었어요.",
    )


def test_one_full_habit_a_return_and_more_than_before() -> None:
    week = review(known("DDDDDDD", before="DDD"), known("DD-DDDD", of=habit(2, "스트레칭"), before="D"))
    assert went_well(week) == (
        "‘걷기’ 습관을 7번 모두 해냈어요.",
        "‘스트레칭’: 수요일을 비운 뒤 목요일에 바로 돌아왔어요.",
        "그 전주보다 9번 더 했어요.",
    )


def test_little_is_said_as_it_is() -> None:
    assert went_well(review(known("D------"))) == ("‘걷기’ 습관을 1번 했어요.", "그 전주보다 1번 더 했어요.")
    assert went_well(review(known("D------", before="DD"))) == ("‘걷기’ 습관을 1번 했어요.",)
    assert went_well(review(known("BB-----"))) == ("쉬는 날을 2번 스스로 정했어요.",)


def test_an_empty_week_is_no_reproach() -> None:
    assert went_well(review(known(""))) == ("기록이 없는 주도 있어요. 돌아보러 온 지금이 다시 시작하기 좋은 때예요.",)
    assert len(went_well(review())) == 1


def test_the_standing_of_now_is_not_said_of_an_old_week() -> None:
    old = FIRST - timedelta(days=14)
    week = review(known(days("DDDDDDD", old), run=30, longest=30), first=old)
    assert not any("이어지고" in words for words in went_well(week))


# ---- the one thing to change ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("habits", "rule", "words"),
    [
        ((), AdviceRule.NO_HABIT, "카탈로그에서 하나를"),
        ((known(""),), AdviceRule.NOTHING_RECORDED, "‘걷기’ 하나만, 가장 작게 시작해 보세요: 5분"),
        ((known("DD-DDDD", before="DD-DDDD"),), AdviceRule.SAME_WEEKDAY, "‘걷기’: 수요일이 두 주 이어서 비었어요."),
        ((known("DBBBDDD"),), AdviceRule.MANY_RESTS, "3번 쉬었어요. 당분간 쉬게 하거나"),
        ((known("DD--DDD"),), AdviceRule.TWO_IN_A_ROW, "하루가 비면 이튿날은 최소 용량만 해도 충분해요: 5분"),
        ((known("D-D-D-D", before="DDDDDDD"),), AdviceRule.FEW_MISSED, "미리 떠올려 두세요: 5분"),
        ((known("-D-D-D-", before="DDDDDDD"),), AdviceRule.HALF_MISSED, "최소 용량을 그날의 목표로"),
        ((known("MMMMDDD"),), AdviceRule.MANY_MINIMUMS, "이대로 이어 가요"),
        ((known("DDDDDDD", phase_day=42),), AdviceRule.ALL_KEPT, "바꿀 것이 없어요. 지금처럼 이어 가요."),
        ((known("DDDDDDD", phase_day=43),), AdviceRule.ALL_KEPT_RAISE, "42일을 넘겼으니"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_each_rule(habits: tuple[ReviewHabit, ...], rule: AdviceRule, words: str) -> None:
    advice = one_change(review(*habits))
    assert advice.rule is rule
    assert words in advice.text


def test_every_rule_has_a_case() -> None:
    marks = [mark for mark in test_each_rule.pytestmark if mark.name == "parametrize"]  # type: ignore[attr-defined]
    assert {case[1] for case in marks[0].args[1]} == set(AdviceRule)


def test_the_larger_number_speaks_then_the_higher_place() -> None:
    one, two = known("DBBBDDD"), known("BBBBDDD", of=habit(2, "물 마시기"))
    assert one_change(review(one, two)).habit_id == 2
    assert one_change(review(one, known("DBBBDDD", of=habit(3)))).habit_id == 1


def test_an_archived_habit_gets_no_advice() -> None:
    gone = habit(status=HabitStatus.ARCHIVED, archived_on=date(2026, 8, 8))
    assert one_change(review(known("D-----", of=gone, archived_on=date(2026, 8, 8)))).habit_id is None


def test_a_habit_without_a_minimum_gets_words_without_it() -> None:
    bare = habit(minimum_dose=None)
    for signs in ("", "DD--DDD", "-D-D-D-", "D-DDDDD"):
        text = one_change(review(known(signs, of=bare, before="DDDDDDD"))).text
        assert "None" not in text
        assert text.endswith(("요.", "요?"))


# ---- the words ----------------------------------------------------------------------------------------------------


def test_numbers_are_never_shares_alone() -> None:
    week = review(known("DDDBDD-", before="DDD"))
    assert total_words(week) == "모두 6번 가운데 5번을 이었어요. 그 전주에는 3번 했어요."
    assert count_words(week.habits[0]) == "6번 가운데 5번"
    assert "%" not in review_text(week)


def test_one_of_one_is_not_called_all_of_them() -> None:
    once = review(known("D------", schedule=Schedule(ScheduleKind.PER_WEEK, times=1)))
    assert count_words(once.habits[0]) == "1번 가운데 1번"
    assert went_well(once)[0] == "‘걷기’ 습관을 1번 했어요."


def test_a_week_is_compared_with_the_same_measure() -> None:
    # Three times a week were asked for: the days beyond them are in neither number.
    week = review(known("DDDDDDD", schedule=THREE_TIMES, before="DDDDD"))
    assert total_words(week) == "모두 3번 가운데 3번을 이었어요. 그 전주에는 3번 했어요."
    assert not any("더 했어요" in words for words in went_well(week))


def test_weeks_have_names() -> None:
    assert week_name(review()) == "지난주"
    assert week_name(review(first=date(2026, 8, 10))) == "이번 주"
    assert week_name(review(first=BEFORE)) == "2026-07-27(월)부터 2026-08-02(일)까지"


def test_particles_follow_the_title_and_the_day() -> None:
    text = one_change(review(known("DD-DDDD", before="DD-DDDD", of=habit(title="책 읽기")))).text
    assert "수요일이 두 주" in text
    assert "(" not in text


def test_the_text_holds_everything() -> None:
    text = review_text(review(known("DMB-DDD"), known("D-D-D--", of=habit(2, "물"), schedule=MON_WED_FRI)))
    assert text.splitlines()[3:5] == [
        "월● 화◐ 수– 목○ 금● 토● 일●  걷기  6번 가운데 5번 (최소 1 · 쉬기 1)",
        "월● 화· 수● 목· 금● 토· 일·  물  3번 모두",
    ]
    assert "● 완료  ◐ 최소  – 쉬기  ○ 기록 없음  · 정한 날이 아님" in text
    assert "잘된 것\n- " in text
    assert "바꿔 볼 것 하나\n- " in text


@pytest.mark.parametrize("signs", ["", "D------", "DDDDDDD", "BBBBBBB", "MMMMMMM", "-------", "D-D-D-D", "N------"])
@pytest.mark.parametrize("language", ["ko", "en"])
def test_nothing_scolds(signs: str, language: str) -> None:
    set_language(language)
    text = review_text(review(known(signs)))
    for word in ("실패", "못했", "부족", "게으", "나쁜", "failed", "lazy", "bad", "only "):
        assert word not in text
