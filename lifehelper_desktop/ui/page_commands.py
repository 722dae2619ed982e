"""The pages in the middle of the window, the ways between them, and the way from one part of the window to the next."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget

from lifehelper_desktop.domain.habits import HabitType
from lifehelper_desktop.ui.dialog_commands import DialogCommands

if TYPE_CHECKING:
    from lifehelper_desktop.ui.screens.catalogue import CatalogueScreen

#: Commands after which the focus belongs into the page.
PAGE_COMMANDS: Final = frozenset({"show_habits", "show_catalogue", "show_review", "go_back"})
#: The button of the rail that is down for each page.
_RAIL_OF: Final = {"habits": "habits", "detail": "habits", "catalogue": "catalogue", "review": "review"}


class PageCommands(DialogCommands):
    """A part of MainWindow. Pages other than today's habits are built at the first visit."""

    _page_before: str = "habits"  # where the page of a habit leads back to

    @property
    def page_name(self) -> str:
        """The page shown: `habits`, `catalogue`, `review` or `detail`."""
        shown = self.stack.currentWidget()
        pages: dict[str, QWidget | None] = {
            "catalogue": self.catalogue,
            "review": self.review,
            "detail": self.detail,
        }
        return next((name for name, page in pages.items() if page is shown and page is not None), "habits")

    def show_habits(self) -> None:
        """Go to today's habits."""
        self._show_page(self.habits)

    def show_catalogue(self) -> None:
        """Go to the catalogue."""
        self._show_page(self._catalogue())

    def _catalogue(self) -> CatalogueScreen:
        if self.catalogue is None:
            from lifehelper_desktop.ui.screens.catalogue import CatalogueScreen

            self.catalogue = CatalogueScreen(self.store, self.bus)
            self.catalogue.add_asked.connect(self.open_add)
            self.stack.addWidget(self.catalogue)
        return self.catalogue

    def open_catalogue(self, habit_type: HabitType | None = None) -> None:
        """Go to the catalogue for entries of one type, or all, with the cursor in the search field."""
        self.show_catalogue()
        self._catalogue().look_for(habit_type)

    def add_habit(self) -> None:
        """Choose a new habit."""
        self.open_catalogue()

    def show_entry(self, catalogue_id: str) -> None:
        """Go to one entry of the catalogue."""
        self.show_catalogue()
        self._catalogue().show_entry(catalogue_id)

    def show_review(self) -> None:
        """Go to the review of the last week."""
        if self.review is None:
            from lifehelper_desktop.ui.screens.review import ReviewScreen

            self.review = ReviewScreen(self.store, self.bus)
            self.review.detail_asked.connect(self.show_habit)
            self.review.edit_asked.connect(self.open_edit)
            self.stack.addWidget(self.review)
        self._show_page(self.review)

    def show_habit(self, habit_id: int) -> None:
        """Go to the page of one habit; back leads to the page shown now."""
        if self.detail is None:
            from lifehelper_desktop.ui.screens.habit_detail import HabitDetail

            self.detail = HabitDetail(self.store, self.bus)
            self.detail.back_asked.connect(self.go_back)
            self.detail.edit_asked.connect(self.open_edit)
            self.detail.reminders_asked.connect(self.open_reminders)
            self.stack.addWidget(self.detail)
        if self.page_name != "detail":
            self._page_before = self.page_name
        self._show_page(self.detail)
        self.detail.show_habit(habit_id)
        if self.page_name == "detail":
            self.thread_.ui.habit_in_view = habit_id

    def show_day(self, habit_id: int, day: date) -> None:
        """Go to the page of a habit and open one of its days there."""
        self.show_habit(habit_id)
        if self.detail is not None and self.detail.habit_id == habit_id and self.detail.record is not None:
            self.detail.heat.focus_day(day)
            self.detail.open_day(day)

    def go_back(self) -> None:
        """From the page of a habit to where it was opened, from the others to today's habits."""
        if self.page_name != "detail":
            self.show_habits()
            return
        habit_id = self.detail.habit_id if self.detail is not None else None
        back = {"catalogue": self.show_catalogue, "review": self.show_review}
        back.get(self._page_before, self.show_habits)()
        if self.page_name == "habits" and habit_id is not None:
            self.habits.show_habit(habit_id)

    def mark_habit(self, number: int) -> None:
        """Record the habit with this number as done today."""
        self.show_habits()  # where it is told and can be taken back
        self.habits.mark_number(number)

    def find_in_catalogue(self) -> None:
        """Go to the catalogue's search field."""
        self.show_catalogue()
        search = self._catalogue().search
        search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        search.selectAll()

    # ---- the look of it ---------------------------------------------------------------------------------------

    def _show_page(self, page: QWidget) -> None:
        self.stack.setCurrentWidget(page)
        self.thread_.ui.habit_in_view = None
        self._chat_first = False
        self.fit_panes()

    def _mark_rail(self, _name: str = "") -> None:
        here = _RAIL_OF[self.page_name]
        for name in set(_RAIL_OF.values()):
            self.rail[name].setChecked(name == here)
        if "chat" in self.rail:
            self.rail["chat"].setChecked(self.chat is not None and not self.chat.isHidden())

    def _page(self) -> QWidget:
        shown = self.stack.currentWidget()
        return shown if shown is not None else self.habits

    # ---- the focus --------------------------------------------------------------------------------------------

    def enter_page(self) -> None:
        """Put the focus into the page shown, where it was last, unless it is there."""
        page = self._page()
        focused = QApplication.focusWidget()
        if focused is None or not page.isAncestorOf(focused):
            _enter(page)

    def next_region(self) -> None:
        """Put the focus into the next part of the window: the rail, the page, the coach."""
        self._walk(1)

    def previous_region(self) -> None:
        """Put the focus into the part of the window before."""
        self._walk(-1)

    def _walk(self, step: int) -> None:
        regions: list[QWidget] = [self.side] if self.stack.isHidden() else [self.side, self._page()]
        if self.chat is not None and not self.chat.isHidden():
            regions.append(self.chat)
        focused = QApplication.focusWidget()
        here = next((at for at, each in enumerate(regions) if focused is not None and each.isAncestorOf(focused)), None)
        start = (here if here is not None else -1 if step > 0 else 0) + step
        for at in range(len(regions)):
            if _enter(regions[(start + at * step) % len(regions)]):
                return


def _enter(region: QWidget) -> bool:
    """Give the focus to what had it last in `region`, or to the first that takes it; return whether there is one."""
    last = region.focusWidget()
    fitting = [last] if last is not None and last.isVisible() and last.isEnabled() else _stops(region)
    for each in fitting:
        each.setFocus(Qt.FocusReason.ShortcutFocusReason)
        return True
    return False


def _stops(region: QWidget) -> Iterator[QWidget]:
    """Give what the Tab key reaches inside `region`, in its order."""
    each = region.nextInFocusChain()
    while each is not None and each is not region:
        can = each.isVisible() and each.isEnabled() and bool(each.focusPolicy() & Qt.FocusPolicy.TabFocus)
        if can and region.isAncestorOf(each):
            yield each
        each = each.nextInFocusChain()
