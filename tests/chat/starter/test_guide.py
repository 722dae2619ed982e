"""From lines to calls and words, and back."""

from __future__ import annotations

from datetime import date

import pytest

from lifehelper_desktop.base.i18n import set_language
from lifehelper_desktop.chat.crisis import CRISIS_ANSWER
from lifehelper_desktop.chat.prompts import turn_context
from lifehelper_desktop.chat.starter.guide import StarterGuide, listed_habits
from lifehelper_desktop.domain.habits import NewHabit
from lifehelper_desktop.llm.protocol import LlmFunctionCall, LlmToolResult, LlmTurn
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.tools.registry import ToolRegistry

CONTEXT = "오늘: 2026-08-12 (수)\n내 습관: 1 하루 걷기 · 4 채소·과일 다섯 접시 · 7 5분 먼저 시작하기"


@pytest.fixture
def guide(store: Store) -> StarterGuide:
    return StarterGuide(store.catalogue, "ko", ToolRegistry.defaults())


def one(guide: StarterGuide, user: str, answer: str, context: str = CONTEXT) -> LlmFunctionCall:
    """Ask, answer with a line, and return the one call of it."""
    _prompt, grammar = guide.ask(user, context)
    assert grammar.complete(answer)
    calls, words = guide.read(answer)
    assert words == ""
    assert len(calls) == 1
    return calls[0]


def words(guide: StarterGuide, user: str, answer: str, context: str = CONTEXT) -> str:
    """Ask, answer with a line, and return the words it stands for."""
    _prompt, grammar = guide.ask(user, context)
    assert grammar.complete(answer)
    calls, said = guide.read(answer)
    assert not calls
    return said


def test_habits_are_read_from_the_facts_that_the_app_writes(store: Store) -> None:
    for protocol in ("daily-steps", "fruit-veg-five"):
        store.habits.add(NewHabit(protocol, 2, store.catalogue.get(protocol).frame(2, "ko")))  # type: ignore[union-attr]
    for language, title in (("ko", "채소·과일 다섯 접시"), ("en", "Five fruit and veg")):
        listed = listed_habits(turn_context(store, language))
        assert list(listed.values())[1] == title
    assert listed_habits("오늘: 2026-08-12 (수)\n내 습관: 없음") == {}


def test_an_entry(guide: StarterGuide) -> None:
    call = one(guide, "어제 걷기 했어", "기록 · 하루 걷기 · 완료 · 어제")
    assert (call.name, call.args) == ("log_tracker_entry", {"habit_id": 1, "value": "done", "date": "어제"})


def test_a_note_comes_from_the_message_or_not_at_all(guide: StarterGuide) -> None:
    call = one(guide, "감기 기운이 있어서 걷기 쉴게", "기록 · 하루 걷기 · 쉼 · 오늘 · 메모 감기 기운")
    assert call.args["note"] == "감기 기운"
    assert "note" not in one(guide, "걷기 쉴게", "기록 · 하루 걷기 · 쉼 · 오늘 · 메모 출장").args


def test_the_day_of_the_message_that_the_coach_asked_about(guide: StarterGuide) -> None:
    guide.ask("어제 거 했어 기록해 줘", CONTEXT)
    guide.read("말 · 어느것")
    call = one(guide, "걷기", "기록 · 하루 걷기 · 완료 · 어제")
    assert call.args["date"] == "어제"


def test_two_habits_of_one_name_are_asked_about(guide: StarterGuide) -> None:
    context = "내 습관: 1 산책 · 2 산책"
    said = words(guide, "산책 했어", "기록 · 산책 · 완료 · 오늘", context)
    assert "산책, 산책" in said


def test_several_calls(guide: StarterGuide) -> None:
    guide.ask("카페인 마감 보고 바로 추가해 줘, 오후 3시로", CONTEXT)
    calls, _words = guide.read("설명 · 카페인 마감 시각\n추가 · 카페인 마감 시각 · 과정 · 제안 · 때 오후 3시")
    assert [call.name for call in calls] == ["query_protocol", "add_habit"]
    assert calls[1].args == {
        "protocol_id": "caffeine-cutoff",
        "frame_level": 2,
        "framed_text": "마지막 커피를 오후 3시 전에 마신다",
        "anchor_when": "오후 3시",
    }


