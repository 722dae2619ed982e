"""Frame suggestions: only a sentence that passes the rules is offered as the model's."""

from __future__ import annotations

import pytest

from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.tools.frame_suggestion import clean_frame, is_good_frame
from tests.chat.conftest import Chat
from tests.helpers.worlds import RecordingGate


def _suggest(store: Store, *texts: str, level: int = 2):  # type: ignore[no-untyped-def]
    chat = Chat(store, [], RecordingGate())
    chat.llm.texts.extend(texts)
    return chat, chat.controller.suggest_frame("break-smoking", level, "ko")


def test_a_good_sentence_is_the_models(store: Store) -> None:
    chat, suggestion = _suggest(store, ' "담배 생각이 나면 창가에서 물을 마신다." \n둘째 줄')
    assert suggestion.text == "담배 생각이 나면 창가에서 물을 마신다"
    assert suggestion.by_model
    assert chat.state.messages == ()


def test_avoidance_wording_is_asked_again_then_the_catalogue_stands_in(store: Store) -> None:
    refused, never_asked = ("담배를 끊는다", "담배를 줄인다", "담배를 참는다"), "담배 생각이 나면 물을 마신다"
    chat, suggestion = _suggest(store, *refused, never_asked)
    assert not suggestion.by_model
    assert suggestion.text == "담배 생각이 나면 물 한 잔과 숨 열 번으로 5분 보낸다"
    assert len(chat.llm.instructions) == 3, "two retries and no more"
    assert len(set(chat.llm.instructions)) == 3, "each with other examples"


def test_the_second_retry_may_pass(store: Store) -> None:
    _chat, suggestion = _suggest(store, "담배를 끊는다", "", "담배 생각이 나면 물을 마신다")
    assert (suggestion.text, suggestion.by_model, suggestion.attempts) == ("담배 생각이 나면 물을 마신다", True, 3)


@pytest.mark.parametrize(
    ("text", "level", "language", "good"),
    [
        ("나는 숨을 맑게 지키는 사람이다", 3, "ko", True),
        ("숨을 맑게 지킨다", 3, "ko", False),
        ("After lunch I walk for ten minutes", 2, "en", True),
        ("점심 뒤에 걷는다", 2, "en", False),
        ("걷는다 걷는다 걷는다 걷는다 걷는다", 2, "ko", False),
        ("걷" * 81 + "다", 2, "ko", False),
        ("", 1, "ko", False),
        ("[언제/무엇 뒤]에 걷는다", 2, "ko", False),
        ("밤에 별을 센다", 2, "ko", False),
    ],
)
def test_what_may_be_offered(text: str, level: int, language: str, good: bool) -> None:
    about = "숨을 맑게 지키기 걷기 걷는다 walk after lunch"
    assert is_good_frame(text, level, language, about) is good


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("- ‘아침에 걷는다.’", "아침에 걷는다"),
        ("1. 걷는다\n2. 뛴다", "걷는다"),
        ("9시에 걷는다", "9시에 걷는다"),
        ("\n\n", ""),
    ],
)
def test_clean(raw: str, clean: str) -> None:
    assert clean_frame(raw) == clean
