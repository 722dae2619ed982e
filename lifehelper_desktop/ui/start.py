"""Arguments and data for the window: opens the store, offers a backup when the file is damaged, then shows it."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from lifehelper_desktop import __version__
from lifehelper_desktop.base import settings
from lifehelper_desktop.base.clock import Clock
from lifehelper_desktop.base.errors import WorldError, tell_stderr
from lifehelper_desktop.base.i18n import LANGUAGES, SYSTEM, _, current_language, set_language
from lifehelper_desktop.base.logs import setup_logging
from lifehelper_desktop.base.paths import AppPaths, folder, resolve_paths
from lifehelper_desktop.chat.controller import ChatSessionController
from lifehelper_desktop.chat.messages import ChatListener
from lifehelper_desktop.chat.tools_at_start import broken_tool_error, checked_registry
from lifehelper_desktop.llm.protocol import LlmService
from lifehelper_desktop.mcp_client.hub import McpHub
from lifehelper_desktop.mcp_client.tools import ServerTools
from lifehelper_desktop.storage.database import DatabaseCorrupt
from lifehelper_desktop.storage.opening import restore_backup
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.tools.confirm_gate import ConfirmGate
from lifehelper_desktop.tools.definition import UiActions
from lifehelper_desktop.tools.registry import ToolDefinitionError, ToolRegistry
from lifehelper_desktop.ui.app import WindowEnd, make_application, run_window, show_start_error
from lifehelper_desktop.ui.context import AppContext
from lifehelper_desktop.ui.session_end import leave
from lifehelper_desktop.ui.single_instance import QUICK_LOG, QUIT, SHOW, SingleInstance, adding, still_busy
from lifehelper_desktop.ui.start_rescue import offer_rescue
from lifehelper_desktop.ui.window_tray import HIDDEN

OK, WORLD, BROKEN = 0, 3, 4
_QUIT_WAIT_S: Final = 10.0  # a window ends in far less; one that hangs is told to whoever asked
OpenStore = Callable[[AppPaths, Clock | None], Store]
MakeLlm = Callable[[AppPaths, str, str], LlmService]


def build_parser() -> argparse.ArgumentParser:
    """Return the parser; also what the manual page is written from."""
    parser = argparse.ArgumentParser(
        prog="lifehelper-desktop",
        description=_("습관 코치 LifeHelper의 창"),
        epilog=_(
            "이미 켜져 있으면 켜져 있는 쪽이 창을 앞으로 가져와요. 데스크톱의 단축키에 "
            "‘lifehelper-desktop --quick-log’를 걸어 두면 어디서든 오늘 습관을 바로 기록할 수 있어요."
        ),
    )
    parser.add_argument("--data-dir", type=folder, metavar=_("폴더"), help=_("자료를 둘 폴더"))
    parser.add_argument("--lang", choices=(SYSTEM, *LANGUAGES), help=_("언어"))
    begin = parser.add_mutually_exclusive_group()
    begin.add_argument(
        "--quick-log", action="store_const", dest="wish", const=QUICK_LOG, help=_("오늘 습관을 기록하는 작은 창을 열기")
    )
    begin.add_argument(
        "--hidden",
        action="store_const",
        dest="wish",
        const=HIDDEN,
        help=_("창 없이 트레이에서 시작하기; 트레이가 없으면 창이 열려요"),
    )
    begin.add_argument(
        "--quit",
        action="store_const",
        dest="wish",
        const=QUIT,
        help=_("켜져 있는 창을 끝내고, 끝날 때까지 기다리기; 설치 프로그램이 써요"),
    )
    begin.add_argument(
        "models", nargs="*", type=Path, default=[], metavar=_("파일.gguf"), help=_("모델 목록에 더할 GGUF 파일")
    )
    parser.add_argument("--verbose", action="store_true", help=_("기록을 화면에도 남기기"))
    parser.add_argument("--version", action="version", version=f"lifehelper-desktop {__version__}")
    return parser


def run(argv: Sequence[str], open_store: OpenStore, make_llm: MakeLlm) -> int:
    """Show the window until it is closed and return the exit code."""
    args = build_parser().parse_args(argv)
    paths = resolve_paths(args.data_dir)
    set_language(args.lang or SYSTEM)
    if args.wish == QUIT:
        return _end_running(paths)
    setup_logging(paths.logs, verbose=args.verbose)
    if make_application() is None:
        return WORLD
    instance = SingleInstance(paths.data)  # listens through the application's event loop
    wish = args.wish or SHOW
    models = [Path(os.path.abspath(each)) for each in args.models]  # noqa: PTH100 - links stay as the user named them
    try:
        if not instance.claim():
            if wish == HIDDEN or all(instance.ask_first(each) for each in [*map(adding, models)] or [wish]):
                return OK
            # The other one may have ended meanwhile: then this is the first.
            if not instance.claim():
                raise still_busy()
    except WorldError as error:
        show_start_error(error)
        return WORLD
    try:
        end = _run(paths, args.lang or "", open_store, make_llm, instance, wish, models)
    finally:
        instance.release()
    if end.by_session:
        leave(end.code)
    return end.code


def _end_running(paths: AppPaths) -> int:
    """End the window of this data folder, if there is one. No display is needed, and no question asked."""
    if SingleInstance(paths.data).end_first(_QUIT_WAIT_S):
        return OK
    tell_stderr(still_busy())
    return WORLD


def _run(
    paths: AppPaths,
    language: str,
    open_store: OpenStore,
    make_llm: MakeLlm,
    instance: SingleInstance,
    wish: str,
    models: Sequence[Path],
) -> WindowEnd:
    try:
        registry = checked_registry()  # a tool that does not fit stops the program here, before anything is shown
    except ToolDefinitionError as error:
        show_start_error(broken_tool_error(error))
        return WindowEnd(BROKEN)
    while (store := _open(paths, open_store)) is not None:
        try:
            set_language(language or store.settings.get_str(settings.LANGUAGE))
            end = run_window(_context(store, registry, make_llm, language), instance, wish, models)
        except WorldError as error:
            show_start_error(error)
            break
        finally:
            store.close()
        if end.restore_from is None:
            return end
        wish, models = SHOW, ()
        try:
            restore_backup(paths, end.restore_from)
        except WorldError as error:
            show_start_error(error)  # opening tells what can still be done
    return WindowEnd(WORLD)


def _open(paths: AppPaths, open_store: OpenStore) -> Store | None:
    """Open the data; where it is damaged or gone a way back is offered, and nothing starts empty by itself."""
    while True:
        try:
            return open_store(paths, None)
        except DatabaseCorrupt as error:
            if not offer_rescue(paths, error):
                return None
        except WorldError as error:
            show_start_error(error)
            return None


def _context(store: Store, registry: ToolRegistry, make_llm: MakeLlm, language: str) -> AppContext:
    """Return what the window needs; model path and language are read when a model or controller is made."""

    def llm() -> LlmService:
        rows = store.settings
        return make_llm(store.paths, rows.get_str(settings.MODEL_PATH), rows.get_str(settings.MODEL_FAMILY))

    def controller(
        service: LlmService, gate: ConfirmGate, listener: ChatListener, ui: UiActions
    ) -> ChatSessionController:
        return ChatSessionController(service, store, registry, gate, listener, current_language(), ui=ui, servers=tools)

    hub = McpHub.of(store)
    tools = ServerTools(hub)
    return AppContext(store, llm, controller, language, hub)
