"""Messages that ask for nothing but a screen of the window, or for the last answer to be copied, known by rule. Pure.

The starter's model was trained on six tools, and these are not among them. A message counts only as a whole: a name
that leads to one screen or to one habit, and a verb that opens or shows. Everything else is the model's to read; what
could also mean a question about habits ("show my habits") is.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Mapping
from enum import Enum, auto
from typing import Final

from lifehelper_desktop.llm.protocol import LlmFunctionCall
from lifehelper_desktop.tools.screens import HABIT_PAGE, find_screen, squeezed

_ENDINGS: Final = (
    r"(?:\s?(?:줘요?|줘라|주세요|주라|주쇼|줄래요?|주실래요|주시겠어요"
    r"|줄\s?수\s?있(?:어요?|나요|을까요?)|줬으면\s?해요?|달라))"
)
_OPEN: Final = re.compile(rf"(?:열어|띄워|펼쳐)(?:{_ENDINGS}|\s?(?:봐요?|보자|볼래))?$|열(?:자|래|기|고\s?싶어요?)$")
_GO: Final = re.compile(
    rf"(?:(?:으)?로|에)\s?(?:바로\s?)?(?:이동(?:해|시켜)?|넘어가|들어가|데려가|가)(?:{_ENDINGS}|자|기|\s?볼래)?$"
)
_SHOW: Final = re.compile(
    rf"(?:보여{_ENDINGS}?|보(?:자|고\s?싶어요?|기)|볼(?:래요?|게요?|\s?수\s?있(?:어요?|나요|을까요?)))$"
)
_BARE: Final = re.compile(r"(?:상세(?:\s?보기)?|화면|페이지)$")
_COPY: Final = re.compile(
    r"(?:(?:방금|마지막|아까|이|그|네|너의)\s?)*(?:한\s)?(?:답변?|대답|말|내용|글|이거|이걸|그거|그걸|것)?\s?(?:을|를|만|좀|다)*\s?"
    rf"(?:클립보드(?:에|로)\s?)?복사(?:\s?좀)?\s?(?:해(?:{_ENDINGS}|\s?둬)?|하자|하기)?"
    r"|(?:please |can you |could you )*copy(?: (?:that|this|it|(?:your|the) (?:last )?(?:answer|reply|message|text)))?"
    r"(?: (?:to|into|onto) (?:the |my )?clipboard)?(?: please| for me)*",
    re.IGNORECASE,
)
_ENGLISH: Final = re.compile(
    r"(?:(?:please|pls|hey|ok|okay|now|just|can you|could you|would you|will you|i want to|i['’]d like to|let me"
    r"|let['’]s),? )*(?P<verb>open(?: up)?|go (?:back )?to|take me to|bring up|pull up|switch to|jump to|navigate to"
    r"|show(?: me)?|see|view|display) (?:up )?(?P<rest>.+?)(?: (?:please|pls|now|for me|thanks))*",
    re.IGNORECASE,
)
_LEAD: Final = re.compile(
    r"^(?:(?:코치야?|혹시|그럼|그러면|저기요?|자|이제|지금|바로|나|나한테|저한테|제발|일단|다시)[\s,]+)+"
)
_ADVERBS: Final = re.compile(r"(?:^|\s)(?:좀|다시|바로|지금|한\s?번|빨리|당장|일단)$|좀$")
_PARTICLE: Final = re.compile(r"(?:을|를|만|도|에)$")
_HABIT_WORDS: Final = re.compile(
    r"(?:\s|의)*(?:습관|상세(?:\s?보기)?|화면|페이지|통계|달력|그래프|차트)$"
    r"|(?:['’]s)?\s+(?:habit|page|screen|details?|stats|statistics|calendar|chart)$",
    re.IGNORECASE,
)
_SAYS_SCREEN: Final = re.compile(r"(?:화면|창|페이지|탭|메뉴)$|\b(?:screen|page|window|dialog|tab)$", re.IGNORECASE)
_ARTICLES: Final = re.compile(r"^(?:(?:the|my|our|내|제|나의)\s+)+", re.IGNORECASE)
_QUOTES: Final = "‘’“”\"'「」『』 "
#: Asked to be shown without the word “screen”, these are questions that the coach's own tools answer.
_ANSWERED_IN_WORDS: Final = frozenset({"show_habits", "show_catalogue", "quick_log", "about"})
_SHOWING: Final = ("show", "see", "view", "display", "pull up", "bring up")
_NAME_MIN: Final = 2  # letters of a habit's name that say which one


class _Verb(Enum):
    OPEN = auto()
    GO = auto()
    SHOW = auto()


def window_call(user: str, habits: Mapping[int, str], tools: Collection[str]) -> LlmFunctionCall | None:
    """Return the one call that the whole message asks for, or None.

    Args:
        user: The message.
        habits: Titles of the active habits by id.
        tools: Names of the tools that are there; no other is called.
    """
    text = _plain(user)
    if "copy_text" in tools and text and _COPY.fullmatch(text):
        return LlmFunctionCall("copy_text", {})
    asked = _asked(text)
    if asked is None:
        return None
    verb, name = asked
    screen = find_screen(name)
    # What is the name of a screen is not also a part of a habit's title: “설정 화면” is no “설정 정리하기”.
    habit = _habit(name, habits, whole=screen not in (None, HABIT_PAGE), opens=verb is _Verb.OPEN)
    if habit is not None:
        return LlmFunctionCall("show_habit", {"habit_id": habit}) if "show_habit" in tools else None
    if screen in (None, HABIT_PAGE) or "open_screen" not in tools:
        return None
    if verb is _Verb.SHOW and screen in _ANSWERED_IN_WORDS and not _SAYS_SCREEN.search(name):
        return None
    return LlmFunctionCall("open_screen", {"screen": screen})


def _plain(user: str) -> str:
    text = " ".join(unicodedata.normalize("NFC", user).split())
    while text and not (text[-1].isalnum() and text[-1] not in "ㅋㅎㅠㅜ") and text[-1] not in _QUOTES.strip():
        text = text[:-1].rstrip()  # signs, faces and laughter at the end
    return _LEAD.sub("", text)


def _asked(text: str) -> tuple[_Verb, str] | None:
    """Return what the message says to do, and the name of what; None when nothing of the kind."""
    english = _ENGLISH.fullmatch(text)
    if english is not None:
        said = english["verb"].lower()
        verb = _Verb.SHOW if said.startswith(_SHOWING) else _Verb.OPEN if said.startswith("open") else _Verb.GO
        return verb, _ARTICLES.sub("", english["rest"]).strip(_QUOTES)
    for pattern, verb in ((_GO, _Verb.GO), (_OPEN, _Verb.OPEN), (_SHOW, _Verb.SHOW)):
        if (found := pattern.search(text)) is not None:
            return verb, _name(text[: found.start()])
    return (_Verb.GO, _name(text)) if _BARE.search(text) else None


def _name(text: str) -> str:
    """Return the name before a Korean verb, without adverbs, one particle and quotation marks."""
    name = text.strip()
    while (shorter := _ADVERBS.sub("", name).rstrip()) != name:
        name = shorter
    return _ARTICLES.sub("", _PARTICLE.sub("", name)).strip(_QUOTES)


def _habit(name: str, habits: Mapping[int, str], *, whole: bool, opens: bool) -> int | None:
    """Return the one habit whose page is meant, or None.

    The name says that it is one (“… 습관”, “… 상세”, “… page”); a title in full needs no such word after “open”, since
    a habit is done, never opened. With `whole` only titles in full count.
    """
    bare = name
    while (shorter := _HABIT_WORDS.sub("", bare).strip(_QUOTES)) != bare:
        bare = shorter
    wanted = squeezed(bare)
    if len(wanted) < _NAME_MIN or (bare == name and not opens):
        return None
    exact = [number for number, title in habits.items() if squeezed(title) in (wanted, squeezed(name))]
    found = exact or [
        number for number, title in habits.items() if not whole and bare != name and wanted in squeezed(title)
    ]
    return found[0] if len(found) == 1 else None
