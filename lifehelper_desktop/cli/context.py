"""What commands work with: opened lazily, so that `frame check` needs no database and `habits` no model."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TextIO

from lifehelper_desktop.base import settings
from lifehelper_desktop.base.clock import Clock
from lifehelper_desktop.base.i18n import current_language, set_language
from lifehelper_desktop.base.paths import AppPaths
from lifehelper_desktop.llm.protocol import LlmService
from lifehelper_desktop.storage.journal import Source
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.tools.confirm_gate import ConfirmGate
from lifehelper_desktop.tools.definition import ToolDeps
from lifehelper_desktop.tools.dispatcher import ToolDispatcher
from lifehelper_desktop.tools.envelope import ToolResult
from lifehelper_desktop.tools.registry import ToolRegistry

OpenStore = Callable[[AppPaths, Clock | None], Store]
MakeLlm = Callable[[AppPaths, str, str], LlmService]


@dataclass(slots=True)
class CliContext:
    """One run of the command line.

    Attributes:
        as_json: Print JSON instead of words.
        follow_setting: Take the language that the data names (no `--lang` was given).
        open_store, make_llm: The composition root's factories; `make_llm` takes a model path ("" is the starter)
            and a family ("auto" asks the file).
    """

    paths: AppPaths
    as_json: bool
    open_store: OpenStore
    make_llm: MakeLlm
    follow_setting: bool = True
    out: TextIO = field(default_factory=lambda: sys.stdout)
    _store: Store | None = None

    @property
    def store(self) -> Store:
        """The user's data, opened at first use."""
        if self._store is None:
            self._store = self.open_store(self.paths, None)
            self._store.journal.source = Source.CLI
            if self.follow_setting:
                set_language(self._store.settings.get_str(settings.LANGUAGE))
        return self._store

    @property
    def language(self) -> str:
        """Language of titles and reasons."""
        return current_language()

    def close(self) -> None:
        """Close what was opened."""
        store, self._store = self._store, None
        if store is not None:
            store.close()
            if (error := store.db.take_trouble()) is not None:
                print(error, file=sys.stderr)

    def dispatch(self, name: str, args: object, gate: ConfirmGate | None = None) -> ToolResult:
        """Carry out one tool call in the user's data."""
        dispatcher = ToolDispatcher(ToolRegistry.defaults(), ToolDeps(self.store, self.language))
        return dispatcher.dispatch(name, args, gate)

    def print_json(self, value: Mapping[str, Any] | list[Any]) -> None:
        """Print one line of JSON at once, so that a reader on a pipe sees each as it happens."""
        text = json.dumps(value, ensure_ascii=False)
        try:
            text.encode(self.out.encoding or "utf-8")
        except UnicodeEncodeError:
            text = json.dumps(value)  # escapes stay valid JSON whatever the encoding lacks
        print(text, file=self.out, flush=True)

    def print(self, text: str) -> None:
        """Print a line for people."""
        print(text, file=self.out, flush=True)
