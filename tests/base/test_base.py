"""Paths, settings rows, translation and crash reports."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import pytest

from lifehelper_desktop.base import i18n, settings
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
    assert "in a thread" in path.read_text(encoding="utf-8") == text or "in a thread" in text


def test_a_folder_that_takes_no_log_is_no_reason_to_stop(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    setup_logging(blocked / "logs")
