"""The tables that a question in SQL may name: their columns with their meaning, and the SQL that they are made of.

This is the one place that documents them: the model, `lifehelper sql --describe` and the refusals read it. Values are
plain words and civil days (`2026-08-12`); what is in the trash is in none of them, what is archived is.

To add a table: one row in `VIEWS`. With `body` it is a view of the file's tables, without one a table that
`asking.filling` fills when a question names it. `S_` stands for a prefix that no question can know.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from lifehelper_desktop.base.i18n import N_


@dataclass(frozen=True, slots=True)
class View:
    """One table of those that may be asked.

    Attributes:
        name: As SQL names it.
        meaning: What a row is (Korean msgid).
        columns: Column to meaning (Korean msgid), in order.
        body: What the view selects, with the columns in this order; empty for a table that is filled.
        tables: The tables of the file that `body` reads.
        day: The column that holds the day of a row, or empty.
    """

    name: str
    meaning: str
    columns: Mapping[str, str]
    body: str = ""
    tables: frozenset[str] = frozenset()
    day: str = ""


_WHOSE: Final = {
    "habit_id": N_("습관 번호"),
    "title": N_("습관 이름"),
    "title_en": N_("영어 이름"),
}
_WEEKDAY: Final = {
    "weekday": N_("요일: 월 화 수 목 금 토 일"),
    "weekday_no": N_("요일 번호: 1 월요일부터 7 일요일까지"),
}
_TITLES: Final = "h.title_ko AS title, h.title_en AS title_en"
_KEPT: Final = N_("1이면 한 날: 완료나 최소")


def _weekday(day: str) -> str:
    number = f"strftime('%w', {day})"
    return f"substr('일월화수목금토', {number} + 1, 1) AS weekday, ({number} + 6) % 7 + 1 AS weekday_no"


def _columns(*groups: Mapping[str, str]) -> Mapping[str, str]:
    return MappingProxyType({name: meaning for group in groups for name, meaning in group.items()})


_HABITS: Final = View(
    name="habits",
    meaning=N_("습관마다 한 줄; 보관한 습관은 들고 휴지통의 습관은 빠짐"),
    columns=_columns(
        _WHOSE,
        {
            "status": N_("active 하는 중, paused 쉬는 중, archived 보관함"),
            "type": N_("build 세우는 습관, break 깨는 습관"),
            "framed_text": N_("다짐 문장"),
            "frame_level": N_("1 결과, 2 과정, 3 정체성"),
            "anchor_when": N_("언제 하는지"),
            "anchor_after_what": N_("무엇을 한 뒤에 하는지"),
            "standard_dose": N_("표준 용량"),
            "minimum_dose": N_("최소 용량"),
            "start_day": N_("시작한 날"),
            "archived_day": N_("보관한 날, 없으면 NULL"),
            "place": N_("목록에서의 자리, 작을수록 위"),
            "schedule": N_("지금 일정: daily, weekdays, per_week, per_month, every_days"),
            "unit": N_("양의 단위"),
            "source": N_("가져온 곳, 직접 만들었으면 NULL"),
            "protocol_id": N_("카탈로그 id, catalogue와 잇는 열"),
        },
    ),
    body=f"""
        SELECT h.id AS habit_id, {_TITLES}, h.status, CASE h.kind WHEN 'break' THEN 'break' ELSE 'build' END AS type,
            h.framed_text, h.frame_level, h.anchor_when, h.anchor_after_what,
            s.dose AS standard_dose, m.dose AS minimum_dose, h.start AS start_day, h.archived_on AS archived_day,
            h.position AS place, h.schedule_kind AS schedule, h.unit, h.source,
            coalesce(h.protocol_id, h.break_protocol_id) AS protocol_id
        FROM main.habit AS h
        LEFT JOIN main.habit_variant AS s ON s.habit_id = h.id AND s.is_minimum = 0
        LEFT JOIN main.habit_variant AS m ON m.habit_id = h.id AND m.is_minimum = 1
        WHERE h.deleted_on IS NULL
    """,
    tables=frozenset({"habit", "habit_variant"}),
    day="start_day",
)

_ENTRIES: Final = View(
    name="entries",
    meaning=N_("기록한 날마다 한 줄(value는 done·minimum·blank, 한 날은 kept=1); 기록이 없는 날은 빠짐"),
    columns=_columns(
        _WHOSE,
        {"day": N_("날짜 YYYY-MM-DD"), "month": N_("달 YYYY-MM")},
        _WEEKDAY,
        {
            "value": N_("done 완료, minimum 최소, blank 쉬기, not_done 안 함"),
            "kept": _KEPT,
            "note": N_("메모, 없으면 빈 글"),
            "amount": N_("양, 없으면 NULL"),
            "unit": N_("양의 단위"),
        },
    ),
    body=f"""
        SELECT e.habit_id, {_TITLES}, e.date AS day, substr(e.date, 1, 7) AS month, {_weekday("e.date")},
            CASE WHEN e.is_minimum THEN 'minimum' ELSE e.value END AS value, e.value = 'done' AS kept,
            e.note, e.amount, h.unit
        FROM main.entry AS e JOIN main.habit AS h ON h.id = e.habit_id
        WHERE h.deleted_on IS NULL
    """,
    tables=frozenset({"entry", "habit"}),
    day="day",
)

_SIGN: Final = "substr(m.recorded, c.place, 1)"
_FLAG: Final = "CAST(substr(m.flags, c.place, 1) AS INTEGER)"

_DAYS: Final = View(
    name="days",
    meaning=N_("습관마다 시작한 날부터 오늘(보관한 날)까지 하루에 한 줄; 기록이 없는 날도 듦"),
    columns=_columns(
        _WHOSE,
        {"day": N_("날짜 YYYY-MM-DD"), "month": N_("달 YYYY-MM")},
        _WEEKDAY,
        {
            "value": N_("done, minimum, blank, not_done, 기록이 없거나 쉬는 중이면 NULL"),
            "kept": _KEPT,
            "due": N_("1이면 하기로 한 날; 날을 고르는 일정은 늘 1"),
            "missed": N_("1이면 하기로 하고 기록이 없이 지난 날; 매일·요일 일정만"),
            "paused": N_("1이면 쉬기로 한 날"),
        },
    ),
    body=f"""
        SELECT m.habit_id, m.title, m.title_en, c.day, c.month, c.weekday, c.weekday_no,
            CASE {_SIGN} WHEN 'D' THEN 'done' WHEN 'm' THEN 'minimum' WHEN 'b' THEN 'blank' WHEN 'n' THEN 'not_done'
            END AS value,
            {_SIGN} IN ('D', 'm') AS kept, {_FLAG} & 1 AS due, {_FLAG} >> 1 AS missed, {_SIGN} = 'P' AS paused
        FROM S_month AS m JOIN S_calendar AS c ON c.month = m.month
        WHERE {_SIGN} <> ' '
    """,
    day="day",
)

_MONTHS: Final = View(
    name="months",
    meaning=N_("습관과 달마다 한 줄로 센 것"),
    columns=_columns(
        _WHOSE,
        {
            "month": N_("달 YYYY-MM"),
            "done": N_("완료한 날 수"),
            "minimum": N_("최소만 한 날 수"),
            "kept": N_("한 날 수: 완료와 최소"),
            "blank": N_("쉬기로 적은 날 수"),
            "missed": N_("놓친 날 수; 매일·요일 일정만"),
            "rate": N_("한 날의 비율 %: kept ÷ (kept + missed), 날을 고르는 일정은 NULL"),
        },
    ),
)

_NUMBERS: Final = View(
    name="numbers",
    meaning=N_("습관마다 지금의 숫자 한 줄"),
    columns=_columns(
        _WHOSE,
        {
            "status": N_("active 하는 중, paused 쉬는 중, archived 보관함"),
            "streak": N_("지금 이어진 길이"),
            "streak_unit": N_("길이의 단위: day 일, week 주, month 달, check 번"),
            "longest_streak": N_("가장 길었던 길이"),
            "kept_30d": N_("지난 30일에 한 날 수"),
            "kept_42": N_("최근 42일에 한 날 수"),
            "tier": N_("단계: seed 씨앗, sprout 새싹, stem 줄기, root 뿌리, tree 나무"),
            "phase_day": N_("며칠째인지, 42일까지 다지는 때"),
            "missed_in_a_row": N_("바로 앞까지 이어서 놓친 횟수"),
            "strength": N_("강도 %, 0에서 100까지"),
            "due_today": N_("1이면 오늘 할 습관"),
            "today_value": N_("오늘 기록: done, minimum, blank, not_done, 없으면 NULL"),
        },
    ),
)

_PAUSES: Final = View(
    name="pauses",
    meaning=N_("쉰 기간마다 한 줄"),
    columns=_columns(_WHOSE, {"first_day": N_("쉬기 시작한 날"), "last_day": N_("마지막으로 쉰 날, 지금도 쉬면 NULL")}),
    body=f"""
        SELECT p.habit_id, {_TITLES}, p.first_day, p.last_day
        FROM main.habit_pause AS p JOIN main.habit AS h ON h.id = p.habit_id
        WHERE h.deleted_on IS NULL
    """,
    tables=frozenset({"habit_pause", "habit"}),
    day="first_day",
)

_SCHEDULES: Final = View(
    name="schedules",
    meaning=N_("일정이 바뀐 때마다 한 줄; 다음 줄의 날까지 이어짐"),
    columns=_columns(
        _WHOSE,
        {
            "from_day": N_("이 일정이 시작된 날"),
            "kind": N_("daily 매일, weekdays 요일, per_week 주에 몇 번, per_month 달에 몇 번, every_days 며칠마다"),
            "weekdays": N_("요일 번호를 이은 글, 월·수·금은 135"),
            "times": N_("주나 달에 몇 번"),
            "every_days": N_("며칠마다"),
            "words": N_("말로 쓴 일정"),
        },
    ),
    day="from_day",
)

_DOSES: Final = View(
    name="doses",
    meaning=N_("습관의 용량마다 한 줄"),
    columns=_columns(_WHOSE, {"size": N_("standard 표준, minimum 최소"), "dose": N_("용량")}),
    body=f"""
        SELECT v.habit_id, {_TITLES}, CASE v.is_minimum WHEN 1 THEN 'minimum' ELSE 'standard' END AS size, v.dose
        FROM main.habit_variant AS v JOIN main.habit AS h ON h.id = v.habit_id
        WHERE h.deleted_on IS NULL
    """,
    tables=frozenset({"habit_variant", "habit"}),
)

_REMINDERS: Final = View(
    name="reminders",
    meaning=N_("알림마다 한 줄"),
    columns=_columns(
        _WHOSE,
        {
            "time": N_("시각 HH:MM"),
            "weekdays": N_("울리는 요일 번호를 이은 글, 월·수·금은 135"),
            "is_on": N_("1이면 켜짐"),
        },
    ),
    body=f"""
        SELECT r.habit_id, {_TITLES}, printf('%02d:%02d', r.minutes / 60, r.minutes % 60) AS time, r.weekdays, r.is_on
        FROM main.reminder AS r JOIN main.habit AS h ON h.id = r.habit_id
        WHERE h.deleted_on IS NULL
    """,
    tables=frozenset({"reminder", "habit"}),
)

_CATALOGUE: Final = View(
    name="catalogue",
    meaning=N_("고를 수 있는 습관마다 한 줄"),
    columns=_columns(
        {
            "protocol_id": N_("카탈로그 id"),
            "title": N_("이름"),
            "title_en": N_("영어 이름"),
            "category": N_("분류: sleep, movement, nutrition, mind, focus, digital, connection, bodycare, substance"),
            "type": N_("build 세우는 습관, break 깨는 습관"),
            "summary": N_("짧은 설명"),
            "standard_dose": N_("표준 용량"),
            "minimum_dose": N_("최소 용량"),
            "grade": N_("근거 등급 A, B, C"),
        }
    ),
)

_TODAY: Final = View(
    name="today",
    meaning=N_("오늘을 말하는 한 줄; 앱의 하루를 따름"),
    columns=_columns(
        {
            "day": N_("오늘 YYYY-MM-DD"),
            "yesterday": N_("어제"),
            "weekday": N_("요일: 월 화 수 목 금 토 일"),
            "week_first": N_("이번 주의 첫날"),
            "last_week_first": N_("지난주의 첫날"),
            "last_week_last": N_("지난주의 마지막 날"),
            "month": N_("이번 달 YYYY-MM"),
            "last_month": N_("지난달 YYYY-MM"),
            "year": N_("올해 YYYY"),
        }
    ),
    day="day",
)

VIEWS: Final = (
    *(_HABITS, _ENTRIES, _DAYS, _MONTHS, _NUMBERS, _TODAY),
    *(_PAUSES, _SCHEDULES, _DOSES, _REMINDERS, _CATALOGUE),
)
BY_NAME: Final = MappingProxyType({view.name: view for view in VIEWS})

#: Tables behind the views that are filled from the domain's lines of days.
_PARTS: Final = (
    # A row for each habit and month: a sign for each day of it (`domain.day_line`), a space outside of its days;
    # flags: 1 due, 2 missed. Splitting the days by month keeps the rows few and the texts short.
    """
    CREATE TEMP TABLE S_month (habit_id INTEGER, title TEXT, title_en TEXT, month TEXT, recorded TEXT, flags TEXT,
        PRIMARY KEY (habit_id, month)) WITHOUT ROWID
    """,
    "CREATE INDEX temp.S_month_of ON S_month (month)",
    """
    CREATE TEMP TABLE S_calendar (day TEXT PRIMARY KEY, month TEXT, place INTEGER, weekday TEXT, weekday_no INTEGER)
        WITHOUT ROWID
    """,
    "CREATE INDEX temp.S_calendar_of ON S_calendar (month)",
)


def statements(secret: str) -> list[str]:
    """Return the SQL that makes everything in the temporary schema, empty; the inner names begin with `secret`."""
    made = [part.replace("S_", secret) for part in _PARTS]
    for view in VIEWS:
        names = ", ".join(view.columns)
        if view.body:
            body = view.body.replace("S_", secret)
            made.append(f"CREATE TEMP VIEW {secret}{view.name} ({names}) AS {body}")
        else:
            made.append(f"CREATE TEMP TABLE {secret}{view.name} ({names})")
        made.append(f"CREATE TEMP VIEW {view.name} AS SELECT * FROM {secret}{view.name}")
    return made
