"""The parts of the installers' build that need no build: names, what is left out, licences, texts of the packages."""

from __future__ import annotations

import configparser
import importlib.metadata
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

import build
import lifehelper_desktop
from frozen import start
from lifehelper_desktop import __version__
from lifehelper_desktop.base.discovery import module_names
from lifehelper_desktop.base.licences import read_licences
from lifehelper_desktop.ui.app import DESKTOP_FILE
from release import environment, freeze, licences, linux, manpages, project, tidy, trim
from release.project import PACKAGING
from release.steps import BuildError, Workplace

ROOT = Path(__file__).resolve().parent.parent.parent
PLUGINS = "PySide6/Qt/plugins"


@pytest.fixture
def place(tmp_path: Path) -> Workplace:
    """An empty workplace."""
    return Workplace(tmp_path, tmp_path / "wheels", Path(sys.executable), 1_700_000_000)


# -- names and versions


def test_the_version_is_read_from_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    assert project.version() == __version__
    assert build.main(["--print-version"]) == 0
    assert capsys.readouterr().out.strip() == __version__
    assert "\nversion =" not in (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def test_the_entry_the_window_and_the_icons_have_one_name() -> None:
    assert DESKTOP_FILE == project.WINDOW
    entry = configparser.RawConfigParser(strict=True)
    entry.optionxform = str  # type: ignore[assignment,method-assign]
    entry.read(linux.PARTS / f"{project.WINDOW}.desktop", encoding="utf-8")
    values = entry["Desktop Entry"]
    assert values["Icon"] == values["StartupWMClass"] == project.WINDOW
    assert values["Exec"].startswith(f"{project.WINDOW} ")
    assert values["Name[ko]"] == "라이프 헬퍼"
    assert entry["Desktop Action quick-log"]["Exec"] == f"{project.WINDOW} --quick-log"


def test_a_given_source_date_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert project.source_date() == 86400
    assert project.release_day() == "1970-01-02"


def test_a_source_date_that_is_none_is_said_in_words(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "yesterday")
    assert build.main(["app", "--out", str(tmp_path)]) == 1
    assert "SOURCE_DATE_EPOCH is 'yesterday'" in capsys.readouterr().err


def test_steps_are_the_same_for_every_builder(monkeypatch: pytest.MonkeyPatch, place: Workplace) -> None:
    monkeypatch.setenv("PYTHONPATH", "/elsewhere")
    monkeypatch.setenv("LC_MESSAGES", "ko_KR.UTF-8")
    environment = place.environment()
    assert "PYTHONPATH" not in environment
    assert [value for key, value in environment.items() if key.startswith("LC_")] == ["C.UTF-8"]


def test_the_metainfo_is_filled_and_says_everything_in_both_languages() -> None:
    text = linux.filled((linux.PARTS / "metainfo.xml").read_text(encoding="utf-8"))
    assert "@" not in text
    root = ET.fromstring(text)
    assert root.findtext("id") == project.APP_ID
    assert root.find("releases/release").get("version") == __version__  # type: ignore[union-attr]
    lang = "{http://www.w3.org/XML/1998/namespace}lang"
    for path in ("name", "summary", "description/p", "description/ul/li", "screenshots/screenshot/caption"):
        found = root.findall(path)
        assert len([each for each in found if each.get(lang) == "ko"]) == len(found) / 2, path
    for image in root.iter("image"):
        assert (ROOT / "packaging" / "screenshots" / Path(str(image.text)).name).is_file()


def test_this_system_only_makes_its_own() -> None:
    assert build.wanted(["all", "deb"], "linux") == ["deb", "run"]
    assert build.wanted(["app"], "darwin") == []
    with pytest.raises(BuildError, match="win32"):
        build.wanted(["nsis"], "linux")


def test_a_frozen_child_gets_its_own_arguments() -> None:
    assert start.arguments(["/usr/bin/lifehelper", "habits"]) == ["cli", "habits"]
    assert start.arguments(["lifehelper.exe", "--probe-model", "x"]) == ["--probe-model", "x"]
    assert start.arguments(["/usr/bin/lifehelper-desktop", "--hidden"]) == ["--hidden"]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the bootloader needs them elsewhere")
def test_programs_that_we_open_are_not_told_of_our_qt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QT_PLUGIN_PATH", "/opt/us/PySide6/Qt/plugins")
    start.forget_places()
    assert "QT_PLUGIN_PATH" not in os.environ


# -- what goes in


def test_every_module_of_ours_is_found() -> None:
    package = Path(str(lifehelper_desktop.__file__)).parent
    files = {path.relative_to(package.parent).with_suffix("") for path in package.rglob("*.py")}
    names = {".".join(path.parts).removesuffix(".__init__") for path in files}
    assert set(module_names(lifehelper_desktop)) == names


@pytest.mark.parametrize(
    ("name", "stays"),
    [
        (f"{PLUGINS}/platforms/libqxcb.so", True),
        (f"{PLUGINS}/platforms/libqeglfs.so", False),
        (f"{PLUGINS}/platforms/libqwayland.so", True),
        (f"{PLUGINS}/platforminputcontexts/libibusplatforminputcontextplugin.so", True),
        (f"{PLUGINS}/platforminputcontexts/libfcitx5platforminputcontextplugin.so", True),
        (f"{PLUGINS}/platforminputcontexts/libqtvirtualkeyboardplugin.so", False),
        (f"{PLUGINS}/platformthemes/libqgtk3.so", False),
        (f"{PLUGINS}/imageformats/libqtiff.so", False),
        (f"{PLUGINS}/iconengines/libqsvgicon.so", True),
        ("PySide6\\plugins\\platforms\\qwindows.dll", True),
        ("PySide6\\plugins\\tls\\qopensslbackend.dll", False),
        ("rapidfuzz/fuzz_cpp.cpython-311-x86_64-linux-gnu.so", True),
        ("rapidfuzz/distance/metrics_cpp_avx2.cpython-311-x86_64-linux-gnu.so", False),
        ("libQt6Gui.so.6", False),
        ("libstdc++.so.6", True),
    ],
)
def test_parts_of_qt(name: str, stays: bool) -> None:
    assert trim.is_wanted_binary(name) is stays


@pytest.mark.parametrize(
    ("name", "stays"),
    [
        ("PySide6/Qt/translations/qtbase_ko.qm", True),
        ("PySide6/Qt/translations/qtbase_de.qm", False),
        ("PySide6/Qt/translations/qt_help_ko.qm", False),
        ("mcp-2.3.0.dist-info/METADATA", True),
        ("mcp-2.3.0.dist-info/direct_url.json", False),
        ("mcp-2.3.0.dist-info/RECORD", False),
        ("lifehelper_desktop/resources/icons/app.svg", True),
        ("lifehelper_desktop/resources/locale/en/LC_MESSAGES/lifehelper.mo", True),
        ("lifehelper_desktop/resources/locale/en/LC_MESSAGES/lifehelper.po", False),
    ],
)
def test_data_files(name: str, stays: bool) -> None:
    assert trim.is_wanted_data(name) is stays


def test_nothing_of_ours_wants_the_modules_that_are_left_out() -> None:
    script = f"""
import importlib, sys
class Gone:
    def find_spec(self, name, path=None, target=None):
        if any(name == each or name.startswith(each + ".") for each in {trim.LEFT_OUT!r}):
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Gone())
import lifehelper_desktop
from lifehelper_desktop.base.discovery import module_names
for name in [*module_names(lifehelper_desktop), "llama_cpp", "gguf"]:
    importlib.import_module(name)
"""
    subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=True, timeout=120)
    assert {"readline", "_gdbm"} <= set(trim.LEFT_OUT), "their libraries are under the GPL alone"


