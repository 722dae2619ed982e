"""Habits, protocols and changes as values."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from datetime import date

import pytest

from lifehelper_desktop.domain.changes import NOTHING, Changes
from lifehelper_desktop.domain.habits import (
    DAILY,
    MARKS,
    EntryValue,
    Evidence,
    Habit,
    HabitKind,
    HabitStatus,
    HabitType,
    NewHabit,
    Protocol,
)


def habit(protocol_id: str | None, break_protocol_id: str | None, kind: HabitKind) -> Habit:
    return Habit(
        id=1,
        protocol_id=protocol_id,
        break_protocol_id=break_protocol_id,
        kind=kind,
        title_ko="걷기",
        title_en="Walk",
        frame_level=2,
        framed_text="점심 뒤 10분 걷는다",
        anchor_when=None,
        anchor_after_what="점심 뒤",
        anchor_source="user",
        standard_dose="10분",
        minimum_dose="1분",
        status=HabitStatus.ACTIVE,
        start=date(2026, 8, 1),
    )


def test_protocols_and_diets_build_and_break_entries_break() -> None:
    assert HabitKind.PROTOCOL.habit_type is HabitType.BUILD
    assert HabitKind.DIET.habit_type is HabitType.BUILD
    assert HabitKind.BREAK.habit_type is HabitType.BREAK


def test_a_habit_knows_its_catalogue_id_type_and_title() -> None:
    build = habit("daily-steps", None, HabitKind.PROTOCOL)
    swap = habit(None, "break-smoking", HabitKind.BREAK)
    assert (build.catalogue_id, build.habit_type) == ("daily-steps", HabitType.BUILD)
    assert (swap.catalogue_id, swap.habit_type) == ("break-smoking", HabitType.BREAK)
    assert (build.title("ko"), build.title("en"), build.title("fr")) == ("걷기", "Walk", "걷기")
    assert build.schedule == DAILY == NewHabit("daily-steps", 2, "걷는다").schedule


def test_values_are_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        habit("a", None, HabitKind.PROTOCOL).id = 2  # type: ignore[misc]


def test_wire_values() -> None:
    assert [value.value for value in EntryValue] == ["done", "minimum", "blank", "not_done"]
    assert [value.value for value in MARKS] == ["done", "minimum", "blank"]


def test_a_protocol_answers_in_either_language() -> None:
    protocol = Protocol(
        id="daily-steps",
        kind=HabitKind.PROTOCOL,
        category="movement",
        texts={"ko": {"title": "걷기"}, "en": {"title": "Walk"}},
        frames={"ko": ("가", "나", "다"), "en": ("a", "b", "c")},
        keywords=("걷기",),
        evidence=Evidence("", "", "A", ""),
        requires_ack=False,
    )
    assert (protocol.text("title", "ko"), protocol.text("safety", "en")) == ("걷기", "")
    assert (protocol.frame(1, "ko"), protocol.frame(3, "en")) == ("가", "c")


def test_changes_join_and_tell_whether_there_are_any() -> None:
    first = Changes(habits=frozenset({1}), entries=frozenset({(1, "2026-08-12")}))
    second = Changes(habits=frozenset({2}), settings=frozenset({"theme"}))
    joined = first | second
    assert joined == Changes(frozenset({1, 2}), frozenset({(1, "2026-08-12")}), frozenset({"theme"}))
    assert joined
    assert not NOTHING
    assert NOTHING | first == first
