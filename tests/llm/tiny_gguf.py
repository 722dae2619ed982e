"""A GGUF of three tensors and a LoRA for it: small, and read by the real library."""

from __future__ import annotations

from pathlib import Path

import gguf
import numpy as np

from lifehelper_desktop.llm.starter_merge import EMBEDDING

WIDTH, ROWS, RANK, ALPHA = 64, 96, 4, 8.0
WEIGHT = "blk.0.attn_q.weight"


def random_matrix(rows: int, columns: int, seed: int) -> np.ndarray:
    """Return the same numbers for the same seed."""
    return np.random.default_rng(seed).normal(0, 0.1, (rows, columns)).astype(np.float32)


def write_base(path: Path) -> Path:
    """Write an embedding, a weight and a norm."""
    writer = gguf.GGUFWriter(path, "gemma3")
    writer.add_name("Tiny")
    writer.add_token_list(["<pad>", "<eos>", "가", "나"])
    writer.add_array("general.tags", ["one", "two"])
    kind = gguf.GGMLQuantizationType.Q8_0
    for name, seed in ((EMBEDDING, 1), (WEIGHT, 2)):
        writer.add_tensor(name, gguf.quantize(random_matrix(ROWS, WIDTH, seed), kind), raw_dtype=kind)
    writer.add_tensor("output_norm.weight", np.arange(WIDTH, dtype=np.float32))
    return _finish(writer, path)


def write_adapter(
    path: Path, tensor: str = WEIGHT, width: int = WIDTH, *, half: bool = False, contract: str = "abc"
) -> Path:
    """Write a LoRA for one weight; `half` leaves one of its two matrices out."""
    writer = gguf.GGUFWriter(path, "gemma3")
    writer.add_string("general.type", "adapter")
    writer.add_string("adapter.type", "lora")
    writer.add_float32("adapter.lora.alpha", ALPHA)
    writer.add_string("lifehelper.starter.contract", contract)
    writer.add_tensor(f"{tensor}.lora_a", random_matrix(RANK, width, 3).astype(np.float16))
    if not half:
        writer.add_tensor(f"{tensor}.lora_b", random_matrix(ROWS, RANK, 4).astype(np.float16))
    return _finish(writer, path)


def _finish(writer: gguf.GGUFWriter, path: Path) -> Path:
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path
