"""What the coach may call: in this place, with the model that is loaded, within the state of the run."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Final

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.chat.messages import ToolCallChatMessage
from lifehelper_desktop.chat.model_side import ModelSide
from lifehelper_desktop.chat.prompts import turn_context
from lifehelper_desktop.llm.protocol import LlmError, LlmModelInfo, LlmStopped
from lifehelper_desktop.mcp_client.tools import Offer, ServerTools
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.tools.definition import ToolDeps, ToolStopped, UiActions
from lifehelper_desktop.tools.dispatcher import ToolDispatcher
from lifehelper_desktop.tools.frame_suggestion import FrameSuggestion, subject_of_entry, suggest_frame
from lifehelper_desktop.tools.registry import ToolRegistry
from lifehelper_desktop.tools.run_state import RunState
from lifehelper_desktop.tools.visibility import ModelProfile, Place

SMALL_MAX: Final = 2_500_000_000
"""Weights up to which a model is shown few tools; Gemma 4 E2B and Gemma 3 1B are below."""


def profile_of(info: LlmModelInfo | None) -> ModelProfile:
    """Return which tools a model can choose among; an unknown size counts as large."""
    if info is None:
        return ModelProfile.FULL
    if not info.chat_tuned:
        return ModelProfile.STARTER
    return ModelProfile.SMALL if 0 < info.parameters <= SMALL_MAX else ModelProfile.FULL


class SessionTextModel:
    """Implements TextModel over the conversation's own session: answers stand beside it, its prefix stays."""

    def __init__(self, model: ModelSide, stopped: Callable[[], bool]) -> None:
        """Ask `model`, unless `stopped`."""
        self._model = model
        self._stopped = stopped

    def generate_text(self, instruction: str, max_tokens: int) -> str:
        """Answer one instruction; see the protocol."""
        if self._stopped():
            raise ToolStopped
        try:
            return self._model.beside().generate_text(instruction, max_tokens=max_tokens)
        except LlmStopped:
            raise ToolStopped from None
        except LlmError as error:
            raise WorldError(error.message, _("잠시 뒤에 다시 해 주세요.")) from error


class ToolSide:
    """Used on the thread that owns the model.

    Attributes:
        run: The state of the run; every tool reads this one.
        deps: What handlers work with.
        registry: The tools that the model is shown; no other can be called.
        dispatcher: Routes to them.
    """

    def __init__(
        self,
        store: Store,
        registry: ToolRegistry,
        language: str,
        model: ModelSide,
        stop: threading.Event,
        ui: UiActions | None,
        servers: ServerTools | None = None,
    ) -> None:
        """Offer of `registry` what the place shows: the window's tools only where there is one (`ui`).

        `stop` is set when the user stops the run. `servers` are those that the user added.
        """
        self._store = store
        self._all = registry
        self._place = Place.CLI if ui is None else Place.WINDOW
        self._ui = ui
        self._model = model
        self._stop = stop
        self._servers = servers
        self._offer = Offer()
        self._seen: int | None = None
        self._text_model = SessionTextModel(model, stop.is_set)
        self.run = RunState(language, stop=stop)
        self.deps = ToolDeps(store, ui=ui, model=self._text_model, run=self.run)
        self.show_to(None)

    def show_to(self, info: LlmModelInfo | None) -> ToolRegistry:
        """Narrow the tools to what this model can choose among, and return them."""
        profile = profile_of(info)
        self.registry = self._all.narrowed(self._place, profile)
        if self._servers is not None and info is not None:
            self._servers.settle(self._stop.is_set)
            self._offer = self._servers.offer(profile)
            self.registry = ToolRegistry((*self.registry.all(), *self._offer.definitions))
        self.dispatcher = ToolDispatcher(self.registry, self.deps)
        return self.registry

    def begin_run(self) -> None:
        """Note the day and the habit in view at the moment of a message.

        The habit in view counts once, when it has come into view: what is spoken of after that is meant then.

        Raises:
            WorldError: The day could not be read.
        """
        self._look_for_servers()
        self.run.day = self._store.today()
        in_view = self._ui.habit_in_view if self._ui is not None else None
        if in_view is not None and in_view != self._seen:
            self.run.habit_id = in_view
        self._seen = in_view

    def _look_for_servers(self) -> None:
        """Wake the servers; where their tools are others than the model was told, its side begins anew."""
        if self._servers is None:
            return
        self._servers.wake()
        info = self._model.info
        if info is not None and self._servers.offer(profile_of(info)).mark != self._offer.mark:
            self._model.close()

    def context(self, done: Sequence[ToolCallChatMessage] = ()) -> str:
        """Return the facts beside the message of this run; `done` are the writes that were made for it before.

        Raises:
            WorldError: The habits could not be read.
        """
        return turn_context(self._store, self.run.language, done, today=self.run.day, in_view=self._seen)

    def forget(self) -> None:
        """A new conversation: no habit has been spoken of."""
        self.run.habit_id = self._seen = None

    def suggest_frame(self, protocol_id: str, level: int, language: str) -> FrameSuggestion:
        """Return a sentence for a catalogue entry, for a form: a run of its own beside the conversation.

        Raises:
            ValueError: There is no such entry.
            WorldError: No model, or it failed.
            LlmStopped: The user stopped it.
        """
        entry = self._store.catalogue.get(protocol_id)
        if entry is None:
            raise ValueError(f"unknown protocol {protocol_id!r}")
        run = RunState(language)
        try:
            found = suggest_frame(self._text_model, subject_of_entry(entry, run), level, run, self._store.catalogue)
        except ToolStopped:
            raise LlmStopped from None
        assert found is not None, "a catalogue entry has an example to stand in"
        return found
