"""The session of the trained starter: whatever the model would like to write, only whole answers come out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from lifehelper_desktop.llm.generation import Utf8Pieces
from lifehelper_desktop.llm.line_session import LlamaLineSession
from lifehelper_desktop.llm.llama_engine import LlamaEngine, StopFlag
from lifehelper_desktop.llm.protocol import (
    LlmChatEvent,
    LlmError,
    LlmFunctionCall,
    LlmLineChecker,
    LlmPrompt,
    LlmStopped,
    LlmTextChunk,
    LlmToolResult,
    LlmTurn,
)

pytestmark = pytest.mark.gguf


class OneOf:
    """Only these answers."""

    def __init__(self, *answers: str) -> None:
        self.answers = answers

    def viable(self, text: str) -> bool:
        return any(answer.startswith(text) for answer in self.answers)

    def complete(self, text: str) -> bool:
        return text in self.answers


class Guide:
    """Reads `부름 X` as a call of X; anything else is words."""

    contract = "test"

    def __init__(self, checker: LlmLineChecker) -> None:
        self.checker = checker
        self.said: list[str] = []
        self.noted = 0
        self.tries = 0
        self.weights: Mapping[str, float] | None = None
        self.second: LlmLineChecker | None = None
        self.ruled: Sequence[LlmFunctionCall] = ()

    def begin(self, history: Sequence[LlmTurn]) -> None:
        self.said += [turn.user for turn in history]

    def decide(self, user: str, context: str) -> Sequence[LlmFunctionCall]:
        return self.ruled

    def ask(self, user: str, context: str) -> tuple[str, LlmLineChecker]:
        self.said.append(user)
        return f"문제: {user}\n답:", self.checker

    def weigh(self, text: str) -> Mapping[str, float] | None:
        return self.weights if text.strip() == "고름 ·" else None

    def retry(self, text: str) -> LlmLineChecker | None:
        self.tries += 1
        return self.second if self.tries == 1 else None

    def read(self, text: str) -> tuple[Sequence[LlmFunctionCall], str]:
        return ((LlmFunctionCall(text[3:], {}),), "") if text.startswith("부름 ") else ((), f"[{text}]")

    def close(self, calls: Sequence[LlmFunctionCall], results: Sequence[LlmToolResult]) -> str:
        return f"{calls[0].name} 끝, {len(results)}개"

    def note(self, results: Sequence[LlmToolResult]) -> None:
        self.noted += len(results)

    def snapshot(self) -> object:
        return list(self.said)

    def restore(self, state: object) -> None:
        assert isinstance(state, list)
        self.said = state


@pytest.fixture(scope="module")
def engine(starter_model_path: Path) -> Iterator[LlamaEngine]:
    opened = LlamaEngine(starter_model_path, n_ctx=512)
    yield opened
    opened.close()


def session_of(engine: LlamaEngine, guide: Guide, history: Sequence[LlmTurn] = ()) -> LlamaLineSession:
    return LlamaLineSession(engine, LlmPrompt("", history=history), guide, StopFlag())


def text_of(events: Iterator[LlmChatEvent]) -> str:
    return "".join(event.text for event in events if isinstance(event, LlmTextChunk))


@pytest.mark.parametrize("answers", [("파란 하늘",), ("셋", "서른셋"), ("one", "one two", "one two three")])
def test_only_whole_answers_come_out(engine: LlamaEngine, answers: tuple[str, ...]) -> None:
    session = session_of(engine, Guide(OneOf(*answers)))
    assert text_of(session.send_user("하늘은 무슨 색?"))[1:-1] in answers
    assert session.stats.generated_tokens > 0
    assert 0 < session.stats.first_token_s <= session.stats.total_s


def test_what_is_asked_beyond_doubt_needs_no_model(engine: LlamaEngine) -> None:
    guide = Guide(OneOf("하나"))
    guide.ruled = (LlmFunctionCall("open_screen", {"screen": "settings"}),)
    session = session_of(engine, guide)
    assert tuple(session.send_user("설정 열어 줘")) == guide.ruled
    assert (session.stats.generated_tokens, guide.said) == (0, [])
    closing = text_of(session.send_tool_results([LlmToolResult("open_screen", {})]))
    assert closing == "open_screen 끝, 1개"
    guide.ruled = ()
    assert text_of(session.send_user("하나")) == "[하나]"


def test_a_call_its_result_and_words(engine: LlamaEngine) -> None:
    guide = Guide(OneOf("부름 tool"))
    session = session_of(engine, guide, [LlmTurn("먼저")])
    events = list(session.send_user("  해\n줘 "))
    assert events == [LlmFunctionCall("tool", {})]
    assert text_of(session.send_tool_results([LlmToolResult("tool", {"status": "ok"})])) == "tool 끝, 1개"
    assert guide.said == ["먼저", "해 줘"]
    session.add_tool_results([LlmToolResult("tool", {})])
    assert guide.noted == 1


def test_a_second_try_has_its_own_rules(engine: LlamaEngine) -> None:
    guide = Guide(OneOf("하나"))
    guide.second = OneOf("둘")
    session = session_of(engine, guide)
    assert text_of(session.send_user("몇?")) == "[둘]"
    assert session.stats.generated_tokens >= 2


@pytest.mark.parametrize("best", ["하나", "둘", "셋"])
def test_what_speaks_for_a_piece_counts(engine: LlamaEngine, best: str) -> None:
    names = ("하나", "둘", "셋")
    guide = Guide(OneOf(*(f"고름 · {name} · 끝" for name in names)))
    guide.weights = {f" {name} ·": 50.0 * (name == best) for name in names}
    assert text_of(session_of(engine, guide).send_user("골라")) == f"[고름 · {best} · 끝]"


@pytest.mark.parametrize("name", ["🦔 고슴도치", "쀍뷁"])
def test_odd_names_are_taken_whole(engine: LlamaEngine, name: str) -> None:
    guide = Guide(OneOf(f"고름 · {name} · 끝"))
    guide.weights = {f" {name} ·": 0.0}
    assert text_of(session_of(engine, guide).send_user("골라")) == f"[고름 · {name} · 끝]"


def test_a_piece_that_may_not_stand_there_is_not_taken(engine: LlamaEngine) -> None:
    guide = Guide(OneOf("고름 · 둘 · 끝", "고름 · 셋 · 끝"))
    guide.weights = {" 하나 ·": 99.0, " 둘 ·": 50.0, " 셋 ·": 0.0}
    assert text_of(session_of(engine, guide).send_user("골라")) == "[고름 · 둘 · 끝]"


def test_what_was_read_before_is_not_read_again(engine: LlamaEngine) -> None:
    session = session_of(engine, Guide(OneOf("네")))
    list(session.send_user("아주 긴 이야기를 하나 들려줄게요 " * 4))
    list(session.send_user("아주 긴 이야기를 하나 들려줄게요 " * 4 + "끝"))
    assert session.stats.prompt_tokens < 12


def test_going_back(engine: LlamaEngine) -> None:
    guide = Guide(OneOf("네"))
    session = session_of(engine, guide)
    list(session.send_user("하나"))
    mark = session.checkpoint()
    list(session.send_user("둘"))
    session.rollback(mark)
    assert guide.said == ["하나"]
    with pytest.raises(ValueError, match="another session"):
        session_of(engine, guide).rollback(mark)


class Endless:
    """Never whole."""

    def viable(self, text: str) -> bool:
        return True

    def complete(self, text: str) -> bool:
        return False


class Nothing(Endless):
    """Nothing may be written at all."""

    def viable(self, text: str) -> bool:
        return False


@pytest.mark.parametrize("checker", [Endless(), Nothing()])
def test_what_cannot_end_or_begin_is_an_error_in_words(engine: LlamaEngine, checker: LlmLineChecker) -> None:
    session = session_of(engine, Guide(checker))
    with pytest.raises(LlmError, match="답을 만들지 못했어요"):
        list(session.send_user("말해 봐"))
    # The conversation goes on.
    session = session_of(engine, Guide(OneOf("네")))
    assert text_of(session.send_user("다시")) == "[네]"


def test_a_stop_ends_the_turn(engine: LlamaEngine) -> None:
    stop = StopFlag()

    class Stopping(Endless):
        def viable(self, text: str) -> bool:
            if len(text) > 3:
                stop.set()
            return True

    session = LlamaLineSession(engine, LlmPrompt(""), Guide(Stopping()), stop)
    with pytest.raises(LlmStopped):
        list(session.send_user("말해 봐"))


def test_a_closed_session_says_so(engine: LlamaEngine) -> None:
    session = session_of(engine, Guide(OneOf("네")))
    session.close()
    session.close()
    with pytest.raises(LlmError, match="닫혀"):
        list(session.send_user("안녕"))


def test_looking_ahead_takes_nothing() -> None:
    pieces = Utf8Pieces()
    whole = "쀍".encode()
    assert "쀍" not in pieces.endings(whole[:1])
    assert all(len(each) == 1 for each in pieces.endings(whole[:2]))
    assert pieces.feed(whole[:2]) == ""
    assert pieces.endings(whole[2:]) == ("쀍",)
    assert pieces.endings(b"") == ()
    assert pieces.endings(b"a") == ()  # no end of the character that was begun
    assert pieces.feed(whole[2:]) == "쀍"
    assert pieces.endings("네".encode()) == ("네",)
    assert pieces.endings("🦔".encode()[:1])
