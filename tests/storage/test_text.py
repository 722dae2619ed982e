"""Text that is stored comes back exactly; what a database cannot carry is cleaned away."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lifehelper_desktop.domain.habits import EntryValue
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.storage.text import clean_note, clean_optional, clean_text, shorten
from tests.storage.support import TODAY, add, refused


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  걷기 \n", "걷기"),
        ("두\n줄", "두 줄"),
        ("두\t칸", "두 칸"),
        ("영\x00바이트", "영바이트"),
        ("\x1b[31m빨강\x07", "[31m빨강"),
        ("외톨이 \ud800 글자", "외톨이 \ufffd 글자"),
        (unicodedata.normalize("NFD", "각"), "각"),
        ("👨‍👩‍👧 가족", "👨‍👩‍👧 가족"),
        ("שלום 안녕", "שלום 안녕"),
        ("\u200b\u200b", ""),
        ("\u3164\u3164", ""),
        ("\u115f\u1160", ""),
        ("\ufeff걷\u2060기\u00ad", "걷기"),
        ("걷기\u31645분", "걷기 5분"),
        ("담배 끊\u200d기", "담배 끊기"),
        ("한\u2028줄\x85만", "한 줄 만"),
        ("\u202e거꾸로\u202c", "거꾸로"),
        (
            "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f 🏃🏽‍♀️ ❤️ 1️⃣",
            "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f 🏃🏽‍♀️ ❤️ 1️⃣",
        ),
        ("क्\u200dष", "क्\u200dष"),
        ("e\u200b\u0301", "é"),
    ],
)
def test_clean_text(text: str, expected: str) -> None:
    assert clean_text(text) == expected


def test_notes_keep_their_lines() -> None:
    assert clean_note("한 줄\r\n두 줄\r세 줄\n") == "한 줄\n두 줄\n세 줄"
    with refused("validation"):
        clean_note("가" * 201)
    assert len(clean_note("가" * 200)) == 200


def test_optional_text() -> None:
    assert clean_optional(None) is None
    assert clean_optional(" \x00 ") is None
    assert clean_optional(" a ") == "a"


def test_shorten_takes_anything() -> None:
    assert shorten("가" * 100_000) == "가" * 59 + "…"
    assert shorten(10**10_000) == "…"
    assert shorten("\ud800\x00") == "\ufffd"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(st.text(st.characters(), max_size=200))
def test_any_note_round_trips(store: Store, note: str) -> None:
    habit = store.habits.list()[0] if store.habits.list() else add(store)
    stored = clean_note(note)
    store.entries.change(habit.id, TODAY, EntryValue.DONE, note=note)
    entry = store.entries.get(habit.id, TODAY)
    assert entry is not None
    assert entry.note == stored


@settings(max_examples=300, deadline=None)
@given(
    st.text(st.sampled_from("a가각ᆨ́🙂🏽❤\ufe0f\u200d\u200b\u3164\u1160\ud800\U000e0067🏴क् \n\t\u2028e"), max_size=12),
    st.booleans(),
)
def test_cleaned_text_is_clean(text: str, keep_lines: bool) -> None:
    """What was shown after one cleaning is what a second one stores."""
    cleaned = clean_text(text, keep_lines=keep_lines)
    assert clean_text(cleaned, keep_lines=keep_lines) == cleaned
    assert unicodedata.is_normalized("NFC", cleaned)
    assert keep_lines or "\n" not in cleaned
