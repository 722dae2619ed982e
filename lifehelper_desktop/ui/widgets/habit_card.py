"""One habit on the home screen: its sentence, its anchor, the week, the numbers, and today's three marks."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QMargins, QPoint, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QAbstractButton, QFrame, QGridLayout, QLabel, QMenu, QVBoxLayout, QWidget

from lifehelper_desktop.base.i18n import _, current_language
from lifehelper_desktop.domain.habits import MARKS, EntryValue, Habit
from lifehelper_desktop.domain.labels import value_label
from lifehelper_desktop.storage.store import HabitOverview
from lifehelper_desktop.ui import icons
from lifehelper_desktop.ui.card_words import anchor_words, dose_words, gap_words, mark_tips
from lifehelper_desktop.ui.text import TODAY_WORDS, VALUE_ICONS
from lifehelper_desktop.ui.theme import theme
from lifehelper_desktop.ui.widgets.basics import (
    as_button,
    button,
    column,
    icon_label,
    label,
    plain_tip,
    row,
    tool_button,
)
from lifehelper_desktop.ui.widgets.card_facts import CardFacts
from lifehelper_desktop.ui.widgets.card_menu import habit_menu
from lifehelper_desktop.ui.widgets.card_numbers import CardNumbers
from lifehelper_desktop.ui.widgets.drag_handle import DragHandle
from lifehelper_desktop.ui.widgets.link_label import LinkLabel
from lifehelper_desktop.ui.widgets.narrow import BesideOrBelow, EvenRow
from lifehelper_desktop.ui.widgets.roving import MarkButton, RovingGroup
from lifehelper_desktop.ui.widgets.week_strip import WeekStrip

_LEFT = 20  # pixels: the margin in which the handle lies
_ROOM, _TITLE_ROOM = 170, 130  # pixels at 100 % text: of a sentence beside its buttons, of a title beside its badge


class HabitCard(QFrame):
    """Shows one habit and asks its screen for every change; updates in place so that focus stays.

    `mark_asked` carries the value for today or None to take it back; `day_asked` (day, value or None);
    `action_asked` one of `detail`, `edit`, `reminders`, `up`, `down`, `pause`, `resume`, `archive`, `delete`,
    `confirm_anchor`. The card itself takes the focus: Enter opens the habit, the arrow keys are its list's business.
    """

    mark_asked = Signal(object)
    day_asked = Signal(object, object)
    action_asked = Signal(str)

    def __init__(self, facts: CardFacts) -> None:
        """Show `facts`."""
        super().__init__()
        self.setObjectName("habitCard")
        self.setProperty("role", "card")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.facts = facts
        self._signs: dict[str, QLabel] = {}
        layout = column(self, margins=(_LEFT, 14, 14, 16), gap=10)
        layout.addLayout(self._build_head())
        layout.addWidget(self._build_anchor_hint())
        layout.addWidget(self._build_numbers())
        layout.addWidget(self._build_hint())
        layout.addWidget(self._build_marks())
        layout.addWidget(self._build_marked())
        layout.addWidget(self._build_paused())
        self.handle = DragHandle(self)
        self._controls = (
            *(self._menu_button, self._confirm_anchor, self._edit_anchor, *self.week.buttons, self._restart),
            *(*self._mark_buttons.values(), self.undo_button, self._resume),
        )
        self._show()

    @property
    def overview(self) -> HabitOverview:
        """The numbers shown."""
        return self.facts.overview

    @property
    def habit(self) -> Habit:
        """The habit shown."""
        return self.facts.habit

    def stops(self, *, shown: bool = True) -> list[QWidget]:
        """Return the card and what in it takes the focus, in order; only what can be used now when `shown`."""
        usable = [each for each in self._controls if not shown or (each.isVisibleTo(self) and each.isEnabled())]
        return [self, *usable]

    # ---- building ---------------------------------------------------------------------------------------------

    def _build_head(self) -> QGridLayout:
        head = QGridLayout()
        head.setHorizontalSpacing(12)
        head.setVerticalSpacing(2)
        head.setColumnStretch(1, 1)
        self._tier_icon = icon_label("seed", "accent", 30)
        words = column(gap=3)
        self._title = LinkLabel("heading")
        self._title.setObjectName("habitTitle")
        self._title.clicked.connect(partial(self.action_asked.emit, "detail"))
        self._frame_text = label("", "body")
        self._frame_text.setObjectName("habitFrame")
        words.addWidget(self._frame_text)
        words.addSpacing(2)
        self._anchor = self._plan_line(words, "clock", "habitAnchor")
        self._dose = self._plan_line(words, "dose", "habitDose")
        self._rhythm = self._plan_line(words, "today", "habitRhythm")
        self._tier = label("", "badgeAccent", wrap=False)
        self._tier.setObjectName("habitTier")
        self._menu_button = tool_button("more", _("습관 메뉴"), self._open_menu, name="habitMenu")
        top = Qt.AlignmentFlag.AlignTop
        head.addWidget(self._tier_icon, 0, 0, 2, 1, top)
        title = BesideOrBelow(room=_TITLE_ROOM)
        title.add(self._title, self._tier)
        head.addWidget(title, 0, 1, Qt.AlignmentFlag.AlignVCenter)
        head.addWidget(self._menu_button, 0, 2, top)
        head.addLayout(words, 1, 1, 1, 2)
        return head

    def _plan_line(self, words: QVBoxLayout, icon: str, name: str) -> QLabel:
        line = row(gap=6)
        sign = icon_label(icon, "muted", 15)
        self._signs[name] = sign
        line.addWidget(sign, 0, Qt.AlignmentFlag.AlignTop)
        result = label("", "muted")
        result.setObjectName(name)
        line.addWidget(result, 1)
        words.addLayout(line)
        return result

    def _build_anchor_hint(self) -> QFrame:
        words = label(_("이 시점은 제안이에요. 나에게 맞나요?"))
        self._anchor_hint = _sentence("hint", "anchorHint", icon_label("anchor", "on_gold_soft", 18), words)
        self._confirm_anchor = button(
            _("맞아요"), partial(self.action_asked.emit, "confirm_anchor"), role="flat", name="confirmAnchor"
        )
        self._edit_anchor = button(_("바꾸기"), partial(self.action_asked.emit, "edit"), role="flat", name="editAnchor")
        self._anchor_hint.add(self._confirm_anchor, self._edit_anchor)
        return self._anchor_hint

    def _build_numbers(self) -> QWidget:
        numbers = BesideOrBelow(gap=14, centred=False)
        self.week = WeekStrip()
        self.week.change_asked.connect(self.day_asked)
        self._numbers = CardNumbers()
        numbers.add(self.week, self._numbers)
        return numbers

    def _build_hint(self) -> QFrame:
        self._hint_text = label()
        self._hint_text.setObjectName("missHintText")
        self._hint = _sentence("hint", "missHint", icon_label("sprout", "on_gold_soft", 18), self._hint_text)
        self._restart = button(
            _("최소로 다시 시작"), partial(self.mark_asked.emit, EntryValue.MINIMUM), role="flat", name="restartMinimum"
        )
        self._hint.add(self._restart)
        return self._hint

    def _build_marks(self) -> QWidget:
        self._marks = EvenRow()
        self._mark_buttons = {value: self._build_mark(value) for value in MARKS}
        buttons = tuple(self._mark_buttons.values())
        roving = RovingGroup(buttons, buttons[0])
        for each in buttons:
            each.roving = roving
        self._marks.add(*buttons)
        return self._marks

    def _build_mark(self, value: EntryValue) -> MarkButton:
        mark = MarkButton(value_label(value))
        on_click, name = partial(self.mark_asked.emit, value), f"mark_{value.value}"
        return as_button(mark, on_click, role="mark", icon=VALUE_ICONS[value], name=name)

    def _build_marked(self) -> QFrame:
        self._marked_icon = icon_label("check", "accent", 20)
        self._marked_text = label("", "section")
        self._marked_text.setObjectName("markedText")
        self._marked = _sentence("sunken", "markedRow", self._marked_icon, self._marked_text)
        self.undo_button = button(
            _("되돌리기"), partial(self.mark_asked.emit, None), role="flat", icon="undo", name="undoToday"
        )
        self._marked.add(self.undo_button)
        return self._marked

    def _build_paused(self) -> QFrame:
        words = label(_("쉬는 중이에요. 이어 온 날은 그대로 있어요."), "muted")
        self._paused = _sentence("sunken", "pausedRow", icon_label("pause", "muted", 18), words)
        self._resume = button(
            _("다시 시작"), partial(self.action_asked.emit, "resume"), role="flat", icon="play", name="resumeHabit"
        )
        self._paused.add(self._resume)
        return self._paused

    # ---- showing ----------------------------------------------------------------------------------------------

    def show_facts(self, facts: CardFacts) -> None:
        """Show newer facts of the same habit; what stayed the same is left alone."""
        if facts != self.facts:
            self.facts = facts
            self._show()

    def _show(self) -> None:
        focused = self.window().focusWidget()
        facts, overview, habit = self.facts, self.overview, self.habit
        active, entry = facts.is_active, overview.today_entry
        title = habit.title(current_language())
        picture = icons.pixmap(overview.streaks.tier, theme().tokens["accent"], 30, self.devicePixelRatioF())
        self._tier_icon.setPixmap(picture)
        self._title.setText(title)
        self._title.setToolTip(_("자세히 보기"))
        self._frame_text.setText(habit.framed_text)
        self._show_plan()
        self._anchor_hint.setVisible(active and habit.anchor_source == "suggested")
        has_minimum = bool(habit.minimum_dose)
        self.week.show_days(facts.today, facts.days, facts.off_days, has_minimum=has_minimum, enabled=active)
        self._numbers.show_overview(overview)
        self._tier.setText(self._numbers.tier_words)
        self._tier.setToolTip(self._numbers.tier_tip)
        self._show_hint()
        self._marks.setVisible(active and entry is None)
        self._marked.setVisible(active and entry is not None)
        self._paused.setVisible(not active)
        self._show_mark_buttons(title)
        if entry is not None:
            picture = icons.pixmap(VALUE_ICONS[entry.value], theme().tokens["accent"], 20, self.devicePixelRatioF())
            self._marked_icon.setPixmap(picture)
            self._marked_text.setText(_(TODAY_WORDS[entry.value]))
        self._name_for_readers(title)
        if focused is not None and self.isAncestorOf(focused) and not focused.isVisibleTo(self):
            # The button that was pressed is hidden now: its counterpart takes the focus.
            counterpart = self._mark_buttons[EntryValue.DONE] if entry is None else self.undo_button
            (counterpart if active else self).setFocus()

    def menu(self) -> QMenu:
        """Build the habit's menu."""
        return habit_menu(self, self.facts, self.action_asked.emit)

    def _open_menu(self) -> None:
        at = self._menu_button
        self.menu().popup(at.mapToGlobal(at.rect().bottomLeft()))

    def _show_plan(self) -> None:
        self._anchor.setText(anchor_words(self.habit))
        self._dose.setText(dose_words(self.habit))
        rhythm = self.facts.rhythm
        self._rhythm.setText(rhythm)
        self._rhythm.setVisible(bool(rhythm))
        self._signs["habitRhythm"].setVisible(bool(rhythm))

    def _show_hint(self) -> None:
        words = gap_words(self.overview)
        self._hint.setVisible(bool(words))
        if words:
            self._hint_text.setText(words)
            self._restart.setVisible(self.overview.open_gap >= 2 and bool(self.habit.minimum_dose))

    def _show_mark_buttons(self, title: str) -> None:
        habit = self.habit
        tips = mark_tips(habit)
        done = self._mark_buttons[EntryValue.DONE]
        done.keys = self.facts.keys
        if done.keys:
            tips[EntryValue.DONE] = f"{habit.standard_dose} ({done.keys})".strip()
        for value, mark in self._mark_buttons.items():
            mark.setToolTip(plain_tip(tips[value]))
            mark.setAccessibleName(f"{title} · {value_label(value)}")
        done.setAccessibleDescription(done.keys)
        self._mark_buttons[EntryValue.MINIMUM].setEnabled(bool(habit.minimum_dose))
        self.undo_button.setAccessibleName(f"{title} · {_('되돌리기')}")
        self._menu_button.setAccessibleName(f"{title} · {_('습관 메뉴')}")
        self._resume.setAccessibleName(f"{title} · {_('다시 시작')}")
        self.handle.setVisible(self.facts.can_move)
        self.handle.setToolTip(_("끌어서 순서를 바꿔요"))
        self.handle.setAccessibleName(f"{title} · {_('끌어서 순서를 바꿔요')}")

    def _name_for_readers(self, title: str) -> None:
        parts = [title, *self._numbers.parts]
        if self.overview.today_entry is not None:
            parts.append(self._marked_text.text())
        self.setAccessibleName(" · ".join(parts))
        described = [self.habit.framed_text, self.facts.rhythm]
        self.setAccessibleDescription(" · ".join(part for part in described if part))

    # ---- events -----------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter opens the habit, or presses the button of the card that has the focus."""
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)
            return
        focused = self.window().focusWidget()
        if focused is self:
            self.action_asked.emit("detail")
        elif isinstance(focused, QAbstractButton):
            focused.animateClick()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Open the habit's menu where the pointer is, or at its button for the keyboard."""
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            self._open_menu()
        else:
            self.menu().popup(event.globalPos())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the handle into the left margin, beside the sign."""
        super().resizeEvent(event)
        self._place_handle()

    def showEvent(self, event: QShowEvent) -> None:
        """Put the handle in place."""
        super().showEvent(event)
        self._place_handle()

    def _place_handle(self) -> None:
        sign = self._tier_icon.geometry()
        left = max(1, (_LEFT - self.handle.width()) // 2)
        self.handle.move(QPoint(left, sign.center().y() - self.handle.height() // 2 + 1))


def _sentence(role: str, name: str, sign: QLabel, words: QLabel) -> BesideOrBelow:
    """Return a line of the card: a sign and a sentence, and the buttons that are added to it."""
    line = BesideOrBelow(margins=QMargins(12, 6, 8, 6), room=_ROOM)
    line.setProperty("role", role)
    line.setObjectName(name)
    inner = QWidget()
    layout = row(inner, gap=8)
    layout.addWidget(sign)
    layout.addWidget(words, 1)
    line.add(inner)
    return line
