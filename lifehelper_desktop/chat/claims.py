"""Does an answer claim that something was written? What the user reads about a change must come from the database,
so an answer that claims one in a turn without a successful write is corrected beside it, and fails an evaluation.
"""

from __future__ import annotations

import re
from typing import Final

_SENTENCE: Final = re.compile(r"[^.!?…\n]+[.!?…]*")
#: A sentence about what was there before claims nothing about this turn.
_EARLIER: Final = re.compile(
    r"이미|벌써|지금까지|까지\s|지난|그동안|동안\s|그때|\balready\b|\bso far\b|\blast (?:week|month)\b", re.IGNORECASE
)
_KOREAN: Final = re.compile(
    r"(?:기록|저장|추가|등록|입력|체크|반영|표시)(?:을|를|이|도|까지)?\s*(?:다\s*)?(?:완료)?\s*"
    r"(?:했|하였|해\s?(?:뒀|두었|놨|놓았|드렸)|됐|되었|돼\s?있|완료|마쳤|끝났)"
    r"|(?:적어|남겨|찍어|넣어|올려)\s?(?:뒀|두었|놨|놓았|드렸)"
    r"|(?:완료|최소|쉬기|빈칸)(?:으로|로)\s*(?:남겼|적었|찍었|기록했|처리했|표시했|바꿨)"
    r"|습관(?:을|이|으로)?\s*(?:새로\s*)?(?:시작했|시작됐|시작되었|만들었|만들어\s?(?:뒀|두었|드렸)|추가했)"
)
_KOREAN_NOT: Final = re.compile(r"(?:못|안|않)\s*$")
_QUESTION: Final = re.compile(r"[가-힣]*(?:나요|까요|니까|는지|을까|다면|으면|니\?|어\?|\?)")
_VERBS: Final = r"(?:logged|recorded|added|saved|marked|tracked|checked off)"
_ENGLISH: Final = re.compile(
    rf"\b(?:i(?:['’]ve| have)?|it(?:['’]s| is| has been)|(?:has|have)(?: now)? been|was|were|is|are|successfully)\s+"
    rf"(?:now\s+|just\s+|been\s+|successfully\s+)*{_VERBS}\b"
    rf"|^\W*(?:done\W+)?{_VERBS}\b",
    re.IGNORECASE,
)
_ENGLISH_NOT: Final = re.compile(r"\b(?:not|never|nothing)\b|n['’]t\b|\?\s*$", re.IGNORECASE)


def claims_a_write(text: str) -> bool:
    """Return whether `text` says that something was recorded, added or saved just now (in Korean or English)."""
    return any(_claims(match.group().strip()) for match in _SENTENCE.finditer(text))


def _claims(sentence: str) -> bool:
    if _EARLIER.search(sentence):
        return False
    if _ENGLISH.search(sentence) and not _ENGLISH_NOT.search(sentence):
        return True
    for match in _KOREAN.finditer(sentence):
        if _KOREAN_NOT.search(sentence[max(0, match.start() - 4) : match.start()]):
            continue
        if _QUESTION.match(sentence, match.end()):
            continue
        return True
    return False
