"""The first habit: three suggestions from the catalogue, in the user's own words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtWidgets import QButtonGroup, QLineEdit, QVBoxLayout, QWidget

from lifehelper_desktop.base.i18n import _, current_language
from lifehelper_desktop.domain.habits import NewHabit, Protocol
from lifehelper_desktop.domain.rules import ANCHOR_MAX, FRAME_TEXT_MAX
from lifehelper_desktop.ui.screens.catalogue import safety_box
from lifehelper_desktop.ui.screens.first_run.page import Choice, Page
from lifehelper_desktop.ui.text import one_line
from lifehelper_desktop.ui.widgets.basics import clear_layout, column, label

#: Three small beginnings for different hours of the day and sides of a life: body, mind, sleep. Each takes ten
#: minutes at most, hangs on something that is done anyway, and asks for no confirmation of its safety line.
SUGGESTIONS: Final = ("post-meal-walk", "three-good-things", "bedtime-todo-list")


class HabitPage(Page):
    """The first habit: one of three suggestions, with its sentence and anchor in the user's own words, or none yet."""

    def __init__(self, suggestions: Sequence[Protocol]) -> None:
        """Offer `suggestions`; the first is chosen."""
        super().__init__(
            "habit",
            "seed",
            _("첫 습관을 골라 볼까요?"),
            _("작을수록 오래가요. 하나면 충분하고, 언제든 바꿀 수 있어요."),
        )
        self._suggestions = list(suggestions)
        self._language = current_language()
        self._anchor_before = ""
        self._group = QButtonGroup(self)
        self._cards: list[Choice] = []
        for number, entry in enumerate(self._suggestions):
            card = Choice(
                entry.text("title", self._language), self._dose_words(entry), f"first_{entry.id}", self._group, number
            )
            self._cards.append(card)
        self._cards.append(Choice(_("나중에 고를게요"), "", "first_none", self._group, len(self._suggestions)))
        for card in self._cards:
            self.body.addWidget(card)
        self._build_own()
        self.body.addStretch(1)
        self._group.idToggled.connect(self._on_chosen)
        self._cards[0].radio.setChecked(True)

    def _dose_words(self, entry: Protocol) -> str:
        standard, minimum = (entry.text(field, self._language) for field in ("standard_dose", "minimum_dose"))
        return standard + "\n" + _("힘든 날에는: {minimum}").format(minimum=minimum)

    def _build_own(self) -> None:
        self.own = QWidget(self)
        self.own.setObjectName("firstHabitWords")
        inside = column(self.own, margins=(0, 8, 0, 0), gap=6)
        self.anchor = self._field(inside, _("언제 할까요? (이미 하는 일 뒤가 좋아요)"), ANCHOR_MAX, "firstAnchor")
        self.sentence = self._field(inside, _("내 문장"), FRAME_TEXT_MAX, "firstSentence")
        self.anchor.textEdited.connect(self._on_anchor)
        self.sentence.textEdited.connect(lambda _text: self.ready_changed.emit())
        self._safety = column(gap=0)
        inside.addLayout(self._safety)

    def _field(self, layout: QVBoxLayout, title: str, limit: int, name: str) -> QLineEdit:
        words = label(title, "muted")
        edit = QLineEdit()
        edit.setObjectName(name)
        edit.setMaxLength(limit)
        edit.setAccessibleName(title)
        words.setBuddy(edit)
        layout.addWidget(words)
        layout.addWidget(edit)
        return edit

    @property
    def entry(self) -> Protocol | None:
        """The chosen suggestion, None for later."""
        number = self._group.checkedId()
        return self._suggestions[number] if 0 <= number < len(self._suggestions) else None

    @property
    def next_words(self) -> str:
        """What the main button says."""
        return _("이 습관으로 시작하기") if self.entry is not None else _("다음")

    def new_habit(self) -> NewHabit | None:
        """Return what is to be added, None for later; the repository judges it by the rules."""
        entry = self.entry
        if entry is None:
            return None
        return NewHabit(
            protocol_id=entry.id,
            frame_level=2,
            framed_text=one_line(self.sentence.text()),
            anchor_after_what=one_line(self.anchor.text()) or None,
            standard_dose=entry.text("standard_dose", self._language),
            minimum_dose=entry.text("minimum_dose", self._language),
            is_complete=True,
        )

    def first_control(self) -> QWidget | None:
        """The chosen card."""
        return self._cards[max(0, self._group.checkedId())].radio

    def _on_chosen(self, number: int, chosen: bool) -> None:
        """Open the chosen card: its words stand inside it, and the Tab key goes there next."""
        if not chosen:
            return
        entry = self.entry
        self.own.setVisible(entry is not None)
        if entry is not None:
            card = self._cards[number]
            card.extra.addWidget(self.own)
            QWidget.setTabOrder(card.radio, self.anchor)
            QWidget.setTabOrder(self.anchor, self.sentence)
            self._anchor_before = entry.text("anchor_after_what", self._language)
            self.anchor.setText(self._anchor_before)
            self.sentence.setText(entry.frame(2, self._language))
            for edit in (self.anchor, self.sentence):
                edit.setCursorPosition(0)
            clear_layout(self._safety)
            safety = entry.text("safety", self._language)
            if safety:
                self._safety.addWidget(safety_box(safety))
        self.ready_changed.emit()

    def _on_anchor(self, text: str) -> None:
        """Where the sentence begins with the anchor, it follows what is typed."""
        sentence = self.sentence.text()
        before = self._anchor_before
        if before and sentence.casefold().startswith(before.casefold()):
            self.sentence.setText(text + sentence[len(before) :])
            self.sentence.setCursorPosition(0)
        self._anchor_before = text
        self.ready_changed.emit()
