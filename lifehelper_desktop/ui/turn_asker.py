"""How the LLM thread waits for the main thread: one thing at a time, and none between Stop and the next turn."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from typing import Any, Generic, Protocol, TypeVar

A = TypeVar("A")
A_co = TypeVar("A_co", covariant=True)


class Waiting(Protocol[A_co]):
    """Something asked, which ends once."""

    def wait(self) -> A_co:
        """Block until it has ended and return how."""
        ...


P = TypeVar("P", bound=Waiting[Any])


class TurnAsker(ABC, Generic[P, A]):
    """`_ask` runs in the LLM thread and blocks; everything else may be called anywhere.

    Between `cancel` and the next `begin_turn` whatever is asked is ended at once, so that Stop also covers the calls
    that the stopped turn had still to ask about. After `close` nothing is asked ever again.
    """

    def __init__(self) -> None:
        """Ask from the first turn on."""
        self._lock = threading.Lock()
        self._pending: P | None = None
        self._refusing = False
        self._closed = False

    def begin_turn(self) -> None:
        """A new turn starts: it is asked again."""
        with self._lock:
            self._refusing = False

    def cancel(self) -> None:
        """Stop: end what is open, if anything, and refuse the rest of this turn."""
        with self._lock:
            self._refusing = True
            pending = self._pending
        if pending is not None:
            self._end(pending, closed=False)

    def close(self) -> None:
        """The program ends: end what is open, now and for good."""
        with self._lock:
            self._closed = True
            pending = self._pending
        if pending is not None:
            self._end(pending, closed=True)

    def _ask(self, pending: P) -> A:
        """Publish `pending`, unless it is refused; return how it ended."""
        with self._lock:
            closed = self._closed
            refused = closed or self._refusing
            if not refused:
                self._pending = pending
        if refused:
            self._end(pending, closed=closed)
        else:
            self._publish(pending)
        answer: A = pending.wait()
        with self._lock:
            self._pending = None
        return answer

    @abstractmethod
    def _publish(self, pending: P) -> None:
        """Give it to the main thread."""

    @abstractmethod
    def _end(self, pending: P, *, closed: bool) -> None:
        """End it without the main thread: the program ends, or else the user stopped."""
