"""The numbers of a habit, each with the rule by which it is counted, since a number without its rule misleads."""

from __future__ import annotations

from typing import Final, NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QWidget

from lifehelper_desktop.base.i18n import N_, _, ngettext
from lifehelper_desktop.domain.labels import run_words
from lifehelper_desktop.domain.schedule import unit_of
from lifehelper_desktop.domain.streaks import RECENT_DAYS, TIERS
from lifehelper_desktop.storage.record import HabitRecord
from lifehelper_desktop.ui.habit_words import streak_rule
from lifehelper_desktop.ui.theme import theme
from lifehelper_desktop.ui.widgets.basics import button, column, frame, icon_label, label, row

_TILE_MIN: Final = 172  # pixels at 100 % text
_GAP: Final = 10
_RULES: Final = (
    N_("완료와 최소는 똑같이 한 날로 세어요. 작게 한 날도 한 날이에요."),
    N_("쉬기는 일부러 비운 날이에요. 한 날도 빠진 날도 아니라서 건너뛰어요."),
    N_("오늘은 하루가 끝날 때까지 열려 있어요. 아직 적지 않았어도 빠진 날이 아니에요."),
    N_("지난 날을 고치면 모든 숫자를 그 자리에서 다시 세어요."),
    N_("일정을 바꾸어도 지난 날은 그때의 일정으로 세어요."),
    N_("강도는 하면 조금씩 차고, 빠지면 조금 줄어요. 매일 하는 습관은 13일이면 절반, 두 달 반이면 98%가 돼요."),
)


class _Look(NamedTuple):
    """How a tile looks: its name, role in the style sheet, icon, and the colour of its icon."""

    name: str
    role: str
    icon: str
    colour: str


class _Tile(QFrame):
    """One number with its title and its rule."""

    def __init__(self, look: _Look, title: str) -> None:
        super().__init__()
        self.setObjectName(look.name)
        self.setProperty("role", look.role)
        self._title = title
        layout = column(self, margins=(14, 12, 12, 12), gap=3)
        head = row(gap=6)
        head.addWidget(icon_label(look.icon, look.colour, 16))
        head.addWidget(label(title, "tileTitle"), 1)
        layout.addLayout(head)
        self.number = label("", "tileNumber", wrap=False)
        self.number.setObjectName(f"{look.name}Number")
        self.rule = label("", "tileRule")
        self.rule.setObjectName(f"{look.name}Rule")
        layout.addWidget(self.number)
        layout.addWidget(self.rule)
        layout.addStretch(1)

    def show_number(self, number: str, rule: str) -> None:
        self.number.setText(number)
        self.rule.setText(rule)
        self.setAccessibleName(f"{self._title} {number}")
        self.setAccessibleDescription(rule)


class HabitNumbers(QWidget):
    """The running and the longest streak, the last 30 days, and the strength."""

    def __init__(self) -> None:
        """Start empty; `show_record` fills it."""
        super().__init__()
        self.current = _Tile(_Look("numberCurrent", "tileGold", "flame", "on_gold_soft"), _("지금 이어 온 길이"))
        self.longest = _Tile(_Look("numberLongest", "tileGold", "tree", "on_gold_soft"), _("가장 길게"))
        self.recent = _Tile(_Look("numberRecent", "tileBlue", "today", "on_blue_soft"), _("최근 30일"))
        self.strength = _Tile(_Look("numberStrength", "tileAccent", "sprout", "on_accent_soft"), _("강도"))
        self._tiles = (self.current, self.longest, self.recent, self.strength)
        layout = column(self, gap=6)
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(_GAP)
        self._columns = 0
        self._arrange(len(self._tiles))
        layout.addLayout(self._grid)
        self.how = button(_("어떻게 세나요?"), self._toggle_rules, role="flat", icon="help", name="numberRules")
        self.how.setCheckable(True)
        layout.addWidget(self.how, 0, Qt.AlignmentFlag.AlignLeft)
        self._rules = self._build_rules()
        layout.addWidget(self._rules)
        self._rules.hide()

    def show_record(self, record: HabitRecord) -> None:
        """Show the numbers of `record`."""
        streaks, habit = record.overview.streaks, record.overview.habit
        unit = unit_of(habit.schedule)
        self.current.show_number(run_words(streaks.current_streak, unit), streak_rule(unit))
        best = max(record.runs, key=lambda run: run.length, default=None)
        longest_unit = best.unit if best is not None and best.length == streaks.longest_streak else unit
        self.longest.show_number(
            run_words(streaks.longest_streak, longest_unit), _("지금까지 가장 길게 이어 온 길이예요.")
        )
        n = streaks.done_count_30d
        self.recent.show_number(
            ngettext("{n}일", "{n}일", n).format(n=n),
            _("오늘까지 {days}일 가운데 완료나 최소로 한 날이에요.").format(days=RECENT_DAYS),
        )
        value = record.strength[-1][1] if record.strength else 0.0
        self.strength.show_number(f"{value:.0%}", _("할수록 천천히 차고, 빠져도 조금만 줄어요."))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put four, two or one tile in a line."""
        super().resizeEvent(event)
        fitting = (self.width() + _GAP) // (theme().px(_TILE_MIN) + _GAP)
        self._arrange(4 if fitting >= 4 else 2 if fitting >= 2 else 1)

    def _arrange(self, columns: int) -> None:
        if columns == self._columns:
            return
        self._columns = columns
        for number, tile in enumerate(self._tiles):
            self._grid.addWidget(tile, number // columns, number % columns)
        for number in range(len(self._tiles)):
            self._grid.setColumnStretch(number, 1 if number < columns else 0)

    def _build_rules(self) -> QFrame:
        rules = frame("sunken", "numberRulesText")
        layout = column(rules, margins=(16, 12, 16, 12), gap=6)
        tiers = " · ".join(f"{_(title)} {least}" for _name, title, least in TIERS)
        for words in (*map(_, _RULES), _("단계는 최근 42일 가운데 한 날의 수로 정해요: {tiers}").format(tiers=tiers)):
            line = row(gap=8)
            line.addWidget(_bullet(), 0, Qt.AlignmentFlag.AlignTop)
            line.addWidget(label(words, "muted"), 1)
            layout.addLayout(line)
        return rules

    def _toggle_rules(self) -> None:
        self._rules.setVisible(self.how.isChecked())


def _bullet() -> QLabel:
    return label("•", "muted", wrap=False)
