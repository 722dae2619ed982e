"""A small reader of GGUF headers for files nobody vouches for: every count and length is bounded before it is used.

The sums are bounded too: a file with holes costs its maker nothing, however long it is, and must cost the reader no
more than a second or two.
"""

from __future__ import annotations

import os
import struct
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Final

MAGIC: Final = b"GGUF"
_VERSIONS: Final = (2, 3)
_MAX_KEYS: Final = 20_000
_MAX_TENSORS: Final = 200_000
_MAX_KEY_BYTES: Final = 65_535
_MAX_STRING_BYTES: Final = 16 * 1024 * 1024
_MAX_ITEMS: Final = 20_000_000
_MAX_TEXT_BYTES: Final = 32 * 1024 * 1024  # of all strings that are kept
_MAX_SKIPPED: Final = 2_000_000  # strings in arrays, each read past on its own; a vocabulary has 0.8 million
_MAX_DIMENSIONS: Final = 8

_SCALARS: Final = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_STRING, _ARRAY = 8, 9

# ggml type -> (values in a block, bytes of a block); types that are not listed are only checked by their offset.
_BLOCKS: Final = {
    0: (1, 4), 1: (1, 2), 2: (32, 18), 3: (32, 20), 6: (32, 22), 7: (32, 24), 8: (32, 34), 10: (256, 84),
    11: (256, 110), 12: (256, 144), 13: (256, 176), 14: (256, 210), 15: (256, 292), 30: (1, 2),
}  # fmt: skip

_VOCABULARY_TABLES: Final = ("token_embd", "per_layer_token_embd", "output.weight")

GgufValue = str | int | float | bool


class GgufError(ValueError):
    """The file is no whole GGUF file. `kind`: `empty`, `not_gguf`, `version`, `truncated` or `broken`."""

    def __init__(self, kind: str, detail: str) -> None:
        """`detail` is for the log, in English."""
        super().__init__(detail)
        self.kind = kind


@dataclass(frozen=True, slots=True)
class GgufHeader:
    """What the header says.

    Attributes:
        values: Single values by key; arrays are left out.
        needed_bytes: Length the file must have at least, by its tensors.
        parameters: Values in all tensors but the tables of the vocabulary (embeddings, output).
    """

    version: int
    tensor_count: int
    file_bytes: int
    needed_bytes: int
    values: dict[str, GgufValue] = field(default_factory=dict)
    parameters: int = 0

    @property
    def architecture(self) -> str:
        """For example `gemma3`, or empty."""
        return str(self.values.get("general.architecture", ""))

    @property
    def name(self) -> str:
        """The model's own name, or empty."""
        return str(self.values.get("general.name", ""))

    @property
    def chat_template(self) -> str:
        """The chat template; empty for a pretrained model."""
        return str(self.values.get("tokenizer.chat_template", ""))

    @property
    def context_length(self) -> int:
        """Tokens the model was trained on at once, 0 when unknown."""
        value = self.values.get(f"{self.architecture}.context_length", 0)
        return value if isinstance(value, int) else 0


class _Reader:
    def __init__(self, file: BinaryIO, size: int) -> None:
        self._file = file
        self._size = size
        self.position = 0
        self._text_left, self._skips_left = _MAX_TEXT_BYTES, _MAX_SKIPPED

    def take(self, count: int) -> bytes:
        if count > self._size - self.position:
            raise GgufError("truncated", f"{count} bytes wanted at {self.position} of {self._size}")
        data = self._file.read(count)
        if len(data) != count:
            raise GgufError("truncated", f"file ends at {self.position + len(data)}")
        self.position += count
        return data

    def skip(self, count: int) -> None:
        if count > self._size - self.position:
            raise GgufError("truncated", f"{count} bytes to skip at {self.position} of {self._size}")
        self._file.seek(count, os.SEEK_CUR)
        self.position += count

    def number(self, code: str) -> int:
        (value,) = struct.unpack("<" + code, self.take(struct.calcsize("<" + code)))
        return int(value)

    def count(self, limit: int, what: str) -> int:
        value = self.number("Q")
        if value > limit:
            raise GgufError("broken", f"{what}: {value} is more than {limit}")
        return value

    def string(self, limit: int = _MAX_STRING_BYTES) -> str:
        length = self.count(limit, "string")
        self._text_left -= length
        if self._text_left < 0:
            raise GgufError("broken", f"more than {_MAX_TEXT_BYTES} bytes of text")
        return self.take(length).decode("utf-8", "replace")

    def skip_strings(self, count: int) -> None:
        self._skips_left -= count
        if self._skips_left < 0:
            raise GgufError("broken", f"more than {_MAX_SKIPPED} strings in arrays")
        for _index in range(count):
            self.skip(self.count(_MAX_STRING_BYTES, "string"))


