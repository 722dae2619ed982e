"""Sizes, speeds and durations of downloads in words."""

from __future__ import annotations

from typing import Final

from lifehelper_desktop.base.i18n import _

_UNITS: Final = ((1_000_000_000, "GB", 1), (1_000_000, "MB", 0), (1_000, "KB", 0))


def size_text(count: float) -> str:
    """Return a number of bytes as people read it: `3.1GB`, `806MB`."""
    for unit, name, digits in _UNITS:
        if count >= unit * 0.9995:
            return f"{count / unit:.{digits}f}{name}"
    return f"{count:.0f}B"


def time_left_text(seconds: float) -> str:
    """Return how long a download still takes, rounded so that it does not flicker."""
    if seconds < 50:
        return _("약 {n}초 남음").format(n=max(5, 5 * round(seconds / 5)))
    if seconds < 3_300:
        return _("약 {n}분 남음").format(n=max(1, round(seconds / 60)))
    return _("약 {hours}시간 {minutes}분 남음").format(hours=int(seconds // 3600), minutes=int(seconds % 3600 // 60))
