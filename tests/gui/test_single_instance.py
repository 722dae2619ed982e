"""A second start raises the first: real sockets, locks and processes."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QElapsedTimer
from PySide6.QtNetwork import QLocalServer, QLocalSocket
from pytestqt.qtbot import QtBot

from lifehelper_desktop.ui.single_instance import ANSWER_MS, QUICK_LOG, SHOW, SingleInstance, server_name, still_busy


@pytest.fixture
def first(tmp_path: Path) -> Iterator[SingleInstance]:
    instance = SingleInstance(tmp_path / "자료")
    assert instance.claim()
    yield instance
    instance.release()


def ask(qtbot: QtBot, folder: Path, wish: str) -> bool:
    """Let another process ask while this one's event loop runs."""
    code = (
        "import sys; from pathlib import Path; from lifehelper_desktop.ui.single_instance import SingleInstance; "
        "sys.exit(not SingleInstance(Path(sys.argv[1])).ask_first(sys.argv[2]))"
    )
    process = subprocess.Popen([sys.executable, "-c", code, str(folder), wish])
    qtbot.waitUntil(lambda: process.poll() is not None, timeout=20_000)
    return process.returncode == 0


@pytest.mark.parametrize("wish", [SHOW, QUICK_LOG])
def test_the_second_start_hands_its_wish_over(
    qtbot: QtBot, first: SingleInstance, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wish: str
) -> None:
    monkeypatch.setenv("XDG_ACTIVATION_TOKEN", "token-7")
    heard: list[tuple[str, str]] = []
    first.on_wish(lambda *each: heard.append(each))
    assert not SingleInstance(tmp_path / "자료").claim()
    assert ask(qtbot, tmp_path / "자료", wish)
    assert heard == [(wish, "token-7")]


def test_a_wish_that_comes_before_the_window_waits_for_it(qtbot: QtBot, first: SingleInstance, tmp_path: Path) -> None:
    assert ask(qtbot, tmp_path / "자료", SHOW)
    heard: list[str] = []
    first.on_wish(lambda wish, _token: heard.append(wish))
    assert heard == [SHOW]


@pytest.mark.parametrize(
    "line",
    [b"rm -rf\n", b"\xff\xfe\n", b"x" * 20_000, b"show " + b"x" * 1500 + b"\n", b"show to\x07ken\n", b"show \x00\n"],
)
def test_what_is_no_wish_is_dropped(qtbot: QtBot, first: SingleInstance, tmp_path: Path, line: bytes) -> None:
    heard: list[str] = []
    first.on_wish(lambda wish, _token: heard.append(wish))
    socket = QLocalSocket()
    socket.connectToServer(server_name(tmp_path / "자료"))
    assert socket.waitForConnected(1000)
    socket.write(line)
    qtbot.waitUntil(lambda: socket.state() is QLocalSocket.LocalSocketState.UnconnectedState)
    assert heard == []


def test_other_data_folders_have_their_own_window(first: SingleInstance, tmp_path: Path) -> None:
    other = SingleInstance(tmp_path / "다른 자료")
    assert other.claim()
    other.release()


def test_after_the_first_has_ended_another_may_be_first(first: SingleInstance, tmp_path: Path) -> None:
    first.release()
    second = SingleInstance(tmp_path / "자료")
    assert second.claim()
    second.release()


def test_a_socket_left_by_a_crash_is_no_obstacle(qtbot: QtBot, tmp_path: Path) -> None:
    left = QLocalServer()
    assert left.listen(server_name(tmp_path / "자료"))
    instance = SingleInstance(tmp_path / "자료")
    assert instance.claim()
    heard: list[str] = []
    instance.on_wish(lambda wish, _token: heard.append(wish))
    assert ask(qtbot, tmp_path / "자료", SHOW)
    assert heard == [SHOW]
    instance.release()


