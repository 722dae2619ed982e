"""The window: the only part that imports PySide6."""

from __future__ import annotations

import ctypes
import sys
from typing import Final

_IMMORTAL_SINCE: Final = (3, 12)


def _keep_constants_alive() -> None:
    """Make None, True and False last before Python 3.12, where they are immortal.

    PySide6 6.12.0 hands them out without counting the reference, as may be done from Python 3.12 on; before, each
    call of Qt that returns nothing takes one away, and after some thousands the process aborts ("deallocating None").
    A count that is never used up is what immortal means there, too.
    """
    if sys.version_info >= _IMMORTAL_SINCE or sys.implementation.name != "cpython":
        return
    for constant in (None, True, False, NotImplemented, ...):
        ctypes.c_ssize_t.from_address(id(constant)).value += sys.maxsize >> 1


_keep_constants_alive()
