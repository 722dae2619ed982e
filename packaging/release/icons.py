"""Draw an SVG in several sizes: `python icons.py SVG FOLDER SIZE...` writes `SIZE.png`. Needs PySide6, no screen."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path


def write_pngs(svg: Path, sizes: Sequence[int], folder: Path) -> list[Path]:
    """Write `svg` in every size of `sizes` pixels into `folder` and return the files.

    Raises:
        OSError: A file cannot be written.
        ValueError: It is no SVG.
    """
    # No application object is needed for shapes, only for text: the caller may have one of another kind.
    from PySide6.QtCore import QRectF
    from PySide6.QtGui import QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    drawing = QSvgRenderer(str(svg))
    if not drawing.isValid():
        raise ValueError(f"{svg} is no SVG")
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for size in sizes:
        image = QImage(size, size, QImage.Format.Format_ARGB32_Premultiplied)
        image.fill(0)
        painter = QPainter(image)
        drawing.render(painter, QRectF(0, 0, size, size))
        painter.end()
        path = folder / f"{size}.png"
        if not image.save(str(path), quality=0):
            raise OSError(f"{path} could not be written")
        files.append(path)
    return files


if __name__ == "__main__":
    write_pngs(Path(sys.argv[1]), [int(each) for each in sys.argv[3:]], Path(sys.argv[2]))
