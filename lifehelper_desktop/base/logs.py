"""Logging to a rotating file, and crash reports for errors that are our own."""

from __future__ import annotations

import logging
import logging.handlers
import platform
import sys
import threading
import traceback
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from types import TracebackType

from lifehelper_desktop import __version__

_log = logging.getLogger(__name__)
CrashListener = Callable[[Path | None, str], None]


def setup_logging(folder: Path, *, verbose: bool = False) -> None:
    """Send our log to `folder/lifehelper.log` (1 MB, three kept), and to stderr when `verbose`.

    A folder that cannot be written leaves the log on stderr: the program must start all the same.
    """
    root = logging.getLogger("lifehelper_desktop")
    root.setLevel(logging.DEBUG if verbose else logging.INFO)
    for handler in list(root.handlers):
        root.removeHandler(handler)
        handler.close()
    form = logging.Formatter("%(asctime)s %(levelname)s %(threadName)s %(name)s: %(message)s")
    handlers: list[logging.Handler] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handlers.append(
            logging.handlers.RotatingFileHandler(
                folder / "lifehelper.log", maxBytes=1_000_000, backupCount=3, encoding="utf-8", delay=True
            )
        )
    except OSError:
        verbose = True
    if verbose and sys.stderr is not None:
        handlers.append(logging.StreamHandler(sys.stderr))
    for handler in handlers:
        handler.setFormatter(form)
        root.addHandler(handler)
    root.propagate = False


def crash_text(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> str:
    """Return the text of a crash report: versions and the traceback, no user data."""
    head = f"LifeHelper Desktop {__version__}\nPython {sys.version}\n{platform.platform()}\n\n"
    return head + "".join(traceback.format_exception(kind, error, trace))


def write_crash_report(
    folder: Path, kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> Path | None:
    """Write a crash report into `folder` and return its path, or None when the disk does not take it."""
    _log.critical("uncaught error", exc_info=(kind, error, trace))
    path = folder / f"crash-{datetime.now().astimezone():%Y%m%d-%H%M%S-%f}.txt"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text(crash_text(kind, error, trace), encoding="utf-8")
    except OSError:
        return None
    return path


def install_excepthooks(folder: Path, listener: CrashListener | None = None) -> None:
    """Catch uncaught errors of every thread: log, crash report, then `listener(path, text)` in that thread."""

    def report(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt | SystemExit):
            sys.__excepthook__(kind, error, trace)
            return
        path = write_crash_report(folder, kind, error, trace)
        if listener is not None:
            listener(path, crash_text(kind, error, trace))
        elif sys.stderr is not None:
            sys.__excepthook__(kind, error, trace)

    def report_thread(args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None:
            report(args.exc_type, args.exc_value, args.exc_traceback)

    sys.excepthook = report
    threading.excepthook = report_thread
