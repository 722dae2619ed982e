"""The menu of one habit on the home screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.domain.habits import HabitStatus
from lifehelper_desktop.ui import icons
from lifehelper_desktop.ui.theme import theme
from lifehelper_desktop.ui.widgets.card_facts import CardFacts

MOVE_UP_KEYS, MOVE_DOWN_KEYS = "Alt+Up", "Alt+Down"


class _Row(NamedTuple):
    name: str
    icon: str
    words: str
    keys: str = ""
    enabled: bool = True


def habit_menu(parent: QWidget, facts: CardFacts, ask: Callable[[str], object]) -> QMenu:
    """Return the menu; a row that is chosen calls `ask` with its name, see `HabitCard.action_asked`."""
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.setObjectName("habitMenuRows")
    paused = facts.habit.status is HabitStatus.PAUSED
    groups = (
        (
            _Row("detail", "today", _("자세히 보기")),
            _Row("edit", "edit", _("고치기…")),
            _Row("reminders", "bell", _("알림…")),
        ),
        (
            _Row("up", "up", _("위로"), MOVE_UP_KEYS, facts.can_move),
            _Row("down", "down", _("아래로"), MOVE_DOWN_KEYS, facts.can_move),
        ),
        (
            _Row("resume", "play", _("다시 시작")) if paused else _Row("pause", "pause", _("쉬어 가기")),
            _Row("archive", "archive", _("보관하기…")),
            _Row("delete", "trash", _("휴지통에 넣기")),
        ),
    )
    for group in groups:
        if menu.actions():
            menu.addSeparator()
        for each in group:
            # The keys belong to the list; here they are only told.
            keys = QKeySequence(each.keys).toString(QKeySequence.SequenceFormat.NativeText)
            words = f"{each.words}\t{keys}" if keys else each.words
            action = menu.addAction(icons.icon(each.icon, theme().tokens["text"], 18), words)
            action.setObjectName(f"habit_{each.name}")
            action.setEnabled(each.enabled)
            action.triggered.connect(lambda _checked=False, chosen=each.name: ask(chosen))
    return menu
