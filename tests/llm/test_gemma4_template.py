"""Our writing of Gemma 4's turns against the real Jinja template, byte for byte, and each of its traps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import jinja2
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lifehelper_desktop.llm.formats.base import Segment
from lifehelper_desktop.llm.formats.gemma4 import Gemma4Format
from lifehelper_desktop.llm.formats.native_schema import template_schema
from lifehelper_desktop.llm.llama_session import encode
from lifehelper_desktop.llm.protocol import LlmFunctionCall, LlmPrompt, LlmTool, LlmToolResult, LlmTurn
from lifehelper_desktop.llm.vocabulary import Vocabulary
from lifehelper_desktop.tools.registry import ToolRegistry

FORMAT = Gemma4Format()
REAL_TOOLS = tuple(
    LlmTool(tool.name, tool.description, tool.parameters_schema) for tool in ToolRegistry.defaults().all()
)
STRANGE_TOOL = LlmTool(
    "plan",
    "이상한 것들",
    {
        "type": "object",
        "x-label": "계획",
        "properties": {
            "amount": {"type": "number", "minimum": 0, "maximum": 10, "description": "양"},
            "Day": {"type": "array", "items": {"type": "string", "enum": ["월", "화"], "description": "요일"}},
            "level": {"enum": [1, 2, 3], "type": "integer"},
            "kind": {"type": "string", "enum": ["a", "b"], "nullable": True, "description": "종류"},
            "maybe": {"anyOf": [{"type": "string", "description": "안쪽"}, {"type": "null"}]},
            "either": {"type": ["integer", "null"]},
            "code": {"type": "string", "pattern": "^[a-z]+$", "format": "date", "maxLength": 5},
            "when": {
                "type": "object",
                "description": "언제",
                "properties": {"hour": {"type": "integer"}, "deep": {"type": "object"}},
                "required": ["hour"],
                "additionalProperties": False,
            },
            "rows": {
                "type": "array",
                "items": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]},
            },
            "grid": {"type": "array", "items": {"type": "array", "items": {"type": "string"}}},
            "any": {},
            "flag": {"type": "boolean"},
        },
        "required": ["amount", "when"],
    },
)
BARE_TOOL = LlmTool("streak", "", {"type": "object", "properties": {}})
TOOLS = (*REAL_TOOLS, STRANGE_TOOL, BARE_TOOL)


@pytest.fixture(scope="module")
def template(gemma4_template: str) -> jinja2.Template:
    """The template, set up as every user of chat templates does."""
    environment = jinja2.Environment(trim_blocks=True, lstrip_blocks=True, undefined=jinja2.Undefined)
    return environment.from_string(gemma4_template)


def rendered(
    template: jinja2.Template, messages: Sequence[Mapping[str, Any]], tools: Sequence[LlmTool] = (), **more: Any
) -> str:
    """Return the template's words for `messages`."""
    shown = [
        {
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.description,
                "parameters": template_schema(tool.parameters),
            },
        }
        for tool in tools
    ]
    return template.render(messages=messages, tools=shown, bos_token="", add_generation_prompt=True, **more)


def written(*parts: list[Segment]) -> str:
    return "".join(segment.text for part in parts for segment in part)


def assistant(turn: LlmTurn) -> dict[str, Any]:
    """Return the model's message of a past turn, in the form that renders rightly."""
    message: dict[str, Any] = {"role": "assistant", "content": turn.answer}
    if turn.calls:
        message["tool_calls"] = [{"function": {"name": call.name, "arguments": dict(call.args)}} for call in turn.calls]
        message["tool_responses"] = [{"name": item.name, "response": dict(item.result)} for item in turn.results]
    return message


# -- everything we render


