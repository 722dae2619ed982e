"""What a message says beyond doubt."""

from __future__ import annotations

import pytest

from lifehelper_desktop.chat.starter.guards import (
    act_before,
    clock_time,
    is_excessive,
    named_titles,
    named_value,
    tells_of_a_condition,
)

TITLES = ("하루 걷기", "채소 먼저 먹기", "채소·과일 다섯 접시", "짧은 쉼", "물", "Daily steps", "Alcohol-free evening")


@pytest.mark.parametrize(
    ("user", "named"),
    [
        ("채소 먼저 먹기 어느 단계까지 왔어요?", ["채소 먼저 먹기"]),
        ("채소먼저먹기 며칠째", ["채소 먼저 먹기"]),
        ("채소·과일 다섯접시 오늘 완료", ["채소·과일 다섯 접시"]),
        ("daily steps and alcohol-free evenings", ["Daily steps", "Alcohol-free evening"]),
        ("물 마셨어", []),  # too short a name to say anything
        ("채소 먹었어", []),
    ],
)
def test_titles_that_are_spelt_out(user: str, named: list[str]) -> None:
    assert named_titles(user, TITLES) == named


def test_a_title_inside_a_longer_one_does_not_count() -> None:
    assert named_titles("식후 10분 걷기 했어", ["10분 걷기", "식후 10분 걷기"]) == ["식후 10분 걷기"]


@pytest.mark.parametrize(
    "user",
    [
        "찬물 샤워 추가하고 싶은데 나 고혈압이야",
        "당뇨 있는데 12시간 공복 등록해줘",
        "임신 7개월인데 근력 운동 시작할래",
        "무릎 수술한 지 한 달 됐는데 계단 넣어줘",
        "와파린 먹고 있는데 지중해식 추가",
        "공황이 있는데 명상 해도 돼?",
        "술 끊으려니 손이 떨려 습관 넣어줘",
        "I have high blood pressure, add the cold shower",
        "I'm pregnant, add the fast",
        "I get chest pain when I run, add cardio",
        "recovering from knee surgery, add stairs",
        "I'm on antidepressants, add it",
        "diabetic here, start the overnight fast",
    ],
)
def test_conditions(user: str) -> None:
    assert tells_of_a_condition(user)


@pytest.mark.parametrize(
    "user",
    [
        "어깨가 뻐근한데 밴드 습관 추가해줘",
        "허리 아파서 자주 일어나는 습관 넣어줘",
        "눈이 침침해 눈 쉬기 등록",
        "약속 많아서 걷기 넣어줘",
        "심심해서 산책 추가",
        "고혈압 예방하려고 국물 습관 넣을래",
        "푹 자고 싶어서 따뜻한 물 추가",
        "my neck hurts from the laptop, add the band",
        "I take the bus, add stairs",
        "add vegetables to prevent diabetes",
    ],
)
def test_everyday_complaints_are_no_conditions(user: str) -> None:
    assert not tells_of_a_condition(user)


@pytest.mark.parametrize(
    ("user", "protocol", "much"),
    [
        ("16시간 공복 추가해줘", "overnight-12h", True),
        ("Tell me about the 16-hour fast and add it", "overnight-12h", True),
        ("12시간 공복 추가", "overnight-12h", False),
        ("저녁 7시부터 아침 7시까지 비우기", "overnight-12h", False),
        ("하루 4만 보 걷기", "daily-steps", True),
        ("40,000 steps a day", "daily-steps", True),
        ("7,000보 걷기", "daily-steps", False),
        ("만보 걷기", "daily-steps", False),
        ("얼음물 30분", "cold-finish-shower", True),
        ("찬물 30초", "cold-finish-shower", False),
        ("16시간", "daily-steps", False),
    ],
)
def test_too_much(user: str, protocol: str, *, much: bool) -> None:
    assert is_excessive(user, protocol) is much


@pytest.mark.parametrize(
    ("user", "time"),
    [
        ("오후 3시로 추가해 줘", "오후 3시"),
        ("밤 10시 되면 스탠드 켜기", "밤 10시"),
        ("7시 반에", "7시 반"),
        ("at 9:30 pm please", "9:30 pm"),
        ("at 10pm", "10pm"),
        ("12시간 공복", ""),
        ("9시, 13시, 18시에", ""),  # which one is not ours to say
        ("10분 걷기", ""),
    ],
)
def test_the_time_of_day(user: str, time: str) -> None:
    assert clock_time(user) == time


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("점심을 먹은 뒤 10분 걷는다", "점심을 먹은 뒤"),
        ("세수한 뒤 밖에 나가 햇빛을 본다", "세수한 뒤"),
        ("점심 먹고 나서 10분 걷는 습관 추가해 줘", "점심 먹은 뒤"),
        ("양치하고 나면 치실 할래", "양치한 뒤"),
        ("Add flossing right after I brush at night.", "right after I brush at night"),
        ("After lunch, I walk", "After lunch"),
        ("걷기 추가해 줘", ""),
        ("add flossing", ""),
    ],
)
def test_the_act_before(text: str, act: str) -> None:
    assert act_before(text) == act


@pytest.mark.parametrize(
    ("user", "value"),
    [
        ("걷기 최소로 적어줘", "minimum"),
        ("할일 한 줄만 적었어 미니멈으로 체크", "minimum"),
        ("한 곡만, min으로", "minimum"),
        ("오늘 걷기 패스", "blank"),
        ("Count yesterday as a planned rest day", "blank"),
        ("짧은 쉼 완료", "done"),
        ("20-20-20 눈 쉬기 했어", ""),
        ("걷기 완료", "done"),
        ("쉬고 싶었지만 완료", ""),
        ("걸었어", ""),
    ],
)
def test_a_value_that_is_named(user: str, value: str) -> None:
    assert named_value(user, ["짧은 쉼", "20-20-20 눈 쉬기", "하루 걷기"]) == value
