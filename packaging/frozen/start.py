"""Where the frozen program begins: the window, or the command line when it was started by that name."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from lifehelper_desktop.__main__ import main


def arguments(argv: list[str]) -> list[str]:
    """Return what `main` gets: `lifehelper habits` is `cli habits`; what a child process is given stays as it is."""
    rest = argv[1:]
    is_command = Path(argv[0]).stem.lower() == "lifehelper"  # Windows starts it as it was typed
    return ["cli", *rest] if is_command and rest[:1] not in (["cli"], ["--probe-model"]) else rest


def forget_places() -> None:
    """Take back what the bootloader tells Qt by the environment, where our Qt finds its parts without.

    A program that we open, such as the file manager, would look there for its own, and load those of another Qt.
    """
    if sys.platform.startswith("linux"):
        for name in ("QT_PLUGIN_PATH", "QML2_IMPORT_PATH"):
            os.environ.pop(name, None)


if __name__ == "__main__":
    forget_places()
    sys.exit(main(arguments(sys.argv)))
