"""An `.ico` from PNG files: Windows has read PNG pictures in icons since Vista, so nothing has to be converted."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Final

#: What the shell asks for at 100 to 300 %: title bar, lists, task bar, tiles.
SIZES: Final = (16, 20, 24, 32, 40, 48, 64, 128, 256)
_PNG: Final = b"\x89PNG\r\n\x1a\n"


def ico_bytes(pictures: Sequence[bytes]) -> bytes:
    """Return an icon that holds `pictures`, PNG files of at most 256 pixels.

    Raises:
        ValueError: One of them is no such picture.
    """
    head = struct.pack("<HHH", 0, 1, len(pictures))
    place = len(head) + 16 * len(pictures)
    entries = b""
    for picture in pictures:
        width, height = png_size(picture)
        if max(width, height) > 256:
            raise ValueError(f"{width} × {height} pixels are too many for an icon")
        # 0 stands for 256.
        entries += struct.pack("<BBBBHHII", width % 256, height % 256, 0, 0, 1, 32, len(picture), place)
        place += len(picture)
    return head + entries + b"".join(pictures)


def png_size(picture: bytes) -> tuple[int, int]:
    """Return width and height of a PNG file.

    Raises:
        ValueError: It is none.
    """
    if not picture.startswith(_PNG) or picture[12:16] != b"IHDR":
        raise ValueError("this is no PNG")
    width, height = struct.unpack(">II", picture[16:24])
    return width, height


def write_ico(pictures: Sequence[Path], target: Path) -> Path:
    """Write an icon of PNG files and return it."""
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(ico_bytes([each.read_bytes() for each in pictures]))
    return target
