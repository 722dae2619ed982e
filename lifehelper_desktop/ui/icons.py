"""Icons: our own SVG files, tinted with a colour of the theme and sharp at every scale.

Sizes are device-independent pixels at 100 % text; they grow with the text, see `set_scale`.
"""

from __future__ import annotations

import atexit
import shutil
import tempfile
from functools import lru_cache
from pathlib import Path

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QImage, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from lifehelper_desktop.base.paths import resources_dir

_SCALES = (1, 2, 3)
_scale = 1.0  # of the text in force


def set_scale(scale: float) -> None:
    """Make all icons from now on this many times as big (1.0 at 100 % text). Main thread."""
    global _scale
    _scale = scale


def size(pixels: int) -> QSize:
    """Return the size in force of an icon that is `pixels` wide at 100 % text."""
    return QSize(round(pixels * _scale), round(pixels * _scale))


@lru_cache(maxsize=128)
def _source(name: str) -> str:
    return (resources_dir() / "icons" / f"{name}.svg").read_text(encoding="utf-8")


def _render(name: str, colour: str, pixels: int) -> QImage:
    renderer = QSvgRenderer(QByteArray(_source(name).replace("currentColor", colour).encode()))
    image = QImage(QSize(pixels, pixels), QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    renderer.render(painter, QRectF(0, 0, pixels, pixels))
    painter.end()
    return image


def icon(name: str, colour: str, pixels: int = 20) -> QIcon:
    """Return the icon `resources/icons/<name>.svg` in `colour` (`#RRGGBB`), `pixels` wide at 100 % text."""
    return _icon(name, colour, size(pixels).width())


@lru_cache(maxsize=512)
def _icon(name: str, colour: str, pixels: int) -> QIcon:
    result = QIcon()
    for scale in _SCALES:
        pixmap = QPixmap.fromImage(_render(name, colour, pixels * scale))
        pixmap.setDevicePixelRatio(scale)
        result.addPixmap(pixmap)
    return result


def pixmap(name: str, colour: str, pixels: int = 20, ratio: float = 1.0) -> QPixmap:
    """Return one tinted pixmap for a label; `ratio` is the screen's device pixel ratio."""
    return icon(name, colour, pixels).pixmap(size(pixels), ratio)


def app_icon() -> QIcon:
    """Return the program's own icon."""
    result = QIcon()
    for size in (16, 24, 32, 48, 64, 128, 256):
        result.addPixmap(QPixmap.fromImage(_render("app", "#000000", size)))
    return result


def app_icon_file() -> Path:
    """Return the program's own icon as a PNG file, for what shows it outside of our windows."""
    path = _folder() / "app.png"
    if not path.exists():
        _render("app", "#000000", 256).save(str(path))
    return path


@lru_cache(maxsize=1)
def _folder() -> Path:
    folder = tempfile.mkdtemp(prefix="lifehelper-icons-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def cached_file(name: str, colour: str) -> str:
    """Return the path of a tinted SVG for style sheets, which can only name files; forward slashes everywhere."""
    path = _folder() / f"{name}-{colour.lstrip('#')}.svg"
    if not path.exists():
        path.write_text(_source(name).replace("currentColor", colour), encoding="utf-8")
    return path.as_posix()


def empty() -> QIcon:
    """Return no icon."""
    return QIcon()


def forget() -> None:
    """Drop every pixmap: they must not outlive the application."""
    _icon.cache_clear()
