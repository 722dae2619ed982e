"""The catalogue and the habits as documents, the weekly review as a prompt, and who hears of changes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import anyio
import mcp_types as types
import pytest
from mcp.client.client import Client
from mcp.shared.exceptions import MCPDeprecationWarning, MCPError

from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.base.paths import AppPaths
from lifehelper_desktop.domain.habits import EntryValue, Habit
from lifehelper_desktop.domain.review_words import review_text
from lifehelper_desktop.mcp_server.following import Following
from lifehelper_desktop.mcp_server.resources import ENTRY_TEMPLATE, HABIT_TEMPLATE, Resources
from lifehelper_desktop.storage.review import last_closed_week, read_review
from lifehelper_desktop.storage.store import Store, open_store
from tests.helpers.worlds import add_habit
from tests.mcp_server.conftest import ERAS, Connect, run


async def _read(client: Client, uri: str) -> Any:
    [content] = (await client.read_resource(uri, cache_mode="bypass")).contents
    assert isinstance(content, types.TextResourceContents)
    assert (content.uri, content.mime_type) == (uri, "application/json")
    return json.loads(content.text)


@pytest.mark.parametrize("era", ERAS)
def test_everything_that_is_listed_can_be_read(
    connect: Connect, store: Store, world: dict[str, Habit], era: str
) -> None:
    async def work() -> list[str]:
        found: list[str] = []
        async with connect(era) as client:
            cursor = None
            while True:
                page = await client.list_resources(cursor=cursor)
                for each in page.resources:
                    assert each.title
                    assert await _read(client, each.uri)
                    found.append(each.uri)
                cursor = page.next_cursor
                if cursor is None:
                    return found

    found = run(work)
    assert len(found) == len(set(found)) == 2 + len(world) + len(store.catalogue.all())


@pytest.mark.parametrize("era", ERAS)
def test_the_documents_say_what_the_data_says(
    connect: Connect, store: Store, world: dict[str, Habit], era: str
) -> None:
    walk = world["walk"]
    store.entries.log(walk.id, EntryValue.MINIMUM, store.today(), "비 오는 날")

    async def work() -> None:
        async with connect(era) as client:
            habits = await _read(client, "lifehelper://habits")
            assert [each["habit_id"] for each in habits["habits"]] == [each.id for each in store.habits.list()]
            one = await _read(client, f"lifehelper://habits/{walk.id}")
            assert one["title"] == "하루 걷기"
            assert one["streaks"]["current_streak"] == store.overview(walk).streaks.current_streak
            assert len(one["entries"]) == 30
            assert one["entries"][-1] == {"date": "2026-08-12", "value": "minimum", "note": "비 오는 날"}
            catalogue = await _read(client, "lifehelper://catalogue")
            assert len(catalogue["entries"]) == len(store.catalogue.all())
            entry = await _read(client, "lifehelper://catalogue/daily-steps")
            assert entry["evidence"]["citation"]

    run(work)


@pytest.mark.parametrize(
    "uri",
    [
        "lifehelper://habits/99",
        "lifehelper://habits/0x1",
        "lifehelper://habits/999999999999999999999999",
        "lifehelper://catalogue/../habits",
        "lifehelper://catalogue/no-such-entry",
        "lifehelper://",
        "file:///etc/passwd",
    ],
)
@pytest.mark.parametrize("era", ERAS)
def test_what_is_not_there_is_refused(connect: Connect, uri: str, era: str) -> None:
    async def work() -> None:
        async with connect(era) as client:
            with pytest.raises(MCPError, match="그런 자료는 없어요"):
                await client.read_resource(uri)
            with pytest.raises(MCPError):
                await client.list_resources(cursor="앞으로")

    run(work)


def test_templates_and_completions(connect: Connect, world: dict[str, Habit]) -> None:
    async def work() -> None:
        async with connect() as client:
            templates = (await client.list_resource_templates()).resource_templates
            assert {each.uri_template for each in templates} == {ENTRY_TEMPLATE, HABIT_TEMPLATE}
            entry = types.ResourceTemplateReference(uri=ENTRY_TEMPLATE)
            found = await client.complete(entry, {"name": "id", "value": "daily"})
            assert "daily-steps" in found.completion.values
            habit = types.ResourceTemplateReference(uri=HABIT_TEMPLATE)
            ids = (await client.complete(habit, {"name": "id", "value": ""})).completion.values
            assert ids == [str(each.id) for each in world.values()]
            week = types.PromptReference(name="weekly_review")
            weeks = (await client.complete(week, {"name": "week", "value": "2026-08"})).completion.values
            assert weeks[0] == "2026-08-03"

    run(work)


@pytest.mark.parametrize("era", ERAS)
def test_the_weekly_review_brings_the_users_own_week(
    connect: Connect, store: Store, world: dict[str, Habit], era: str
) -> None:
    async def work() -> list[str]:
        texts: list[str] = []
        async with connect(era) as client:
            [prompt] = (await client.list_prompts()).prompts
            assert prompt.title == "한 주 돌아보기"
            for arguments in (None, {"week": "오늘"}):
                [message] = (await client.get_prompt(prompt.name, arguments)).messages
                assert message.role == "user"
                assert isinstance(message.content, types.TextContent)
                texts.append(message.content.text)
            for wrong, words in (("언젠가", "week"), ("0001-01-01", "week"), ("2030-01-01", "2026-08-12")):
                with pytest.raises(MCPError, match=words):
                    await client.get_prompt(prompt.name, {"week": wrong})
            with pytest.raises(MCPError, match="weekly_review"):
                await client.get_prompt("monthly_review")
        return texts

    last, this = run(work)
    assert review_text(read_review(store, last_closed_week(store))).strip() in last
    assert "2026-08-10" in this


@pytest.fixture
def elsewhere(paths: AppPaths, clock: FixedClock, store: Store) -> Iterator[Store]:
    """The same data, opened by another program."""
    opened = open_store(paths, clock)
    yield opened
    opened.close()


def test_clients_of_2025_hear_of_changes_made_elsewhere(
    connect: Connect, elsewhere: Store, world: dict[str, Habit]
) -> None:
    uri = f"lifehelper://habits/{world['walk'].id}"

    async def work() -> list[str]:
        send, heard = anyio.create_memory_object_stream[str](20)

        async def listen(message: Any) -> None:
            if isinstance(message, types.ResourceUpdatedNotification):
                await send.send(message.params.uri)
            elif isinstance(message, types.ResourceListChangedNotification):
                await send.send("list")

        async with send, heard, connect("legacy", message_handler=listen) as client:
            await client.list_resources()
            with pytest.warns(MCPDeprecationWarning):  # there are clients that do so all the same
                await client.subscribe_resource(uri)
            elsewhere.entries.log(world["walk"].id, EntryValue.DONE, elsewhere.today())
            first = await heard.receive()
            with pytest.warns(MCPDeprecationWarning):
                await client.unsubscribe_resource(uri)
            elsewhere.trash.delete(world["walk"].id)
            return [first, await heard.receive()]

    assert run(work) == [uri, "list"]


def test_a_new_day_is_a_change_too(store: Store, clock: FixedClock, world: dict[str, Habit]) -> None:
    following = Following(store, Resources(store, "ko"))
    assert following._look()
    assert not following._look()
    clock.set(clock.now() + timedelta(days=1))
    assert following._look()


def test_clients_of_2026_hear_of_changes_made_elsewhere(
    connect: Connect, elsewhere: Store, world: dict[str, Habit]
) -> None:
    uri = f"lifehelper://habits/{world['walk'].id}"

    async def work() -> list[str]:
        async with connect("auto") as client:
            await client.list_resources()
            async with client.listen(resources_list_changed=True, resource_subscriptions=[uri]) as events:
                elsewhere.entries.log(world["walk"].id, EntryValue.DONE, elsewhere.today())
                first = await anext(aiter(events))
                add_habit(elsewhere, "post-meal-walk")
                second = await anext(aiter(events))
                return [type(first).__name__, type(second).__name__]

    assert run(work) == ["ResourceUpdated", "ResourcesListChanged"]
