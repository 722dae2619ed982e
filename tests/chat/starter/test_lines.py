"""What the starter model may write, token by token."""

from __future__ import annotations

import pytest

from lifehelper_desktop.chat.starter import lines as spoken
from lifehelper_desktop.chat.starter.lines import LineGrammar, line, render_before, render_prompt

HABITS = ("하루 걷기", "20-20-20 눈 쉬기", "채소·과일 다섯 접시")
TITLES = ("하루 걷기", "마음챙김 명상", "채소·과일 다섯 접시")
WHOLE = (
    "기록 · 하루 걷기 · 완료 · 오늘",
    "기록 · 채소·과일 다섯 접시 · 쉼 · 8월 9일 · 메모 감기 기운",
    "기록 · 하루 걷기 · 완료 · 오늘\n기록 · 20-20-20 눈 쉬기 · 최소 · 오늘",
    "연속 · 20-20-20 눈 쉬기",
    "설명 · 마음챙김 명상\n추가 · 마음챙김 명상 · 과정 · 제안 · 때 오후 3시",
    "추가 · 마음챙김 명상 · 정체성 · ‘나는 지금 여기로 돌아오는 사람이다’",
    "추가 · 하루 걷기 · 과정 · 점심을 먹은 뒤 10분 걷는다 · 때 오후 1시 · 뒤 점심을 먹은 뒤",
    "찾기 · 카페인",
    "분야 · 전체",
    "목록",
    "말 · 잡담 · 반가워요. 오늘도 한 걸음이면 돼요.",
    "말 · 화면 · 기록수정",
    "말 · 안전 · -",
    "말 · 실수 · 하루 걷기",
    "말 · 어느것",
)
BROKEN = (
    "",
    "기록",
    "기록 · 하루 걷기",
    "기록 · 수영 · 완료 · 오늘",
    "기록 · 하루 걷기 · 했음 · 오늘",
    "기록 · 하루 걷기 · 완료 · ",
    "기록 · 하루 걷기 · 완료 · 오늘 · 이유 비",
    "기록 · 하루 걷기 · 완료 · 오늘\n연속 · 하루 걷기",
    "기록 · 하루 걷기 · 완료 · 오늘\n기록 · 하루 걷기 · 완료 · 오늘",
    "목록\n기록 · 하루 걷기 · 완료 · 오늘",
    "말 · 어느것\n말 · 도움",
    "설명 · 수영",
    "추가 · 마음챙김 명상 · 과정",
    "삭제 · 하루 걷기",
    "말 · 화면 · 지우기",
    "말 · 잡담",
    "말 · 도움 · 더",
)


@pytest.fixture
def grammar() -> LineGrammar:
    return LineGrammar(HABITS, TITLES, ("수면", "식사·영양"))


@pytest.mark.parametrize("text", WHOLE)
def test_whole_lines_and_all_their_beginnings(grammar: LineGrammar, text: str) -> None:
    assert grammar.complete(text)
    for end in range(len(text) + 1):
        assert grammar.viable(text[:end]), text[:end]


@pytest.mark.parametrize("text", BROKEN)
def test_broken_lines_are_not_whole(grammar: LineGrammar, text: str) -> None:
    assert not grammar.complete(text)


@pytest.mark.parametrize(
    "text",
    ["삭", "기록 · 수", "기록 · 하루 걷기 · 했", "말 · 화면 · 지", "목록 · ", "말 · 어느것 · ", "추가 · 하루 걷기 · 4"],
)
def test_what_leads_nowhere_is_seen_at_once(grammar: LineGrammar, text: str) -> None:
    assert not grammar.viable(text)


def test_without_habits_nothing_can_be_logged() -> None:
    grammar = LineGrammar((), TITLES, ())
    assert not grammar.viable("기")
    assert not grammar.viable("연")
    assert grammar.complete("말 · 없음 · 걷기")


def test_no_more_than_four_lines_and_no_endless_ones(grammar: LineGrammar) -> None:
    rows = [f"기록 · 하루 걷기 · 완료 · {day}일 전" for day in range(2, 7)]
    assert grammar.complete("\n".join(rows[:4]))
    assert not grammar.viable("\n".join(rows))
    assert not grammar.viable("말 · 잡담 · " + "아" * 161)


def test_the_prompt_is_one_line_for_each_thing() -> None:
    text = render_prompt(
        ["하루 걷기"], "오늘\n걸었어 · 기록", render_before("명상\n있어?", [line("찾기", "명상")], ["마음챙김 명상"])
    )
    assert text == "습관: 하루 걷기\n앞: 명상 있어? → 찾기 · 명상 = 마음챙김 명상\n사용자: 오늘 걸었어 , 기록\n답:"
    assert render_prompt([], "안녕") == "습관: 없음\n사용자: 안녕\n답:"


def test_the_exchange_before_leaves_words_out() -> None:
    said = line(spoken.TALK, spoken.CHAT, "반가워요")
    assert render_before("안녕", [said]) == "안녕 → 말 · 잡담"
