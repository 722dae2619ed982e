"""The page 연결: the MCP servers whose tools the coach may use, how each stands, and a way to try one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.base.mcp_servers import ServerSpec, read_servers, write_servers
from lifehelper_desktop.base.settings import MCP_SERVERS
from lifehelper_desktop.domain.changes import Changes
from lifehelper_desktop.domain.particles import with_particles
from lifehelper_desktop.mcp_client.hub import McpHub
from lifehelper_desktop.mcp_client.limits import Limits
from lifehelper_desktop.mcp_client.status import ServerState, ServerStatus
from lifehelper_desktop.mcp_client.trial import connected_words, try_server
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui.bus import Bus
from lifehelper_desktop.ui.questions import ask
from lifehelper_desktop.ui.screens.settings.server_form import ServerForm
from lifehelper_desktop.ui.trouble import guarded
from lifehelper_desktop.ui.widgets.announce import announce
from lifehelper_desktop.ui.widgets.basics import button, column, label, row
from lifehelper_desktop.ui.widgets.server_card import ServerCard
from lifehelper_desktop.ui.work_dialog import WorkDialog
from lifehelper_desktop.ui.worker import Task
from lifehelper_desktop.ui.writes import attempt

_SIZE: Final = (640, 700)  # pixels at 100 % text


class HubEar(QObject):
    """Brings the hub's word from its thread to the main one. Lives in the main thread.

    It is no child of its parent: the hub, which may just be telling it something, holds it until it is left.
    """

    moved = Signal()

    def __init__(self, hub: McpHub | None, parent: QObject) -> None:
        """Listen until `leave`, or until the parent is gone."""
        super().__init__()
        self.leave: Callable[[], None] = hub.listen(self._tell) if hub is not None else lambda: None
        parent.destroyed.connect(self.leave)

    def _tell(self) -> None:
        self.moved.emit()


class ServersDialog(WorkDialog):
    """Non-modal, main thread. Every change is stored at once; undo takes it back as with other settings."""

    def __init__(
        self,
        store: Store,
        bus: Bus,
        parent: QWidget | None = None,
        *,
        hub: McpHub | None = None,
        limits: Limits | None = None,
    ) -> None:
        """Show the stored servers; `hub` knows how they stand, `limits` are those of a trial.

        Raises:
            WorldError: The setting could not be read.
        """
        self._specs = read_servers(store.settings.get_str(MCP_SERVERS))  # before there is a widget
        intro = _(
            "코치가 다른 프로그램(MCP 서버)의 도구를 쓸 수 있게 해요. 켜 둔 서버는 코치와 처음 이야기할 때 함께 켜져요."
            " 도구는 쓰기 전에 무엇을 보내는지 물어보고, 서버가 읽기만 한다고 표시한 것은 바로 써요."
        )
        super().__init__(store, bus, parent, name="serversDialog", title=_("연결"), intro=intro, size=_SIZE)
        self._hub, self._limits = hub, limits
        self._tried: dict[str, tuple[ServerSpec, ServerStatus]] = {}
        self.cards: dict[str, ServerCard] = {}
        self._list = column(gap=12)
        self.body.addLayout(self._list)
        self._empty = label(_("아직 더한 서버가 없어요. 서버가 없어도 코치는 습관을 돕는 데 모자람이 없어요."), "muted")
        self._empty.setObjectName("serversEmpty")
        self.body.addWidget(self._empty)
        self.body.addStretch(1)
        footer = row(gap=8)
        self.add_button = button(_("서버 추가…"), self.add, role="primary", icon="plus", name="addServer")
        footer.addWidget(self.add_button)
        footer.addStretch(1)
        footer.addWidget(button(_("닫기"), self.close, name="closeServers"))
        layout = self.layout()
        assert layout is not None
        box = QWidget()
        box.setLayout(footer)
        layout.addWidget(box)
        self._ear = HubEar(hub, self)
        self._ear.moved.connect(self._show, Qt.ConnectionType.QueuedConnection)
        bus.on_data(self._on_data)
        self._show()
        self.add_button.setFocus()

    def done(self, result: int) -> None:
        """Close, and listen no more."""
        self._ear.leave()
        super().done(result)

    # ---- showing ----------------------------------------------------------------------------------------------

    @guarded
    def refresh(self) -> None:
        """Read the setting anew and show it."""
        self._specs = read_servers(self._store.settings.get_str(MCP_SERVERS))
        self._show()

    def _on_data(self, changes: Changes) -> None:
        if MCP_SERVERS.key in changes.settings:
            self.refresh()

    def _show(self) -> None:
        running = {status.name: status for status in self._hub.statuses()} if self._hub is not None else {}
        for name in self.cards.keys() - {spec.name for spec in self._specs}:
            card = self.cards.pop(name)
            self._list.removeWidget(card)
            card.hide()
            card.deleteLater()
        for place, spec in enumerate(self._specs):
            status = self._status(spec, running.get(spec.name))
            shown = self.cards.get(spec.name)
            if shown is None:
                shown = self.cards[spec.name] = self._card(spec, status)
                self._list.insertWidget(place, shown)
                shown.show()
            else:
                shown.show_server(spec, status)
        self._empty.setVisible(not self._specs)

    def _status(self, spec: ServerSpec, running: ServerStatus | None) -> ServerStatus:
        """Return how a server stands: as the hub knows it, and as the last trial saw it where the hub knows less."""
        resting = ServerState.ASLEEP if spec.is_on else ServerState.OFF
        status = running or ServerStatus(spec.name, resting)
        tried = self._tried.get(spec.name)
        if tried is None or tried[0].program != spec.program or status.listing is not None:
            return status
        trouble = tried[1].trouble if tried[1].state is ServerState.FAILED else None
        state = ServerState.FAILED if trouble and status.state is ServerState.ASLEEP else status.state
        if status.trouble is None:
            status = replace(status, trouble=trouble, detail=tried[1].detail)
        return replace(status, state=state, listing=tried[1].listing)

    def _card(self, spec: ServerSpec, status: ServerStatus) -> ServerCard:
        card, name = ServerCard(spec, status), spec.name
        card.switched.connect(lambda on: self._change(name, is_on=on))
        card.trust_switched.connect(lambda on: self._change(name, trusts_read_only=on))
        card.small_switched.connect(lambda on: self._change(name, for_small_models=on))
        card.tool_switched.connect(partial(self._switch_tool, name))
        card.trial_asked.connect(partial(self.try_connection, name))
        card.restart_asked.connect(partial(self._restart, name))
        card.edit_asked.connect(partial(self.edit, name))
        card.remove_asked.connect(partial(self._remove, name))
        return card

    # ---- changing ---------------------------------------------------------------------------------------------

    def add(self) -> None:
        """Show the form of a new server; before the first one, say what a server is."""
        if self._specs:
            self._open_form(None)
            return
        ask(
            self,
            _("서버는 이 컴퓨터에서 돌아가는 프로그램이에요."),
            _(
                "MCP 서버는 내 권한으로 실행돼요. 내 파일을 읽고 지우거나 인터넷에 보낼 수도 있고, 라이프 헬퍼는 그것을"
                " 막을 수 없어요. 만든 곳을 믿을 수 있는 서버만 더해 주세요."
            ),
            yes=_("알겠어요, 추가할게요"),
            on_yes=lambda: self._open_form(None),
            name="firstServer",
            title=_("서버 추가"),
        )

    def edit(self, name: str) -> None:
        """Show the form of a server."""
        self._open_form(self._spec(name))

    def _open_form(self, spec: ServerSpec | None) -> None:
        others = [each for each in self._specs if spec is None or each.name != spec.name]
        form = ServerForm(others, spec, self)
        form.accepted.connect(lambda: self._take(spec, form.spec))
        form.open()

    def _take(self, before: ServerSpec | None, spec: ServerSpec | None) -> None:
        if spec is None:
            return
        if before is None:
            specs = [*self._specs, spec]
        else:
            specs = [spec if each.name == before.name else each for each in self._specs]
        if self._store_specs(specs) and before is None:
            words = _("‘{name}’ 서버를 더했어요. 연결되는지 시험해 보세요.").format(name=spec.name)
            self.notice.show_notice(words, action=_("연결 시험"), on_action=lambda: self.try_connection(spec.name))

    def _switch_tool(self, name: str, tool: str, on: bool) -> None:
        off = self._spec(name).tools_off
        self._change(name, tools_off=off - {tool} if on else off | {tool})

    def _change(self, name: str, **changes: object) -> None:
        self._store_specs(
            replace(each, **changes) if each.name == name else each  # type: ignore[arg-type]
            for each in self._specs
        )

    def _remove(self, name: str) -> None:
        if not self._store_specs(each for each in self._specs if each.name != name):
            return
        self._tried.pop(name, None)
        change = self._store.journal.next_undo()
        words = with_particles(_("‘{name}’을(를) 지웠어요.").format(name=name))
        undo = partial(self._undo, change.id) if change is not None else None
        self.notice.show_notice(words, action=_("되돌리기") if undo is not None else "", on_action=undo)
        self.add_button.setFocus()

    def _undo(self, change_id: int) -> None:
        outcome = attempt(self.bus, lambda: self._store.journal.undo(change_id).changes)
        self.refresh()
        if not outcome.is_ok:
            self.notice.show_notice(outcome.problem, error=True)

    def _store_specs(self, specs: Iterable[ServerSpec]) -> bool:
        value = write_servers(specs)
        outcome = attempt(self.bus, lambda: self._store.settings.set(MCP_SERVERS, value))
        self.refresh()  # also where it was refused: the controls go back to what is stored
        self.notice.show_problem(outcome.problem)
        return outcome.is_ok

    def _spec(self, name: str) -> ServerSpec:
        return next(each for each in self._specs if each.name == name)

    def _restart(self, name: str) -> None:
        if self._hub is not None and self._hub.is_awake:
            self._hub.restart(name)
        else:
            self.try_connection(name)

    # ---- trying -----------------------------------------------------------------------------------------------

    def try_connection(self, name: str) -> None:
        """Start a server apart from the coach's, read its tools and end it, with progress and a way to stop."""
        spec = next((each for each in self._specs if each.name == name), None)
        if spec is None:  # removed elsewhere, while the offer to try it still stood here
            return

        def work(task: Task) -> ServerStatus:
            return try_server(spec, task.stop.is_set, self._limits)

        words = _("‘{name}’ 서버를 켜 보는 중… 처음에는 내려받느라 오래 걸릴 수 있어요.").format(name=name)
        self.begin(words, work, partial(self._on_tried, spec))

    def _on_tried(self, spec: ServerSpec, status: ServerStatus) -> None:
        if status.state is ServerState.STARTING:
            self._tell(_("멈췄어요. 바뀐 것은 없어요."))
            return
        self._tried[spec.name] = (spec, status)
        self._show()
        if status.state is ServerState.READY and status.listing is not None:
            count = len(status.listing.tools)
            self._tell(connected_words(spec.name, count))
        else:
            self._tell(f"‘{spec.name}’: {status.problem}", error=True)

    def _tell(self, words: str, *, error: bool = False) -> None:
        self.notice.show_notice(words, error=error)
        announce(self, words)
