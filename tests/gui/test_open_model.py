"""A model file that is opened with the program: from the command line, from a second start, from macOS's Finder."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QTimer
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.base.paths import AppPaths
from lifehelper_desktop.base.settings import ADDED_MODELS, FIRST_RUN_DONE, MODEL_PATH
from lifehelper_desktop.llm.models.inventory import read_added
from lifehelper_desktop.storage.store import Store, open_store
from lifehelper_desktop.ui import start
from lifehelper_desktop.ui.app import WindowEnd
from lifehelper_desktop.ui.main_window import MainWindow
from lifehelper_desktop.ui.screens.models import ModelsDialog
from lifehelper_desktop.ui.single_instance import QUIT, SHOW, SingleInstance, adding, model_of
from tests.gui.conftest import Gui, MakeGui
from tests.gui.test_models_screen import write_gguf
from tests.gui.test_single_instance import ask
from tests.helpers.scripted_llm import ScriptedLlmService


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A model file of the user's."""
    path = tmp_path / "받은 파일" / "내 Gemma 100%.gguf"
    write_gguf(path, "내 Gemma")
    return path


def opened(gui: Gui) -> ModelsDialog:
    """Return the list once it is there."""
    gui.qtbot.waitUntil(lambda: gui.window.models.dialog is not None)
    dialog = gui.window.models.dialog
    assert dialog is not None
    return dialog


@pytest.mark.parametrize(
    "path", ["/tmp/a.gguf", "/내 모델/100% Gemma.gguf", "/a\nb", "/" + "가" * 1300, os.fsdecode(b"/\xff\xfe.gguf")]
)
def test_a_path_survives_the_wish(path: str) -> None:
    wish = adding(Path(path))
    assert wish.isascii()
    assert " " not in wish
    assert model_of(wish) == Path(path)


@pytest.mark.parametrize("wish", [SHOW, QUIT, "add-model:", "add-model:relative", "add-model:%00/a", "add-model:/a%00"])
def test_what_names_no_file_is_no_model(wish: str) -> None:
    assert model_of(wish) is None


def test_a_second_start_adds_the_file_to_the_running_window(make_gui: MakeGui, store: Store, model: Path) -> None:
    gui = make_gui()
    instance = SingleInstance(store.paths.data)
    assert instance.claim()
    instance.on_wish(gui.window.in_tray.carry_out)
    try:
        assert ask(gui.qtbot, store.paths.data, adding(model))
        dialog = opened(gui)
        assert read_added(store.settings.get_str(ADDED_MODELS)) == [model]
        assert "목록에 더했어요: 내 Gemma" in dialog.notice.text
        assert "제자리에" in dialog.notice.text
        use = dialog.cards[str(model)].findChild(QPushButton, "modelUse")
        assert isinstance(use, QPushButton)
        gui.qtbot.waitUntil(lambda: use.hasFocus())
        assert store.settings.get_str(MODEL_PATH) == "", "it is added, not taken into use"
        assert not list(store.paths.models.glob("*Gemma*")), "nothing was copied"
    finally:
        instance.release()


def test_a_file_in_use_is_said_to_be(make_gui: MakeGui, store: Store, model: Path) -> None:
    store.settings.set(MODEL_PATH, str(model))
    gui = make_gui()
    gui.window.in_tray.carry_out(adding(model), "")
    assert "지금 쓰고 있는 모델이에요" in opened(gui).notice.text


@pytest.mark.parametrize("kind", ["missing", "text", "pipe", "folder"])
def test_what_is_no_model_is_told_in_words(make_gui: MakeGui, store: Store, tmp_path: Path, kind: str) -> None:
    path = tmp_path / "아무거나.gguf"
    if kind == "text":
        path.write_text("모델이 아니다", encoding="utf-8")
    elif kind == "pipe":
        os.mkfifo(path)  # reading from it would never end
    elif kind == "folder":
        path.mkdir()
    gui = make_gui()
    gui.window.in_tray.carry_out(adding(path), "")
    assert "아무거나.gguf" in opened(gui).notice.text
    assert store.settings.get_str(ADDED_MODELS) == ""


def test_while_the_first_steps_are_shown_it_waits_for_their_end(make_gui: MakeGui, store: Store, model: Path) -> None:
    store.settings.set(FIRST_RUN_DONE, False)
    gui = make_gui()
    gui.window.open_first_run()
    gui.window.add_model(model)
    assert gui.window.models.dialog is None
    gui.window.dialogs["first_run"].close()
    assert "목록에 더했어요" in opened(gui).notice.text


