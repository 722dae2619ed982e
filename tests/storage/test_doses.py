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
        ("하루 7,000보", "하루 7,000보를 아침 저녁 두 차례"),
        ("하루 7,000보", "하루 7,000보를 뛰어서, 언덕 서른 번"),
        ("하루 7,000보", "아침저녁으로 7,000보"),
        ("10분 걷기", "10분 걷기, 스무 번"),
        ("10분 걷기", "10분 걷기 열다섯 바퀴"),
        ("10분 걷기", "10분 걷기 두 판"),
        ("10분 걷기", "10분 걷기, 여러 번"),
        ("10분 걷기", "10분 더 걷기"),
        ("10분 걷기", "매시간 10분 걷기"),
        ("10분 걷기", "삼십 분 걷기"),
        ("10분 걷기", "반 시간 걷기"),
        ("10분 걷기", "한 시간 반 걷기"),
        ("1시간", "1시간 10분"),
        ("하루 7,000보", "1만 2천 보"),
        ("하루 7,000보", "팔천 보"),
        ("열 번", "열한 번"),
        ("한두 문장", "두세 문장"),
        ("half an hour", "an hour"),
        ("half an hour", "forty-five minutes"),
        ("ten minutes", "twenty minutes"),
        ("10 minutes", "10 minutes, thirty squats"),
        ("10 minutes", "10 minutes twice"),
        ("10 minutes", "10 minutes every hour"),
        ("10 squats", "a dozen squats"),
        ("1500 m", "2 km"),
        ("8번", "10회"),
        ("500 ml", "1 l"),
        ("1/2컵", "한 컵"),
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
        ("물 한 잔", "물 반 잔"),
        ("30 minutes", "half an hour"),
        ("half an hour", "30 minutes"),
        ("스무 번", "열 번"),
        ("스물다섯 번", "열다섯 번"),
        ("twenty minutes", "ten minutes"),
        ("fifteen minutes", "5 minutes"),
        ("forty-five minutes", "half an hour"),
        ("an hour and a half", "one hour"),
        ("반 시간", "20분"),
        ("삼십 분", "20분"),
        ("1시간 30분", "80분"),
        ("한 시간 반", "1시간 20분"),
        ("2 km", "1500 m"),
        ("1리터", "500ml"),
        ("10회", "8번"),
        ("하루 세 번", "하루 2회"),
        ("두세 문장", "한 문장"),
        ("서너 쪽", "세 쪽"),
        ("two dozen squats", "ten squats"),
        ("two pages", "one short page"),
        ("10분 걷기", "식사를 한 뒤 10분 걷기"),
        ("10분 걷기", "저녁에 8분 걷기"),
        ("10 minutes", "8 minutes on a treadmill"),
        ("10 minutes", "8 minutes a day"),
        ("1만 2천 보", "1만 보"),
        ("한 컵", "1/2컵"),
        ("물 한 잔", "물 ½ 잔"),
        ("10분 걷기", "5분 천천히 걷기"),
        ("10분 걷기", "두 번째 알람 뒤 10분 걷기"),
        ("매일 여러 번 10분", "여러 번 8분"),
    ],
)
def test_same_or_lower(old: str, new: str) -> None:
    assert not is_raise(old, new)


@pytest.mark.parametrize("protocol", Catalogue.load().all(), ids=lambda protocol: protocol.id)
def test_every_dose_of_the_catalogue_may_stay(protocol: object) -> None:
    for language in ("ko", "en"):
        dose = protocol.text("standard_dose", language)  # type: ignore[attr-defined]
        assert not is_raise(dose, f" {dose} ")
