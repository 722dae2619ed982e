"""The gate as the LLM thread sees it: publishes the question and waits until it has ended, whichever way."""

from __future__ import annotations

import threading

from lifehelper_desktop.tools.confirm_gate import ConfirmRequest, PendingConfirm, Verdict
from lifehelper_desktop.ui.bus import Bus


class BusConfirmGate:
    """Implements ConfirmGate. `confirm` runs in the LLM thread and blocks; everything else may be called anywhere.

    Between `cancel` and the next `begin_turn` every question is answered "cancelled" at once, so that Stop also
    covers the calls that the stopped turn had still to ask about. After `close` no question is asked ever again.
    """

    def __init__(self, bus: Bus) -> None:
        """Publish questions through `bus`."""
        self._bus = bus
        self._lock = threading.Lock()
        self._pending: PendingConfirm | None = None
        self._refusing = False
        self._closed = False

    def begin_turn(self) -> None:
        """A new turn starts: questions are asked again."""
        with self._lock:
            self._refusing = False

    def confirm(self, request: ConfirmRequest) -> Verdict:
        """Ask the user and return the verdict on exactly this request."""
        pending = PendingConfirm(request)
        with self._lock:
            if self._refusing or self._closed:
                return Verdict.CANCELLED
            self._pending = pending
        self._bus.publish_confirm(pending)
        verdict = pending.wait()
        with self._lock:
            self._pending = None
        return verdict

    def cancel(self) -> None:
        """End the open question, if any, with "cancelled", and refuse further ones of this turn."""
        with self._lock:
            self._refusing = True
            pending = self._pending
        if pending is not None:
            pending.cancel()

    def close(self) -> None:
        """The program ends: cancel now and for good."""
        with self._lock:
            self._closed = True
        self.cancel()
