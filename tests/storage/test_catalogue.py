"""The catalogue files: schema, both languages, R7, sources, numbers of domain.md 4.1."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.i18n import LANGUAGES
from lifehelper_desktop.base.paths import resources_dir
from lifehelper_desktop.domain.framing import detect_avoidance_keywords
from lifehelper_desktop.domain.habits import Category, HabitKind, HabitType, Protocol
from lifehelper_desktop.domain.rules import ANCHOR_MAX, check_doses, check_frame_text
from lifehelper_desktop.storage.catalogue import Catalogue

FOLDER = resources_dir() / "catalogue"
SCHEMA: dict[str, Any] = json.loads((FOLDER / "schema.json").read_text(encoding="utf-8"))
CATALOGUE = Catalogue.load()
FILES = sorted(path.name for path in FOLDER.glob("*.json") if path.name not in ("schema.json", "categories.json"))
COUNTS = {  # domain.md 4.1: protocol, break, diet
    "sleep": (6, 2, 0),
    "movement": (5, 1, 0),
    "nutrition": (0, 2, 6),
    "mind": (5, 1, 0),
    "focus": (4, 1, 0),
    "digital": (2, 1, 0),
    "connection": (2, 1, 0),
    "bodycare": (4, 1, 0),
    "substance": (0, 3, 0),
}
HANGUL = re.compile("[가-힣]")
each_protocol = pytest.mark.parametrize("protocol", CATALOGUE.all(), ids=lambda protocol: protocol.id)


def test_the_schema_itself_is_valid() -> None:
    jsonschema.Draft7Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("name", FILES)
def test_files_follow_the_schema(name: str) -> None:
    rows = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    jsonschema.Draft7Validator(SCHEMA).validate(rows)
    assert {row["category"] for row in rows} == {Path(name).stem}


def test_categories_follow_the_schema() -> None:
    rows = json.loads((FOLDER / "categories.json").read_text(encoding="utf-8"))
    jsonschema.Draft7Validator({**SCHEMA["definitions"]["categories"], "definitions": SCHEMA["definitions"]}).validate(
        rows
    )
    assert [f"{row['name']}.json" for row in rows if f"{row['name']}.json" in FILES] == [
        f"{row['name']}.json" for row in rows
    ]
    assert len(rows) == len(FILES)


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"requires_ack": "yes"}, "requires_ack"),
        ({"kind": "habit"}, "kind"),
        ({"id": "Daily Steps"}, "id"),
        ({"keywords": []}, "keywords"),
        ({"extra": 1}, ""),
        ({"evidence": {"citation": "x", "doi": "none", "grade": "A"}}, "doi"),
        ({"evidence": {"citation": "x", "grade": "D", "doi": "10.1000/x"}}, "grade"),
    ],
)
def test_the_schema_refuses_mistakes(change: dict[str, object], path: str) -> None:
    row = json.loads((FOLDER / "movement.json").read_text(encoding="utf-8"))[0] | change
    with pytest.raises(jsonschema.ValidationError) as caught:
        jsonschema.Draft7Validator(SCHEMA).validate([row])
    assert path in [str(part) for part in caught.value.absolute_path] or path == ""


def test_a_break_entry_needs_a_replacement() -> None:
    row = next(row for row in json.loads((FOLDER / "sleep.json").read_text(encoding="utf-8")) if row["kind"] == "break")
    del row["en"]["replacement"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft7Validator(SCHEMA).validate([row])


def test_numbers() -> None:
    assert len(CATALOGUE.all()) == 47
    assert [category.name for category in CATALOGUE.categories] == list(COUNTS)
    found = Counter((protocol.category, protocol.kind) for protocol in CATALOGUE.all())
    for name, counts in COUNTS.items():
        assert tuple(found[name, kind] for kind in (HabitKind.PROTOCOL, HabitKind.BREAK, HabitKind.DIET)) == counts


def test_ids_are_unique_and_in_catalogue_order() -> None:
    ids = [protocol.id for protocol in CATALOGUE.all()]
    assert len(set(ids)) == 47
    assert (ids[0], ids[-1]) == ("regular-wake-time", "break-energy-drinks")
    assert CATALOGUE.get("caffeine-cutoff") == next(
        p for p in CATALOGUE.all() if p.category == "sleep" and "caff" in p.id
    )
    assert CATALOGUE.get(" Daily-Steps ") is CATALOGUE.get("daily-steps")
    assert CATALOGUE.get("no-such-entry") is None


def test_entries_that_need_care_are_marked() -> None:
    assert {protocol.id for protocol in CATALOGUE.all() if protocol.requires_ack} == {
        "warm-bath-before-bed",
        "overnight-12h",
        "break-late-night-eating",
        "cold-finish-shower",
        "break-smoking",
        "break-alcohol",
    }


@each_protocol
def test_frames_are_approach_worded(protocol: Protocol) -> None:
    for language in LANGUAGES:
        for level in (1, 2, 3):
            frame = protocol.frame(level, language)
            assert detect_avoidance_keywords(frame) == [], frame
            assert check_frame_text(frame, "") == frame


@each_protocol
def test_both_languages_are_complete(protocol: Protocol) -> None:
    ko, en = protocol.texts["ko"], protocol.texts["en"]
    assert set(ko) == set(en)
    for field in ko:
        assert bool(ko[field]) == bool(en[field]), field
        assert not HANGUL.search(en[field]), field
    assert all(not HANGUL.search(frame) for frame in protocol.frames["en"])
    for field in ("title", "summary", "standard_dose", "minimum_dose"):
        assert HANGUL.search(ko[field]), field
    assert all(HANGUL.search(frame) for frame in protocol.frames["ko"])


@each_protocol
def test_every_entry_can_be_added(protocol: Protocol) -> None:
    """Doses fit R9, anchors fit R2, kinds fit R3 and R8, in both languages."""
    for language in LANGUAGES:
        check_doses(protocol.text("standard_dose", language), protocol.text("minimum_dose", language))
        anchors = [protocol.text(field, language) for field in ("anchor_when", "anchor_after_what")]
        assert any(anchors)
        assert all(len(anchor) <= ANCHOR_MAX for anchor in anchors)
    is_break = protocol.id.startswith("break-")
    assert (protocol.kind is HabitKind.BREAK) == is_break
    assert protocol.kind.habit_type is (HabitType.BREAK if is_break else HabitType.BUILD)


@each_protocol
def test_every_entry_names_its_source(protocol: Protocol) -> None:
    assert re.match(r"^10\.\d{4,9}/\S+$", protocol.evidence.doi)
    assert re.search(r"\b(19|20)\d\d\b", protocol.evidence.citation)
    assert protocol.evidence.grade in ("A", "B", "C")
    assert protocol.evidence.limit == protocol.text("limit", "ko")


@each_protocol
def test_kinds_have_their_own_fields(protocol: Protocol) -> None:
    is_break, is_diet = protocol.kind is HabitKind.BREAK, protocol.kind is HabitKind.DIET
    for language in LANGUAGES:
        assert bool(protocol.text("target_behavior", language)) == is_break
        assert bool(protocol.text("replacement", language)) == is_break
        assert bool(protocol.text("portion", language)) == is_diet


@each_protocol
def test_safety_lines_agree_on_phone_numbers_between_languages(protocol: Protocol) -> None:
    numbers = re.compile(r"\d{3,4}-\d{4}|\b109\b|\b119\b")
    assert numbers.findall(protocol.text("safety", "ko")) == numbers.findall(protocol.text("safety", "en"))


def test_a_damaged_installation_is_told(tmp_path: Path) -> None:
    with pytest.raises(WorldError) as missing:
        Catalogue.load(tmp_path)
    assert missing.value.next_step
    (tmp_path / "categories.json").write_text("{", encoding="utf-8")
    with pytest.raises(WorldError):
        Catalogue.load(tmp_path)


def test_doubled_ids_and_unknown_categories_are_mistakes_of_ours() -> None:
    protocol = CATALOGUE.all()[0]
    with pytest.raises(ValueError):
        Catalogue(CATALOGUE.categories, [protocol, protocol])
    with pytest.raises(ValueError):
        Catalogue([Category("other", "기타", "Other")], [protocol])
