"""What a change did, as data that is kept with it and as words in the language in force.

The data is made from the rows themselves, so that no writer can forget it. `title` holds a habit's two titles.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from typing import Any, Final

from lifehelper_desktop.base.i18n import N_, _
from lifehelper_desktop.domain.habits import EntryValue
from lifehelper_desktop.domain.labels import VALUE_LABELS, day_text
from lifehelper_desktop.domain.particles import with_particles
from lifehelper_desktop.storage.database import Database

Label = dict[str, Any]
Image = dict[str, Any]

#: Action → its words. The fields are those of the label; `day` and `value` are put into words first.
_WORDS: Final = {
    "entry_add": N_("{title} · {day} ‘{value}’ 기록"),
    "entry_change": N_("{title} · {day} 기록을 ‘{value}’(으)로 바꾸기"),
    "entry_note": N_("{title} · {day} 메모 바꾸기"),
    "entry_delete": N_("{title} · {day} ‘{value}’ 기록 지우기"),
    "entries": N_("여러 날의 기록 바꾸기 ({entries}개)"),
    "habit_add": N_("‘{title}’ 습관 추가"),
    "habit_edit": N_("‘{title}’ 습관 고치기"),
    "habit_pause": N_("‘{title}’ 습관 쉬게 하기"),
    "habit_resume": N_("‘{title}’ 습관 다시 시작하기"),
    "habit_archive": N_("‘{title}’ 습관 보관하기"),
    "habit_unarchive": N_("‘{title}’ 습관을 보관함에서 꺼내기"),
    "habit_schedule": N_("‘{title}’ 습관 일정 바꾸기"),
    "habit_trash": N_("‘{title}’ 습관을 휴지통에 넣기"),
    "habit_restore": N_("‘{title}’ 습관을 휴지통에서 꺼내기"),
    "habit_order": N_("습관 순서 바꾸기"),
    "reminder_add": N_("‘{title}’ 알림 추가 ({time})"),
    "reminder_change": N_("‘{title}’ 알림 고치기 ({time})"),
    "reminder_on": N_("‘{title}’ 알림 켜기 ({time})"),
    "reminder_off": N_("‘{title}’ 알림 끄기 ({time})"),
    "reminder_delete": N_("‘{title}’ 알림 지우기 ({time})"),
    "setting": N_("설정 바꾸기: {name}"),
    "settings": N_("설정 바꾸기"),
    "import": N_("가져오기: {name} (습관 {habits}개, 기록 {entries}개)"),
    "import_undo": N_("가져오기 되돌리기: {name} (습관 {habits}개, 기록 {entries}개)"),
    "change": N_("한꺼번에 바꾸기 (습관 {habits}개, 기록 {entries}개)"),
}

_SETTINGS: Final = {
    "language": N_("언어"),
    "theme": N_("테마"),
    "font_percent": N_("글자 크기"),
    "high_contrast": N_("고대비"),
    "day_start_minutes": N_("하루의 시작"),
    "week_start": N_("한 주의 시작"),
    "reminders_enabled": N_("알림 받기"),
    "snooze_minutes": N_("나중에 다시 알리는 시간"),
    "tray_enabled": N_("트레이 아이콘"),
    "close_to_tray": N_("창을 닫아도 트레이에 남기"),
    "backups_enabled": N_("날마다 백업"),
    "backup_copy_folder": N_("백업을 하나 더 둘 폴더"),
    "shortcut_keys": N_("단축키"),
    "keep_conversations": N_("대화를 이 컴퓨터에 남겨 두기"),
    "ai_enabled": N_("AI 코치 쓰기"),
    "model_path": N_("모델 파일"),
    "mcp_servers": N_("MCP 서버"),
}

_STATUS_ACTIONS: Final = {"paused": "habit_pause", "active": "habit_resume", "archived": "habit_archive"}
#: Columns that change along with others and say nothing by themselves.
_ALONG: Final = frozenset({"updated_at", "start"})
_FEW: Final = 12  # rows; more are told as numbers


def label_of(db: Database, journal_id: int, given: Mapping[str, Any]) -> Label:
    """Return the label of a change whose rows are stored. Inside its transaction; the writer's own words win."""
    count = "SELECT table_name, COUNT(*) FROM journal_row WHERE journal_id = ? GROUP BY table_name"
    counts = {name: int(number) for name, number in db.sql(count, (journal_id,))}
    numbers = {"habits": counts.get("habit", 0), "entries": counts.get("entry", 0)}
    if given:
        return {**numbers, **given}
    if "import_run" in counts:
        return {"action": "import", "name": _file_name(db, journal_id), **numbers}
    if set(counts) == {"setting"}:
        return _setting_label(db, journal_id)
    if set(counts) == {"entry"} and counts["entry"] > 1:
        return {"action": "entries", **numbers}
    if sum(counts.values()) <= _FEW or numbers["entries"] == 0:
        label = _label_of_few(db, journal_id)
        if label is not None:
            return label
    return {"action": "change", **numbers}


