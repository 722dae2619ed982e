"""What is said about graphics cards: the real build here, and builds that have one."""

from __future__ import annotations

from typing import Any

from lifehelper_desktop.llm.gpu import gpu_status


class _Call:
    """A C function of a pretended library: takes the attributes that ctypes sets."""

    def __init__(self, answer: Any) -> None:
        self._answer = answer

    def __call__(self, *args: Any) -> Any:
        return self._answer(*args) if callable(self._answer) else self._answer


class _Library:
    def __init__(self, kinds: list[int]) -> None:
        self.ggml_backend_dev_count = _Call(len(kinds))
        self.ggml_backend_dev_get = _Call(lambda index: index)
        self.ggml_backend_dev_type = _Call(lambda device: kinds[device])
        self.ggml_backend_dev_description = _Call(lambda device: f"card {device}".encode())


class _Build:
    def __init__(self, kinds: list[int]) -> None:
        self._lib = _Library(kinds)

    def llama_supports_gpu_offload(self) -> bool:
        return True


def test_the_real_build_uses_a_card_or_says_why_not() -> None:
    status = gpu_status()
    assert status.used is (status.reason == "")
    assert status.used is bool(status.devices)


def test_a_build_with_a_card_uses_it() -> None:
    status = gpu_status(_Build([0, 1, 2]))
    assert (status.used, status.devices, status.reason) == (True, ("card 1", "card 2"), "")


def test_a_build_that_finds_no_card_says_so() -> None:
    status = gpu_status(_Build([0]))
    assert (status.used, status.devices) == (False, ())
    assert "CPU" in status.reason
