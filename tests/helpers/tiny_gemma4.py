"""A Gemma 4 model of a few megabytes: real vocabulary, random weights, and an output that speaks by heart.

The layers are random and real (sliding window, global attention, shared keys and values, embeddings per layer); only
the output matrix is made so that each token of a script is followed by the next one.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import gguf
import numpy as np

from lifehelper_desktop.llm.gguf_header import _read_value, _Reader

WIDTH = 64
_PER_LAYER = 8
_WINDOW = (True, False, True)
_SHARED = 1
_HEADS = 2
_HEAD = 32
_HEAD_WINDOW = 16
_FEED_FORWARD = 96


def write_tiny_gemma4(path: Path, vocabulary: Path, successors: Mapping[int, int], *, seed: int = 4) -> Path:
    """Write the model to `path`; `successors` maps a token to the one it is followed by, at most `WIDTH` of them."""
    assert len(successors) <= WIDTH
    pairs, count, size = _tokenizer(vocabulary)
    random = np.random.default_rng(seed)
    writer = _Writer(path, pairs, count)
    _parameters(writer)
    _tensors(writer, random, size, successors)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


class _Writer(gguf.GGUFWriter):
    """Adds the tokenizer's values as the bytes they are: to read and write its strings one by one takes a minute."""

    def __init__(self, path: Path, pairs: bytes, count: int) -> None:
        super().__init__(path, "gemma4")
        self._pairs, self._count = pairs, count

    def write_header_to_file(self, path: Path | None = None) -> None:
        super().write_header_to_file(path)
        file = self.fout[0]
        file.seek(16)
        file.write(struct.pack("<Q", len(self.kv_data[0]) + self._count))
        file.seek(0, io.SEEK_END)

    def write_kv_data_to_file(self) -> None:
        super().write_kv_data_to_file()
        self.fout[0].write(self._pairs)


def _tokenizer(vocabulary: Path) -> tuple[bytes, int, int]:
    """Return the raw key-value pairs of the tokenizer, how many, and how many tokens there are."""
    data = vocabulary.read_bytes()
    reader = _Reader(io.BytesIO(data), len(data))
    reader.skip(16)
    pairs: list[bytes] = []
    size = 0
    for _index in range(reader.number("Q")):
        start = reader.position
        key = reader.string()
        value = reader.position
        _read_value(reader, reader.number("I"))
        if key.startswith("tokenizer."):
            pairs.append(data[start : reader.position])
        if key == "tokenizer.ggml.tokens":
            (size,) = struct.unpack_from("<Q", data, value + 8)
    return b"".join(pairs), len(pairs), size


def _parameters(writer: gguf.GGUFWriter) -> None:
    writer.add_name("Tiny Gemma 4")
    writer.add_context_length(2048)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(len(_WINDOW))
    writer.add_feed_forward_length(_FEED_FORWARD)
    writer.add_head_count(_HEADS)
    writer.add_head_count_kv(1)
    writer.add_key_length(_HEAD)
    writer.add_value_length(_HEAD)
    writer.add_key_length_swa(_HEAD_WINDOW)
    writer.add_value_length_swa(_HEAD_WINDOW)
    writer.add_rope_dimension_count(_HEAD)
    writer.add_rope_dimension_count_swa(_HEAD_WINDOW)
    writer.add_rope_freq_base(1_000_000.0)
    writer.add_rope_freq_base_swa(10_000.0)
    writer.add_sliding_window(64)
    writer.add_sliding_window_pattern(list(_WINDOW))
    writer.add_shared_kv_layers(_SHARED)
    writer.add_embedding_length_per_layer_input(_PER_LAYER)
    writer.add_layer_norm_rms_eps(1e-6)
    writer.add_final_logit_softcapping(30.0)


def _tensors(writer: gguf.GGUFWriter, random: np.random.Generator, size: int, successors: Mapping[int, int]) -> None:
    def weights(*shape: int, scale: float = 0.05) -> np.ndarray[Any, np.dtype[np.float32]]:
        return random.standard_normal(shape, dtype=np.float32) * np.float32(scale)

    def add(name: str, *shape: int, scale: float = 0.05) -> None:
        writer.add_tensor(name + ".weight", weights(*shape, scale=scale))

    def norm(name: str, width: int, level: float = 1.0) -> None:
        writer.add_tensor(name + ".weight", np.full(width, level, dtype=np.float32))

    # The script's tokens stand at right angles, so that one never sounds like another.
    directions, _upper = np.linalg.qr(random.standard_normal((WIDTH, WIDTH)))
    embedding, output = weights(size, WIDTH, scale=1.0), weights(size, WIDTH, scale=0.02)
    for row, (token, follower) in enumerate(successors.items()):
        embedding[token] = directions[row] * np.sqrt(WIDTH)
        output[follower] += embedding[token]
    for name, matrix in (("token_embd", embedding), ("output", output)):
        kind = gguf.GGMLQuantizationType.Q8_0
        writer.add_tensor(name + ".weight", gguf.quants.quantize(matrix, kind), raw_dtype=kind)
    layers = len(_WINDOW)
    per_layer = np.zeros((size, _PER_LAYER * layers), dtype=np.float16)
    per_layer[: 1 << 16] = weights(1 << 16, _PER_LAYER * layers)
    writer.add_tensor("per_layer_token_embd.weight", per_layer)
    add("per_layer_model_proj", _PER_LAYER * layers, WIDTH)
    norm("per_layer_proj_norm", _PER_LAYER)
    norm("output_norm", WIDTH)
    writer.add_tensor("rope_freqs.weight", np.array([1.0] * 4 + [1e30] * (_HEAD // 2 - 4), dtype=np.float32))
    for index, window in enumerate(_WINDOW):
        block = f"blk.{index}."
        head = _HEAD_WINDOW if window else _HEAD
        norm(block + "attn_norm", WIDTH)
        add(block + "attn_q", head * _HEADS, WIDTH)
        norm(block + "attn_q_norm", head)
        if index < layers - _SHARED:
            add(block + "attn_k", head, WIDTH)
            add(block + "attn_v", head, WIDTH)
            norm(block + "attn_k_norm", head)
        add(block + "attn_output", WIDTH, head * _HEADS)
        # What the layers add stays small beside the token itself.
        norm(block + "post_attention_norm", WIDTH, 0.1)
        norm(block + "ffn_norm", WIDTH)
        add(block + "ffn_gate", _FEED_FORWARD, WIDTH)
        add(block + "ffn_up", _FEED_FORWARD, WIDTH)
        add(block + "ffn_down", WIDTH, _FEED_FORWARD)
        norm(block + "post_ffw_norm", WIDTH, 0.1)
        add(block + "inp_gate", _PER_LAYER, WIDTH)
        add(block + "proj", WIDTH, _PER_LAYER)
        norm(block + "post_norm", WIDTH, 0.1)
