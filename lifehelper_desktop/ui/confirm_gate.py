"""The gate as the LLM thread sees it: publishes the question and waits until it has ended, whichever way."""

from __future__ import annotations

from lifehelper_desktop.tools.confirm_gate import ConfirmRequest, PendingConfirm, Verdict
from lifehelper_desktop.ui.bus import Bus
from lifehelper_desktop.ui.turn_asker import TurnAsker


class BusConfirmGate(TurnAsker[PendingConfirm, Verdict]):
    """Implements ConfirmGate; what is refused, by Stop or the end of the program, is answered "cancelled"."""

    def __init__(self, bus: Bus) -> None:
        """Publish questions through `bus`."""
        super().__init__()
        self._bus = bus

    def confirm(self, request: ConfirmRequest) -> Verdict:
        """Ask the user and return the verdict on exactly this request."""
        return self._ask(PendingConfirm(request))

    def _publish(self, pending: PendingConfirm) -> None:
        self._bus.publish_confirm(pending)

    def _end(self, pending: PendingConfirm, *, closed: bool) -> None:
        pending.cancel()
