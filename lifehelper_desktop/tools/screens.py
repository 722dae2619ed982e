"""The screens that can be opened by name, and what people call them in either language.

Each is known by the name of its command in the window, whose own titles are accepted too. Pure.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

HABIT_PAGE: Final = "habit_page"
"""The page of one habit: no command, since it needs the habit."""
REVIEW: Final = "show_review"

SCREENS: Final[Mapping[str, tuple[str, ...]]] = {
    "show_habits": ("오늘", "오늘 습관", "습관", "습관 목록", "내 습관", "홈", "첫", "today", "habits", "home"),
    "show_catalogue": ("카탈로그", "습관 카탈로그", "습관 추가", "catalogue", "catalog", "add habit"),
    REVIEW: (
        *("돌아보기", "주간 돌아보기", "한 주 돌아보기", "회고", "통계", "리뷰", "주간 통계", "습관 통계"),
        *("review", "weekly review", "statistics", "stats", "report"),
    ),
    "settings": ("설정", "환경설정", "환경 설정", "앱 설정", "settings", "preferences", "options"),
    "open_models": ("모델", "모델 관리", "AI 모델", "models", "model", "manage models", "AI models"),
    "backups": ("백업", "백업 관리", "backups", "backup"),
    "import_data": ("가져오기", "데이터 가져오기", "import", "import data"),
    "export_data": ("내보내기", "데이터 내보내기", "export", "export data"),
    "archive": (
        *("보관함", "보관", "보관한 습관", "휴지통", "보관한 습관과 휴지통"),
        *("archive", "archived habits", "trash", "bin"),
    ),
    "history": (
        *("바뀐 내용", "바뀐 내용 보기", "변경 내역", "변경 기록", "바뀐 기록", "되돌리기 목록"),
        *("history", "changes", "what changed"),
    ),
    "open_conversations": ("지난 대화", "대화 목록", "대화 기록", "past conversations", "conversations", "past chats"),
    "shortcuts": ("단축키", "단축키 보기", "shortcuts", "keyboard shortcuts", "keys"),
    "quick_log": ("빠른 기록", "quick log"),
    "first_run": ("처음 안내", "시작 안내", "first steps", "welcome"),
    "about": ("정보", "앱 정보", "라이프 헬퍼에 대하여", "about"),
    HABIT_PAGE: (
        *("습관 상세", "상세", "습관 페이지", "기록 달력", "달력"),
        *("habit page", "habit details", "details", "calendar"),
    ),
}

_ABOUT_A_SCREEN: Final = re.compile(
    r"(?:화면|창|페이지|탭|메뉴)$|(?:screen|page|window|dialog|tab|menu)$|^(?:the|my|내|제)(?=.{2})"
)


def squeezed(text: str) -> str:
    """Return the letters and digits of `text`, composed, in lower case."""
    plain = unicodedata.normalize("NFC", unicodedata.normalize("NFKC", text)).casefold()
    return "".join(char for char in plain if char.isalnum())


def find_screen(said: str) -> str | None:
    """Return the screen that goes by this name, whatever its spaces, case and “화면” or “screen” around it, or None."""
    known = _known()
    word = squeezed(said)
    while word:
        if word in known:
            return known[word]
        shorter = _ABOUT_A_SCREEN.sub("", word, count=1)
        if shorter == word:
            return None
        word = shorter
    return None


@lru_cache(maxsize=1)
def _known() -> dict[str, str]:
    return {squeezed(word): name for name, words in SCREENS.items() for word in (name, *words)}
