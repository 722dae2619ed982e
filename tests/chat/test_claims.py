"""Which answers claim that something was written."""

from __future__ import annotations

import pytest

from lifehelper_desktop.chat.claims import claims_a_write


@pytest.mark.parametrize(
    "text",
    [
        "오늘 걷기를 기록했어요!",
        "기록 완료했습니다.",
        "습관을 추가했어요.",
        "추가해 두었어요",
        "기록해 뒀어요.",
        "기록됐어요",
        "저장되었습니다.",
        "적어 뒀어요.",
        "I've logged your walk.",
        "I have recorded it.",
        "Your habit has been added.",
        "I logged today's walk.",
        "기록 완료!",
        "완료로 남겼어요",
        "Logged!",
        "Done — your walk is recorded.",
        "Your habit has now been added",
        "걷기 습관을 시작했어요",
    ],
)
def test_claims(text: str) -> None:
    assert claims_a_write(text)


@pytest.mark.parametrize(
    "text",
    [
        "기록할까요?",
        "기록하지 못했어요.",
        "오늘 기록이 이미 있어요(완료).",
        "걷기를 추가할까요?",
        "기록했나요?",
        "어제 산책을 했군요, 좋아요.",
        "기록을 못 했어요.",
        "이미 기록돼 있어요",
        "It has been logged already",
        "어제까지 41일 기록했어요",
        "지난주에 다섯 번 기록했네요",
        "Nothing was recorded.",
        "Has it been added?",
        "습관을 하나 만들어 볼까요?",
        "Shall I log it?",
        "You can add it on the habit screen.",
        "",
    ],
)
def test_no_claims(text: str) -> None:
    assert not claims_a_write(text)
