"""What the message itself says beyond doubt: names, times, conditions of health, amounts. Pure; holds for any model.

A small model chooses well among wordings and is careless about exactly these; so they are read by code and win.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

_CONDITION: Final = re.compile(
    r"고혈압|저혈압|혈압\s?약|심장\s?(?:병|질환|이|약|수술|박동기)|부정맥|협심증|심근경색|뇌졸중|뇌전증|간질|당뇨|인슐린|저혈당"
    r"|신장\s?(?:병|질환|이|투석)|콩팥|투석|간경화|임신|임산부|만삭|수유\s?중|섭식\s?장애|거식증|폭식증|공황|조현병|조울증"
    r"|트라우마|ptsd|금단|손이\s?떨|환청|환각|천식\s?발작|흉통|가슴이\s?(?:아프|조이|답답하고\s?아)|실신|기절"
    r"|수술\s?(?:받|했|한|후|직후|한지)|골절|인대|십자인대|디스크|탈장|항응고|와파린|항우울제|항암"
    r"|약(?:을|도)?\s?(?:먹고|먹는|복용)|복용\s?중|레이노|두드러기"
    r"|\bblood pressure\b|\bhypertension\b|\bheart (?:disease|condition|attack|failure|problem|surgery|meds?)\b"
    r"|\barrhythmia\b"
    r"|\bangina\b|\bpacemaker\b|\bstroke\b|\bepilep\w+|\bseizures?\b|\bdiabet\w+|\binsulin\b|\bhypoglyc\w+|\bkidney\b"
    r"|\bdialysis\b|\bpregnan\w+|\bexpecting a baby\b|\bbreast ?feeding\b|\bnursing\b|\beating disorder\b|\banorexi\w+"
    r"|\bbulimi\w+|\bpanic (?:attacks?|disorder)\b|\bbipolar\b|\bpsychosis\b|\btrauma\w*|\bwithdrawal\b|\bthe shakes\b"
    r"|\bshak(?:e|y|ing) when i\b|\bhallucinat\w+|\bchest (?:pain|hurts|tightness)\b|\bfaint(?:ed|ing)?\b"
    r"|\bpassed out\b"
    r"|\b(?:had|after|since|recovering from) (?:\w+ ){0,3}surgery\b|\bfractur\w+|\btorn (?:acl|ligament)\b|\bherniat\w+"
    r"|\bslipped disc\b|\bblood thinners?\b|\bwarfarin\b|\bantidepressants?\b|\bchemo\w*"
    r"|\bon (?:\w+ )?(?:meds|medication)\b"
    r"|\btak(?:e|ing) (?:\w+ ){0,3}(?:pills|medication|meds|medicine)\b|\braynaud\w*",
    re.IGNORECASE,
)
_NO_CONDITION: Final = re.compile(
    r"고혈압\s?예방|당뇨\s?예방|혈압\s?관리\s?습관|\bprevent\w* (?:diabetes|hypertension|high blood pressure)\b",
    re.IGNORECASE,
)

_NUMBER: Final = r"(\d+(?:,\d{3})*(?:\.\d+)?)"
_LIMITS: Final[dict[str, tuple[tuple[str, float], ...]]] = {
    "overnight-12h": (
        (rf"{_NUMBER}\s?시간|{_NUMBER}[\s-]?(?:hours?|hrs?|h)\b", 12),
        (rf"{_NUMBER}\s?일|{_NUMBER}[\s-]?days?", 0),
    ),
    "daily-steps": ((rf"{_NUMBER}\s?(?:보|걸음)|{_NUMBER}[\s-]?steps", 15_000), (rf"{_NUMBER}\s?만\s?보", 1.5)),
    "cold-finish-shower": ((rf"{_NUMBER}\s?분|{_NUMBER}[\s-]?(?:minutes?|mins?)\b", 3),),
    "warm-bath-before-bed": ((rf"{_NUMBER}\s?(?:도|℃)|{_NUMBER}[\s-]?(?:degrees|°)", 42),),
    "moderate-cardio": ((rf"{_NUMBER}\s?시간|{_NUMBER}[\s-]?(?:hours?|hrs?)\b", 2),),
    "strength-training": ((rf"{_NUMBER}\s?시간|{_NUMBER}[\s-]?(?:hours?|hrs?)\b", 2),),
}
"""Amounts beyond the catalogue's evidence by far: such a wish is explained first, not added."""

_MINIMUM: Final = re.compile(r"최소|미니멈|(?<![a-z])min(?:imum|imal)?(?![a-z])", re.IGNORECASE)
_REST: Final = re.compile(
    r"패스|스킵|건너뛰|빈\s?칸|비워|쉬는\s?(?:날|걸로)|쉼(?:으로)?|쉬기로|쉴게|쉴래|쉬어\s?갈|쉬려고|쉬고\s?싶"
    r"|(?<![a-z])(?:skip(?:ping)?|blank|rest(?:ing)?(?: day)?|day off|pass(?:ing)? on)(?![a-z])",
    re.IGNORECASE,
)
_DONE: Final = re.compile(r"완료|다\s?(?:했|채웠|끝)|(?<![a-z])(?:done|fully?|completed?)(?![a-z])", re.IGNORECASE)

