"""What the starter does by rule: screens, pages of habits, copying. Nothing that the model answers is taken from it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from lifehelper_desktop.chat.starter.guide import StarterGuide
from lifehelper_desktop.chat.starter.window_commands import window_call
from lifehelper_desktop.llm.protocol import LlmFunctionCall, LlmToolResult, LlmTurn
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.tools.registry import ToolRegistry
from lifehelper_desktop.tools.visibility import ModelProfile, Place
from lifehelper_desktop.tools.window import no_window

ROOT = Path(__file__).parent.parent.parent.parent
TOOLS = frozenset({"open_screen", "show_habit", "copy_text"})
HABITS = {3: "하루 걷기", 5: "양치 뒤 치실", 7: "Daily walking", 9: "자기 전 할 일 적기"}
CONTEXT = "오늘: 2026-08-12 (수)\n내 습관: 3 하루 걷기 · 5 양치 뒤 치실"


def _asked(user: str) -> tuple[str, object] | None:
    call = window_call(user, HABITS, TOOLS)
    return None if call is None else (call.name, next(iter(call.args.values()), None))


@pytest.mark.parametrize(
    ("user", "screen"),
    [
        ("통계 화면 열어 줘", "show_review"),
        ("통계 보여줘", "show_review"),
        ("통계화면 좀 열어 주세요!", "show_review"),
        ("설정 열어 줘", "settings"),
        ("혹시 설정 좀 열어 줄 수 있어?", "settings"),
        ("설정 열어줘 ㅎㅎ", "settings"),
        ("open settings", "settings"),
        ("Can you open the settings, please?", "settings"),
        ("백업 화면으로 가 줘", "backups"),
        ("카탈로그로 이동해줘", "show_catalogue"),
        ("go to the catalogue", "show_catalogue"),
        ("오늘 화면 보여줘", "show_habits"),
        ("take me to today", "show_habits"),
        ("모델 관리 열어줘", "open_models"),
        ("가져오기 열어줘", "import_data"),
        ("데이터 내보내기 화면", "export_data"),
        ("휴지통 열어 줄래?", "archive"),
        ("바뀐 내용 보여줘", "history"),
        ("지난 대화 열어줘", "open_conversations"),
        ("단축키 보여줘", "shortcuts"),
        ("빠른 기록 열어줘", "quick_log"),
        ("show me my stats", "show_review"),
        ("통계 좀 볼 수 있을까?", "show_review"),
        ("설정좀 열어줘", "settings"),
        ("설정에 들어가 줘", "settings"),
    ],
)
def test_a_screen(user: str, screen: str) -> None:
    assert _asked(user) == ("open_screen", screen)


@pytest.mark.parametrize(
    ("user", "habit"),
    [
        ("하루 걷기 습관 보여 줘", 3),
        ("‘하루 걷기’ 상세 보기", 3),
        ("걷기 상세", 3),
        ("걷기 통계 보여줘", 3),
        ("치실 상세 화면 보여줘", 5),
        ("양치 뒤 치실 습관 페이지로 가줘", 5),
        ("show me the walking habit", 7),
        ("open the Daily walking page", 7),
        ("show me Daily walking’s stats", 7),
        ("하루 걷기 열어 줘", 3),
        ("open Daily walking", 7),
    ],
)
def test_the_page_of_a_habit(user: str, habit: int) -> None:
    assert _asked(user) == ("show_habit", habit)


@pytest.mark.parametrize(
    "user",
    [
        "복사해 줘",
        "방금 답 복사해줘",
        "마지막 답변 복사 좀 해줘",
        "그거 복사해 줄래요?",
        "copy that",
        "Copy your last answer.",
    ],
)
def test_the_last_answer_is_copied(user: str) -> None:
    assert _asked(user) == ("copy_text", None)


@pytest.mark.parametrize(
    "user",
    [
        *("내 습관 보여줘", "습관 목록 보여줘", "show me my habits", "pull up my habits", "카탈로그 보여 줘"),
        *("하루 걷기 보여줘", "명상 습관 보여줘", "할 일 습관이랑 걷기 습관 보여줘", "창문 열어줘", "산책 가자"),
        *(
            "설정 열고 백업 열어줘",
            "설정 열지 마",
            "설정은 어떻게 열어?",
            "설정",
            "통계",
            "설정 열어 줘 그리고 걷기 했어",
        ),
        *("일기 쓴 거 복사했어", "이거 복사해서 붙여줘", "휴대폰 화면 열어 봤어", "하루 걷기 연속 며칠인지 보여줘"),
        *(
            "",
            "   ",
            "ㅋㅋ",
            "열어 줘",
            "화면 열어 줘",
            "습관 상세",
            "상세 보여줘",
            "알림 켜 줘",
            "show me habits for focus at work",
        ),
    ],
)
def test_everything_else_is_the_models(user: str) -> None:
    assert _asked(user) is None


def test_the_name_of_a_screen_is_no_part_of_a_title() -> None:
    habits = {1: "설정 정리하기", 2: "오늘 할 일 적기"}
    for user, screen in (("설정 화면", "settings"), ("오늘 화면 보여 줘", "show_habits")):
        call = window_call(user, habits, TOOLS)
        assert call == LlmFunctionCall("open_screen", {"screen": screen})
    assert window_call("설정 습관 보여 줘", habits, TOOLS) == LlmFunctionCall("show_habit", {"habit_id": 1})


@pytest.mark.parametrize("user", ["go to bed", "헬스장에 가기", "헬스장으로 가자"])
def test_where_one_goes_is_no_page_of_that_name(user: str) -> None:
    assert window_call(user, {1: "Bed", 2: "헬스장"}, TOOLS) is None


def test_two_habits_that_fit_are_not_guessed() -> None:
    assert window_call("걷기 습관 보여줘", {1: "하루 걷기", 2: "저녁 걷기"}, TOOLS) is None
    assert window_call("하루 걷기 습관 보여줘", {1: "하루 걷기", 2: "하루 걷기"}, TOOLS) is None


def test_without_a_window_nothing_is_done_by_rule(store: Store) -> None:
    registry = ToolRegistry.defaults().narrowed(Place.CLI, ModelProfile.STARTER)
    guide = StarterGuide(store.catalogue, "ko", registry)
    for user in ("통계 화면 열어 줘", "하루 걷기 습관 보여 줘", "복사해 줘"):
        assert not guide.decide(user, CONTEXT)


# ---- what worked before ---------------------------------------------------------------------------------------------


def _labelled() -> Iterator[tuple[str, str]]:
    """Give every message of the evaluations that is labelled with a call, and its label."""
    for name in ("coach_dev.jsonl", "starter_validation.jsonl"):
        for line in (ROOT / "tests" / "data" / name).read_text(encoding="utf-8").splitlines():
            if line.strip():
                row = json.loads(line)
                yield row["user"], json.dumps(row["expect"], ensure_ascii=False)


def test_no_labelled_message_is_taken_from_the_model() -> None:
    messages = list(_labelled())
    assert len(messages) > 250
    assert [(user, label) for user, label in messages if _asked(user) is not None] == []


#: Said of a habit's page in so many words: with a window that page is opened.
_PAGES_OF_HABITS = ("show the {name} page", "{name} 통계 볼래", "{name} 상세 페이지 열어줘")


def test_of_the_trained_messages_only_those_about_a_screen() -> None:
    """A message that the model was taught to answer otherwise is left to it."""
    taken = []
    for path in sorted((ROOT / "packaging" / "starter_model" / "phrases").glob("*.txt")):
        for line in path.read_text(encoding="utf-8").splitlines():
            kind, _colon, rest = line.partition(":")
            message = rest.partition(" => ")[0].strip()
            if kind != "screen" and _asked(message.replace("{name}", "하루 걷기")) is not None:
                taken.append(message)
    assert sorted(taken) == sorted(_PAGES_OF_HABITS)


# ---- in the guide ---------------------------------------------------------------------------------------------------


@pytest.fixture
def guide(store: Store) -> StarterGuide:
    registry = ToolRegistry.defaults().narrowed(Place.WINDOW, ModelProfile.STARTER)
    return StarterGuide(store.catalogue, "ko", registry)


def _close(guide: StarterGuide, user: str, result: dict[str, object]) -> str:
    calls = guide.decide(user, CONTEXT)
    assert len(calls) == 1
    return guide.close(calls, [LlmToolResult(calls[0].name, result)])


def test_words_after_a_screen_was_opened(guide: StarterGuide) -> None:
    opened = {"status": "ok", "data": {"opened": "설정"}}
    assert "설정" in _close(guide, "설정 열어 줘", opened)
    assert "‘설정’" in _close(guide, "open settings", opened)
    assert _close(guide, "open settings", opened).isascii() is False
    assert any(word in _close(guide, "open settings", opened) for word in ("Opened", "Here is"))
    assert "복사" in _close(guide, "복사해 줘", {"status": "ok", "data": {"copied_characters": 3}})


def test_words_after_a_refusal_are_its_reason(guide: StarterGuide) -> None:
    reason = no_window().reason
    assert "부르지 말고" in reason, "said to the model"
    told = {"status": "error", "code": "no_window", "reason": reason}
    assert _close(guide, "설정 열어 줘", told) == "열린 창이 없어서 하지 못했어요."
    stopped = {"status": "cancelled", "reason": "user did not confirm"}
    assert _close(guide, "설정 열어 줘", stopped)


def test_that_one_after_the_page_of_a_habit(guide: StarterGuide) -> None:
    assert guide.decide("하루 걷기 습관 보여 줘", CONTEXT)
    prompt, _grammar = guide.ask("그거 오늘 했어", CONTEXT)
    assert "앞: 하루 걷기 습관 보여 줘 → 연속 · 하루 걷기" in prompt


def test_copying_does_not_change_what_is_spoken_of(guide: StarterGuide) -> None:
    guide.ask("걷기 며칠째야", CONTEXT)
    guide.read("연속 · 하루 걷기")
    assert guide.decide("복사해 줘", CONTEXT)
    prompt, _grammar = guide.ask("그거 오늘 했어", CONTEXT)
    assert "앞: 걷기 며칠째야 → 연속 · 하루 걷기" in prompt


def test_a_conversation_taken_up_again_knows_what_was_opened(guide: StarterGuide) -> None:
    call = LlmFunctionCall("open_screen", {"screen": "settings"})
    guide.begin([LlmTurn("설정 열어 줘", [call], [LlmToolResult("open_screen", {})], "열었어요.", CONTEXT)])
    prompt, _grammar = guide.ask("고마워", CONTEXT)
    assert "앞: 설정 열어 줘 → 말 · 화면" in prompt
