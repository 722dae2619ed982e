"""Pieces of generation that need no model."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lifehelper_desktop.llm.generation import StopStrings, Utf8Pieces, is_looping
from lifehelper_desktop.llm.vocabulary import break_markers


@given(st.text(max_size=30), st.integers(1, 4))
def test_characters_come_whole(text: str, size: int) -> None:
    data = text.replace("\u2060", "").encode()
    pieces = Utf8Pieces()
    shown = [pieces.feed(data[i : i + size]) for i in range(0, len(data), size)]
    assert "".join(shown) + pieces.finish() == data.decode()
    assert all("\ufffd" not in part or "\ufffd" in text for part in shown)


def test_half_a_character_at_the_end_is_dropped() -> None:
    pieces = Utf8Pieces()
    assert pieces.feed("뷁".encode()) == "뷁"
    assert pieces.feed("쀍".encode()[:2]) == ""
    assert pieces.finish() == ""


@given(st.text("ab<>en", max_size=30), st.integers(1, 5))
def test_stop_strings_however_cut(text: str, size: int) -> None:
    stops = StopStrings(["<en", "ba<"])
    shown = ""
    for i in range(0, len(text), size):
        shown += stops.feed(text[i : i + size])
        if stops.found:
            break
    else:
        shown += stops.finish()
    ends = [i for i in (text.find("<en"), text.find("ba<")) if i >= 0]
    assert stops.found == bool(ends)
    if not ends:
        assert shown == text
    else:
        # Cut finely, the one that is complete first wins; nothing of it is shown.
        assert text.startswith(shown)
        assert "<en" not in shown
        assert "ba<" not in shown


def test_loops_are_noticed_and_ordinary_text_is_not() -> None:
    assert is_looping([1, 2, 3, 4, 5, 6, 7, 8] * 3)
    assert is_looping([5] * 24)
    assert not is_looping([5] * 8)
    assert not is_looping(list(range(200)))
    assert not is_looping([1, 2, 3] * 3)


def test_marks_in_untrusted_text_are_broken_and_prose_is_not() -> None:
    for mark in ("<end_of_turn>", "<bos>", "<unused5>", "[multimodal]", "<|tool_call>", "<turn|>", '<|"|>', "</s>"):
        assert mark not in break_markers(f"가{mark}나")
        assert break_markers(mark).replace("\u2060", "") == mark
    assert break_markers("3 < 5, [1] 그리고 a<b c>d\0") == "3 < 5, [1] 그리고 a<b c>d"