@pytest.fixture
def quiet_start(monkeypatch: pytest.MonkeyPatch, paths: AppPaths, clock: FixedClock) -> Iterator[None]:
    """Starting the program inside a test leaves logging and error hooks alone."""
    monkeypatch.setattr(start, "setup_logging", lambda *_args, **_more: None)
    monkeypatch.setattr("lifehelper_desktop.ui.app.install_excepthooks", lambda *_args: None)
    with closing(open_store(paths, clock)) as store:
        store.settings.set(FIRST_RUN_DONE, True)
    yield
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.mark.usefixtures("quiet_start")
def test_the_first_start_with_files_adds_them(
    qapp: QApplication, paths: AppPaths, clock: FixedClock, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = model.with_name("other.gguf")
    write_gguf(other, "Other")
    told: list[str] = []

    def drive() -> None:
        window = next(each for each in qapp.topLevelWidgets() if isinstance(each, MainWindow) and each.isVisible())
        dialog = window.models.dialog
        assert dialog is not None
        told.append(dialog.notice.text)
        window.close()

    def executed() -> int:
        QTimer.singleShot(50, qapp, drive)
        return QApplication.exec()

    monkeypatch.setattr(qapp, "exec", executed)
    code = start.run(
        ["--data-dir", str(paths.data), "--lang", "ko", str(model), str(other)],
        lambda _paths, _clock: open_store(paths, clock),
        lambda *_args: ScriptedLlmService(),
    )
    assert code == 0
    assert "더했어요: other" in told[0].lower()
    with closing(open_store(paths, clock)) as store:
        assert read_added(store.settings.get_str(ADDED_MODELS)) == [model, other]


def test_files_go_with_no_other_wish(capsys: pytest.CaptureFixture[str]) -> None:
    for wish in ("--hidden", "--quick-log", "--quit"):
        with pytest.raises(SystemExit):
            start.run([wish, "a.gguf"], lambda *_args: pytest.fail("opened"), lambda *_args: pytest.fail("made"))
        assert "not allowed with" in capsys.readouterr().err


def test_quitting_what_does_not_run_leaves_no_trace(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "없는 자료"
    code = start.run(
        ["--quit", "--data-dir", str(folder)], lambda *_args: pytest.fail("opened"), lambda *_args: pytest.fail("made")
    )
    assert (code, capsys.readouterr().err) == (0, "")
    assert not folder.exists()


def test_quitting_what_does_not_answer_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    instance = SingleInstance(tmp_path)
    assert instance.claim()  # its event loop does not run
    instance.on_wish(lambda _wish, _token: None)
    monkeypatch.setattr(start, "_QUIT_WAIT_S", 0.2)
    code = start.run(
        ["--quit", "--data-dir", str(tmp_path), "--lang", "ko"],
        lambda *_args: pytest.fail("opened"),
        lambda *_args: pytest.fail("made"),
    )
    instance.release()
    assert code == 3
    assert "답하지 않아요" in capsys.readouterr().err


def test_the_wish_to_quit_ends_the_window_also_with_a_tray(
    qtbot: QtBot, make_gui: MakeGui, monkeypatch: pytest.MonkeyPatch
) -> None:
    gui = make_gui()
    monkeypatch.setattr(type(gui.window.in_tray.tray), "is_there", property(lambda _tray: True))
    with qtbot.waitSignal(gui.window.ended):
        gui.window.in_tray.carry_out(QUIT, "")
    assert not gui.window.isVisible()


def test_several_files_at_once_each_get_their_word(make_gui: MakeGui, store: Store, model: Path) -> None:
    gui = make_gui()
    bad = [model.with_name(name) for name in ("없는 것.gguf", "글.gguf")]
    bad[1].write_text("모델이 아니다", encoding="utf-8")
    for path in (bad[0], model, bad[1], bad[0]):
        gui.window.in_tray.carry_out(adding(path), "")
    told = opened(gui).notice.text
    assert told.count("없는 것.gguf") == 1
    assert "GGUF 모델 파일이 아니에요: 글.gguf" in told
    assert read_added(store.settings.get_str(ADDED_MODELS)) == [model]
    gui.window.add_model(model)
    assert "목록에 더했어요" in opened(gui).notice.text


def test_a_name_that_looks_like_another_user_s_home_is_a_name(
    paths: AppPaths, model: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    handed: list[Path] = []
    monkeypatch.setattr(start, "_run", lambda *rest: handed.extend(rest[-1]) or WindowEnd(0))
    monkeypatch.setattr(start, "setup_logging", lambda *_args, **_more: None)
    start.run(
        ["--data-dir", str(paths.data), "~nobody-here.gguf"],
        lambda *_args: pytest.fail("opened"),
        lambda *_args: pytest.fail("made"),
    )
    assert handed == [tmp_path / "~nobody-here.gguf"]
