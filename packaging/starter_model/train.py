"""Train the LoRA adapter of the starter coach on a CPU or a GPU; stops and goes on at any moment.

    python train.py WORK --steps 900 --decay 250 --examples 9000

Every epoch has new examples (new worlds, dates and slips of the same phrases). The learning rate warms up, stays, and
falls in the last `--decay` steps, so that a run can be continued with better data from any checkpoint and be brought to
its end when time is up. Losses are taken at the answers only, over the tokens that occur in the data and random others:
the whole vocabulary (262,144) would cost more than the rest of the model.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ.setdefault("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "20000")

import torch
from base import assemble, dequantise
from generate import Example, make_examples
from peft import LoraConfig, get_peft_model, get_peft_model_state_dict
from torch.nn import functional
from transformers import AutoModelForCausalLM, AutoTokenizer

RANK = 32
ALPHA = 64
CANDIDATES = 24_576
"""How many tokens compete for each place of an answer in training."""
END = 1
"""The token that ends an answer (<eos>)."""
START = 2
FREE_WEIGHT = 0.3
"""Words of small talk count less: there are many right ones, and the choice of the line matters more."""
WIDTH_STEP = 8
"""Batches are padded to widths that repeat: oneDNN prepares its kernels anew for each shape, which takes seconds."""


@dataclass(frozen=True)
class Row:
    """One example in tokens: `prompt` of them are read, the last `free` before the end are words of small talk."""

    tokens: list[int]
    prompt: int
    free: int


class Encoder:
    """Turns examples into tokens."""

    def __init__(self, folder: Path) -> None:
        """Read the tokenizer."""
        self._tokenizer = AutoTokenizer.from_pretrained(folder)

    def encode(self, example: Example) -> Row:
        """Return the tokens of prompt and answer, how many belong to the prompt, and how many words are free."""
        prompt = [START, *self._ids(example.prompt)]
        answer = self._ids(" " + example.answer)
        free = 0
        parts = example.answer.split(" · ")
        if len(parts) == 3 and parts[1] in ("잡담", "마음"):
            free = len(answer) - len(self._ids(f" {parts[0]} · {parts[1]} ·"))
        return Row([*prompt, *answer, END], len(prompt), free)

    def _ids(self, text: str) -> list[int]:
        return list(self._tokenizer(text, add_special_tokens=False)["input_ids"])


def batches(rows: list[Row], size: int, rng: random.Random) -> Iterator[list[Row]]:
    """Yield batches of rows of like length, in random order."""
    rng.shuffle(rows)
    window = size * 12
    for start in range(0, len(rows) - size + 1, window):
        part = sorted(rows[start : start + window], key=lambda row: len(row.tokens))
        groups = [part[at : at + size] for at in range(0, len(part), size)]
        rng.shuffle(groups)
        yield from (group for group in groups if len(group) == size)


class Trainer:
    """The model with its adapter, and one step of it."""

    def __init__(self, folder: Path, vocabulary: list[int], device: str) -> None:
        """Load the base and put an adapter on all its linear layers."""
        self.device = device
        base = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.bfloat16, attn_implementation="sdpa")
        for parameter in base.parameters():
            parameter.requires_grad_(requires_grad=False)
        config = LoraConfig(r=RANK, lora_alpha=ALPHA, lora_dropout=0.0, target_modules="all-linear")
        self.model: Any = get_peft_model(base, config).to(device)
        self.core = self.model.base_model.model.model
        # The adapter computes in bfloat16 like the base, without conversions on the way; small steps add up in float32.
        self._fast = [parameter for parameter in self.model.parameters() if parameter.requires_grad]
        for parameter in self._fast:
            parameter.data = parameter.data.to(torch.bfloat16)
        self.parameters = [torch.nn.Parameter(parameter.detach().float()) for parameter in self._fast]
        self.set_vocabulary(vocabulary)

    def set_vocabulary(self, vocabulary: list[int]) -> None:
        """Let these tokens compete for each place of an answer."""
        ids = torch.tensor(vocabulary)
        weights = self.core.embed_tokens.weight.detach()
        self.rows = weights[ids.to(weights.device)].float()
        self.place = torch.full((weights.shape[0],), -1, dtype=torch.long, device=self.device)
        self.place[ids.to(self.device)] = torch.arange(len(vocabulary), device=self.device)

    def scores(self, batch: list[Row]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return the scores at the answers' places, what stands there, its weight, and the row of the batch."""
        width = -(-max(len(row.tokens) for row in batch) // WIDTH_STEP) * WIDTH_STEP
        ids = torch.zeros((len(batch), width), dtype=torch.long)
        mask = torch.zeros((len(batch), width), dtype=torch.long)
        rows, columns, targets, weights = [], [], [], []
        for index, row in enumerate(batch):
            size = len(row.tokens)
            ids[index, :size] = torch.tensor(row.tokens)
            mask[index, :size] = 1
            for at in range(row.prompt, size):
                rows.append(index)
                columns.append(at - 1)
                targets.append(row.tokens[at])
                weights.append(FREE_WEIGHT if size - 1 - row.free <= at < size - 1 else 1.0)
        hidden = self.core(
            input_ids=ids.to(self.device), attention_mask=mask.to(self.device), use_cache=False
        ).last_hidden_state
        count = len(rows)
        padding = [0] * (-count % 64)
        # In 32 bits: a score near 25 has steps of an eighth in bfloat16, as large as what tells two tokens apart.
        scores = (hidden[rows + padding, columns + padding].float() @ self.rows.T)[:count]
        places = self.place[torch.tensor(targets, device=self.device)]
        return scores, places, torch.tensor(weights, device=self.device), torch.tensor(rows)

    def loss(self, batch: list[Row]) -> torch.Tensor:
        """Return the weighted loss of a batch."""
        scores, places, weights, _ = self.scores(batch)
        each = functional.cross_entropy(scores, places, reduction="none")
        return (each * weights).sum() / weights.sum()

    def step(self, loss: torch.Tensor, optimiser: torch.optim.Optimizer) -> None:
        """Go one step down: gradients in bfloat16, weights and moments in float32."""
        loss.backward()
        for slow, fast in zip(self.parameters, self._fast, strict=True):
            slow.grad = fast.grad.float()
            fast.grad = None
        torch.nn.utils.clip_grad_norm_(self.parameters, 1.0)
        optimiser.step()
        optimiser.zero_grad(set_to_none=True)
        self.refresh()

    def refresh(self) -> None:
        """Take the exact weights into the computing ones."""
        with torch.no_grad():
            for slow, fast in zip(self.parameters, self._fast, strict=True):
                fast.copy_(slow)

    def take(self, weights: list[torch.Tensor]) -> None:
        """Go on from the weights of a checkpoint."""
        with torch.no_grad():
            for slow, weight in zip(self.parameters, weights, strict=True):
                slow.copy_(weight)
        self.refresh()

    def state(self) -> dict[str, torch.Tensor]:
        """Return the adapter's weights."""
        exact = {id(fast): slow.detach() for slow, fast in zip(self.parameters, self._fast, strict=True)}
        names = {name: parameter for name, parameter in self.model.named_parameters() if id(parameter) in exact}
        kept = get_peft_model_state_dict(self.model, {name: exact[id(each)] for name, each in names.items()})
        return {name: weight.float().cpu() for name, weight in kept.items()}


def check(trainer: Trainer, rows: list[Row], size: int) -> tuple[float, float]:
    """Return the loss, and the share of answers of which every token is the likeliest."""
    trainer.model.eval()
    losses, right = [], 0
    with torch.no_grad():
        for start in range(0, len(rows), size):
            scores, targets, weights, owners = trainer.scores(rows[start : start + size])
            each = functional.cross_entropy(scores, targets, reduction="none")
            losses.append(float((each * weights).sum() / weights.sum()))
            wrong = {
                int(owner) for owner, bad in zip(owners, scores.argmax(1).cpu() != targets.cpu(), strict=True) if bad
            }
            right += len(rows[start : start + size]) - len(wrong)
    trainer.model.train()
    return sum(losses) / len(losses), right / len(rows)


def rate(step: int, options: argparse.Namespace) -> float:
    """Return the learning rate of a step: warm-up, plateau, decay."""
    warm = min(1.0, (step - options.warm_from + 1) / options.warmup)
    left = (options.steps - step) / max(1, options.decay)
    return options.rate * max(0.02, min(warm, left, 1.0))


def save(path: Path, payload: dict[str, Any]) -> None:
    """Write `payload` so that a stop in the middle leaves the file before it."""
    part = path.with_suffix(".part")
    torch.save(payload, part)
    with part.open("rb") as file:
        os.fsync(file.fileno())
    part.replace(path)


def run(options: argparse.Namespace) -> int:
    """Train until the last step."""
    torch.manual_seed(options.seed)
    work: Path = options.work
    work.mkdir(parents=True, exist_ok=True)
    folder = dequantise(assemble(work / "base.gguf"), work / "hf")
    encoder = Encoder(folder)
    held = [encoder.encode(example) for example in make_examples(options.checks, 77, held_out=True)]
    epoch, rows = options.seed * 1000, []

    def next_epoch(number: int) -> list[Row]:
        return [encoder.encode(example) for example in make_examples(options.examples, number)]

    used = {token for row in [*held, *next_epoch(epoch)] for token in row.tokens}
    others = random.Random(0).sample(range(4, 262_000), CANDIDATES)  # noqa: S311
    vocabulary = sorted(used | set(others[: max(0, CANDIDATES - len(used))]) | {END, 107})
    trainer = Trainer(folder, vocabulary, options.device)
    optimiser = torch.optim.AdamW(trainer.parameters, lr=options.rate, weight_decay=0.01, betas=(0.9, 0.98))
    checkpoint = work / "checkpoint.pt"
    step, best = 0, 0.0
    if checkpoint.exists():
        state = torch.load(checkpoint, map_location=options.device, weights_only=True)
        trainer.take(state["weights"])
        optimiser.load_state_dict(state["optimiser"])
        step, epoch = state["step"], state["epoch"] + 1
        print(f"going on from step {step}", flush=True)
    trainer.model.train()
    started, seen = time.perf_counter(), 0
    log = (work / "log.jsonl").open("a", encoding="utf-8")
    while step < options.steps:
        rows = next_epoch(epoch)
        fresh = {token for row in rows for token in row.tokens} - set(vocabulary)
        if fresh:
            vocabulary = sorted({*vocabulary, *fresh})
            trainer.set_vocabulary(vocabulary)
        for batch in batches(rows, options.batch, random.Random(epoch)):  # noqa: S311
            for group in optimiser.param_groups:
                group["lr"] = rate(step, options)
            loss = trainer.loss(batch)
            trainer.step(loss, optimiser)
            step += 1
            seen += len(batch)
            if step % 10 == 0:
                speed = seen / (time.perf_counter() - started)
                print(
                    f"step {step} loss {float(loss):.4f} rate {rate(step, options):.2e} {speed:.1f} examples/s",
                    flush=True,
                )
            if step % options.every == 0 or step >= options.steps:
                lost, exact = check(trainer, held, options.batch)
                best = max(best, exact)
                log.write(
                    json.dumps({"step": step, "loss": float(loss), "held_loss": lost, "held_exact": exact}) + "\n"
                )
                log.flush()
                print(f"step {step}: held-out loss {lost:.4f}, exact {exact:.3f}", flush=True)
                weights = [parameter.detach() for parameter in trainer.parameters]
                state = {"weights": weights, "optimiser": optimiser.state_dict(), "step": step, "epoch": epoch}
                save(checkpoint, state)
                save(work / "adapter.pt", {"adapter": trainer.state(), "step": step, "rank": RANK, "alpha": ALPHA})
            if step >= options.steps:
                break
        epoch += 1
    return 0


def main() -> int:
    """Read the command line and train."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path)
    parser.add_argument("--steps", type=int, default=900, help="steps in all, those of a checkpoint included")
    parser.add_argument("--decay", type=int, default=250, help="steps at the end in which the learning rate falls")
    parser.add_argument("--warmup", type=int, default=30)
    parser.add_argument("--warm-from", type=int, default=0, help="the step at which the warm-up begins")
    parser.add_argument("--rate", type=float, default=2.5e-4)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--examples", type=int, default=9000, help="examples of an epoch")
    parser.add_argument("--checks", type=int, default=320, help="held-out examples of a check")
    parser.add_argument("--every", type=int, default=60, help="steps between checks, each with a checkpoint")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    return run(parser.parse_args())


if __name__ == "__main__":
    sys.exit(main())
