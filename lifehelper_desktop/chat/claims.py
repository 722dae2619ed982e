"""Does an answer claim that something was written? What the user reads about a change must come from the database,
so an answer that claims one in a turn without a successful write is corrected beside it, and fails an evaluation.
"""

from __future__ import annotations

import re
from typing import Final

_KOREAN: Final = re.compile(
    r"(기록|저장|추가|등록|입력|체크|반영|표시)(을|를|이|도|까지)?\s*(다\s*)?(완료)?\s*"
    r"(했|하였|해\s?(뒀|두었|놨|놓았|드렸|드릴게요\s*끝)|됐|되었|돼\s?있|완료됐|완료되었|완료했|완료입니다|완료예요|마쳤|끝났)"
)
_KOREAN_OTHER: Final = re.compile(r"(적어|남겨|찍어|넣어|올려)\s?(뒀|두었|놨|놓았|드렸)")
_KOREAN_NOT: Final = re.compile(r"(못|안|않|지\s?못)\S*$")
_QUESTION: Final = re.compile(r"[가-힣]*(나요|까요|니까|는지|을까|ㄹ까|다면|으면|니\?|어\?|\?)")
_ENGLISH: Final = re.compile(
    r"\b(?:i(?:'ve|’ve| have)?|it(?:'s|’s| is| has been)|has been|have been|was|were|is now|successfully)\s+"
    r"(?:now\s+|just\s+|been\s+|successfully\s+)*(?:logged|recorded|added|saved|marked|tracked)\b",
    re.IGNORECASE,
)


def claims_a_write(text: str) -> bool:
    """Return whether `text` says that something was recorded, added or saved (in Korean or English)."""
    if _ENGLISH.search(text):
        return True
    for pattern in (_KOREAN, _KOREAN_OTHER):
        for match in pattern.finditer(text):
            if _KOREAN_NOT.search(text[max(0, match.start() - 4) : match.start()]):
                continue
            if _QUESTION.match(text, match.end()):
                continue
            return True
    return False
