"""A server from a package of others, which the `dev` extra installs: the same program that users add."""

from __future__ import annotations

import json
import sys

from lifehelper_desktop.base.mcp_servers import ServerSpec
from lifehelper_desktop.mcp_client.status import ServerState
from lifehelper_desktop.mcp_client.tools import make_offer
from lifehelper_desktop.mcp_client.trial import try_server
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.tools.definition import ToolDeps
from lifehelper_desktop.tools.dispatcher import ToolDispatcher
from lifehelper_desktop.tools.envelope import ToolErr, ToolOk
from lifehelper_desktop.tools.registry import ToolRegistry
from lifehelper_desktop.tools.visibility import ModelProfile
from tests.helpers.worlds import RecordingGate
from tests.mcp_client.conftest import QUICK, World

TIME = ServerSpec("시간", sys.executable, ("-m", "mcp_server_time", "--local-timezone", "Asia/Seoul"))


def test_its_tools_are_read_asked_about_and_called(world: World, store: Store) -> None:
    hub = world.hub(TIME)
    [status] = hub.statuses()
    assert status.state is ServerState.READY, status.problem
    offer = make_offer(hub, hub.specs, hub.statuses(), ModelProfile.FULL)
    tools = ToolRegistry(offer.definitions)
    [convert] = [tool for tool in tools.all() if "convert_time" in tool.name]
    dispatcher = ToolDispatcher(tools, ToolDeps(store, "ko"))
    args = {"source_timezone": "Asia/Seoul", "time": "21:30", "target_timezone": "UTC"}
    result = dispatcher.dispatch(convert.name, args, RecordingGate())
    assert isinstance(result, ToolOk), result
    assert json.loads(result.data["text"])["target"]["datetime"].split("T")[1].startswith("12:30")
    wrong = dispatcher.dispatch(convert.name, {**args, "target_timezone": "Nowhere/Here"}, RecordingGate())
    assert isinstance(wrong, ToolErr)
    assert wrong.code == "server_error"


def test_a_trial_of_it_tells_its_tools(world: World) -> None:
    status = try_server(TIME, limits=QUICK)
    assert status.listing is not None
    assert {tool.name for tool in status.listing.tools} == {"get_current_time", "convert_time"}
    assert not status.listing.left_out
