"""Which format goes with which file, and the rendering of FunctionGemma."""

from __future__ import annotations

import pytest

from lifehelper_desktop.base.settings import MODEL_FAMILY
from lifehelper_desktop.llm.families import AUTO, FAMILIES, PRETRAINED, chat_format, choose_family
from lifehelper_desktop.llm.formats.base import Segment
from lifehelper_desktop.llm.formats.functiongemma import FunctionGemmaFormat
from lifehelper_desktop.llm.gguf_header import GgufHeader
from lifehelper_desktop.llm.probe import SUPPORTED
from lifehelper_desktop.llm.protocol import LlmFunctionCall, LlmPrompt, LlmTool, LlmToolResult, LlmTurn

GEMMA3_TEMPLATE = "{{ '<start_of_turn>' + role }}"
GEMMA4_TEMPLATE = "{{- '<|turn>' + role }}"
FUNCTION_TEMPLATE = GEMMA3_TEMPLATE + "{{ '<start_function_call>' }}"


def header(architecture: str, template: str, **more: str) -> GgufHeader:
    values: dict[str, str | int | float | bool] = {
        "general.architecture": architecture,
        "tokenizer.chat_template": template,
    }
    values.update({f"general.{key}": value for key, value in more.items()})
    return GgufHeader(3, 0, 0, 0, values)


@pytest.mark.parametrize(
    ("given", "tokens", "family"),
    [
        (header("gemma4", GEMMA4_TEMPLATE), {"<|turn>"}, "gemma4"),
        (header("gemma4", "a template of someone else's"), {"<|turn>"}, "gemma4"),
        (header("gemma4", "", name="gemma-4-E2B"), {"<|turn>"}, PRETRAINED),
        (header("gemma3", GEMMA3_TEMPLATE), set(), "gemma3"),
        (header("gemma3", " \n"), set(), PRETRAINED),
        (header("gemma2", GEMMA3_TEMPLATE), set(), "gemma3"),
        (header("gemma3n", GEMMA3_TEMPLATE), set(), "gemma3"),
        (header("gemma3", FUNCTION_TEMPLATE), {"<start_function_call>"}, "functiongemma"),
        (header("gemma3", GEMMA3_TEMPLATE, name="FunctionGemma 270M It"), {"<start_function_call>"}, "functiongemma"),
        (header("gemma3", GEMMA3_TEMPLATE, basename="functiongemma"), {"<start_function_call>"}, "functiongemma"),
        # The name promises what the vocabulary lacks; or the vocabulary has more than the template uses.
        (header("gemma3", GEMMA3_TEMPLATE, name="functiongemma"), set(), "gemma3"),
        (header("gemma3", GEMMA3_TEMPLATE), {"<start_function_call>"}, "gemma3"),
        (header("gemma3", GEMMA4_TEMPLATE), set(), "gemma3"),
    ],
)
def test_family_by_metadata(given: GgufHeader, tokens: set[str], family: str) -> None:
    assert choose_family(given, tokens.__contains__) == family


def test_family_by_choice() -> None:
    assert MODEL_FAMILY.choices == (AUTO, *FAMILIES)
    assert MODEL_FAMILY.default == AUTO
    for family in FAMILIES:
        assert choose_family(header("gemma3", ""), lambda _text: False, family) == family
        if family != PRETRAINED:
            assert chat_format(family).family == family
    with pytest.raises(ValueError, match="llama"):
        choose_family(header("gemma3", ""), lambda _text: False, "llama")
    assert "gemma4" in SUPPORTED


# -- FunctionGemma, as its makers document it

FORMAT = FunctionGemmaFormat()
LOG = LlmTool(
    "log_entry",
    "기록 한 건을 남긴다",
    {
        "type": "object",
        "properties": {
            "habit": {"type": "string", "description": "습관 이름"},
            "unit": {"type": "string", "description": "단위", "enum": ["잔", "분"]},
        },
        "required": ["habit"],
    },
)


def written(*parts: list[Segment]) -> str:
    return "".join(segment.text for part in parts for segment in part)


def test_function_gemma_prompt() -> None:
    prompt = LlmPrompt("", [LOG])
    text = written(FORMAT.render_start(prompt), FORMAT.render_user(prompt, "오늘 물 3잔 기록해줘", "", first=True))
    assert text == (
        "<start_of_turn>developer\n"
        "You are a model that can do function calling with the following functions"
        "<start_function_declaration>declaration:log_entry{description:<escape>기록 한 건을 남긴다<escape>,"
        "parameters:{properties:{habit:{description:<escape>습관 이름<escape>,type:<escape>STRING<escape>},"
        "unit:{description:<escape>단위<escape>,enum:[<escape>잔<escape>,<escape>분<escape>],"
        "type:<escape>STRING<escape>}},required:[<escape>habit<escape>],type:<escape>OBJECT<escape>}}"
        "<end_function_declaration><end_of_turn>\n"
        "<start_of_turn>user\n오늘 물 3잔 기록해줘<end_of_turn>\n<start_of_turn>model\n"
    )


def test_function_gemma_results_and_history() -> None:
    turn = LlmTurn(
        "물 3잔",
        [LlmFunctionCall("log_entry", {"habit": "물 마시기", "amount": 3, "note": None})],
        [LlmToolResult("log_entry", {"id": 7, "streak": 12})],
        "기록했어요.",
    )
    results = "<start_function_response>response:log_entry{id:7,streak:12}<end_function_response>"
    assert written(FORMAT.render_results(turn.results)) == results
    assert written(FORMAT.render_turn(LlmPrompt(""), turn, first=True)) == (
        "<start_of_turn>user\n물 3잔<end_of_turn>\n<start_of_turn>model\n"
        "<start_function_call>call:log_entry{amount:3,habit:<escape>물 마시기<escape>}<end_function_call>"
        f"{results}기록했어요."
    )
    assert written(FORMAT.render_user(LlmPrompt(""), "또", "오늘: 2일", first=False)).startswith("<end_of_turn>\n")
    assert written(FORMAT.render_start(LlmPrompt("코치"))) == "<start_of_turn>developer\n코치"
    assert FORMAT.render_start(LlmPrompt("")) == []
    assert written(FORMAT.render_instruction(" 써라 ")) == (
        "<start_of_turn>user\n써라<end_of_turn>\n<start_of_turn>model\n"
    )
    assert written(FORMAT.render_repair()).endswith("<start_of_turn>model\n")
