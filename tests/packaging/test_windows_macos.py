"""What Windows and macOS need beside the program, as far as any system can check it."""

from __future__ import annotations

import locale
import plistlib
import re
import shutil
import struct
import subprocess
import sys
from pathlib import Path, PurePosixPath

import pytest

import smoke
from frozen import start
from macos import make_dmg
from macos import spec_part as mac
from macos.icns import KINDS, SIZES, icns_bytes, read_icns
from release import trim
from release.project import APP_ID, version
from windows import make_installer, version_resource
from windows import spec_part as win
from windows.ico import SIZES as ICO_SIZES
from windows.ico import ico_bytes, png_size

ROOT = Path(__file__).resolve().parent.parent.parent
NSIS = ("lifehelper.nsi", "both.nsh", "words.nsh")


@pytest.fixture
def app(tmp_path: Path) -> Path:
    """A folder like a frozen program for Windows."""
    folder = tmp_path / "app"
    for name in ("lifehelper-desktop.exe", "lifehelper.exe", "_internal/a/$x.txt", "_internal/한글/b c.dll"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b"x" * 2000)
    return folder


# ---- icons --------------------------------------------------------------------------------------------------------


def test_the_windows_icon_holds_every_size(tmp_path: Path) -> None:
    content = win.write_icon(tmp_path).read_bytes()
    kind, count = struct.unpack("<HH", content[2:6])
    assert (kind, count) == (1, len(ICO_SIZES))
    for at, size in enumerate(ICO_SIZES):
        width, height, _colours, _none, planes, bits, length, place = struct.unpack_from(
            "<BBBBHHII", content, 6 + 16 * at
        )
        assert (width or 256, height or 256, planes, bits) == (size, size, 1, 32)
        assert png_size(content[place : place + length]) == (size, size)
    assert place + length == len(content)


def test_the_mac_icon_holds_every_size(tmp_path: Path) -> None:
    found = read_icns(mac.write_icon(tmp_path).read_bytes())
    assert {kind: png_size(picture)[0] for kind, picture in found.items()} == KINDS
    assert max(SIZES) == 1024


def test_pictures_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    content = mac.write_icon(tmp_path).read_bytes()
    large = read_icns(content)[b"ic09"]
    with pytest.raises(ValueError, match="512"):
        ico_bytes([large])
    with pytest.raises(ValueError, match="no PNG"):
        ico_bytes([b"GIF89a"])
    with pytest.raises(ValueError, match="16 pixels"):
        icns_bytes({16: large})
    for broken in (b"icon", content[:-1], content[:8] + b"ic07" + struct.pack(">I", 3) + content[16:]):
        with pytest.raises(ValueError, match=r"icon|picture"):
            read_icns(broken)


# ---- version resource ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "numbers"),
    [("1.2.3", (1, 2, 3, 0)), ("0.1.0", (0, 1, 0, 0)), ("2.0rc1", (2, 0, 0, 0)), ("1.2.3.4.5", (1, 2, 3, 4)),
     ("70000.1", (65535, 1, 0, 0))],
)  # fmt: skip
def test_versions_as_four_numbers(text: str, numbers: tuple[int, ...]) -> None:
    assert version_resource.four_numbers(text) == numbers


def test_what_is_no_version_is_refused() -> None:
    with pytest.raises(ValueError, match="no version"):
        version_resource.four_numbers("latest")


def test_the_version_resource_reads_as_pyinstaller_reads_it(tmp_path: Path) -> None:
    names = (
        "VSVersionInfo",
        "FixedFileInfo",
        "StringFileInfo",
        "StringTable",
        "StringStruct",
        "VarFileInfo",
        "VarStruct",
    )

    def keep(name: str) -> object:
        return lambda *args, **more: (name, args, more)

    for console, program in ((False, "lifehelper-desktop"), (True, "lifehelper")):
        options = win.exe_options("1.2.3", tmp_path, console=console)
        text = Path(str(options["version"])).read_text(encoding="utf-8")
        # PyInstaller evaluates the file just so.
        kind, _none, parts = eval(text, {name: keep(name) for name in names})
        assert kind == "VSVersionInfo"
        assert parts["ffi"][2]["filevers"] == (1, 2, 3, 0)
        tables = parts["kids"][0][1][0]
        assert [table[1][0] for table in tables] == ["041204b0", "040904b0"]
        strings = {row[1][0]: row[1][1] for row in tables[0][1][1]}
        assert strings["FileDescription"] == "라이프 헬퍼"
        assert (strings["ProductVersion"], strings["OriginalFilename"]) == ("1.2.3", f"{program}.exe")
        assert Path(str(options["icon"])).is_file()


