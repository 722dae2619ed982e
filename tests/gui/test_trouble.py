"""What the world does to a running window: a damaged or closed database, and entries that changed since."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import date

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QTimer
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from lifehelper_desktop.base.clock import Clock, FixedClock
from lifehelper_desktop.base.paths import AppPaths
from lifehelper_desktop.base.settings import MODEL_PATH, THEME
from lifehelper_desktop.domain.habits import EntryValue, Habit
from lifehelper_desktop.llm.protocol import LlmFunctionCall, LlmTextChunk
from lifehelper_desktop.storage.errors import DatabaseClosed
from lifehelper_desktop.storage.habits import HabitRepository
from lifehelper_desktop.storage.store import Store, open_store
from lifehelper_desktop.ui import start
from lifehelper_desktop.ui.context import AppContext
from lifehelper_desktop.ui.main_window import MainWindow
from lifehelper_desktop.ui.screens.habit_dialog import HabitDialog
from lifehelper_desktop.ui.widgets.tool_card import ToolCard
from tests.gui.conftest import Gui, MakeGui, card_of
from tests.helpers.scripted_llm import ScriptedLlmService
from tests.helpers.worlds import add_habit

TODAY = date(2026, 8, 12)


def damage(paths: AppPaths) -> None:
    """Write over everything but the header, as a failing disk does, behind the back of the open window."""
    with closing(sqlite3.connect(paths.database)) as other:
        other.execute("UPDATE habit SET position = position")
        other.commit()
        other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    size = paths.database.stat().st_size
    with paths.database.open("r+b") as file:
        file.seek(100)
        file.write(b"\xa5" * (size - 100))


def wait_trouble(gui: Gui, words: str) -> None:
    gui.qtbot.waitUntil(lambda: words in gui.window.trouble.text, timeout=3000)


# ---- storage ------------------------------------------------------------------------------------------------------


def test_a_file_damaged_in_use_is_told_with_its_backup(
    make_gui: MakeGui, habits: dict[str, Habit], store: Store
) -> None:
    gui = make_gui()
    backup = store.db.backup("test")
    damage(store.paths)
    card = card_of(gui, habits["walk"])
    gui.click("mark_done", card)
    wait_trouble(gui, "손상되어")
    assert str(backup) in gui.window.trouble.text
    assert not gui.window.habits.notice.text
    assert card.findChild(QPushButton, "mark_done").isVisible()
    gui.window.watcher.data_changed.emit()
    gui.window.apply_settings()
    gui.window.open_settings()
    gui.window.refresh()
    gui.window.show_catalogue()
    wait_trouble(gui, "손상되어")
    assert "settings" not in gui.window.dialogs
    gui.window.show_habits()
    gui.click("noticeAction", gui.window.trouble)
    assert gui.window.restore_from == backup
    assert not gui.window.isVisible()


def test_every_slot_tells_a_closed_store(make_gui: MakeGui, habits: dict[str, Habit], store: Store) -> None:
    gui = make_gui()
    gui.window.show_catalogue()
    store.close()
    words = str(DatabaseClosed())
    window, walk = gui.window, habits["walk"].id
    slots = (
        lambda: window.habits.mark(walk, EntryValue.DONE),
        lambda: window.habits.change_day(walk, TODAY, EntryValue.DONE),
        lambda: window.habits.mark_number(1),
        lambda: card_of(gui, habits["walk"]).action_asked.emit("pause"),
        window.habits.refresh,
        lambda: window.catalogue.search.setText("걷기"),  # type: ignore[union-attr]
        window.refresh,
        window.apply_settings,
        window.open_settings,
        window.watcher.data_changed.emit,
        window.watcher.check_day,
        window._on_system_theme,
    )
    for slot in slots:
        slot()
    wait_trouble(gui, words)
    window.open_add(store.catalogue.all()[0])
    form = window.dialogs["form"]
    assert isinstance(form, HabitDialog)
    form._save()
    assert form.notice.text
    assert "crash" not in window.dialogs


def test_trouble_survives_another_theme_and_ends_with_the_next_write(
    make_gui: MakeGui, habits: dict[str, Habit], store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    gui = make_gui()
    with monkeypatch.context() as patch:
        patch.setattr(store.habits, "pause", lambda _habit_id: (_ for _ in ()).throw(DatabaseClosed()))
        card_of(gui, habits["walk"]).action_asked.emit("pause")
        wait_trouble(gui, str(DatabaseClosed()))
    store.settings.set(THEME, "dark")
    gui.window.apply_settings()
    assert gui.window.trouble.text == str(DatabaseClosed())
    gui.click("mark_done", card_of(gui, habits["walk"]))
    gui.qtbot.waitUntil(lambda: gui.window.trouble.text == "")


def test_a_setting_that_cannot_be_stored_is_told_and_shown_as_it_is(make_gui: MakeGui, store: Store) -> None:
    gui = make_gui()
    gui.window.open_settings()
    dialog = gui.window.dialogs["settings"]
    store.close()
    dialog.take_model("/없는/모델.gguf")  # type: ignore[attr-defined]
    assert dialog.notice.text == str(DatabaseClosed())  # type: ignore[attr-defined]
    assert "기본 코치" in gui.text("modelPath", dialog)


def test_the_coach_tells_a_store_that_cannot_be_read(
    make_gui: MakeGui, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    gui = make_gui([LlmTextChunk("네.")])

    def make_llm() -> ScriptedLlmService:
        store.settings.get_str(MODEL_PATH)
        return gui.llm

    monkeypatch.setattr(gui.window.thread_, "_context", AppContext(store, make_llm, gui.window.context.make_controller))
    store.close()
    gui.say("안녕")
    gui.wait_idle()
    assert gui.find(QWidget, "errorCard").accessibleName() == str(DatabaseClosed())
    assert "crash" not in gui.window.dialogs


def test_restoring_closes_the_data_puts_the_backup_back_and_opens_the_window_again(
    qapp: QApplication, paths: AppPaths, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[MainWindow] = []
    with closing(open_store(paths, clock)) as store:
        walk = add_habit(store, "daily-steps")
        store.db.backup("test")

    def opener(_paths: AppPaths, _clock: Clock | None) -> Store:
        return open_store(paths, clock)

    def drive() -> None:
        window = next(each for each in qapp.topLevelWidgets() if isinstance(each, MainWindow) and each.isVisible())
        made.append(window)
        if len(made) > 1:
            window.close()
            return
        damage(paths)
        window.habits.mark(walk.id, EntryValue.DONE)
        QTimer.singleShot(0, window, window.trouble._act)

    def executed() -> int:
        QTimer.singleShot(0, qapp, drive)
        return QApplication.exec()

    monkeypatch.setattr(qapp, "exec", executed)
    monkeypatch.setattr(start, "setup_logging", lambda *_args, **_more: None)
    monkeypatch.setattr("lifehelper_desktop.ui.app.install_excepthooks", lambda *_args: None)
    code = start.run(
        ["--data-dir", str(paths.data), "--lang", "ko"], opener, lambda _paths, _model: ScriptedLlmService()
    )
    assert code == 0
    assert len(made) == 2
    with closing(open_store(paths, clock)) as store:
        assert [habit.id for habit in store.habits.list()] == [walk.id]
    assert list(paths.data.glob("*.broken-*"))
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


# ---- undo on a card of the coach ----------------------------------------------------------------------------------


@pytest.fixture
def logged(make_gui: MakeGui, habits: dict[str, Habit]) -> Gui:
    call = LlmFunctionCall("log_tracker_entry", {"habit_id": habits["walk"].id, "value": "done", "note": "비 옴"})
    gui = make_gui([call], [LlmTextChunk("기록했어요.")])
    gui.say("기록해 줘")
    gui.click("confirmYes", gui.wait_dialog())
    gui.wait_idle()
    return gui


def undo_of(card: ToolCard) -> QPushButton:
    found = card.findChild(QPushButton, "toolUndo")
    assert isinstance(found, QPushButton)
    return found


@pytest.mark.parametrize(("value", "note"), [(EntryValue.MINIMUM, None), (EntryValue.DONE, "내가 고침")])
def test_undo_leaves_an_entry_that_was_changed_since(
    logged: Gui, habits: dict[str, Habit], store: Store, value: EntryValue, note: str | None
) -> None:
    walk = habits["walk"].id
    [card] = logged.cards()
    store.entries.change(walk, TODAY, value, note)
    logged.click("toolUndo", card)  # the card has not heard of it
    entry = store.entries.get(walk, TODAY)
    assert entry is not None
    assert entry.value is value
    assert logged.system_lines() == ["이 기록은 그 뒤에 바뀌어서 그대로 두었어요."]
    assert not undo_of(card).isVisible()
    assert "바뀌었어요" in card.accessibleName()


def test_undo_leaves_an_entry_that_took_the_place(logged: Gui, habits: dict[str, Habit], store: Store) -> None:
    walk = habits["walk"].id
    store.entries.change(walk, TODAY, None)
    store.entries.log(walk, EntryValue.DONE, note="비 옴")
    logged.click("toolUndo")
    assert store.entries.get(walk, TODAY) is not None


def test_a_card_hears_that_its_entry_is_gone_or_changed(logged: Gui, habits: dict[str, Habit], store: Store) -> None:
    [card], walk = logged.cards(), card_of(logged, habits["walk"])
    logged.qtbot.waitUntil(lambda: walk.overview.today_entry is not None)
    assert undo_of(card).isVisible()
    logged.window.habits.change_day(habits["walk"].id, TODAY, EntryValue.BLANK)
    logged.qtbot.waitUntil(lambda: not undo_of(card).isVisible())
    assert "바뀌었어요" in logged.text("toolDetail", card)
    logged.click("undoToday", walk)
    logged.qtbot.waitUntil(lambda: "지워졌어요" in logged.text("toolDetail", card))
    logged.window.build()
    assert "지워졌어요" in logged.text("toolDetail", logged.cards()[0])
    assert not undo_of(logged.cards()[0]).isVisible()


def test_undo_on_a_habits_card_leaves_an_entry_that_was_changed_since(
    make_gui: MakeGui, habits: dict[str, Habit], store: Store
) -> None:
    gui, walk = make_gui(), habits["walk"].id
    gui.click("mark_done", card_of(gui, habits["walk"]))
    store.entries.change(walk, TODAY, EntryValue.MINIMUM, "다른 창에서")
    gui.click("undoToday", card_of(gui, habits["walk"]))
    assert store.entries.get(walk, TODAY) is not None
    assert "그대로 두었어요" in gui.window.habits.notice.text


# ---- the form -----------------------------------------------------------------------------------------------------


def test_a_form_is_saved_whole_or_not_at_all_and_the_card_tells_the_truth(
    make_gui: MakeGui, habits: dict[str, Habit], store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    gui, walk = make_gui(), store.habits.get(habits["walk"].id)
    gui.window.open_edit(walk)
    form = gui.window.dialogs["form"]
    assert isinstance(form, HabitDialog)
    form.standard.setText("하루 6,000보")
    form.frame_editor.edit.setText("저녁 먹고 10분 걷는다")
    form.when.setText("저녁 7시")
    store.habits.set_frame(walk.id, 2, "다른 창에서 적은 문장")

    def full(*_args: object, **_more: object) -> None:
        raise DatabaseClosed

    with monkeypatch.context() as patch:
        patch.setattr(HabitRepository, "_update", full)
        gui.click("formSave", form)
    assert form.notice.text == str(DatabaseClosed())
    assert store.habits.get(walk.id).standard_dose == walk.standard_dose
    card = card_of(gui, walk)
    gui.qtbot.waitUntil(lambda: gui.text("habitFrame", card) == "다른 창에서 적은 문장")
    gui.click("formSave", form)
    after = store.habits.get(walk.id)
    assert (after.standard_dose, after.framed_text) == ("하루 6,000보", "저녁 먹고 10분 걷는다")
    assert after.anchor_when == "저녁 7시"


def test_characters_that_nobody_sees_are_no_text(make_gui: MakeGui, store: Store) -> None:
    gui = make_gui()
    gui.window.open_add(store.catalogue.get("daily-steps"))  # type: ignore[arg-type]
    form = gui.window.dialogs["form"]
    assert isinstance(form, HabitDialog)
    form.when.setText("저녁 7시")
    form.after.clear()
    assert form.problem == ""
    for edit in (form.frame_editor.edit, form.when, form.standard, form.minimum):
        before = edit.text()
        edit.setText("\u200b\u200b")
        assert form.problem
        assert not form.save_button.isEnabled()
        edit.setText(before)
    assert form.problem == ""
