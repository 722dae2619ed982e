"""The page 연결: servers are added, tried, switched, changed and removed; the coach's tools follow."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QLineEdit, QMessageBox, QPlainTextEdit
from pytestqt.qtbot import QtBot

from lifehelper_desktop.base.i18n import current_language
from lifehelper_desktop.base.mcp_servers import ServerSpec, read_servers, write_servers
from lifehelper_desktop.base.settings import AI_ENABLED, MCP_SERVERS
from lifehelper_desktop.chat.controller import ChatSessionController
from lifehelper_desktop.chat.messages import ChatListener
from lifehelper_desktop.llm.protocol import LlmFunctionCall, LlmService, LlmTextChunk
from lifehelper_desktop.mcp_client.hub import McpHub
from lifehelper_desktop.mcp_client.limits import Limits
from lifehelper_desktop.mcp_client.status import ServerState
from lifehelper_desktop.mcp_client.tools import ServerTools
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.tools.confirm_gate import ConfirmGate
from lifehelper_desktop.tools.definition import UiActions
from lifehelper_desktop.tools.registry import ToolRegistry
from lifehelper_desktop.ui.context import AppContext
from lifehelper_desktop.ui.screens.settings.server_form import ServerForm
from lifehelper_desktop.ui.screens.settings.servers import ServersDialog
from tests.gui.conftest import MakeGui
from tests.gui.work import Work, assert_named
from tests.helpers.scripted_llm import ScriptedLlmService

PROGRAM = str(Path(__file__).parent.parent / "helpers" / "odd_server.py")
QUICK = Limits(start=20.0, listing=20.0, call=20.0, pauses=(), grace=0.2, settle=20.0)


def spec(mode: str = "normal", name: str = "odd") -> ServerSpec:
    return ServerSpec(name, sys.executable, (PROGRAM, mode))


def keep(store: Store, *specs: ServerSpec) -> None:
    store.settings.set(MCP_SERVERS, write_servers(specs))


def kept(store: Store) -> tuple[ServerSpec, ...]:
    return read_servers(store.settings.get_str(MCP_SERVERS))


@pytest.fixture
def hub(store: Store) -> Iterator[McpHub]:
    made = McpHub.of(store, QUICK)
    yield made
    made.close()


def opened(work: Work, hub: McpHub | None = None) -> ServersDialog:
    return work.open(lambda store, bus, parent: ServersDialog(store, bus, parent, hub=hub, limits=QUICK))


def test_the_first_server_is_preceded_by_what_a_server_is(work: Work, store: Store) -> None:
    dialog = opened(work)
    assert work.find(QLabel, "serversEmpty", dialog).isVisible()
    work.click("addServer", dialog)
    assert "내 권한으로" in work.find(QMessageBox, "firstServer", dialog).informativeText()
    work.answer("firstServer", dialog, yes=True)
    form = work.find(ServerForm, "serverForm", dialog)
    assert "내 권한으로" in " ".join(each.text() for each in form.findChildren(QLabel))
    work.find(QLineEdit, "serverFormName", form).setText("시험")
    work.find(QLineEdit, "serverFormCommand", form).setText(sys.executable)
    work.find(QPlainTextEdit, "serverFormArgs", form).setPlainText(f"{PROGRAM}\nnormal\n")
    work.find(QPlainTextEdit, "serverFormEnv", form).setPlainText("no sign")
    work.click("serverFormSave", form)
    assert "이름=값" in work.text("serverFormProblem", form)
    assert kept(store) == ()
    work.find(QPlainTextEdit, "serverFormEnv", form).setPlainText("KEY=a=b")
    work.click("serverFormSave", form)
    assert kept(store) == (ServerSpec("시험", sys.executable, (PROGRAM, "normal"), (("KEY", "a=b"),)),)
    assert list(dialog.cards) == ["시험"]
    assert "시험해 보세요" in dialog.notice.text
    work.click("addServer", dialog)  # the second time nothing is asked
    assert work.find(ServerForm, "serverForm", dialog).isVisible()


def test_settings_on_the_clipboard_fill_the_form_and_store_nothing(work: Work, store: Store, qtbot: QtBot) -> None:
    keep(store, spec())
    dialog = opened(work)
    dialog.add()
    form = work.find(ServerForm, "serverForm", dialog)
    QGuiApplication.clipboard().setText("x")
    work.click("pasteServer", form)
    assert "찾지 못했어요" in work.text("serverFormProblem", form)
    config = {"mcpServers": {"time": {"command": "uvx", "args": ["mcp-server-time"], "env": {"TZ": "UTC"}}}}
    QGuiApplication.clipboard().setText(json.dumps(config))
    work.click("pasteServer", form)
    assert form.command.text() == "uvx"
    assert form.args.toPlainText() == "mcp-server-time"
    assert form.env.toPlainText() == "TZ=UTC"
    assert len(kept(store)) == 1
    form.name.setText("ODD")
    work.click("serverFormSave", form)
    assert "같은 이름" in work.text("serverFormProblem", form)


def test_a_trial_shows_tools_with_switches_that_are_stored(work: Work, store: Store) -> None:
    keep(store, spec("odd"))
    dialog = opened(work)
    card = dialog.cards["odd"]
    assert work.text("serverState", card) == "아직 안 켬"
    work.click("tryServer", card)
    work.wait(dialog)
    assert "도구 2개를 찾았어요" in dialog.notice.text
    shown = " ".join(each.text() for each in card.findChildren(QLabel) if each.isVisible())
    assert "‘huge’: 쓸 수 없어요." in shown
    card.tools["fine"].setFocus()
    work.qtbot.keyClick(card.tools["fine"], Qt.Key.Key_Space)
    assert kept(store)[0].tools_off == {"fine"}
    assert card.tools["fine"].hasFocus()
    assert_named(dialog)


def test_a_trial_tells_why_it_failed_and_can_be_stopped(work: Work, store: Store) -> None:
    keep(store, spec("dies"), spec("hang", "slow"))
    dialog = opened(work)
    dialog.try_connection("odd")
    work.wait(dialog)
    assert "설정이 빠졌어요" in dialog.notice.text
    assert work.text("serverState", dialog.cards["odd"]) == "연결 안 됨"
    dialog.try_connection("slow")
    assert work.find(QLabel, "progressWords", dialog).isVisible()
    dialog.stop_work()
    work.wait(dialog)
    assert "멈췄어요" in dialog.notice.text


def test_switches_change_what_is_stored_and_undo_brings_a_removed_one_back(work: Work, store: Store) -> None:
    keep(store, spec(), spec(name="b"))
    dialog = opened(work)
    card = dialog.cards["odd"]
    card.switch.click()
    card.trust.click()
    card.small.click()
    assert kept(store)[0] == replace(spec(), is_on=False, trusts_read_only=False, for_small_models=True)
    assert work.text("serverState", card) == "꺼 둠"
    work.click("removeServer", card)
    assert [each.name for each in kept(store)] == ["b"]
    assert dialog.add_button.hasFocus()
    work.click("noticeAction", dialog)
    assert [each.name for each in kept(store)] == ["odd", "b"]
    assert list(dialog.cards) == ["b", "odd"]


def test_the_page_follows_the_hub(work: Work, store: Store, hub: McpHub) -> None:
    keep(store, spec())
    dialog = opened(work, hub)
    hub.wake()
    work.qtbot.waitUntil(lambda: work.text("serverState", dialog.cards["odd"]) == "연결됨", timeout=20_000)
    assert "echo" in dialog.cards["odd"].tools
    store.settings.set(AI_ENABLED, False)
    hub.apply()
    work.qtbot.waitUntil(lambda: work.text("serverState", dialog.cards["odd"]) == "아직 안 켬", timeout=20_000)
    dialog.close()
    hub.restart("odd")  # nobody listens any more, and nothing breaks


def with_servers(store: Store, llm: ScriptedLlmService) -> AppContext:
    registry, hub = ToolRegistry.defaults(), McpHub.of(store, QUICK)
    tools = ServerTools(hub)

    def controller(
        service: LlmService, gate: ConfirmGate, listener: ChatListener, ui: UiActions
    ) -> ChatSessionController:
        return ChatSessionController(service, store, registry, gate, listener, current_language(), ui=ui, servers=tools)

    return AppContext(store, lambda: llm, controller, servers=hub)


def test_the_question_names_the_server_and_shows_what_is_sent(make_gui: MakeGui, store: Store) -> None:
    keep(store, spec())
    llm = ScriptedLlmService(
        [[LlmFunctionCall("odd__save_note", {"text": "장보기: 우유"})], [LlmTextChunk("적어 뒀어요.")]]
    )
    context = with_servers(store, llm)
    gui = make_gui(context=context)
    assert context.servers is not None
    assert not context.servers.is_awake, "the window's start starts no server"
    gui.say("메모해 줘")
    dialog = gui.wait_dialog()
    assert "odd: save-note" in dialog.text()
    assert "‘odd’ 서버" in dialog.informativeText()
    assert "다른 프로그램" in dialog.informativeText()
    assert 'text: "장보기: 우유"' in dialog.informativeText()
    dialog.yes.click()
    gui.wait_idle()
    [card] = gui.cards()
    assert card.message.stored == "‘odd’의 답: 장보기: 우유"
    gui.window.close()
    assert not context.servers.is_running


def test_a_call_that_hangs_is_stopped_from_the_window(make_gui: MakeGui, store: Store, qtbot: QtBot) -> None:
    keep(store, spec())
    context = with_servers(store, ScriptedLlmService([[LlmFunctionCall("odd__hang", {})]]))
    gui = make_gui(context=context)
    gui.say("해 줘")
    gui.wait_dialog().yes.click()
    qtbot.waitUntil(lambda: bool(gui.cards()) and gui.cards()[0].message.state.value == "running", timeout=5000)
    gui.window.thread_.stop()
    gui.wait_idle()
    assert "남아 있을 수 있어요" in gui.cards()[0].message.result.reason  # type: ignore[union-attr]


def test_a_changed_setting_reaches_the_servers(make_gui: MakeGui, store: Store, qtbot: QtBot) -> None:
    keep(store, spec())
    context = with_servers(store, ScriptedLlmService([[LlmTextChunk("네")]]))
    gui = make_gui(context=context)
    hub = context.servers
    assert hub is not None
    gui.say("안녕")
    gui.wait_idle()
    qtbot.waitUntil(lambda: hub.statuses()[0].state is ServerState.READY, timeout=20_000)
    gui.bus.publish_data(store.settings.set(MCP_SERVERS, write_servers([replace(spec(), is_on=False)])))
    qtbot.waitUntil(lambda: hub.statuses()[0].state is ServerState.OFF, timeout=20_000)