@pytest.mark.parametrize("system", ["", "너는 습관 코치다.", "  앞뒤 빈칸 \n"])
@pytest.mark.parametrize("tools", [(), TOOLS, (BARE_TOOL,)])
@pytest.mark.parametrize("thinking", [False, True])
def test_start_and_first_message(
    template: jinja2.Template, system: str, tools: tuple[LlmTool, ...], thinking: bool
) -> None:
    chat_format = Gemma4Format(thinking=thinking)
    prompt = LlmPrompt(system, tools)
    ours = written(
        chat_format.render_start(prompt), chat_format.render_user(prompt, "물 마셨어 ", "오늘: 2일", first=True)
    )
    messages = [{"role": "system", "content": system}] if system else []
    messages.append({"role": "user", "content": "오늘: 2일\n물 마셨어 "})
    assert ours == rendered(template, messages, tools, enable_thinking=thinking)


def test_results_go_on_in_the_same_turn(template: jinja2.Template) -> None:
    args = {
        "tags": ["아침", "운동 후"],
        "habit": '물 "한 잔" 마시기',
        "amount": 3,
        "Beta": True,
        "remind": {"z": 1.5, "a": []},
    }
    turn = LlmTurn(
        "했어",
        [LlmFunctionCall("log_entry", args), LlmFunctionCall("streak", {})],
        [
            LlmToolResult("log_entry", {"ok": True, "id": 7}),
            LlmToolResult("streak", {"days": 12, "names": ["가", "나"]}),
        ],
    )
    prompt = LlmPrompt("코치", TOOLS)
    past = written(FORMAT.render_start(prompt), FORMAT.render_turn(prompt, turn, first=True))
    messages = [{"role": "system", "content": "코치"}, {"role": "user", "content": "했어"}, assistant(turn)]
    assert past == rendered(template, messages, TOOLS)
    # The live log: what the model wrote, the stop token not among it, and the results.
    calls = "".join(
        [
            '<|tool_call>call:log_entry{amount:3,Beta:true,habit:<|"|>물 "한 잔" 마시기<|"|>,remind:{a:[],z:1.5},',
            'tags:[<|"|>아침<|"|>,<|"|>운동 후<|"|>]}<tool_call|><|tool_call>call:streak{}<tool_call|>',
        ]
    )
    results = written(FORMAT.render_results(turn.results))
    assert results.startswith("<|tool_response>response:log_entry{id:7,ok:true}<tool_response|><|tool_response>")
    assert past.endswith("<|turn>model\n" + calls + results)


def test_history(template: jinja2.Template) -> None:
    turns = [
        LlmTurn("안녕", answer="반가워요. "),
        LlmTurn(
            "기록해",
            [LlmFunctionCall("log_entry", {"n": 1})],
            [LlmToolResult("log_entry", {"error": "사용자가 거절함", "status": "declined"})],
            "알겠어요.<|channel>thought\n숨은 말<channel|>",
            context="오늘: 1일",
        ),
        LlmTurn("고마워", answer="천만에요"),
    ]
    prompt = LlmPrompt("코치", TOOLS, history=turns)
    ours = written(
        FORMAT.render_start(prompt),
        *(FORMAT.render_turn(prompt, turn, first=not index) for index, turn in enumerate(turns)),
        FORMAT.render_user(prompt, "또 올게", "", first=False),
    )
    messages: list[dict[str, Any]] = [{"role": "system", "content": "코치"}]
    for turn in turns:
        messages += [{"role": "user", "content": f"{turn.context}\n{turn.user}"}, assistant(turn)]
    messages.append({"role": "user", "content": "또 올게"})
    assert ours == rendered(template, messages, TOOLS)


def test_one_instruction(template: jinja2.Template) -> None:
    assert written(FORMAT.render_instruction(" 한 문장을 써라 ")) == rendered(
        template, [{"role": "user", "content": "한 문장을 써라"}]
    )


VALUES = st.recursive(
    st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(st.text(max_size=5), VALUES, max_size=4))
