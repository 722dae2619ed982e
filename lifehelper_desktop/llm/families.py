"""Which family a model file belongs to, and the format that goes with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from lifehelper_desktop.llm.formats.base import ChatFormat
from lifehelper_desktop.llm.formats.functiongemma import MARKERS as FUNCTION_MARKERS
from lifehelper_desktop.llm.formats.functiongemma import FunctionGemmaFormat
from lifehelper_desktop.llm.formats.gemma3 import Gemma3Format
from lifehelper_desktop.llm.formats.gemma4 import Gemma4Format
from lifehelper_desktop.llm.gguf_header import GgufHeader

AUTO: Final = "auto"
PRETRAINED: Final = "gemma3-base"
"""Any model without a chat template: guided choices, whatever its architecture."""

STARTER: Final = "starter"
"""The pretrained model with this program's adapter in it: lines of its own."""
CONTRACT_KEY: Final = "lifehelper.starter.contract"
"""The key of the hash, in a file's metadata, of what the adapter was trained for."""

_FORMATS: Final[dict[str, Callable[[], ChatFormat]]] = {
    "gemma3": Gemma3Format,
    "functiongemma": FunctionGemmaFormat,
    "gemma4": Gemma4Format,
}
FAMILIES: Final = ("gemma3", PRETRAINED, "functiongemma", "gemma4")
"""What a user may choose for a file whose metadata mislead."""


def choose_family(header: GgufHeader, has_token: Callable[[str], bool], wanted: str = AUTO) -> str:
    """Return the family of a model: `STARTER`, or the `wanted` one of `FAMILIES`, or one by its metadata.

    Args:
        header: The file's header.
        has_token: Whether the vocabulary has a text as one control or user-defined token.
        wanted: A family that the user chose, or `auto`.

    Raises:
        ValueError: `wanted` is no family.
    """
    if header.values.get(CONTRACT_KEY) and wanted != PRETRAINED:
        return STARTER  # whatever was chosen was chosen for another file: this one can do nothing else
    if wanted != AUTO:
        if wanted not in FAMILIES:
            raise ValueError(f"unknown model family: {wanted}")
        return wanted
    template = header.chat_template
    if not template.strip():
        return PRETRAINED
    if header.architecture.startswith("gemma4") or ("<|turn>" in template and has_token("<|turn>")):
        return "gemma4"
    call = FUNCTION_MARKERS.call[0]
    names = " ".join(str(header.values.get(key, "")) for key in ("general.name", "general.basename")).lower()
    means_functions = call in template or "functiongemma" in names.replace(" ", "").replace("-", "").replace("_", "")
    if means_functions and has_token(call):
        return "functiongemma"
    return "gemma3"


def chat_format(family: str) -> ChatFormat:
    """Return the format of a chat-tuned family.

    Raises:
        KeyError: `family` is pretrained or unknown.
    """
    return _FORMATS[family]()
