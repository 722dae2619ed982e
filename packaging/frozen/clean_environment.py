"""Runs before the program: an environment that it and its children (browser, MCP servers) can work with.

The bootloader points LD_LIBRARY_PATH at the program's own libraries and keeps what was there before. The linker has
read it by now; a system program that inherited it would load our libraries in place of its own.
"""

import os
import sys

if sys.platform.startswith("linux"):
    before = os.environ.pop("LD_LIBRARY_PATH_ORIG", None)
    if before is not None:
        os.environ["LD_LIBRARY_PATH"] = before
    else:
        os.environ.pop("LD_LIBRARY_PATH", None)
    # A child that is this very program would take over what is gone now, unless its bootloader is told to begin anew.
    os.environ["PYINSTALLER_RESET_ENVIRONMENT"] = "1"
    # fcitx5 also speaks as ibus does, for which there is always a plugin inside: Hangul can be typed either way.
    if (module := os.environ.get("QT_IM_MODULE", "")).startswith("fcitx"):
        os.environ.setdefault("QT_IM_MODULES", f"{module};ibus")
    # Started without a locale, by a service or in a container: names of files are UTF-8 all the same.
    if not os.environ.get("LC_ALL") and (os.environ.get("LC_CTYPE") or os.environ.get("LANG") or "C") in ("C", "POSIX"):
        os.environ["LC_CTYPE"] = "C.UTF-8"
