"""Search as in domain.md 4.1, and close spellings when nothing matches."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lifehelper_desktop.storage.catalogue import Catalogue

CATALOGUE = Catalogue.load()


def ids(keyword: str | None = None, category: str | None = None, limit: int = 10) -> list[str]:
    return [protocol.id for protocol in CATALOGUE.search(keyword, category, limit)]


@pytest.mark.parametrize(
    ("keyword", "expected"),
    [  # the keywords of the utterances that the coach is judged by
        ("햇빛", "morning-sunlight"),
        ("카페인", "caffeine-cutoff"),
        ("찬물", "cold-finish-shower"),
        ("야식", "break-late-night-eating"),
        ("식후", "post-meal-walk"),
        ("술", "break-alcohol"),
        ("담배", "break-smoking"),
        ("감사 일기", "three-good-things"),
        ("phone", "break-bedtime-phone"),
        ("floss", "floss-after-brushing"),
        ("fasting", "overnight-12h"),
        ("손톱", "break-nail-biting"),
        ("명상", "mindfulness-meditation"),
    ],
)
def test_keywords_find_their_entry(keyword: str, expected: str) -> None:
    assert expected in ids(keyword)


def test_every_part_must_occur() -> None:
    assert ids("감사 일기") == ["three-good-things"]
    assert "small-kindness" in ids("감사")


def test_fields_that_are_searched() -> None:
    assert ids("20-20-20") == ["eye-20-20-20"]  # id and title
    assert len(ids("Body care")) == 5  # the category's label
    assert ids("커튼") == []  # doses are not searched
    assert "break-doomscrolling" in ids("끝없이")  # target behaviour
    assert "daily-steps" in ids("생활 속에서")  # summary
    assert ids("Five fruit") == ["fruit-veg-five"]  # English title


@pytest.mark.parametrize(
    "text", ["SLEEP", "Sleep", "수면", " 수면 ", unicodedata.normalize("NFD", "수면"), "ｓｌｅｅｐ"]
)
def test_categories_by_name_or_label(text: str) -> None:
    found = CATALOGUE.find_category(text)
    assert found is not None
    assert found.name == "sleep"
    assert len(ids(category=text)) == 8


@pytest.mark.parametrize(
    ("text", "name"),
    [("식사·영양", "nutrition"), ("식사 영양", "nutrition"), ("Body Care", "bodycare"), ("몸돌봄", "bodycare")],
)
def test_labels_in_other_spacing(text: str, name: str) -> None:
    found = CATALOGUE.find_category(text)
    assert found is not None
    assert found.name == name


def test_unknown_category_finds_nothing() -> None:
    assert CATALOGUE.find_category("요리") is None
    assert CATALOGUE.find_category("·") is None
    assert ids("걷기", "요리") == []


def test_blank_arguments_do_not_restrict() -> None:
    assert ids("  ", " ") == ids() == [protocol.id for protocol in CATALOGUE.all()[:10]]


def test_category_and_keyword_together() -> None:
    assert ids("phone", "connection") == ["break-phubbing"]
    assert "caffeine-cutoff" in ids("카페인", "sleep")


@pytest.mark.parametrize(("limit", "count"), [(5, 5), (1, 1), (10, 10), (0, 1), (-3, 1), (11, 10), (10**30, 10)])
def test_limit_is_clamped(limit: int, count: int) -> None:
    assert len(CATALOGUE.search(limit=limit)) == count
    assert len(CATALOGUE.search()) == 5


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("명산", "mindfulness-meditation"),
        ("명샹", "mindfulness-meditation"),
        ("걷끼", "daily-steps"),
        ("산첵", "daily-steps"),
        ("햇볓", "morning-sunlight"),
        ("호흅", "cyclic-sighing"),
        ("카패인", "caffeine-cutoff"),
        ("담베", "break-smoking"),
        ("손톰", "break-nail-biting"),
        ("걱졍", "break-worry-loop"),
        ("meditaion", "mindfulness-meditation"),
        ("Brething", "cyclic-sighing"),
        ("slepp", "regular-wake-time"),
        ("감사일기", "three-good-things"),
        ("근력운동", "strength-training"),
        ("명상을", "mindfulness-meditation"),
        ("명상 습관", "mindfulness-meditation"),
        ("walking", "daily-steps"),
        ("담배 끊기", "break-smoking"),
        ("quit smoking", "break-smoking"),
        (unicodedata.normalize("NFD", "명산"), "mindfulness-meditation"),
    ],
)
def test_close_spellings(typed: str, expected: str) -> None:
    assert expected in ids(typed)


@pytest.mark.parametrize(
    "nonsense",
    [
        "뷁뷁",
        "아브라카다브라",
        "asdfgh",
        "xyzzy",
        "qwertyuiop",
        "ㅋㅋㅋㅋ",
        "가나다라",
        "뽀로로",
        "zzzz",
        "🦄🦄",
        "습관"[:0] + "퀘퀘쉐",
    ],
)
def test_nonsense_finds_nothing(nonsense: str) -> None:
    assert ids(nonsense) == []


@pytest.mark.parametrize(
    "other", ["자동차", "컴퓨터", "비행기", "guitar", "money", "고양이", "피아노", "쇼핑", "music"]
)
def test_other_words_find_nothing(other: str) -> None:
    assert ids(other) == []


def test_close_spellings_only_when_nothing_matches() -> None:
    assert ids("sns") == ["break-doomscrolling"]
    assert ids("나무") == [protocol.id for protocol in CATALOGUE.all() if "나무" in str(protocol.texts)]


def test_filler_words_alone_find_by_text_only() -> None:
    assert ids("추천") == []


def test_long_and_odd_keywords() -> None:
    assert ids("걷기 " * 50_000) == ids("걷기")
    assert ids("가" * 100_000) == []
    assert ids("\ud800") == []
    assert ids("\x00") == []


@given(st.text(max_size=300), st.text(max_size=50), st.integers())
def test_any_text_is_answered(keyword: str, category: str, limit: int) -> None:
    assert len(CATALOGUE.search(keyword, category, limit)) <= 10