def test_any_value_is_written_as_the_template_does(template: jinja2.Template, value: dict[str, Any]) -> None:
    turn = LlmTurn("했어", [LlmFunctionCall("log", value)], [LlmToolResult("log", value)])
    prompt = LlmPrompt("코치")
    ours = written(FORMAT.render_start(prompt), FORMAT.render_turn(prompt, turn, first=True))
    messages = [{"role": "system", "content": "코치"}, {"role": "user", "content": "했어"}, assistant(turn)]
    assert ours == rendered(template, messages)


def test_the_tokens_are_those_of_the_whole_text(template: jinja2.Template, gemma4_vocabulary: Vocabulary) -> None:
    turn = LlmTurn(
        "물 3잔 기록하고\n\n알려줘",
        [LlmFunctionCall("log_entry", {"habit": '물 "한 잔"', "amount": 3, "tags": ["아침", "운동 후"]})],
        [LlmToolResult("log_entry", {"id": 7, "ok": True, "text": "줄\n바꿈  둘"})],
        "기록했어요.",
    )
    prompt = LlmPrompt("너는 습관 코치다.\n- 짧게 말한다.", REAL_TOOLS)
    segments = [
        *FORMAT.render_start(prompt),
        *FORMAT.render_turn(prompt, turn, first=True),
        *FORMAT.render_user(prompt, "고마워", "오늘: 2일", first=False),
    ]
    messages = [
        {"role": "system", "content": prompt.system},
        {"role": "user", "content": turn.user},
        assistant(turn),
        {"role": "user", "content": "오늘: 2일\n고마워"},
    ]
    whole = rendered(template, messages, REAL_TOOLS)
    assert encode(gemma4_vocabulary, segments) == gemma4_vocabulary.tokenize(whole, special=True)


def test_thoughts_between_calls_are_where_the_template_has_them(template: jinja2.Template) -> None:
    thinking = Gemma4Format(thinking=True)
    prompt = LlmPrompt("코치", TOOLS)
    call = "<|tool_call>call:streak{}<tool_call|>"
    results = [LlmToolResult("streak", {"days": 12})]
    live = written(thinking.render_start(prompt), thinking.render_user(prompt, "며칠째야?", "", first=True))
    live += f"<|channel>thought\n연속을 봐야 한다\n<channel|>{call}" + written(thinking.render_results(results))
    messages = [
        {"role": "system", "content": "코치"},
        {"role": "user", "content": "며칠째야?"},
        {
            "role": "assistant",
            "reasoning": "연속을 봐야 한다",
            "tool_calls": [{"function": {"name": "streak", "arguments": {}}}],
            "tool_responses": [{"name": "streak", "response": {"days": 12}}],
        },
    ]
    assert live == rendered(template, messages, TOOLS, enable_thinking=True)


# -- the traps: what the template does to careless input, and what we do


def past(turn: LlmTurn) -> str:
    return written(FORMAT.render_turn(LlmPrompt(""), turn, first=True))


def test_trap_none_is_left_out(template: jinja2.Template) -> None:
    args = {"a": None, "b": {"c": None, "d": [None, 1]}}
    turn = LlmTurn("가", [LlmFunctionCall("x", args)], [LlmToolResult("x", args)])
    assert "None" in rendered(template, [{"role": "user", "content": "가"}, assistant(turn)])
    assert "call:x{b:{d:[1]}}" in past(turn)
    assert "response:x{b:{d:[1]}}" in past(turn)


def test_trap_arguments_and_results_are_never_json_text(template: jinja2.Template) -> None:
    careless = {"role": "assistant", "tool_calls": [{"function": {"name": "x", "arguments": '{"a": 1}'}}]}
    text = rendered(template, [{"role": "user", "content": "가"}, careless, {"role": "tool", "content": '{"b": 2}'}])
    assert 'call:x{{"a": 1}}' in text
    assert 'response:x{value:<|"|>{"b": 2}<|"|>}' in text
    ours = past(LlmTurn("가", [LlmFunctionCall("x", {"a": 1})], [LlmToolResult("x", {"b": 2})]))
    assert "call:x{a:1}<tool_call|><|tool_response>response:x{b:2}<tool_response|>" in ours


