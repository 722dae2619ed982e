"""What a summary says: by rule only what is stored, of a model's nothing that tells of a change."""

from __future__ import annotations

import pytest

from lifehelper_desktop.base.i18n import set_language
from lifehelper_desktop.chat.messages import ModelChatMessage, ToolCallChatMessage, ToolCallState, UserChatMessage
from lifehelper_desktop.chat.summary import (
    PROSE_MAX,
    RULE_MAX,
    Exchange,
    by_rule,
    clean_prose,
    exchanges_of,
    instruction,
    with_changes,
)
from lifehelper_desktop.domain.changes import Changes
from lifehelper_desktop.tools.envelope import ToolCancelled, ToolErr, ToolOk, ToolResult

WROTE = Changes(entries=frozenset({(1, "2026-08-12")}))


def card(label: str, result: ToolResult | None, stored: str = "") -> ToolCallChatMessage:
    changes = result.changes if isinstance(result, ToolOk) and result.changes else None
    return ToolCallChatMessage("k", "tool", label, {}, ToolCallState.DONE, result, stored, changes)


def said(text: str, *rest: object, day: str = "2026-08-12") -> Exchange:
    return Exchange(UserChatMessage(text, f"오늘: {day} (수)\n내 습관: 1 하루 걷기"), list(rest))  # type: ignore[arg-type]


def test_by_rule_only_the_data_speaks() -> None:
    exchanges = [
        said("걷기 다 했어", card("기록하기", ToolOk({}, WROTE), "하루 걷기 · 2026-08-12(수) · 완료")),
        said("물 마시기 추가", card("습관 추가", ToolCancelled()), ModelChatMessage("물 마시기를 추가했어요!")),
        said("잠 습관 찾아 줘", card("카탈로그 찾기", ToolOk({"count": 2}))),
        said("그거 넣어 줘", card("습관 추가", ToolErr("duplicate", "이미 하고 있는 습관이에요."))),
        said("고마워", ModelChatMessage("기록을 열 개 저장했어요."), day="2026-08-13"),
    ]
    assert by_rule(exchanges) == "\n".join(
        (
            "2026-08-12(수)",
            "한 말: “걷기 다 했어”, “물 마시기 추가”, “잠 습관 찾아 줘”, “그거 넣어 줘”",
            "부른 도구: 카탈로그 찾기",
            "바뀐 것: 기록하기 · 하루 걷기 · 2026-08-12(수) · 완료",
            "하지 않은 것: 습관 추가",
            "하지 못한 것: 습관 추가 (이미 하고 있는 습관이에요.)",
            "2026-08-13(목)",
            "한 말: “고마워”",
        )
    )


def test_a_call_that_was_cut_short_and_a_message_without_a_day_claim_nothing() -> None:
    exchange = Exchange(UserChatMessage("안녕"), [card("기록하기", None)])
    assert by_rule([exchange]) == "한 말: “안녕”"
    assert by_rule([]) == ""


def test_the_newest_stays_where_it_is_too_much() -> None:
    exchanges = [said("가" * 200, day=f"2026-07-{day:02}") for day in range(1, 29)]
    exchanges += [said(f"{number}번째 말", day="2026-08-01") for number in range(9)]
    text = by_rule(exchanges)
    assert len(text) <= RULE_MAX
    first, *_rest = text.splitlines()
    assert first.startswith("그 앞의 ")
    assert text.endswith("“4번째 말” 외 4개")
    assert "2026-07-28(화)" in text
    assert "2026-07-01" not in text
    # One day alone that is longer than there is room.
    assert len(by_rule([said("가" * 40 + str(n)) for n in range(30)], limit=120)) <= 120


def test_in_english() -> None:
    set_language("en")
    exchange = Exchange(UserChatMessage("done walking", "Today: 2026-08-12 (Wed)"), [])
    # The words are translated in the catalogue; day and quotation are the data's.
    assert by_rule([exchange]).splitlines()[0] == "2026-08-12(Wed)"
    assert "“done walking”" in by_rule([exchange])


@pytest.mark.parametrize(
    ("raw", "kept"),
    [
        ("사용자는 밤에 잠이 안 온다고 했다. 걷기를 꾸준히 하고 싶어 한다.", "same"),
        ("요약: 사용자는 잠이 걱정이다.", "사용자는 잠이 걱정이다."),
        ("- 사용자는 **잠**이 걱정이다.\n- 걷기를 기록했다.", "사용자는 잠이 걱정이다."),
        ("사용자는 잠이 걱정이다. 지난주에 습관을 추가했다. 걷기를 기록함.", "사용자는 잠이 걱정이다."),
        ("잠이 걱정이다. 잠이 걱정이다. 잠이 걱정이다.", "잠이 걱정이다."),
        ("걷기를 완료로 기록했어요.", ""),
        ('{"name": "log_tracker_entry"}', ""),
        ("<start_of_turn>user 잠이 걱정이다.", ""),
        ("The user sleeps badly.", ""),
        ("", ""),
        ("물 물 물 물 물 물 물 물 물 물 물 물", ""),
    ],
)
def test_of_a_model_only_whole_sentences_that_claim_no_change(raw: str, kept: str) -> None:
    assert clean_prose(raw, "ko") == (raw if kept == "same" else kept)


def test_a_model_that_goes_on_and_on_is_cut_at_a_sentence() -> None:
    text = clean_prose(" ".join(f"{number}번째로는 걱정{number} 이야기를 말했다." for number in range(100)), "ko")
    assert len(text) <= PROSE_MAX
    assert text.endswith("말했다.")
    assert clean_prose("The user sleeps badly. I logged the walk.", "en") == "The user sleeps badly."


def test_changes_stand_below_the_prose() -> None:
    exchanges = [said("했어", card("기록하기", ToolOk({}, WROTE), "하루 걷기 · 완료"))]
    assert with_changes("잠 이야기를 했다.", exchanges) == "잠 이야기를 했다.\n바뀐 것: 기록하기 · 하루 걷기 · 완료"
    assert with_changes("잠 이야기를 했다.", []) == "잠 이야기를 했다."


def test_what_a_model_is_asked() -> None:
    exchanges = exchanges_of(
        [
            ModelChatMessage("앞뒤 없는 말"),
            UserChatMessage("첫째 " + "길" * 5000),
            ModelChatMessage("대답"),
            UserChatMessage("둘째"),
        ]
    )
    asked = instruction(exchanges, "앞선 이야기", "ko")
    assert len(asked) < 3200
    assert "지금까지의 요약: 앞선 이야기\n사용자: 첫째 길" in asked
    assert asked.endswith("코치: 대답\n사용자: 둘째\n\n요약:")
    assert instruction(exchanges, "", "en").endswith("User: 둘째\n\nSummary:")
