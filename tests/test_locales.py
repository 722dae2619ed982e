"""Translations: nothing missing, placeholders equal, compiled files current."""

from __future__ import annotations

import importlib.util
import re
import string
from pathlib import Path
from types import ModuleType

import pytest
from babel.messages.catalog import Message

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def locales() -> ModuleType:
    spec = importlib.util.spec_from_file_location("locales", ROOT / "packaging" / "locales.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _fields(text: str) -> set[str]:
    return {name for _text, name, _spec, _conversion in string.Formatter().parse(text) if name is not None}


def test_every_text_of_the_program_is_translated(locales: ModuleType) -> None:
    wanted = {message.id for message in locales.extract() if message.id}
    assert len(wanted) > 50
    for language, path in locales.languages():
        catalog = locales.read(path, language)
        have = {message.id for message in catalog if message.id and locales.is_translated(message)}
        assert wanted - have == set(), language
        assert have - wanted == set(), f"{language}: obsolete; run packaging/locales.py"


def test_a_fuzzy_text_counts_as_not_translated(locales: ModuleType) -> None:
    assert locales.is_translated(Message("쉬기", "Rest"))
    assert not locales.is_translated(Message("쉬기", "Rest", flags=["fuzzy"]))  # the compiled file leaves it out
    assert not locales.is_translated(Message(("{n}일", "{n}일"), ("{n} day", "")))


def test_placeholders_are_the_same(locales: ModuleType) -> None:
    for language, path in locales.languages():
        for message in locales.read(path, language):
            if not message.id:
                continue
            sources = message.id if isinstance(message.id, tuple) else (message.id,)
            targets = message.string if isinstance(message.string, tuple) else (message.string,)
            if isinstance(message.id, tuple):
                assert len(targets) == 2, message.id
            for target in targets:
                assert _fields(target) == _fields(sources[0]), message.id
                assert target.strip(), message.id


def test_english_texts_hold_no_korean(locales: ModuleType) -> None:
    path = ROOT / "resources/locale/en/LC_MESSAGES/lifehelper.po"
    for message in locales.read(path, "en"):
        texts = message.string if isinstance(message.string, tuple) else (message.string,)
        for text in texts:
            # "한국어" is the name of the language in the language itself.
            assert message.id == "" or not re.search(r"[가-힣]", text.replace("한국어", "")), message.id


def test_compiled_files_are_current(locales: ModuleType) -> None:
    for language, path in locales.languages():
        assert path.with_suffix(".mo").read_bytes() == locales.compiled(locales.read(path, language)), language


def test_no_f_string_is_marked_for_translation() -> None:
    pattern = re.compile(r"\b(?:_|N_|ngettext)\(\s*f[\"']")
    for path in (ROOT / "lifehelper_desktop").rglob("*.py"):
        assert not pattern.search(path.read_text(encoding="utf-8")), path
