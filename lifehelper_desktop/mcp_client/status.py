"""How a server stands, as every thread may read it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from lifehelper_desktop.base.i18n import N_, _
from lifehelper_desktop.mcp_client.listing import Listing
from lifehelper_desktop.mcp_client.trouble import Trouble, words_of


class ServerState(StrEnum):
    """Where a server stands: WAITING for its next start after it ended, FAILED when there will be none by itself."""

    OFF = "off"
    ASLEEP = "asleep"
    STARTING = "starting"
    READY = "ready"
    WAITING = "waiting"
    FAILED = "failed"


STATE_WORDS: Final = {
    ServerState.OFF: N_("꺼 둠"),
    ServerState.ASLEEP: N_("아직 안 켬"),
    ServerState.STARTING: N_("켜는 중"),
    ServerState.READY: N_("연결됨"),
    ServerState.WAITING: N_("다시 켜는 중"),
    ServerState.FAILED: N_("연결 안 됨"),
}


@dataclass(frozen=True, slots=True)
class ServerStatus:
    """One server.

    Attributes:
        name: As in the setting.
        trouble: What went wrong last; None where nothing did.
        detail: What the server said of it last, untrusted; may be empty.
        listing: Its tools as they were read last, also while it is down; None before the first time.
    """

    name: str
    state: ServerState
    trouble: Trouble | None = None
    detail: str = ""
    listing: Listing | None = None

    @property
    def words(self) -> str:
        """The state in the language in force."""
        return _(STATE_WORDS[self.state])

    @property
    def problem(self) -> str:
        """What went wrong last, in words of the language in force; empty where nothing did."""
        return words_of(self.trouble, self.detail) if self.trouble is not None else ""
