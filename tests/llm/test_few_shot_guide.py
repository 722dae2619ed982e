"""Guided choices of a pretrained model, with a judge that the test scripts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from lifehelper_desktop.llm.formats.gemma3_base import FewShotGuide, fill_template, numbered_items
from lifehelper_desktop.llm.formats.similarity import SimilarityIndex, best_indexes
from lifehelper_desktop.llm.protocol import LlmExample, LlmPrompt, LlmTool

CONTEXT = "오늘: 2026-08-12 (수)\n내 목록: 1 하루 걷기 · 2 책 읽기 · 7 물 마시기"
LOG = LlmTool(
    "log",
    "",
    {
        "type": "object",
        "x-label": "기록",
        "properties": {
            "item": {"type": "integer", "x-label": "항목"},
            "value": {"type": "string", "enum": ["done", "blank"]},
            "date": {"type": "string", "x-copy": [r"어제|그제", r"\d+/\d+"]},
            "note": {"type": "string"},
        },
        "required": ["item", "value"],
    },
)
ADD = LlmTool(
    "add",
    "",
    {
        "type": "object",
        "properties": {
            "id": {"type": "string", "x-labels": {"walk": "걷기 / Walking", "read": "읽기 / Reading"}},
            "level": {"type": "integer", "enum": [1, 2, 3], "default": 2},
            "text": {
                "type": "string",
                "x-copy": ["‘([^’]+)’"],
                "x-lookup": {"from": ["id", "level"], "values": {"walk|2": "걷는다", "read|2": "읽는다"}},
            },
        },
        "required": ["id", "level", "text"],
    },
)
FIND = LlmTool("find", "", {"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]})
EXAMPLES = (
    LlmExample("걷기 했어", calls=(("log", {"item": 1, "value": "done"}),), answer="{date} 남겼어요."),
    LlmExample("읽기는 오늘 쉬어", calls=(("log", {"item": 2, "value": "blank"}),)),
    LlmExample("걷기 추가해 줘", calls=(("add", {"id": "walk", "level": 2, "text": "걷는다"}),)),
    LlmExample("나는 사람이다로 추가", calls=(("add", {"id": "walk", "level": 3, "text": "걷는다"}),)),
    LlmExample("운동 찾아 줘", calls=(("find", {"word": "운동"}),), answer="찾은 것: {items.title}"),
    LlmExample("아무거나 찾아 줘", calls=(("find", {"word": "것"}),), answer="찾지 못했어요."),
    LlmExample("고마워", answer="천만에요."),
    LlmExample("Thanks", answer="You are welcome."),
)
PROMPT = LlmPrompt("", (LOG, ADD, FIND), EXAMPLES)


class FakeJudge:
    """Prefers the option that `choose` returns; remembers what it was asked."""

    def __init__(self, choose: Callable[[str, Sequence[str]], str | None], text: str = "글") -> None:
        self.asked: list[tuple[str, list[str]]] = []
        self._choose = choose
        self._text = text

    def score(self, prompt: str, options: Sequence[str]) -> list[float]:
        self.asked.append((prompt, list(options)))
        wanted = self._choose(prompt, [option.strip() for option in options])
        return [0.0 if option.strip() == wanted else -50.0 for option in options]

    def complete(self, prompt: str, max_tokens: int) -> str:
        self.asked.append((prompt, []))
        return self._text


def wanting(*wanted: str) -> FakeJudge:
    """A judge that likes these options wherever they are offered, except for a neutral message."""

    def choose(prompt: str, options: Sequence[str]) -> str | None:
        if "사용자: …" in prompt:
            return None
        return next((option for option in options if option in wanted), None)

    return FakeJudge(choose)


def decide(judge: FakeJudge, user: str, recent: str = "") -> list[tuple[str, dict[str, Any]]]:
    return FewShotGuide(PROMPT, judge).decide(user, CONTEXT, recent)


def test_items_of_the_context_are_choices_and_dates_are_not() -> None:
    assert numbered_items(CONTEXT) == {1: "하루 걷기", 2: "책 읽기", 7: "물 마시기"}
    assert numbered_items("오늘: 2026-08-12 (수)\n내 습관: 없음") == {}
    assert numbered_items("My habits: 1 Daily steps · 12 Floss, then brush") == {
        1: "Daily steps",
        12: "Floss, then brush",
    }


def test_a_call_is_built_from_choices_only() -> None:
    assert decide(wanting("기록", "물 마시기", "done"), "물 마셨어") == [("log", {"item": 7, "value": "done"})]


def test_a_number_or_a_name_is_chosen_by_number() -> None:
    item = {**LOG.parameters["properties"]["item"], "type": ["integer", "string"]}
    log = LlmTool("log", "", {**LOG.parameters, "properties": {**LOG.parameters["properties"], "item": item}})
    guide = FewShotGuide(LlmPrompt("", (log, ADD, FIND), EXAMPLES), wanting("기록", "물 마시기", "done"))
    assert guide.decide("물 마셨어", CONTEXT) == [("log", {"item": 7, "value": "done"})]
    assert guide.decide("물 마셨어", "내 목록: 없음") == [("log", {"value": "done"})]


def test_a_value_is_copied_from_the_message_and_left_out_when_it_is_not_there() -> None:
    judge = wanting("기록", "책 읽기", "blank")
    assert decide(judge, "어제 책은 쉬었어") == [("log", {"item": 2, "value": "blank", "date": "어제"})]
    assert decide(judge, "8/3 책은 쉬었어") == [("log", {"item": 2, "value": "blank", "date": "8/3"})]


def test_of_two_spans_the_model_chooses() -> None:
    calls = decide(wanting("기록", "책 읽기", "done", "그제"), "어제 말고 그제 읽었어")
    assert calls == [("log", {"item": 2, "value": "done", "date": "그제"})]


def test_lookup_default_quote_and_language_of_labels() -> None:
    judge = wanting("add", "읽기", "2")
    assert decide(judge, "책 하나 넣어 줘") == [("add", {"id": "read", "level": 2, "text": "읽는다"})]
    assert [" 걷기", " 읽기"] in [options for _, options in judge.asked]
    calls = decide(wanting("add", "Reading", "3"), "Add a book ‘I am someone who reads’")
    assert calls == [("add", {"id": "read", "level": 3, "text": "I am someone who reads"})]


def test_what_was_just_spoken_of_counts() -> None:
    judge = wanting("add", "2")
    assert decide(judge, "그걸로 해 줘", recent="read")[0][1]["id"] == "read"
    assert decide(judge, "그걸로 해 줘", recent="walk")[0][1]["id"] == "walk"


def test_free_words_are_written_by_the_model_or_taken_from_the_message() -> None:
    judge = wanting("find")
    assert decide(judge, "잠 찾아 줘") == [("find", {"word": "글"})]
    silent = FakeJudge(lambda _prompt, options: "find" if "find" in options else None, text="")
    assert decide(silent, "잠 찾아 줘") == [("find", {"word": "잠 찾아 줘"})]


def test_no_call_and_its_words() -> None:
    assert decide(wanting("대답"), "고마워요") == []
    guide = FewShotGuide(PROMPT, wanting("천만에요.", "You are welcome."))
    assert guide.answer("고마워요", (), {}) == "천만에요."
    assert guide.answer("Thanks a lot", (), {}) == "You are welcome."


def test_answers_say_only_what_the_result_says() -> None:
    guide = FewShotGuide(PROMPT, wanting())
    assert guide.answer("찾아", ("find",), {"items": [{"title": "걷기"}, {"title": "읽기"}]}) == "찾은 것: 걷기, 읽기"
    assert guide.answer("찾아", ("find",), {"items": []}) == "찾지 못했어요."
    assert guide.answer("했어", ("log",), {"date": "2026-08-12"}) == "2026-08-12 남겼어요."
    assert guide.answer("했어", ("log",), {}) == ""
    assert guide.answer("했어", ("add",), {}) == ""


@pytest.mark.parametrize(
    ("template", "data", "text"),
    [
        ("{n}일", {"n": 0}, "0일"),
        ("{a.b}", {"a": {"b": "나"}}, "나"),
        ("{a}", {"a": {"b": "나"}}, None),
        ("{a}", {}, None),
        ("{없음} {}", {}, "{없음} {}"),
        ("{list}", {"list": [1, "둘"]}, "1, 둘"),
        ("{n}", {"n": "{m}", "m": 1}, "{m}"),
    ],
)
def test_templates(template: str, data: dict[str, Any], text: str | None) -> None:
    assert fill_template(template, data) == text


def test_without_tools_or_examples_nothing_is_called() -> None:
    assert FewShotGuide(LlmPrompt("", (LOG,)), wanting("기록")).decide("했어", CONTEXT) == []
    assert FewShotGuide(LlmPrompt("", (), EXAMPLES), wanting("기록")).decide("했어", CONTEXT) == []
    empty = LlmPrompt("", (LOG,), (LlmExample("했어", calls=(("log", {"item": 1, "value": "done"}),)),))
    assert FewShotGuide(empty, wanting("기록", "done")).decide("했어", "") == [("log", {"value": "done"})]


def test_the_prompt_stays_short_whatever_the_pool() -> None:
    pool = tuple(LlmExample(f"{i}번째 걷기를 했어", calls=(("log", {"item": 1, "value": "done"}),)) for i in range(500))
    judge = wanting("기록", "하루 걷기")
    FewShotGuide(LlmPrompt("", (LOG,), pool), judge).decide("걷기 했어", CONTEXT)
    assert max(len(prompt) for prompt, _ in judge.asked) < 600


def test_likeness() -> None:
    index = SimilarityIndex(["오늘 걷기 했어", "책 추천해 줘", "Show my habits"])
    assert best_indexes(index.compare("걷기 오늘 했다"), 1) == [0]
    assert best_indexes(index.compare("show all my habits!"), 1) == [2]
    assert index.compare("") == [0.0, 0.0, 0.0]
    assert SimilarityIndex([]).compare("말") == []
