"""A crash report tells where it happened and nothing of the user's: proved with every kind of text in every place."""

from __future__ import annotations

import json
import logging
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lifehelper_desktop.base import crash_text as subject
from lifehelper_desktop.base import settings
from lifehelper_desktop.base.crash_text import MASK, crash_text, error_text, safe_message, safe_path, without_paths
from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.logs import REPORTS_KEPT, setup_logging, write_crash_report
from lifehelper_desktop.base.mcp_servers import read_servers
from lifehelper_desktop.domain.habits import NewHabit
from lifehelper_desktop.storage.store import Store

NOTE = "무릎이 아파서 반만 걸었다"
TITLE = "Read one page of Anna Karenina"
CHAT = "I am so tired of everything, call my sister first"
HOME = str(Path.home() / "일기" / "secret.gguf")
PRIVATE = (NOTE, TITLE, CHAT, HOME)


def report_of(work: Callable[[], object]) -> str:
    """Return the report of the error that `work` raises."""
    try:
        work()
    except Exception as error:
        return crash_text(type(error), error, error.__traceback__)
    raise AssertionError("it raised nothing")


def assert_private(report: str, *texts: str) -> None:
    """No word of the texts stands in what the report quotes: words that the program's own lines hold do not count."""
    own = set(report_of(lambda: settings.LANGUAGE.check(0)).split())  # what every report holds
    for text in texts:
        assert text not in report
        for word in text.replace("/", " ").split():
            if len(word) > 3 and word not in own:
                quoted = [line for line in report.splitlines() if not line.startswith("    ")]
                assert not any(word in line for line in quoted), (word, report)


@pytest.mark.parametrize("text", PRIVATE)
def test_texts_of_the_user_in_errors_of_the_program(text: str, store: Store) -> None:
    for work in (
        lambda: settings.LANGUAGE.check(text),
        lambda: settings.setting(text),
        lambda: read_servers(json.dumps([{"name": text}])),
        lambda: json.loads('{"note": "' + text),
        lambda: date.fromisoformat(text),
        lambda: int(text),
        lambda: {}[text],  # type: ignore[index]
        lambda: getattr(store, text),
        lambda: Path(text).resolve(strict=True).read_text(),
        lambda: store.settings.set(settings.LANGUAGE, text),
        lambda: NewHabit(**{text: 1}),  # type: ignore[arg-type]
        lambda: text.encode("ascii" if not text.isascii() else "없음"),
    ):
        assert_private(report_of(work), text)


def test_texts_of_the_user_in_what_led_to_an_error() -> None:
    def inner() -> None:
        raise ValueError(NOTE)

    def middle() -> None:
        try:
            inner()
        except ValueError as error:
            raise WorldError(TITLE, CHAT) from error

    def outer() -> None:
        try:
            middle()
        except WorldError:
            raise KeyError(HOME)  # noqa: B904 - the context is what is tested

    report = report_of(outer)
    assert_private(report, *PRIVATE)
    assert report.count("Traceback (most recent call last)") == 3
    assert "direct cause" in report


def test_texts_of_the_user_in_groups_notes_and_sql() -> None:
    def group() -> None:
        error = ValueError(NOTE)
        error.add_note(CHAT)
        raise ExceptionGroup(TITLE, [error, TypeError(HOME)])

    assert_private(report_of(group), *PRIVATE)
    with closing(sqlite3.connect(":memory:")) as db:
        report = report_of(lambda: db.execute(f"SELECT {TITLE}"))
    assert_private(report, TITLE)
    assert report.rstrip().endswith("sqlite3.OperationalError: SQLITE_ERROR")


def test_an_error_that_cannot_be_read() -> None:
    class OddError(Exception):
        def __str__(self) -> str:
            raise RuntimeError(NOTE)

    assert safe_message(OddError()) == MASK


@given(st.text(min_size=1))
@example("Call the list first")
@example("'quoted' \"text\"")
@example("a\nb")
def test_any_text_is_masked(text: str) -> None:
    report = report_of(lambda: settings.setting(text))
    last = report.splitlines()[-1]
    assert last in (f"KeyError: '{MASK}'", f'KeyError: "{MASK}"', f"KeyError: {MASK}"), last


@given(st.lists(st.sampled_from(sorted(subject._PHRASES)), min_size=2, max_size=6))
def test_not_even_words_of_pythons_own_messages_make_a_sentence(words: list[str]) -> None:
    text = " ".join(words)
    report = report_of(lambda: settings.LANGUAGE.check(text))
    assert text not in report


def test_what_helps_is_there() -> None:
    report = report_of(lambda: settings.LANGUAGE.check(NOTE))
    assert "LifeHelper Desktop" in report
    assert 'File "lifehelper_desktop/base/settings.py", line ' in report
    assert "in Setting.check" in report
    assert "raise ValueError(" in report
    assert f"ValueError: setting {MASK}: '{MASK}' is not one of" in report


