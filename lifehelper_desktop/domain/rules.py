"""R1–R10 as code. Every way in ends here: repositories call these checks on every write.

To add a rule: one row in `RULES`, one function, and a test in `tests/domain/test_rules.py` (which fails when a row
has none). Reasons are approach-worded: they say what to do.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from lifehelper_desktop.base.i18n import N_, _
from lifehelper_desktop.domain.framing import detect_avoidance_keywords
from lifehelper_desktop.domain.habits import DAILY, EntryValue, HabitType, Schedule
from lifehelper_desktop.domain.schedule import is_due
from lifehelper_desktop.domain.text import has_visible_text, same_text, visible_length

MAX_ACTIVE_BUILD: Final = 3
MAX_ACTIVE_BREAK: Final = 1
TITLE_MAX: Final = 200
FRAME_TEXT_MIN: Final = 2
FRAME_TEXT_MAX: Final = 80
ANCHOR_MAX: Final = 60
DOSE_MAX: Final = 120
NOTE_MAX: Final = 200
PHASE_DAYS: Final = 42
BACKDATE_DAYS: Final = 7

_REASONS: Final[dict[str, str]] = {
    "validation": N_("필요한 값이 비었거나 모양이 달라요: {field}"),
    "not_found": N_("‘{id}’ 항목을 찾지 못했어요. 카탈로그에서 다시 골라 주세요."),
    "not_found_habit": N_("{id}번 습관을 찾지 못했어요. 내 습관 목록에서 다시 골라 주세요."),
    "not_found_habit_title": N_("‘{name}’ 습관을 찾지 못했어요. 어느 습관인지 알려 주세요: {titles}"),
    "not_found_habit_none": N_("그런 습관을 찾지 못했어요. 내 습관 목록에서 다시 골라 주세요."),
    "unclear_habit": N_("어느 습관인지 알려 주세요: {titles}"),
    "not_found_near": N_("‘{id}’ 항목을 찾지 못했어요. 가까운 항목: {titles}"),
    "unclear_entry": N_("어느 항목인지 알려 주세요: {titles}"),
    "not_found_conversation": N_("{id}번 대화를 찾지 못했어요. 대화 목록에서 다시 골라 주세요."),
    "already_active": N_("‘{title}’ 습관은 이미 하고 있어요."),
    "r1_frame_level": N_("프레임 수준을 1(결과), 2(과정), 3(정체성) 가운데서 골라 주세요."),
    "r2_anchor": N_("언제, 또는 무엇을 한 뒤에 할지 하나는 정해 주세요."),
    "r3_quota_build": N_("세우는 습관은 동시에 3개까지예요. 하나를 쉬게 하면 자리가 나요."),
    "r3_quota_break": N_("깨는 습관은 한 번에 1개예요. 지금 것을 마치거나 쉬게 하면 시작할 수 있어요."),
    "duplicate": N_("{date} 기록이 이미 있어요({value}). 고치려면 기록 화면에서 바꿔 주세요."),
    "r6_phase": N_("처음 42일은 같은 용량으로 다져요. {n}일째라 {date}부터 올릴 수 있어요."),
    "r7_avoidance": N_("‘{word}’ 대신 무엇을 할지로 적어 주세요. 예: {frame}"),
    "r8_xor": N_("습관 하나는 프로토콜 하나만 가리켜요. 둘로 나누어 추가할까요?"),
    "r9_minimum": N_("가장 힘든 날에도 할 수 있는 최소 용량을 적어 주세요."),
    "r10_minimum": N_("이 습관에는 최소 용량이 아직 없어요. 습관 설정에서 먼저 정해 주세요."),
    "future_date": N_("아직 오지 않은 날이에요. 오늘({today})까지 기록할 수 있어요."),
    "date_out_of_range": N_("{from_date}부터 오늘까지 기록할 수 있어요."),
    "nothing_to_undo": N_("되돌릴 것이 아직 없어요."),
    "nothing_to_redo": N_("다시 할 것이 없어요."),
    "undo_moved_on": N_("그사이에 다른 변경이 있어서 멈췄어요."),
    "undo_conflict": N_("그 뒤에 달라진 것이 있어 그대로 두었어요: {what}"),
    "habit_inactive": N_("쉬거나 보관한 습관이에요. 다시 시작하면 기록할 수 있어요."),
    "habit_inactive_reminder": N_("보관한 습관이에요. 다시 시작하면 알림을 정할 수 있어요."),
    "not_found_reminder": N_("{id}번 알림을 찾지 못했어요. 알림 목록에서 다시 골라 주세요."),
    "reminder_time": N_("{time} 알림은 이미 있어요. 그 알림의 요일을 바꾸거나 다른 시각을 골라 주세요."),
    "reminder_limit": N_("알림은 습관마다 {n}개까지예요. 하나를 지우면 자리가 나요."),
}

_CODES_WITH_VARIANTS: Final = {
    "r3_quota_build": "r3_quota",
    "r3_quota_break": "r3_quota",
    "not_found_habit": "not_found",
    "not_found_habit_title": "not_found",
    "not_found_habit_none": "not_found",
    "unclear_habit": "not_found",
    "not_found_near": "not_found",
    "unclear_entry": "not_found",
    "not_found_conversation": "not_found",
    "habit_inactive_reminder": "habit_inactive",
    "not_found_reminder": "not_found",
}


class RuleViolation(Exception):  # noqa: N818 - the domain's word
    """A rule refused a write; nothing was written.

    Attributes:
        code: The error code on the wire, for example `r3_quota`.
        reason: One or two short sentences in the user's language that say what to do.
    """

    def __init__(self, template: str, **values: object) -> None:
        """Take a key of the reason table and the values of its placeholders."""
        self.code = _CODES_WITH_VARIANTS.get(template, template)
        self.reason = _(_REASONS[template]).format(**values)
        super().__init__(f"{self.code}: {self.reason}")


@dataclass(frozen=True, slots=True)
class Rule:
    """One row of the rule table: name, the line shown to users (Korean msgid), and the error code or None."""

    name: str
    line: str
    code: str | None


RULES: Final[tuple[Rule, ...]] = (
    Rule("R1", N_("모든 습관은 프레임 수준 1 결과·2 과정·3 정체성 가운데 하나를 밝힌다."), "r1_frame_level"),
    Rule("R2", N_("습관은 ‘언제’나 ‘무엇을 한 뒤’ 앵커를 하나 이상 가진다."), "r2_anchor"),
    Rule("R3", N_("동시에 세우기 3개, 깨기 1개까지만 한다."), "r3_quota"),
    Rule("R4", N_("두 번 연속 거르는 일은 만들지 않는다: 하루 빠지면 다음 날 최소 용량이라도 한다."), None),
    Rule("R5", N_("습관·날짜마다 기록은 하나, ‘빈칸’은 의도한 빈칸이다."), "duplicate"),
    Rule("R6", N_("처음 42일은 같은 용량으로 다지고, 42일 창의 실천 수로 단계를 매긴다."), "r6_phase"),
    Rule("R7", N_("프레임 문장은 하려는 행동으로 쓴다. 회피 낱말이 있으면 받지 않는다."), "r7_avoidance"),
    Rule("R8", N_("습관은 세우기 프로토콜 하나 또는 깨기 프로토콜 하나만 가리킨다."), "r8_xor"),
    Rule("R9", N_("모든 습관은 표준 용량과 최소 용량을 함께 가진다."), "r9_minimum"),
    Rule("R10", N_("최소 용량으로 한 날도 한 날이며 연속을 잇는다."), "r10_minimum"),
)


def check_frame_level(level: object) -> None:
    """R1: the level is the integer 1, 2 or 3."""
    if type(level) is not int or level not in (1, 2, 3):
        raise RuleViolation("r1_frame_level")


def check_frame_text(text: str, example: str) -> str:
    """R7 and the length limit: return the trimmed text; `example` is a frame that would pass, for the reason.

    Hangul that arrives as separate jamo (pasted from macOS file names, for one) is composed first, so that a
    syllable counts as one character; for the least length only what can be seen counts.
    """
    trimmed = unicodedata.normalize("NFC", text).strip()
    if visible_length(trimmed) < FRAME_TEXT_MIN or len(trimmed) > FRAME_TEXT_MAX:
        raise RuleViolation("validation", field="framed_text")
    words = detect_avoidance_keywords(trimmed)
    if words:
        raise RuleViolation("r7_avoidance", word=words[0], frame=example)
    return trimmed


def check_text_length(text: str | None, limit: int, field: str) -> str | None:
    """Return the trimmed text, or None when nothing can be seen; longer than `limit` characters is refused."""
    trimmed = (text or "").strip()
    if len(trimmed) > limit:
        raise RuleViolation("validation", field=field)
    return trimmed if has_visible_text(trimmed) else None


def check_anchor(anchor_when: str | None, anchor_after_what: str | None) -> None:
    """R2 for the form and imports: at least one anchor is filled in."""
    if not has_visible_text(anchor_when) and not has_visible_text(anchor_after_what):
        raise RuleViolation("r2_anchor")


def remaining_quota(habit_type: HabitType, active: int) -> int:
    """R3: how many places are left for `habit_type` when `active` habits of it run; never below 0."""
    limit = MAX_ACTIVE_BREAK if habit_type is HabitType.BREAK else MAX_ACTIVE_BUILD
    return max(0, limit - active)


def check_quota(habit_type: HabitType, active: int) -> None:
    """R3: one more habit of `habit_type` fits beside the `active` ones."""
    if remaining_quota(habit_type, active) < 1:
        raise RuleViolation("r3_quota_break" if habit_type is HabitType.BREAK else "r3_quota_build")


def check_single_protocol(protocol_id: str) -> str:
    """R8: an id string names exactly one entry; return it trimmed."""
    trimmed = protocol_id.strip()
    if not has_visible_text(trimmed) or any(mark in trimmed for mark in ",;/|+&\n\t ") or "、" in trimmed:
        raise RuleViolation("r8_xor")
    return trimmed


def check_protocol_xor(protocol_id: str | None, break_protocol_id: str | None) -> None:
    """R8: exactly one of the two is set."""
    if (protocol_id is None) == (break_protocol_id is None):
        raise RuleViolation("r8_xor")


def check_doses(standard: str | None, minimum: str | None) -> tuple[str, str]:
    """R9: both doses are there and differ to the eye; return them trimmed."""
    standard_text = check_text_length(standard, DOSE_MAX, "standard_dose")
    minimum_text = check_text_length(minimum, DOSE_MAX, "minimum_dose")
    if standard_text is None:
        raise RuleViolation("validation", field="standard_dose")
    if minimum_text is None or same_text(minimum_text, standard_text):
        raise RuleViolation("r9_minimum")
    return standard_text, minimum_text


def check_minimum_allowed(value: EntryValue, minimum_dose: str | None) -> None:
    """R10: a minimum day needs a minimum dose to be measured by."""
    if value is EntryValue.MINIMUM and not has_visible_text(minimum_dose):
        raise RuleViolation("r10_minimum")


def dose_free_from(phase_day: int, today: date, schedule: Schedule = DAILY) -> date | None:
    """R6: return the day on which phase day 43 comes when every day that counts is walked; None when it is there."""
    left = PHASE_DAYS + 1 - phase_day
    if left <= 0:
        return None
    day = today
    while left:
        day += timedelta(days=1)
        left -= is_due(schedule, day)
    return day


def check_dose_raise(phase_day: int, today: date, schedule: Schedule = DAILY) -> None:
    """R6: the standard dose may rise from phase day 43 on."""
    free_from = dose_free_from(phase_day, today, schedule)
    if free_from is not None:
        raise RuleViolation("r6_phase", n=phase_day, date=free_from.isoformat())


def check_entry_date(day: date, start: date, today: date, *, any_past_day: bool = False) -> None:
    """Section 2.3: max(start, today − 7) ≤ day ≤ today; the calendar (`any_past_day`) may edit any past day."""
    if day > today:
        raise RuleViolation("future_date", today=today.isoformat())
    if any_past_day:
        return
    earliest = max(start, today - timedelta(days=BACKDATE_DAYS))
    if day < earliest:
        raise RuleViolation("date_out_of_range", from_date=min(earliest, today).isoformat())
