"""The catalogue: filter, search, and one entry in full with its doses, frames, source and safety line."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QListView, QSplitter, QVBoxLayout, QWidget

from lifehelper_desktop.base.i18n import N_, _, current_language, ngettext
from lifehelper_desktop.domain.habits import HabitKind, HabitType, Protocol
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui.bus import Bus
from lifehelper_desktop.ui.models.catalogue_list import CatalogueDelegate, CatalogueModel, ProtocolRole
from lifehelper_desktop.ui.text import LEVEL_NAMES, one_line
from lifehelper_desktop.ui.trouble import guarded
from lifehelper_desktop.ui.widgets.basics import (
    button,
    clear_layout,
    column,
    frame,
    icon_label,
    label,
    row,
    scroll_page,
)
from lifehelper_desktop.ui.widgets.narrow import BesideOrBelow
from lifehelper_desktop.ui.widgets.search_field import SearchField

_SEARCH_ROOM = 220  # pixels at 100 % text
_LIST_MIN, _ENTRY_MIN, _SIDES = 170, 220, 40  # pixels
_KIND_WORDS = {
    HabitKind.PROTOCOL: N_("세우기"),
    HabitKind.DIET: N_("세우기 · 식사"),
    HabitKind.BREAK: N_("깨기"),
}
_GRADE_WORDS = {
    "A": N_("근거 A: 여러 연구를 모은 결과"),
    "B": N_("근거 B: 좋은 연구가 있음"),
    "C": N_("근거 C: 아직 적은 연구"),
}


class CatalogueScreen(QWidget):
    """`add_asked` carries the Protocol whose 추가 was pressed."""

    add_asked = Signal(object)

    def __init__(self, store: Store, bus: Bus) -> None:
        """Show every entry."""
        super().__init__()
        self.setObjectName("pageBody")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.bus = bus
        self._store = store
        self._taken: frozenset[str] = frozenset()
        layout = column(self, margins=(_SIDES // 2, 22, _SIDES // 2, 0), gap=12)
        layout.addWidget(label(_("카탈로그"), "display", wrap=False))
        layout.addLayout(self._build_filters())
        self._splitter = QSplitter(Qt.Orientation.Horizontal)
        self._splitter.setChildrenCollapsible(False)
        self._splitter.setHandleWidth(1)
        self._splitter.addWidget(self._build_list())
        self._splitter.addWidget(self._build_detail())
        self._splitter.setStretchFactor(0, 4)
        self._splitter.setStretchFactor(1, 5)
        self._splitter.setSizes([400, 500])
        layout.addWidget(self._splitter, 1)
        self.refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put list and entry beside each other, or on each other where a narrow screen has no room for both."""
        super().resizeEvent(event)
        beside = event.size().width() >= _LIST_MIN + _ENTRY_MIN + _SIDES
        self._splitter.setOrientation(Qt.Orientation.Horizontal if beside else Qt.Orientation.Vertical)

    def _build_filters(self) -> QVBoxLayout:
        filters = column(gap=6)
        line = BesideOrBelow(gap=8, room=_SEARCH_ROOM)
        self.search = SearchField("catalogueSearch", _("찾기: 잠, 걷기, 커피…"), _("카탈로그에서 찾기"))
        self.search.searched.connect(lambda _text: self.refresh())
        self.category = QComboBox()
        self.category.setObjectName("catalogueCategory")
        self.category.setAccessibleName(_("분류"))
        self.category.addItem(_("모든 분류"), "")
        for each in self._store.catalogue.categories:
            self.category.addItem(each.en if current_language() == "en" else each.ko, each.name)
        self.category.currentIndexChanged.connect(lambda _index: self.refresh())
        self.kind = QComboBox()
        self.kind.setObjectName("catalogueKind")
        self.kind.setAccessibleName(_("종류"))
        for words, kind in ((_("모든 종류"), None), (_("세우기"), HabitType.BUILD), (_("깨기"), HabitType.BREAK)):
            self.kind.addItem(words, kind)
        self.kind.currentIndexChanged.connect(lambda _index: self.refresh())
        line.add(self.search, self.category, self.kind)
        filters.addWidget(line)
        self._count = label("", "small", wrap=False)
        self._count.setObjectName("catalogueCount")
        filters.addWidget(self._count)
        return filters

    def _build_list(self) -> QWidget:
        self.model = CatalogueModel(self)
        self.view = QListView()
        self.view.setObjectName("catalogueList")
        self.view.setAccessibleName(_("카탈로그 목록"))
        self.view.setModel(self.model)
        self.view.setItemDelegate(CatalogueDelegate(self.view))
        self.view.setMouseTracking(True)
        self.view.setResizeMode(QListView.ResizeMode.Adjust)
        self.view.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.setMinimumWidth(_LIST_MIN)
        self.view.selectionModel().currentChanged.connect(self._on_current)
        self.view.doubleClicked.connect(lambda _index: self._ask_add())
        return self.view

    def _build_detail(self) -> QWidget:
        scroll, body = scroll_page(focusable=True)
        scroll.setAccessibleName(_("카탈로그 항목"))
        scroll.setMinimumWidth(_ENTRY_MIN)
        self._detail = column(body, margins=(16, 4, 4, 24), gap=12)
        self.detail = scroll
        return scroll

    # ---- showing ----------------------------------------------------------------------------------------------

    @property
    def current(self) -> Protocol | None:
        """The entry shown on the right."""
        index = self.view.currentIndex()
        found = index.data(ProtocolRole) if index.isValid() else None
        return found if isinstance(found, Protocol) else None

    def look_for(self, habit_type: HabitType | None) -> None:
        """Show entries of one type, or all, and put the cursor into the search field."""
        self.kind.setCurrentIndex(self.kind.findData(habit_type))
        self.search.setFocus()

    def show_entry(self, catalogue_id: str) -> None:
        """Show one entry, whatever was looked for before."""
        for filter_ in (self.category, self.kind):
            filter_.setCurrentIndex(0)
        self.search.clear()
        row = self.model.row_of(catalogue_id)
        if row >= 0:
            self.view.setCurrentIndex(self.model.index(row))
            self.view.scrollTo(self.view.currentIndex())
        self.view.setFocus(Qt.FocusReason.OtherFocusReason)

    @guarded
    def refresh(self) -> None:
        """Search again and keep the chosen entry when it is still there."""
        before = self.current
        self._taken = frozenset(habit.catalogue_id for habit in self._store.habits.list())
        rows = self._rows()
        reset = self.model.show_rows(rows, self._taken)
        if not reset and self._detail.count():
            return
        words = ngettext("{n}개", "{n}개", len(rows)).format(n=len(rows))
        self._count.setText(words if rows else _("맞는 것이 없어요. 다른 말로 찾아 보세요."))
        at = max(0, self.model.row_of(before.id)) if before is not None else 0
        if rows:
            self.view.setCurrentIndex(self.model.index(at))
        self._show_detail()

    def _rows(self) -> list[Protocol]:
        catalogue = self._store.catalogue
        keyword, category = one_line(self.search.wanted), self.category.currentData() or None
        kind = self.kind.currentData()
        if keyword:
            found = catalogue.search(keyword, category, limit=None)
        else:
            found = [entry for entry in catalogue.all() if category in (None, entry.category)]
        return [entry for entry in found if kind is None or entry.kind.habit_type is kind]

    def _on_current(self, current: QModelIndex, _previous: QModelIndex) -> None:
        if current.isValid():
            self._show_detail()

    def _show_detail(self) -> None:
        clear_layout(self._detail)
        entry = self.current
        if entry is None:
            return
        language = current_language()
        self._detail.addWidget(self._detail_head(entry, language))
        self._detail.addWidget(self._dose_card(entry, language))
        self._detail.addWidget(self._frames_card(entry, language))
        safety = entry.text("safety", language)
        if safety:
            self._detail.addWidget(safety_box(safety))
        self._detail.addWidget(self._evidence_card(entry, language))
        self._detail.addStretch(1)
        self.detail.verticalScrollBar().setValue(0)

    def _detail_head(self, entry: Protocol, language: str) -> QWidget:
        head = QWidget()
        layout = column(head, gap=8)
        badges = row(gap=6)
        badges.addWidget(label(_(_KIND_WORDS[entry.kind]), "badgeAccent", wrap=False))
        category = self._store.catalogue.find_category(entry.category)
        if category is not None:
            name = category.en if language == "en" else category.ko
            badges.addWidget(label(name, "badge", wrap=False))
        badges.addStretch(1)
        layout.addLayout(badges)
        title = label(entry.text("title", language), "title", selectable=True)
        title.setObjectName("detailTitle")
        layout.addWidget(title)
        layout.addWidget(label(entry.text("summary", language), selectable=True))
        taken = entry.id in self._taken
        words, icon = (_("하고 있어요"), "") if taken else (_("추가"), "plus")
        self.add_button = button(words, self._ask_add, role="primary", icon=icon, name="addFromCatalogue")
        self.add_button.setEnabled(not taken)
        layout.addWidget(self.add_button, 0, Qt.AlignmentFlag.AlignLeft)
        return head

    def _dose_card(self, entry: Protocol, language: str) -> QWidget:
        rows = [
            (_("바꾸려는 것"), entry.text("target_behavior", language)),
            (_("대신 할 것"), entry.text("replacement", language)),
            (_("표준"), entry.text("standard_dose", language)),
            (_("최소"), entry.text("minimum_dose", language)),
            (_("한 번 분량"), entry.text("portion", language)),
            (_("언제"), entry.text("anchor_when", language)),
            (_("무엇을 한 뒤"), entry.text("anchor_after_what", language)),
        ]
        return _facts_card(_("용량과 시점"), [(name, text) for name, text in rows if text])

    def _frames_card(self, entry: Protocol, language: str) -> QWidget:
        facts = [(_(LEVEL_NAMES[level]), entry.frame(level, language)) for level in (1, 2, 3)]
        return _facts_card(_("이렇게 적어 볼 수 있어요"), facts)

    def _evidence_card(self, entry: Protocol, language: str) -> QWidget:
        evidence = entry.evidence
        limit = entry.text("limit", language) or (evidence.limit if language == "ko" else "")
        facts = [
            (_("출처"), evidence.citation),
            ("DOI", evidence.doi),
            (_("등급"), _(_GRADE_WORDS[evidence.grade]) if evidence.grade in _GRADE_WORDS else evidence.grade),
            (_("한계"), limit),
        ]
        return _facts_card(_("근거"), [(name, text) for name, text in facts if text])

    def _ask_add(self) -> None:
        entry = self.current
        if entry is not None and self.add_button.isEnabled():
            self.add_asked.emit(entry)

    def sizeHint(self) -> QSize:
        """A comfortable size for the splitter of the window."""
        return QSize(620, 600)


def _facts_card(title: str, facts: list[tuple[str, str]]) -> QWidget:
    card = frame("card")
    layout = column(card, margins=(16, 12, 16, 14), gap=8)
    layout.addWidget(label(title, "section"))
    for name, text in facts:
        fact = column(gap=1)
        fact.addWidget(label(name, "small"))
        fact.addWidget(label(text, selectable=True))
        layout.addLayout(fact)
    return card


def safety_box(text: str) -> QWidget:
    """Return the box that shows an entry's safety line."""
    box = frame("hint", "safetyLine")
    layout = row(box, margins=(12, 10, 12, 10), gap=10)
    layout.addWidget(icon_label("shield", "on_gold_soft", 20), 0, Qt.AlignmentFlag.AlignTop)
    layout.addWidget(label(text, selectable=True), 1)
    return box
