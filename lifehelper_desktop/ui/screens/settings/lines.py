"""The rows of the settings screen as widgets: words on the left, what one does on the right, or below when narrow."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QComboBox, QLabel, QWidget

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.base.settings import SettingValue
from lifehelper_desktop.ui.screens.settings.rows import Kind, SettingRow
from lifehelper_desktop.ui.theme import theme
from lifehelper_desktop.ui.widgets.basics import button, column, label, row
from lifehelper_desktop.ui.widgets.path_dialog import ask_path
from lifehelper_desktop.ui.widgets.switch import Switch

_NARROW = 430  # pixels at 100 % text: below, the control goes under the words
_CONTROL = 190

Values = Mapping[str, SettingValue]


class _Words(QLabel):
    """The title of a row; a click on it turns its switch."""

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Pass the click on."""
        super().mouseReleaseEvent(event)
        buddy = self.buddy()
        if isinstance(buddy, Switch) and buddy.isEnabled() and self.rect().contains(event.position().toPoint()):
            buddy.setFocus(Qt.FocusReason.MouseFocusReason)
            buddy.click()


class SettingLine(QWidget):
    """One row. `stored` carries the value that the user chose; `show_values` shows what is stored."""

    stored = Signal(object)

    def __init__(self, spec: SettingRow) -> None:
        """Show title and help; a subclass adds its control with `_take`."""
        super().__init__()
        self.setObjectName(f"row_{spec.name}")
        self.spec = spec
        self.title, self.help = _(spec.title), _(spec.help)
        self._wide: list[QWidget] = []
        self._box = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(theme().px(14))
        words = column(gap=2)
        self._title = _Words(self.title)
        self._title.setTextFormat(Qt.TextFormat.PlainText)
        self._title.setProperty("role", "setting")
        self._title.setWordWrap(True)
        words.addWidget(self._title)
        words.addWidget(label(self.help, "muted"))
        self.words = words
        self._box.addLayout(words, 1)

    def _take(self, control: QWidget, *, name: str = "") -> None:
        """Put `control` in place, name it, and make it the buddy of the words."""
        control.setObjectName(self.spec.name)
        control.setAccessibleName(name or self.title)
        control.setAccessibleDescription(self.help)
        self.control = control
        self._title.setBuddy(control)
        self._widen(control)

    def _widen(self, *controls: QWidget) -> None:
        """Give controls the usual width beside the words; under them they take what there is."""
        self._wide += [each for each in controls if not isinstance(each, Switch)]
        for each in self._wide:
            each.setMinimumWidth(theme().px(_CONTROL))

    def show_values(self, values: Values) -> None:
        """Show what is stored, without telling it as the user's choice."""
        if self.spec.needs is not None:
            self.setEnabled(bool(values[self.spec.needs.key]))

    def matches(self, wanted: str) -> bool:
        """Return whether the casefolded `wanted` stands in the words."""
        return all(part in f"{self.title} {self.help}".casefold() for part in wanted.split())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the control beside or under the words."""
        narrow = event.size().width() < theme().px(_NARROW)
        wanted = QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        if self._box.direction() != wanted:
            self._box.setDirection(wanted)
            self._box.setSpacing(theme().px(6 if narrow else 14))
            for each in self._wide:
                each.setMinimumWidth(0 if narrow else theme().px(_CONTROL))
        super().resizeEvent(event)


class ChoiceLine(SettingLine):
    """A list of values."""

    def __init__(self, spec: SettingRow) -> None:
        """Fill the list."""
        super().__init__(spec)
        self.box = QComboBox()
        self.box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.box.setMinimumContentsLength(6)
        assert spec.choices is not None
        for words, value in spec.choices():
            self.box.addItem(words, value)
        # `activated`, not `currentIndexChanged`: only the user's own choice is stored.
        self.box.activated.connect(lambda _index: self.stored.emit(self.box.currentData()))
        self._take(self.box)
        self._box.addWidget(self.box, 0, Qt.AlignmentFlag.AlignVCenter)

    def show_values(self, values: Values) -> None:
        """Choose the stored value."""
        super().show_values(values)
        assert self.spec.setting is not None
        self.box.setCurrentIndex(self.box.findData(values[self.spec.setting.key]))


class SwitchLine(SettingLine):
    """On or off."""

    def __init__(self, spec: SettingRow) -> None:
        """Begin off."""
        super().__init__(spec)
        self.switch = Switch()
        self.switch.toggled.connect(self.stored.emit)
        self._take(self.switch)
        self._box.addWidget(self.switch, 0, Qt.AlignmentFlag.AlignVCenter)

    def show_values(self, values: Values) -> None:
        """Show the stored value."""
        super().show_values(values)
        if self.spec.setting is not None:
            self.switch.show_on(bool(values[self.spec.setting.key]))


class ButtonLine(SettingLine):
    """Opens something; `pressed` tells it."""

    pressed = Signal()

    def __init__(self, spec: SettingRow) -> None:
        """Show the button."""
        super().__init__(spec)
        words = _(spec.button)
        control = button(words, self.pressed.emit, name=spec.name)
        self._take(control, name=f"{self.title}: {words}")
        self._box.addWidget(control, 0, Qt.AlignmentFlag.AlignVCenter)


class FolderLine(SettingLine):
    """A folder, or none."""

    def __init__(self, spec: SettingRow) -> None:
        """Begin without a folder."""
        super().__init__(spec)
        self.path = label("", "small", selectable=True)
        self.path.setObjectName(f"{spec.name}Path")
        self.words.addWidget(self.path)
        self.problem = label("", "error")
        self.problem.hide()
        self.words.addWidget(self.problem)
        side = column(gap=6)
        choose = button(_("폴더 고르기…"), self._choose, name=spec.name)
        self._take(choose, name=f"{self.title}: {choose.text()}")
        self.clear = button(_("폴더 비우기"), lambda: self.stored.emit(""), role="flat", name=f"{spec.name}Clear")
        self.clear.setAccessibleName(f"{self.title}: {self.clear.text()}")
        side.addWidget(choose)
        side.addWidget(self.clear)
        self._box.addLayout(side)

    def show_values(self, values: Values) -> None:
        """Show the stored folder, and when it is not there now."""
        super().show_values(values)
        assert self.spec.setting is not None
        path = str(values[self.spec.setting.key])
        self.path.setText(path or _("아직 고르지 않았어요"))
        self.clear.setVisible(bool(path))
        missing = bool(path) and not Path(path).is_dir()
        self.problem.setText(
            _("이 폴더가 지금은 보이지 않아요. 다시 연결하거나 다른 폴더를 골라 주세요.") if missing else ""
        )
        self.problem.setVisible(missing)

    def _choose(self) -> None:
        ask_path(self, self.title, f"{self.spec.name}Dialog", self.stored.emit, folder=True, folders_only=True)


class ModelLine(SettingLine):
    """The model's file: the list of models, a file of the user's own, or the starter model."""

    models_asked = Signal()

    def __init__(self, spec: SettingRow) -> None:
        """Show the three ways."""
        super().__init__(spec)
        self.path = label("", "small", selectable=True)
        self.path.setObjectName("modelPath")
        self.words.addWidget(self.path)
        self.problem = label(
            _("이 파일이 지금은 보이지 않아요. 다른 파일을 고르거나 기본 모델로 돌아가 주세요."), "error"
        )
        self.words.addWidget(self.problem)
        side = column(gap=6)
        manage = button(_("모델 관리…"), self.models_asked.emit, role="soft", name="openModels")
        self._take(manage, name=f"{self.title}: {manage.text()}")
        manage.setObjectName("openModels")
        side.addWidget(manage)
        more = row(gap=6)
        more.addWidget(button(_("파일 고르기…"), self._choose, name="chooseModel"), 1)
        side.addLayout(more)
        self.reset = button(_("기본 모델로"), lambda: self.stored.emit(""), role="flat", name="resetModel")
        side.addWidget(self.reset)
        self._box.addLayout(side)

    def show_values(self, values: Values) -> None:
        """Show the file in use."""
        super().show_values(values)
        assert self.spec.setting is not None
        path = str(values[self.spec.setting.key])
        self.path.setText(path or _("기본 코치 (Gemma 3 270M)"))
        self.problem.setVisible(bool(path) and not Path(path).is_file())
        self.reset.setVisible(bool(path))

    def _choose(self) -> None:
        filters = (_("Gemma 모델 (*.gguf)"), _("모든 파일 (*)"))
        ask_path(self, _("모델 파일 고르기"), "modelFileDialog", self.stored.emit, filters=filters)


def make_line(spec: SettingRow) -> SettingLine:
    """Return the widget of a row."""
    kinds: dict[Kind, type[SettingLine]] = {
        Kind.CHOICE: ChoiceLine,
        Kind.SWITCH: SwitchLine,
        Kind.LOGIN: SwitchLine,
        Kind.FOLDER: FolderLine,
        Kind.MODEL: ModelLine,
        Kind.BUTTON: ButtonLine,
    }
    return kinds[spec.kind](spec)
