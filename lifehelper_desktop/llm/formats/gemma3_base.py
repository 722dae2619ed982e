"""Pretrained Gemma without a chat template: it never writes a call freely, it chooses among things that exist.

A small pretrained model writes unreliable JSON but is a good judge of likelihood. So the turn is a row of choices,
each decided by the model's own probabilities in a short few-shot prompt: which call, then each argument (an enumerated
value, a numbered item of the context, a span of the message), then which of the prepared answers. Whatever comes out is
a valid call. Nothing here knows what the tools are about: tools, schemas, examples and answers come from the caller.

Own schema keys, read here and hidden from chat-tuned models:
    x-label: the short name of a tool (on its whole schema) or of a property in the few-shot prompt.
    x-labels: {value: words} for an enumerated value; the model judges the words; `한국어 / English` gives both.
    x-search: {value: more words} that only help to find the value in the message.
    x-copy: patterns; the first group (or all) of a match in the message is the value.
    x-lookup: {"from": [other properties], "values": {their values joined by "|": this value}}; one name will do.
`default` is taken when nothing else says more.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol

from lifehelper_desktop.llm.formats.similarity import SimilarityIndex, best_indexes, has_hangul
from lifehelper_desktop.llm.protocol import LlmExample, LlmPrompt, LlmTool

_USER: Final = "사용자"
_CALL: Final = "도구"
_ANSWER: Final = "코치"
_NO_CALL: Final = "대답"
_NEUTRAL: Final = "…"

_SHOTS_FOR_CALL: Final = 6
_SHOTS_FOR_ARGUMENT: Final = 5
_SHOTS_FOR_ANSWER: Final = 4
_LIKENESS_WEIGHT: Final = 4.0
"""How many nats a perfectly alike example is worth beside the model's own log-probability (measured)."""
_LIKENESS_WEIGHT_FOR_VALUE: Final = 12.0
_RECENT_BONUS: Final = 8.0
"""What a value is worth that was just spoken of: “add that one”."""
_MAX_OPTIONS: Final = 16
_NUMBERED: Final = re.compile(r"(?:^|[\s:·,])(\d{1,9})[ .)]+([^·\n]+)")

_FIELD: Final = re.compile(r"\{([A-Za-z_]\w*)(?:\.([A-Za-z_]\w*))?\}")

_MISSING: Final = object()


class Judge(Protocol):
    """The model's probabilities."""

    def score(self, prompt: str, options: Sequence[str]) -> list[float]:
        """Return the log-probability of each option right after `prompt`."""
        ...

    def complete(self, prompt: str, max_tokens: int) -> str:
        """Return the likeliest rest of the line after `prompt`."""
        ...


def numbered_items(context: str) -> dict[int, str]:
    """Return the items `1 name · 2 name` that `context` lists, by number."""
    out: dict[int, str] = {}
    for line in context.splitlines():
        _key, _separator, body = line.rpartition(": ")
        items = _NUMBERED.findall(" " + body)
        # A date or a clock is no list: a list counts from small numbers and names each item.
        for number, name in items:
            if name.strip():
                out.setdefault(int(number), name.strip())
    return out


def _is_number(schema: Mapping[str, Any]) -> bool:
    """Return whether a value is a number, or may be one: `["integer", "string"]` is a number or a name."""
    kind = schema.get("type")
    return kind == "integer" or (isinstance(kind, list | tuple) and "integer" in kind)


def _in_language_of(user: str, label: str) -> str:
    """Return the part of a label in two languages (`한국어 / English`) that is in the user's."""
    parts = label.split(" / ")
    fitting = [part for part in parts if has_hangul(part) == has_hangul(user)]
    return fitting[0] if len(parts) > 1 and fitting else label


