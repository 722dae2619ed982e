"""What a new or changed habit brings with it, cleaned and checked, with the catalogue's words where it is blank."""

from __future__ import annotations

from lifehelper_desktop.base.i18n import current_language
from lifehelper_desktop.domain.habits import Habit, NewHabit, Protocol, Schedule
from lifehelper_desktop.domain.rules import (
    ANCHOR_MAX,
    TITLE_MAX,
    RuleViolation,
    check_anchor,
    check_doses,
    check_text_length,
)
from lifehelper_desktop.domain.schedule import check_schedule
from lifehelper_desktop.domain.text import same_text
from lifehelper_desktop.storage.text import clean_optional, clean_text


def anchor_columns(
    when: str | None, after: str | None, protocol: Protocol | None, *, require: bool
) -> dict[str, object]:
    """Return the anchor columns; a blank pair is refused (R2) or filled from the catalogue."""
    when = check_text_length(clean_optional(when), ANCHOR_MAX, "anchor_when")
    after = check_text_length(clean_optional(after), ANCHOR_MAX, "anchor_after_what")
    if require:
        check_anchor(when, after)
    source = "user"
    if when is None and after is None and protocol is not None:
        language = current_language()
        when = protocol.text("anchor_when", language) or None
        after = protocol.text("anchor_after_what", language) or None
        source = "suggested"
    return {"anchor_when": when, "anchor_after_what": after, "anchor_source": source}


def title_columns(habit: Habit, title: str) -> dict[str, object]:
    """Return the title columns; a habit of the catalogue keeps the catalogue's titles."""
    text = check_text_length(clean_text(title), TITLE_MAX, "title")
    if text is None or habit.catalogue_id:
        raise RuleViolation("validation", field="title")
    return {"title_ko": text, "title_en": text}


def doses_of(new: NewHabit, protocol: Protocol, language: str) -> tuple[str, str]:
    """Return the doses to store: the form fills both in, chat at most the standard one.

    In chat R9 cannot fail: a standard dose that is blank, or the catalogue's minimum, means the catalogue's.
    """
    given = clean_text(new.standard_dose) if new.standard_dose is not None else None
    minimum = protocol.text("minimum_dose", language) if new.minimum_dose is None else clean_text(new.minimum_dose)
    keeps_minimum = new.minimum_dose is None and given is not None and same_text(given, minimum)
    if given is None or (not new.is_complete and (not given or keeps_minimum)):
        given = protocol.text("standard_dose", language)
    return check_doses(given, minimum)


def check_any_schedule(schedule: Schedule) -> None:
    """Refuse a schedule that no habit can have."""
    try:
        check_schedule(schedule)
    except ValueError as error:
        raise RuleViolation("validation", field="schedule") from error