def label_words(label: Mapping[str, Any], language: str) -> str:
    """Return the words of a label; titles of habits are those of `language`."""
    action = label.get("action", "")
    values = {"habits": 0, "entries": 0, "name": "", **label}
    values["title"] = label["title"][language == "en"] if "title" in label else ""
    if "date" in label:
        values["day"] = day_text(date.fromisoformat(label["date"]))
    if "value" in label:
        values["value"] = _(VALUE_LABELS.get(label["value"], label["value"]))
    if action == "setting":
        values["name"] = _(_SETTINGS[label["key"]])
    return with_particles(_(_WORDS.get(action, _WORDS["change"])).format(**values))


def _file_name(db: Database, journal_id: int) -> str:
    statement = (
        "SELECT json_extract(COALESCE(after, before), '$.file_name') FROM journal_row "
        "WHERE journal_id = ? AND table_name = 'import_run'"
    )
    return str(db.sql(statement, (journal_id,))[0][0])


def _setting_label(db: Database, journal_id: int) -> Label:
    rows = db.sql("SELECT json_extract(row_key, '$[0]') FROM journal_row WHERE journal_id = ?", (journal_id,))
    keys = [key for (key,) in rows]
    return {"action": "setting", "key": keys[0]} if len(keys) == 1 and keys[0] in _SETTINGS else {"action": "settings"}


def _label_of_few(db: Database, journal_id: int) -> Label | None:
    """Return the label of a change of one entry, one habit, or the order of habits; None for anything else."""
    statement = "SELECT table_name, before, after FROM journal_row WHERE journal_id = ?"
    images = [(table, _read(before), _read(after)) for table, before, after in db.sql(statement, (journal_id,))]
    habits = [(before, after) for table, before, after in images if table == "habit"]
    entries = [(before, after) for table, before, after in images if table == "entry"]
    owners = {_owner(table, before or after or {}) for table, before, after in images}
    if len(images) == 1 and images[0][0] == "reminder":
        return _reminder_label(db, *images[0][1:])
    moved = [_differences(before, after) - _ALONG for before, after in habits]
    if len(entries) == 1 and len(owners) == 1 and not any(moved):
        return _entry_label(db, *entries[0])
    if habits and all(each == {"position"} for each in moved if each):
        return {"action": "habit_order"}
    if not entries and len(owners) == 1:
        [habit_id] = owners
        before, after = habits[0] if habits else (None, None)
        action = _habit_action(before, after) if habits else "habit_edit"
        return {"action": action, "title": _titles(db, habit_id, after or before)}
    return None


def _habit_action(before: Image | None, after: Image | None) -> str:
    if before is None or after is None:
        return "habit_add" if before is None else "change"
    if before["deleted_on"] != after["deleted_on"]:
        return "habit_restore" if after["deleted_on"] is None else "habit_trash"
    if before["status"] != after["status"]:
        return "habit_unarchive" if before["status"] == "archived" else _STATUS_ACTIONS[after["status"]]
    changed = _differences(before, after) - _ALONG
    return "habit_schedule" if changed and all(name.startswith("schedule_") for name in changed) else "habit_edit"


def _entry_label(db: Database, before: Image | None, after: Image | None) -> Label:
    shown = after or before
    assert shown is not None
    if before is None or after is None:
        action = "entry_add" if before is None else "entry_delete"
    else:
        action = "entry_note" if _differences(before, after) <= {"note", "updated_at"} else "entry_change"
    value = EntryValue.MINIMUM.value if shown["is_minimum"] else shown["value"]
    titles = _titles(db, shown["habit_id"], None)
    return {"action": action, "title": titles, "date": shown["date"], "value": value}


def _reminder_label(db: Database, before: Image | None, after: Image | None) -> Label:
    shown = after or before
    assert shown is not None
    if before is None or after is None:
        action = "reminder_add" if before is None else "reminder_delete"
    elif before["is_on"] != after["is_on"]:
        action = "reminder_on" if after["is_on"] else "reminder_off"
    else:
        action = "reminder_change"
    hours, minutes = divmod(shown["minutes"], 60)
    return {"action": action, "title": _titles(db, shown["habit_id"], None), "time": f"{hours:02}:{minutes:02}"}


def _titles(db: Database, habit_id: int, image: Image | None) -> list[str]:
    if image is not None:
        return [image["title_ko"], image["title_en"]]
    return list(db.sql("SELECT title_ko, title_en FROM habit WHERE id = ?", (habit_id,))[0])


def _owner(table: str, image: Image) -> int:
    return int(image["id"] if table == "habit" else image.get("habit_id", 0))


def _differences(before: Image | None, after: Image | None) -> set[str]:
    first, last = before or {}, after or {}
    return {column for column in first.keys() | last.keys() if first.get(column) != last.get(column)}


def _read(image: str | None) -> Image | None:
    return None if image is None else json.loads(image)
