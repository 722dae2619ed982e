"""R7 for Korean: which words of a sentence say what is *not* to be done.

Three steps, each with its tables in `_framing_korean_words`:

1. **Masks** blank false friends (못지않게, 방해 금지 모드, 참기름, a ticket that one 끊다s).
2. **Keywords** are nouns and stems that aim away from something (금지, 끊다, 줄이다). A stem passes when it
   only names a cue: a condition (멈추면, 포기하고 싶을 때) or something past that is described (그만둔 악기).
3. **Negations** (안, 못, 않다, 말다, and 덜) are refused unless they describe a thing or a circumstance: a
   clause before a noun (안 쓰는 물건, 비가 오지 않는 날) or a condition (잠이 안 오면). A clause before the
   person one wants to be or the habit one wants to have (안 먹는 사람이다, 안 먹는 습관) is the habit itself,
   so it is refused.

Patterns are jamo patterns, see `lifehelper_desktop.domain.jamo`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import partial
from typing import Final

from lifehelper_desktop.domain import _framing_korean_words as words
from lifehelper_desktop.domain.jamo import compile_pattern

Span = tuple[int, int]

#: How far a verdict looks around a match, in jamo: enough for the clause, and it keeps long texts linear.
_LOOK: Final = 160
_LOOK_BACK: Final = 48
_BLANK: Final = "□"
#: 덜 and 못 taken apart, and the final consonant of the future ending (먹을).
_DEOL: Final = unicodedata.normalize("NFD", "덜")
_MOT: Final = unicodedata.normalize("NFD", "못")
_RIEUL: Final = "\u11af"

#: Longest first, so that 탄산 does not cut 탄산음료 short.
_VICE: Final = "|".join(sorted(words.VICE.split("|"), key=len, reverse=True))

_compile = partial(
    compile_pattern,
    vice=_VICE,
    vice_inside=_VICE.replace("⟨", ""),
    endure=words.ENDURE,
    stem=words.STEM,
    joined=words.JOINED_STEM,
    end=words.ENDING,
    notpi="".join(f"(?<!{syllable})" for syllable in "커해대카코토쿠"),
    notji="".join(f"(?<!{end})(?<!{end}\\s)" for end in ("지", "질", "진", "지는", "지도", "지를", "지만")),
    notan="".join(f"(?<!{syllable})" for syllable in words.NOT_AFTER),
)

_MASKS: Final = tuple(_compile(pattern) for pattern in words.MASKS)
_NOUNS: Final = tuple(_compile(pattern) for pattern in words.NOUNS)
_VICE_WORD: Final = _compile(r"{vice}")
_AFTER_VICE: Final = _compile("|".join(words.AFTER_VICE))
_VERBS: Final = tuple(_compile(pattern) for pattern in words.VERBS)

#: The negation stands before its predicate; the predicate begins where the match ends.
_BEFORE_PREDICATE: Final = (
    _compile(r"⟨(?:안|못|덜)\s(?=[ᄀ-ᇿa-z])"),
    _compile(r"⟨(?:안|못|덜)(?={stem}{end})"),
    _compile(r"(?<=[ᄀ-ᇿ])(?<!동)(?:안|못)(?={joined}{end})"),
    _compile(r"(?<=[ᄀ-ᇿ]){notan}안(?=하{end})"),
    # 않먹기: 않 for 안 is as common a slip; the auxiliary 않다 has -지 before it.
    _compile(r"{notji}않\s?(?=[ᄀ-ᇿ])"),
)
#: The negation stands after its verb; only its ending follows. 안 for 않 is a common slip of the pen.
_AFTER_VERB: Final = (
    _compile(r"지(?:를|는|도|만|{ㄹㄴ})?\s?않"),
    _compile(r"지(?:를|는|도|{ㄹㄴ})?\s?안(?=기|고|는|을|아|았|음|겠|도록|게|자◦|으|습)"),
    _compile(r"지(?:를|는|도|{ㄹㄴ})?\s?못\s?(?=하◇|해|했)"),
)
_MAL: Final = _compile(
    r"지(?:를|는|도|{ㄹㄴ})?\s?"
    r"(?:말(?:기|자|쟈|고|구|아|라|도록|지|게|겠|았|으|길|란|\s?것|려|래|$|\s)|맙시|마(?:라|세|요|십|셔|$"
    r"|[^ᄀ-ᇿ]))"
)
_MALGO: Final = _compile(r"말(?:고|구)(?=[\s,.!~]|$|는|서)")
_ROLLED_UP: Final = _compile(
    r"(?:김밥|김|국수|밥|매트|돗자리|종이|소매|수건|이불|붕대|휴지|포스터)(?:을|를|에|{ㄹ})?\s?$"
)
_NOUN_IN_JI: Final = _compile(
    r"(?:편|휴|바|반|먼|돼|잡|쪽|일|강아|아버|이미|메시|페이|오렌|소시|마사|망아|송아|요|까)$"
)
_NOT_TO_DO: Final = _compile(r"^지\s?말아야\s?(?:할|하는|될|되는)\s(?:일|것|말|행동|목록|리스트)")

_WORD_END: Final = re.compile(r"[\s,.!?~)\]\"';:]")
_CONDITION: Final = _compile(
    r"(?:(?<!기)(?<!보)면(?:은|요)?|거든|더라도|[\u1161\u1162\u1165-\u1167\u116a\u116b\u116f]도|때(?:에|는"
    r"|도|마다|엔|{ㄴ})?|자마자|때문에)$"
)
_CAUSE: Final = _compile(r"(?:서|니까|으니|는데|은데|{ㄴ}데|지만|길래|느라)$")
_NOMINAL: Final = _compile(r"(?:기는|기를|기만|기엔|기란|긴|길|음은|음을)$")
_ADNOMINAL: Final = _compile(r"{ㄴㄹ}$")
_AUXILIARY: Final = _compile(
    r"^\s(?:본|보지|보던|볼|봤던|보는|둔|두었던|놓은|있는|있던|버린|준|진|지는|질|하는|한|할|하던|하려는|된"
    r"|되는|되던|될"
    r"|있으면|보면|싶은|싶을|싶으면|드는|들면)(?=\s)"
)
_KEEP_GOING: Final = _compile(r"(?:쉬|멈추|그치|끊이|끊기|지치|꺾이|굽히)$")
_STATE: Final = _compile(rf"(?:{words.STATE})$")
_STATE_AHEAD: Final = _compile(rf"(?:{words.STATE_AHEAD})")
_MANNER: Final = _compile(r"^(?:게|도록|고|을\s?만큼)")
_INVOLUNTARY: Final = _compile(rf"⟨(?:{words.INVOLUNTARY})$")
_INVOLUNTARY_AHEAD: Final = _compile(rf"(?:{words.INVOLUNTARY_AHEAD})")
_PLACE_BEFORE: Final = _compile(rf"⟨(?:\S*\s)?(?:{words.PLACE})\s?$")
_PLACE_ACT: Final = _compile(words.PLACE_ACT)
_LESS_OF: Final = _compile(r"(?:단|달|짠|짜|매운|맵|자극|기름)")

_FUTURE_NOUN: Final = _compile(r"(?:거|것|게|걸|꺼|께|겁|래|테|생각|예정|작정|계획|자신)")
_GOAL_NOUN: Final = _compile(words.GOAL_NOUNS)
_PREDICATE: Final = _compile(
    r"\S{1,24}?(?:이다|입니다|이야|이에요|예요|이고\s?싶다|이\s된|가\s된|이\s되|가\s되|으로\s(?:살|산|남"
    r"|지내|거듭|바뀌|태어))"
)
_PERSON: Final = _compile(
    rf"(?:{words.PERSONS})(?:이|가|으로|로|답게)?(?:\s?(?:되|된|될|돼|살|산다|거듭)|다⟩|[.!~\s]*$)"
)
_TIME: Final = _compile(rf"(?:{words.TIMES})(?:을|를|이|가|으로|로|도|만)?(?=\s|[.!~]|$)")
_TIME_KEPT: Final = _compile(
    r"[.!~\s]*$|(?:\s(?:\d\S*|한|두|세|네|하루|매주|매일|주|이상|번|회|시간|일|더|씩)(?=\s))*"
    rf"\s?{words.KEEPING}"
)
_MODIFIER: Final = _compile(r"\S{2,16}?(?:한|운|은|는|된|인|던)\s")
_HARD_TO: Final = _compile(
    r"\S{0,16}?(?:고\s?싶|기\s?(?:힘들|어려|어렵|싫)|을\s?수\s?없|{ㄹ}\s?수\s?없|을\s?것\s?같|{ㄹ}\s?것\s?같"
    r"|{ㄹ}까|려고?\s?(?:하|할))"
    r"\S{0,8}?(?:면|\s때|\s땐|도⟩|{ㄴ}\s)"
)
_LEFT_SO: Final = _compile(r"\s(?:있던|둔|두었던|뒀던|놓은|놨던|버린|버렸던|있는)(?=\s)")
_PAST: Final = _compile(r"(?:던|한|친|춘|둔|긴|난)$")


def find_korean(text: str) -> list[Span]:
    """Return the spans of avoidance words in a decomposed text, in the order of the text."""
    masked = text
    for mask in _MASKS:
        masked = mask.sub(_blank, masked)
    spans: list[Span] = []
    for pattern in _NOUNS:
        spans += [(match.start(), _word_end(masked, match.end())) for match in pattern.finditer(masked)]
    for vice in _VICE_WORD.finditer(masked):
        act = _AFTER_VICE.match(masked, vice.end())
        if act:
            spans.append((vice.start(), _word_end(masked, act.end())))
    for pattern in _VERBS:
        spans += _keyword_verbs(masked, pattern)
    spans += _do_nots(masked)
    for pattern in _BEFORE_PREDICATE:
        spans += _negated_predicates(masked, pattern)
    for pattern in _AFTER_VERB:
        spans += _negated_verbs(masked, pattern)
    return sorted(spans)


def _blank(match: re.Match[str]) -> str:
    """Return a filler of the same length that is no Hangul; spaces stay."""
    return "".join(" " if char == " " else _BLANK for char in match[0])


def _word_end(text: str, position: int) -> int:
    """Return where the word that reaches up to `position` ends."""
    limit = min(len(text), position + _LOOK)
    match = _WORD_END.search(text, position, limit)
    return match.start() if match else limit


def _word_start(text: str, position: int) -> int:
    """Return where the word that holds the character before `position` starts."""
    base = max(0, position - _LOOK_BACK)
    return max(base, text.rfind(" ", base, position) + 1)


def _keyword_verbs(text: str, pattern: re.Pattern[str]) -> Iterator[Span]:
    """Yield the keyword stems that are not merely a cue."""
    for match in pattern.finditer(text):
        end = _word_end(text, match.end())
        word = text[match.start() : end]
        if _CONDITION.search(word) or _HARD_TO.match(text, match.start(), end + _LOOK):
            continue
        auxiliary = _LEFT_SO.match(text, end, end + _LOOK)
        described = auxiliary.end() if auxiliary else end
        if (auxiliary or _PAST.search(word)) and _describes(text[described : described + _LOOK]):
            continue
        yield match.start(), end


def _do_nots(text: str) -> Iterator[Span]:
    """Yield 하지 말기, 하지 마 and 커피 말고, but neither a roll (김밥 말기) nor a noun (편지 말-)."""
    for match in _MAL.finditer(text):
        before = text[max(0, match.start() - _LOOK_BACK) : match.start()]
        if _NOUN_IN_JI.search(before) or _NOT_TO_DO.match(text[match.start() : match.start() + _LOOK]):
            continue
        yield _word_start(text, match.start()), _word_end(text, match.end())
    for match in _MALGO.finditer(text):
        if not _ROLLED_UP.search(text[max(0, match.start() - _LOOK_BACK) : match.start()]):
            yield match.span()


def _negated_predicates(text: str, pattern: re.Pattern[str]) -> Iterator[Span]:
    """Yield 안 먹기, 못 보게, 덜 쓰기 where they state the habit."""
    for match in pattern.finditer(text):
        start = match.end()
        end = _word_end(text, start)
        before = text[max(0, match.start() - _LOOK_BACK) : match.start()]
        ahead = text[start : start + _LOOK]
        if match[0].endswith(" ") and _PLACE_BEFORE.search(before) and not _PLACE_ACT.match(ahead):
            continue
        if _STATE_AHEAD.match(ahead):
            continue
        is_less = match[0].startswith(_DEOL)
        if is_less and _LESS_OF.match(ahead):
            yield match.start(), end
            continue
        involuntary = bool(_INVOLUNTARY_AHEAD.match(ahead)) or match[0].startswith(_MOT)
        if _states_habit(ahead, involuntary=involuntary):
            yield match.start(), end


def _negated_verbs(text: str, pattern: re.Pattern[str]) -> Iterator[Span]:
    """Yield 먹지 않기, 보지 못하게 where they state the habit."""
    for match in pattern.finditer(text):
        before = text[max(0, match.start() - _LOOK_BACK) : match.start()]
        ahead = text[match.end() : match.end() + _LOOK]
        if _KEEP_GOING.search(before) or (_STATE.search(before) and _MANNER.match(ahead)):
            continue
        if _states_habit(ahead, involuntary=bool(_INVOLUNTARY.search(before))):
            yield _word_start(text, match.start()), _word_end(text, match.end())


def _states_habit(ahead: str, *, involuntary: bool) -> bool:
    """Return whether a negation states the habit; `ahead` begins with the predicate or the ending of 않다.

    `involuntary` marks predicates that nobody aims at (비가 오다, 잠이 깨다): with them causes and times are
    circumstances too.
    """
    end = _word_end(ahead, 0)
    auxiliary = _AUXILIARY.match(ahead[end:])
    if auxiliary:
        end += auxiliary.end()
    word = ahead[:end]
    if _CONDITION.search(word) or (involuntary and _CAUSE.search(word)):
        return False
    if not _ADNOMINAL.search(word) or _NOMINAL.search(word):
        return True
    rest = ahead[end:]
    if _FUTURE_NOUN.match(rest.lstrip()) and word.endswith(_RIEUL):
        return True
    if involuntary and _TIME.match(rest.lstrip()):
        return False
    return not _describes(rest)


def _describes(rest: str) -> bool:
    """Return whether the clause before `rest` describes a thing or a circumstance there."""
    if not rest.startswith(" "):
        return False
    noun = rest.lstrip()
    for _step in range(3):
        if not noun:
            return False
        if _GOAL_NOUN.match(noun) or _PREDICATE.match(noun) or _PERSON.match(noun):
            return False
        time = _TIME.match(noun)
        if time:
            return not _TIME_KEPT.match(noun[time.end() :])
        modifier = _MODIFIER.match(noun)
        if not modifier:
            return True
        noun = noun[modifier.end() :]
    return True
