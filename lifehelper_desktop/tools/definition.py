"""A tool's definition: everything about one tool in one place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any, Protocol

from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.tools.arguments import coerce
from lifehelper_desktop.tools.envelope import ToolResult
from lifehelper_desktop.tools.run_state import RunState


class ToolScope(StrEnum):
    """Who carries a tool out. The dispatcher hands each handler only what its scope names.

    `data`: the thread that runs the tools, over the store. `ui`: the main thread, where a window exists. `model`: the
    model, in a short session of its own beside the conversation.
    """

    DATA = "data"
    UI = "ui"
    MODEL = "model"


class ToolEffect(StrEnum):
    """What a tool may do to the user's data."""

    READ = "read"
    WRITE = "write"


class ToolStopped(Exception):  # noqa: N818 - not an error of anyone's
    """The user stopped the run while a tool waited for the window or the model; the call counts as cancelled."""


class UiOutcome(StrEnum):
    """What became of a wish to the window."""

    DONE = "done"
    UNKNOWN = "unknown"
    NO_WINDOW = "no_window"
    STOPPED = "stopped"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class UiAnswer:
    """The window's answer.

    Attributes:
        outcome: DONE only when the main thread has really done it.
        words: With DONE what is shown now, in the window's language; with UNKNOWN the names among which to choose;
            with FAILED what went wrong.
    """

    outcome: UiOutcome
    words: str = ""


class UiActions(Protocol):
    """What tools of scope `ui` ask of the window. Called on the thread that runs the tools; never hangs.

    Each method blocks until the main thread has done it. Stop, closing the window and quitting answer at once, and
    what was not begun then is not done later.
    """

    @property
    def habit_in_view(self) -> int | None:
        """The habit whose page is shown, or None."""
        ...

    def open_screen(self, name: str) -> UiAnswer:
        """Show the screen of this name, in either language; UNKNOWN when there is none."""
        ...

    def show_habit(self, habit_id: int) -> UiAnswer:
        """Show the page of a habit; UNKNOWN when it is gone."""
        ...

    def copy_text(self, text: str) -> UiAnswer:
        """Put plain text on the clipboard."""
        ...


class TextModel(Protocol):
    """What tools of scope `model` ask of the model: an answer outside the conversation, which stays as it is."""

    def generate_text(self, instruction: str, max_tokens: int) -> str:
        """Answer one instruction in a short session of its own; blocks.

        Raises:
            WorldError: There is no model, or it failed.
            ToolStopped: The user stopped it.
        """
        ...


@dataclass(frozen=True, slots=True, init=False)
class ToolDeps:
    """What handlers work with.

    Attributes:
        store: The user's data.
        run: The state of the run; the only place of language, habit and day.
        ui: The window, or None where there is none.
        model: The model, or None where there is none.
    """

    store: Store
    run: RunState
    ui: UiActions | None
    model: TextModel | None

    def __init__(
        self,
        store: Store,
        language: str = "",
        ui: UiActions | None = None,
        model: TextModel | None = None,
        run: RunState | None = None,
    ) -> None:
        """Work in `run`, or in a new one in `language`.

        Raises:
            ValueError: Neither is given, or they name two languages.
        """
        if run is None:
            if not language:
                raise ValueError("a language or a run is needed")
            run = RunState(language)
        elif language not in ("", run.language):
            raise ValueError(f"the run speaks {run.language}, not {language}")
        for name, value in (("store", store), ("run", run), ("ui", ui), ("model", model)):
            object.__setattr__(self, name, value)

    @property
    def language(self) -> str:
        """The language of titles and words in results."""
        return self.run.language

    @property
    def today(self) -> date:
        """The day of the run, so that one message means one day also around midnight; before a run the store's."""
        return self.run.day or self.store.today()

    def for_scope(self, scope: ToolScope) -> ToolDeps:
        """Return what a handler of `scope` may touch: the window, the model, or neither."""
        ui = self.ui if scope is ToolScope.UI else None
        model = self.model if scope is ToolScope.MODEL else None
        return ToolDeps(self.store, ui=ui, model=model, run=self.run)


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
        scope: Who carries it out. There is no default: a tool without one stops the start.
        short_name: One Korean word for it, unlike those of the other tools, by which prompts of models that were not
            trained to call tools name it. A tool without one stops the start.
        normalise: Brings arguments into canonical form before validation (dates and titles in words, case); writes
            nothing.
        check: What a schema cannot say: what is wrong with arguments that fit the schema, in words, or None. Asked
            before the user is. May raise a `RuleViolation`, which refuses the call with its own code.
        summarize: The effect of a call in words, for the dialog.
        needs_confirmation: For WRITE tools: whether this call asks; a blank entry does not.
        only_adds: For WRITE tools: nothing that is there is changed or lost. Other programs are told.
        is_idempotent: For WRITE tools: the same call again changes nothing more. Other programs are told.
        server: Name of the MCP server that a tool belongs to; empty for the program's own.
    """

    name: str
    label: Mapping[str, str]
    description: str
    parameters_schema: Mapping[str, Any]
    effect: ToolEffect
    handler: ToolHandler
    scope: ToolScope | None = None
    short_name: str = ""
    normalise: Callable[[Args, ToolDeps], dict[str, Any]] | None = None
    check: Callable[[Args, ToolDeps], str | None] | None = None
    summarize: Callable[[Args, ToolDeps], str] | None = None
    needs_confirmation: Callable[[Args], bool] | None = None
    only_adds: bool = False
    is_idempotent: bool = False
    server: str = ""

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
