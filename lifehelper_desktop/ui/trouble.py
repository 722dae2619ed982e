"""Errors of the world inside the window's slots: caught in one place, told once, never a crash report."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Concatenate, ParamSpec, Protocol, TypeVar

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.ui.bus import Bus, Trouble


class HasBus(Protocol):
    """A widget that knows the bus."""

    bus: Bus


W = TypeVar("W", bound=HasBus)
P = ParamSpec("P")


@contextmanager
def told(bus: Bus) -> Iterator[None]:
    """Tell a WorldError of the block on the window's bar and end the block; our own bugs still raise."""
    try:
        yield
    except WorldError as error:
        bus.publish_notice(Trouble(error))


def guarded(slot: Callable[Concatenate[W, P], None]) -> Callable[Concatenate[W, P], None]:
    """Make a slot that reads the store safe to be called by Qt: what it could not do is told, see `told`."""

    def run(self: W, /, *args: P.args, **kwargs: P.kwargs) -> None:
        with told(self.bus):
            slot(self, *args, **kwargs)

    run.__name__, run.__doc__ = slot.__name__, slot.__doc__
    return run
