"""Logging to a rotating file, and crash reports for errors that are our own.

Both stay on this machine. A crash report holds nothing that the user wrote and no folder of the user's (`crash_text`),
and neither do the tracebacks, errors and paths in the log: what is sent for help is safe to send.
"""

from __future__ import annotations

import contextlib
import copy
import logging
import logging.handlers
import os
import sys
import threading
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from lifehelper_desktop.base.crash_text import crash_text, error_text, safe_value

__all__ = ["CrashListener", "crash_text", "install_excepthooks", "setup_logging", "write_crash_report"]

_log = logging.getLogger(__name__)
CrashListener = Callable[[Path | None, str], None]
REPORTS_KEPT: Final = 20
_LOG_BYTES: Final = 1_000_000


class _LogFile(logging.handlers.RotatingFileHandler):
    """Window, command line and MCP server write to one file, each from its own process."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write a line, into the file that has the name now: another process may have begun a new one.

        Else this process would write into an old file, and into a deleted one after three more.
        """
        if self.stream is not None and not self._has_the_name(self.stream.fileno()):
            self.stream.close()
            self.stream = None
        super().emit(record)

    def _has_the_name(self, descriptor: int) -> bool:
        if os.name != "posix":  # Windows lets nobody rename an open file
            return True
        try:
            return os.path.samestat(Path(self.baseFilename).stat(), os.fstat(descriptor))
        except OSError:
            return False

    def doRollover(self) -> None:  # noqa: N802 - the name of the base class
        """Begin a new file; where another process holds this one open (Windows), go on with it instead.

        The base class would shift the older files and then lose every line from then on.
        """
        if self.stream is not None:
            self.stream.close()
            self.stream = None
        base = Path(self.baseFilename)
        try:
            base.replace(base.with_name(f"{base.name}.moved")).replace(base)
        except OSError:
            self.maxBytes += _LOG_BYTES
            return
        super().doRollover()


class _LogFormat(logging.Formatter):
    """Lines and tracebacks without what the user wrote."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of `record`, which stays as it is: others may have it too."""
        safe = copy.copy(record)
        safe.exc_text = None  # what another formatter made of the traceback
        if isinstance(record.args, tuple):
            safe.args = tuple(safe_value(each) for each in record.args)
        elif record.args:
            safe.args = {name: safe_value(each) for name, each in record.args.items()}
        return super().format(safe)

    def formatException(self, ei: Any) -> str:  # noqa: N802 - the name of the base class
        """Return the traceback of `ei`."""
        kind, error, trace = ei
        return error_text(kind, error, trace).rstrip() if error is not None else ""


def setup_logging(folder: Path, *, verbose: bool = False) -> None:
    """Send our log to `folder/lifehelper.log` (1 MB, three kept), and to stderr when `verbose`.

    A folder that cannot be written leaves the log on stderr: the program must start all the same.
    """
    root = logging.getLogger("lifehelper_desktop")
    root.setLevel(logging.DEBUG if verbose else logging.INFO)
    for handler in list(root.handlers):
        root.removeHandler(handler)
        handler.close()
    form = _LogFormat("%(asctime)s %(levelname)s %(threadName)s %(name)s: %(message)s")
    handlers: list[logging.Handler] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handlers.append(
            _LogFile(folder / "lifehelper.log", maxBytes=_LOG_BYTES, backupCount=3, encoding="utf-8", delay=True)
        )
    except OSError:
        verbose = True
    if verbose and sys.stderr is not None:
        handlers.append(logging.StreamHandler(sys.stderr))
    for handler in handlers:
        handler.setFormatter(form)
        root.addHandler(handler)
    root.propagate = False


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
    _remove_old_reports(folder)
    return path


def _remove_old_reports(folder: Path) -> None:
    """Keep the newest reports; an error that comes again and again must not fill the disk."""
    with contextlib.suppress(OSError):
        for old in sorted(folder.glob("crash-*.txt"))[:-REPORTS_KEPT]:
            old.unlink()


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