@pytest.mark.parametrize(
    ("user", "written", "text"),
    [
        ("걷기 추가. 문장은 ‘나는 걷는 사람이다’로", "‘나는 걷는 사람이다’", "나는 걷는 사람이다"),
        ("걷기 추가. 문장은 ‘나는 걷는 사람이다’로", "‘나는 걸는 사람’", "나는 걷는 사람이다"),  # dictated words stay
        ("점심 먹고 10분 걷는 습관 추가", "점심을 먹은 뒤 10분 걷는다", "점심을 먹은 뒤 10분 걷는다"),
        ("점심 먹고 10분 걷는 습관 추가", "점심을 먹은 뒤 30분 걷는다", "suggested"),  # a number nobody said
        ("걷기 습관 추가", "밤마다 물구나무를 선다", "suggested"),  # speaks of something else
        ("야식 추가. 문장은 꼭 ‘야식 끊기’로", "‘야식 끊기’", "야식 끊기"),  # the rule refuses it, not the coach
    ],
)
def test_the_sentence_of_a_habit(guide: StarterGuide, store: Store, user: str, written: str, text: str) -> None:
    call = one(guide, user, f"추가 · 하루 걷기 · 과정 · {written}")
    suggested = store.catalogue.get("daily-steps").frame(2, "ko")  # type: ignore[union-attr]
    assert call.args["framed_text"] == (suggested if text == "suggested" else text)


def test_searches(guide: StarterGuide) -> None:
    assert one(guide, "마시는 거", "찾기 · 카페인").args == {"keyword": "카페인"}
    assert one(guide, "수면 쪽", "분야 · 수면").args == {"category": "sleep"}
    assert one(guide, "뭐 있어", "분야 · 전체").args == {"limit": 10}


def test_kinds_of_words(guide: StarterGuide, store: Store) -> None:
    assert words(guide, "사라지고 싶다", "말 · 위기") == CRISIS_ANSWER
    shower = store.catalogue.get("cold-finish-shower")
    assert shower is not None
    assert shower.text("safety", "ko") in words(guide, "고혈압인데 찬물", "말 · 안전 · 샤워 끝 시원한 물")
    assert "119" in words(guide, "가슴이 아픈데 운동", "말 · 안전 · -")
    assert "하루 걷기" in words(guide, "했어", "말 · 어느것")
    assert "기타 연습" in words(guide, "기타 쳤어", "말 · 없음 · 기타 연습")
    assert "마음챙김 명상 추가해 줘" in words(guide, "명상 했어", "말 · 없음 · 마음챙김 명상")
    assert words(guide, "한다", "말 · 어느것", "내 습관: 없음") == words(guide, "했어", "말 · 어느것", "내 습관: 없음")
    for screen in ("삭제", "쉬기", "보관", "수정", "기록수정", "알림", "설정", "백업", "통계"):
        assert words(guide, "해 줘", f"말 · 화면 · {screen}")


def test_small_talk_is_the_models_own_unless_it_claims_a_write(guide: StarterGuide) -> None:
    assert words(guide, "안녕", "말 · 잡담 · 반가워요. 오늘은 어땠어요?") == "반가워요. 오늘은 어땠어요?"
    assert "기록" not in words(guide, "안녕", "말 · 잡담 · 네, 방금 기록했어요.")
    assert words(guide, "hello there", "말 · 잡담 · 반가워요.") != "반가워요."


def test_words_follow_the_language_of_the_message(guide: StarterGuide) -> None:
    assert "habits" in words(guide, "what's the weather", "말 · 밖")
    assert "습관" in words(guide, "날씨 알려 줘", "말 · 밖")


def test_closing_words_say_what_the_results_say(guide: StarterGuide) -> None:
    call = one(guide, "어제 걷기 했어", "기록 · 하루 걷기 · 완료 · 어제")
    data = {"entry_id": 1, "habit_id": 1, "date": "2026-08-11", "value": "done"}
    said = guide.close([call], [LlmToolResult(call.name, {"status": "ok", "data": data})])
    assert "8월 11일" in said
    assert "하루 걷기" in said
    refused = {"status": "error", "code": "duplicate", "reason": "그날은 이미 기록이 있어요."}
    assert guide.close([call], [LlmToolResult(call.name, refused)]) == "그날은 이미 기록이 있어요."
    cancelled = {"status": "cancelled", "reason": "user did not confirm"}
    assert "바꾸지 않았어요" in guide.close([call], [LlmToolResult(call.name, cancelled)])


