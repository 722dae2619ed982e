"""What is said on a processor below x86-64-v2, where NumPy and Qt would end the program without a word."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Final

from lifehelper_desktop.base.errors import WorldError, tell_stderr
from lifehelper_desktop.base.i18n import SYSTEM, _, set_language
from lifehelper_desktop.base.processor import missing_features

_ICON_ERROR: Final = 0x10


def require_for_coach() -> None:
    """Do nothing where the coach can compute.

    Raises:
        WorldError: The processor is too old; says that everything else works.
    """
    missing = missing_features()
    if missing:
        raise WorldError(
            _("이 컴퓨터의 CPU는 코치가 쓰는 명령어({missing})를 몰라서, 코치가 답할 수 없어요.").format(
                missing=", ".join(missing)
            ),
            _("습관 기록은 그대로 쓸 수 있어요. 코치는 2013년 이후에 나온 컴퓨터라면 거의 모두에서 움직여요."),
        )


def stops_window() -> bool:
    """Return whether no window can be shown on this processor; if so, that has been said, in the system's language."""
    missing = missing_features()
    if not missing:
        return False
    set_language(SYSTEM)  # the settings are not read yet
    tell_without_qt(_window_trouble(missing))
    return True


def _window_trouble(missing: Sequence[str]) -> WorldError:
    return WorldError(
        _("이 컴퓨터의 CPU는 창을 그리는 데 쓰는 명령어({missing})를 몰라서, 창을 열 수 없어요.").format(
            missing=", ".join(missing)
        ),
        _(
            "2013년 이후에 나온 컴퓨터라면 거의 모두에서 열려요. "
            "이 컴퓨터에서는 터미널의 lifehelper 명령으로 기록할 수 있고, 자료는 그대로예요."
        ),
    )


def tell_without_qt(error: WorldError) -> None:
    """Say why the program cannot start where Qt cannot: on stderr, and in the system's own box for a double click."""
    words = str(error)
    tell_stderr(words)
    if sys.stderr is not None and not sys.stderr.closed and sys.stderr.isatty():
        return
    if sys.platform == "win32":
        ctypes.windll.user32.MessageBoxW(None, words, _("라이프 헬퍼를 시작하지 못했어요"), _ICON_ERROR)
        return
    command = box_command(words, os.environ)
    if command is not None:
        subprocess.run(command, check=False)  # noqa: S603 - the words are ours, and no shell reads them


def box_command(words: str, environment: Mapping[str, str]) -> list[str] | None:
    """Return the command of the desktop's box that shows `words`, or None where there is no display or no such box."""
    if not (environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY")):
        return None
    title = _("라이프 헬퍼를 시작하지 못했어요")
    known = {
        "zenity": ["--error", "--no-markup", "--title", title, "--text", words],
        "kdialog": ["--title", title, "--error", words],
        "notify-send": [title, words],
        "xmessage": ["-center", words],
    }
    for name, arguments in known.items():
        path = shutil.which(name, path=environment.get("PATH"))
        if path is not None:
            return [path, *arguments]
    return None
