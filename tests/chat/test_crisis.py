"""Someone in danger gets the numbers to call, at once, whatever the model would say."""

from __future__ import annotations

import pytest

from lifehelper_desktop.base.i18n import set_language
from lifehelper_desktop.chat.crisis import sounds_like_crisis
from lifehelper_desktop.chat.messages import ModelChatMessage
from lifehelper_desktop.llm.protocol import LlmTextChunk
from tests.chat.conftest import MakeChat


@pytest.mark.parametrize(
    "text",
    [
        "다 의미 없어. 죽고 싶어",
        "죽고싶다",
        "그냥 사라지고 싶어요",
        "더는 살고 싶지 않아",
        "자해했어",
        "I want to die",
        "I don’t want to live anymore",
        "thinking about killing myself",
        "ｓｕｉｃｉｄｅ",
    ],
)
def test_crisis(text: str) -> None:
    assert sounds_like_crisis(text)


@pytest.mark.parametrize(
    "text",
    [
        "배고파 죽겠어",
        "오늘 걷기 다 했어, 기록해 줘",
        "감사 일기도 하나 더 시작하고 싶어",
        "숙제를 다 끝냈어",
        "이 습관을 끝내고 새로 시작할래",
        "I am dying to try meditation",
        "Kill the lights at ten",
        "힘들어서 오늘은 쉴게",
    ],
)
def test_no_crisis(text: str) -> None:
    assert not sounds_like_crisis(text)


@pytest.mark.parametrize(("language", "number"), [("ko", "109"), ("en", "109")])
def test_the_model_is_not_even_loaded(make_chat: MakeChat, language: str, number: str) -> None:
    set_language(language)
    chat = make_chat([LlmTextChunk("걷기를 기록할까요?")])
    chat.say("다 의미 없어. 죽고 싶어")
    answer = chat.state.messages[-1]
    assert isinstance(answer, ModelChatMessage)
    assert number in answer.text
    assert "119" in answer.text
    assert chat.llm.load_count == 0
    assert not chat.state.is_streaming
    # The conversation goes on afterwards.
    chat.say("고마워")
    assert chat.kinds() == ["user", "model", "user", "model"]
