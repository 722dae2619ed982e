"""The same demands on every format. Numbers are the sixteen points of the design; names are the reports behind them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lifehelper_desktop.llm.formats.base import BrokenCall
from lifehelper_desktop.llm.protocol import LlmFunctionCall, LlmPrompt, LlmTextChunk
from lifehelper_desktop.tools.arguments import coerce
from tests.llm.dialects import DIALECTS, GEMMA4_DIALECTS, NATIVE, Dialect
from tests.llm.support import TOOLS, calls_of, has_broken, text_of

each = pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
each_native = pytest.mark.parametrize("dialect", NATIVE, ids=lambda dialect: dialect.name)
each_gemma4 = pytest.mark.parametrize("dialect", GEMMA4_DIALECTS, ids=lambda dialect: dialect.name)

STREAK: dict[str, Any] = {"habit_id": 1}
WATER: dict[str, Any] = {"name": "물", "amount": 3}


def only_call(dialect: Dialect, text: str) -> LlmFunctionCall:
    """Return the one event of `text`, a call."""
    (event,) = dialect.parse(text)
    assert isinstance(event, LlmFunctionCall)
    return event


@each
def test_01_a_split_marker_is_never_shown(dialect: Dialect) -> None:  # vLLM #38910, #48294
    text = "기록할게요 " + dialect.lead + dialect.call("get_streak", STREAK)
    expected = [LlmTextChunk("기록할게요 "), LlmFunctionCall("get_streak", STREAK)]
    assert dialect.parse(text) == expected
    assert dialect.parse(text, cuts=range(len(text))) == expected
    for cut in range(len(text)):
        assert dialect.parse(text, cuts=[cut]) == expected


@each
def test_02_text_after_a_call_in_the_same_chunk_is_kept(dialect: Dialect) -> None:  # vLLM #48294, #39243
    events = dialect.parse(dialect.call("add_habit", WATER) + "\n더 필요한 게 있나요?")
    assert calls_of(events) == [("add_habit", WATER)]
    assert text_of(events).strip() == "더 필요한 게 있나요?"


@each
@pytest.mark.parametrize(
    "text", ["3 < 5 이에요", "a <| b <|tool 그리고 <start_", "x<", "`a` ``` b", "화살 <- 표 <|", "<|too"]
)
def test_03_a_sign_that_is_no_marker_is_shown_once(dialect: Dialect, text: str) -> None:  # vLLM #38910
    assert dialect.parse(text) == [LlmTextChunk(text)]
    assert dialect.parse(text, cuts=range(len(text))) == [LlmTextChunk(text)]


@each
def test_04_nested_values_with_siblings_and_brackets_in_strings(dialect: Dialect) -> None:  # Rapid-MLX #1102
    args = {
        "days": ["월", {"a": [1, [2, {"b": "}]"}]], "c": {}}, []],
        "name": "물{3}, [좋다], a:b=c",
        "remind": {"time": "09:00", "on": True},
        "z": -3.5,
    }
    assert only_call(dialect, dialect.call("add_habit", args)) == LlmFunctionCall("add_habit", args)


@each
@pytest.mark.parametrize(
    ("native", "prompted"),
    [
        ('call:add_habit{days:["월",\'화\'],amount="3"}', "add_habit(days=[\"월\",'화'], amount='3')"),
        (
            'call:add_habit{"days": ["월", "화"], "amount": "3"}',
            "{'name':'add_habit','args':{'days':['월','화'],'amount':'3'}}",
        ),
        ("call:add_habit{days=[¦월¦,¦화¦,],amount=3,}", "add_habit(days=('월', '화',), amount=3)"),
        ("call: add_habit {amount: 3 , days: [ 월 , 화 ] }", "add_habit(amount=3, days=[월, 화])"),
        ("call:add_habit{{¦amount¦:3,¦days¦:[¦월¦,¦화¦]}}", '{"add_habit": {"amount": 3, "days": ["월", "화"]}}'),
        ("add_habit{amount:3,days:[“월”,‘화’]}", "functions.add_habit(amount=3, days=['월', '화'])"),
    ],
)
def test_05_loose_quotes_and_signs(dialect: Dialect, native: str, prompted: str) -> None:  # vLLM #51284, #47906
    call = only_call(dialect, dialect.raw(native, prompted))
    assert call.name == "add_habit"
    # Types are the schema's business, once, where the call is checked.
    assert coerce(TOOLS[1].parameters, call.args) == {"days": ["월", "화"], "amount": 3}
    assert call.repaired or dialect.markers is None


@each
def test_06_quoted_keys(dialect: Dialect) -> None:
    call = only_call(
        dialect, dialect.raw("call:add_habit{¦3¦:1,¦a b¦:¦c¦}", '{"name": "add_habit", "args": {"3": 1, "a b": "c"}}')
    )
    assert call.args == {"3": 1, "a b": "c"}


@each
def test_07_quotes_inside_strings(dialect: Dialect) -> None:  # ollama #15241, vLLM #39069, xinference #5242
    note = "그는 \"물{3}, 좋다\"라고 했다, '정말'? “네” 「물」 `a`\n둘째 줄"
    call = only_call(dialect, dialect.call("add_habit", {"amount": 1, "note": note}))
    assert call == LlmFunctionCall("add_habit", {"amount": 1, "note": note})


@each_native
def test_07_unmarked_strings_end_where_the_syntax_goes_on(dialect: Dialect) -> None:
    call = only_call(dialect, dialect.raw('call:add_habit{note:"그는 "물", 좋다"라고, 했다",name:¦물¦}', ""))
    assert call == LlmFunctionCall("add_habit", {"note": '그는 "물", 좋다"라고, 했다', "name": "물"}, repaired=True)


@each
def test_08_bare_words_numbers_and_null(dialect: Dialect) -> None:  # vLLM #39679, #47906
    call = only_call(
        dialect,
        dialect.raw(
            "call:add_habit{amount:3,big:1e3,done:true,name:null,neg:-2,off:false}",
            '{"name": "add_habit", "args": {"amount": 3, "big": 1e3, "done": true, "name": null, "neg": -2, '
            '"off": false}}',
        ),
    )
    assert call == LlmFunctionCall("add_habit", {"amount": 3, "big": 1000.0, "done": True, "neg": -2, "off": False})


@each_native
def test_08_bare_values_of_text_arguments_stay_text(dialect: Dialect) -> None:
    call = only_call(dialect, dialect.raw("call:add_habit{name:물 한 잔,note:007,amount:7}", ""))
    assert call == LlmFunctionCall("add_habit", {"name": "물 한 잔", "note": "007", "amount": 7}, repaired=True)


CUT = [
    ("call:add_habit{amount:108.", '{"name": "add_habit", "parameters": {"amount": 108.'),  # vLLM #42047
    ("call:add_habit{amount:108", "add_habit(amount=108"),
    ("call:add_habit{amount:1,name:¦오늘", "add_habit(amount=1, name='오늘"),
    ("call:add_habit{", "add_habit("),
    ("call:add_habit{days:[¦월¦", "[add_habit(days=['월'"),
]


@each
@pytest.mark.parametrize(("native", "prompted"), CUT)
def test_09_and_15_a_call_cut_by_the_length_limit_is_never_run(dialect: Dialect, native: str, prompted: str) -> None:
    assert dialect.parse(dialect.begun(native, prompted), "length") == [LlmFunctionCall("add_habit", {}, cut_off=True)]


@each
@pytest.mark.parametrize(("native", "prompted"), CUT)
def test_09_a_call_that_just_ends_is_broken(dialect: Dialect, native: str, prompted: str) -> None:
    events = dialect.parse(dialect.begun(native, prompted))
    assert has_broken(events)
    assert not calls_of(events)
    assert not text_of(events)


@each
def test_10_a_missing_end_marker_is_forgiven_when_the_turn_ended_by_itself(dialect: Dialect) -> None:
    text = dialect.begun(
        "call:get_streak{habit_id:1}", '```json\n{"name": "get_streak", "parameters": {"habit_id": 1}}'
    )
    assert calls_of(dialect.parse(text)) == [("get_streak", STREAK)]


@each_native
def test_10_but_not_when_the_length_limit_ended_it(dialect: Dialect) -> None:
    events = dialect.parse(dialect.begun("call:get_streak{habit_id:1}", ""), "length")
    assert events == [LlmFunctionCall("get_streak", {}, cut_off=True)]


@each
def test_11_several_calls_with_and_without_separators(dialect: Dialect) -> None:
    one, two = dialect.call("get_streak", STREAK), dialect.call("add_habit", WATER)
    for separator in ("", "\n", " \n\n", "\n\n\n"):
        assert dialect.parse(one + separator + two + separator + one) == [
            LlmFunctionCall("get_streak", STREAK),
            LlmFunctionCall("add_habit", WATER),
            LlmFunctionCall("get_streak", STREAK),
        ]


@each_native
def test_11_several_calls_between_one_pair_of_markers(dialect: Dialect) -> None:
    text = dialect.raw("call:get_streak{habit_id:1}call:add_habit{name:¦물¦}, call:search_catalog{}", "")
    assert calls_of(dialect.parse(text)) == [
        ("get_streak", STREAK),
        ("add_habit", {"name": "물"}),
        ("search_catalog", {}),
    ]
    unclosed = dialect.begun("call:get_streak{habit_id:1}", "") + dialect.call("add_habit", WATER)
    assert calls_of(dialect.parse(unclosed)) == [("get_streak", STREAK), ("add_habit", WATER)]


@each
@pytest.mark.parametrize("written", ["get_streak:get_streak", "google:mcp:x:get_streak", "default_api.get_streak"])
def test_11_doubled_and_prefixed_names(dialect: Dialect, written: str) -> None:  # flutter_gemma #228, omlx #1830
    call = only_call(dialect, dialect.call(written, STREAK))
    assert call == LlmFunctionCall("get_streak", STREAK, repaired=True)


@each_gemma4
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<|channel>thought\n<channel|>", ""),
        ("<|channel>thought\n물은 몇 잔일까? 3 < 5\n<channel|>", ""),
        ("<|channel><|channel>thought\n<channel|>", ""),
        ("<|channel>thought\n<channel|><|channel>thought\n둘째\n<channel|>", "<|channel>thought\n<channel|>"),
        ("<|channel><channel|>", "<channel|>"),
        ("<channel|>", "<|channel>thought"),
        ('\n\n<|channel>\nthought a<|"|>b<tool_call|>\n<channel|>\n', "<|channel>thought\n<channel|><channel|>"),
    ],
)
def test_12_thoughts_and_stray_channels_are_swallowed(dialect: Dialect, before: str, after: str) -> None:
    assert dialect.parse(before + "안녕 <b>하세요" + after) == [LlmTextChunk("안녕 <b>하세요")]
    call = dialect.call("get_streak", STREAK)
    assert dialect.parse(before + call + after) == [LlmFunctionCall("get_streak", STREAK)]
    both = dialect.parse(before + "네." + after + before + call)
    assert (text_of(both).strip(), calls_of(both)) == ("네.", [("get_streak", STREAK)])


@each_gemma4
def test_12_a_call_inside_a_thought_is_not_run(dialect: Dialect) -> None:
    call = dialect.call("get_streak", STREAK)
    assert dialect.parse(f"<|channel>thought\n{call}\n<channel|>했어요") == [LlmTextChunk("했어요")]
    # A thought that never ends: nobody knows whether it was meant, so it is asked for again.
    for reason in ("stop", "length"):
        events = dialect.parse(f"<|channel>thought\n음 {call}", reason)
        assert has_broken(events)
        assert not calls_of(events)
        assert not text_of(events)


@each_gemma4
def test_12_an_empty_channel_before_words_is_no_thought(dialect: Dialect) -> None:
    assert dialect.parse("<|channel>안녕하세요") == [LlmTextChunk("안녕하세요")]
    assert dialect.parse("<|channel>thou") == [BrokenCall("thou")]


@each
def test_12_a_fence_around_a_call_is_not_shown(dialect: Dialect) -> None:
    for fence in ("```", "```json\n", "```tool_code\n"):
        text = "네.\n" + fence + dialect.call("get_streak", STREAK) + "\n```\n됐어요"
        if dialect.markers is None and fence == "```":
            continue
        events = dialect.parse(text)
        assert calls_of(events) == [("get_streak", STREAK)]
        assert "`" not in text_of(events)
        assert text_of(events).split() == ["네.", "됐어요"]


@each
@pytest.mark.parametrize("text", ["```json}", "```json\n}\n```", "```json\n{\n```"])
def test_12_a_broken_fence_alone_asks_for_repair(dialect: Dialect, text: str) -> None:  # gaia #3596
    for cuts in ((), range(len(text))):
        events = dialect.parse(text, cuts=cuts)
        assert has_broken(events)
        assert not text_of(events).strip()


@each
@pytest.mark.parametrize(
    "text",
    [
        "call:add_habit{name:물}",
        "```\ncall:add_habit{name:물}\n```",
        "물 습관은 call:add_habit{name:물} 로 더해요.",
        "```python\nprint('call:add_habit{}')\n```",
        "`response:add_habit{}`",
    ],
)
def test_13_talk_about_calls_stays_text(dialect: Dialect, text: str) -> None:  # openclaude #380
    for cuts in ((), range(len(text))):
        assert dialect.parse(text, cuts=cuts) == [LlmTextChunk(text)]


@pytest.mark.parametrize("dialect", [d for d in NATIVE if not d.spelled], ids=lambda dialect: dialect.name)
def test_13_a_marker_that_is_only_spelled_is_no_marker(dialect: Dialect) -> None:
    text = dialect.call("add_habit", WATER)
    parser = dialect.format.parser(LlmPrompt("", TOOLS))
    assert parser.feed(text) == [LlmTextChunk(text)]


@each
def test_14_unknown_names_are_calls_for_the_loop_to_answer(dialect: Dialect) -> None:  # llm #1104
    assert dialect.parse(dialect.call("fly", {"to": "moon"})) == [LlmFunctionCall("fly", {"to": "moon"})]


@each
@pytest.mark.parametrize("count", [9, 66])
def test_16_many_equal_calls_are_all_reported(dialect: Dialect, count: int) -> None:  # lmstudio #1756
    assert calls_of(dialect.parse(dialect.call("get_streak", STREAK) * count)) == [("get_streak", STREAK)] * count


@each_native
@pytest.mark.parametrize(
    "native",
    [
        "",
        "call:",
        "call:add_habit",
        "add_habit",
        "call:fly",
        "call:add_habit{name:}",
        "call:add_habit{:¦물¦}",
        "call:add_habit{name ¦물¦}",
        "call:add_habit{name:¦물¦ ¦둘¦}",
        "call:add_habit{name:¦물¦,name:¦둘¦}",
        "call:add_habit{name:¦물¦]",
        "{" * 3000,
        "call:add_habit{a:" + "[" * 3000,
        "call:add_habit{a:" + "{a:" * 3000,
        "call:add_habit{amount:" + "9" * 6000 + "}",
        "call:add_habit{amount:1e999,b:nan}",
        "call:add_habit{name:¦" + "가" * 20_000 + "¦}",
        '"' * 5000,
        "말로 하는 이야기",
    ],
)
def test_nonsense_between_markers_never_raises(dialect: Dialect, native: str) -> None:
    for text, reason in ((dialect.raw(native, ""), "stop"), (dialect.begun(native, ""), "length")):
        events = dialect.parse(text, reason)
        assert not text_of(events) or native.startswith("말")
        for name, args in calls_of(events):
            assert name in ("add_habit", "fly")
            assert all(not isinstance(value, float) or value == value for value in args.values())


@each_native
def test_prompted_calls_between_markers_are_read_too(dialect: Dialect) -> None:
    for text in ('{"name": "add_habit", "arguments": {"name": "물", "amount": 3}}', 'add_habit(name="물", amount=3)'):
        assert calls_of(dialect.parse(dialect.raw(text, ""))) == [("add_habit", WATER)]


@each_native
def test_what_is_left_open_is_closed(dialect: Dialect) -> None:
    assert dialect.markers is not None
    close, quote = dialect.markers.call[1], dialect.markers.quote
    for native, expected in (("call:add_habit{a:1", close), ("call:add_habit{a:¦물", quote + close)):
        parser = dialect.format.parser(LlmPrompt("", TOOLS), spelled=dialect.spelled)
        for piece in dialect.pieces(dialect.begun(native, "")):
            parser.feed(piece)
        assert parser.closing() == expected


# -- any cutting


def fragments(dialect: Dialect) -> list[str]:
    """Return what streams are made of: markers, halves of them, syntax, words."""
    marks = dialect.markers
    native = [] if marks is None else [*marks.written, marks.call[0] + "call:", marks.call[0][:5], marks.call[1][:4]]
    words = [
        *"{}[]:=,`3<()-\"'",
        "call:",
        "add_habit",
        "get_streak",
        "물",
        "108.",
        "```",
        "json",
        "thought",
        "<|",
        "name",
        "null",
    ]
    return [
        *native,
        *native,
        *words,
        " ",
        "\n",
        dialect.call("get_streak", STREAK),
        dialect.call("add_habit", {"name": "가"}),
    ]


@given(st.data())
def test_any_cutting_gives_the_same_events(data: st.DataObject) -> None:
    dialect = data.draw(st.sampled_from(DIALECTS))
    text = "".join(data.draw(st.lists(st.sampled_from(fragments(dialect)), max_size=25)))
    reason = data.draw(st.sampled_from(["stop", "length"]))
    cuts = data.draw(st.lists(st.integers(0, max(1, len(text))), max_size=15))
    expected = dialect.parse(text, reason)
    assert dialect.parse(text, reason, cuts) == expected
    assert dialect.parse(text, reason, range(len(text))) == expected
    assert all(not isinstance(event, LlmTextChunk) or event.text for event in expected)