def test_a_first_one_that_hangs_is_told_within_its_time(first: SingleInstance, tmp_path: Path) -> None:
    first.on_wish(lambda _wish, _token: None)
    # Its event loop does not run here: the connection stands, and nobody answers.
    watch = QElapsedTimer()
    watch.start()
    assert not SingleInstance(tmp_path / "자료").ask_first(SHOW)
    assert watch.elapsed() < ANSWER_MS + 500
    assert "이미 켜져" in still_busy().message


def test_a_first_one_without_a_socket_is_told_within_its_time(first: SingleInstance, tmp_path: Path) -> None:
    first._server.close()  # type: ignore[union-attr]
    watch = QElapsedTimer()
    watch.start()
    assert not SingleInstance(tmp_path / "자료").ask_first(SHOW)
    assert ANSWER_MS <= watch.elapsed() < ANSWER_MS + 500


@pytest.mark.parametrize("again", [False, True])
def test_one_that_is_still_starting_gets_the_wish_later(
    qtbot: QtBot, first: SingleInstance, tmp_path: Path, again: bool
) -> None:
    if again:  # the window ended, its data are put back, and another window follows
        first.on_wish(lambda _wish, _token: pytest.fail("that window is gone"))
        first.hold_wishes()
    assert SingleInstance(tmp_path / "자료").ask_first(QUICK_LOG)
    heard: list[str] = []
    first.on_wish(lambda wish, _token: heard.append(wish))
    qtbot.waitUntil(lambda: heard == [QUICK_LOG])


def test_a_token_that_is_too_long_is_left_out(
    qtbot: QtBot, first: SingleInstance, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_ACTIVATION_TOKEN", "토큰" * 500)
    heard: list[tuple[str, str]] = []
    first.on_wish(lambda *each: heard.append(each))
    assert ask(qtbot, tmp_path / "자료", SHOW)
    assert heard == [(SHOW, "")]


def test_of_many_starts_at_the_same_moment_one_is_first(qtbot: QtBot, tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from lifehelper_desktop.ui.single_instance import SingleInstance; "
        "one = SingleInstance(Path(sys.argv[1])); first = one.claim(); "
        "print('first' if first else 'later', flush=True); "
        "sys.stdin.read() if first else sys.exit(not one.ask_first('show'))"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "자료")]
    pipe = subprocess.PIPE
    begun = [subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) for _each in range(5)]
    said = [process.stdout.readline().strip() for process in begun if process.stdout is not None]
    assert sorted(said) == ["first", "later", "later", "later", "later"]
    # The first one never runs its event loop: it is still starting, so the others need not wait for it.
    assert [process.wait(20) for process, word in zip(begun, said, strict=True) if word == "later"] == [0] * 4
    for process in begun:
        process.communicate()


def test_the_socket_lies_where_nobody_else_can_put_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runtime = tmp_path / "runtime"
    (runtime / "app" / "io.example.App").mkdir(parents=True)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
    assert Path(server_name(tmp_path / "자료")).parent == runtime
    monkeypatch.setenv("FLATPAK_ID", "io.example.App")  # each start has its own folder above, and shares this one
    assert Path(server_name(tmp_path / "자료")).parent == runtime / "app" / "io.example.App"
    monkeypatch.setenv("FLATPAK_ID", "io.example.Other")
    assert Path(server_name(tmp_path / "자료")).parent == runtime


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere the user's own folder is the system's")
def test_without_a_folder_for_sockets_it_lies_beside_the_data(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "자료"
        assert Path(server_name(data)).parent == data.resolve()
        instance = SingleInstance(data)
        assert instance.claim()
        heard: list[str] = []
        instance.on_wish(lambda wish, _token: heard.append(wish))
        assert ask(qtbot, data, SHOW)
        assert heard == [SHOW]
        instance.release()
        assert not list(data.iterdir())
        assert not Path(server_name(data / ("긴 이름" * 20))).is_absolute()
