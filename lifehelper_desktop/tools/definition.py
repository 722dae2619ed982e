"""A tool's definition: everything about one tool in one place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.tools.arguments import coerce
from lifehelper_desktop.tools.envelope import ToolResult


class ToolScope(StrEnum):
    """Where a tool runs: `data` in the LLM thread, `ui` in the main thread where a window exists."""

    DATA = "data"
    UI = "ui"


class ToolEffect(StrEnum):
    """What a tool may do."""

    READ = "read"
    WRITE = "write"


@dataclass(frozen=True, slots=True)
class ToolDeps:
    """What handlers work with; `language` is that of titles and summaries in results."""

    store: Store
    language: str


Args = Mapping[str, Any]
ToolHandler = Callable[[Args, ToolDeps], ToolResult]


@dataclass(frozen=True, slots=True)
class ToolDefinition:
    """One tool.

    Attributes:
        name: Wire name, for example `search_catalog`.
        label: Short name for people, by language (`ko`, `en`).
        description: What the model reads (Korean msgid; the dialog shows it translated).
        parameters_schema: Draft-07 JSON schema of the arguments object.
        effect: READ runs at once; WRITE asks first.
        handler: Does the work; refusals are results, an exception becomes `handler_error`.
        normalise: Brings arguments into canonical form before validation (dates and titles in words, case); writes
            nothing.
        check: What a schema cannot say: what is wrong with arguments that fit the schema, in words, or None. Asked
            before the user is. May raise a `RuleViolation`, which refuses the call with its own code.
        summarize: The effect of a call in words, for the dialog.
        needs_confirmation: For WRITE tools: whether this call asks; a blank entry does not.
    """

    name: str
    label: Mapping[str, str]
    description: str
    parameters_schema: Mapping[str, Any]
    effect: ToolEffect
    handler: ToolHandler
    scope: ToolScope = ToolScope.DATA
    normalise: Callable[[Args, ToolDeps], dict[str, Any]] | None = None
    check: Callable[[Args, ToolDeps], str | None] | None = None
    summarize: Callable[[Args, ToolDeps], str] | None = None
    needs_confirmation: Callable[[Args], bool] | None = None

    @property
    def is_destructive(self) -> bool:
        """Whether calls change data (the reference's word)."""
        return self.effect is ToolEffect.WRITE

    def canonical(self, args: Args, deps: ToolDeps) -> dict[str, Any]:
        """Return arguments as they are checked, shown, compared and run: in the tool's form, coerced by its schema."""
        known = self.normalise(args, deps) if self.normalise is not None else args
        return coerce(self.parameters_schema, known)

    def asks_first(self, args: Args) -> bool:
        """Whether this call must be confirmed."""
        if self.effect is not ToolEffect.WRITE:
            return False
        return self.needs_confirmation(args) if self.needs_confirmation is not None else True
