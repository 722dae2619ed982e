"""Finding a title by what people type."""

from __future__ import annotations

import unicodedata

import pytest

from lifehelper_desktop.domain.finding import finds

WALK = "하루 걷기"


@pytest.mark.parametrize(
    "query",
    [
        "",
        "  ",
        "걷기",
        "걷",
        "거",
        "ㄱ",
        "ㄱㄱ",
        "ㅎㄹ",
        "ㅎㄹㄱㄱ",
        "ㅎㄹ ㄱㄱ",
        "하루걷기",
        "걷기 하루",
        "걷ㄱ",
        "하룩",
    ],
)
def test_what_is_found(query: str) -> None:
    assert finds(query, WALK)
    assert finds(unicodedata.normalize("NFD", query), WALK)


@pytest.mark.parametrize("query", ["없음", "기하", "ㄱㅎ", "걷기 밤", "거기", "ㅋ"])
def test_what_is_not_found(query: str) -> None:
    assert not finds(query, WALK)


@pytest.mark.parametrize(
    ("query", "title"),
    [
        ("간", "가나다"),  # on the way to 가나
        ("닭", "달가닥"),
        ("닭", "닭가슴살"),
        ("밖", "바깥 산책"),
        ("ㄲ", "까치"),
        ("물 ㅁㅅ", "물 마시기 (2L)"),
        ("walk", "Daily WALK"),
        ("ÉTÉ", "été"),
        ("2l", "물 마시기 (2L)"),
        ("(", "물 마시기 (2L)"),
        ("🌞", "해 보기 🌞"),
    ],
)
def test_unfinished_syllables_and_other_letters(query: str, title: str) -> None:
    assert finds(query, title)


@pytest.mark.parametrize("query", ["\0", "\u200b", "\ud800", "ㅏ", "ㄳ", "가" * 500, "[", "\\", "^$.*"])
def test_any_query_is_harmless(query: str) -> None:
    assert finds(query, "") in (True, False)
    assert finds(query, WALK) in (True, False)


def test_consonants_that_the_keyboard_joins_are_taken_apart() -> None:
    """Typing ㄹ and ㄱ for 레고 gives ㄺ on a Korean keyboard."""
    assert finds("ㄺ", "레고 놀이")
    assert finds("ㄳ", "가습기")
    assert not finds("ㄺ", "가라")
