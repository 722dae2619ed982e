"""Make the starter model's file once on the user's machine: base weights, adapter folded in, embedding made smaller.

An adapter that is applied while the model runs costs a fifth of its speed, and the embedding (262,144 rows, read whole
for every token) is most of the rest. Both go away when they are done once. The file says in its metadata what it was
made from.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from lifehelper_desktop.llm.protocol import LlmStopped, LoadProgress

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

RECIPE: Final = 1
"""Counted up when the same inputs would make another file."""
EMBEDDING: Final = "token_embd.weight"
_ROWS: Final = 8192
_SKIPPED: Final = ("GGUF.", "general.architecture", "general.quantization_version", "general.file_type")


def merge_adapter(
    base: Path,
    adapter: Path,
    target: Path,
    *,
    layers: str = "Q8_0",
    embedding: str = "Q4_0",
    extra: Mapping[str, str] | None = None,
    progress: LoadProgress | None = None,
    stop: threading.Event | None = None,
) -> None:
    """Write the merged model to `target`, which is replaced; the caller chooses a name that nobody reads yet.

    Args:
        base: The GGUF model.
        adapter: A GGUF LoRA for it.
        target: The file to write.
        layers: ggml type of the weights that the adapter changes.
        embedding: ggml type of the token embedding.
        extra: Metadata to add, beside the adapter's own `lifehelper.*`.
        progress: Called with 0.0-1.0.
        stop: Ends the work.

    Raises:
        ValueError: The adapter does not fit the base.
        OSError: The disk does not take it.
        LlmStopped: `stop` was set; what was written is the caller's to remove.
    """
    import gguf

    model, lora = gguf.GGUFReader(base), gguf.GGUFReader(adapter)
    deltas = _deltas(lora)
    known = {tensor.name for tensor in model.tensors}
    if not set(deltas) <= known or str(_value(lora, "adapter.type")) != "lora":
        raise ValueError("the adapter changes tensors that the base does not have")
    scale = float(_value(lora, "adapter.lora.alpha"))
    kinds = gguf.GGMLQuantizationType

    def kinds_of(tensor: Any) -> Any:
        if tensor.name in deltas:
            return kinds[layers]
        return kinds[embedding] if tensor.name == EMBEDDING else tensor.tensor_type

    writer = gguf.GGUFWriter(target, str(_value(model, "general.architecture")))
    try:
        _write(writer, model, deltas, scale, {**_own_metadata(lora), **(extra or {})}, kinds_of, progress, stop)
        with target.open("rb") as file:
            os.fsync(file.fileno())
    finally:
        writer.close()


def _write(
    writer: Any,
    model: Any,
    deltas: Mapping[str, tuple[Any, Any]],
    scale: float,
    extra: Mapping[str, str],
    kinds_of: Callable[[Any], Any],
    progress: LoadProgress | None,
    stop: threading.Event | None,
) -> None:
    import gguf

    _copy_metadata(model, writer)
    for key, value in extra.items():
        writer.add_string(key, value)
    for tensor in model.tensors:
        kind = kinds_of(tensor)
        shape = [int(size) for size in reversed(tensor.shape)]
        block, size = gguf.GGML_QUANT_SIZES[kind]
        plain = kind == gguf.GGMLQuantizationType.F32
        stored = shape if plain else gguf.quant_shape_to_byte_shape(shape, kind)
        writer.add_tensor_info(
            tensor.name, stored, _dtype(kind), int(tensor.n_elements) // block * size, raw_dtype=kind
        )
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_ti_data_to_file()
    total, done = sum(int(tensor.n_elements) for tensor in model.tensors), 0
    for tensor in model.tensors:
        writer.write_tensor_data(_whole(tensor, deltas.get(tensor.name), scale, kinds_of(tensor), stop))
        done += int(tensor.n_elements)
        if progress is not None:
            progress(min(1.0, done / total))
    writer.flush()


def _dtype(kind: Any) -> Any:
    import gguf
    import numpy as np

    return np.dtype(np.float32) if kind == gguf.GGMLQuantizationType.F32 else np.dtype(np.uint8)


def _deltas(lora: Any) -> dict[str, tuple[Any, Any]]:
    """Return the pairs of matrices by the name of the weight that they change."""
    sides: dict[str, dict[str, Any]] = {}
    for tensor in lora.tensors:
        name, _dot, side = tensor.name.rpartition(".lora_")
        sides.setdefault(name, {})[side] = tensor
    if not sides or any(set(pair) != {"a", "b"} for pair in sides.values()):
        raise ValueError("no LoRA adapter")
    return {name: (pair["a"], pair["b"]) for name, pair in sides.items()}


def _whole(
    tensor: Any, delta: tuple[Any, Any] | None, scale: float, kind: Any, stop: threading.Event | None
) -> npt.NDArray[np.generic]:
    """Return the bytes of one tensor in the new type."""
    import numpy as np

    if delta is None and kind == tensor.tensor_type:
        _check(stop)
        return np.asarray(tensor.data)
    return np.concatenate(list(_pieces(tensor, delta, scale, kind, stop)))


def _pieces(
    tensor: Any, delta: tuple[Any, Any] | None, scale: float, kind: Any, stop: threading.Event | None
) -> Iterator[npt.NDArray[np.generic]]:
    """Yield rows of one tensor in the new type, some thousand at a time."""
    import gguf
    import numpy as np

    rows = int(tensor.shape[-1])
    change = None
    if delta is not None:
        first, second = (gguf.dequantize(each.data, each.tensor_type).astype(np.float32) for each in delta)
        if first.shape[0] != second.shape[1] or second.shape[0] != rows or first.shape[1] != int(tensor.shape[0]):
            raise ValueError(f"the adapter's shape does not fit {tensor.name}")
        change = (second, first * (scale / first.shape[0]))
    for start in range(0, rows, _ROWS):
        _check(stop)
        part = gguf.dequantize(tensor.data[start : start + _ROWS], tensor.tensor_type).astype(np.float32)
        if change is not None:
            part = part + change[0][start : start + _ROWS] @ change[1]
        yield gguf.quantize(part, kind)


def _check(stop: threading.Event | None) -> None:
    if stop is not None and stop.is_set():
        raise LlmStopped


def _value(reader: Any, key: str) -> Any:
    field = reader.get_field(key)
    if field is None:
        raise ValueError(f"no {key}")
    return field.contents()


def _own_metadata(lora: Any) -> dict[str, str]:
    return {key: str(field.contents()) for key, field in lora.fields.items() if key.startswith("lifehelper.")}


def _copy_metadata(model: Any, writer: Any) -> None:
    import gguf

    for key, field in model.fields.items():
        if key.startswith(_SKIPPED):
            continue
        kind = field.types[0]
        sub = field.types[-1] if kind == gguf.GGUFValueType.ARRAY else None
        writer.add_key_value(key, field.contents(), kind, sub_type=sub)
    writer.add_quantization_version(gguf.GGML_QUANT_VERSION)


def main() -> None:
    """Merge by hand: `python -m lifehelper_desktop.llm.starter_merge BASE ADAPTER OUT [LAYERS EMBEDDING]`."""
    base, adapter, out, *kinds = sys.argv[1:]
    layers, embedding = kinds or ("Q8_0", "Q4_0")
    merge_adapter(Path(base), Path(adapter), Path(out), layers=layers, embedding=embedding)


if __name__ == "__main__":
    main()
