"""The quick log: a small window near the tray with today's habits, for a mark in one second."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QElapsedTimer, QEvent, QObject, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QHideEvent, QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QAbstractButton, QPushButton, QWidget

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.i18n import _, ngettext
from lifehelper_desktop.domain.habits import Entry, EntryValue
from lifehelper_desktop.storage.store import HabitOverview, Store
from lifehelper_desktop.ui import today_marks
from lifehelper_desktop.ui.bus import Bus
from lifehelper_desktop.ui.popup_place import place_by, room_by
from lifehelper_desktop.ui.text import long_day
from lifehelper_desktop.ui.theme import theme
from lifehelper_desktop.ui.today_marks import Today
from lifehelper_desktop.ui.trouble import guarded
from lifehelper_desktop.ui.widgets.announce import announce
from lifehelper_desktop.ui.widgets.basics import (
    button,
    clear_layout,
    column,
    frame,
    label,
    row,
    scroll_page,
    tool_button,
)
from lifehelper_desktop.ui.widgets.notice import NoticeBar
from lifehelper_desktop.ui.widgets.quick_row import QuickRow, all_done_panel
from lifehelper_desktop.ui.writes import WriteOutcome

_WIDTH = 400  # pixels at 100 % text, more where the words need it
_SIDE = 14  # between its edge and what is inside
_SHARE = 0.8  # of the screen's height at most
_LOOK_AGAIN_MS = 20_000  # the day may begin while it is open
_LEAVE_MS = 120  # a focus that comes back within this time was never lost
_SETTLE_MS = 500  # after opening, when compositors may give the focus to another window once more
_JUST_NOW_MS = 300  # a click on the icon first takes the focus away, and then asks to open
_KEYS = 9
_STEPS = {Qt.Key.Key_Down: (1, 0), Qt.Key.Key_Up: (-1, 0), Qt.Key.Key_Right: (0, 1), Qt.Key.Key_Left: (0, -1)}
_BY_KEY = Qt.FocusReason.TabFocusReason


class QuickLog(QWidget):
    """Built once and kept hidden; `open_near` shows it with fresh rows. Main thread.

    `window_asked` wants the main window. It closes with Esc and when another window takes the focus.
    """

    window_asked = Signal()

    def __init__(self, store: Store, bus: Bus) -> None:
        """Build the frame; the rows come with `refresh`."""
        flags = Qt.WindowType.Tool | Qt.WindowType.FramelessWindowHint | Qt.WindowType.WindowStaysOnTopHint
        super().__init__(None, flags)
        self.bus = bus
        self.rows: list[QuickRow] = []
        self._store = store
        self._today: Today | None = None
        self._made: list[Entry] = []  # since it was opened; Ctrl+Z takes them back, the last one first
        self._others_open = False
        self._others_button: QPushButton | None = None
        self._place: QRect | None = None
        self._opened, self._left = QElapsedTimer(), QElapsedTimer()
        self.setObjectName("quickLog")
        self.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, False)
        self._outer = column(self, gap=0)
        self._ticker = QTimer(self)
        self._ticker.setInterval(_LOOK_AGAIN_MS)
        self._ticker.timeout.connect(self.refresh)
        self._leaving = QTimer(self)
        self._leaving.setSingleShot(True)
        self._leaving.setInterval(_LEAVE_MS)
        self._leaving.timeout.connect(self._leave)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Undo), self, self.undo_last)
        self.rebuild()

    @property
    def was_just_left(self) -> bool:
        """Whether it closed a moment ago because the focus went elsewhere: to the tray icon, when that asks now."""
        return self._left.isValid() and self._left.elapsed() < _JUST_NOW_MS

    def rebuild(self) -> None:
        """Build the frame anew in the language and theme in force."""
        clear_layout(self._outer)
        self.rows, self._today, self._others_button = [], None, None
        self.setWindowTitle(_("빠른 기록"))
        self.setAccessibleName(_("빠른 기록"))
        panel = frame("panel", "quickPanel")
        inside = column(panel, margins=(_SIDE, 12, _SIDE, 14), gap=10)
        head, words = row(gap=6), column(gap=1)
        self._day, self._words = label("", "heading"), label("", "muted")
        self._day.setObjectName("quickDay")
        self._words.setObjectName("quickLeft")
        words.addWidget(self._day)
        words.addWidget(self._words)
        head.addLayout(words, 1)
        top = Qt.AlignmentFlag.AlignTop
        head.addWidget(button(_("창 열기"), self._ask_window, role="flat", name="quickWindow"), 0, top)
        self._close_button = tool_button("close", _("닫기 (Esc)"), self.hide, name="quickClose")
        head.addWidget(self._close_button, 0, top)
        inside.addLayout(head)
        self.notice = NoticeBar()
        inside.addWidget(self.notice)
        self._scroll, self._body = scroll_page("quickBody")
        self._list = column(self._body, gap=8)
        self._shape: tuple[object, ...] | None = None
        inside.addWidget(self._scroll, 1)
        self._outer.addWidget(panel)
        if self.isVisible():
            self.refresh()
            self._fit()

    # ---- showing ----------------------------------------------------------------------------------------------

    def open_near(self, place: QRect | None) -> None:
        """Show today's habits beside the tray icon `place` (global), or in the middle when that is not known."""
        self.notice.hide()
        self._made = []
        self._others_open = False
        self._place = place
        self.refresh()
        self._fit()
        self._opened.start()
        self.show()
        self.raise_()
        self.activateWindow()
        self._ticker.start()
        self._focus_first()

    def refresh(self) -> None:
        """Read today's habits anew; the focus stays on the habit that had it."""
        try:
            today = today_marks.look(self._store)
        except WorldError as error:
            self.notice.show_notice(str(error), error=True)  # the main window, which tells such things, may be hidden
            return
        if today != self._today:
            new_day = self._today is not None and self._today.day != today.day
            self._today = today
            self._show_today(today)
            if new_day:
                self._made = []
                self._fit()

    def _show_today(self, today: Today) -> None:
        at = self._focused_row()
        kept = None if at is None else self.rows[at].overview.habit.id
        self._day.setText(long_day(today.day))
        self._words.setText(today.words())
        if today.is_complete:
            n = len(today.due)
            self._words.setText(
                ngettext("오늘 습관 {n}개를 기록했어요.", "오늘 습관 {n}개를 기록했어요.", n).format(n=n)
            )
        shown = (*today.due, *(today.others if self._others_open else ()))
        shape = (len(today.due), len(today.others), self._others_open, *(each.habit.id for each in shown))
        if shape != self._shape:
            self._shape = shape
            self._rebuild_list(today)
        else:
            for line, overview in zip(self.rows, shown, strict=True):
                if line.show_overview(overview):
                    self._watch(line)
        self._all_done.setVisible(today.is_complete)
        if kept is not None:
            self._focus_habit(kept)

    def _rebuild_list(self, today: Today) -> None:
        clear_layout(self._list)
        self.rows, self._others_button = [], None
        self._all_done = all_done_panel()
        self._list.addWidget(self._all_done)
        for number, overview in enumerate(today.due, 1):
            self._add_row(number if number <= _KEYS else 0, overview)
        if today.others:
            self._add_others(today)
        if not self.rows and not today.others:
            self._list.addWidget(label(_("아직 습관이 없어요. 창을 열어 하나 골라 보세요."), "muted"))
        self._list.addStretch(1)
        for each in (*self.rows, self._others_button):
            if each is not None:
                each.show()  # now, not when the layout comes to it: what is hidden takes no focus

    def _add_row(self, number: int, overview: HabitOverview) -> None:
        line = QuickRow(number, overview)
        line.mark_asked.connect(partial(self._on_mark, line))
        self._watch(line)
        self.rows.append(line)
        self._list.addWidget(line)

    def _watch(self, line: QuickRow) -> None:
        for each in line.buttons:
            each.installEventFilter(self)
            each.show()

    def _add_others(self, today: Today) -> None:
        n = len(today.others)
        words = ngettext("오늘 쉬는 날인 습관 {n}개", "오늘 쉬는 날인 습관 {n}개", n).format(n=n)
        fold = button(
            words, self._fold_others, role="flat", icon="down" if self._others_open else "right", name="quickOthers"
        )
        fold.setAccessibleDescription(_("펼쳐져 있어요") if self._others_open else _("접혀 있어요"))
        fold.installEventFilter(self)
        self._others_button = fold
        self._list.addWidget(fold, 0, Qt.AlignmentFlag.AlignLeft)
        if self._others_open:
            for overview in today.others:
                self._add_row(0, overview)

    def _fold_others(self) -> None:
        self._others_open = not self._others_open
        if self._today is not None:
            self._show_today(self._today)
            self._fit()
        if self._others_button is not None:
            self._others_button.setFocus(_BY_KEY)

    def _fit(self) -> None:
        """Take the size that today's rows need and stay inside the screen."""
        room = room_by(self._place)
        for each in self._body.findChildren(QWidget):
            each.ensurePolished()  # the style sheet decides how big the words are
        sides = 2 * (_SIDE + 1)  # with the line around it
        needed = self._body.minimumSizeHint().width() + self._scroll.verticalScrollBar().sizeHint().width() + sides
        width = min(max(theme().px(_WIDTH), needed, self._outer.minimumSize().width()), room.width())
        body = self._list.heightForWidth(width - sides)
        rest = self._outer.heightForWidth(width) - self._scroll.sizeHint().height()
        self.resize(width, min(body + rest + 2, round(room.height() * _SHARE)))
        self.move(place_by(self._place, self.frameGeometry(), room))

    # ---- writing ----------------------------------------------------------------------------------------------

    def _on_mark(self, line: QuickRow, value: EntryValue | None) -> None:
        if value is not None:
            self.mark(line.overview.habit.id, value)
        elif line.overview.today_entry is not None:
            self._clear(line.overview.today_entry)

    @guarded
    def mark(self, habit_id: int, value: EntryValue) -> None:
        """Record the day shown and go on to the next habit that is open."""
        if self._today is None:
            return
        day, at = self._today.day, self._focused_row()
        outcome = today_marks.mark(self.bus, self._store, day, habit_id, value)
        if self._tell(outcome) and outcome.changes:
            entry = self._store.entries.get(habit_id, day)
            if entry is not None:
                self._made.append(entry)
            announce(self, self._words.text())
            if at is not None:
                self._focus_next_open(at)

    @guarded
    def _clear(self, entry: Entry) -> None:
        if self._today is not None:
            self._made = [each for each in self._made if each.id != entry.id]
            self._tell(today_marks.clear(self.bus, self._store, self._today.day, entry))
            self._focus_habit(entry.habit_id)

    def undo_last(self) -> None:
        """Take back the last mark that was made here since it was opened."""
        if self._made:
            self._clear(self._made[-1])
        else:
            self.notice.show_notice(_("여기서 되돌릴 기록이 없어요."))

    def _tell(self, outcome: WriteOutcome) -> bool:
        self.notice.show_problem(outcome.problem)
        self.refresh()
        if not outcome.is_ok:
            self._fit()  # with room for the words
        return outcome.is_ok

    def _mark_number(self, number: int) -> None:
        if self._today is not None and number <= len(self._today.due):
            overview = self._today.due[number - 1]
            if overview.today_entry is None:
                self.mark(overview.habit.id, EntryValue.DONE)

    # ---- keyboard ---------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes; the arrows walk between the habits and between the marks of one; numbers mark."""
        if not self._take_key(event):
            super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take the keys before a button does: its arrows would only walk along the tab order."""
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress and self._take_key(event):
            return True
        return super().eventFilter(watched, event)

    def _take_key(self, event: QKeyEvent) -> bool:
        key = Qt.Key(event.key())
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return False
        if key in _STEPS:
            self._walk(*_STEPS[key])
        elif event.isAutoRepeat() and key not in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
            pass  # a key that is held must not mark one habit after the other
        elif key is Qt.Key.Key_Escape:
            self.hide()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and isinstance(focus := self.focusWidget(), QAbstractButton):
            focus.click()
        elif Qt.Key.Key_1 <= key <= Qt.Key.Key_9:
            self._mark_number(key - Qt.Key.Key_0)
        else:
            return False
        return True

    def _walk(self, down: int, right: int) -> None:
        lines = self._lines()
        focus = self.focusWidget()
        at = next((number for number, line in enumerate(lines) if focus in line), None)
        if at is None or not isinstance(focus, QPushButton):
            self._focus(lines[0][0] if lines else self._close_button)
            return
        across = lines[at].index(focus) + right
        line = lines[min(max(0, at + down), len(lines) - 1)]
        self._focus(line[min(max(0, across), len(line) - 1)])

    def _lines(self) -> list[list[QPushButton]]:
        """Return the buttons that take the focus, line by line."""
        lines = [[each for each in line.buttons if each.isEnabled()] for line in self.rows]
        if self._today is not None and self._others_button is not None:
            lines.insert(len(self._today.due), [self._others_button])
        return lines

    def _focused_row(self) -> int | None:
        focus = self.focusWidget()
        return next((at for at, each in enumerate(self.rows) if focus in each.buttons), None)

    def _focus_first(self) -> None:
        """The first habit that is still open, else the way out."""
        first = next((each for each in self.rows if each.is_open), None)
        self._focus(self._close_button if first is None else first.buttons[0])

    def _focus_next_open(self, at: int) -> None:
        due = self.rows[: len(self._today.due)] if self._today is not None else []
        following = next((each for each in (*due[at + 1 :], *due[:at]) if each.is_open), None)
        self._focus(self._close_button if following is None else following.buttons[0])

    def _focus_habit(self, habit_id: int) -> None:
        found = next((each for each in self.rows if each.overview.habit.id == habit_id), None)
        if found is not None:
            self._focus(found.buttons[0])

    def _focus(self, target: QAbstractButton) -> None:
        target.setFocus(_BY_KEY)
        self._scroll.ensureWidgetVisible(target)

    # ---- closing ----------------------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        """Another window took the focus: that is how one leaves it."""
        if event.type() is QEvent.Type.WindowDeactivate and self.isVisible():
            self._leaving.start()
        elif event.type() is QEvent.Type.WindowActivate:
            self._leaving.stop()
        return super().event(event)

    def _leave(self) -> None:
        if not self.isVisible() or self.isActiveWindow():
            return
        if QGuiApplication.mouseButtons() != Qt.MouseButton.NoButton:
            self._leaving.start()  # a click in progress here comes first
        elif self._opened.elapsed() < _SETTLE_MS:
            self.activateWindow()
            self._leaving.start()
        else:
            self._left.start()
            self.hide()

    def hideEvent(self, event: QHideEvent) -> None:
        """Look no more for a new day."""
        self._ticker.stop()
        self._leaving.stop()
        super().hideEvent(event)

    def _ask_window(self) -> None:
        self.hide()
        self.window_asked.emit()