@pytest.mark.parametrize(
    ("current", "broken", "expected"), [(0, False, "다시 시작"), (12, False, "12일"), (2, True, "최소만")]
)
def test_closing_words_of_a_streak(guide: StarterGuide, current: int, broken: bool, expected: str) -> None:
    call = one(guide, "걷기 며칠째", "연속 · 하루 걷기")
    data = {
        "current_streak": current,
        "longest_streak": 20,
        "done_count_30d": 9,
        "done_count_phase42": 9,
        "tier": "sprout",
        "never_miss_twice_broken": broken,
    }
    said = guide.close([call], [LlmToolResult(call.name, {"status": "ok", "data": data})])
    assert expected in said
    assert "‘하루 걷기’는" in said or "‘하루 걷기’ " in said


@pytest.mark.parametrize(
    ("unit", "user", "expected"),
    [
        ("week", "걷기 몇 주째", ("1주째", "20주")),
        ("month", "걷기 몇 달째", ("1달째", "20달")),
        ("check", "걷기 연속 기록", ("1번째", "20번")),
        ("week", "how long is my walking streak", ("1 week ", "20 weeks")),
        ("day", "how long is my walking streak", ("1 day ", "20 days")),
    ],
)
def test_a_streak_is_told_in_the_unit_of_its_habit(
    guide: StarterGuide, unit: str, user: str, expected: tuple[str, ...]
) -> None:
    call = one(guide, user, "연속 · 하루 걷기")
    data = {"current_streak": 1, "longest_streak": 20, "done_count_30d": 9, "never_miss_twice_broken": False}
    named = {} if unit == "day" else {"streak_unit": unit}
    said = guide.close([call], [LlmToolResult(call.name, {"status": "ok", "data": data | named})])
    assert all(each in said for each in expected), said


def test_a_result_that_was_cut_down_still_ends_in_words(guide: StarterGuide) -> None:
    call = one(guide, "카페인 마감 설명", "설명 · 카페인 마감 시각")
    assert guide.close([call], [LlmToolResult(call.name, {"status": "ok", "data": {"truncated": True}})])


def test_what_was_found_is_remembered(guide: StarterGuide) -> None:
    call = one(guide, "명상 습관 있어?", "찾기 · 명상")
    items = {"items": [{"id": "mindfulness-meditation", "title": "마음챙김 명상"}]}
    guide.close([call], [LlmToolResult(call.name, {"status": "ok", "data": items})])
    prompt, _grammar = guide.ask("그걸로 추가해 줘", CONTEXT)
    assert "앞: 명상 습관 있어? → 찾기 · 명상 = 마음챙김 명상\n" in prompt


def test_going_back_forgets(guide: StarterGuide) -> None:
    guide.ask("안녕", CONTEXT)
    guide.read("말 · 잡담 · 반가워요.")
    mark = guide.snapshot()
    one(guide, "명상 있어?", "찾기 · 명상")
    guide.restore(mark)
    prompt, _grammar = guide.ask("걷기 했어", CONTEXT)
    assert "앞: 안녕 → 말 · 잡담\n" in prompt
    with pytest.raises(ValueError, match="snapshot"):
        guide.restore("something else")


def test_a_conversation_is_taken_up(guide: StarterGuide) -> None:
    calls = (
        LlmFunctionCall("search_catalog", {"keyword": "손톱"}),
        LlmFunctionCall("query_protocol", {"id": "break-nail-biting"}),
    )
    guide.begin([LlmTurn("손톱 뜯는 거 대신할 거 없나", calls, (), "‘손끝 부드럽게 문지르기’가 있어요.")])
    prompt, _grammar = guide.ask("그거 추가", CONTEXT)
    assert "앞: 손톱 뜯는 거 대신할 거 없나 → 찾기 · 손톱 / 설명 · 손끝 부드럽게 문지르기\n" in prompt


