"""The commands of the window, one row each: the menu bar, the list of shortcuts and the palette are made from them.

To add a command: one row here, and its method in one of the parts of `MainWindow`. A test walks the rows and sees
that each is in a menu, in the list of shortcuts and in the palette, and that no two share a key.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final

from PySide6.QtGui import QAction, QKeySequence

from lifehelper_desktop.base.i18n import N_, _, load_translations

_Standard = QKeySequence.StandardKey
_Role = QAction.MenuRole
HABIT_KEYS: Final = 9  # habits that can be marked by their number


class Menu(StrEnum):
    """The menus of the menu bar, in their order."""

    FILE = "file"
    EDIT = "edit"
    VIEW = "view"
    HABITS = "habits"
    COACH = "coach"
    HELP = "help"


MENU_WORDS: Final = {
    Menu.FILE: N_("파일(&F)"),
    Menu.EDIT: N_("편집(&E)"),
    Menu.VIEW: N_("보기(&V)"),
    Menu.HABITS: N_("습관(&B)"),
    Menu.COACH: N_("코치(&C)"),
    Menu.HELP: N_("도움말(&H)"),
}


@dataclass(frozen=True, slots=True)
class Command:
    """One row.

    Attributes:
        name: Known by it in the setting of the keys; also the object name of its QAction.
        words: What it does (Korean msgid); `{n}` stands for `number`.
        menu: Where it stands.
        method: Method of MainWindow, called with `number` when that is not 0.
        keys: Default key sequences in portable text, the first one is shown. Ctrl is ⌘ on macOS.
        standard: The system's own key for this, which comes before `keys` where there is one.
        icon: Name of an icon, or empty.
        needs_coach: Hidden while AI is off.
        in_field: The keys belong to the message field and act only there.
        role: Where macOS puts it.
        begins_group: A line stands above it in its menu.
        number: 1–9 for the habit that is marked, else 0.
    """

    name: str
    words: str
    menu: Menu
    method: str
    keys: tuple[str, ...] = ()
    standard: QKeySequence.StandardKey | None = None
    icon: str = ""
    needs_coach: bool = False
    in_field: bool = False
    role: QAction.MenuRole = _Role.NoRole
    begins_group: bool = False
    number: int = 0

    def title(self) -> str:
        """Return what it does in the language in force."""
        return _(self.words).format(n=self.number)

    def english_title(self) -> str:
        """Return what it does in English: people look for both."""
        return _english(self.words).format(n=self.number)


@lru_cache(maxsize=256)
def _english(words: str) -> str:
    return load_translations("en").gettext(words)


def _coach(
    name: str, words: str, method: str, *keys: str, icon: str = "", in_field: bool = False, begins_group: bool = False
) -> Command:
    return Command(
        name,
        words,
        Menu.COACH,
        method,
        keys,
        icon=icon,
        needs_coach=True,
        in_field=in_field,
        begins_group=begins_group,
    )


_FILE: Final = (
    Command("import_data", N_("가져오기…"), Menu.FILE, "open_import", icon="download"),
    Command("export_data", N_("내보내기…"), Menu.FILE, "open_export", icon="file"),
    Command("backups", N_("백업…"), Menu.FILE, "open_backups", icon="drive"),
    Command(
        "settings",
        N_("설정"),
        Menu.FILE,
        "open_settings",
        ("Ctrl+,",),
        _Standard.Preferences,
        "settings",
        role=_Role.PreferencesRole,
        begins_group=True,
    ),
    Command(
        "quit",
        N_("끝내기"),
        Menu.FILE,
        "quit",
        ("Ctrl+Q",),
        _Standard.Quit,
        role=_Role.QuitRole,
        begins_group=True,
    ),
)
_EDIT: Final = (
    Command("undo", N_("되돌리기"), Menu.EDIT, "undo", ("Ctrl+Z",), _Standard.Undo, "undo"),
    Command("redo", N_("다시 하기"), Menu.EDIT, "redo", ("Ctrl+Shift+Z", "Ctrl+Y"), _Standard.Redo, "redo"),
    Command("history", N_("바뀐 내용 보기"), Menu.EDIT, "open_history", icon="history"),
    Command("find", N_("찾기"), Menu.EDIT, "find_words", ("Ctrl+F",), _Standard.Find, "search", begins_group=True),
    Command("find_next", N_("다음 찾기"), Menu.EDIT, "find_next", ("F3",), _Standard.FindNext, needs_coach=True),
    Command(
        "find_previous",
        N_("이전 찾기"),
        Menu.EDIT,
        "find_previous",
        ("Shift+F3",),
        _Standard.FindPrevious,
        needs_coach=True,
    ),
    Command("find_in_catalogue", N_("카탈로그에서 찾기"), Menu.EDIT, "find_in_catalogue", ("Ctrl+Shift+F",)),
)
_VIEW: Final = (
    Command("show_habits", N_("오늘"), Menu.VIEW, "show_habits", ("Alt+1",), icon="today"),
    Command("show_catalogue", N_("카탈로그"), Menu.VIEW, "show_catalogue", ("Alt+2",), icon="catalogue"),
    Command("show_review", N_("주간 돌아보기"), Menu.VIEW, "show_review", ("Alt+3",), icon="sparkle"),
    Command("show_coach", N_("코치"), Menu.VIEW, "focus_composer", ("Alt+4",), icon="coach", needs_coach=True),
    Command("toggle_chat", N_("코치 펼치기와 접기"), Menu.VIEW, "toggle_chat", ("Ctrl+J",), needs_coach=True),
    Command("go_back", N_("뒤로 가기"), Menu.VIEW, "go_back", ("Alt+Left",), icon="left", begins_group=True),
    Command("next_region", N_("다음 구역으로 가기"), Menu.VIEW, "next_region", ("F6",)),
    Command("previous_region", N_("이전 구역으로 가기"), Menu.VIEW, "previous_region", ("Shift+F6",)),
    Command("palette", N_("명령 찾기"), Menu.VIEW, "open_palette", ("Ctrl+K",), icon="command", begins_group=True),
)
_HABITS: Final = (
    Command("add_habit", N_("습관 추가"), Menu.HABITS, "add_habit", icon="plus"),
    *(
        Command(
            f"mark_habit_{number}",
            N_("{n}번째 습관을 오늘 완료로 기록"),
            Menu.HABITS,
            "mark_habit",
            (f"Ctrl+{number}",),
            begins_group=number == 1,
            number=number,
        )
        for number in range(1, HABIT_KEYS + 1)
    ),
    Command("quick_log", N_("빠른 기록 열기"), Menu.HABITS, "open_quick_log", ("Ctrl+Shift+L",), icon="check"),
    Command("archive", N_("보관한 습관과 휴지통"), Menu.HABITS, "open_archive", icon="archive", begins_group=True),
)
_COACH: Final = (
    _coach("focus_composer", N_("코치에게 쓰기"), "focus_composer", "Ctrl+L", icon="edit"),
    _coach("new_chat", N_("새 대화"), "new_chat", "Ctrl+N", icon="new_chat"),
    _coach("open_conversations", N_("지난 대화"), "open_conversations", "Ctrl+O", icon="history"),
    _coach("stop", N_("답을 멈추기"), "stop", "Esc", icon="stop", begins_group=True),
    _coach("copy_last_answer", N_("마지막 답 복사하기"), "copy_last_answer", "Ctrl+Shift+C", icon="copy"),
    _coach("send_message", N_("보내기"), "send_message", "Return", in_field=True, icon="send", begins_group=True),
    _coach("new_line", N_("줄 바꾸기"), "new_line", "Shift+Return", "Ctrl+Return", in_field=True),
    _coach("recall_previous", N_("앞서 보낸 말 불러오기"), "recall_previous", "Up", in_field=True),
    _coach("recall_next", N_("다음에 보낸 말 불러오기"), "recall_next", "Down", in_field=True),
    _coach("open_models", N_("모델 관리…"), "open_models", begins_group=True),
)
_HELP: Final = (
    Command("shortcuts", N_("단축키 보기"), Menu.HELP, "open_shortcuts", ("Ctrl+/", "F1"), icon="keyboard"),
    Command("first_run", N_("처음 안내 다시 보기"), Menu.HELP, "open_first_run", icon="help"),
    Command(
        "about",
        N_("라이프 헬퍼에 대하여"),
        Menu.HELP,
        "open_about",
        icon="info",
        role=_Role.AboutRole,
        begins_group=True,
    ),
)

COMMANDS: Final[tuple[Command, ...]] = (*_FILE, *_EDIT, *_VIEW, *_HABITS, *_COACH, *_HELP)
BY_NAME: Final[dict[str, Command]] = {command.name: command for command in COMMANDS}
