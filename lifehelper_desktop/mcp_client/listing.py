"""What a server offers, read with suspicion: names, descriptions and schemas are cleaned and capped."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from lifehelper_desktop.base.i18n import N_, _
from lifehelper_desktop.mcp_client.schemas import Arguments, OddTool, read_schema
from lifehelper_desktop.storage.text import clean_text, shorten

if TYPE_CHECKING:
    from collections.abc import Iterable

    import mcp_types as types

TOOLS_MAX: Final = 64
"""Tools of one server that are looked at; the rest is left out."""
_NAME_MAX, _TITLE_MAX, _DESCRIPTION_MAX = 128, 40, 400


@dataclass(frozen=True, slots=True)
class RemoteTool:
    """One tool of a server.

    Attributes:
        name: The server's own name of it.
        title: For people; cleaned.
        description: For the model; cleaned and short.
        arguments: What it takes.
        reads_only: Whether the server marks it as changing nothing. Nobody checks that.
    """

    name: str
    title: str
    description: str
    arguments: Arguments
    reads_only: bool


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A tool that is not offered.

    Attributes:
        problem: Why, as a text to translate.
    """

    name: str
    problem: str

    @property
    def reason(self) -> str:
        """Why, in the language in force."""
        return _(self.problem).replace("{n}", str(TOOLS_MAX)) if self.problem else ""


@dataclass(frozen=True, slots=True)
class Listing:
    """The tools of one server, in its order."""

    tools: tuple[RemoteTool, ...] = ()
    left_out: tuple[LeftOut, ...] = ()


def drop_odd_rows(result: dict[str, Any]) -> list[str]:
    """Take the rows that are no tools out of an answer to `tools/list`, and return their names, untrusted.

    The library refuses a whole list for one of them. Other answers stay as they are.
    """
    rows = result.get("tools")
    if not isinstance(rows, list) or "content" in result:
        return []
    from mcp_types import Tool
    from pydantic import ValidationError

    odd: list[str] = []
    kept: list[Any] = []
    for row in rows[: 2 * TOOLS_MAX]:
        try:
            is_fine = Tool.model_validate(row).input_schema.get("type") == "object"
        except ValidationError:
            is_fine = False
        if is_fine:
            kept.append(row)
        else:
            odd.append(str(row.get("name"))[:_NAME_MAX] if isinstance(row, dict) else "?")
    result["tools"] = kept
    return odd


def read_listing(tools: Iterable[types.Tool], odd_names: Iterable[str] = (), *, more: bool = False) -> Listing:
    """Return the tools that can be offered, and those that cannot.

    Args:
        tools: The rows that are tools.
        odd_names: Names of rows that are none.
        more: The server had more than were read.
    """
    found: dict[str, RemoteTool] = {}
    no_tool = N_("도구의 모양이 아니에요.")
    odd = [LeftOut(shorten(name, _TITLE_MAX) or "?", no_tool) for name in list(odd_names)[:TOOLS_MAX]]
    for tool in tools:
        if len(found) + len(odd) >= TOOLS_MAX:
            more = True
            break
        name = shorten(tool.name, _TITLE_MAX) or "?"
        if tool.name in found:
            odd.append(LeftOut(name, N_("같은 이름의 도구가 또 있어요.")))
            continue
        try:
            found[tool.name] = _tool(tool)
        except OddTool as error:
            odd.append(LeftOut(name, str(error)))
    if more:
        odd.append(LeftOut("…", N_("도구가 너무 많아서 {n}개까지만 봤어요.")))
    return Listing(tuple(found.values()), tuple(odd))


def _tool(tool: types.Tool) -> RemoteTool:
    name: str = tool.name
    if not name or len(name) > _NAME_MAX or not name.isprintable():
        raise OddTool(N_("이름을 읽을 수 없어요."))
    marks = tool.annotations
    title = tool.title or (marks.title if marks is not None else None) or name
    description = _description(tool.description)
    reads_only = marks is not None and marks.read_only_hint is True and marks.destructive_hint is not True
    return RemoteTool(name, _one_line(title) or name, description, read_schema(tool.input_schema), reads_only)


def _one_line(text: str) -> str:
    return shorten(text[: 4 * _TITLE_MAX], _TITLE_MAX)


def _description(text: Any) -> str:
    if not isinstance(text, str):
        return ""
    cleaned = " ".join(clean_text(text[: 8 * _DESCRIPTION_MAX]).split())
    return cleaned if len(cleaned) <= _DESCRIPTION_MAX else cleaned[: _DESCRIPTION_MAX - 1] + "…"
