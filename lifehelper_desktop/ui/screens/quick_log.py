"""The quick log: a small window near the tray with today's habits, for a mark in one second."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QHideEvent, QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QBoxLayout, QFrame, QPushButton, QScrollArea, QWidget

from lifehelper_desktop.base.i18n import _, current_language, ngettext
from lifehelper_desktop.domain.habits import MARKS, Entry, EntryValue
from lifehelper_desktop.domain.labels import value_label
from lifehelper_desktop.storage.store import HabitOverview, Store
from lifehelper_desktop.ui import today_marks
from lifehelper_desktop.ui.bus import Bus
from lifehelper_desktop.ui.text import VALUE_ICONS, long_day
from lifehelper_desktop.ui.today_marks import Today
from lifehelper_desktop.ui.trouble import guarded
from lifehelper_desktop.ui.widgets.basics import (
    button,
    clear_layout,
    column,
    frame,
    icon_label,
    label,
    plain_tip,
    row,
    tool_button,
)
from lifehelper_desktop.ui.widgets.notice import NoticeBar
from lifehelper_desktop.ui.writes import WriteOutcome

_WIDTH = 420  # device-independent pixels at normal text size
_MARGIN = 8  # from the edge of the screen
_LOOK_AGAIN_MS = 20_000  # the day may begin while it is open


class QuickLogRow(QFrame):
    """One habit: its title, what is recorded, and the three marks (or the undo)."""

    mark_asked = Signal(object)

    def __init__(self, number: int, overview: HabitOverview) -> None:
        """Show `overview`; `number` is the key that marks it done, 0 for none."""
        super().__init__()
        self.overview = overview
        self.setProperty("role", "card")
        self.setObjectName(f"quick_{overview.habit.id}")
        title, entry = overview.habit.title(current_language()), overview.today_entry
        outer = column(self, margins=(14, 9, 10, 10), gap=6)
        head = row(gap=8)
        head.addWidget(label(title, "section"), 1)
        if number and entry is None:
            key = label(str(number), "badge", wrap=False)
            key.setToolTip(_("{n} 키를 누르면 완료로 기록해요").format(n=number))
            head.addWidget(key)
        outer.addLayout(head)
        line = row(gap=6)
        self.buttons: list[QPushButton] = []
        if entry is None:
            self._add_marks(line, title)
        else:
            line.addWidget(icon_label(VALUE_ICONS[entry.value], "accent", 18))
            line.addWidget(label(_("오늘: {value}").format(value=value_label(entry.value)), "good"), 1)
            undo = button(
                _("되돌리기"), partial(self.mark_asked.emit, None), role="flat", icon="undo", name="quickUndo"
            )
            undo.setAccessibleName(f"{title} · {_('되돌리기')}")
            line.addWidget(undo)
            self.buttons.append(undo)
        outer.addLayout(line)
        recorded = value_label(entry.value) if entry is not None else _("아직 기록 전")
        self.setAccessibleName(f"{title} · {recorded}")

    def _add_marks(self, line: QBoxLayout, title: str) -> None:
        habit = self.overview.habit
        for value in MARKS:
            mark = button(
                value_label(value),
                partial(self.mark_asked.emit, value),
                role="mark",
                icon=VALUE_ICONS[value],
                name=f"quick_{value.value}",
            )
            mark.setAccessibleName(f"{title} · {value_label(value)}")
            if value is EntryValue.DONE:
                mark.setToolTip(plain_tip(habit.standard_dose))
            elif value is EntryValue.MINIMUM:
                mark.setEnabled(bool(habit.minimum_dose))
                mark.setToolTip(plain_tip(habit.minimum_dose or _("최소 용량을 먼저 정해 주세요.")))
            line.addWidget(mark, 1)
            self.buttons.append(mark)


class QuickLog(QWidget):
    """Built once and kept hidden; `open_near` shows it with fresh rows. Main thread.

    `window_asked` wants the main window. It closes with Esc and when another window takes the focus.
    """

    window_asked = Signal()

    def __init__(self, store: Store, bus: Bus) -> None:
        """Build the frame; the rows come with `refresh`."""
        super().__init__(
            None, Qt.WindowType.Tool | Qt.WindowType.FramelessWindowHint | Qt.WindowType.WindowStaysOnTopHint
        )
        self.bus = bus
        self._store = store
        self._today: Today | None = None
        self._last: tuple[int, Entry] | None = None  # the mark that Ctrl+Z takes back
        self.rows: list[QuickLogRow] = []
        self.setObjectName("quickLog")
        self.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, False)
        self._outer = column(self, gap=0)
        self._ticker = QTimer(self)
        self._ticker.setInterval(_LOOK_AGAIN_MS)
        self._ticker.timeout.connect(self._look_again)
        for number in range(1, 10):
            QShortcut(QKeySequence(str(number)), self, partial(self._mark_number, number))
        QShortcut(QKeySequence(QKeySequence.StandardKey.Undo), self, self.undo_last)
        self.rebuild()

    def rebuild(self) -> None:
        """Build the frame anew in the language and theme in force."""
        clear_layout(self._outer)
        self.rows = []
        self.setWindowTitle(_("빠른 기록"))
        self.setAccessibleName(_("빠른 기록"))
        panel = frame("panel", "quickPanel")
        inside = column(panel, margins=(14, 12, 14, 12), gap=8)
        head = row(gap=8)
        words = column(gap=0)
        self._day = label("", "heading")
        self._day.setObjectName("quickDay")
        self._left = label("", "muted")
        self._left.setObjectName("quickLeft")
        words.addWidget(self._day)
        words.addWidget(self._left)
        head.addLayout(words, 1)
        top = Qt.AlignmentFlag.AlignTop
        head.addWidget(button(_("창 열기"), self._ask_window, role="flat", name="quickWindow"), 0, top)
        head.addWidget(tool_button("close", _("닫기 (Esc)"), self.hide, name="quickClose"), 0, top)
        inside.addLayout(head)
        self.notice = NoticeBar()
        inside.addWidget(self.notice)
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._body = QWidget()
        self._body.setObjectName("pageBody")
        self._list = column(self._body, gap=8)
        self._scroll.setWidget(self._body)
        inside.addWidget(self._scroll, 1)
        self._outer.addWidget(panel)
        self._today = None

    # ---- showing ----------------------------------------------------------------------------------------------

    def open_near(self, place: QRect | None) -> None:
        """Show today's habits beside the tray icon `place` (global), or near the mouse when it is not known."""
        self.notice.hide()
        self._last = None
        self.refresh()
        self._fit(place)
        self.show()
        self.raise_()
        self.activateWindow()
        self._ticker.start()
        self._focus_first()

    @guarded
    def refresh(self) -> None:
        """Read today's habits anew; the focus stays on the habit that had it."""
        today = today_marks.look(self._store)
        if today == self._today:
            return
        focused = self._focused_row()
        kept = self.rows[focused].overview.habit.id if focused is not None else None
        self._today = today
        clear_layout(self._list)
        self.rows = []
        self._day.setText(long_day(today.day))
        self._left.setText(_left_words(today))
        for number, overview in enumerate(today.due, 1):
            self._add_row(number if number <= 9 else 0, overview)
        if today.others:
            self._list.addWidget(label(_("오늘은 쉬는 날"), "muted"))
            for overview in today.others:
                self._add_row(0, overview)
        if not self.rows:
            self._list.addWidget(label(_("아직 습관이 없어요. 창을 열어 하나 골라 보세요."), "muted"))
        self._list.addStretch(1)
        if kept is not None:
            self._focus_habit(kept)

    def _add_row(self, number: int, overview: HabitOverview) -> None:
        line = QuickLogRow(number, overview)
        line.mark_asked.connect(partial(self._on_mark, overview))
        for each in line.buttons:
            each.installEventFilter(self)
        self.rows.append(line)
        self._list.addWidget(line)

    def _fit(self, place: QRect | None) -> None:
        screen = QGuiApplication.screenAt(place.center() if place is not None else self.cursor().pos())
        screen = screen or QGuiApplication.primaryScreen()
        room = screen.availableGeometry().adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN)
        self._body.adjustSize()
        width = min(max(_WIDTH, self._body.minimumSizeHint().width() + 60), room.width())
        self.resize(width, 10)
        chrome = self._outer.sizeHint().height() - self._scroll.sizeHint().height()
        wanted = chrome + self._body.sizeHint().height() + 12
        self.resize(width, min(wanted, round(room.height() * 0.8)))
        self.move(_beside(place, self.frameGeometry(), room))

    def _look_again(self) -> None:
        if self.isVisible():
            self.refresh()

    # ---- writing ----------------------------------------------------------------------------------------------

    def _on_mark(self, overview: HabitOverview, value: EntryValue | None) -> None:
        if value is not None:
            self.mark(overview.habit.id, value)
        elif overview.today_entry is not None:
            self._clear(overview.today_entry)

    @guarded
    def mark(self, habit_id: int, value: EntryValue) -> None:
        """Record the day shown."""
        if self._today is None:
            return
        day = self._today.day
        if self._tell(today_marks.mark(self.bus, self._store, day, habit_id, value)):
            entry = self._store.entries.get(habit_id, day)
            self._last = None if entry is None else (habit_id, entry)

    @guarded
    def _clear(self, entry: Entry) -> None:
        if self._today is not None:
            self._tell(today_marks.clear(self.bus, self._store, self._today.day, entry))

    def undo_last(self) -> None:
        """Take back the last mark that was made here since it was opened."""
        last, self._last = self._last, None
        if last is not None:
            self._clear(last[1])

    def _tell(self, outcome: WriteOutcome) -> bool:
        if outcome.is_ok:
            self.notice.hide()
        else:
            self.notice.show_notice(outcome.problem, error=True)
        self.refresh()
        return outcome.is_ok

    def _mark_number(self, number: int) -> None:
        if self._today is not None and number <= len(self._today.due):
            overview = self._today.due[number - 1]
            if overview.today_entry is None:
                self.mark(overview.habit.id, EntryValue.DONE)

    # ---- keyboard ---------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes; the arrows walk between the habits and between the marks of one."""
        if not self._take_key(event):
            super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take the arrows before a button does, which would only walk along the tab order."""
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress and self._take_key(event):
            return True
        return super().eventFilter(watched, event)

    def _take_key(self, event: QKeyEvent) -> bool:
        steps = {Qt.Key.Key_Down: (1, 0), Qt.Key.Key_Up: (-1, 0), Qt.Key.Key_Right: (0, 1), Qt.Key.Key_Left: (0, -1)}
        key = Qt.Key(event.key())
        if key is Qt.Key.Key_Escape:
            self.hide()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and isinstance(focus := self.focusWidget(), QPushButton):
            focus.click()
        elif key in steps and self.rows:
            self._walk(*steps[key])
        else:
            return False
        return True

    def _walk(self, down: int, right: int) -> None:
        at = self._focused_row()
        if at is None:
            self._focus_first()
            return
        here = self._enabled(self.rows[at].buttons)
        column_ = here.index(focus) if (focus := self.focusWidget()) in here else 0
        at = min(max(0, at + down), len(self.rows) - 1)
        there = self._enabled(self.rows[at].buttons)
        target = there[min(max(0, column_ + right), len(there) - 1)]
        target.setFocus(Qt.FocusReason.TabFocusReason)
        self._scroll.ensureWidgetVisible(target)

    @staticmethod
    def _enabled(buttons: Sequence[QPushButton]) -> list[QPushButton]:
        return [each for each in buttons if each.isEnabled()]

    def _focused_row(self) -> int | None:
        focus = self.focusWidget()
        return next((at for at, each in enumerate(self.rows) if focus in each.buttons), None)

    def _focus_first(self) -> None:
        """The first habit that is still open, else the first of all."""
        first = next((each for each in self.rows if each.overview.today_entry is None), None)
        if first is not None or self.rows:
            (first or self.rows[0]).buttons[0].setFocus(Qt.FocusReason.TabFocusReason)

    def _focus_habit(self, habit_id: int) -> None:
        for each in self.rows:
            if each.overview.habit.id == habit_id:
                each.buttons[0].setFocus(Qt.FocusReason.TabFocusReason)

    # ---- closing ----------------------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        """Another window took the focus: that is how one leaves it."""
        if event.type() is QEvent.Type.WindowDeactivate and self.isVisible():
            self.hide()
        return super().event(event)

    def hideEvent(self, event: QHideEvent) -> None:
        """Look no more for a new day."""
        self._ticker.stop()
        super().hideEvent(event)

    def _ask_window(self) -> None:
        self.hide()
        self.window_asked.emit()


def _left_words(today: Today) -> str:
    n = today.open_count
    if not today.due:
        return _("오늘 정해진 습관은 없어요.")
    if n == 0:
        return _("오늘 기록을 모두 마쳤어요. 잘했어요.")
    return ngettext("오늘 {n}개 남았어요.", "오늘 {n}개 남았어요.", n).format(n=n)


def _beside(place: QRect | None, size: QRect, room: QRect) -> QPoint:
    """Return where the window goes: above or below the icon, whichever has room, and always inside the screen."""
    if place is None or place.isEmpty():
        at = QPoint(room.right() - size.width() + 1, room.top())
    elif place.center().y() > room.center().y():
        at = QPoint(place.center().x() - size.width() // 2, place.top() - size.height() - _MARGIN)
    else:
        at = QPoint(place.center().x() - size.width() // 2, place.bottom() + _MARGIN)
    x = min(max(room.left(), at.x()), room.right() - size.width() + 1)
    y = min(max(room.top(), at.y()), room.bottom() - size.height() + 1)
    return QPoint(x, y)
