"""The system's dialog for a file or folder to read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QWidget


def ask_path(
    parent: QWidget,
    title: str,
    name: str,
    on_chosen: Callable[[str], object],
    *,
    filters: Sequence[str] = (),
    folder: bool = False,
    folders_only: bool = False,
    start: Path | None = None,
) -> None:
    """Ask over `parent` for a path and call `on_chosen` with it. Main thread; returns at once.

    Args:
        title: Of its window.
        name: Object name of the dialog.
        filters: Kinds of files, in the form of the dialog.
        folder: A folder is wanted, not a file.
        folders_only: Choosing a folder, files are not shown.
        start: The folder to begin in.
    """
    dialog = QFileDialog(parent, title)
    dialog.setObjectName(name)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setFileMode(QFileDialog.FileMode.Directory if folder else QFileDialog.FileMode.ExistingFile)
    if folders_only:
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    if filters:
        dialog.setNameFilters(filters)
    if start is not None:
        dialog.setDirectory(str(start))
    dialog.fileSelected.connect(on_chosen)
    dialog.open()
