"""Write the trained adapter as a GGUF LoRA that llama.cpp loads: `python convert.py WORK/adapter.pt OUT.gguf`."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import gguf
import numpy as np
import torch

from lifehelper_desktop.chat.starter.contract import contract_of_this_app
from lifehelper_desktop.llm.families import CONTRACT_KEY

_LAYER = re.compile(r"layers\.(\d+)\.(self_attn|mlp)\.(\w+)_proj\.lora_(A|B)\.weight$")
_NAMES = {
    ("self_attn", "q"): "attn_q",
    ("self_attn", "k"): "attn_k",
    ("self_attn", "v"): "attn_v",
    ("self_attn", "o"): "attn_output",
    ("mlp", "gate"): "ffn_gate",
    ("mlp", "up"): "ffn_up",
    ("mlp", "down"): "ffn_down",
}


def tensor_name(name: str) -> str:
    """Return llama.cpp's name for a weight of peft's.

    Raises:
        ValueError: It belongs to no layer that an adapter may change.
    """
    found = _LAYER.search(name)
    if found is None:
        raise ValueError(name)
    layer, part, projection, side = found.groups()
    return f"blk.{layer}.{_NAMES[part, projection]}.weight.lora_{side.lower()}"


def convert(source: Path, target: Path) -> int:
    """Write the adapter in 16 bits; return the file's bytes."""
    state = torch.load(source, map_location="cpu", weights_only=True)
    part = target.with_suffix(".part")
    writer = gguf.GGUFWriter(part, "gemma3")
    writer.add_string("general.type", "adapter")
    writer.add_name("LifeHelper starter coach")
    writer.add_license("gemma")
    writer.add_string("adapter.type", "lora")
    writer.add_float32("adapter.lora.alpha", float(state["alpha"]))
    writer.add_string(CONTRACT_KEY, contract_of_this_app())
    writer.add_uint32("lifehelper.starter.steps", int(state["step"]))
    for name, weight in sorted(state["adapter"].items()):
        writer.add_tensor(tensor_name(name), weight.float().numpy().astype(np.float16))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    part.replace(target)
    return target.stat().st_size


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("adapter", type=Path)
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    print(f"{options.out}: {convert(options.adapter, options.out) / 2**20:.1f} MiB")


if __name__ == "__main__":
    main()
