"""Which text is a call, however the stream is cut. Comments name the report that a case is from."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lifehelper_desktop.llm.protocol import LlmFunctionCall, LlmTextChunk
from tests.llm.support import calls_of, has_broken, parse, text_of

WATER = ("add_habit", {"name": "물", "amount": 3})
STREAMS = [
    '[add_habit(name="물", amount=3)]',
    '{"name": "add_habit", "parameters": {"name": "물", "amount": 3}}',
    '기록할게요.\n```tool_code\nprint(add_habit(name="물", amount=3))\n```\n이제 확인해 주세요.',
    '```json\n[{"name": "add_habit", "arguments": {"name": "물"}}, {"name": "get_streak", "args": {"n": 1}}]\n```',
    "문장 안의 add_habit(name=물) 은 그냥 글이에요. 3 < 5 이고 ``` 도 있어요.",
    '{"name": "get_streak", "parameters": {"habit_id": 1}}{"name": "get_streak", "parameters": {"habit_id": 2}}',
    "add_habit: 은 도구 이름이고 [참고] {중괄호} 도 글이에요\n\nadd_hab",
    "```python\nprint('hi')\n```\n끝 ```json}",
    'default_api.get_streak(1)\nget_streak.get_streak(habit_id=2)\n{"get_streak": {"habit_id": 3}}',
    '{"name": "get_streak", "parameters": {"habit_id": 108.',
    "```tool_code\nadd_habit(name='그는 \"물{3}, 좋다\"라고 (했다')",
]


@pytest.mark.parametrize(
    "text",
    [
        '[add_habit(name="물", amount=3)]',
        'add_habit(name="물", amount=3)',
        'print(add_habit(name="물", amount=3))',
        'default_api.add_habit(name="물", amount=3)',
        '```tool_code\nadd_habit(name="물", amount=3)\n```',
        '```tool_code\nprint(default_api.add_habit(name="물", amount=3))\n```',
        '```python\n[add_habit(name="물", amount=3)]\n```',
        '{"name": "add_habit", "parameters": {"name": "물", "amount": 3}}',
        '{"name": "add_habit", "arguments": {"name": "물", "amount": 3}}',
        '{"name": "add_habit", "args": {"name": "물", "amount": 3}}',
        '{\n  "name": "add_habit",\n  "parameters": {\n    "name": "물",\n    "amount": 3\n  }\n}',
        '[{"name": "add_habit", "parameters": {"name": "물", "amount": 3}}]',
        '```json\n{"name": "add_habit", "parameters": {"name": "물", "amount": 3}}\n```',
        '```\n{"name": "add_habit", "parameters": {"name": "물", "amount": 3}}\n```',
        '```tool_call\n{"name": "add_habit", "parameters": {"name": "물", "amount": 3}}\n```',
        '{"tool_calls": [{"function": {"name": "add_habit", "arguments": {"name": "물", "amount": 3}}}]}',
        '\n\n  {"name": "add_habit", "parameters": {"name": "물", "amount": 3}}  \n',
    ],
)
def test_every_usual_way_of_writing_a_call(text: str) -> None:
    events = parse([text])
    assert calls_of(events) == [WATER]
    assert not text_of(events).strip()


@pytest.mark.parametrize(
    "text",
    [
        "물 습관은 add_habit(name=물) 로 더할 수 있어요.",
        "add_habit(name=물)를 부르면 돼요.",
        "`add_habit(name='물')` 처럼 써요.",
        "call:add_habit{name:물}",
        "```\ncall:add_habit{name:물}\n```",
        '예: {"name": "add_habit", "parameters": {}} 라고 쓰지 마세요.',
        '{"name": "물", "goal": 8}',
        "[참고] 오늘은 쉬어도 돼요.",
        "{중괄호} 이야기",
        "add_habit 은 습관을 더하는 도구예요.",
        "search",
        "```python\nprint('안녕')\n```",
        "```bash\nadd_habit(name='물')\n```",
        "3 < 5 이에요",
        "open_door(name='물')",
    ],
)
def test_talk_about_calls_stays_text(text: str) -> None:  # openclaude #380
    events = parse([text])
    assert calls_of(events) == []
    assert text_of(events) == text
    assert not has_broken(events)


def test_text_around_a_call_is_shown() -> None:  # 2.4 no. 2, vLLM #39243
    events = parse(['네, 넣을게요.\n[add_habit(name="물")]\n더 필요한 게 있나요?'])
    assert calls_of(events) == [("add_habit", {"name": "물"})]
    assert isinstance(events[0], LlmTextChunk)
    assert events[0].text == "네, 넣을게요."
    assert isinstance(events[-1], LlmTextChunk)
    assert events[-1].text.strip() == "더 필요한 게 있나요?"


def test_a_split_fence_is_not_shown_and_a_lone_sign_is_shown_once() -> None:  # section 5 no. 1
    whole = "기록할게요 \n```tool_code\nget_streak(habit_id=1)\n```"
    expected = parse([whole])
    assert text_of(expected) == "기록할게요 "
    assert calls_of(expected) == [("get_streak", {"habit_id": 1})]
    assert parse(list(whole)) == expected
    assert parse(["기록할게요 \n``", "`tool_", "code\nget_st", "reak(habit", "_id=1)\n``", "`"]) == expected
    assert parse(["3 < 5", " 이에요"]) == [LlmTextChunk("3 < 5 이에요")]


def test_quotes_and_braces_inside_korean_strings() -> None:  # section 5 no. 2
    note = '그는 "물{3}, 좋다"라고 (했다'
    escaped = note.replace('"', '\\"')
    for text in (
        f'{{"name": "add_habit", "parameters": {{"note": "{escaped}", "amount": 1}}}}',
        f"add_habit(note='{note}', amount=1)",
        f'[add_habit(note="{escaped}", amount=1)]',
    ):
        assert calls_of(parse([text])) == [("add_habit", {"note": note, "amount": 1})]


@pytest.mark.parametrize(
    ("text", "args"),
    [
        ("{'name': 'add_habit', 'parameters': {'name': '물', 'amount': '3',},}", {"name": "물", "amount": "3"}),
        ("add_habit(name=물, amount=3)", {"name": "물", "amount": 3}),
        ("add_habit('물', 3)", {"name": "물", "amount": 3}),
        ('{"name": "add_habit", "parameters": "{\\"name\\": \\"물\\"}"}', {"name": "물"}),
        ('{"add_habit": {"name": "물"}}', {"name": "물"}),
        ('{"name": "functions.add_habit", "parameters": {"name": "물"}}', {"name": "물"}),
        ('{"name": "google:mcp:x:add_habit", "parameters": {"name": "물"}}', {"name": "물"}),
    ],
)
def test_loose_writing_is_read_and_marked(text: str, args: dict[str, object]) -> None:  # section 5 no. 3
    (event,) = parse([text])
    assert isinstance(event, LlmFunctionCall)
    assert (event.name, dict(event.args), event.repaired) == ("add_habit", args, True)


def test_strict_writing_is_not_marked() -> None:
    (event,) = parse(['{"name": "add_habit", "parameters": {"name": "물"}, "id": "call_0"}'])
    assert event == LlmFunctionCall("add_habit", {"name": "물"}, call_id="call_0")


def test_doubled_name() -> None:  # section 5 no. 10, flutter_gemma #228
    assert calls_of(parse(["get_streak.get_streak(habit_id=2)"])) == [("get_streak", {"habit_id": 2})]
    assert calls_of(parse(['{"name": "get_streak:get_streak", "args": {}}'])) == [("get_streak", {})]


def test_null_arguments_are_left_out_and_nested_values_kept() -> None:  # 2.4 nos. 4, 8
    text = '{"name": "add_habit", "parameters": {"name": null, "days": ["월", {"a": [1, 2]}], "amount": -3.5}}'
    assert calls_of(parse([text])) == [("add_habit", {"days": ["월", {"a": [1, 2]}], "amount": -3.5})]
    assert calls_of(parse(["add_habit(name=None, done=True, amount=-2)"])) == [
        ("add_habit", {"done": True, "amount": -2})
    ]


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "add_habit", "parameters": {"amount": 108.',
        '{"name": "add_habit", "parameters": {"note": "오늘',
        "add_habit(note='오늘",
        "[add_habit(amount=108",
        '```json\n{"name": "add_habit", "parameters": {"amount": 1',
        "```tool_code\nadd_habit(amount=1",
    ],
)
def test_cut_by_the_length_limit_is_marked_and_has_no_arguments(text: str) -> None:  # section 5 no. 4
    (event,) = parse([text], "length")
    assert event == LlmFunctionCall("add_habit", {}, cut_off=True)


def test_a_missing_closing_fence_is_forgiven_a_missing_bracket_is_not() -> None:  # 2.4 no. 10
    assert calls_of(parse(['```json\n{"name": "get_streak", "args": {"habit_id": 1}}'])) == [
        ("get_streak", {"habit_id": 1})
    ]
    events = parse(['{"name": "get_streak", "args": {"habit_id": 1}'])
    assert has_broken(events)
    assert calls_of(events) == []


@pytest.mark.parametrize(
    "text", ["```json}", "```json\n}\n```", "```tool_code\nadd_habit(\n```", '```json\n{"name": "add_habit", }}\n```']
)
def test_a_broken_block_is_neither_shown_nor_run(text: str) -> None:  # section 5 no. 10, gaia #3596
    events = parse([text])
    assert has_broken(events)
    assert calls_of(events) == []
    assert not text_of(events).strip()


def test_unknown_names_become_calls_only_where_nothing_else_is_meant() -> None:  # llm #1104
    assert calls_of(parse(['{"name": "fly", "parameters": {"to": "moon"}}'])) == [("fly", {"to": "moon"})]
    assert calls_of(parse(["```tool_code\nfly(to='moon')\n```"])) == [("fly", {"to": "moon"})]
    assert calls_of(parse(["fly(to='moon')"])) == []


def test_many_equal_calls_are_all_reported() -> None:  # lmstudio #1756: the loop drops the copies
    one = '{"name": "get_streak", "parameters": {"habit_id": 1}}'
    for separator in ("", "\n", ", ", ";\n"):
        assert len(calls_of(parse([separator.join([one] * 9)]))) == 9


@pytest.mark.parametrize(
    "text", ["[" * 5000, "(" * 5000, '{"name":' * 3000, "add_habit(" * 2000, "{" * 20000, "`" * 999]
)
@pytest.mark.parametrize("reason", ["stop", "length"])
def test_nonsense_never_raises(text: str, reason: str) -> None:
    assert calls_of(parse([text], reason)) in ([], [("add_habit", {})])


@given(st.sampled_from(STREAMS), st.sampled_from(["stop", "length"]), st.data())
def test_any_cutting_gives_the_same_events(stream: str, reason: str, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=12)))
    pieces = [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    assert parse(pieces, reason) == parse([stream], reason)


@given(
    st.lists(
        st.sampled_from(
            [
                "```",
                "json",
                "\n",
                "{",
                "}",
                '"name"',
                ":",
                '"add_habit"',
                "add_habit",
                "(",
                ")",
                "[",
                "]",
                " ",
                "물",
                "'",
                '"',
                "args",
                "tool_code",
                "`",
                "default_api.",
                ",",
                "=",
            ]
        ),
        max_size=25,
    ),
    st.sampled_from(["stop", "length"]),
)
def test_any_mixture_of_marks_gives_the_same_events_however_cut(parts: list[str], reason: str) -> None:
    text = "".join(parts)
    assert parse(parts, reason) == parse([text], reason) == parse(list(text), reason)
