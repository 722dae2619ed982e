"""What was said about single rows while a file was read: changed on the way, left out, or not readable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from lifehelper_desktop.base.i18n import N_, _
from lifehelper_desktop.domain.particles import with_particles

#: More rows are only counted: a file of a million bad lines must not fill the memory.
KEEP_ROWS: Final = 1_000


class Severity(StrEnum):
    """How much a remark matters.

    `note`: the row came in changed, or was left out as the formats' own rules say. `bad`: it cannot be read, so
    nothing is imported unless the user says that such rows may be left out.
    """

    NOTE = "note"
    BAD = "bad"


_REASONS: Final = {
    # Left out, or changed on the way.
    "derived": N_("자동으로 채워진 날 {n}일은 빼요."),
    "duplicate": N_("같은 날이 또 있어서 먼저 나온 것만 남겨요: {day}"),
    "note_only": N_("표시 없이 메모만 있던 날이라 ‘안 함’과 메모로 남겨요: {day}"),
    "note_cut": N_("메모가 {limit}자보다 길어서 뒤를 줄여요: {day}"),
    "title_cut": N_("이름이 {limit}자보다 길어서 뒤를 줄여요."),
    "title_empty": N_("이름이 비어 있어서 ‘{title}’(으)로 불러요."),
    "text_cut": N_("설명이 {limit}자보다 길어서 뒤를 줄여요."),
    "schedule_near": N_("‘{days}일에 {times}번’은 셀 수 없어서 가까운 ‘{near}’(으)로 세어요."),
    "schedule_unknown": N_("반복 규칙을 알 수 없어서 ‘매일’로 세어요: {rule}"),
    "total_per_period": N_("{days}일 동안의 합계가 목표라서, 조금이라도 한 날을 한 날로 세어요."),
    "deleted": N_("그 앱에서 지운 습관이라 빼요."),
    "task": N_("습관이 아니라 할 일이라서 빼요."),
    "orphan": N_("어느 습관의 기록인지 알 수 없어서 빼요."),
    "mark_unknown": N_("뜻이 알려지지 않은 표시라서 빼요: {text}"),
    "no_rows": N_("기록 파일이 없어서 습관만 가져와요."),
    "month_first": N_("날짜를 ‘월/일/연도’ 순서로 읽었어요."),
    "day_first": N_("날짜를 ‘일/월/연도’ 순서로 읽었어요."),
    "unknown_zone": N_("시간대가 적혀 있지 않아서 {zone} 시간으로 날짜를 정해요."),
    "reminder_left_out": N_("이 알림은 옮길 수 없어서 빼요."),
    "newest_rows_elsewhere": N_("파일 옆에 ‘-wal’ 파일이 있어요. 마지막 기록 몇 개가 빠졌을 수 있어요."),
    "frame_replaced": N_("습관 문장을 하려는 행동으로 바꿔 적었어요."),
    "setting_left_out": N_("이 설정은 여기서 쓸 수 없어서 빼요: {key}"),
    "column_left_out": N_("이 버전이 모르는 값이라 빼요: {name}"),
    # Not readable.
    "bad_day": N_("날짜를 읽을 수 없어요: {text}"),
    "day_too_early": N_("{first} 이전은 가져올 수 없어요: {day}"),
    "day_to_come": N_("아직 오지 않은 날이에요: {day}"),
    "bad_value": N_("값을 읽을 수 없어요: {text}"),
    "bad_shape": N_("모양이 달라서 읽을 수 없어요."),
    "bad_field": N_("‘{name}’ 값을 읽을 수 없어요: {text}"),
    "columns_differ": N_("칸 수가 맞지 않아요. 이름에 쉼표가 있을 수 있어요."),
    "minimum_without_dose": N_("최소 용량이 없는 습관에 최소로 한 날이 있어요: {day}"),
}


@dataclass(frozen=True, slots=True)
class RowRemark:
    """One remark about one row or habit of the file.

    Attributes:
        where: The place in the file, for people: a line, a row id, a path in the JSON.
        reason: Key of the reason table.
    """

    where: str
    severity: Severity
    reason: str
    values: Mapping[str, Any] = field(default_factory=dict)

    @property
    def words(self) -> str:
        """The remark in the language in force."""
        return with_particles(_(_REASONS[self.reason]).format(**self.values))


class Report:
    """Collects the remarks while a file is read. One thread."""

    def __init__(self) -> None:
        """Begin with nothing said."""
        self.rows: list[RowRemark] = []
        self.counts = {Severity.NOTE: 0, Severity.BAD: 0}

    def note(self, where: str, reason: str, **values: object) -> None:
        """Remark that a row came in changed or was left out."""
        self._add(RowRemark(where, Severity.NOTE, reason, values))

    def bad(self, where: str, reason: str, **values: object) -> None:
        """Remark that a row cannot be read."""
        self._add(RowRemark(where, Severity.BAD, reason, values))

    def _add(self, remark: RowRemark) -> None:
        self.counts[remark.severity] += 1
        # The first bad row is always kept, since a refusal names it.
        if len(self.rows) < KEEP_ROWS or (remark.severity is Severity.BAD and self.counts[Severity.BAD] == 1):
            self.rows.append(remark)
