"""Where files lie on each system, by its own rules."""

from __future__ import annotations

import re
from pathlib import Path, PureWindowsPath

import platformdirs
import pytest
from platformdirs import windows
from platformdirs.macos import MacOS
from platformdirs.unix import Unix
from platformdirs.windows import Windows

from lifehelper_desktop.base.paths import APP_NAME, DATABASE_NAME, resolve_paths
from lifehelper_desktop.base.release_page import release_page

ROOT = Path(__file__).resolve().parent.parent.parent


def test_linux_follows_xdg(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(platformdirs, "PlatformDirs", Unix)
    for name in ("DATA", "CACHE", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))
    paths = resolve_paths()
    assert paths.database == tmp_path / "data" / "LifeHelper" / DATABASE_NAME
    assert paths.cache == tmp_path / "cache" / "LifeHelper"
    assert paths.logs.is_relative_to(tmp_path / "state" / "LifeHelper")
    for name in ("DATA", "CACHE", "STATE"):
        monkeypatch.delenv(f"XDG_{name}_HOME")
    monkeypatch.setenv("HOME", "/home/사람")
    assert resolve_paths().data == Path("/home/사람/.local/share/LifeHelper")


def test_macos_follows_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platformdirs, "PlatformDirs", MacOS)
    monkeypatch.setenv("HOME", "/Users/사람")
    paths = resolve_paths()
    assert paths.data == Path("/Users/사람/Library/Application Support/LifeHelper")
    assert paths.cache == Path("/Users/사람/Library/Caches/LifeHelper")
    assert paths.logs == Path("/Users/사람/Library/Logs/LifeHelper")


def test_windows_follows_appdata_and_the_uninstaller_knows_the_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    local = r"C:\Users\사람\AppData\Local"
    monkeypatch.setattr(platformdirs, "PlatformDirs", Windows)
    monkeypatch.setattr(windows, "get_win_folder", lambda name: {"CSIDL_LOCAL_APPDATA": local}[name])
    monkeypatch.setattr(windows.os.path, "normpath", lambda path: path.replace("/", "\\"))
    paths = resolve_paths()
    data = PureWindowsPath(local) / APP_NAME
    for path in (paths.data, paths.cache, paths.logs):
        assert PureWindowsPath(str(path).replace("/", "\\")).is_relative_to(data)
    script = (ROOT / "packaging" / "windows" / "lifehelper.nsi").read_text(encoding="utf-8")
    assert re.search(r'^!define DATA "\$LOCALAPPDATA\\\$\{ID\}"$', script, re.MULTILINE)
    assert f'!define ID "{APP_NAME}"' in script


def test_the_page_of_releases_is_named_in_one_place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("lifehelper_desktop.base.release_page.resources_dir", lambda: tmp_path)
    assert release_page() == ""
    for content, page in (
        ('{"page": "https://example.org/releases"}', "https://example.org/releases"),
        ('{"page": "http://example.org"}', ""),
        ('{"page": "javascript:alert(1)"}', ""),
        ('{"page": ""}', ""),
        ("[]", ""),
        ("{", ""),
    ):
        (tmp_path / "release.json").write_text(content, encoding="utf-8")
        assert release_page() == page
