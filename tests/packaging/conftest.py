"""Lets the tests import what lies in `packaging`: it is no package, since a library has that name."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

# Behind everything else: no library may be hidden by a file of ours.
sys.path.append(str(Path(__file__).resolve().parent.parent.parent / "packaging"))


@pytest.fixture(autouse=True)
def _an_application(qapp: QApplication) -> None:
    """Scripts that draw make an application of a smaller kind where there is none, which later tests could not use."""
