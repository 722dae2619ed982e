"""One habit of the quick log: its title, what is recorded today, and the marks or the way back."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QBoxLayout, QFrame, QPushButton

from lifehelper_desktop.base.i18n import _, current_language
from lifehelper_desktop.domain.habits import MARKS, EntryValue
from lifehelper_desktop.domain.labels import value_label
from lifehelper_desktop.storage.store import HabitOverview
from lifehelper_desktop.ui.text import VALUE_ICONS
from lifehelper_desktop.ui.widgets.basics import button, clear_layout, column, frame, icon_label, label, plain_tip, row


class QuickRow(QFrame):
    """Main thread. `mark_asked` carries the EntryValue that was chosen, or None to take today's entry back."""

    mark_asked = Signal(object)

    def __init__(self, number: int, overview: HabitOverview) -> None:
        """Show `overview`; `number` is the key that marks it done, 0 for none."""
        super().__init__()
        self.number, self.overview = number, overview
        self.setProperty("role", "card")
        self.setObjectName(f"quick_{overview.habit.id}")
        self.buttons: list[QPushButton] = []
        self._outer = column(self, margins=(14, 10, 12, 12), gap=8)
        self._build()

    def show_overview(self, overview: HabitOverview) -> bool:
        """Show how the same habit stands now; return whether anything of it is seen to differ."""
        before, self.overview = self.overview, overview
        if (before.habit, before.today_entry) == (overview.habit, overview.today_entry):
            return False
        self._build()
        return True

    def _build(self) -> None:
        clear_layout(self._outer)
        self.buttons = []
        number, overview = self.number, self.overview
        self._title = overview.habit.title(current_language())
        head = row(gap=8)
        head.addWidget(label(self._title, "section"), 1)
        line = row(gap=6)
        if overview.today_entry is None:
            if number:
                head.addWidget(_key_label(number))
            self._add_marks(line, number)
        else:
            self._add_recorded(line, overview.today_entry.value)
        self._outer.addLayout(head)
        self._outer.addLayout(line)

    @property
    def is_open(self) -> bool:
        """Whether nothing is recorded yet."""
        return self.overview.today_entry is None

    def _add_marks(self, line: QBoxLayout, number: int) -> None:
        self.setAccessibleName(f"{self._title} · {_('아직 기록 전')}")
        habit = self.overview.habit
        for value in MARKS:
            mark = button(
                value_label(value),
                partial(self.mark_asked.emit, value),
                role="mark",
                icon=VALUE_ICONS[value],
                name=f"quick_{value.value}",
            )
            mark.setAccessibleName(f"{self._title} · {value_label(value)}")
            if value is EntryValue.DONE:
                _explain(mark, habit.standard_dose)
                if number:
                    mark.setAccessibleDescription(_key_words(number))
            elif value is EntryValue.MINIMUM:
                mark.setEnabled(bool(habit.minimum_dose))
                _explain(mark, habit.minimum_dose or _("최소 용량을 먼저 정해 주세요."))
            else:
                _explain(mark, _("오늘은 쉬기로 하고 비워 둬요."))
            line.addWidget(mark, 1)
            self.buttons.append(mark)

    def _add_recorded(self, line: QBoxLayout, value: EntryValue) -> None:
        words = value_label(value)
        self.setAccessibleName(f"{self._title} · {words}")
        line.addWidget(icon_label(VALUE_ICONS[value], "accent", 18))
        line.addWidget(label(words, "good"), 1)
        back = button(_("되돌리기"), partial(self.mark_asked.emit, None), role="flat", icon="undo", name="quickUndo")
        back.setAccessibleName(f"{self._title} · {words} · {_('되돌리기')}")
        line.addWidget(back)
        self.buttons.append(back)


def all_done_panel() -> QFrame:
    """Return the warm word that stands above the habits when all of today is recorded."""
    panel = frame("hint", "quickAllDone")
    inside = row(panel, margins=(14, 12, 14, 12), gap=10)
    inside.addWidget(icon_label("sprout", "on_gold_soft", 22))
    inside.addWidget(label(_("오늘 기록을 다 마쳤어요. 편안한 하루 보내요.")), 1)
    return panel


def _key_label(number: int) -> QFrame:
    key = label(str(number), "badge", wrap=False)
    key.setToolTip(_key_words(number))
    return key


def _key_words(number: int) -> str:
    return _("{n} 키를 누르면 완료로 기록해요").format(n=number)


def _explain(mark: QPushButton, words: str) -> None:
    mark.setToolTip(plain_tip(words))
    mark.setAccessibleDescription(words)
