"""Level and sentence of a habit: the user's own words, checked while typing, with proposals beside."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QButtonGroup, QFrame, QHBoxLayout, QLineEdit, QRadioButton, QWidget

from lifehelper_desktop.base.i18n import N_, _
from lifehelper_desktop.domain.framing import detect_avoidance_keywords
from lifehelper_desktop.domain.habits import Protocol
from lifehelper_desktop.domain.rules import FRAME_TEXT_MAX, FRAME_TEXT_MIN
from lifehelper_desktop.domain.text import visible_length
from lifehelper_desktop.ui.bus import FrameProposal
from lifehelper_desktop.ui.text import LEVEL_NAMES, one_line
from lifehelper_desktop.ui.theme import theme
from lifehelper_desktop.ui.widgets.basics import button, column, frame, icon_label, label, repolish, row, set_role

_LEVEL_HELP = {
    1: N_("무엇을 얻을지 적어요."),
    2: N_("언제 무엇을 할지 적어요. 시작하기 가장 쉬워요."),
    3: N_("어떤 사람인지 적어요. 마음에 들 때만 골라요."),
}


class _Choice(QFrame):
    """A card around a radio button that can be clicked anywhere."""

    pressed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "choice")

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take the press for the radio button."""
        super().mousePressEvent(event)
        self.pressed.emit()


