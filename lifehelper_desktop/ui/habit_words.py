"""Words about one habit that the parts of its page share: its runs and their rule, where it comes from."""

from __future__ import annotations

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.domain.habits import Habit
from lifehelper_desktop.domain.runs import RunUnit
from lifehelper_desktop.storage.transfer.model import FileFormat


def streak_rule(unit: RunUnit) -> str:
    """Return how the running streak is counted, in one sentence."""
    if unit == "week":
        return _("정한 횟수를 채운 주를 세요. 이번 주는 아직 열려 있어요.")
    if unit == "month":
        return _("정한 횟수를 채운 달을 세요. 이번 달은 아직 열려 있어요.")
    if unit == "check":
        return _("정한 날 안에 이어서 한 횟수를 세요.")
    return _("정한 날에 빠짐없이 한 날을 세요. 쉬기는 건너뛰어요.")


def source_name(habit: Habit) -> str:
    """Return the name of the program that an imported habit comes from; empty for a habit made here."""
    if habit.source is None:
        return ""
    return next((each.app for each in FileFormat if each.source == habit.source), habit.source)
