"""Words of someone in danger are met by code, before any model: a fixed, checked answer with the numbers to call.

Leans to answering: an answer too many costs nothing, one too few may cost everything.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from lifehelper_desktop.base.i18n import N_

CRISIS_ANSWER: Final = N_(
    "지금 많이 힘드시군요. 혼자 견디지 않으셔도 돼요. 자살예방 상담전화 109가 24시간 이야기를 들어 줘요. "
    "지금 위험하다면 119에 바로 전화해 주세요. 지금 곁에 누가 있나요?"
)

_KOREAN: Final = re.compile(
    r"죽고싶|죽어버리고싶|죽을래|죽으려고|자살|자해|살고싶지(?:가|는|도)?않|살기싫|사라지고싶|사라져버리고싶"
    r"|목숨을?끊|목을?매(?:고|달)|극단적(?:인)?선택|유서를?(?:썼|쓰|남)|(?:삶|인생|다|모두|모든걸)(?:을|를)?끝내고싶"
    r"|뛰어내리(?:고싶|려고)|나를?해치|내가?없어졌으면|살아서뭐"
)
_ENGLISH: Final = re.compile(
    r"\bkill(?:ing)? myself\b|\bsuicid\w*\b|\bend (?:my life|it all)\b|\b(?:hurt|harm|cut)(?:ting|ing)? myself\b"
    r"|\b(?:want|wish|going|wanna) (?:to )?(?:die|be dead)\b|\bself[- ]?harm\w*\b"
    r"|\bdo(?:n['’]t| not) want to (?:live|be alive|exist)\b|\bno reason to live\b|\bbetter off dead\b",
    re.IGNORECASE,
)


def sounds_like_crisis(text: str) -> bool:
    """Return whether `text` speaks of ending one's life or hurting oneself, in Korean or English."""
    plain = unicodedata.normalize("NFKC", text)
    return bool(_KOREAN.search(re.sub(r"\s+", "", plain)) or _ENGLISH.search(" ".join(plain.split())))