def test_every_prepared_text_can_be_said() -> None:
    import json
    import re

    from lifehelper_desktop.base.paths import resources_dir
    from lifehelper_desktop.chat.claims import claims_a_write
    from lifehelper_desktop.chat.starter import words as prepared

    texts = json.loads((resources_dir() / "prompts" / "starter_words.json").read_text(encoding="utf-8"))
    assert texts["ko"]["talk"].keys() == texts["en"]["talk"].keys()
    assert texts["ko"]["closing"].keys() == texts["en"]["closing"].keys()
    for language, groups in texts.items():
        for group, rows in groups.items():
            for key, choices in rows.items():
                fields = {name: "책" for text in choices for name in re.findall(r"\{(\w+)\}", text)}
                for user in ("가", "나", "다", "라", "마"):
                    said = prepared.say(group, key, language, user, **fields)
                    assert "(" not in said or "8월" in said or "119" in said or "(책)" in said, said
                    if group == "talk":
                        # Only a result may say that something was written.
                        assert not claims_a_write(said), said


def test_the_day_in_closing_words_is_a_civil_day(guide: StarterGuide) -> None:
    set_language("en")
    call = one(guide, "flossed yesterday", "기록 · 하루 걷기 · 완료 · yesterday")
    data = {"entry_id": 1, "habit_id": 1, "date": date(2028, 2, 29).isoformat(), "value": "minimum"}
    assert "Feb 29" in guide.close([call], [LlmToolResult(call.name, {"status": "ok", "data": data})])


@pytest.mark.parametrize(
    ("user", "answer", "again"),
    [
        ("걷기 했어", "말 · 없음 · 하루 걷기", True),  # it is on the list
        ("명상 했어", "말 · 없음 · 마음챙김 명상", False),
        ("하루 걷기 며칠째", "말 · 어느것", True),  # the message names one in full
        ("며칠째", "말 · 어느것", False),
        ("걷기 했어", "기록 · 하루 걷기 · 완료 · 오늘", False),
        ("안녕", "말 · 잡담 · 반가워요", False),
    ],
)
def test_an_answer_against_the_facts_is_tried_again(
    guide: StarterGuide, user: str, answer: str, *, again: bool
) -> None:
    guide.ask(user, CONTEXT)
    grammar = guide.retry(answer)
    assert (grammar is not None) is again
    if grammar is not None:
        assert not grammar.viable("말")
        assert grammar.complete("연속 · 하루 걷기")
        assert not grammar.complete("연속 · 채소·과일 다섯 접시")


def test_with_one_habit_there_is_nothing_to_ask(guide: StarterGuide) -> None:
    guide.ask("했어", "내 습관: 1 하루 걷기")
    assert guide.retry("말 · 어느것") is not None
    guide.ask("했어", "내 습관: 없음")
    assert guide.retry("말 · 어느것") is None


def test_a_title_that_is_spelt_out_leaves_no_room_for_others(guide: StarterGuide) -> None:
    _prompt, grammar = guide.ask("채소·과일 다섯 접시 했어", CONTEXT)
    assert grammar.complete("기록 · 채소·과일 다섯 접시 · 완료 · 오늘")
    assert not grammar.viable("기록 · 하")


def test_a_condition_of_health_stops_a_new_habit(guide: StarterGuide) -> None:
    said = words(guide, "찬물 샤워 추가하고 싶은데 나 고혈압이야", "추가 · 샤워 끝 시원한 물 · 과정 · 제안")
    assert "의사" in said


def test_far_too_much_is_explained_first(guide: StarterGuide) -> None:
    guide.ask("16시간 공복 알려 주고 추가해 줘", CONTEXT)
    calls, _words = guide.read("설명 · 밤 12시간 속 쉬기\n추가 · 밤 12시간 속 쉬기 · 과정 · 제안")
    assert [call.name for call in calls] == ["query_protocol"]


@pytest.mark.parametrize(
    ("user", "line", "anchors"),
    [
        (
            "점심 먹고 나서 10분 걷는 습관 추가해 줘",
            "점심을 먹은 뒤 10분 걷는다",
            {"anchor_after_what": "점심을 먹은 뒤"},
        ),
        ("밤 10시 되면 스탠드 켜는 거 넣어줘", "제안", {"anchor_when": "밤 10시"}),
        ("걷기 추가", "제안", {}),
    ],
)
def test_anchors_are_read_from_the_message(guide: StarterGuide, user: str, line: str, anchors: dict[str, str]) -> None:
    call = one(guide, user, f"추가 · 하루 걷기 · 과정 · {line}")
    assert {key: value for key, value in call.args.items() if key.startswith("anchor")} == anchors


