"""Editing a habit: all parts of the form are saved together, or none."""

from __future__ import annotations

from lifehelper_desktop.domain.changes import NOTHING, Changes
from lifehelper_desktop.storage.store import Store
from tests.storage.support import FRAME, add, dump, refused


def test_update_saves_all_or_nothing(store: Store) -> None:
    habit = add(store, standard_dose="10분 걷기", minimum_dose="2분 걷기")
    before = dump(store)
    good_frame, good_anchors, good_doses = (3, "나는 매일 걷는 사람이다"), ("07:00", None), ("8분 걷기", "1분 걷기")
    for code, parts in (
        ("r1_frame_level", {"frame": (4, FRAME), "anchors": good_anchors, "doses": good_doses}),
        ("r7_avoidance", {"frame": (2, "담배 끊기"), "anchors": good_anchors, "doses": good_doses}),
        ("r2_anchor", {"frame": good_frame, "anchors": ("", None), "doses": good_doses}),
        ("r9_minimum", {"frame": good_frame, "anchors": good_anchors, "doses": ("8분 걷기", "")}),
        ("r6_phase", {"frame": good_frame, "anchors": good_anchors, "doses": ("15분 걷기", "1분 걷기")}),
    ):
        with refused(code):
            store.habits.update(habit.id, **parts)  # type: ignore[arg-type]
        assert dump(store) == before
    changes = Changes(habits=frozenset({habit.id}))
    assert store.habits.update(habit.id, frame=good_frame, anchors=good_anchors, doses=good_doses) == changes
    changed = store.habits.get(habit.id)
    assert (changed.frame_level, changed.framed_text) == good_frame
    assert (changed.anchor_when, changed.anchor_after_what, changed.anchor_source) == ("07:00", None, "user")
    assert (changed.standard_dose, changed.minimum_dose) == good_doses
    assert store.habits.update(habit.id, frame=good_frame, anchors=good_anchors, doses=good_doses) == NOTHING
    assert store.habits.update(habit.id) == NOTHING


def test_confirming_the_suggested_anchor_makes_it_the_users(store: Store) -> None:
    habit = add(store)
    assert store.habits.set_anchors(habit.id, habit.anchor_when, habit.anchor_after_what)
    assert store.habits.get(habit.id).anchor_source == "user"
