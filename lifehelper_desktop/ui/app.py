"""Starts and ends the window: QApplication, font, translations, theme, error hooks."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QMessageLogContext, Qt, QTimer, QtMsgType, qInstallMessageHandler
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication, QMessageBox

from lifehelper_desktop.base.errors import WorldError, tell_stderr
from lifehelper_desktop.base.i18n import _, current_language
from lifehelper_desktop.base.logs import install_excepthooks
from lifehelper_desktop.ui import icons, tray_icon
from lifehelper_desktop.ui.application import Application
from lifehelper_desktop.ui.bus import Bus, CrashNotice
from lifehelper_desktop.ui.context import AppContext
from lifehelper_desktop.ui.main_window import MainWindow
from lifehelper_desktop.ui.qt_language import install_qt_language
from lifehelper_desktop.ui.session_end import SessionEnd
from lifehelper_desktop.ui.single_instance import SHOW, SingleInstance, adding
from lifehelper_desktop.ui.theme import FONT_POINTS, theme

DESKTOP_FILE = "lifehelper-desktop"
FONT_FAMILIES = ("NanumGothic", "Noto Sans CJK KR", "Malgun Gothic", "Apple SD Gothic Neo", "sans-serif")
NO_DISPLAY = 3  # exit code when no window can be shown
_ON_SCREEN = ("wayland", "xcb")

_log = logging.getLogger("lifehelper_desktop.qt")
_LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}


def choose_platform(environment: dict[str, str], platform: str) -> str | None:
    """Return the QT_QPA_PLATFORM to set, or None to leave it.

    On Linux Qt aborts the process when no display can be opened; with `offscreen` last it comes up instead, and
    `make_application` can say what is wrong. What the user set comes first.
    """
    wanted = environment.get("QT_QPA_PLATFORM", "")
    if platform.startswith("linux") and wanted and all(each.startswith(_ON_SCREEN) for each in wanted.split(";")):
        return f"{wanted};offscreen"
    if not platform.startswith("linux") or wanted:
        return None
    return "wayland;xcb;offscreen" if environment.get("WAYLAND_DISPLAY") else "xcb;offscreen"


def make_application(arguments: Sequence[str] = ()) -> QApplication | None:
    """Return the one QApplication, or None (after a line on stderr) when there is no display."""
    existing = QApplication.instance()
    if isinstance(existing, QApplication):
        return existing
    qInstallMessageHandler(_log_qt)
    chosen = choose_platform(dict(os.environ), sys.platform)
    if chosen is not None:
        os.environ["QT_QPA_PLATFORM"] = chosen
    QApplication.setAttribute(Qt.ApplicationAttribute.AA_DontShowIconsInMenus, False)
    app = Application([sys.argv[0], *arguments])
    if chosen is not None and app.platformName() == "offscreen":
        app.shutdown()
        tell_stderr(_("화면을 찾지 못해서 창을 열 수 없어요. 데스크톱에서 실행하거나 lifehelper 명령을 써 주세요."))
        return None
    _log.info("display: %s, %.2f pixels for one", app.platformName(), app.devicePixelRatio())
    dress(app)
    app.aboutToQuit.connect(tray_icon.forget)
    app.aboutToQuit.connect(icons.forget)
    return app


def dress(app: QApplication) -> None:
    """Give the application its names, style, font and icon."""
    app.setApplicationName("LifeHelper")
    app.setApplicationDisplayName(_("라이프 헬퍼"))
    app.setDesktopFileName(DESKTOP_FILE)
    app.setStyle("Fusion")
    font = QFont(list(FONT_FAMILIES))
    font.setPointSizeF(FONT_POINTS)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    app.setFont(font)
    app.setWindowIcon(icons.app_icon())


@dataclass(frozen=True, slots=True)
class WindowEnd:
    """How the window ended.

    Attributes:
        code: The exit code.
        restore_from: The backup that the user wants back in place of the damaged file.
        by_session: The system ended it and waits for the process to go.
    """

    code: int
    restore_from: Path | None = None
    by_session: bool = False


def run_window(
    context: AppContext, instance: SingleInstance | None = None, wish: str = SHOW, models: Sequence[Path] = ()
) -> WindowEnd:
    """Show the main window until it is closed; the code is 3 when there is no display.

    `instance` brings the wishes of later starts. `wish` is how this one begins: `show`, `quick-log`, or `hidden` in
    the tray. `models` are files to be added to the list of models.

    Raises:
        WorldError: The data could not be read.
    """
    app = make_application()
    if app is None:
        return WindowEnd(NO_DISPLAY)
    bus = Bus()

    def on_crash(path: Path | None, text: str) -> None:
        bus.publish_notice(CrashNotice(path, text))  # any thread: the bus carries it to the main one

    install_excepthooks(context.store.paths.logs, on_crash)
    window = MainWindow(context, bus)
    app.aboutToQuit.connect(window.finish)  # the session may end without closing a window that is hidden
    app.setQuitOnLastWindowClosed(False)  # the window may live on in the tray
    window.ended.connect(app.quit)
    window.in_tray.begin(wish)
    if wish == SHOW:
        QTimer.singleShot(0, window, window.offer_first_run)
    for model in models:
        QTimer.singleShot(0, window, lambda each=model: window.add_model(each))
    if instance is not None:
        instance.on_wish(window.in_tray.carry_out)
    if isinstance(app, Application):
        app.on_file(lambda path: window.in_tray.carry_out(adding(Path(path)), ""))
    session = SessionEnd(app, window)
    _log.info("ready")
    code = app.exec()
    session.close()
    if isinstance(app, Application):
        app.on_file(None)
    if instance is not None:
        instance.hold_wishes()
    window.deleteLater()  # another one may follow
    return WindowEnd(code, window.restore_from, session.is_ending)


def show_start_error(error: WorldError) -> None:
    """Tell in a box why the program cannot start, and on stderr where no box can be shown."""
    box = start_box(error)
    if box is not None:
        box.addButton(_("끝내기"), QMessageBox.ButtonRole.RejectRole)
        box.exec()


def start_box(error: WorldError) -> QMessageBox | None:
    """Return a box that tells why the program cannot start, without its buttons; None where none can be shown.

    It is told on stderr too.
    """
    tell_stderr(error)
    if make_application() is None:
        return None
    install_qt_language(current_language())
    theme().choose("system")
    box = QMessageBox(QMessageBox.Icon.Critical, _("라이프 헬퍼를 시작하지 못했어요"), error.message)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setInformativeText(error.next_step)
    return box


def _log_qt(kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
    _log.log(_LEVELS.get(kind, logging.WARNING), "%s: %s", context.category or "qt", message)
