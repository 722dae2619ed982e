"""The form of one MCP server: its name, the program with its arguments, and the environment."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QLabel, QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.base.mcp_servers import NAME_MAX, ServerSpec, problem_of, specs_from_config
from lifehelper_desktop.ui.theme import theme
from lifehelper_desktop.ui.widgets.announce import announce
from lifehelper_desktop.ui.widgets.basics import (
    button,
    column,
    frame,
    icon_label,
    label,
    row,
    scroll_page,
    size_on_screen,
)

_SIZE = (560, 640)  # pixels at 100 % text
_LINES = 3


class ServerForm(QDialog):
    """Show it with `open()`; when it is accepted `spec` holds what was entered. Stores nothing."""

    def __init__(self, others: Iterable[ServerSpec], spec: ServerSpec | None, parent: QWidget | None = None) -> None:
        """Begin with `spec`, or empty; `others` are the servers beside it."""
        super().__init__(parent)
        self.setObjectName("serverForm")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._others = tuple(others)
        self._before = spec
        self.spec = spec
        title = _("서버 고치기") if spec is not None else _("서버 추가")
        self.setWindowTitle(title)
        outer = column(self, margins=(22, 18, 22, 16), gap=10)
        outer.addWidget(label(title, "title"))
        scroll, body = scroll_page("serverFormBody")
        page = column(body, margins=(0, 2, 6, 2), gap=12)
        page.addWidget(_warning())
        self.name, self.command = QLineEdit(), QLineEdit()
        self.name.setMaxLength(NAME_MAX)
        self.args, self.env = QPlainTextEdit(), QPlainTextEdit()
        _field(page, _("이름"), _("도구 이름 앞에 붙어요. 예: 시간"), self.name, "serverFormName")
        _field(page, _("프로그램"), _("설치된 프로그램의 이름이나 경로, 예: uvx"), self.command, "serverFormCommand")
        _field(page, _("프로그램 인자"), _("한 줄에 하나씩, 예: mcp-server-time"), self.args, "serverFormArgs")
        help_env = _("한 줄에 하나씩 이름=값으로 적어요. 열쇠(API 키)는 이 컴퓨터의 자료 파일에 그대로 저장돼요.")
        _field(page, _("환경 변수"), help_env, self.env, "serverFormEnv")
        page.addStretch(1)
        outer.addWidget(scroll, 1)
        self.problem = label("", "error")
        self.problem.setObjectName("serverFormProblem")
        self.problem.hide()
        outer.addWidget(self.problem)
        footer = row(gap=8)
        paste = button(_("설정 붙여 넣기"), self.paste, role="flat", icon="copy", name="pasteServer")
        paste.setAccessibleDescription(_("서버 안내에 있는 ‘mcpServers’ 설정을 복사해 두고 누르면 칸이 채워져요."))
        paste.setToolTip(paste.accessibleDescription())
        footer.addWidget(paste)
        footer.addStretch(1)
        footer.addWidget(button(_("취소"), self.reject, name="serverFormCancel"))
        save = button(_("저장"), self.save, role="primary", name="serverFormSave")
        save.setDefault(True)
        footer.addWidget(save)
        outer.addLayout(footer)
        if spec is not None:
            self._fill(spec)
        self.resize(self.sizeHint())
        self.name.setFocus()

    def sizeHint(self) -> QSize:
        """The size of the design, as far as the screen has room for it."""
        return size_on_screen(self, *_SIZE)

    def paste(self) -> None:
        """Fill the fields from settings on the clipboard; nothing is stored or started."""
        try:
            found = specs_from_config(QGuiApplication.clipboard().text())
        except ValueError:
            self._tell(_("복사해 둔 글에서 서버 설정을 찾지 못했어요. ‘command’가 들어 있는 JSON을 복사해 주세요."))
            return
        self._fill(found[0])
        more = len(found) > 1
        self._tell(_("서버가 여럿이라 첫 번째 것만 가져왔어요.") if more else "")

    def save(self) -> None:
        """Check what was entered, and accept it or say what is wrong."""
        env: list[tuple[str, str]] = []
        for line in _lines(self.env):
            name, sign, value = line.partition("=")
            env.append((name.strip() if sign else line, value))
        spec = replace(
            self._before or ServerSpec("", ""),
            name=self.name.text().strip(),
            command=self.command.text().strip(),
            args=tuple(_lines(self.args)),
            env=tuple(env),
        )
        problem = problem_of(spec, self._others)
        if problem is None and any("=" not in line for line in _lines(self.env)):
            problem = _("환경 변수는 한 줄에 하나씩 이름=값으로 적어 주세요.")
        if problem is not None:
            self._tell(problem)
            return
        self.spec = spec
        self.accept()

    def _fill(self, spec: ServerSpec) -> None:
        self.name.setText(spec.name)
        self.command.setText(spec.command)
        self.args.setPlainText("\n".join(spec.args))
        self.env.setPlainText("\n".join(f"{name}={value}" for name, value in spec.env))

    def _tell(self, words: str) -> None:
        self.problem.setText(words)
        self.problem.setVisible(bool(words))
        if words:
            announce(self, words)


def _warning() -> QWidget:
    box = frame("hint", "serverFormHint")
    line = row(box, margins=(12, 10, 12, 10), gap=10)
    line.addWidget(icon_label("warning", "on_gold_soft"), 0, Qt.AlignmentFlag.AlignTop)
    words = _(
        "서버는 이 컴퓨터에서 내 권한으로 돌아가는 프로그램이에요. 파일을 읽고 지우거나 인터넷에 보낼 수도 있어요."
    )
    line.addWidget(label(f"{words} " + _("믿을 수 있는 것만 더해 주세요.")), 1)
    return box


def _field(page: QVBoxLayout, title: str, help_text: str, edit: QLineEdit | QPlainTextEdit, name: str) -> None:
    edit.setObjectName(name)
    edit.setAccessibleName(title)
    edit.setAccessibleDescription(help_text)
    if isinstance(edit, QPlainTextEdit):
        edit.setTabChangesFocus(True)
        edit.setFixedHeight(edit.fontMetrics().lineSpacing() * _LINES + theme().px(22))
    box = column(gap=4)
    words: QLabel = label(title, "setting")
    words.setBuddy(edit)
    box.addWidget(words)
    box.addWidget(edit)
    box.addWidget(label(help_text, "muted"))
    page.addLayout(box)


def _lines(edit: QPlainTextEdit) -> list[str]:
    return [line for line in edit.toPlainText().splitlines() if line.strip()]