def test_only_libraries_that_something_leads_to_stay() -> None:
    entries = [
        ("libgtk-3.so.0", "/sys/gtk", "BINARY"),
        ("libb.so.1", "/sys/b", "BINARY"),
        ("liba.so.1", "/sys/a", "BINARY"),
        ("llama_cpp/lib/libllama.so", "/venv/llama", "BINARY"),
        ("_x.so", "/venv/x", "EXTENSION"),
    ]
    linked = {"/venv/x": {"liba.so.1"}, "/sys/a": {"libb.so.1", "libc.so.6"}, "/sys/gtk": {"libb.so.1"}}
    kept = trim.reachable(entries, lambda path: linked.get(path, set()))
    assert [entry[0] for entry in kept] == ["_x.so", "liba.so.1", "libb.so.1", "llama_cpp/lib/libllama.so"]


def test_links_to_what_is_gone_go_too() -> None:
    entries = [("libx.so", "lib/libx.so.1", "SYMLINK"), ("liby.so", "lib/liby.so.1", "SYMLINK")]
    assert trim.without_loose_links(entries, {"lib/libx.so.1"}) == entries[:1]


# -- the folder afterwards


def test_copies_become_links(tmp_path: Path) -> None:
    for name in ("a/one.so", "b/two.so"):
        path = tmp_path / name
        path.parent.mkdir()
        path.write_bytes(b"x" * 20_000)
    (tmp_path / "b" / "small").write_bytes(b"y")
    assert tidy.link_copies(tmp_path) == 20_000
    assert (tmp_path / "b" / "two.so").readlink() == Path("../a/one.so")
    assert not list(tidy.foreign_links(tmp_path))
    (tmp_path / "out").symlink_to("/etc")
    assert [path.name for path in tidy.foreign_links(tmp_path)] == ["out"]


