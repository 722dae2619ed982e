"""Find the modules of a package, so that a new file registers itself and nothing lists it by hand."""

from __future__ import annotations

import importlib
import os
import pkgutil
from types import ModuleType


def import_submodules(package: ModuleType) -> list[ModuleType]:
    """Import every direct submodule of `package` in name order and return them. Frozen programs are covered too."""
    return [
        importlib.import_module(f"{package.__name__}.{info.name}")
        for info in sorted(pkgutil.iter_modules(package.__path__), key=lambda info: info.name)
    ]


def module_names(package: ModuleType) -> list[str]:
    """Return the names of all modules below `package` and its own, in order, without importing any of them.

    What builds the frozen program asks this: modules that only discovery imports are in it too.
    """
    names = [package.__name__]
    waiting = [(package.__name__, list(package.__path__))]
    while waiting:
        parent, folders = waiting.pop()
        for info in pkgutil.iter_modules(folders):
            name = f"{parent}.{info.name}"
            names.append(name)
            if info.ispkg:
                waiting.append((name, [os.path.join(folder, info.name) for folder in folders]))  # noqa: PTH118
    return sorted(names)
