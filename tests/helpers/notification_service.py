"""A notification service of the desktop, small but real: org.freedesktop.Notifications on a bus of its own.

`python -m tests.helpers.notification_service CAPABILITY…` takes the name on the bus of DBUS_SESSION_BUS_ADDRESS,
prints one line of JSON for each thing that happens, and reads commands as lines of JSON from its standard input:
`{"number": 1, "press": "done"}` presses a button (`default` is the body), `{"number": 1}` dismisses.
"""

import asyncio
import json
import sys
from typing import Annotated, Any

from dbus_fast.aio import MessageBus
from dbus_fast.annotations import DBusDict, DBusInt32, DBusSignature, DBusStr, DBusUInt32
from dbus_fast.service import ServiceInterface, dbus_method, dbus_signal

NAME, PATH = "org.freedesktop.Notifications", "/org/freedesktop/Notifications"
Strings = Annotated[list[str], DBusSignature("as")]


def say(**what: Any) -> None:
    """Tell the test what happened."""
    print(json.dumps(what), flush=True)


class Service(ServiceInterface):
    """Shows nothing and remembers nothing: the test does."""

    def __init__(self, capabilities: list[str]) -> None:
        super().__init__(NAME)
        self.capabilities = capabilities
        self.number = 0

    @dbus_method()
    def GetCapabilities(self) -> Strings:
        return self.capabilities

    @dbus_method()
    def GetServerInformation(self) -> Annotated[tuple[str, str, str, str], DBusSignature("ssss")]:
        return ("test service", "tests", "1", "1.2")

    @dbus_method()
    def Notify(
        self,
        app: DBusStr,
        replaces: DBusUInt32,
        icon: DBusStr,
        summary: DBusStr,
        body: DBusStr,
        actions: Strings,
        hints: DBusDict,
        timeout: DBusInt32,
    ) -> DBusUInt32:
        self.number += 1
        pairs = dict(zip(actions[::2], actions[1::2], strict=True))
        say(shown=self.number, app=app, icon=icon, summary=summary, body=body, actions=pairs, timeout=timeout)
        return self.number

    @dbus_method()
    def CloseNotification(self, number: DBusUInt32):
        say(withdrawn=number)
        self.NotificationClosed(number, 3)

    @dbus_signal()
    def NotificationClosed(self, number: int, reason: int) -> Annotated[tuple[int, int], DBusSignature("uu")]:
        return (number, reason)

    @dbus_signal()
    def ActionInvoked(self, number: int, key: str) -> Annotated[tuple[int, str], DBusSignature("us")]:
        return (number, key)


async def main(capabilities: list[str]) -> None:
    """Serve until the standard input ends."""
    bus = await MessageBus().connect()
    service = Service(capabilities)
    bus.export(PATH, service)
    await bus.request_name(NAME)
    say(ready=True)
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        command = json.loads(line)
        if "press" in command:
            service.ActionInvoked(command["number"], command["press"])
        service.NotificationClosed(command["number"], command.get("reason", 2))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
