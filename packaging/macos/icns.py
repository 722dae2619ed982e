"""An `.icns` from PNG files; macOS reads PNG pictures in icons since 10.7."""

from __future__ import annotations

import struct
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

PACKAGING = Path(__file__).resolve().parent.parent
if str(PACKAGING) not in sys.path:
    sys.path.insert(0, str(PACKAGING))

from windows.ico import png_size  # noqa: E402 - found through the lines above

#: Kind of picture to pixels; the kinds from ic11 on are the doubled ones for Retina.
KINDS: Final[dict[bytes, int]] = {
    b"icp4": 16,
    b"icp5": 32,
    b"ic07": 128,
    b"ic08": 256,
    b"ic09": 512,
    b"ic10": 1024,
    b"ic11": 32,
    b"ic12": 64,
    b"ic13": 256,
    b"ic14": 512,
}
SIZES: Final = tuple(sorted(set(KINDS.values())))


def icns_bytes(pictures: Mapping[int, bytes]) -> bytes:
    """Return an icon of square PNG files by their size.

    Raises:
        ValueError: A picture is missing or of another size.
    """
    body = b""
    for kind, size in KINDS.items():
        picture = pictures.get(size)
        if picture is None or png_size(picture) != (size, size):
            raise ValueError(f"no picture of {size} pixels")
        body += kind + struct.pack(">I", len(picture) + 8) + picture
    return b"icns" + struct.pack(">I", len(body) + 8) + body


def read_icns(content: bytes) -> dict[bytes, bytes]:
    """Return the pictures of an icon by their kind.

    Raises:
        ValueError: It is no icon, or cut off.
    """
    if content[:4] != b"icns" or struct.unpack(">I", content[4:8])[0] != len(content):
        raise ValueError("this is no whole icon")
    found, at = {}, 8
    while at < len(content):
        size = struct.unpack(">I", content[at + 4 : at + 8])[0]
        if size < 8 or at + size > len(content):
            raise ValueError("a picture is cut off")
        found[content[at : at + 4]] = content[at + 8 : at + size]
        at += size
    return found