def test_a_folder_of_this_machine_is_found_also_when_it_is_packed(tmp_path: Path) -> None:
    import zlib

    (tmp_path / project.WINDOW).write_bytes(b"head" + zlib.compress(b"/home/me/tree/x.py", 9) + b"tail")
    (tmp_path / "other").write_bytes(b"nothing")
    assert [path.name for path, _found in tidy.leaks(tmp_path, [b"/home/me/tree"])] == [project.WINDOW]
    with pytest.raises(BuildError, match="names /home/me/tree"):
        tidy.check(tmp_path, ["/home/me/tree"])


def test_a_text_named_like_the_program_is_none(tmp_path: Path) -> None:
    assert tidy.is_program(tmp_path / "lifehelper-desktop")
    assert tidy.is_program(tmp_path / "lifehelper.exe")
    assert not tidy.is_program(tmp_path / "lifehelper.mo")


# -- the environment


def test_the_lock_without_the_library_that_is_built_apart() -> None:
    text = "# head\na==1 \\\n    --hash=x\nllama-cpp-python==0.3.36 \\\n    --hash=y\nnumpy==2\n"
    assert environment.without_llama(text) == "# head\na==1 \\\n    --hash=x\nnumpy==2\n\n"


def test_one_wheel_of_the_locked_version_is_wanted(place: Workplace) -> None:
    place.wheel.mkdir()
    with pytest.raises(BuildError, match="0 llama_cpp_python wheels"):
        environment.find_wheel(place.wheel)
    right = place.wheel / f"llama_cpp_python-{environment.locked_llama()}-py3-none-manylinux_2_34_x86_64.whl"
    right.touch()
    assert environment.find_wheel(place.wheel) == right
    wrong = place.wheel / "llama_cpp_python-0.0.1-py3-none-any.whl"
    wrong.touch()
    with pytest.raises(BuildError, match="the lock wants"):
        environment.find_wheel(wrong)
    with pytest.raises(BuildError, match="2 llama_cpp_python wheels"):
        environment.find_wheel(place.wheel)


