"""What the settings screen shows, one row each. Every setting has its place here or a reason in `INTERNAL`.

To add a setting to the screen: one row in `ROWS`. A test walks the rows (title, help, accessible name) and fails when
a setting of `base.settings` has no place.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from lifehelper_desktop.base import settings
from lifehelper_desktop.base.clock import DAY_START_MAX_MINUTES, DAY_START_STEP_MINUTES
from lifehelper_desktop.base.i18n import N_, _, ngettext
from lifehelper_desktop.base.settings import Setting, SettingValue

Choices = tuple[tuple[str, SettingValue], ...]


class Section(StrEnum):
    """The sections, in their order on the screen."""

    LOOK = "look"
    DAY = "day"
    REMINDERS = "reminders"
    TRAY = "tray"
    COACH = "coach"
    SERVERS = "servers"
    DATA = "data"
    HELP = "help"


#: Title and icon of each section.
SECTIONS: Final[dict[Section, tuple[str, str]]] = {
    Section.LOOK: (N_("보이는 모습"), "look"),
    Section.DAY: (N_("하루와 한 주"), "today"),
    Section.REMINDERS: (N_("습관 알림"), "bell"),
    Section.TRAY: (N_("트레이와 시작"), "tray"),
    Section.COACH: (N_("코치"), "coach"),
    Section.SERVERS: (N_("연결"), "plug"),
    Section.DATA: (N_("자료"), "data"),
    Section.HELP: (N_("도움"), "help"),
}


class Kind(StrEnum):
    """What stands beside the words of a row."""

    CHOICE = "choice"
    SWITCH = "switch"
    FOLDER = "folder"
    MODEL = "model"
    LOGIN = "login"
    BUTTON = "button"


@dataclass(frozen=True, slots=True)
class SettingRow:
    """One row of the screen.

    Attributes:
        name: Object name of its control.
        title, help: Korean msgids.
        setting: What it stores; None for what is kept elsewhere or stores nothing.
        choices: Of a CHOICE: words in the language in force, and the value of each.
        button: Words on the button of a BUTTON (msgid).
        signal: The signal of the dialog that a BUTTON gives.
        needs: A yes-or-no setting without which this row does nothing; the row is switched off with it.
    """

    name: str
    section: Section
    kind: Kind
    title: str
    help: str
    setting: Setting | None = None
    choices: Callable[[], Choices] | None = None
    button: str = ""
    signal: str = ""
    needs: Setting | None = None


#: Settings without a row of their own, and where they are changed instead.
INTERNAL: Final[dict[str, str]] = {
    settings.SHORTCUT_KEYS.key: "the list of shortcuts",
    settings.FIRST_RUN_DONE.key: "the first run itself",
    settings.MODEL_FAMILY.key: "read from the model's file; the command line can set it",
    settings.ADDED_MODELS.key: "the list of models",
    settings.MCP_SERVERS.key: "the list of servers",
    settings.ACCEPTED_TERMS.key: "the terms of a model, when it is fetched",
}


def _languages() -> Choices:
    # Names of languages are written in their own language, whatever the language in force.
    return ((_("시스템을 따라가기"), "system"), ("한국어", "ko"), ("English", "en"))


def _themes() -> Choices:
    return ((_("시스템을 따라가기"), "system"), (_("밝게"), "light"), (_("어둡게"), "dark"))


def _font_sizes() -> Choices:
    usual = settings.FONT_PERCENT.default
    return tuple(
        (_("{n}% (보통)").format(n=each) if each == usual else f"{each}%", each)
        for each in settings.FONT_PERCENT.choices
    )


def _day_starts() -> Choices:
    minutes = range(0, DAY_START_MAX_MINUTES + 1, DAY_START_STEP_MINUTES)
    return tuple((f"{each // 60:02d}:{each % 60:02d}", each) for each in minutes)


def _week_starts() -> Choices:
    return ((_("월요일"), "monday"), (_("일요일"), "sunday"))


def _snooze_times() -> Choices:
    return tuple((_minutes(int(each)), each) for each in settings.SNOOZE_MINUTES.choices)


def _minutes(minutes: int) -> str:
    if minutes % 60 == 0:
        return ngettext("{n}시간 뒤", "{n}시간 뒤", minutes // 60).format(n=minutes // 60)
    return ngettext("{n}분 뒤", "{n}분 뒤", minutes).format(n=minutes)


_LOOK: Final = (
    SettingRow(
        "settingLanguage",
        Section.LOOK,
        Kind.CHOICE,
        N_("언어"),
        N_("바꾸면 창의 말이 바로 바뀌어요. 직접 적은 글은 그대로예요."),
        settings.LANGUAGE,
        _languages,
    ),
    SettingRow(
        "settingTheme",
        Section.LOOK,
        Kind.CHOICE,
        N_("테마"),
        N_("‘시스템을 따라가기’는 컴퓨터가 밝아지면 밝게, 어두워지면 어둡게 보여요."),
        settings.THEME,
        _themes,
    ),
    SettingRow(
        "settingFont",
        Section.LOOK,
        Kind.CHOICE,
        N_("글자 크기"),
        N_("글자, 아이콘, 단추가 함께 커져요. 시스템에서 키운 글자 크기도 더해져요."),
        settings.FONT_PERCENT,
        _font_sizes,
    ),
    SettingRow(
        "settingContrast",
        Section.LOOK,
        Kind.SWITCH,
        N_("고대비"),
        N_("글자와 선이 더 뚜렷해져요. 시스템에서 고대비를 켜 두면 저절로 켜져요."),
        settings.HIGH_CONTRAST,
    ),
)
_DAY: Final = (
    SettingRow(
        "settingDayStart",
        Section.DAY,
        Kind.CHOICE,
        N_("하루의 시작"),
        N_("이 시각 전에 한 일은 전날로 기록돼요."),
        settings.DAY_START_MINUTES,
        _day_starts,
    ),
    SettingRow(
        "settingWeekStart",
        Section.DAY,
        Kind.CHOICE,
        N_("한 주의 시작"),
        N_("달력과 주간 돌아보기, ‘한 주에 몇 번’ 습관의 한 주가 이 요일에 시작돼요."),
        settings.WEEK_START,
        _week_starts,
    ),
)
_REMINDERS: Final = (
    SettingRow(
        "settingReminders",
        Section.REMINDERS,
        Kind.SWITCH,
        N_("알림 받기"),
        N_("습관마다 정한 시각에 알려요. 이미 기록한 날과 쉬는 습관은 조용히 지나가요."),
        settings.REMINDERS_ENABLED,
    ),
    SettingRow(
        "settingSnooze",
        Section.REMINDERS,
        Kind.CHOICE,
        N_("‘나중에’를 누르면"),
        N_("이만큼 뒤에 한 번 더 알려요."),
        settings.SNOOZE_MINUTES,
        _snooze_times,
        needs=settings.REMINDERS_ENABLED,
    ),
)
_TRAY: Final = (
    SettingRow(
        "settingTray",
        Section.TRAY,
        Kind.SWITCH,
        N_("트레이 아이콘"),
        N_("화면 가장자리의 아이콘에서 오늘 습관을 바로 기록해요. 트레이가 있는 데스크톱에서만 보여요."),
        settings.TRAY_ENABLED,
    ),
    SettingRow(
        "settingCloseToTray",
        Section.TRAY,
        Kind.SWITCH,
        N_("창을 닫아도 트레이에 남기"),
        N_("알림과 빠른 기록이 이어져요. 끄면 창을 닫을 때 프로그램도 끝나요."),
        settings.CLOSE_TO_TRAY,
        needs=settings.TRAY_ENABLED,
    ),
    SettingRow(
        "settingLoginStart",
        Section.TRAY,
        Kind.LOGIN,
        N_("로그인할 때 시작하기"),
        N_("컴퓨터를 켜고 로그인하면 트레이에서 조용히 시작해요."),
    ),
)
_COACH: Final = (
    SettingRow(
        "settingAi",
        Section.COACH,
        Kind.SWITCH,
        N_("AI 코치 쓰기"),
        N_("끄면 대화 창이 사라지고 모델을 불러오지 않아요. 습관 기록은 그대로 쓸 수 있어요."),
        settings.AI_ENABLED,
    ),
    SettingRow(
        "settingKeepConversations",
        Section.COACH,
        Kind.SWITCH,
        N_("대화를 이 컴퓨터에 남겨 두기"),
        N_("끄면 앞으로의 대화는 창을 닫을 때 사라져요. 지난 대화는 그대로예요."),
        settings.KEEP_CONVERSATIONS,
        needs=settings.AI_ENABLED,
    ),
    SettingRow(
        "settingModel",
        Section.COACH,
        Kind.MODEL,
        N_("모델 파일"),
        N_("GGUF 형식의 Gemma 모델을 쓸 수 있어요. 바꾸면 새 대화로 시작해요."),
        settings.MODEL_PATH,
        needs=settings.AI_ENABLED,
    ),
)
_SERVERS: Final = (
    SettingRow(
        "openServers",
        Section.SERVERS,
        Kind.BUTTON,
        N_("다른 프로그램의 도구"),
        N_("MCP 서버를 더하면 코치가 그 도구를 쓸 수 있어요. 서버는 이 컴퓨터에서 돌아가는 다른 프로그램이에요."),
        button=N_("서버 보기…"),
        signal="servers_asked",
        needs=settings.AI_ENABLED,
    ),
)
_DATA: Final = (
    SettingRow(
        "settingBackups",
        Section.DATA,
        Kind.SWITCH,
        N_("날마다 백업"),
        N_("하루에 한 번 저절로 백업해요. 최근 7일과 4주의 것이 남아요."),
        settings.BACKUPS_ENABLED,
    ),
    SettingRow(
        "settingBackupFolder",
        Section.DATA,
        Kind.FOLDER,
        N_("백업을 하나 더 둘 폴더"),
        N_("백업할 때마다 이 폴더에도 복사해요. 다른 디스크나 동기화되는 폴더면 더 든든해요."),
        settings.BACKUP_COPY_FOLDER,
        needs=settings.BACKUPS_ENABLED,
    ),
    SettingRow(
        "openBackups",
        Section.DATA,
        Kind.BUTTON,
        N_("백업과 되살리기"),
        N_("지금 백업하거나, 예전 백업을 미리 보고 되살려요."),
        button=N_("백업 보기…"),
        signal="backups_asked",
    ),
    SettingRow(
        "openImport",
        Section.DATA,
        Kind.BUTTON,
        N_("다른 앱에서 가져오기"),
        N_("습관 앱에서 내보낸 파일을 미리 보고 가져와요. 되돌릴 수 있어요."),
        button=N_("가져오기…"),
        signal="import_asked",
    ),
    SettingRow(
        "openExport",
        Section.DATA,
        Kind.BUTTON,
        N_("내보내기"),
        N_("모든 기록을 파일 하나로 내보내요. 표로 열 수 있는 CSV도 돼요."),
        button=N_("내보내기…"),
        signal="export_asked",
    ),
    SettingRow(
        "openArchive",
        Section.DATA,
        Kind.BUTTON,
        N_("보관함과 휴지통"),
        N_("보관하거나 지운 습관을 다시 꺼내요."),
        button=N_("보관함 열기…"),
        signal="archive_asked",
    ),
)
_HELP: Final = (
    SettingRow(
        "openShortcuts",
        Section.HELP,
        Kind.BUTTON,
        N_("단축키"),
        N_("모든 단축키를 보고 손에 맞게 바꿔요."),
        button=N_("단축키 보기…"),
        signal="shortcuts_asked",
    ),
    SettingRow(
        "openFirstRun",
        Section.HELP,
        Kind.BUTTON,
        N_("처음 안내"),
        N_("처음 켰을 때의 짧은 안내를 다시 봐요. 기록은 그대로예요."),
        button=N_("다시 보기…"),
        signal="first_run_asked",
    ),
)

ROWS: Final[tuple[SettingRow, ...]] = (*_LOOK, *_DAY, *_REMINDERS, *_TRAY, *_COACH, *_SERVERS, *_DATA, *_HELP)
