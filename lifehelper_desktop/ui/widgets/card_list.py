"""The cards of the home screen in their sections: build, break, paused.

Cards are built as they are needed: a few at once, more as one scrolls or walks down, those of folded habits when they
are unfolded. A card that is there is kept and shown anew in place, so that the focus stays in it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from lifehelper_desktop.base.i18n import ngettext
from lifehelper_desktop.domain.habits import HabitStatus, HabitType
from lifehelper_desktop.ui.theme import theme
from lifehelper_desktop.ui.widgets.basics import button, column
from lifehelper_desktop.ui.widgets.card_drag import CardDrag, scroll_area_of
from lifehelper_desktop.ui.widgets.card_facts import CardFacts
from lifehelper_desktop.ui.widgets.card_keys import CardKeys
from lifehelper_desktop.ui.widgets.card_sections import PausedHead, SectionHead, invitation, nothing_found
from lifehelper_desktop.ui.widgets.habit_card import HabitCard

_FIRST, _MORE = 6, 4  # cards that are built at once, and each time more are needed
_OPEN_PAUSED = 5  # so many paused habits are shown without being asked for

Section = HabitType | None  # None: the paused ones
_SECTIONS: tuple[Section, ...] = (HabitType.BUILD, HabitType.BREAK, None)


class CardList(QWidget):
    """Shows CardFacts and asks its screen for every change.

    `mark_asked`, `day_asked` and `action_asked` are the card's signals with the habit's id before them; `reordered`
    carries (ids of one section in their new order, the id that was moved); `choose_asked` a HabitType; `clear_asked`
    ends the search.
    """

    mark_asked = Signal(int, object)
    day_asked = Signal(int, object, object)
    action_asked = Signal(int, str)
    reordered = Signal(object, int)
    choose_asked = Signal(object)
    clear_asked = Signal()

    def __init__(self) -> None:
        """Begin empty."""
        super().__init__()
        self.setObjectName("cardList")
        self.cards: dict[int, HabitCard] = {}
        self.tab_before: QWidget | None = None  # the Tab key comes from there, and goes on to `tab_after`
        self.tab_after: QWidget | None = None
        self._facts: dict[int, CardFacts] = {}
        self._ids: dict[Section, list[int]] = {section: [] for section in _SECTIONS}
        self._filtering = False
        self._folded = True
        self._limit, self._pending = _FIRST, 0
        self._sequence: list[QWidget] = []
        self._column = column(self, gap=12)
        self._heads = {habit_type: SectionHead(habit_type) for habit_type in HabitType}
        self._paused_head = PausedHead(self._fold)
        self._empties: dict[HabitType, QWidget] = {}
        self._buttons: dict[QWidget, QPushButton] = {self._paused_head: self._paused_head.button}
        for habit_type in HabitType:
            card, choose = invitation(habit_type, partial(self.choose_asked.emit, habit_type))
            self._empties[habit_type], self._buttons[card] = card, choose
        self._nothing, clear = nothing_found(self.clear_asked.emit)
        self._more = button("", self.show_more, role="soft", name="moreHabits")
        self._buttons |= {self._nothing: clear, self._more: self._more}
        for each in (*self._heads.values(), *self._buttons):
            each.setParent(self)
            each.hide()
        self._drag = CardDrag(self)
        self._drag.landed.connect(self._on_landed)
        self._keys = CardKeys(self, self)

    # ---- showing ----------------------------------------------------------------------------------------------

    @property
    def pending(self) -> int:
        """How many cards are still to be built at the end."""
        return self._pending

    def show_facts(
        self, facts: Sequence[CardFacts], places: Mapping[HabitType, int], found: Collection[int] | None
    ) -> None:
        """Show the habits, in list order; `found` are those that fit a search, None when there is no search."""
        self._facts = {each.habit.id: each for each in facts}
        self._filtering = found is not None
        self._ids = {section: [] for section in _SECTIONS}
        for each in facts:
            if found is None or each.habit.id in found:
                self._ids[section_of(each)].append(each.habit.id)
        for habit_type, head in self._heads.items():
            head.show_places(places[habit_type])
        for habit_id, card in self.cards.items():
            if habit_id in self._facts:
                card.show_facts(self._facts[habit_id])
        self._arrange()

    def show_more(self) -> bool:
        """Build more cards at the end; return whether there were any."""
        if not self._pending:
            return False
        self._limit += _MORE
        self._arrange()
        return True

    def show_card(self, habit_id: int) -> HabitCard | None:
        """Return the card of a habit, built and unfolded when it was not there; None for one that is not listed."""
        listed = [each for section in _SECTIONS for each in self._ids[section]]
        if habit_id not in listed:
            return None
        if habit_id in self._ids[None]:
            self._folded = False
        self._limit = max(self._limit, listed.index(habit_id) + 1)
        self._arrange()
        return self.cards[habit_id]

    def _arrange(self) -> None:
        """Bring what is shown in line with the facts."""
        focused = self.window().focusWidget()
        lines = self.lines()
        held = next(
            (n for n, line in enumerate(lines) if focused and (line is focused or line.isAncestorOf(focused))), None
        )
        wanted = self._wanted()
        if wanted != self._sequence:
            self._drag.cancel()
            for each in self._sequence:
                self._column.removeWidget(each)
                if each not in wanted:
                    each.hide()
            for each in wanted:
                self._column.addWidget(each)
                if each.isHidden():
                    each.show()
            self._sequence = wanted
            self._drop_cards()
            self._chain()
            self._column.activate()
        if held is not None and lines[held] not in wanted:
            left = self.lines()
            if left:
                self.focus(left[min(held, len(left) - 1)])

    def _wanted(self) -> list[QWidget]:
        """Return the widgets to show, from top to bottom; builds the cards among them."""
        wanted: list[QWidget] = []
        self._pending, shown = 0, 0
        for section in _SECTIONS:
            ids = self._ids[section]
            if section is None:
                foldable = len(ids) > _OPEN_PAUSED and not self._filtering
                folded = foldable and self._folded
                self._paused_head.show_count(len(ids), foldable=foldable, folded=folded)
                ids_shown = [] if folded else ids
            else:
                ids_shown = ids
            if not self._pending and (ids or (section is not None and not self._filtering)):
                wanted.append(self._paused_head if section is None else self._heads[section])
                if not ids and section is not None:
                    wanted.append(self._empties[section])
            for habit_id in ids_shown:
                if shown < self._limit:
                    wanted.append(self._card(habit_id))
                    shown += 1
                else:
                    self._pending += 1
        if self._filtering and not any(self._ids.values()):
            wanted.append(self._nothing)
        if self._pending:
            n = self._pending
            self._more.setText(ngettext("더 보기 ({n}개)", "더 보기 ({n}개)", n).format(n=n))
            wanted.append(self._more)
        return wanted

    def _card(self, habit_id: int) -> HabitCard:
        card = self.cards.get(habit_id)
        if card is None:
            card = HabitCard(self._facts[habit_id])
            card.setParent(self)
            card.mark_asked.connect(partial(self.mark_asked.emit, habit_id))
            card.day_asked.connect(partial(self.day_asked.emit, habit_id))
            card.action_asked.connect(partial(self.action_asked.emit, habit_id))
            card.handle.lifted.connect(partial(self._lift, card))
            card.handle.moved.connect(self._drag.move)
            card.handle.dropped.connect(self._drag.drop)
            card.handle.cancelled.connect(self._drag.cancel)
            self.cards[habit_id] = card
        return card

    def _drop_cards(self) -> None:
        """Delete the cards of habits that are no longer here."""
        for habit_id in [each for each in self.cards if each not in self._facts]:
            card = self.cards.pop(habit_id)
            card.setParent(None)
            card.deleteLater()

    def _chain(self) -> None:
        """Let the Tab key go from top to bottom."""
        last = self.tab_before
        for line in self.lines():
            for stop in line.stops(shown=False) if isinstance(line, HabitCard) else [line]:
                if last is not None:
                    QWidget.setTabOrder(last, stop)
                last = stop
        if last is not None and self.tab_after is not None:
            QWidget.setTabOrder(last, self.tab_after)

    def _fold(self) -> None:
        self._folded = not self._folded
        self._arrange()

    # ---- walking ----------------------------------------------------------------------------------------------

    def lines(self) -> list[QWidget]:
        """Return the cards, and the buttons between them, from top to bottom."""
        found: list[QWidget] = []
        for each in self._sequence:
            stop = each if isinstance(each, HabitCard) else self._buttons.get(each)
            if stop is not None and stop.isVisibleTo(self):
                found.append(stop)
        return found

    def focus(self, widget: QWidget) -> None:
        """Give `widget` the focus and bring it into view."""
        widget.setFocus(Qt.FocusReason.TabFocusReason)
        scroll = scroll_area_of(self)
        if scroll is not None:
            page = scroll.widget()
            if page is not None and (layout := page.layout()) is not None:
                layout.activate()  # what was moved or built just now is in its place
            scroll.ensureWidgetVisible(widget, 0, theme().px(24))

    # ---- moving -----------------------------------------------------------------------------------------------

    def move_by(self, card: HabitCard, step: int) -> None:
        """Ask for a card to be moved up (-1) or down (1) in its section; at its ends nothing happens."""
        ids = self._ids[section_of(card.facts)]
        old = ids.index(card.habit.id)
        if card.facts.can_move and 0 <= old + step < len(ids):
            self._limit += step > 0  # it may pass one that is not built yet
            self._ask_order(ids, card, old + step)

    def _lift(self, card: HabitCard, at: QPoint) -> None:
        ids = self._ids[section_of(card.facts)]
        built = [self.cards[each] for each in ids if each in self.cards and self.cards[each] in self._sequence]
        self._drag.begin(card, built, at)

    def _on_landed(self, card: HabitCard, index: int) -> None:
        self._ask_order(self._ids[section_of(card.facts)], card, index)

    def _ask_order(self, ids: Sequence[int], card: HabitCard, index: int) -> None:
        order = [each for each in ids if each != card.habit.id]
        order.insert(index, card.habit.id)
        self.reordered.emit(order, card.habit.id)


def section_of(facts: CardFacts) -> Section:
    """Return the section in which a habit stands."""
    return None if facts.habit.status is HabitStatus.PAUSED else facts.habit.habit_type
