"""The one composition root: arguments to paths, log, settings, database and front end.

Start-up of the window imports neither llama.cpp nor numpy: the LLM thread does so when the model is first needed.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lifehelper_desktop.base.clock import Clock
from lifehelper_desktop.base.paths import AppPaths

if TYPE_CHECKING:
    import threading

    from lifehelper_desktop.llm.protocol import LlmService, LoadProgress
    from lifehelper_desktop.storage.store import Store


def open_app_store(paths: AppPaths, clock: Clock | None) -> Store:
    """Open the user's data.

    Raises:
        WorldError: The database is damaged, too new, or the disk refuses.
    """
    from lifehelper_desktop.storage.store import open_store

    return open_store(paths, clock)


def make_llm(paths: AppPaths, model_path: str, family: str = "auto") -> LlmService:
    """Return the llama.cpp service for a model file. Loads nothing yet.

    An empty path means the starter model; `family` is a value of the setting `model_family`.
    """
    from lifehelper_desktop.llm.llama_service import LlamaService
    from lifehelper_desktop.llm.model_store import resolve_model

    def resolve() -> Path:
        return resolve_model(paths, model_path)

    def prepare(progress: LoadProgress | None, stop: threading.Event) -> None:
        resolve_model(paths, model_path, progress=progress, stop=stop)

    return LlamaService(resolve, cache_dir=paths.cache, family=family, prepare=prepare)


def serve_mcp(store: Store, language: str, allow_writes: bool) -> None:
    """Serve other programs over standard input and output until they go.

    Raises:
        WorldError: There is no standard input or output.
    """
    from lifehelper_desktop.mcp_server.server import serve

    serve(store, language, allow_writes=allow_writes)


def main_cli(argv: Sequence[str] | None = None) -> int:
    """Run the command line `lifehelper`."""
    from lifehelper_desktop.cli.main import run

    return run(sys.argv[1:] if argv is None else argv, open_app_store, make_llm, serve_mcp)


def main_gui(argv: Sequence[str] | None = None) -> int:
    """Run the window `lifehelper-desktop`."""
    from lifehelper_desktop.base.old_processor import stops_window

    if stops_window():  # asked before Qt is imported, which would end the program without a word
        return 3
    from lifehelper_desktop.ui.start import run

    return run(sys.argv[1:] if argv is None else argv, open_app_store, make_llm)


def main(argv: Sequence[str] | None = None) -> int:
    """Run `python -m lifehelper_desktop`: the window, or with `cli` first the command line.

    A frozen program has this one way in, so the child that tries a model file comes through here too.
    """
    arguments = sys.argv[1:] if argv is None else list(argv)
    if arguments[:1] == ["--probe-model"]:
        from lifehelper_desktop.llm import probe

        return probe.main(arguments[1:])
    return main_cli(arguments[1:]) if arguments[:1] == ["cli"] else main_gui(arguments)


if __name__ == "__main__":
    sys.exit(main())
