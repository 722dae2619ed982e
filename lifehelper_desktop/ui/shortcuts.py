"""The keyboard shortcuts, one row each: the window binds them and the help shows them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from lifehelper_desktop.base.i18n import N_


@dataclass(frozen=True, slots=True)
class Shortcut:
    """One row.

    Attributes:
        keys: Key sequences, the first one is shown.
        words: What it does (Korean msgid).
        command: Method of MainWindow without arguments; empty for keys that a widget handles itself.
    """

    keys: tuple[str, ...]
    words: str
    command: str = ""


SHORTCUTS: Final = (
    Shortcut(("Ctrl+L",), N_("코치에게 쓰기"), "focus_composer"),
    Shortcut(("Enter",), N_("보내기")),
    Shortcut(("Shift+Enter",), N_("줄 바꾸기")),
    Shortcut(("Esc",), N_("답을 멈추기"), "stop"),
    Shortcut(("Ctrl+N",), N_("새 대화"), "new_chat"),
    Shortcut(("Ctrl+O",), N_("지난 대화"), "open_conversations"),
    Shortcut(("Ctrl+J",), N_("코치 펼치기와 접기"), "toggle_chat"),
    Shortcut(("Ctrl+H",), N_("오늘 화면"), "show_habits"),
    Shortcut(("Ctrl+F", "Ctrl+K"), N_("카탈로그에서 찾기"), "find_in_catalogue"),
    Shortcut(("Ctrl+1 … Ctrl+9",), N_("그 번호의 습관을 오늘 완료로 기록")),
    Shortcut(("Ctrl+Z",), N_("마지막 변경을 되돌리기"), "undo"),
    Shortcut(("Ctrl+Shift+Z", "Ctrl+Y"), N_("되돌린 것을 다시 하기"), "redo"),
    Shortcut(("Ctrl+,",), N_("설정"), "open_settings"),
    Shortcut(("F1", "Ctrl+/"), N_("단축키 보기"), "open_shortcuts"),
    Shortcut(("Ctrl+Shift+L",), N_("빠른 기록"), "open_quick_log"),
    Shortcut(("Ctrl+Q",), N_("끝내기"), "quit"),
)
