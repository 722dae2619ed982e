"""None, True and False outlive any number of calls of Qt, also before Python 3.12."""

from __future__ import annotations

import subprocess
import sys

# Each call takes a reference away that was never counted; the refusal of PySide6 6.12.0 comes after some thousands.
_PROGRAM = """
import lifehelper_desktop.ui
from PySide6.QtWidgets import QApplication, QWidget
app = QApplication([])
widget = QWidget()
for _ in range(200_000):
    widget.update()
    widget.property("visible")
print("alive")
"""


def test_the_window_may_call_qt_as_often_as_it_likes() -> None:
    done = subprocess.run([sys.executable, "-c", _PROGRAM], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "alive"
