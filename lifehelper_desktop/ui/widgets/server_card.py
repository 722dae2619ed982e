"""One MCP server as a card: how it stands, what it may do, and its tools, each with a switch."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QVBoxLayout, QWidget

from lifehelper_desktop.base.i18n import N_, _, ngettext
from lifehelper_desktop.base.mcp_servers import ServerSpec
from lifehelper_desktop.mcp_client.listing import Listing, RemoteTool
from lifehelper_desktop.mcp_client.status import ServerState, ServerStatus
from lifehelper_desktop.ui import icons
from lifehelper_desktop.ui.text import one_line
from lifehelper_desktop.ui.theme import theme
from lifehelper_desktop.ui.widgets.basics import button, clear_layout, column, frame, icon_label, label, row, set_role
from lifehelper_desktop.ui.widgets.flow import FlowBox
from lifehelper_desktop.ui.widgets.switch import Switch

#: Icon and look of each state: always with its word, never colour alone.
_LOOKS: Final = {
    ServerState.OFF: ("pause", "badge", "muted"),
    ServerState.ASLEEP: ("rest", "badge", "muted"),
    ServerState.STARTING: ("running", "badgeBlue", "on_blue_soft"),
    ServerState.READY: ("done", "badgeAccent", "on_accent_soft"),
    ServerState.WAITING: ("running", "badgeGold", "on_gold_soft"),
    ServerState.FAILED: ("failed", "badge", "danger"),
}
_ASKS, _ONLY_READS = N_("부를 때마다 물어봐요"), N_("읽기만 한다고 표시해서 묻지 않아요")
_HIDDEN = N_("꺼 두어서 코치에게 보이지 않아요")
_MARKED_BUT_ASKS = N_("읽기만 한다고 표시했지만 물어봐요")


class ServerCard(QFrame):
    """Shows one server. Main thread; the signals carry what the user wants, nothing is stored here."""

    switched = Signal(bool)
    trust_switched = Signal(bool)
    small_switched = Signal(bool)
    tool_switched = Signal(str, bool)
    trial_asked = Signal()
    restart_asked = Signal()
    edit_asked = Signal()
    remove_asked = Signal()

    def __init__(self, spec: ServerSpec, status: ServerStatus) -> None:
        """Show `spec` as it stands."""
        super().__init__()
        self.setObjectName("serverCard")
        self.setProperty("role", "card")
        self._listing: tuple[Listing | None, ServerSpec] | None = None
        self.tools: dict[str, Switch] = {}
        inside = column(self, margins=(18, 14, 18, 14), gap=10)
        self._build_head(inside)
        self._command = label("", "small", selectable=True)
        self._command.setObjectName("serverCommand")
        inside.addWidget(self._command)
        self._problem = label("", "error", selectable=True)
        self._problem.setObjectName("serverProblem")
        inside.addWidget(self._problem)
        inside.addWidget(frame("line"))
        self.trust = self._option(
            inside,
            "serverTrust",
            _("읽기만 한다는 표시를 믿기"),
            _("서버가 ‘읽기만 한다’고 표시한 도구는 묻지 않고 써요. 그 표시가 맞는지는 앱이 확인할 수 없어요."),
            self.trust_switched.emit,
        )
        self.small = self._option(
            inside,
            "serverSmall",
            _("작은 모델에게도 보여 주기"),
            _("작은 모델은 도구가 많으면 엉뚱한 것을 골라요. 보통은 꺼 두는 편이 나아요."),
            self.small_switched.emit,
        )
        limits = label(_("서버가 나에게 직접 묻거나 모델과 폴더를 쓰려고 하면 언제나 거절해요."), "muted")
        limits.setObjectName("serverLimits")
        inside.addWidget(limits)
        inside.addWidget(frame("line"))
        self._tools_title = label("", "setting")
        inside.addWidget(self._tools_title)
        self._tools_box = column(gap=8)
        inside.addLayout(self._tools_box)
        self._build_buttons(inside)
        self.show_server(spec, status)

    def _build_head(self, inside: QVBoxLayout) -> None:
        head = row(gap=10)
        head.addWidget(icon_label("plug", "accent", 20))
        self._name = label("", "heading")
        self._name.setObjectName("serverName")
        head.addWidget(self._name, 1)
        self._icon = icon_label("rest", "muted", 18)
        head.addWidget(self._icon)
        self._state = label("", "badge", wrap=False)
        self._state.setObjectName("serverState")
        head.addWidget(self._state)
        self.switch = Switch()
        self.switch.setObjectName("serverOn")
        self.switch.toggled.connect(self.switched.emit)
        head.addWidget(self.switch)
        inside.addLayout(head)

    def _build_buttons(self, inside: QVBoxLayout) -> None:
        line = FlowBox()
        self.try_button = button(_("연결 시험"), self.trial_asked.emit, role="soft", icon="plug", name="tryServer")
        self.restart_button = button(_("다시 켜기"), self.restart_asked.emit, icon="play", name="restartServer")
        self.edit_button = button(_("고치기…"), self.edit_asked.emit, icon="edit", name="editServer")
        self.remove_button = button(_("지우기"), self.remove_asked.emit, role="flat", icon="trash", name="removeServer")
        self._buttons: tuple[QPushButton, ...] = (
            self.try_button, self.restart_button, self.edit_button, self.remove_button,
        )  # fmt: skip
        line.add(*self._buttons)
        inside.addWidget(line)

    def _option(
        self, inside: QVBoxLayout, name: str, title: str, help_text: str, told: Callable[[bool], None]
    ) -> Switch:
        switch = Switch()
        switch.setObjectName(name)
        switch.setAccessibleName(title)
        switch.setAccessibleDescription(help_text)
        switch.toggled.connect(told)
        inside.addLayout(_line(label(title, "setting"), label(help_text, "muted"), switch))
        return switch

    # ---- showing ----------------------------------------------------------------------------------------------

    def show_server(self, spec: ServerSpec, status: ServerStatus) -> None:
        """Show newer values; what has the focus keeps it."""
        icon, role, colour = _LOOKS[status.state]
        self._name.setText(spec.name)
        self._icon.setPixmap(icons.pixmap(icon, theme().tokens[colour], 18, self._icon.devicePixelRatioF()))
        self._state.setText(status.words)
        set_role(self._state, role)
        self._command.setText(_command_words(spec))
        problem = status.problem if status.state in (ServerState.FAILED, ServerState.WAITING) else ""
        self._problem.setText(problem)
        self._problem.setVisible(bool(problem))
        self.restart_button.setVisible(status.state is ServerState.FAILED)
        for switch, on in (
            (self.switch, spec.is_on),
            (self.trust, spec.trusts_read_only),
            (self.small, spec.for_small_models),
        ):
            switch.show_on(on)
        self._name_controls(spec, status)
        if self._listing != (status.listing, spec):
            self._listing = (status.listing, spec)
            self._show_tools(spec, status.listing)

    def _name_controls(self, spec: ServerSpec, status: ServerStatus) -> None:
        self.setAccessibleName(f"{spec.name} · {status.words}")
        self.switch.setAccessibleName(_("{name} 켜기").format(name=spec.name))
        for each in self._buttons:
            each.setAccessibleName(f"{spec.name}: {each.text()}")

    def _show_tools(self, spec: ServerSpec, listing: Listing | None) -> None:
        if listing is None:
            self._tools_title.setText(_("도구는 ‘연결 시험’을 누르거나 코치와 이야기하면 보여요."))
        else:
            count = len(listing.tools)
            words = ngettext("도구 {n}개", "도구 {n}개", count).format(n=count)
            self._tools_title.setText(words if count else _("이 서버에는 쓸 수 있는 도구가 없어요."))
        known = tuple(tool.name for tool in listing.tools) if listing is not None else ()
        if tuple(self.tools) == known and known:
            for name, switch in self.tools.items():
                switch.show_on(name not in spec.tools_off)
            self._show_manners(spec, listing)
            return
        clear_layout(self._tools_box)
        self.tools, self._manners = {}, {}
        for tool in listing.tools if listing is not None else ():
            self._tools_box.addLayout(self._tool_line(tool, spec))
        self._show_manners(spec, listing)
        for odd in listing.left_out if listing is not None else ():
            words = _("‘{tool}’: 쓸 수 없어요. {reason}").format(tool=one_line(odd.name), reason=odd.reason)
            self._tools_box.addWidget(label(words, "muted"))

    def _tool_line(self, tool: RemoteTool, spec: ServerSpec) -> QVBoxLayout:
        switch = Switch()
        switch.setObjectName(f"tool_{tool.name}")
        switch.setAccessibleName(f"{spec.name}: {tool.title}")
        switch.show_on(tool.name not in spec.tools_off)
        switch.toggled.connect(partial(self.tool_switched.emit, tool.name))
        self.tools[tool.name] = switch
        manner = self._manners[tool.name] = label("", "muted")
        box = column(gap=2)
        box.addLayout(_line(label(tool.title, "body"), manner, switch))
        if tool.description:
            box.addWidget(label(one_line(tool.description), "small"))
        return box

    def _show_manners(self, spec: ServerSpec, listing: Listing | None) -> None:
        for tool in listing.tools if listing is not None else ():
            words = _ASKS if not tool.reads_only else _ONLY_READS if spec.trusts_read_only else _MARKED_BUT_ASKS
            words = _HIDDEN if tool.name in spec.tools_off else words
            self._manners[tool.name].setText(_(words))
            self.tools[tool.name].setAccessibleDescription(_(words))

    _manners: dict[str, QLabel]


def _line(title: QLabel, help_label: QLabel, control: QWidget) -> QVBoxLayout:
    box = column(gap=2)
    head = row(gap=12)
    title.setBuddy(control)
    head.addWidget(title, 1)
    head.addWidget(control, 0, Qt.AlignmentFlag.AlignTop)
    box.addLayout(head)
    box.addWidget(help_label)
    return box


def _command_words(spec: ServerSpec) -> str:
    words = " ".join((spec.command, *spec.args))
    if not spec.env:
        return words
    names = ", ".join(name for name, _value in spec.env)
    return f"{words}\n" + _("환경 변수: {names}").format(names=names)