class FewShotGuide:
    """Decides turns of one conversation. Pure apart from the judge."""

    def __init__(self, prompt: LlmPrompt, judge: Judge) -> None:
        """Use the tools and examples of `prompt`."""
        self._judge = judge
        self._tools = {tool.name: tool for tool in prompt.tools}
        self._examples = [
            example for example in prompt.examples if all(name in self._tools for name, _ in example.calls)
        ]
        self._index = SimilarityIndex(example.user for example in self._examples)
        self._neutral: dict[tuple[str, ...], list[float]] = {}

    # -- which call

    def decide(self, user: str, context: str, recent: str = "") -> list[tuple[str, dict[str, Any]]]:
        """Return the calls that answer `user`, none when words do. `recent` is what was said just before."""
        if not self._tools or not self._examples:
            return []
        likeness = self._index.compare(user)
        names = self._choose_names(user, likeness)
        return [(name, self._arguments(self._tools[name], user, context, recent, likeness)) for name in names]

    def _kind(self, example: LlmExample) -> tuple[str, ...]:
        return tuple(name for name, _ in example.calls)

    def _label(self, kind: tuple[str, ...]) -> str:
        labels = [str(self._tools[name].parameters.get("x-label", name)) for name in kind]
        return "+".join(labels) if labels else _NO_CALL

    def _choose_names(self, user: str, likeness: Sequence[float]) -> tuple[str, ...]:
        kinds = list(dict.fromkeys(self._kind(example) for example in self._examples))
        near = best_indexes(likeness, _SHOTS_FOR_CALL)
        shots = [
            f"{_USER}: {self._examples[index].user}\n{_CALL}: {self._label(self._kind(self._examples[index]))}\n\n"
            for index in reversed(near)
        ]
        scores = self._judge.score(
            "".join(shots) + f"{_USER}: {user}\n{_CALL}:", [" " + self._label(kind) for kind in kinds]
        )
        for index in near:
            scores[kinds.index(self._kind(self._examples[index]))] += _LIKENESS_WEIGHT * likeness[index]
        return kinds[best_indexes(scores, 1)[0]]

    # -- with which arguments

    def _arguments(
        self, tool: LlmTool, user: str, context: str, recent: str, likeness: Sequence[float]
    ) -> dict[str, Any]:
        properties: Mapping[str, Any] = tool.parameters.get("properties", {})
        required = tool.parameters.get("required", ())
        shots = self._shots(tool.name, likeness)
        out: dict[str, Any] = {}
        for key, schema in properties.items():
            value = self._argument(key, schema, user, context, recent, shots, out, needed=key in required)
            if value is not _MISSING:
                out[key] = value
        return out

    def _shots(self, name: str, likeness: Sequence[float]) -> list[tuple[float, LlmExample, Mapping[str, Any]]]:
        """Return the examples that call `name`, most alike first, with their arguments."""
        out = [
            (likeness[index], example, args)
            for index, example in enumerate(self._examples)
            for called, args in example.calls
            if called == name
        ]
        return sorted(out, key=lambda row: -row[0])

    def _argument(
        self,
        key: str,
        schema: Mapping[str, Any],
        user: str,
        context: str,
        recent: str,
        shots: Sequence[tuple[float, LlmExample, Mapping[str, Any]]],
        so_far: Mapping[str, Any],
        *,
        needed: bool,
    ) -> Any:
        near = shots[:3]
        usual = needed or sum(key in args for _, _, args in near) * 2 > len(near)
        if "x-copy" in schema:
            copied = self._copied(key, schema, user, shots)
            if copied is not _MISSING:
                return copied
        lookup = schema.get("x-lookup")
        if isinstance(lookup, Mapping):
            source = lookup.get("from", ())
            names = [source] if isinstance(source, str) else source
            known = "|".join(str(so_far.get(name)) for name in names)
            found = lookup.get("values", {}).get(known, _MISSING)
            if found is not _MISSING:
                return found
        options = self._options(schema, context)
        if not usual:
            return schema.get("default", _MISSING)
        if options:
            return self._choose_value(key, options, schema, user, recent, shots)
        if "default" in schema:
            return schema["default"]
        if "x-copy" in schema and not needed:
            return _MISSING
        if schema.get("type", "string") == "string":
            return self._written(key, user, shots, needed=needed)
        return _MISSING

    def _copied(
        self,
        key: str,
        schema: Mapping[str, Any],
        user: str,
        shots: Sequence[tuple[float, LlmExample, Mapping[str, Any]]],
    ) -> Any:
        spans: list[str] = []
        for pattern in schema["x-copy"]:
            for match in re.finditer(pattern, user, re.IGNORECASE):
                span = next((group for group in match.groups() if group), match.group()).strip()
                if span and not any(span in other for other in spans):
                    spans.append(span)
        if not spans:
            return _MISSING
        chosen = spans[0] if len(spans) == 1 else self._pick(key, user, spans, shots)
        if _is_number(schema):
            digits = re.search(r"\d+", chosen)
            return int(digits.group()) if digits else _MISSING
        return chosen

    def _options(self, schema: Mapping[str, Any], context: str) -> dict[Any, str]:
        labels: Mapping[Any, str] = schema.get("x-labels", {})
        if "enum" in schema or labels:
            values = schema.get("enum", labels)
            return {value: str(labels.get(value, labels.get(str(value), value))) for value in values}
        return dict(numbered_items(context)) if _is_number(schema) else {}

    def _choose_value(
        self,
        key: str,
        options: Mapping[Any, str],
        schema: Mapping[str, Any],
        user: str,
        recent: str,
        shots: Sequence[tuple[float, LlmExample, Mapping[str, Any]]],
    ) -> Any:
        values = list(options)
        if len(values) == 1:
            return values[0]
        shown = [value for value in values if any(args.get(key) == value for _, _, args in shots)]
        if "x-labels" not in schema and (len(shown) == len(values) or ("default" in schema and len(shown) > 1)):
            # The values have their examples: the model judges by them.
            return shown[self._values(shown).index(self._pick(key, user, self._values(shown), shots))]
        if "default" in schema:
            return schema["default"]
        words = [_in_language_of(user, options[value]) for value in values]
        more: Mapping[Any, str] = schema.get("x-search", {})
        alike = SimilarityIndex(f"{options[value]} {more.get(value, '')}" for value in values).compare(user)
        hints = [
            _LIKENESS_WEIGHT_FOR_VALUE * like + (_RECENT_BONUS if recent and str(value) in recent else 0.0)
            for like, value in zip(alike, values, strict=True)
        ]
        kept = sorted(best_indexes(hints, _MAX_OPTIONS))
        scores = self._pointwise(user, [words[index] for index in kept], str(schema.get("x-label", key)))
        total = [score + hints[index] for score, index in zip(scores, kept, strict=True)]
        return values[kept[best_indexes(total, 1)[0]]]

    def _values(self, values: Sequence[Any]) -> list[str]:
        return [value if isinstance(value, str) else json.dumps(value, ensure_ascii=False) for value in values]

    def _pointwise(self, user: str, words: Sequence[str], cue: str) -> list[float]:
        """Return how much likelier each of `words` is made by the message: names long or rare are not put back."""
        spaced = [" " + word for word in words]
        key = (cue, *spaced)
        if key not in self._neutral:
            if len(self._neutral) > 64:
                self._neutral.clear()
            self._neutral[key] = self._judge.score(f"{_USER}: {_NEUTRAL}\n{cue}:", spaced)
        scores = self._judge.score(f"{_USER}: {user}\n{cue}:", spaced)
        return [score - base for score, base in zip(scores, self._neutral[key], strict=True)]

    def _pick(
        self,
        key: str,
        user: str,
        words: Sequence[str],
        shots: Sequence[tuple[float, LlmExample, Mapping[str, Any]]],
    ) -> str:
        """Return the one of `words` that the model, shown alike examples, finds likeliest."""
        near = [row for row in shots if key in row[2]][:_SHOTS_FOR_ARGUMENT]
        lines = [
            f"{_USER}: {example.user}\n{key}: {self._values([args[key]])[0]}\n\n" for _, example, args in reversed(near)
        ]
        scores = self._judge.score("".join(lines) + f"{_USER}: {user}\n{key}:", [" " + word for word in words])
        for like, _, args in near:
            shown = self._values([args[key]])[0]
            if shown in words:
                scores[words.index(shown)] += _LIKENESS_WEIGHT * like
        return words[best_indexes(scores, 1)[0]]

    def _written(
        self,
        key: str,
        user: str,
        shots: Sequence[tuple[float, LlmExample, Mapping[str, Any]]],
        *,
        needed: bool,
    ) -> Any:
        near = [row for row in shots if isinstance(row[2].get(key), str)][:_SHOTS_FOR_ARGUMENT]
        lines = [f"{_USER}: {example.user}\n{key}: {args[key]}\n\n" for _, example, args in reversed(near)]
        text = self._judge.complete("".join(lines) + f"{_USER}: {user}\n{key}:", 32).strip()
        if text:
            return text
        return user if needed else _MISSING

    # -- in which words

    def answer(self, user: str, calls: Sequence[str], data: Mapping[str, Any]) -> str:
        """Return the prepared answer that fits best, its `{fields}` filled from `data`; empty when none fits."""
        kind = tuple(calls)
        likeness = self._index.compare(user) if self._examples else []
        rows: dict[str, tuple[int, float, LlmExample]] = {}
        for index, example in enumerate(self._examples):
            if self._kind(example) != kind or not example.answer:
                continue
            if has_hangul(example.answer) != has_hangul(user):
                continue
            text = fill_template(example.answer, data)
            if text is None:
                continue
            # An answer that says what came out is better than one that says nothing.
            row = (len(_FIELD.findall(example.answer)), likeness[index], example)
            if text not in rows or row[:2] > rows[text][:2]:
                rows[text] = row
        if not rows:
            return ""
        texts = sorted(rows, key=lambda text: rows[text][:2], reverse=True)[:_MAX_OPTIONS]
        if len(texts) == 1 or kind:
            return texts[0]
        shots = "".join(
            f"{_USER}: {rows[text][2].user}\n{_ANSWER}: {text}\n\n" for text in reversed(texts[:_SHOTS_FOR_ANSWER])
        )
        scores = self._judge.score(f"{shots}{_USER}: {user}\n{_ANSWER}:", [" " + text for text in texts])
        total = [
            score / max(8, len(text)) + _LIKENESS_WEIGHT * rows[text][1]
            for score, text in zip(scores, texts, strict=True)
        ]
        return texts[best_indexes(total, 1)[0]]


def fill_template(template: str, data: Mapping[str, Any]) -> str | None:
    """Return `template` with `{field}` and `{list.field}` taken from `data`, or None when something is missing.

    A list becomes its items (or their field) joined by commas.
    """
    missing = False

    def value(match: re.Match[str]) -> str:
        nonlocal missing
        found = data.get(match.group(1))
        field = match.group(2)
        if isinstance(found, list):
            items = [item.get(field) if field and isinstance(item, Mapping) else item for item in found]
            found = ", ".join(str(item) for item in items if item is not None)
        elif field and isinstance(found, Mapping):
            found = found.get(field)
        if found is None or found == "" or isinstance(found, Mapping):
            missing = True
            return ""
        return str(found)

    text = _FIELD.sub(value, template)
    return None if missing else text