def read_header(path: Path) -> GgufHeader:
    """Read and check the header of `path`; takes up to a few tenths of a second for a large vocabulary.

    Raises:
        GgufError: Empty, not GGUF, unknown version, shorter than its tensors say, or nonsense inside.
        OSError: The file cannot be read.
    """
    with path.open("rb", buffering=1024 * 1024) as file:
        size = os.fstat(file.fileno()).st_size
        if size == 0:
            raise GgufError("empty", "the file has no bytes")
        if file.read(4) != MAGIC:
            raise GgufError("not_gguf", "no GGUF magic")
        reader = _Reader(file, size)
        reader.position = 4
        version = reader.number("I")
        if version not in _VERSIONS:
            raise GgufError("version", f"version {version}")
        tensors = reader.count(_MAX_TENSORS, "tensors")
        keys = reader.count(_MAX_KEYS, "keys")
        values: dict[str, GgufValue] = {}
        for _index in range(keys):
            key = reader.string(_MAX_KEY_BYTES)
            value = _read_value(reader, reader.number("I"))
            if value is not None:
                values[key] = value
        needed, parameters = _tensors(reader, tensors, values)
        if needed > size:
            raise GgufError("truncated", f"tensors end at {needed}, the file at {size}")
        return GgufHeader(version, tensors, size, needed, values, parameters)


def _read_value(reader: _Reader, kind: int) -> GgufValue | None:
    if kind == _STRING:
        return reader.string()
    if kind in _SCALARS:
        code = "<" + _SCALARS[kind]
        (value,) = struct.unpack(code, reader.take(struct.calcsize(code)))
        return value  # type: ignore[no-any-return]
    if kind != _ARRAY:
        raise GgufError("broken", f"value type {kind}")
    item = reader.number("I")
    count = reader.count(_MAX_ITEMS, "array")
    if item == _STRING:
        reader.skip_strings(count)
    elif item in _SCALARS:
        reader.skip(count * struct.calcsize("<" + _SCALARS[item]))
    else:
        raise GgufError("broken", f"array of type {item}")
    return None


def _tensors(reader: _Reader, tensors: int, values: dict[str, GgufValue]) -> tuple[int, int]:
    """Return the length that the tensors need, and how many values they hold beside the vocabulary's tables."""
    alignment = values.get("general.alignment", 32)
    if not isinstance(alignment, int) or not 1 <= alignment <= 1 << 20:
        raise GgufError("broken", f"alignment {alignment!r}")
    end = parameters = 0
    for _index in range(tensors):
        name = reader.string(_MAX_KEY_BYTES)
        dimensions = reader.number("I")
        if dimensions > _MAX_DIMENSIONS:
            raise GgufError("broken", f"{dimensions} dimensions")
        items = 1
        for _dimension in range(dimensions):
            items *= reader.number("Q")
        if not name.startswith(_VOCABULARY_TABLES):
            parameters += items
        kind = reader.number("I")
        offset = reader.number("Q")
        per_block, block_bytes = _BLOCKS.get(kind, (max(items, 1), 1))
        end = max(end, offset + -(-items // per_block) * block_bytes)
    start = -(-reader.position // alignment) * alignment
    return start + end, parameters
