"""How the next token is picked: a description, and the llama.cpp sampler chain made from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lifehelper_desktop.llm.llama_native import native


@dataclass(frozen=True, slots=True)
class Sampling:
    """Settings of one sampler chain; temperature 0 always takes the likeliest token.

    Attributes:
        repeat_penalty: Divides the chance of tokens among the last `repeat_last_n`; 1.0 is off.
        seed: Same seed, same answer.
    """

    temperature: float = 0.0
    top_k: int = 64
    top_p: float = 0.95
    min_p: float = 0.0
    repeat_penalty: float = 1.0
    repeat_last_n: int = 64
    seed: int = 7


GREEDY = Sampling()


class NativeSampler:
    """A llama.cpp sampler chain. Lives on the engine's thread; `close` it, or leave a `with` block."""

    def __init__(self, sampling: Sampling, n_vocab: int) -> None:
        """Build the chain of `sampling`."""
        self._native = native()
        chain: Any = self._native.llama_sampler_chain_init(self._native.llama_sampler_chain_default_params())
        if not chain:
            raise MemoryError("llama_sampler_chain_init")
        self._chain = chain
        for link in self._links(sampling, n_vocab):
            self._native.llama_sampler_chain_add(chain, link)

    def _links(self, sampling: Sampling, n_vocab: int) -> list[Any]:
        api = self._native
        links: list[Any] = []
        greedy = sampling.temperature <= 0.0
        if sampling.repeat_penalty > 1.0 and sampling.top_k > 0:
            # Looking up 262,144 candidates costs 1.3 ms a token. A penalty only pushes tokens down, and no more than
            # `repeat_last_n` of them: whatever is among the first k afterwards was among the first k + n before.
            links.append(api.llama_sampler_init_top_k((1 if greedy else sampling.top_k) + sampling.repeat_last_n))
        if sampling.repeat_penalty != 1.0:
            links.append(
                api.llama_sampler_init_penalties(n_vocab, sampling.repeat_last_n, sampling.repeat_penalty, 0.0, 0.0)
            )
        if greedy:
            return [*links, api.llama_sampler_init_greedy()]
        return [
            *links,
            api.llama_sampler_init_top_k(sampling.top_k),
            api.llama_sampler_init_top_p(sampling.top_p, 1),
            api.llama_sampler_init_min_p(sampling.min_p, 1),
            api.llama_sampler_init_temp(sampling.temperature),
            api.llama_sampler_init_dist(sampling.seed),
        ]

    def sample(self, context: Any) -> int:
        """Return the next token from the last logits of `context`, and remember it for the penalties."""
        return int(self._native.llama_sampler_sample(self._chain, context, -1))

    def close(self) -> None:
        """Free the chain; safe to call twice."""
        if self._chain is not None:
            self._native.llama_sampler_free(self._chain)
            self._chain = None

    def __enter__(self) -> NativeSampler:
        """Use it in a `with` block."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Free the chain."""
        self.close()