_CLOCK: Final = re.compile(
    r"(?:(?:오전|오후|새벽|아침|점심|저녁|밤|낮)\s?)?\d{1,2}시(?:\s?(?:반|\d{1,2}분))?(?!간)"
    r"|\b\d{1,2}:\d{2}(?:\s?[ap]\.?m\.?)?|\b\d{1,2}\s?[ap]\.?m\b\.?",
    re.IGNORECASE,
)
_AFTER_KO: Final = re.compile(
    r"([가-힣0-9 ]{2,24}?(?:한|은|인|난|간|온|준|든|뜬|낸|춘|른|운|신|킨|본|쓴|된|친))"
    r"\s?(?:뒤|후|다음)(?:에)?(?=[\s,]|$)"
)
_AFTER_THEN: Final = re.compile(
    r"([가-힣0-9 ]{2,20}?)(먹|하|마시|닦|씻|끝내|마치|갈아입|끄|켜|내리|일어나)고\s?(?:나서|난\s?뒤|나면)"
)
_ATTRIBUTIVE: Final = {
    "먹": "먹은", "하": "한", "마시": "마신", "닦": "닦은", "씻": "씻은", "끝내": "끝낸", "마치": "마친",
    "갈아입": "갈아입은", "끄": "끈", "켜": "켠", "내리": "내린", "일어나": "일어난",
}  # fmt: skip
_AFTER_EN: Final = re.compile(
    r"\b((?:right |just )?after (?:i |my |the )?[^,.;!?]{3,40}?)(?=[,.;!?]|$| i )", re.IGNORECASE
)


_COMMON_PIECES: Final = frozenset(
    ("한다", "는다", "하는", "습관", "추가", "해줘", "나는", "사람", "이다", "으로", "에서")
)


def squeezed(text: str) -> str:
    """Return `text` without spaces, signs and case, to compare names."""
    return "".join(char for char in unicodedata.normalize("NFKC", text).casefold() if char.isalnum())


def named_titles(user: str, titles: Iterable[str]) -> list[str]:
    """Return those of `titles` that the message spells out, less those that lie inside a longer one of them."""
    plain = squeezed(user)
    found = [title for title in titles if len(squeezed(title)) >= 3 and squeezed(title) in plain]
    return [
        title for title in found if not any(other != title and squeezed(title) in squeezed(other) for other in found)
    ]


def named_value(user: str, titles: Iterable[str]) -> str:
    """Return `minimum`, `blank` or `done` when the message names just that one, else nothing.

    `titles` are left out of the message first: a habit may be called a rest.
    """
    plain = user
    for title in titles:
        for word in title.split():
            plain = plain.replace(word, " ") if len(word) > 1 or word == "쉼" else plain
    if _MINIMUM.search(plain):
        return "minimum"
    rest, done = bool(_REST.search(plain)), bool(_DONE.search(plain))
    return "blank" if rest and not done else "done" if done and not rest else ""


def tells_of_a_condition(user: str) -> bool:
    """Return whether the message tells of an illness, a pregnancy, medicine or an injury: then nothing is begun."""
    plain = unicodedata.normalize("NFKC", user)
    return bool(_CONDITION.search(_NO_CONDITION.sub(" ", plain)))


def is_excessive(user: str, protocol: str) -> bool:
    """Return whether the message asks for far more of a catalogue entry than its evidence covers."""
    for pattern, limit in _LIMITS.get(protocol, ()):
        for match in re.finditer(pattern, user, re.IGNORECASE):
            number = next(group for group in match.groups() if group)
            if float(number.replace(",", "")) > limit:
                return True
    return False


def clock_time(user: str) -> str:
    """Return the one time of day that the message names, in its words, or nothing."""
    found = [match.group().strip() for match in _CLOCK.finditer(user)]
    return found[0] if len(found) == 1 else ""


def act_before(text: str) -> str:
    """Return the act after which something is to be done, as `…한 뒤` or `after …`, or nothing."""
    if match := _AFTER_KO.search(text):
        return f"{match.group(1).strip()} 뒤"
    if match := _AFTER_THEN.search(text):
        return f"{match.group(1).lstrip()}{_ATTRIBUTIVE[match.group(2)]} 뒤"
    if match := _AFTER_EN.search(text):
        return match.group(1).strip()
    return ""


def _pieces(text: str) -> set[str]:
    plain = re.sub(r"[^0-9A-Za-z가-힣]", "", text).casefold()
    return {plain[at : at + 2] for at in range(len(plain) - 1)} - _COMMON_PIECES


def overlaps(text: str, message: str) -> bool:
    """Return whether `text` is made from the message: a third of its pairs of letters occur there."""
    own = _pieces(text)
    return not own or len(own & _pieces(message)) * 3 >= len(own)


def invents_a_number(text: str, message: str) -> bool:
    """Return whether `text` holds a number that the message does not."""
    return bool(set(re.findall(r"\d+", text)) - set(re.findall(r"\d+", message)))
