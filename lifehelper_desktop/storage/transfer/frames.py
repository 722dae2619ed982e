"""The sentence of a habit that comes without one: R7 holds for it as for every other."""

from __future__ import annotations

from collections.abc import Iterator

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.domain.particles import with_particles
from lifehelper_desktop.domain.rules import RuleViolation, check_frame_text


def frame_for(title: str) -> str:
    """Return the title when it can stand as a sentence, or else words for it, in the language in force.

    A title like "야식 안 먹기" says what is not to be done: then the sentence says nothing of it.
    """
    for text in _candidates(title):
        try:
            return check_frame_text(text, "")
        except RuleViolation:
            continue
    raise AssertionError("the last sentence passes in every language")


def _candidates(title: str) -> Iterator[str]:
    yield title
    yield with_particles(_("‘{title}’ 습관을 이어 간다").format(title=title))
    yield _("정한 만큼 실천하고 기록한다")
