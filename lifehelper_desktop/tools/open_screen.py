"""`open_screen`: show a screen of the window by its name. The main thread carries it out."""

from __future__ import annotations

from typing import Any

from lifehelper_desktop.base.i18n import N_, _
from lifehelper_desktop.domain.particles import with_particles
from lifehelper_desktop.storage.text import shorten
from lifehelper_desktop.tools.arguments import is_absent
from lifehelper_desktop.tools.definition import Args, ToolDefinition, ToolDeps, ToolEffect, ToolScope
from lifehelper_desktop.tools.envelope import ToolErr, ToolResult
from lifehelper_desktop.tools.references import check_habit, with_habit_id
from lifehelper_desktop.tools.screens import HABIT_PAGE, REVIEW, find_screen
from lifehelper_desktop.tools.show_habit import open_habit
from lifehelper_desktop.tools.window import no_window, window_result


def _normalise(args: Args, deps: ToolDeps) -> dict[str, Any]:
    """Turn the screen's name into the one the window knows; a habit that is not given is left out."""
    result = {key: value for key, value in args.items() if key != "habit_id" or not is_absent(value)}
    screen = result.get("screen")
    found = find_screen(screen) if isinstance(screen, str) else None
    if found is not None:
        result["screen"] = found
    if found == HABIT_PAGE and "habit_id" not in result and deps.run.habit_id is not None:
        result["habit_id"] = deps.run.habit_id
    return with_habit_id(result, deps)


def _check(args: Args, deps: ToolDeps) -> str | None:
    if args["screen"] == HABIT_PAGE and "habit_id" not in args:
        return _("habit_id: 어느 습관인지 번호나 이름이 필요해요")
    if "habit_id" in args and args["screen"] in (HABIT_PAGE, REVIEW):
        check_habit(args, deps)
    return None


def _handle(args: Args, deps: ToolDeps) -> ToolResult:
    if deps.ui is None:
        return no_window()
    screen = args["screen"]
    if "habit_id" in args and screen in (HABIT_PAGE, REVIEW):
        # The numbers of one habit are on its own page.
        return open_habit(args["habit_id"], deps)
    answer = deps.ui.open_screen(screen)
    unknown = ToolErr(
        "no_such_screen",
        _("‘{name}’ 화면은 없어요. 열 수 있는 화면: {names}. 이 가운데 하나로 부르거나 사용자에게 물어보세요.").format(
            name=shorten(screen), names=answer.words
        ),
    )
    shown = with_particles(_("‘{name}’을(를) 열었어요.").format(name=answer.words))
    return window_result(answer, {"opened": answer.words}, shown, unknown)


DEFINITION = ToolDefinition(
    name="open_screen",
    label={"ko": "화면 열기", "en": "Open screen"},
    description=N_("이름을 말한 화면을 연다. 습관 하나의 통계는 habit_id도 넣는다."),
    parameters_schema={
        "type": "object",
        "properties": {
            "screen": {
                "type": "string",
                "maxLength": 60,
                "description": (
                    "오늘, 카탈로그, 통계, 설정, 모델, 백업, 가져오기, 내보내기, 보관함, 바뀐 내용, 지난 대화, 단축키, "
                    "빠른 기록, 습관 상세"
                ),
            },
            "habit_id": {"type": ["integer", "string"], "description": "통계나 상세를 볼 내 습관의 번호나 이름"},
        },
        "required": ["screen"],
    },
    effect=ToolEffect.READ,
    scope=ToolScope.UI,
    short_name="열기",
    handler=_handle,
    normalise=_normalise,
    check=_check,
)
