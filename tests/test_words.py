"""The words of the program: one polite style, particles that fit, one kind of quotation mark, no reproach.

Korean msgids are read from the sources, English from the translations. What may differ is listed here with a reason.
"""

from __future__ import annotations

import importlib.util
import re
import string
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import pytest
from babel.messages.catalog import Message
from babel.messages.pofile import read_po

from lifehelper_desktop.domain.framing import detect_avoidance_keywords
from lifehelper_desktop.domain.particles import with_particles
from lifehelper_desktop.domain.rules import RULES

ROOT = Path(__file__).resolve().parent.parent
ENGLISH = ROOT / "resources/locale/en/LC_MESSAGES/lifehelper.po"

#: Sentences in another style, and why.
OTHER_STYLE = {
    **{rule.line: "a line of the rule table: a definition, not talk" for rule in RULES},
    "도구 호출 루프가 너무 길어 중단했습니다.": "the owner of the app gave this sentence",
    "파일의 습관과 기록을 가져온다.": "the description of an action, in the words of the tools",
    "정한 만큼 실천하고 기록한다": "the sentence of a habit, which is in the first person",
}
#: What tools are for, in the words of a list; the model reads it, and the documentation.
TOOL_DESCRIPTIONS = "lifehelper_desktop/tools/"
#: Placeholders whose last sound never changes: sizes end in B, shares in %, and both are read with a vowel.
KNOWN_SOUND = {"size", "free", "needed", "best"}

