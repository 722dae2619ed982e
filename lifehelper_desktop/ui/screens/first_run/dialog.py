"""The first run: language, what stays here, the model, a first habit. Under a minute; every step can be left out."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QDialog, QScrollArea, QVBoxLayout, QWidget

from lifehelper_desktop.base.i18n import _, current_language, set_language
from lifehelper_desktop.base.settings import AI_ENABLED, FIRST_RUN_DONE, LANGUAGE, SHORTCUT_KEYS, Setting, SettingValue
from lifehelper_desktop.domain.changes import Changes
from lifehelper_desktop.domain.habits import Habit, HabitStatus, NewHabit
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui.bus import Bus
from lifehelper_desktop.ui.qt_language import install_qt_language
from lifehelper_desktop.ui.screens.first_run.habit_page import SUGGESTIONS, HabitPage
from lifehelper_desktop.ui.screens.first_run.page import Page
from lifehelper_desktop.ui.screens.first_run.pages import CoachPage, DonePage, LanguagePage, ModelPage
from lifehelper_desktop.ui.screens.first_run.preparing import Preparing
from lifehelper_desktop.ui.screens.models import ModelManager
from lifehelper_desktop.ui.shortcuts import keys_in_force, read_changed, shown_key
from lifehelper_desktop.ui.theme import theme
from lifehelper_desktop.ui.trouble import told
from lifehelper_desktop.ui.widgets.basics import button, clear_layout, column, frame, row, size_on_screen
from lifehelper_desktop.ui.widgets.notice import NoticeBar
from lifehelper_desktop.ui.writes import attempt

_STEPS: Final = ("language", "coach", "model", "habit", "done")
_WITHOUT_AI: Final = ("language", "coach", "habit", "done")
_WIDTH, _HEIGHT = 600, 640  # pixels at 100 % text
_DOT, _DOT_GAP = 8, 8


def is_wanted(store: Store) -> bool:
    """Return whether the first run is to open by itself: it never was there, and there is no habit of any kind.

    Raises:
        WorldError: The data could not be read.
    """
    return not store.settings.get_bool(FIRST_RUN_DONE) and not store.habits.list(*HabitStatus)


class FirstRun(QDialog):
    """Window-modal, opened with `open()`. `changed` carries the key of a stored setting, which the window applies.

    However it ends, it does not open by itself again. It can be opened again from the settings and the help menu.
    """

    changed = Signal(str)

    def __init__(self, store: Store, bus: Bus, models: ModelManager, parent: QWidget | None = None) -> None:
        """Begin with the language.

        Raises:
            WorldError: The settings could not be read.
        """
        with_ai = store.settings.get_bool(AI_ENABLED)  # before there is a widget that could be left half built
        super().__init__(parent)
        self.setObjectName("firstRun")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.bus = bus
        self._store, self._models, self._with_ai = store, models, with_ai
        self._habit: Habit | None = None
        self._step = "language"
        self.preparing = Preparing(store.paths, self)
        self.page: Page | None = None
        self._outer = column(self, gap=0)
        self.build()
        self.resize(self.sizeHint())
        self.finished.connect(self._on_finished)

    def sizeHint(self) -> QSize:
        """A calm page; it scrolls where the screen has less room."""
        return size_on_screen(self, _WIDTH, _HEIGHT, side=40)

    # ---- building ---------------------------------------------------------------------------------------------

    @property
    def steps(self) -> tuple[str, ...]:
        """The names of the pages in their order; without the coach there is no model to speak of."""
        return _STEPS if self._with_ai else _WITHOUT_AI

    @property
    def step(self) -> str:
        """The page that is shown."""
        return self._step

    def build(self) -> None:
        """Build the page that is shown anew, in the language and look in force."""
        clear_layout(self._outer)
        self.setWindowTitle(_("처음 안내"))
        head = column(margins=(32, 22, 32, 6), gap=10)
        at = self.steps.index(self._step)
        head.addWidget(Dots(len(self.steps), at))
        self.notice = NoticeBar()
        head.addWidget(self.notice)
        self._outer.addLayout(head)
        page = self._make_page()
        page.ready_changed.connect(self._show_ready)
        self.page = page
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(page)
        self._outer.addWidget(scroll, 1)
        self._outer.addWidget(frame("line"))
        self._build_footer(self._outer, at)
        self._show_ready()
        control = page.first_control() or self.next_button
        control.setFocus(Qt.FocusReason.OtherFocusReason)

    def _make_page(self) -> Page:
        if self._step == "language":
            language = LanguagePage()
            language.chosen.connect(self._choose_language, Qt.ConnectionType.QueuedConnection)
            return language
        if self._step == "coach":
            return CoachPage(self._with_ai)
        if self._step == "model":
            model = ModelPage(self._store, self.preparing)
            model.others_asked.connect(self._models.open)
            return model
        if self._step == "habit":
            catalogue = self._store.catalogue
            return HabitPage([entry for each in SUGGESTIONS if (entry := catalogue.get(each)) is not None])
        title = self._habit.title(current_language()) if self._habit is not None else ""
        keys = keys_in_force(read_changed(self._store.settings.get_str(SHORTCUT_KEYS)))
        palette, coach = (shown_key(keys[name][0]) if keys[name] else "" for name in ("palette", "focus_composer"))
        return DonePage(habit_title=title, palette_key=palette, coach_key=coach if self._with_ai else "")

    def _build_footer(self, outer: QVBoxLayout, at: int) -> None:
        footer = row(margins=(32, 12, 32, 16), gap=8)
        is_last = at == len(self.steps) - 1
        if not is_last:
            leave = button(_("그만 보기"), self.reject, role="flat", name="firstLeave")
            leave.setAccessibleDescription(_("안내를 닫아요. 설정에서 언제든 다시 볼 수 있어요."))
            footer.addWidget(leave)
        footer.addStretch(1)
        if at > 0 and self._habit is None:  # a habit that was added is not chosen again
            footer.addWidget(button(_("이전"), self.back, name="firstBack"))
        if self._step in ("coach", "model"):
            skip = button(_("건너뛰기"), self.skip, name="firstSkip")
            skip.setAccessibleDescription(_("이 단계를 그대로 두고 다음으로 가요."))
            footer.addWidget(skip)
        self.next_button = button("", self.next, role="primary", name="firstNext")
        self.next_button.setDefault(True)
        footer.addWidget(self.next_button)
        outer.addLayout(footer)

    def _show_ready(self) -> None:
        if self.page is not None and hasattr(self, "next_button"):
            self.next_button.setText(self.page.next_words)

    # ---- going on ---------------------------------------------------------------------------------------------

    def next(self) -> None:
        """Store what the page says and go on; a refusal is shown and the page stays."""
        page = self.page
        if isinstance(page, CoachPage) and not self._take_ai(page.with_ai):
            return
        if isinstance(page, HabitPage) and not self._take_habit(page.new_habit()):
            return
        if self._step == self.steps[-1]:
            self.accept()
        else:
            self._go(1)

    def skip(self) -> None:
        """Go on and leave everything as it is."""
        self._go(1)

    def back(self) -> None:
        """Go to the page before."""
        self._go(-1)

    def _go(self, by: int) -> None:
        at = self.steps.index(self._step) + by
        if 0 <= at < len(self.steps):
            self._step = self.steps[at]
            with told(self.bus):
                self.build()

    def _choose_language(self, language: str) -> None:
        if not self._set(LANGUAGE, language):
            return
        set_language(language)
        install_qt_language(language)
        self.build()

    def _take_ai(self, wanted: bool) -> bool:
        if wanted != self._with_ai and not self._set(AI_ENABLED, wanted):
            return False
        self._with_ai = wanted
        if not wanted:
            self.preparing.stop()
        return True

    def _take_habit(self, new: NewHabit | None) -> bool:
        if new is None:
            return True
        added: list[Habit] = []

        def add() -> Changes:
            habit, changes = self._store.habits.add(new)
            added.append(habit)
            return changes

        outcome = attempt(self.bus, add)
        if outcome.is_ok:
            self._habit = added[0]
        else:
            self.notice.show_notice(outcome.problem, error=True)
        return outcome.is_ok

    def _set(self, setting: Setting, value: SettingValue) -> bool:
        outcome = attempt(self.bus, lambda: self._store.settings.set(setting, value))
        if outcome.is_ok:
            self.changed.emit(setting.key)
        else:
            self.notice.show_notice(outcome.problem, error=True)
        return outcome.is_ok

    def _on_finished(self) -> None:
        self.preparing.stop()
        self._set(FIRST_RUN_DONE, True)


class Dots(QWidget):
    """How far one is: a row of dots, the one of now longer and filled; said in words for screen readers."""

    def __init__(self, count: int, at: int) -> None:
        """Show `at` (from 0) of `count`."""
        super().__init__()
        self._count, self._at = count, at
        self.setObjectName("firstDots")
        self.setAccessibleName(_("{count}단계 가운데 {at}번째").format(count=count, at=at + 1))
        self.setToolTip(self.accessibleName())
        self.setFixedHeight(theme().px(_DOT) + 4)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the dots: behind filled, ahead hollow."""
        tokens, size, gap = theme().tokens, theme().px(_DOT), theme().px(_DOT_GAP)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        x = 1.0
        for each in range(self._count):
            width = size * 3 if each == self._at else size
            ahead = each > self._at
            painter.setPen(QPen(tokens.colour("border_strong" if ahead else "accent"), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush if ahead else tokens.colour("accent"))
            painter.drawRoundedRect(QRectF(x, 2, width, size), size / 2, size / 2)
            x += width + gap
        painter.end()
