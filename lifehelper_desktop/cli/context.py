"""What commands work with: opened lazily, so that `frame check` needs no database and `habits` no model."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TextIO

from lifehelper_desktop.base import settings
from lifehelper_desktop.base.clock import Clock
from lifehelper_desktop.base.i18n import _, current_language, set_language
from lifehelper_desktop.base.paths import AppPaths
from lifehelper_desktop.chat.prompts import chat_prompt
from lifehelper_desktop.cli.text_model import LoadedTextModel
from lifehelper_desktop.llm.protocol import LlmService
from lifehelper_desktop.storage.journal import Source
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.tools.confirm_gate import ConfirmGate
from lifehelper_desktop.tools.definition import ToolDeps
from lifehelper_desktop.tools.dispatcher import ToolDispatcher
from lifehelper_desktop.tools.envelope import ToolResult
from lifehelper_desktop.tools.registry import ToolRegistry
from lifehelper_desktop.tools.visibility import Place

OpenStore = Callable[[AppPaths, Clock | None], Store]
MakeLlm = Callable[[AppPaths, str, str], LlmService]
ServeMcp = Callable[[Store, str, bool], None]


def count_to(most: int) -> Callable[[str], int]:
    """Return the type of an argument that is a whole number from 1 to `most`; argparse tells what is wrong."""

    def count(text: str) -> int:
        stripped = text.strip()
        if not (stripped.isascii() and stripped.isdigit() and 1 <= int(stripped[:9]) <= most):
            raise argparse.ArgumentTypeError(_("1에서 {most} 사이의 수를 적어 주세요.").format(most=most))
        return int(stripped)

    return count


@dataclass(slots=True)
class CliContext:
    """One run of the command line.

    Attributes:
        as_json: Print JSON instead of words.
        follow_setting: Take the language that the data names (no `--lang` was given).
        open_store, make_llm: The composition root's factories; `make_llm` takes a model path ("" is the starter)
            and a family ("auto" asks the file).
        serve_mcp: Serves other programs until they go: store, language, whether writes need no question.
    """

    paths: AppPaths
    as_json: bool
    open_store: OpenStore
    make_llm: MakeLlm
    follow_setting: bool = True
    serve_mcp: ServeMcp | None = None
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
        tools = ToolRegistry.defaults().narrowed(Place.CLI)
        model = LoadedTextModel(self._make_llm, lambda: chat_prompt(tools, self.store, self.language))
        try:
            deps = ToolDeps(self.store, self.language, model=model)
            return ToolDispatcher(tools, deps).dispatch(name, args, gate)
        finally:
            model.close()

    def _make_llm(self) -> LlmService:
        rows = self.store.settings
        return self.make_llm(self.paths, rows.get_str(settings.MODEL_PATH), rows.get_str(settings.MODEL_FAMILY))

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
