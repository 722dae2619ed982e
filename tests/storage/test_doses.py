"""Which dose texts ask for more (R6)."""

from __future__ import annotations

import pytest

from lifehelper_desktop.storage.catalogue import Catalogue
from lifehelper_desktop.storage.doses import is_raise


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("20분 걷기", "30분 걷기"),
        ("20분 걷기", "1시간 걷기"),
        ("90초", "2분"),
        ("하루 7,000보", "하루 8000보"),
        ("하루 7,000보", "1만 보"),
        ("물 한 잔", "물 두 잔"),
        ("주 2~3일", "주 2~4일"),
        ("10 minutes", "15 min"),
        ("one page", "two pages"),
        ("10분 걷기", "10분 걷기 5번"),  # another amount came in
        ("20분 걷기", "달리기"),  # not comparable
        ("걷기", "달리기"),
        ("20분", "3 km"),
        ("마지막 카페인을 15시 전에 마시기", "마지막 카페인을 16시 전에 마시기"),
        ("19:30~07:30", "18:30~07:30"),
        ("30분마다 5분 걷기", "10분마다 5분 걷기"),
    ],
)
def test_raises(old: str, new: str) -> None:
    assert is_raise(old, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("20분 걷기", "20분 걷기"),
        ("20분 걷기", " 20분  걷기 "),
        ("Walk 10 Minutes", "walk 10 minutes"),
        ("20분 걷기", "집 앞에서 20분 걷기"),
        ("20분 걷기", "15분 걷기"),
        ("1시간", "50분"),
        ("하루 7,000보", "5천보"),
        ("하루 7,000보", "6000 보"),
        ("20분(주 2~3일), 다른 날은 최소 용량", "10분"),
        ("30 minutes", "10 minutes"),
        ("three sentences", "two sentences"),
        ("마지막 카페인을 15시 전에 마시기", "15시 전에 마지막 커피"),
        ("30분마다 5분 걷기", "30분마다 3분 걷기"),
    ],
)
def test_same_or_lower(old: str, new: str) -> None:
    assert not is_raise(old, new)


@pytest.mark.parametrize("protocol", Catalogue.load().all(), ids=lambda protocol: protocol.id)
def test_every_dose_of_the_catalogue_may_stay(protocol: object) -> None:
    for language in ("ko", "en"):
        dose = protocol.text("standard_dose", language)  # type: ignore[attr-defined]
        assert not is_raise(dose, f" {dose} ")
