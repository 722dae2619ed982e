"""The adapter is folded into the base: exactly, in the wanted types, and whole or not at all."""

from __future__ import annotations

import threading
from pathlib import Path

import gguf
import numpy as np
import pytest

from lifehelper_desktop.llm.protocol import LlmStopped
from lifehelper_desktop.llm.starter_merge import EMBEDDING, merge_adapter
from tests.llm.tiny_gguf import ALPHA, RANK, ROWS, WIDTH, random_matrix, write_adapter, write_base


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """A model of three tensors: an embedding, a weight, a norm."""
    return write_base(tmp_path / "base.gguf")


def test_the_sum_the_types_and_the_metadata(base: Path, tmp_path: Path) -> None:
    adapter = write_adapter(tmp_path / "adapter.gguf")
    target = tmp_path / "merged.gguf"
    seen: list[float] = []
    merge_adapter(base, adapter, target, layers="Q8_0", embedding="Q5_0", extra={"a.b": "c"}, progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 1.0
    merged, before = gguf.GGUFReader(target), gguf.GGUFReader(base)
    by_name = {tensor.name: tensor for tensor in merged.tensors}
    assert [tensor.name for tensor in merged.tensors] == [tensor.name for tensor in before.tensors]
    weight = by_name["blk.0.attn_q.weight"]
    assert weight.tensor_type.name == "Q8_0"
    assert list(weight.shape) == [WIDTH, ROWS]
    old = gguf.dequantize(before.tensors[1].data, before.tensors[1].tensor_type)
    change = random_matrix(ROWS, RANK, 4).astype(np.float16) @ random_matrix(RANK, WIDTH, 3).astype(np.float16)
    wanted = old + change.astype(np.float32) * (ALPHA / RANK)
    assert np.abs(gguf.dequantize(weight.data, weight.tensor_type) - wanted).max() < 0.01
    assert by_name[EMBEDDING].tensor_type.name == "Q5_0"
    assert np.array_equal(by_name["output_norm.weight"].data, np.arange(WIDTH, dtype=np.float32))
    for key, value in (
        ("general.name", "Tiny"),
        ("general.tags", ["one", "two"]),
        ("tokenizer.ggml.tokens", ["<pad>", "<eos>", "가", "나"]),
        ("lifehelper.starter.contract", "abc"),
        ("a.b", "c"),
    ):
        field = merged.get_field(key)
        assert field is not None
        assert field.contents() == value


def test_an_adapter_of_another_model_is_refused(base: Path, tmp_path: Path) -> None:
    for name, adapter in (
        ("other.gguf", write_adapter(tmp_path / "a.gguf", "blk.7.attn_q.weight")),
        ("shape.gguf", write_adapter(tmp_path / "b.gguf", width=32)),
        ("half.gguf", write_adapter(tmp_path / "c.gguf", half=True)),
        ("base.gguf", base),
    ):
        with pytest.raises(ValueError, match=r"adapter|LoRA|no "):
            merge_adapter(base, adapter, tmp_path / f"out-{name}")


def test_it_can_be_stopped(base: Path, tmp_path: Path) -> None:
    stop = threading.Event()
    stop.set()
    with pytest.raises(LlmStopped):
        merge_adapter(base, write_adapter(tmp_path / "a.gguf"), tmp_path / "out.gguf", stop=stop)
