"""What can be seen of a text."""

from __future__ import annotations

import pytest

from lifehelper_desktop.domain.rules import (
    RuleViolation,
    check_anchor,
    check_doses,
    check_frame_text,
    check_single_protocol,
    check_text_length,
)
from lifehelper_desktop.domain.text import has_visible_text, same_text, visible_length

INVISIBLE = [
    *("\u200b\u200b", "\u3164\u3164", "\u2060" * 3, "\ufeff" * 2, "\u115f\u1160", "\uffa0", "\u00ad", "\ufe0f" * 2),
    *("\u200d\u200c", "\u2800\u2800", "\x00\x1f", " \u3000\u00a0", "\u202e\u2066", "\u034f", "\U000e0041", ""),
]


@pytest.mark.parametrize("text", INVISIBLE)
def test_invisible_text_stands_for_nothing(text: str) -> None:
    assert not has_visible_text(text)
    assert visible_length(f"{text}걷{text}") == 1
    assert same_text(f"걷기 5분{text}", "걷기 5분")
    assert check_text_length(text, 60, "anchor_when") is None
    for code, check in (
        ("r2_anchor", lambda: check_anchor(text, text)),
        ("validation", lambda: check_frame_text(text, "")),
        ("validation", lambda: check_frame_text(f"{text}걷{text}", "")),
        ("validation", lambda: check_doses(text, "걷기 5분")),
        ("r9_minimum", lambda: check_doses("걷기 20분", text)),
        ("r9_minimum", lambda: check_doses("걷기 5분", f"걷기{text or ' '} 5분{text}")),
        ("r8_xor", lambda: check_single_protocol(text)),
    ):
        with pytest.raises(RuleViolation) as refused:
            check()
        assert refused.value.code == code


@pytest.mark.parametrize("text", ["걷기", "🚶", "👨‍👩‍👧", "שלום", "؀", "…"])
def test_what_can_be_seen(text: str) -> None:
    assert has_visible_text(text)
    assert not same_text(text, f"{text}!")


def test_none_has_nothing() -> None:
    assert not has_visible_text(None)
