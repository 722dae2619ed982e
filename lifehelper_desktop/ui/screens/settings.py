"""Settings: every change is stored and applied at once; there is no OK to forget."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QDialog, QFileDialog, QVBoxLayout, QWidget

from lifehelper_desktop import __version__
from lifehelper_desktop.base.clock import DAY_START_MAX_MINUTES, DAY_START_STEP_MINUTES
from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.base.settings import (
    AI_ENABLED,
    DAY_START_MINUTES,
    LANGUAGE,
    MODEL_PATH,
    SETTINGS,
    THEME,
    Setting,
    SettingValue,
)
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui.bus import Bus
from lifehelper_desktop.ui.trouble import told
from lifehelper_desktop.ui.widgets.basics import button, clear_layout, column, frame, label, row, scroll_page
from lifehelper_desktop.ui.widgets.notice import NoticeBar
from lifehelper_desktop.ui.writes import attempt


class SettingsDialog(QDialog):
    """Non-modal. `changed` carries the key of a setting that was stored; the window applies it.

    `models_asked` wants the list of models.
    """

    changed = Signal(str)
    models_asked = Signal()

    def __init__(self, store: Store, bus: Bus, parent: QWidget | None = None) -> None:
        """Show the stored values.

        Raises:
            WorldError: They could not be read.
        """
        values = _read(store)  # before there is a widget that could be left half built
        super().__init__(parent)
        self.setObjectName("settingsDialog")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.bus = bus
        self._store, self._values = store, values
        self._file_dialog: QFileDialog | None = None
        self._outer = column(self, gap=0)
        self.build()
        self.resize(self.sizeHint())

    def sizeHint(self) -> QSize:
        """Room for all settings."""
        return QSize(520, 640)

    def build(self) -> None:
        """Build everything anew from the stored values, in the language and theme in force."""
        with told(self.bus):  # where they cannot be read, those read last are shown
            self._values = _read(self._store)
        clear_layout(self._outer)
        self.setWindowTitle(_("설정"))
        scroll, body = scroll_page()
        layout = column(body, margins=(24, 20, 24, 18), gap=14)
        layout.addWidget(label(_("설정"), "title"))
        self.notice = NoticeBar()
        layout.addWidget(self.notice)
        self._build_look(layout)
        self._build_day(layout)
        self._build_coach(layout)
        layout.addWidget(label(_("LifeHelper Desktop {version}").format(version=__version__), "small"))
        layout.addWidget(label(_("데이터: {path}").format(path=self._store.paths.data), "small", selectable=True))
        layout.addStretch(1)
        self._outer.addWidget(scroll, 1)
        footer = row(margins=(24, 10, 24, 14))
        footer.addStretch(1)
        footer.addWidget(button(_("닫기"), self.close, role="primary", name="closeSettings"))
        self._outer.addLayout(footer)

    def _build_look(self, layout: QVBoxLayout) -> None:
        card = _card(layout, _("보이는 모습"))
        # Names of languages are written in their own language, whatever the language in force.
        languages = ((_("시스템을 따라가기"), "system"), ("한국어", "ko"), ("English", "en"))
        self._choice(card, _("언어"), LANGUAGE, languages, "settingLanguage")
        themes = ((_("시스템을 따라가기"), "system"), (_("밝게"), "light"), (_("어둡게"), "dark"))
        self._choice(card, _("테마"), THEME, themes, "settingTheme")

    def _build_day(self, layout: QVBoxLayout) -> None:
        card = _card(layout, _("하루의 시작"))
        minutes = range(0, DAY_START_MAX_MINUTES + 1, DAY_START_STEP_MINUTES)
        times = tuple((f"{each // 60:02d}:{each % 60:02d}", each) for each in minutes)
        self._choice(card, _("시작 시각"), DAY_START_MINUTES, times, "settingDayStart")
        card.addWidget(label(_("이 시각 전에 한 일은 전날로 기록돼요."), "muted"))

    def _build_coach(self, layout: QVBoxLayout) -> None:
        card = _card(layout, _("코치"))
        self.ai = QCheckBox(_("AI 코치 쓰기"))
        self.ai.setObjectName("settingAi")
        self.ai.setChecked(bool(self._values[AI_ENABLED.key]))
        self.ai.toggled.connect(lambda checked: self._store_value(AI_ENABLED, checked))
        card.addWidget(self.ai)
        card.addWidget(
            label(_("끄면 대화 창이 사라지고 모델을 불러오지 않아요. 습관 기록은 그대로 쓸 수 있어요."), "muted")
        )
        card.addWidget(frame("line"))
        path = str(self._values[MODEL_PATH.key])
        card.addWidget(label(_("모델 파일"), "section"))
        self._model = label(path or _("기본 코치 (Gemma 3 270M)"), "muted", selectable=True)
        self._model.setObjectName("modelPath")
        card.addWidget(self._model)
        if path and not Path(path).is_file():
            card.addWidget(
                label(_("이 파일이 지금은 보이지 않아요. 다른 파일을 고르거나 기본 모델로 돌아가 주세요."), "error")
            )
        line = row(gap=8)
        line.addWidget(button(_("모델 관리…"), self.models_asked.emit, role="soft", name="openModels"))
        line.addWidget(button(_("파일 고르기…"), self._choose_model, name="chooseModel"))
        reset = button(_("기본 모델로"), lambda: self._store_value(MODEL_PATH, ""), name="resetModel")
        reset.setEnabled(bool(path))
        line.addWidget(reset)
        line.addStretch(1)
        card.addLayout(line)
        card.addWidget(label(_("GGUF 형식의 Gemma 모델을 쓸 수 있어요. 바꾸면 새 대화로 시작해요."), "muted"))

    def _choice(
        self,
        card: QVBoxLayout,
        title: str,
        setting: Setting,
        choices: tuple[tuple[str, SettingValue], ...],
        name: str,
    ) -> QComboBox:
        line = row(gap=12)
        line.addWidget(label(title), 1)
        box = QComboBox()
        box.setObjectName(name)
        box.setAccessibleName(title)
        box.setMinimumWidth(190)
        for words, value in choices:
            box.addItem(words, value)
        box.setCurrentIndex(box.findData(self._values[setting.key]))
        # `activated`, not `currentIndexChanged`: only the user's own choice is stored.
        box.activated.connect(lambda _index: self._store_value(setting, box.currentData()))
        line.addWidget(box)
        card.addLayout(line)
        return box

    def _store_value(self, setting: Setting, value: SettingValue) -> None:
        outcome = attempt(self.bus, lambda: self._store.settings.set(setting, value))
        with told(self.bus):
            self._values = _read(self._store)
        if outcome.is_ok:
            self.changed.emit(setting.key)
            if setting is MODEL_PATH:
                self.build()
        else:
            self.build()
            self.notice.show_notice(outcome.problem, error=True)

    def _choose_model(self) -> None:
        dialog = QFileDialog(self, _("모델 파일 고르기"))
        dialog.setObjectName("modelFileDialog")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters([_("Gemma 모델 (*.gguf)"), _("모든 파일 (*)")])
        dialog.fileSelected.connect(self.take_model)
        dialog.open()

    def take_model(self, path: str) -> None:
        """Store the chosen file; whether it can be loaded shows when the coach needs it."""
        self._store_value(MODEL_PATH, path)


def _read(store: Store) -> dict[str, SettingValue]:
    return {key: store.settings.get(setting) for key, setting in SETTINGS.items()}


def _card(layout: QVBoxLayout, title: str) -> QVBoxLayout:
    card = frame("card")
    inside = column(card, margins=(16, 13, 16, 15), gap=9)
    inside.addWidget(label(title, "section"))
    layout.addWidget(card)
    return inside
