"""What finds what: syllables across spaces, jamo being typed, width, case and accents; excerpts around the match."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lifehelper_desktop.domain.searching import begins_word, excerpt, finds_all, search_form, search_words

# Signs for which Python's own folding says the same: an oracle that shares no code with the search.
PLAIN = st.text(alphabet="가각간걷기물마시무릎비준차 abcABCé１Ａ%_\"'*-:()", max_size=24)


def finds(query: str, text: str, *, typing: bool = False) -> bool:
    words = search_words(query)
    return bool(words) and finds_all(words, search_form(text), typing=typing)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("걷기", "오늘도 걷기 완료"),
        ("물", "물 한 잔"),
        ("물마시기", "물 마시기"),
        ("물 마시기", "물마시기"),
        ("마시기 물", "물 마시기"),
        ("tv", "TV를 껐다"),
        ("TV를", "tv 를 껐다"),
        ("ｔｖ", "TV"),
        ("cafe", "Café에서"),
        ("CAFÉ", "cafe"),
        (unicodedata.normalize("NFD", "걷기"), "걷기"),
        ("걷기", unicodedata.normalize("NFD", "걷기")),
        ("걷ㄱ", "걷기"),
        ("ㄱㅓㄷㄱㅣ", "걷기"),
        ("거ㄷ", "걷기"),
        ("ㅋㅋ", "좋았다ㅋㅋㅋ"),
        ("ㅠㅠ", "비가 왔다 ㅠㅠ"),
        ("과ㅈ", "과자"),
        ("닭ㄱ", "닭고기"),
        ("%", "50% 했다"),
        ('"', '그는 "좋다"'),
        ("*", "a*b"),
        ("AND", "you and me"),
        ("ﬁt", "fit"),
        ("걷\u200b기", "걷기"),
    ],
)
def test_found(query: str, text: str) -> None:
    assert finds(query, text)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("물", "무릎이 아팠다"),
        ("차", "참치와 책"),
        ("비", "바람"),
        ("heart", "the art"),
        ("물 차", "물 한 잔"),
        ("", "걷기"),
        (" \u200b\ufeff ", "걷기"),
        ("a*", "abc"),
        ("걷기 OR 물", "걷기"),
        ("걷ㄴ", "걷기"),
    ],
)
def test_not_found(query: str, text: str) -> None:
    assert not finds(query, text)


@pytest.mark.parametrize(
    ("typed", "text"), [("거", "걷기"), ("간", "가나다"), ("물 마신", "물 마시는 날"), ("닭", "달걀")]
)
def test_while_typing_the_syllable_may_be_unfinished(typed: str, text: str) -> None:
    assert not finds(typed, text)
    assert finds(typed, text, typing=True)


@given(PLAIN, PLAIN)
def test_as_a_plain_search_says(query: str, text: str) -> None:
    def fold(raw: str) -> str:
        apart = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", raw)).replace("\u0301", "")
        return unicodedata.normalize("NFC", apart).casefold()

    def one(word: str) -> bool:
        is_korean = any("가" <= char <= "힣" for char in word)
        return word in (fold(text).replace(" ", "") if is_korean else fold(text))

    words = fold(query).split()
    assert finds(query, text) == (bool(words) and all(map(one, words)))


@given(st.text(), st.text())
def test_any_text_is_harmless_and_strict_is_part_of_typing(query: str, text: str) -> None:
    if finds(query, text):
        assert finds(query, text, typing=True)
    assert len(excerpt(text, search_words(query), 30)) <= 30
    form = search_form(text)
    assert search_form(form.spaced).keys == form.keys


def test_where_a_word_begins() -> None:
    [word] = search_words("비")
    assert begins_word(word, search_form("오늘 비가 왔다"))
    assert not begins_word(word, search_form("저녁 준비"))


def test_an_excerpt_shows_the_match() -> None:
    text = "아침에는 흐렸고 " * 20 + "무릎이 아팠다\n" + "저녁에는 갰다 " * 20
    shown = excerpt(text, search_words("무릎"), 60)
    assert "무릎이 아팠다" in shown
    assert shown.startswith("…")
    assert shown.endswith("…")
    assert "\n" not in shown
    assert excerpt("짧은 메모", search_words("없는"), 60) == "짧은 메모"


def test_an_excerpt_points_at_the_word_and_not_at_its_keys() -> None:
    text = "무릎이 아팠지만 " * 12 + "물 한 잔을 마셨다"
    assert "물 한 잔" in excerpt(text, search_words("물"), 40)
