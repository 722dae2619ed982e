"""The palette finds notes, and leads to their day on the page of the habit."""

from __future__ import annotations

import pytest

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.domain.habits import EntryValue, Habit
from lifehelper_desktop.storage.store import Store
from tests.gui.conftest import MakeGui
from tests.gui.keys import press
from tests.gui.test_palette import keys_of, open_palette
from tests.storage.support import day


@pytest.fixture
def noted(habits: dict[str, Habit], store: Store) -> Habit:
    walk = habits["walk"]
    store.entries.change(walk.id, day(-20), EntryValue.DONE, note="복도에서 걷기 연습")
    return walk


def test_a_note_leads_to_its_day(make_gui: MakeGui, noted: Habit, store: Store) -> None:
    gui = make_gui()
    dialog = open_palette(gui, "복도에서")
    entry = store.entries.get(noted.id, day(-20))
    assert entry is not None
    assert keys_of(dialog) == [f"note {entry.id}"]
    [line] = dialog.list.lines
    assert line.title == "메모: 복도에서 걷기 연습"
    assert noted.title_ko in line.spoken
    assert "2026년 7월 23일" in line.spoken
    press(dialog, "Return")
    gui.qtbot.waitUntil(lambda: gui.window.detail is not None and gui.window.detail.editor is not None)
    detail = gui.window.detail
    assert detail is not None
    assert gui.window.page_name == "detail"
    assert detail.habit_id == noted.id
    assert detail.heat.grid.day == day(-20)
    assert detail.editor is not None
    assert detail.editor.note.toPlainText() == "복도에서 걷기 연습"
    assert not any(key.startswith("note ") for key in gui.window.recent), "it is found by its words each time"
    detail.editor.reject()


def test_notes_come_after_all_else_and_while_typing(make_gui: MakeGui, noted: Habit) -> None:
    gui = make_gui()
    found = keys_of(open_palette(gui, "걷ㄱ"))
    assert str(found[-1]).startswith("note ")
    assert not str(found[0]).startswith("note ")


def test_a_letter_alone_looks_for_no_notes(make_gui: MakeGui, noted: Habit) -> None:
    assert not [key for key in keys_of(open_palette(make_gui(), "ㄱ")) if str(key).startswith("note ")]


def test_trouble_with_the_disk_is_told_and_the_rest_found(
    make_gui: MakeGui, noted: Habit, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    gui = make_gui()

    def fail(*_args: object, **_more: object) -> None:
        raise WorldError("디스크를 읽지 못했어요.", "다시 해 보세요.")

    monkeypatch.setattr(store.search, "find", fail)
    dialog = open_palette(gui, "설정")
    assert keys_of(dialog)[0] == "command settings"
