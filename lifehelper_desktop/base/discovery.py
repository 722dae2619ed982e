"""Find the modules of a package, so that a new file registers itself and nothing lists it by hand."""

from __future__ import annotations

import importlib
import pkgutil
from types import ModuleType


def import_submodules(package: ModuleType) -> list[ModuleType]:
    """Import every direct submodule of `package` in name order and return them. Frozen programs are covered too."""
    return [
        importlib.import_module(f"{package.__name__}.{info.name}")
        for info in sorted(pkgutil.iter_modules(package.__path__), key=lambda info: info.name)
    ]
