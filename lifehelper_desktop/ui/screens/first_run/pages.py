"""The pages of the first run but that of the habit. Each is built for the language in force."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QProgressBar, QRadioButton, QSystemTrayIcon, QWidget

from lifehelper_desktop.base.i18n import _, current_language
from lifehelper_desktop.llm.models.inventory import list_models
from lifehelper_desktop.llm.models.memory import Fit
from lifehelper_desktop.llm.models.words import size_text
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui.screens.first_run.page import Choice, Page
from lifehelper_desktop.ui.screens.first_run.preparing import Preparing
from lifehelper_desktop.ui.widgets.basics import button, column, frame, icon_label, label, row


class LanguagePage(Page):
    """The language; it takes effect at once. `chosen` carries `ko` or `en`."""

    chosen = Signal(str)

    def __init__(self) -> None:
        """Offer both languages, in their own words."""
        super().__init__(
            "language",
            "sprout",
            _("반가워요"),
            _("작은 습관을 하루에 하나씩 이어 가도록 돕는 프로그램이에요. 먼저 편한 언어를 골라 주세요."),
        )
        self._group = QButtonGroup(self)
        self._radios: list[QRadioButton] = []
        for number, (code, words) in enumerate((("ko", "한국어"), ("en", "English"))):
            card = Choice(words, "", f"language_{code}", self._group, number)
            card.radio.setChecked(code == current_language())
            card.radio.clicked.connect(lambda _checked=False, code=code: self.chosen.emit(code))
            self._radios.append(card.radio)
            self.body.addWidget(card)
        self.body.addStretch(1)

    def first_control(self) -> QWidget | None:
        """The language in force."""
        return next((each for each in self._radios if each.isChecked()), self._radios[0])


class CoachPage(Page):
    """What stays on the machine, and whether the coach is wanted."""

    def __init__(self, with_ai: bool) -> None:
        """Show `with_ai` as chosen."""
        super().__init__(
            "coach",
            "shield",
            _("모든 것이 이 컴퓨터 안에 있어요"),
            _("기록도 대화도 밖으로 나가지 않아요. 계정도 로그인도 없어요."),
        )
        self._group = QButtonGroup(self)
        on = Choice(
            _("AI 코치와 함께"),
            _("말로 습관을 고르고 기록해요. 모델이 이 컴퓨터에서 돌고, 바꾸는 일은 늘 먼저 물어봐요."),
            "aiOn",
            self._group,
            1,
        )
        off = Choice(
            _("AI 없이"),
            _("습관 기록과 알림만 써요. 모델을 불러오지 않아 더 가벼워요."),
            "aiOff",
            self._group,
            0,
        )
        (on if with_ai else off).radio.setChecked(True)
        self._on, self._off = on.radio, off.radio
        self.body.addWidget(on)
        self.body.addWidget(off)
        self.body.addWidget(label(_("나중에 설정에서 언제든 바꿀 수 있어요."), "small"))
        self.body.addStretch(1)

    @property
    def with_ai(self) -> bool:
        """Whether the coach is wanted."""
        return self._on.isChecked()

    def first_control(self) -> QWidget | None:
        """What is chosen."""
        return self._on if self._on.isChecked() else self._off


class ModelPage(Page):
    """The starter model: there already, or made ready now or at the first talk. `others_asked` wants the list."""

    others_asked = Signal()

    def __init__(self, store: Store, preparing: Preparing) -> None:
        """Show the starter model as it is now.

        Raises:
            WorldError: The models folder could not be read.
        """
        super().__init__(
            "model",
            "coach",
            _("코치의 모델"),
            _("기본 코치가 이미 들어 있어요. 따로 받을 것이 없어요."),
        )
        self._preparing = preparing
        starter = list_models(store.paths, "", "", headers=False)[0]
        card = frame("card", "starterCard")
        inside = column(card, margins=(16, 13, 16, 14), gap=7)
        head = row(gap=8)
        head.addWidget(label(starter.name, "section"), 1)
        inside.addLayout(head)
        need, free = size_text(starter.need.total), size_text(starter.available)
        inside.addWidget(
            label(_("크기 {size} · 메모리 약 {need}").format(size=size_text(starter.bytes), need=need), "muted")
        )
        words = {
            Fit.AMPLE: _("지금 비어 있는 메모리가 {free}라서 넉넉해요."),
            Fit.TIGHT: _("지금 비어 있는 메모리가 {free}라서 조금 빠듯해요. 큰 프로그램을 닫으면 나아져요."),
            Fit.SHORT: _("지금 비어 있는 메모리가 {free}예요. 다른 프로그램을 닫고 쓰는 편이 좋아요."),
        }
        inside.addWidget(label(words[starter.fit].format(free=free), "muted"))
        self._state = label("", "good")
        self._state.setObjectName("starterState")
        inside.addWidget(self._state)
        self.bar = QProgressBar()
        self.bar.setObjectName("starterProgress")
        self.bar.setAccessibleName(_("기본 코치 준비"))
        self.bar.setTextVisible(False)
        self.bar.setRange(0, 1000)
        inside.addWidget(self.bar)
        actions = row(gap=8)
        self.prepare_button = button(_("지금 준비하기"), self._start, role="soft", name="prepareStarter")
        self.stop_button = button(_("멈추기"), self._stop, name="stopPreparing")
        actions.addWidget(self.prepare_button)
        actions.addWidget(self.stop_button)
        actions.addStretch(1)
        inside.addLayout(actions)
        self.body.addWidget(card)
        more = row(gap=8)
        more.addWidget(button(_("다른 모델 보기…"), self.others_asked.emit, role="flat", name="otherModels"))
        more.addStretch(1)
        self.body.addLayout(more)
        self.body.addWidget(label(_("더 큰 모델은 나중에 ‘모델 관리’에서 골라도 돼요."), "small"))
        self.body.addStretch(1)
        self._problem = starter.problem
        preparing.moved.connect(lambda _done: self.show_state())
        preparing.ended.connect(self._on_ended)
        self.show_state()

    def show_state(self) -> None:
        """Show how far the starter model is."""
        ready, running = self._preparing.is_ready, self._preparing.is_running
        if self._problem:
            words = self._problem
        elif running:
            words = _("준비하고 있어요. 그동안 계속해도 돼요.")
        elif ready:
            words = _("준비되어 있어요.")
        else:
            words = _("첫 대화 때 저절로 준비해요. 15초쯤 걸려요.")
        self._state.setText(words)
        self.bar.setVisible(running)
        self.bar.setValue(round(1000 * self._preparing.done))
        self.prepare_button.setVisible(not ready and not running and not self._problem)
        self.stop_button.setVisible(running)

    def _start(self) -> None:
        self._preparing.start()
        self.show_state()
        self.stop_button.setFocus()

    def _stop(self) -> None:
        self._preparing.stop()

    def _on_ended(self, problem: str) -> None:
        self._problem = problem
        self.show_state()


class DonePage(Page):
    """Where everything is from now on."""

    def __init__(self, *, habit_title: str, palette_key: str, coach_key: str) -> None:
        """Tell of the habit that was added, and of the keys in force; an empty key is not spoken of."""
        words = (
            _("‘{title}’ 습관이 오늘부터 함께해요.").format(title=habit_title)
            if habit_title
            else _("습관은 카탈로그에서 언제든 고를 수 있어요.")
        )
        super().__init__("done", "sprout", _("준비가 끝났어요"), words)
        self._way("today", _("창에서"), _("오늘 화면의 ‘완료’를 누르면 하루가 기록돼요."))
        if QSystemTrayIcon.isSystemTrayAvailable():
            self._way("tray", _("트레이에서"), _("트레이 아이콘을 누르면 작은 창에서 바로 기록해요."))
        if palette_key and coach_key:
            talk = _("{palette} 키로 무엇이든 찾고, {coach} 키로 코치에게 말해요.")
            self._way("keyboard", _("키보드로"), talk.format(palette=palette_key, coach=coach_key))
        elif palette_key:
            self._way("keyboard", _("키보드로"), _("{palette} 키로 무엇이든 찾아요.").format(palette=palette_key))
        self.body.addStretch(1)

    def _way(self, icon: str, title: str, words: str) -> None:
        card = frame("card")
        inside = row(card, margins=(16, 13, 16, 13), gap=14)
        inside.addWidget(icon_label(icon, "accent", 26), 0, Qt.AlignmentFlag.AlignTop)
        lines = column(gap=2)
        lines.addWidget(label(title, "section"))
        lines.addWidget(label(words, "muted"))
        inside.addLayout(lines, 1)
        self.body.addWidget(card)

    @property
    def next_words(self) -> str:
        """What the main button says."""
        return _("시작하기")