@pytest.mark.parametrize(
    ("sentence", "level"), [("나는 걷는 사람이다", 3), ("저녁마다 걷는다", 2), ("I am someone who walks", 3)]
)
def test_the_form_of_a_dictated_sentence_is_its_level(guide: StarterGuide, sentence: str, level: int) -> None:
    for written in ("과정", "정체성"):
        call = one(guide, f"걷기 추가해 줘 ‘{sentence}’", f"추가 · 하루 걷기 · {written} · ‘{sentence}’")
        assert call.args["frame_level"] == level


def test_what_speaks_for_each_habit(guide: StarterGuide) -> None:
    context = "내 습관: 1 채소 먼저 먹기 · 2 채소·과일 다섯 접시 · 3 기타 연습"
    for user, title in (
        ("밥보다 샐러드부터 다섯 입", "채소 먼저 먹기"),
        ("과일 두 접시에 나물 세 접시", "채소·과일 다섯 접시"),
        ("기타 30분 쳤어", "기타 연습"),
    ):
        guide.ask(user, context)
        for place in ("기록 ·", "연속 ·"):
            weights = guide.weigh(place)
            assert weights is not None
            best = max(weights, key=lambda piece: weights[piece])
            assert best.strip(" ·") == title
    assert guide.weigh("기록 · 채소") is None
    assert guide.weigh("말 ·") is None
    guide.ask("했어", "내 습관: 1 하루 걷기")
    assert list(guide.weigh("기록 ·") or ()) == [" 하루 걷기 ·"]


def test_a_keyword_of_one_habit_speaks_for_it(guide: StarterGuide) -> None:
    guide.ask("걷기 며칠째지?", "내 습관: 1 하루 걷기 · 2 잠들기 전 할 일 적기")
    weights = guide.weigh("연속 ·")
    assert weights is not None
    assert weights[" 하루 걷기"] >= weights[" 잠들기 전 할 일 적기"] + 4.0
    # Both are walks: neither is named by the word alone.
    guide.ask("걷기 며칠째지?", "내 습관: 1 하루 걷기 · 2 식후 10분 걷기")
    both = guide.weigh("연속 ·")
    assert both is not None
    assert abs(both[" 하루 걷기"] - both[" 식후 10분 걷기"]) < 4.0


def test_what_speaks_for_each_value(guide: StarterGuide) -> None:
    guide.ask("걷기 최소로", CONTEXT)
    assert guide.weigh("기록 · 하루 걷기 ·") == {" 완료 ·": 0.0, " 최소 ·": 4.0, " 쉼 ·": 0.0}
    second = guide.weigh("기록 · 하루 걷기 · 최소 · 오늘\n기록 · 5분 먼저 시작하기 ·")
    assert second is not None
    assert second[" 최소 ·"] == 4.0


def test_entries_that_nothing_was_said_of_are_left_out(guide: StarterGuide) -> None:
    context = "내 습관: 1 양치 뒤 치실 · 2 고마운 일 세 가지"
    both = "기록 · 양치 뒤 치실 · 완료 · 오늘\n기록 · 고마운 일 세 가지 · 완료 · 오늘"
    for user, count in (("양치하고 치실까지 끝냈어요", 1), ("치실이랑 감사 일기 했어", 2), ("오늘 거 전부 완료", 2)):
        guide.ask(user, context)
        calls, _words = guide.read(both)
        assert len(calls) == count, user


@pytest.mark.parametrize(
    ("user", "written", "word"),
    [
        ("카페인 줄이는 거 있어?", "카페인", "카페인"),
        ("커피 때문에 잠이 안 와", "수면제", "커피"),
        ("피아노 습관 있어?", "피아노", "피아노"),
    ],
)
def test_the_word_to_search_for(guide: StarterGuide, user: str, written: str, word: str) -> None:
    assert one(guide, user, f"찾기 · {written}").args == {"keyword": word}
