"""Paths, settings rows, translation and crash reports."""

from __future__ import annotations

import contextlib
import io
import logging
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from lifehelper_desktop.base import i18n, old_processor, settings
from lifehelper_desktop.base.errors import tell_stderr
from lifehelper_desktop.base.logs import install_excepthooks, setup_logging
from lifehelper_desktop.base.paths import resolve_paths, resources_dir


def test_data_dir_holds_everything(tmp_path: Path) -> None:
    paths = resolve_paths(tmp_path / "어디")
    for path in (paths.database, paths.backups, paths.models, paths.cache, paths.logs):
        assert path.is_relative_to(tmp_path / "어디")
    assert not (tmp_path / "어디").exists()


def test_resources_are_found() -> None:
    assert (resources_dir() / "locale" / "en" / "LC_MESSAGES" / "lifehelper.mo").is_file()


def test_unknown_settings_and_values_fail() -> None:
    with pytest.raises(KeyError):
        settings.setting("colour")
    for row, value in [
        (settings.LANGUAGE, "fr"),
        (settings.DAY_START_MINUTES, 45),
        (settings.DAY_START_MINUTES, True),
        (settings.AI_ENABLED, 1),
    ]:
        with pytest.raises(ValueError, match=row.key):
            row.check(value)


@pytest.mark.parametrize(("value", "language"), [("ko_KR.UTF-8", "ko"), ("en_US.UTF-8", "en"), ("fr_FR", "en")])
def test_the_system_language_is_followed(monkeypatch: pytest.MonkeyPatch, value: str, language: str) -> None:
    monkeypatch.setenv("LC_ALL", value)
    assert i18n.set_language("system") == language


def test_translation_and_plurals() -> None:
    assert i18n._("완료") == "완료"
    i18n.set_language("en")
    assert i18n._("완료") == "Done"
    with pytest.raises(ValueError, match="fr"):
        i18n.set_language("fr")


def test_uncaught_errors_of_every_thread_become_reports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    seen: list[tuple[Path | None, str]] = []
    install_excepthooks(tmp_path, lambda path, text: seen.append((path, text)))

    def fail() -> None:
        raise RuntimeError("in a thread")

    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()
    [(path, text)] = seen
    assert path is not None
    assert path.read_text(encoding="utf-8") == text
    assert "RuntimeError" in text
    assert "test_base.py" in text
    assert "in a thread" not in text  # a message of code that is not the program's


def test_a_folder_that_takes_no_log_is_no_reason_to_stop(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    setup_logging(blocked / "logs")


@pytest.mark.skipif(os.name != "posix", reason="Windows lets nobody rename an open file")
def test_a_log_that_another_process_began_anew_is_followed(tmp_path: Path) -> None:
    setup_logging(tmp_path)
    log, path = logging.getLogger("lifehelper_desktop.test"), tmp_path / "lifehelper.log"
    log.info("first")
    path.rename(tmp_path / "lifehelper.log.1")
    log.info("second")
    path.unlink()
    log.info("third")
    setup_logging(tmp_path)  # closes the file
    assert "third" in path.read_text(encoding="utf-8")
    assert "second" not in (tmp_path / "lifehelper.log.1").read_text(encoding="utf-8")


_WRITER = """
import logging, sys
from pathlib import Path
from lifehelper_desktop.base import logs
logs._LOG_BYTES = 20_000
logs.setup_logging(Path(sys.argv[1]))
for number in range(300):
    logging.getLogger("lifehelper_desktop.test").info("%s line %d %s", sys.argv[2], number, "x" * 100)
"""


def test_two_processes_share_one_log_and_lose_only_what_is_old(tmp_path: Path) -> None:
    writers = [subprocess.Popen([sys.executable, "-c", _WRITER, str(tmp_path), name]) for name in ("a", "b")]
    assert [each.wait(60) for each in writers] == [0, 0]
    files = sorted(tmp_path.iterdir())
    assert 2 <= len(files) <= 4
    text = "".join(each.read_text(encoding="utf-8") for each in files)
    assert "a line 299 " in text
    assert "b line 299 " in text
    assert all(each.stat().st_size < 60_000 for each in files)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_an_stderr_that_takes_nothing_stops_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    full = Path("/dev/full").open("w", encoding="utf-8")  # noqa: SIM115 - closing it fails too
    monkeypatch.setattr(sys, "stderr", full)
    tell_stderr("words")
    with contextlib.suppress(OSError):
        full.close()
    tell_stderr("words")
    monkeypatch.setattr(sys, "stderr", None)
    tell_stderr("words")


def test_an_old_processor_is_told_without_stderr(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[list[str]] = []
    monkeypatch.setattr(old_processor, "missing_features", lambda: ("SSE4.2",))
    monkeypatch.setattr(old_processor, "box_command", lambda words, _environment: ["box", words])
    monkeypatch.setattr(old_processor.subprocess, "run", lambda command, **_more: shown.append(command))
    for stream in (None, io.StringIO()):
        monkeypatch.setattr(sys, "stderr", stream)
        assert old_processor.stops_window()
    assert len(shown) == 2
    assert all("SSE4.2" in words for _box, words in shown)
