"""How much memory a model takes, as a sum that can be shown, and whether this machine has it. Any thread."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from lifehelper_desktop.llm.gguf_header import GgufHeader
from lifehelper_desktop.llm.machine import plan_for_this_machine
from lifehelper_desktop.llm.models.known import KnownModel

CONTEXT_TOKENS: Final = 4096
"""Tokens of context that the app opens a model with."""
_HALF: Final = 2  # bytes of a key's or value's number (f16)
_FLOAT: Final = 4
_ROWS_WIDE: Final = 8  # rows of the model's width that a layer keeps at once while it computes, about
_ROWS_FORWARD: Final = 3
_GEMMA_VOCABULARY: Final = 262_144
_AMPLE_SHARE: Final = 0.75
"""Up to this share of the memory that is free now, other programs keep room to breathe."""


class Fit(StrEnum):
    """Whether a model fits into the memory that is free now."""

    AMPLE = "ample"
    TIGHT = "tight"
    SHORT = "short"


@dataclass(frozen=True, slots=True)
class MemoryNeed:
    """Bytes that an open model takes, part by part.

    Attributes:
        file: The weights.
        kv: Keys and values of the whole context.
        compute: Buffers while it computes.
        scores: The scores of all words for each token of a step.
        exact: Computed from the file's own header; otherwise from what is known about the model.
    """

    file: int
    kv: int
    compute: int
    scores: int
    exact: bool

    @property
    def total(self) -> int:
        """The sum."""
        return self.file + self.kv + self.compute + self.scores


def need_of_known(model: KnownModel, *, context: int = CONTEXT_TOKENS, batch: int | None = None) -> MemoryNeed:
    """Return the need of a model that is not on this machine yet; `batch` is what the engine would choose here."""
    batch = batch or plan_for_this_machine().batch
    compute = _compute(batch, model.width, model.feed_forward)
    return MemoryNeed(
        model.bytes, context * model.kv_bytes_per_token, compute, batch * model.vocabulary * _FLOAT, False
    )


def need_of_file(
    header: GgufHeader, known: KnownModel | None = None, *, context: int = CONTEXT_TOKENS, batch: int | None = None
) -> MemoryNeed:
    """Return the need of a file; what its header does not say comes from `known` or is taken as high as it may be."""
    batch = batch or plan_for_this_machine().batch
    if header.context_length:
        context = min(context, header.context_length)
    width = _number(header, "embedding_length") or (known.width if known else 0)
    forward = _number(header, "feed_forward_length") or (known.feed_forward if known else 4 * width)
    vocabulary = _number(header, "vocab_size") or (known.vocabulary if known else _GEMMA_VOCABULARY)
    per_token = known.kv_bytes_per_token if known else _kv_bytes_per_token(header, width)
    compute = _compute(batch, width, forward)
    return MemoryNeed(header.file_bytes, context * per_token, compute, batch * vocabulary * _FLOAT, True)


def _compute(batch: int, width: int, forward: int) -> int:
    return batch * (_ROWS_WIDE * width + _ROWS_FORWARD * forward) * _FLOAT


def _number(header: GgufHeader, key: str) -> int:
    value = header.values.get(f"{header.architecture}.{key}")
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 1 << 24 else 0


def _kv_bytes_per_token(header: GgufHeader, width: int) -> int:
    """Windows are kept at full size, so each layer with keys of its own counts whole. Lists in the header are unread:
    the highest value stands in for them, so the figure is never too low."""
    heads = _number(header, "attention.head_count") or 1
    kv_heads = _number(header, "attention.head_count_kv") or heads
    even = max(1, width // heads)
    keys = _number(header, "attention.key_length") or even
    values = _number(header, "attention.value_length") or even
    layers = max(1, _number(header, "block_count") - _number(header, "attention.shared_kv_layers"))
    return layers * kv_heads * (keys + values) * _HALF


def available_memory() -> int:
    """Return the bytes that programs can have now without the system having to swap."""
    import psutil

    return int(psutil.virtual_memory().available)


def fit_of(need: MemoryNeed, available: int) -> Fit:
    """Return whether `need` fits into `available` bytes."""
    if need.total <= available * _AMPLE_SHARE:
        return Fit.AMPLE
    return Fit.TIGHT if need.total <= available else Fit.SHORT
