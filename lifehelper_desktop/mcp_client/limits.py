"""How long a server may take and how much it may send. Times in seconds, sizes in bytes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """What a server is allowed; tests make them short.

    Attributes:
        start: From the start of the program to the end of the handshake; the first start of some fetches a package.
        listing: One reading of its list of tools.
        call: One call of a tool.
        pauses: Before each new start after a server has ended; after the last it stays down.
        steady: After so long without trouble, earlier ends no longer count.
        relist: Least time between two readings of a list that keeps changing; doubles with each, up to `relist_max`.
        line: One message.
        rate: Messages a second that are read in the long run; more wait in the pipe, where they cost nothing.
        burst: Messages that may come at once.
        byte_rate, byte_burst: The same for bytes.
        garbage: Lines in a row that are no messages, after which the server is ended.
        asking: Requests of the server's own that may be without an answer.
        grace: For the program to end by itself when its input is closed, and again after it was asked to.
        closing: For all servers together at the end of the program.
        settle: How long the first message waits for servers that are just starting.
    """

    start: float = 30.0
    listing: float = 10.0
    call: float = 60.0
    pauses: tuple[float, ...] = (0.5, 2.0, 8.0)
    steady: float = 60.0
    relist: float = 1.0
    relist_max: float = 60.0
    line: int = 8 << 20
    rate: float = 200.0
    burst: float = 500.0
    byte_rate: float = 4.0 * (1 << 20)
    byte_burst: float = 16.0 * (1 << 20)
    garbage: int = 200
    asking: int = 32
    grace: float = 0.4
    closing: float = 1.8
    settle: float = 1.0


PATIENT = Limits(settle=10.0)
"""For a command line: often one message is all there is, and the servers can be waited for."""