# ---- the installer ------------------------------------------------------------------------------------------------


def test_every_file_is_installed_and_removed_by_name(app: Path) -> None:
    files = make_installer.files_of(app)
    assert [str(each) for each in files] == sorted(str(each) for each in files)
    written, removed = make_installer.install_lines(app, files), make_installer.uninstall_lines(files)
    assert written.count("\nFile ") + written.startswith("File ") == 4
    assert 'SetOutPath "$INSTDIR\\_internal\\한글"' in written
    assert 'Delete "$INSTDIR\\_internal\\a\\$$x.txt"' in removed
    assert "/r" not in removed, "nothing that was not installed is ever removed"
    folders = re.findall(r'^RMDir "(.*)"$', removed, re.MULTILINE)
    assert folders == sorted(folders, reverse=True), "a folder after those inside it"


def test_what_is_no_frozen_program_is_refused(app: Path, tmp_path: Path) -> None:
    with pytest.raises(make_installer.InstallerError, match="has no"):
        make_installer.files_of(tmp_path / "nothing")
    (app / "readme.txt").write_text("x")
    with pytest.raises(make_installer.InstallerError, match="beside the program"):
        make_installer.files_of(app)


def test_without_nsis_it_says_what_to_install(
    app: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    code = make_installer.main(["--app", str(app), "--version", "1.0", "--out", str(tmp_path / "x.exe")])
    assert code == 1
    assert "install NSIS" in capsys.readouterr().err


def test_everything_the_installer_says_is_in_both_languages() -> None:
    folder = ROOT / "packaging" / "windows"
    script, both, words = ((folder / name).read_text(encoding="utf-8") for name in NSIS)
    said = re.findall(r'^!insertmacro WORDS (\w+)\s+\\?\s*"([^"]+)"\s+\\?\s*"([^"]+)"$', words, re.MULTILINE)
    assert len(said) == words.count("!insertmacro WORDS")
    for name, korean, english in said:
        if name != "otherName":
            assert re.search("[가-힣]", korean), name
            assert not re.search("[가-힣]", english), name
        for sign in ("$_CLICK", "$R1", "$R2", "${VERSION}"):
            assert korean.count(sign) == english.count(sign), (name, sign)
    used = set(re.findall(r"\$\((\w+)\)", script + both)) - {"terms"}
    assert used == {name for name, _korean, _english in said}
    assert {each.name for each in folder.glob("terms-*.txt")} == {"terms-ko.txt", "terms-en.txt"}


def test_the_uninstaller_never_removes_a_folder_whole_but_its_own(app: Path) -> None:
    script = (ROOT / "packaging" / "windows" / "lifehelper.nsi").read_text(encoding="utf-8")
    undo, removing = script[: script.index("; ---- uninstalling")], script[script.index("; ---- uninstalling") :]
    assert set(re.findall(r'RMDir /r "([^"]+)"', undo)) == {"$INSTDIR\\${NAME}", "${ASIDE}"}
    moved = set(re.findall(r'!insertmacro PUT_BACK "([^"]+)"', undo))
    assert moved == {"_internal", "${WINDOW_EXE}", "${COMMAND_EXE}", "uninstall.exe"}
    assert moved == set(re.findall(r'!insertmacro PUT_ASIDE "([^"]+)"', undo))
    assert set(re.findall(r'RMDir /r "([^"]+)"', removing)) == {"${ASIDE}\\_internal", "${DATA}"}
    assert script.count('RMDir /r "${DATA}"') == 1
    records = script[script.index("UN_RECORDS\n") : script.index("SectionEnd", script.index("UN_RECORDS\n"))]
    assert 'RMDir /r "${DATA}"' in records
    assert script.count("Section /o") == 2, "the records and the desktop shortcut are not ticked"
    assert "RequestExecutionLevel user" in script


def test_no_file_is_ever_left_out_silently() -> None:
    """What NSIS does by itself with a file it cannot write, when nobody is there to be asked."""
    script = (ROOT / "packaging" / "windows" / "lifehelper.nsi").read_text(encoding="utf-8")
    assert script.index("\nAllowSkipFiles off\n") < script.index('!include "${FILES}"')


def test_a_compiler_without_64_bit_stubs_will_do() -> None:
    """The one that is published for Windows has none: nothing may come before the choice, and both must be there."""
    script = (ROOT / "packaging" / "windows" / "lifehelper.nsi").read_text(encoding="utf-8")
    first = [line.strip() for line in script.splitlines() if line and not line.startswith(";")][:5]
    assert first[0].startswith('!if /FileExists "${NSISDIR}/Stubs/')
    assert first[1:] == ["Target amd64-unicode", "!else", "Target x86-unicode", "!endif"]


def test_the_longest_path_is_counted_as_windows_counts(
    app: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []

    def keep(command: list[str], **_more: object) -> subprocess.CompletedProcess[str]:
        said.extend(command)
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(make_installer, "find_makensis", lambda: "makensis")
    monkeypatch.setattr(subprocess, "run", keep)
    (app / "_internal" / "한글" / ("😀" * 20)).write_bytes(b"")
    make_installer.make(app, "1.0", tmp_path / "x.exe")
    assert f"-DLONGEST={len('_internal/한글/') + 40}" in said


# ---- macOS --------------------------------------------------------------------------------------------------------


def test_the_property_lists_are_readable() -> None:
    values = plistlib.loads(plistlib.dumps(mac.info_plist(version())))
    assert values["CFBundleShortVersionString"] == version()
    assert values["LSMinimumSystemVersion"] == "13.0"
    assert "CFBundleURLTypes" not in values, "no address scheme is registered"
    assert mac.info_plist("1.2rc3")["CFBundleVersion"] == "1.2.0"
    [kind] = values["CFBundleDocumentTypes"]
    [imported] = values["UTImportedTypeDeclarations"]
    assert kind["LSItemContentTypes"] == [imported["UTTypeIdentifier"]]
    assert imported["UTTypeTagSpecification"]["public.filename-extension"] == ["gguf"]
    assert kind["LSHandlerRank"] == "Alternate"
    entitlements = plistlib.loads(mac.ENTITLEMENTS.read_bytes())
    assert all(value is True for value in entitlements.values())
    assert not [key for key in entitlements if "network" in key or "device" in key]


def test_what_the_recipe_gets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(mac.IDENTITY, raising=False)
    assert mac.exe_options("1.0", tmp_path, console=False)["codesign_identity"] is None
    monkeypatch.setenv(mac.IDENTITY, "Developer ID Application: X")
    assert mac.exe_options("1.0", tmp_path, console=True)["codesign_identity"] == "Developer ID Application: X"
    options = mac.bundle_options("1.0", tmp_path)
    assert (options["name"], options["bundle_identifier"]) == ("LifeHelper.app", APP_ID)
    assert read_icns(Path(str(options["icon"])).read_bytes())


def make_bundle(folder: Path, version_: str) -> Path:
    app = folder / "LifeHelper.app"
    (app / "Contents" / "MacOS").mkdir(parents=True)
    (app / "Contents" / "MacOS" / "lifehelper-desktop").write_bytes(b"x")
    values = {**mac.info_plist(version_), "CFBundleExecutable": "lifehelper-desktop"}
    (app / "Contents" / "Info.plist").write_bytes(plistlib.dumps(values))
    return app


def test_only_the_right_program_goes_into_the_image(tmp_path: Path) -> None:
    app = make_bundle(tmp_path, "1.0")
    make_dmg.check_app(app, "1.0")
    with pytest.raises(make_dmg.ImageError, match=r"version 1.0, not 2.0"):
        make_dmg.check_app(app, "2.0")
    (app / "Contents" / "MacOS" / "lifehelper-desktop").unlink()
    with pytest.raises(make_dmg.ImageError, match="no program in it"):
        make_dmg.check_app(app, "1.0")
    with pytest.raises(make_dmg.ImageError, match="is no program"):
        make_dmg.check_app(tmp_path, "1.0")


def test_the_image_is_signed_only_with_a_certificate(tmp_path: Path) -> None:
    app, out = make_bundle(tmp_path, "1.0"), tmp_path / "x.dmg"
    without = make_dmg.commands(app, tmp_path, "1.0", out, "")
    assert [command[0] for command in without] == ["ditto", "codesign", "hdiutil", "hdiutil"]
    assert not any("--sign" in command for command in without)
    signed = make_dmg.commands(app, tmp_path, "1.0", out, "ID")
    assert [command[-1] for command in signed if "--sign" in command] == [str(tmp_path / app.name), str(out)]
    assert str(mac.ENTITLEMENTS) in signed[1]


@pytest.mark.skipif(sys.platform == "darwin", reason="there the image is made")
def test_elsewhere_it_says_that_a_mac_is_needed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    app = make_bundle(tmp_path, "1.0")
    assert make_dmg.main(["--app", str(app), "--version", "1.0", "--out", str(tmp_path / "x.dmg")]) == 1
    assert "on macOS" in capsys.readouterr().err


# ---- the smoke test and the way in, on Windows ---------------------------------------------------------------------


def test_a_stranger_on_windows_has_folders_of_his_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", "C:\\Users\\me\\AppData\\Local")
    monkeypatch.setenv("SystemRoot", "C:\\Windows")
    stranger = smoke.Stranger(tmp_path / "app", tmp_path / "home", "")
    folder = str(tmp_path / "home" / "LOCALAPPDATA")
    assert stranger.environment["LOCALAPPDATA"] == folder
    assert stranger.environment["WIN_PD_OVERRIDE_LOCAL_APPDATA"] == folder
    assert stranger.environment["SystemRoot"] == "C:\\Windows"
    assert stranger.program("lifehelper").endswith("lifehelper.exe")


def test_what_a_program_prints_is_read_in_the_machines_encoding_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locale, "getencoding", lambda: "cp949")
    assert smoke.text_of("걷기".encode()) == smoke.text_of("걷기".encode("cp949")) == "걷기"


def test_the_command_line_is_known_however_it_is_typed() -> None:
    assert start.arguments(["LIFEHELPER.EXE", "habits"]) == ["cli", "habits"]


def test_libraries_are_found_however_their_names_are_written() -> None:
    """Without Microsoft's, which Qt's wheels bring in small letters, the program starts only where others put them."""
    entries = [
        ("_ssl.pyd", "a", "EXTENSION"),
        ("PySide6\\QtCore.pyd", "b", "EXTENSION"),
        ("PySide6\\Qt6Core.dll", "c", "BINARY"),
        ("PySide6\\msvcp140.dll", "d", "BINARY"),
        ("PySide6\\Qt6Other.dll", "e", "BINARY"),
    ]
    imports = {"b": {"Qt6Core.dll"}, "c": {"MSVCP140.dll"}}
    kept = trim.reachable(entries, lambda path: imports.get(path, set()))
    assert {name for _path, name, _kind in kept} == {"a", "b", "c", "d"}


# ---- scripts and workflows ----------------------------------------------------------------------------------------


def test_shell_scripts_stop_at_the_first_error() -> None:
    scripts = [*ROOT.glob("packaging/windows/*.sh"), *ROOT.glob("packaging/macos/*.sh")]
    assert scripts
    for path in scripts:
        text = path.read_text(encoding="utf-8")
        assert text.startswith("#!/usr/bin/env bash\n"), path
        assert "set -euo pipefail" in text, path
        subprocess.run(["bash", "-n", str(path)], check=True)


def test_workflows_call_what_there_is() -> None:
    for path in (ROOT / ".github" / "workflows").glob("*.yml"):
        text = path.read_text(encoding="utf-8")
        called = set(re.findall(r"(packaging/[\w/.-]+\.(?:py|sh|ps1))", text))
        for each in called:
            assert (ROOT / PurePosixPath(each)).is_file(), (path.name, each)
        assert "permissions:\n  contents: read" in text
        jobs = text[text.index("\njobs:") :]
        assert len(re.findall(r"^    timeout-minutes: \d+$", jobs, re.MULTILINE)) == len(
            re.findall(r"^    runs-on: ", jobs, re.MULTILINE)
        ), f"{path.name}: a job without a limit"
        assert text.count("uses: actions/checkout@") == text.count("persist-credentials: false"), path.name


def test_the_page_of_releases_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import release_page

    target = tmp_path / "release.json"
    assert release_page.main(["https://example.org/r"], target) == 0
    assert target.read_text(encoding="utf-8") == '{"page": "https://example.org/r"}\n'
    assert release_page.main([], target) == 0
    assert target.read_text(encoding="utf-8") == (ROOT / "resources" / "release.json").read_text(encoding="utf-8")
    for wrong in (["http://example.org"], ["javascript:1"], ["a", "b"]):
        assert release_page.main(wrong, target) == 2
    assert "usage" in capsys.readouterr().err
