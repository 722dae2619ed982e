"""Was a turn right? Judged by the calls that reached the dispatcher and by what the answer claims."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lifehelper_desktop.domain.framing import detect_avoidance_keywords
from lifehelper_desktop.domain.rules import FRAME_TEXT_MAX, FRAME_TEXT_MIN


@dataclass(frozen=True, slots=True)
class JudgedCall:
    """One call that reached the dispatcher.

    Attributes:
        args: Arguments after the app's own normalisation.
        date: Civil date that a log call speaks of, ISO, or None for other tools.
        result: The envelope that came back.
    """

    name: str
    args: Mapping[str, Any]
    is_write: bool
    date: str | None
    result: Mapping[str, Any]

    @property
    def outcome(self) -> str:
        """`ok`, an error code, or `cancelled`."""
        status = str(self.result.get("status"))
        return str(self.result.get("code")) if status == "error" else status


@dataclass(frozen=True, slots=True)
class Judgement:
    """Whether a case passed, and in words why not."""

    passed: bool
    why: str = ""


def judge(expect: Mapping[str, Any], calls: Sequence[JudgedCall], false_claim: bool) -> Judgement:
    """Judge one turn; a claimed write that did not happen fails whatever else is right."""
    if false_claim:
        return Judgement(False, "claims a write that did not happen")
    if "any_of" in expect:
        reasons = []
        for choice in expect["any_of"]:
            verdict = judge(choice, calls, false_claim)
            if verdict.passed:
                return verdict
            reasons.append(verdict.why)
        return Judgement(False, " / ".join(dict.fromkeys(reasons)))
    if expect.get("no_tool"):
        return Judgement(not calls, f"called {calls[0].name}" if calls else "")
    return _judge_calls(expect, calls)


_MATCHERS = frozenset({"finds", "any", "one_of", "regex", "frame"})


def check_expect(expect: Mapping[str, Any]) -> None:
    """Check that a case's `expect` can be judged, before a model spends minutes on the cases before it.

    Raises:
        ValueError, KeyError, TypeError: It cannot; says what is wrong.
    """
    if "any_of" in expect:
        for choice in expect["any_of"]:
            check_expect(choice)
        return
    for call in expect.get("calls", ()):
        if not isinstance(call["name"], str):
            raise TypeError("a call's name must be text")
        for key, wanted in call.get("args", {}).items():
            if not isinstance(wanted, Mapping):
                continue
            if not _MATCHERS & set(wanted):
                raise ValueError(f"unknown way to judge {key}: {dict(wanted)}")
            for pattern in (wanted.get("regex"), wanted.get("frame", {}).get("about")):
                if pattern is not None:
                    re.compile(pattern)


def _judge_calls(expect: Mapping[str, Any], calls: Sequence[JudgedCall]) -> Judgement:
    wanted: Sequence[Mapping[str, Any]] = expect.get("calls", ())
    position = 0
    unexpected: JudgedCall | None = None
    for call in calls:
        if position < len(wanted) and _matches(wanted[position], call):
            position += 1
        elif call.is_write and unexpected is None:
            unexpected = call
    if position < len(wanted):
        return Judgement(False, f"missing {wanted[position]['name']} {wanted[position].get('args', {})}")
    if unexpected is not None:
        return Judgement(False, f"extra write {unexpected.name} {dict(unexpected.args)}")
    writes = [call for call in calls if call.is_write]
    outcome = writes[-1].outcome if writes else "none"
    wanted_outcome = expect.get("result", "none")
    return Judgement(outcome == wanted_outcome, f"result {outcome}, wanted {wanted_outcome}")


def _matches(wanted: Mapping[str, Any], call: JudgedCall) -> bool:
    if wanted["name"] != call.name:
        return False
    if "date" in wanted and wanted["date"] != call.date:
        return False
    return all(_value_matches(key, value, call) for key, value in wanted.get("args", {}).items())


def _value_matches(key: str, wanted: Any, call: JudgedCall) -> bool:
    value = call.args.get(key)
    if not isinstance(wanted, Mapping):
        return _plain_equal(wanted, value)
    if "finds" in wanted:
        items = call.result.get("data", {}).get("items", ())
        return any(item.get("id") == wanted["finds"] for item in items)
    if "any" in wanted:
        return key in call.args
    if "one_of" in wanted:
        return any(_plain_equal(choice, value) for choice in wanted["one_of"])
    if "regex" in wanted:
        return value is not None and re.search(wanted["regex"], str(value), re.IGNORECASE) is not None
    return isinstance(value, str) and _is_frame(value, wanted["frame"], call)


def _plain_equal(wanted: Any, value: Any) -> bool:
    if isinstance(wanted, str) and isinstance(value, str):
        return wanted.strip().casefold() == value.strip().casefold()
    return type(wanted) is type(value) and wanted == value


def _is_frame(text: str, frame: Mapping[str, Any], call: JudgedCall) -> bool:
    if "level" in frame and call.args.get("frame_level") != frame["level"]:
        return False
    if not FRAME_TEXT_MIN <= len(text.strip()) <= FRAME_TEXT_MAX or detect_avoidance_keywords(text):
        return False
    return "about" not in frame or re.search(frame["about"], text, re.IGNORECASE) is not None
