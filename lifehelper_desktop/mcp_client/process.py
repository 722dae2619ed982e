"""A server's process: started without a shell, ended with everything that it has started, in well under two seconds.

Lives on the thread of the connections. On Windows the process stands in a job object, elsewhere in a session of its
own; descendants that left both are found by their parents.
"""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, cast

import anyio
import psutil
from anyio.abc import AsyncResource
from mcp.client.stdio import get_default_environment
from mcp.os.win32.utilities import (
    ServerProcess,
    close_process_job,
    create_windows_process,
    get_windows_executable_command,
    terminate_windows_process_tree,
)

from lifehelper_desktop.base.mcp_servers import ServerSpec
from lifehelper_desktop.mcp_client.trouble import ServerTrouble, Trouble

_POLL: Final = 0.01
_log = logging.getLogger(__name__)


async def start(spec: ServerSpec) -> ServerProcess:
    """Start the program of `spec` with pipes to all three streams, in the user's home folder.

    It gets the few variables of the environment that every program needs, and those that the user wrote down.

    Raises:
        ServerTrouble: It could not be started.
    """
    env = get_default_environment() | dict(spec.env)
    home = Path.home()
    folder = str(home) if home.is_dir() else None
    try:
        if sys.platform == "win32":
            command = await anyio.to_thread.run_sync(get_windows_executable_command, spec.command)
            errors = cast(Any, subprocess.PIPE)  # is handed on as it is
            return await create_windows_process(command, list(spec.args), env, errors, folder)
        return await anyio.open_process(
            [spec.command, *spec.args], env=env, stderr=subprocess.PIPE, cwd=folder, start_new_session=True
        )
    except FileNotFoundError as error:
        raise ServerTrouble(Trouble.NOT_FOUND) from error
    except PermissionError as error:
        raise ServerTrouble(Trouble.NOT_ALLOWED) from error
    except (OSError, ValueError) as error:
        raise ServerTrouble(Trouble.NOT_STARTED, str(error)) from error


async def end(process: ServerProcess, grace: float) -> None:
    """End the process and its descendants; takes at most about three times `grace`. Shield it from cancellation."""
    family = _descendants(process.pid)
    if process.stdin is not None:
        await _close(process.stdin)
    if not await _is_gone(process, grace):
        family |= _descendants(process.pid)
        await _terminate(process, grace)
    _kill(process, family)
    if not await _is_gone(process, grace) or not await _are_gone(family, grace):
        _log.warning("an MCP server (process %d) or a child of it outlived being killed", process.pid)
    close_process_job(process)
    for stream in (process.stdout, getattr(process, "stderr", None)):
        if stream is not None:
            await _close(stream)
    transport = getattr(getattr(process, "_process", None), "_transport", None)
    if transport is not None:  # a survivor that holds a pipe would keep it open
        with suppress(PermissionError):
            transport.close()
    await anyio.lowlevel.checkpoint()


def kill_now(pids: Iterable[int]) -> None:
    """Kill processes with their descendants from any thread, without waiting: the last resort at the end."""
    for pid in pids:
        with suppress(psutil.Error):
            leader = psutil.Process(pid)
            for each in (*leader.children(recursive=True), leader):
                with suppress(psutil.Error):
                    each.kill()


async def _terminate(process: ServerProcess, grace: float) -> None:
    if sys.platform == "win32":
        await terminate_windows_process_tree(process)
    else:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGTERM)
        await _is_gone(process, grace)


def _kill(process: ServerProcess, family: set[psutil.Process]) -> None:
    """Kill what is left: the group, descendants that left it, and the process itself."""
    if sys.platform != "win32":
        # The process led its own group from the start, so its number is the group's.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    for each in family:
        with suppress(psutil.Error):
            each.kill()  # asks first whether the number still means the same process
    if process.returncode is None:
        with suppress(ProcessLookupError, OSError):
            process.kill()


def _descendants(pid: int) -> set[psutil.Process]:
    try:
        return set(psutil.Process(pid).children(recursive=True))
    except psutil.Error:
        return set()


async def _is_gone(process: ServerProcess, seconds: float) -> bool:
    """Return whether the process ends within `seconds`; its pipes may stay open in a child."""
    deadline = anyio.current_time() + seconds
    while process.returncode is None:
        if anyio.current_time() >= deadline:
            return False
        await anyio.sleep(_POLL)
    return True


async def _are_gone(family: set[psutil.Process], seconds: float) -> bool:
    deadline = anyio.current_time() + seconds
    while any(map(_runs, family)):
        if anyio.current_time() >= deadline:
            return False
        await anyio.sleep(_POLL)
    return True


def _runs(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


async def _close(stream: AsyncResource) -> None:
    with suppress(OSError, anyio.BrokenResourceError, anyio.ClosedResourceError):
        await stream.aclose()