def test_python_s_own_messages_about_code_stay() -> None:
    error: Exception | None = None
    try:
        settings.Setting.check(None, 1)  # type: ignore[arg-type]
    except AttributeError as caught:
        error = caught
    assert error is not None
    assert safe_message(error) == "'NoneType' object has no attribute 'default'"


def test_no_folder_of_this_machine() -> None:
    report = report_of(lambda: json.loads("{"))
    for folder in (str(Path.home()), sys.prefix, str(Path(__file__).parent)):
        assert folder not in report
    assert safe_path("/home/kim/.local/opt/LifeHelper/_internal/lifehelper_desktop/ui/app.py") == (
        "lifehelper_desktop/ui/app.py"
    )
    assert safe_path("/home/kim/venv/lib/python3.11/site-packages/peewee.py") == "peewee.py"
    assert safe_path("/home/kim/일기/내 글.txt") == MASK
    assert safe_path("<frozen runpy>") == "<frozen runpy>"


def test_an_endless_recursion_is_short() -> None:
    def again() -> None:
        again()

    report = report_of(again)
    assert "more …" in report
    assert len(report) < 20_000


def test_the_log_s_tracebacks_are_private_too(tmp_path: Path) -> None:
    setup_logging(tmp_path)
    log = logging.getLogger("lifehelper_desktop.test")
    try:
        settings.LANGUAGE.check(NOTE)
    except ValueError:
        log.exception("failed")
    setup_logging(tmp_path)  # closes the file
    text = (tmp_path / "lifehelper.log").read_text(encoding="utf-8")
    assert "settings.py" in text
    assert_private(text, NOTE)


def test_the_log_is_rotated_and_kept_small(tmp_path: Path) -> None:
    setup_logging(tmp_path)
    log = logging.getLogger("lifehelper_desktop.test")
    for _each in range(60):
        log.info("x" * 100_000)
    setup_logging(tmp_path)
    files = sorted(tmp_path.glob("lifehelper.log*"))
    assert [each.name for each in files] == ["lifehelper.log", *(f"lifehelper.log.{at}" for at in (1, 2, 3))]
    assert sum(each.stat().st_size for each in files) < 4_400_000


def test_a_log_that_another_process_holds_open_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    setup_logging(tmp_path)
    log = logging.getLogger("lifehelper_desktop.test")

    def refuse(_path: Path, _target: object) -> Path:
        raise PermissionError(13, "open elsewhere")  # as Windows does

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", refuse)
        for at in range(25):
            log.info("%d %s", at, "x" * 100_000)
    text = (tmp_path / "lifehelper.log").read_text(encoding="utf-8")
    assert text.count("INFO") == 25, "no line was lost"
    for _each in range(15):
        log.info("x" * 100_000)
    setup_logging(tmp_path)
    assert (tmp_path / "lifehelper.log.1").exists()


def test_old_reports_make_room(tmp_path: Path) -> None:
    error = ValueError(NOTE)
    logging.getLogger("lifehelper_desktop").setLevel(logging.CRITICAL + 1)
    for _each in range(REPORTS_KEPT + 5):
        path = write_crash_report(tmp_path, ValueError, error, None)
    logging.getLogger("lifehelper_desktop").setLevel(logging.INFO)
    left = sorted(tmp_path.glob("crash-*.txt"))
    assert len(left) == REPORTS_KEPT
    assert left[-1] == path
    assert error_text(ValueError, error, None) in left[-1].read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("failed to open '/home/kim/내 일기.gguf' (no such file)", f"failed to open '{MASK}"),
        ("C:\\Users\\김 하나\\a.gguf is gone", MASK),
        ("from \\\\server\\share of ours", f"from {MASK}"),
        ("see file:///home/kim/a\nsecond line", f"see {MASK}\nsecond line"),
        ("~/secret", MASK),
        ("download of google/gemma-3: 3/4 at https://example.org/a", None),
        ("12 / 24 blocks", None),
    ],
)
def test_paths_are_masked_to_the_end_of_their_line(text: str, left: str | None) -> None:
    assert without_paths(text) == (text if left is None else left)


def test_the_log_s_lines_are_private_too(tmp_path: Path) -> None:
    setup_logging(tmp_path / "logs")
    log = logging.getLogger("lifehelper_desktop.test")

    def fail() -> None:
        try:
            Path(HOME).read_text()
        except OSError as error:
            raise WorldError(NOTE, TITLE) from error

    try:
        fail()
    except WorldError as error:
        log.warning("it failed: %s", error)
        log.warning("it failed: %r after %d of %.1f", error, 3, 4.5)
    log.warning("file %s: %s", Path(HOME), f"cannot open '{HOME}'")
    log.warning("%(what)s at %(where)s", {"what": "opened", "where": HOME})
    setup_logging(tmp_path / "logs")  # closes the file
    text = (tmp_path / "logs" / "lifehelper.log").read_text(encoding="utf-8")
    for private in (NOTE, TITLE, HOME, "일기", "secret", str(Path.home())):
        assert private not in text
    assert "WorldError" in text
    assert "FileNotFoundError: ENOENT" in text, "what led to it"
    assert "after 3 of 4.5" in text
    assert "opened at" in text