@pytest.mark.parametrize("named", [False, True])
def test_a_missing_wheel_is_built_unless_another_was_named(
    place: Workplace, named: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[tuple[str, Sequence[str | Path]]] = []

    def run(_place: Workplace, title: str, command: Sequence[str | Path], **_options: object) -> str:
        steps.append((title, command))
        return ""

    monkeypatch.setattr(Workplace, "run", run)
    where = replace(place, wheel=place.out / "elsewhere") if named else place
    with pytest.raises(BuildError, match="0 llama_cpp_python wheels"):
        environment.prepare(where)
    if named:
        assert not steps
    else:
        [(title, command)] = steps
        assert title == "llama.cpp"
        assert command[1:4] == [PACKAGING / "llama" / "build.py", "--out", place.own_wheels]


def test_a_failed_step_shows_the_end_of_its_log(place: Workplace) -> None:
    with pytest.raises(BuildError, match=r"(?s)failed with 3.*oh dear"):
        place.run("step", [sys.executable, "-c", "print('oh dear'); raise SystemExit(3)"])
    with pytest.raises(BuildError, match="is not installed"):
        place.run("step", ["no-such-program-at-all"])


# -- licences


def test_every_library_that_we_ask_for_has_a_licence() -> None:
    names = ["peewee", "httpx", "pyside6-essentials", "mcp", "numpy"]
    found = licences.collect(names)
    assert [each.name for each in found if each.kind == "python"] == sorted(
        (importlib.metadata.distribution(name).metadata["Name"] for name in names), key=str.lower
    )
    assert all(each.licence or each.text for each in found)
    qt = next(each for each in found if each.name.lower().startswith("pyside6"))
    assert "LGPL" in qt.licence
    assert "dynamically" in qt.text


def test_debians_copyright_files_in_short() -> None:
    text = (
        "Format: https://dep5.example\n\nFiles: doc/*\nLicense: GFDL\n"
        "\nFiles: *\nCopyright: us\nLicense: LGPL-2.1+\n text\n"
        "\nFiles: debian/*\nLicense: GPL-3\n\nLicense: GPL-3\n text\n"
    )
    assert licences.debian_words(text) == "LGPL-2.1+, GFDL"
    assert licences.debian_words("This was packaged by someone.\n\nLicense: * Permission to use") == ""


def test_what_wheels_carry_along_is_named() -> None:
    files = [
        Path("/v/numpy.libs/libscipy_openblas64_-32a4b2a6.so"),
        Path("/v/numpy.libs/libgfortran-040039e1-0352e75f.so.5.0.0"),
        Path("/v/PySide6/Qt/lib/libicudata.so.73"),
        Path("/v/PySide6/Qt/lib/libQt6Core.so.6"),
        Path("/usr/lib/libz.so.1"),
    ]
    found = {(each.name, each.version) for each in licences.carried(files)}
    assert found == {("libscipy_openblas64", ""), ("libgfortran", "5.0.0"), ("libicudata", "73")}


def test_licences_that_are_only_named_come_along(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(licences, "_COMMON", tmp_path)
    (tmp_path / "LGPL-2.1").write_text("the lesser one\n", encoding="utf-8")
    (tmp_path / "GPL-3").write_bytes((ROOT / "resources" / "licences" / "GPL-3.0.txt").read_bytes())
    (tmp_path / "GPL").symlink_to("GPL-3")
    text = "see /usr/share/common-licenses/LGPL-2.1. Or `/usr/share/common-licenses/GPL'."
    found = licences.common_texts([licences.Component("glib", "2", "LGPL", text, kind="system")])
    assert [(each.name, each.text, each.kind) for each in found] == [("LGPL-2.1", "the lesser one", "text")]


def test_the_folders_of_this_machine_are_those_of_the_build(place: Workplace) -> None:
    """A home may be called like that of the service that made a wheel, which stands in the wheel's libraries."""
    assert {str(ROOT), str(place.out)} < set(freeze.machine_folders(place))
    assert str(Path.home()) not in freeze.machine_folders(place)


def test_what_was_collected_is_shown(tmp_path: Path) -> None:
    for path in (ROOT / "resources" / "licences").iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    licences.write([licences.Component("Something", "1.2", "MIT", "words", "https://something.example")], tmp_path)
    shown = read_licences(tmp_path)
    assert shown[-1].name == "Something"
    assert shown[-1].text == "words"
    assert licences.read(tmp_path / "third-party.json")[0].version == "1.2"
    assert [each.name for each in read_licences()][:3] == ["Gemma 3 270M", "llama.cpp", "Qt, PySide6"]
    notice = "Gemma is provided under and subject to the Gemma Terms of Use found at ai.google.dev/gemma/terms"
    assert notice in " ".join(shown[0].text.split())
    assert "Section 4: ADDITIONAL PROVISIONS" in shown[0].text, "everyone gets a copy of the terms"
    assert "libjpeg" in shown[2].text, "the notices of what is inside Qt"


def test_the_index_names_every_text() -> None:
    folder = ROOT / "resources" / "licences"
    rows = json.loads((folder / "index.json").read_text(encoding="utf-8"))
    assert {name for row in rows for name in row["files"]} == {path.name for path in folder.glob("*.txt")}


# -- texts of the packages


def test_manual_pages_say_what_help_says(tmp_path: Path) -> None:
    assert manpages.main(tmp_path) == 0
    pages = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.1"))
    programs = (project.WINDOW, project.COMMAND)
    assert pages == sorted(f"{folder}man1/{name}.1" for folder in ("", "ko/") for name in programs)
    korean = (tmp_path / "ko" / "man1" / f"{project.COMMAND}.1").read_text(encoding="utf-8")
    assert "카탈로그 찾기" in korean
    assert re.search(r"^\.SH 명령$", korean, re.MULTILINE)
    assert "quick" in (tmp_path / "man1" / f"{project.WINDOW}.1").read_text(encoding="utf-8")


def test_the_changelog_has_debians_form() -> None:
    text = linux.changelog(1_700_000_000)
    assert re.match(rf"{project.WINDOW} \({re.escape(__version__)}\) \w+; urgency=\w+\n\n  \* ", text)
    assert text.endswith("Tue, 14 Nov 2023 22:13:20 -0000\n")
