"""A dialog that does long work in the background: one worker, one progress line, one notice bar."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDialog, QWidget

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.domain.changes import Changes
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui.bus import Bus
from lifehelper_desktop.ui.widgets.basics import column, label, scroll_page, size_on_screen
from lifehelper_desktop.ui.widgets.low_page import LowPage
from lifehelper_desktop.ui.widgets.notice import NoticeBar
from lifehelper_desktop.ui.widgets.progress_row import ProgressRow
from lifehelper_desktop.ui.worker import Failure, Task, Worker

T = TypeVar("T")


class WorkDialog(QDialog):
    """Non-modal. Main thread; the work itself runs on a thread of the worker.

    Closing it while work runs stops the work, and closes when that has ended: what was committed is told first.

    Attributes:
        content: Everything that must not be used while work runs.
        body: Layout of `content`.
    """

    def __init__(
        self,
        store: Store,
        bus: Bus,
        parent: QWidget | None,
        *,
        name: str,
        title: str,
        intro: str,
        size: tuple[int, int],
    ) -> None:
        """Build the frame; `size` is in pixels at 100 % text."""
        super().__init__(parent)
        self.setObjectName(name)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self.bus, self._store, self._size = bus, store, size
        self._closes = False
        self.worker = Worker(self)
        outer = column(self, margins=(22, 18, 22, 16), gap=10)
        self.heading = label(title, "title")
        outer.addWidget(self.heading)
        self.intro = label(intro, "muted")
        self.intro.setVisible(bool(intro))
        outer.addWidget(self.intro)
        self.notice = NoticeBar()
        outer.addWidget(self.notice)
        # Where the screen is low or the text big, it scrolls; nothing is squeezed.
        self.area, _empty = scroll_page()
        self.content = LowPage()
        self.area.setWidget(self.content)
        self.body = column(self.content, gap=10)
        outer.addWidget(self.area, 1)
        self.progress = ProgressRow(self.stop_work)
        self.worker.moved.connect(self.progress.show_moved)
        outer.addWidget(self.progress)
        self.resize(self.sizeHint())

    def sizeHint(self) -> QSize:
        """The size of the design, as far as the screen has room for it."""
        return size_on_screen(self, *self._size)

    def showEvent(self, event: QShowEvent) -> None:
        """Be as wide as the content and the bar beside it at least."""
        super().showEvent(event)
        bar = self.area.verticalScrollBar().sizeHint().width()
        self.area.setMinimumWidth(self.content.minimumSizeHint().width() + bar)

    # ---- work -------------------------------------------------------------------------------------------------

    def begin(
        self,
        words: str,
        work: Callable[[Task], T],
        on_done: Callable[[T], None],
        *,
        can_stop: bool = True,
        on_failed: Callable[[Failure], None] | None = None,
    ) -> None:
        """Run `work`; then `on_done` with what it returned, or `on_failed`, which by default tells it.

        Nothing happens while other work runs.
        """
        if self.worker.is_busy:
            return
        focused = self.focusWidget()
        self.notice.hide()
        self.progress.begin(words, can_stop=can_stop)
        self.content.setEnabled(False)

        def end() -> bool:
            self.progress.hide()
            self.content.setEnabled(True)
            if focused is not None and focused.isEnabled() and focused.isVisible():
                focused.setFocus()
            return self._closes

        def done(result: T) -> None:
            closes = end()
            on_done(result)
            if closes:
                self.close()

        def failed(failure: Failure) -> None:
            if end():
                self.close()
            elif on_failed is not None:
                on_failed(failure)
            else:
                self.tell(failure)

        self.worker.start(work, done, failed)

    def tell(self, failure: Failure) -> None:
        """Say why work came to nothing."""
        self.notice.show_notice(failure.words, error=not failure.is_stopped)

    def stop_work(self) -> None:
        """Ask the work that runs to end."""
        if self.worker.is_busy:
            self.worker.stop()
            self.progress.show_ending(_("멈추는 중…"))

    def publish(self, changes: Changes) -> None:
        """Tell the screens which rows changed."""
        if changes:
            self.bus.publish_data(changes)

    # ---- the end ----------------------------------------------------------------------------------------------

    def reject(self) -> None:
        """Close; while work runs, only when it has ended."""
        if self.worker.is_busy:
            self._closes = True
            self.worker.stop()
            self.progress.show_ending(_("마치는 대로 창을 닫아요…"))
            return
        super().reject()
