"""`search_data` and `check_quality`: what the model reads, in both languages, small enough, and never an exception."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

from lifehelper_desktop.base.i18n import set_language
from lifehelper_desktop.base.settings import KEEP_CONVERSATIONS
from lifehelper_desktop.domain.habits import EntryValue, Habit
from lifehelper_desktop.domain.quality_checks import CHECKS
from lifehelper_desktop.storage.conversations import StoredEvent
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.tools.definition import ToolDeps
from lifehelper_desktop.tools.dispatcher import ToolDispatcher
from lifehelper_desktop.tools.envelope import TOOL_RESULT_MAX_BYTES, ToolErr, ToolOk, encode_tool_result
from lifehelper_desktop.tools.registry import ToolRegistry
from tests.helpers.worlds import world_1
from tests.storage.test_quality import CASES, entry
from tests.tools.conftest import Call


@pytest.fixture
def habits(store: Store) -> dict[str, Habit]:
    found = world_1(store)
    day = store.today() - timedelta(days=1)
    store.entries.change(found["walk"].id, day, EntryValue.DONE, note="비가 와서 복도에서 걸었다")
    return found


def test_a_note_is_found(call: Call, habits: dict[str, Habit]) -> None:
    result = call("search_data", words="복도")
    assert isinstance(result, ToolOk)
    walk = habits["walk"]
    assert result.data == {
        "count": 1,
        "habits": 0,
        "notes": 1,
        "items": [
            {
                "kind": "note",
                "habit_id": walk.id,
                "title": walk.title_ko,
                "date": "2026-08-11",
                "field": "note",
                "text": "비가 와서 복도에서 걸었다",
            }
        ],
    }
    assert result.words == "내 기록에서 1개를 찾았어요."


def test_titles_are_those_of_the_language(store: Store, habits: dict[str, Habit]) -> None:
    set_language("en")
    dispatcher = ToolDispatcher(ToolRegistry.defaults(), ToolDeps(store, "en"))
    result = dispatcher.dispatch("search_data", {"words": habits["walk"].title_en.lower()})
    assert isinstance(result, ToolOk)
    assert result.data["items"][0]["title"] == habits["walk"].title_en
    result = dispatcher.dispatch("search_data", {"words": habits["walk"].title_ko})
    assert isinstance(result, ToolOk)
    assert result.data["items"][0]["habit_id"] == habits["walk"].id


def test_only_one_habit_by_its_name(call: Call, habits: dict[str, Habit]) -> None:
    result = call("search_data", words="걸었다", habit_id=habits["walk"].title_ko)
    assert isinstance(result, ToolOk)
    assert result.data["count"] == 1
    result = call("search_data", words="걸었다", habit_id=habits["todo"].id)
    assert isinstance(result, ToolOk)
    assert (result.data["count"], result.data["items"]) == (0, [])
    assert result.data["hint"]
    result = call("search_data", words="걸었다", habit_id=999)
    assert isinstance(result, ToolErr)
    assert result.code == "not_found"


def test_conversations_when_asked_and_kept(call: Call, store: Store, habits: dict[str, Habit]) -> None:
    talk = store.conversations.start("고슴도치 이야기")
    store.conversations.append(talk, StoredEvent("user", {"text": "고슴도치 봤어"}, text="고슴도치 봤어"))
    result = call("search_data", words="고슴도치")
    assert isinstance(result, ToolOk)
    assert result.data["count"] == 0
    assert "messages" not in result.data
    result = call("search_data", words="고슴도치", conversations=True)
    assert isinstance(result, ToolOk)
    assert result.data["messages"] == 2
    store.settings.set(KEEP_CONVERSATIONS, value=False)
    result = call("search_data", words="고슴도치", conversations=True)
    assert isinstance(result, ToolOk)
    assert result.data["count"] == 0
    assert "conversations" in result.data, "it says why"


@pytest.mark.parametrize("words", ["", "  ", "\u200b", "가" * 201, 7, None, ["걷기"]])
def test_what_cannot_be_searched_is_refused_in_words(call: Call, words: object) -> None:
    result = call("search_data", words=words)
    if isinstance(result, ToolOk):  # a number is a text of digits
        assert words == 7
        return
    assert isinstance(result, ToolErr)
    assert result.code == "validation"


@pytest.mark.parametrize("words", ['"', "걷기*", "keys:걷기 OR 물", "'; DROP TABLE entry; --", "NEAR(", "\ud800걷기"])
def test_signs_of_a_query_language_are_text(call: Call, habits: dict[str, Habit], words: str) -> None:
    result = call("search_data", words=words)
    assert isinstance(result, ToolOk)
    encode_tool_result(result).encode()


def test_very_much_fits(call: Call, store: Store, habits: dict[str, Habit]) -> None:
    for back in range(2, 40):
        day = store.today() - timedelta(days=back)
        store.entries.change(habits["walk"].id, day, EntryValue.DONE, note=f"{back} 번째 날의 긴 메모 " * 8)
    result = call("search_data", words="메모", limit=20)
    text = encode_tool_result(result)
    assert len(text.encode()) <= TOOL_RESULT_MAX_BYTES
    data = json.loads(text)["data"]
    assert data["count"] == 38
    assert data["_omitted"] + len(data["items"]) == 20


def test_quality_tells_failed_checks_only(call: Call, store: Store, habits: dict[str, Habit]) -> None:
    result = call("check_quality")
    assert isinstance(result, ToolOk)
    assert result.data["checked"] == len(CHECKS)
    assert [item["check"] for item in result.data["items"]] == ["gaps"]
    [item] = result.data["items"]
    assert item["severity"] == "low"
    assert item["samples"] == [f"{habits['todo'].id} {habits['todo'].title_ko} · 2026-08-11 · 1일 비어 있음"]
    assert item["next"].endswith("요.")
    assert result.words == "살펴볼 것이 1가지 있어요."


def test_quality_of_one_habit_or_one_check(call: Call, habits: dict[str, Habit]) -> None:
    result = call("check_quality", habit_id=habits["walk"].title_ko)
    assert isinstance(result, ToolOk)
    assert (result.data["failed"], result.data["items"]) == (0, [])
    assert result.data["hint"]
    result = call("check_quality", check="GAPS")
    assert isinstance(result, ToolOk)
    assert (result.data["checked"], result.data["failed"]) == (1, 1)
    result = call("check_quality", check="everything")
    assert isinstance(result, ToolErr)
    assert result.code == "validation"


def test_everything_off_at_once_fits(call: Call, store: Store, habits: dict[str, Habit]) -> None:
    for spoil, _others in CASES.values():
        if spoil.__name__ not in ("after_archive", "resting_reminder", "over_quota", "same_title", "before_start"):
            spoil(store, habits["walk"])
    entry(store, habits["walk"], -90)
    entry(store, habits["walk"], -91, least=1)
    result = call("check_quality")
    text = encode_tool_result(result)
    assert len(text.encode()) <= TOOL_RESULT_MAX_BYTES
    data = json.loads(text)["data"]
    assert data["failed"] == len(data["names"].split()) >= 8, "the names of all are told"
    assert data["items"][0]["severity"] == "high"
