"""R1–R10: for every row of the table something that passes and something that is refused."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from datetime import date, timedelta

import pytest

from lifehelper_desktop.base.i18n import set_language
from lifehelper_desktop.domain import rules
from lifehelper_desktop.domain.habits import EntryValue, HabitType
from lifehelper_desktop.domain.rules import RULES, RuleViolation
from lifehelper_desktop.domain.streaks import compute_streaks

T = date(2026, 8, 12)
EXAMPLE = "저녁 7시 반에 탄산수를 들고 20분 걷는다"


def d(days_ago: int) -> date:
    return T - timedelta(days=days_ago)


@pytest.fixture(autouse=True)
def korean() -> None:
    set_language("ko")


#: Rule, what is tried, and the code that refuses it (None: passes).
CHECKS: list[tuple[str, Callable[[], object], str | None]] = [
    *[("R1", lambda level=level: rules.check_frame_level(level), None) for level in (1, 2, 3)],
    *[
        ("R1", lambda level=level: rules.check_frame_level(level), "r1_frame_level")
        for level in (4, 0, -1, "과정", "2", None, True, 2.5)
    ],
    ("R2", lambda: rules.check_anchor("07:00", None), None),
    ("R2", lambda: rules.check_anchor(None, "양치한 뒤"), None),
    ("R2", lambda: rules.check_anchor("07:00", "양치한 뒤"), None),
    ("R2", lambda: rules.check_anchor(None, None), "r2_anchor"),
    ("R2", lambda: rules.check_anchor("  ", "\t"), "r2_anchor"),
    ("R3", lambda: rules.check_quota(HabitType.BUILD, 2), None),
    ("R3", lambda: rules.check_quota(HabitType.BREAK, 0), None),
    ("R3", lambda: rules.check_quota(HabitType.BUILD, 3), "r3_quota"),
    ("R3", lambda: rules.check_quota(HabitType.BREAK, 1), "r3_quota"),
    ("R6", lambda: rules.check_dose_raise(43, T), None),
    ("R6", lambda: rules.check_dose_raise(42, T), "r6_phase"),
    ("R6", lambda: rules.check_dose_raise(20, T), "r6_phase"),
    ("R7", lambda: rules.check_frame_text("담배 생각이 나면 물 한 잔과 숨 열 번으로 5분 보낸다", EXAMPLE), None),
    ("R7", lambda: rules.check_frame_text("담배 끊기", EXAMPLE), "r7_avoidance"),
    ("R7", lambda: rules.check_frame_text("야식 안 먹기", EXAMPLE), "r7_avoidance"),
    ("R7", lambda: rules.check_frame_text("No phone in bed", EXAMPLE), "r7_avoidance"),
    ("R8", lambda: rules.check_single_protocol(" strength-training "), None),
    ("R8", lambda: rules.check_single_protocol("strength-training, break-late-night-eating"), "r8_xor"),
    ("R8", lambda: rules.check_single_protocol(" "), "r8_xor"),
    ("R8", lambda: rules.check_protocol_xor("strength-training", None), None),
    ("R8", lambda: rules.check_protocol_xor(None, "break-smoking"), None),
    ("R8", lambda: rules.check_protocol_xor(None, None), "r8_xor"),
    ("R8", lambda: rules.check_protocol_xor("strength-training", "break-smoking"), "r8_xor"),
    ("R9", lambda: rules.check_doses("20분 근력", "스쿼트 5회"), None),
    ("R9", lambda: rules.check_doses("20분 근력", "  "), "r9_minimum"),
    ("R9", lambda: rules.check_doses("20분 근력", None), "r9_minimum"),
    ("R9", lambda: rules.check_doses("20분 근력", " 20분 근력 "), "r9_minimum"),
    ("R9", lambda: rules.check_doses("", "스쿼트 5회"), "validation"),
    ("R10", lambda: rules.check_minimum_allowed(EntryValue.MINIMUM, "스쿼트 5회"), None),
    ("R10", lambda: rules.check_minimum_allowed(EntryValue.DONE, None), None),
    ("R10", lambda: rules.check_minimum_allowed(EntryValue.MINIMUM, None), "r10_minimum"),
    ("R10", lambda: rules.check_minimum_allowed(EntryValue.MINIMUM, ""), "r10_minimum"),
]


@pytest.mark.parametrize(("rule", "check", "code"), CHECKS)
def test_rule(rule: str, check: Callable[[], object], code: str | None) -> None:
    if code is None:
        check()
        return
    with pytest.raises(RuleViolation) as refused:
        check()
    assert refused.value.code == code
    assert refused.value.reason
    assert "{" not in refused.value.reason


#: R4 is computed and R5 is kept by storage (its own tests write twice); the tests for them stand below.
ELSEWHERE = {"R4", "R5"}


def test_every_rule_has_tests() -> None:
    tested = {rule for rule, _check, _code in CHECKS} | ELSEWHERE
    assert {rule.name for rule in RULES} == tested
    for rule in RULES:
        if rule.name not in ELSEWHERE:
            codes = {code for name, _check, code in CHECKS if name == rule.name}
            assert {None, rule.code} <= codes


def test_rules_are_numbered_and_their_codes_have_reasons() -> None:
    assert [rule.name for rule in RULES] == [f"R{n}" for n in range(1, 11)]
    known = {rules._CODES_WITH_VARIANTS.get(key, key) for key in rules._REASONS}
    assert {rule.code for rule in RULES if rule.code} <= known


def test_r4_one_miss_then_a_minimum_is_fine_and_two_misses_are_recorded() -> None:
    done = {d(n): "done" for n in range(3, 8)}
    assert not compute_streaks(done | {d(1): "minimum"}, d(7), T).never_miss_twice_broken
    assert compute_streaks(done, d(7), T).never_miss_twice_broken


def test_r5_reason_names_the_day_and_the_value() -> None:
    violation = RuleViolation("duplicate", date="2026-08-12", value="완료")
    assert violation.code == "duplicate"
    assert "2026-08-12" in violation.reason
    assert "완료" in violation.reason


def test_r10_a_minimum_day_keeps_the_streak() -> None:
    entries = {d(n): "done" for n in range(1, 5)} | {T: "minimum"}
    assert compute_streaks(entries, d(4), T).current_streak == 5


def test_r3_counts_places() -> None:
    assert [rules.remaining_quota(HabitType.BUILD, n) for n in range(5)] == [3, 2, 1, 0, 0]
    assert [rules.remaining_quota(HabitType.BREAK, n) for n in range(3)] == [1, 0, 0]


def test_r6_tells_the_first_free_day() -> None:
    with pytest.raises(RuleViolation, match=r"20일째라 2026-09-04부터"):
        rules.check_dose_raise(20, T)
    with pytest.raises(RuleViolation, match="2026-08-13부터"):
        rules.check_dose_raise(42, T)


def test_r7_names_the_word_and_offers_an_example() -> None:
    with pytest.raises(RuleViolation) as refused:
        rules.check_frame_text("술 안 마시기", EXAMPLE)
    assert "‘안 마시기’" in refused.value.reason
    assert EXAMPLE in refused.value.reason


def test_frame_text_is_trimmed_composed_and_measured() -> None:
    assert rules.check_frame_text("  걷기 ", EXAMPLE) == "걷기"
    longest = "걷" * 80
    assert rules.check_frame_text(unicodedata.normalize("NFD", longest), EXAMPLE) == longest
    for text in ("", " 걷 ", "걷" * 81):
        with pytest.raises(RuleViolation, match="framed_text"):
            rules.check_frame_text(text, EXAMPLE)


def test_r8_takes_no_separator() -> None:
    for text in ("a,b", "a;b", "a b", "a/b", "a|b", "a+b", "a&b", "a、b", "a\nb", ""):
        with pytest.raises(RuleViolation, match="r8_xor"):
            rules.check_single_protocol(text)


def test_text_length() -> None:
    assert rules.check_text_length("  a ", 1, "note") == "a"
    assert rules.check_text_length("   ", 1, "note") is None
    assert rules.check_text_length(None, 1, "note") is None
    with pytest.raises(RuleViolation, match="note"):
        rules.check_text_length("ab", 1, "note")


@pytest.mark.parametrize(
    ("day", "code"),
    [
        (date(2026, 8, 13), "future_date"),
        (date(2026, 8, 12), None),
        (date(2026, 8, 5), None),
        (date(2026, 8, 4), "date_out_of_range"),
        (date(2026, 8, 2), "date_out_of_range"),
    ],
)
def test_dates_that_may_be_logged(day: date, code: str | None) -> None:
    if code is None:
        rules.check_entry_date(day, date(2026, 8, 3), T)
        return
    with pytest.raises(RuleViolation) as refused:
        rules.check_entry_date(day, date(2026, 8, 3), T)
    assert refused.value.code == code


def test_nothing_is_logged_before_the_start_but_by_the_calendar() -> None:
    with pytest.raises(RuleViolation, match="2026-08-10부터"):
        rules.check_entry_date(d(3), d(2), T)
    rules.check_entry_date(d(300), d(2), T, any_past_day=True)
    with pytest.raises(RuleViolation, match="future_date"):
        rules.check_entry_date(d(-1), d(2), T, any_past_day=True)


@pytest.mark.parametrize("key", sorted(rules._REASONS))
def test_reasons_are_approach_worded_enough_to_say_what_to_do(key: str) -> None:
    assert rules._REASONS[key].endswith((".", "}", "요?"))