def test_trap_a_call_without_a_result_gets_one(template: jinja2.Template) -> None:
    turn = LlmTurn("가", [LlmFunctionCall("x", {}), LlmFunctionCall("y", {})], [LlmToolResult("x", {"ok": 1})])
    open_end = rendered(template, [{"role": "user", "content": "가"}, assistant(LlmTurn("", turn.calls[:1]))])
    assert open_end.endswith("<|tool_response>")
    assert past(turn).endswith(
        "<|tool_response>response:x{ok:1}<tool_response|>"
        '<|tool_response>response:y{reason:<|"|>interrupted<|"|>,status:<|"|>cancelled<|"|>}<tool_response|>'
    )


def test_trap_a_result_without_a_call_is_refused() -> None:
    with pytest.raises(ValueError, match="1 results for 0 calls"):
        past(LlmTurn("가", (), [LlmToolResult("x", {})], "네"))


def test_trap_a_turn_that_ended_with_results_is_closed(template: jinja2.Template) -> None:
    turn = LlmTurn("가", [LlmFunctionCall("x", {})], [LlmToolResult("x", {})])
    messages = [{"role": "user", "content": "가"}, assistant(turn), {"role": "user", "content": "나"}]
    assert "<tool_response|><|turn>user" in rendered(template, messages)
    following = written(FORMAT.render_user(LlmPrompt(""), "나", "", first=False))
    assert (past(turn) + following).count("<tool_response|><turn|>\n<|turn>user\n나") == 1


def test_trap_words_before_a_call_stay_before_it(template: jinja2.Template) -> None:
    turn = LlmTurn("가", [LlmFunctionCall("x", {})], [LlmToolResult("x", {})], "볼게요.")
    text = rendered(template, [{"role": "user", "content": "가"}, assistant(turn)])
    assert text.index("<tool_response|>") < text.index("볼게요.")
    # A live turn keeps the tokens of the model: only the results are written by us, with no turn begun or ended.
    assert "turn" not in written(FORMAT.render_results(turn.results))


def test_trap_what_the_template_hides_is_said_in_the_description() -> None:
    rows = template_schema(STRANGE_TOOL.parameters)["properties"]
    assert rows["amount"]["description"] == "양 (minimum 0; maximum 10)"
    assert rows["level"] == {"description": "(1, 2, 3)", "type": "integer"}
    assert rows["code"]["description"] == "(maxLength 5; pattern ^[a-z]+$; format date)"
    assert rows["maybe"] == {"description": "안쪽", "nullable": True, "type": "string"}
    assert rows["either"] == {"nullable": True, "type": "integer"}
    assert rows["when"]["properties"]["deep"] == {"properties": {}, "type": "object"}
    assert rows["any"] == {"type": "string"}
    text = written(FORMAT.render_start(LlmPrompt("", TOOLS)))
    assert "x-label" not in text
    assert "['" not in text


def test_trap_names_that_the_template_drops_are_shown_and_not_used(template: jinja2.Template) -> None:
    reserved = {"type", "description", "properties", "required", "nullable"}
    tool = LlmTool("x", "", {"type": "object", "properties": {name: {"type": "string"} for name in reserved}})
    assert "type:{" not in rendered(template, [{"role": "user", "content": "가"}], [tool])
    ours = written(FORMAT.render_start(LlmPrompt("", [tool])))
    assert all(f"{name}:{{type:" in ours for name in reserved)
    for real in ToolRegistry.defaults().all():
        assert not reserved & set(real.parameters_schema.get("properties", {}))


def test_old_exchanges_can_be_dropped_from_the_middle() -> None:
    prompt = LlmPrompt("코치", TOOLS)
    text = written(FORMAT.render_start(prompt), FORMAT.render_user(prompt, "셋째", "", first=False))
    assert text.count("<turn|>\n") == 2
    assert "<tool|><turn|>\n<|turn>user\n셋째<turn|>\n<|turn>model\n" in text