PARTICLE = r"(?:은|는|이|가|을|를|과|와|으로|로|이랑|랑|이나|나|이라서|라서|예요|이에요|야|아)(?=[\s,.?!)]|$)"
AFTER_PLACEHOLDER = re.compile(r"\{(\w+)\}[’”]?" + PARTICLE)
PARTICLE_MARK = re.compile(
    r"[가-힣}’”\])\w](?:을\(를\)|이\(가\)|은\(는\)|과\(와\)|이랑\(랑\)|\(이\)랑|\(으\)로|\(이\)나|\(이\)라|\(이\)요|\(이\)야"
    r"|예요\(이에요\)|아\(야\))"
)
OTHER_MARK = re.compile(r"는\(은\)|가\(이\)|를\(을\)|와\(과\)|은/는|이/가|을/를|과/와|\(은\)|\(을\)|\(가\)")
STIFF = re.compile(r"(?:습니다|십시오|합니다|됩니다|입니다|습니까|하시오|하라\.|해라|거라)")
SENTENCE_END = re.compile(r"([가-힣]+)[’)”]*[.?!]$")
#: Nobody is blamed, frightened or counted against.
SCOLDING = (
    "게으",
    "의지가 약",
    "포기하",
    "실패하셨",
    "벌써 빠",
    "잊으셨",
    "왜 안",
    "또 놓",
    "틀렸",
    "금지",
    "하지 마",
    "당장",
)
EN_SCOLDING = ("lazy", "you failed", "give up", "no excuse", "shame", "you forgot", "don't", "don’t", "must not")
#: Names; everything else begins with a small letter inside a sentence.
EN_NAMES = frozenset(
    {
        *("LifeHelper", "Life", "Helper", "Desktop", "Gemma", "Hugging", "Face", "Loop", "Habit", "Tracker"),
        *("Markdown", "Excel", "Windows", "Linux", "Korean", "English", "Asia", "Korea", "Seoul"),
        *("Enter", "Shift", "Ctrl", "Alt", "Esc", "Tab", "Home", "End", "Space"),
        *("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
        *("Today", "Backups", "Notes", "Undo"),  # what the window calls its parts
    }
)


@lru_cache(maxsize=1)
def _messages() -> tuple[Message, ...]:
    spec = importlib.util.spec_from_file_location("locales", ROOT / "packaging" / "locales.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return tuple(message for message in module.extract() if message.id)


def forms(value: str | tuple[str, ...] | list[str]) -> tuple[str, ...]:
    """Return the forms of a text: one, or those of a plural."""
    return tuple(value) if isinstance(value, tuple | list) else (value,)


def korean() -> Iterator[tuple[str, set[str]]]:
    """Give each Korean text with the files that it stands in."""
    for message in _messages():
        files = {name for name, _line in message.locations}
        for text in dict.fromkeys(forms(message.id)):
            yield text, files


def english() -> Iterator[tuple[str, str]]:
    """Give each translation with its Korean text."""
    with ENGLISH.open("rb") as file:
        for message in read_po(file, locale="en"):
            if message.id:
                for text in forms(message.string):
                    if text:
                        yield text, forms(message.id)[0]


def sentences(text: str) -> list[str]:
    """Return the sentences of a text."""
    return [part.strip() for part in re.split(r"(?<=[.?!])\s+|\n", text) if part.strip()]


def wrong(found: list[str]) -> None:
    """Fail with all that was found."""
    assert not found, "\n".join(found)


# ---- Korean ---------------------------------------------------------------------------------------------------------


def test_there_are_texts() -> None:
    assert len(list(korean())) > 700


def test_every_sentence_is_in_the_friendly_polite_style() -> None:
    found = []
    for text, files in korean():
        if text in OTHER_STYLE or all(file.startswith(TOOL_DESCRIPTIONS) for file in files):
            continue
        if STIFF.search(text):
            found.append(f"{files}: {text}")
            continue
        for sentence in sentences(text):
            end = SENTENCE_END.search(sentence)
            is_plain = end is None and re.search(r"[가-힣](?:한|된|는|있|었|았|이)다$", sentence) is not None
            if is_plain or (end is not None and not end[1].endswith(("요", "죠"))):
                found.append(f"{files}: {sentence}")
    wrong(found)


def test_the_list_of_other_styles_is_current() -> None:
    have = {text for text, _files in korean()}
    assert [text for text in OTHER_STYLE if text not in have] == []


def test_particles_after_placeholders_go_through_the_function() -> None:
    found = []
    for text, files in korean():
        open_ones = [name for name in AFTER_PLACEHOLDER.findall(text) if name not in KNOWN_SOUND]
        if open_ones:
            found.append(f"{files}: {text}  -> write 을(를) and the like, and call with_particles")
        if OTHER_MARK.search(PARTICLE_MARK.sub("", text)):
            found.append(f"{files}: {text}  -> marks are written as domain/particles.py knows them")
        if PARTICLE_MARK.search(text):
            for file in files:
                if "with_particles" not in (ROOT / file).read_text(encoding="utf-8"):
                    found.append(f"{file}: {text}  -> nobody calls with_particles here")
    wrong(found)


@pytest.mark.parametrize("title", ["걷기", "책", "물", "Reading", "운동 2", "안 함"])
def test_no_mark_survives_the_function(title: str) -> None:
    found = []
    for text, _files in korean():
        if PARTICLE_MARK.search(text):
            names = {name: title for _lead, name, _spec, _how in string.Formatter().parse(text) if name is not None}
            done = with_particles(string.Formatter().vformat(text, (), names))
            if PARTICLE_MARK.search(done):
                found.append(done)
    wrong(found)


def test_spaces_dots_and_quotation_marks() -> None:
    found = []
    for text, files in korean():
        in_terminal = all(file.startswith("lifehelper_desktop/cli/") for file in files)  # columns
        if "  " in text and not in_terminal:
            found.append(f"two spaces: {text!r}")
        if text != text.strip():
            found.append(f"a blank at the end: {text!r}")
        if "..." in text or ".." in text.replace("../", ""):
            found.append(f"… is one character: {text!r}")
        if re.search(r"[\"'“”]", text):
            found.append(f"quotation marks are ‘ ’: {text!r}")
        if text.count("‘") != text.count("’"):
            found.append(f"a quotation mark is alone: {text!r}")
    wrong(found)


def test_nobody_is_blamed() -> None:
    wrong([f"{word}: {text}" for text, _files in korean() for word in SCOLDING if word in text])


@pytest.mark.parametrize("file", ["review_words.py"])
def test_what_is_said_of_a_week_is_approach_worded(file: str) -> None:
    for text, files in korean():
        if text.endswith(("요.", "요?")) and any(each.endswith(file) for each in files):
            assert detect_avoidance_keywords(text) == [], text


# ---- English --------------------------------------------------------------------------------------------------------


def test_english_spaces_dots_and_quotation_marks() -> None:
    # The starter coach has learned these reasons as they are written: they keep their “ ”.
    told_to_the_model = {text for text, files in korean() if any(file.endswith("domain/rules.py") for file in files)}
    found = []
    for text, source in english():
        if "  " in text and "  " not in source:
            found.append(f"two spaces: {text!r}")
        if text != text.strip():
            found.append(f"a blank at the end: {text!r}")
        if "..." in text:
            found.append(f"… is one character: {text!r}")
        odd = r"[\"]|\w'\w|'\w+'" if source in told_to_the_model else r"[\"“”]|\w'\w|'\w+'"
        if re.search(odd, text):
            found.append(f"quotation marks are ‘ ’, the apostrophe is ’: {text!r}")
    wrong(found)


def test_english_is_in_sentence_case() -> None:
    found = []
    for text, _source in english():
        for sentence in re.split(r"(?<=[.?!:])\s+|\n|[‘(]|\s–\s|\s—\s|\s·\s|&", text):
            words = re.findall(r"(?<=[a-z,] )[A-Z][a-z]+\b", sentence)
            if [word for word in words if word not in EN_NAMES]:
                found.append(text)
    wrong(found)


def test_english_blames_nobody() -> None:
    wrong([f"{word}: {text}" for text, _source in english() for word in EN_SCOLDING if word in text.casefold()])


def test_english_ends_like_korean() -> None:
    """A sentence stays a sentence, a question a question, a title a title."""
    found = []
    for text, source in english():
        for end in ("?", "…", ":"):
            if source.endswith(end) and not text.endswith(end):
                found.append(f"{source!r} -> {text!r}")
        if source.endswith("요.") and not text.endswith((".", "!", "?", "}")):
            found.append(f"{source!r} -> {text!r}")
    wrong(found)


def test_the_catalogue_speaks_the_same_way() -> None:
    """Its sentences are definitions (`…한다`); both languages are there, and no blank or quotation mark is odd."""
    found = []
    for path in sorted((ROOT / "resources" / "catalogue").glob("*.json")):
        text = path.read_text(encoding="utf-8")
        found += [f"{path.name}: {word}" for word in ("습니다", "하십시오", "...") if word in text]
    wrong(found)