class FrameEditor(QWidget):
    """`changed` fires when level or text change; `suggestion_asked` carries the level that the coach should use."""

    changed = Signal()
    suggestion_asked = Signal(int)

    def __init__(self, entry: Protocol | None, language: str, *, level: int, text: str, ai_enabled: bool) -> None:
        """Start with `level` and `text`; without an entry there are no examples."""
        super().__init__()
        self._entry, self._language = entry, language
        self._waiting = False
        layout = column(self, gap=8)
        layout.addWidget(label(_("어떤 눈으로 볼까요?"), "section"))
        self._group = QButtonGroup(self)
        self._choices: dict[int, QFrame] = {}
        for each in (1, 2, 3):
            layout.addWidget(self._build_choice(each))
        layout.addSpacing(4)
        layout.addWidget(label(_("내 문장"), "section"))
        self.edit = QLineEdit(text)
        self.edit.setObjectName("frameText")
        self.edit.setAccessibleName(_("내 문장"))
        self.edit.setMaxLength(FRAME_TEXT_MAX)
        layout.addWidget(self.edit)
        self._feedback = label("", "muted")
        self._feedback.setObjectName("frameFeedback")
        layout.addWidget(self._feedback)
        layout.addLayout(self._build_buttons(ai_enabled))
        layout.addWidget(self._build_proposal())
        self._group.idToggled.connect(self._on_level)
        self.edit.textChanged.connect(self._on_text)
        self._group.button(level).setChecked(True)
        self._on_text()

    @property
    def level(self) -> int:
        """The chosen level, 1 to 3."""
        return self._group.checkedId()

    @property
    def text(self) -> str:
        """The sentence, trimmed."""
        return one_line(self.edit.text())

    @property
    def problem(self) -> str:
        """What keeps the sentence from being taken, or empty."""
        if visible_length(self.text) < FRAME_TEXT_MIN:
            return _("하려는 행동을 한 문장으로 적어 주세요.")
        words = detect_avoidance_keywords(self.text)
        if words:
            return _("‘{word}’ 대신 무엇을 할지로 적어 주세요.").format(word=words[0])
        return ""

    def show_answer(self, answer: FrameProposal) -> None:
        """Show the coach's proposal, or why there is none. The user's own text stays until they take it."""
        self._set_waiting(False)
        if answer.error:
            self._proposal_text.setText(f"{answer.error} {answer.next_step}".strip())
            self._proposal_from.setText(_("제안을 만들지 못했어요"))
            self._take.hide()
        else:
            self._proposal_text.setText(answer.text)
            source = _("코치의 제안") if answer.by_model else _("카탈로그의 예시")
            self._proposal_from.setText(source)
            self._take.show()
        self._proposal.show()

    def _build_choice(self, level: int) -> QFrame:
        choice = _Choice()
        choice.setObjectName(f"level_{level}")
        layout = column(choice, margins=(12, 7, 12, 8), gap=1)
        radio = QRadioButton(_("{n}. {name}").format(n=level, name=_(LEVEL_NAMES[level])))
        radio.setObjectName(f"levelRadio_{level}")
        self._group.addButton(radio, level)
        layout.addWidget(radio)
        words = _(_LEVEL_HELP[level])
        if self._entry is not None:
            example = _("예: {frame}").format(frame=self._entry.frame(level, self._language))
            words = f"{words}\n{example}"
        help_words = label(words, "muted")
        help_words.setContentsMargins(theme().px(32), 0, 0, 0)  # below the words of the radio button
        layout.addWidget(help_words)
        radio.setAccessibleDescription(words)
        choice.pressed.connect(partial(radio.setChecked, True))
        self._choices[level] = choice
        return choice

    def _build_buttons(self, ai_enabled: bool) -> QHBoxLayout:
        line = row(gap=8)
        self.suggest_button = button(_("AI 제안"), self._ask, role="soft", icon="sparkle", name="suggestFrame")
        self.suggest_button.setVisible(ai_enabled)
        self.example_button = button(_("예시 쓰기"), self._use_example, name="useExample")
        self.example_button.setVisible(self._entry is not None)
        line.addWidget(self.suggest_button)
        line.addWidget(self.example_button)
        line.addStretch(1)
        return line

    def _build_proposal(self) -> QFrame:
        self._proposal = frame("sunken", "proposal")
        layout = column(self._proposal, margins=(12, 9, 10, 9), gap=4)
        head = row(gap=8)
        head.addWidget(icon_label("sparkle", "accent", 18))
        self._proposal_from = label("", "small")
        head.addWidget(self._proposal_from, 1)
        layout.addLayout(head)
        self._proposal_text = label("", selectable=True)
        self._proposal_text.setObjectName("proposalText")
        layout.addWidget(self._proposal_text)
        line = row(gap=8)
        self._take = button(_("이 문장 쓰기"), self._use_proposal, role="soft", name="takeProposal")
        line.addWidget(self._take)
        line.addWidget(button(_("닫기"), self._proposal.hide, role="flat", name="closeProposal"))
        line.addStretch(1)
        layout.addLayout(line)
        self._proposal.hide()
        return self._proposal

    def _ask(self) -> None:
        self._set_waiting(True)
        self.suggestion_asked.emit(self.level)

    def _set_waiting(self, waiting: bool) -> None:
        self._waiting = waiting
        self.suggest_button.setEnabled(not waiting)
        self.suggest_button.setText(_("생각하는 중이에요…") if waiting else _("AI 제안"))

    def _use_example(self) -> None:
        if self._entry is not None:
            self.edit.setText(self._entry.frame(self.level, self._language))

    def _use_proposal(self) -> None:
        self.edit.setText(self._proposal_text.text())
        self._proposal.hide()
        self.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_level(self, level: int, checked: bool) -> None:
        choice = self._choices[level]
        choice.setProperty("chosen", checked)
        repolish(choice)
        if not checked:
            return
        # Words that are still an untouched example follow the level; the user's own words stay.
        if self._entry is not None and self.text in (*self._entry.frames[self._language], ""):
            self._use_example()
        self.changed.emit()

    def _on_text(self) -> None:
        problem = self.problem
        if problem and self.text:
            set_role(self._feedback, "error")
            self._feedback.setText(problem)
        elif problem:
            set_role(self._feedback, "muted")
            self._feedback.setText(problem)
        else:
            set_role(self._feedback, "good")
            self._feedback.setText(_("✓ 하려는 행동이 잘 보여요."))
        self._feedback.setAccessibleName(self._feedback.text())
        self.changed.emit()
