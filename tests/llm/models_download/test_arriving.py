"""A download arrives whole and checked, or says why not; a line that is lost is taken up where it ended."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.llm.models.download import (
    Outcome,
    Phase,
    Progress,
)
from lifehelper_desktop.llm.models.known import KnownModel
from lifehelper_desktop.llm.models.part_file import part_path, part_size
from tests.helpers.hub_server import Hub, Step
from tests.llm.models_download.conftest import BODY, HALF, nothing_offered, whole


def test_a_whole_file_arrives_with_progress(fetch: Any, models: Path, model: KnownModel) -> None:
    seen: list[Progress] = []
    ticks = iter(range(10_000))
    assert fetch(listener=seen.append, clock=lambda: float(next(ticks))) is Outcome.DONE
    assert whole(models, model) == BODY
    assert seen[0].phase is Phase.ASKING
    assert seen[-1].done == seen[-1].total == len(BODY)
    assert seen[-1].speed > 0
    assert seen[-1].seconds_left == 0
    assert [each.done for each in seen] == sorted(each.done for each in seen)


def test_a_lost_line_is_taken_up_where_it_ended(fetch: Any, hub: Hub, models: Path, model: KnownModel) -> None:
    hub.script = [Step(cut=HALF), Step(cut=HALF), Step()]
    assert fetch() is Outcome.DONE
    assert whole(models, model) == BODY
    assert hub.ranges == ["", f"bytes={HALF}-", f"bytes={2 * HALF}-"]


def test_a_line_lost_for_good_is_told_and_resumed_later(fetch: Any, hub: Hub, models: Path, model: KnownModel) -> None:
    hub.script = [Step(cut=HALF), Step(cut=0), Step(cut=0), Step(cut=0)]
    with pytest.raises(WorldError, match="연결이 끊겼어요"):
        fetch()
    assert nothing_offered(models)
    assert part_size(models, model.file) == HALF
    hub.ranges.clear()
    hub.script = []
    seen: list[Progress] = []
    assert fetch(listener=seen.append) is Outcome.DONE
    assert hub.ranges == [f"bytes={HALF}-"]
    assert Phase.CHECKING in {each.phase for each in seen}
    assert whole(models, model) == BODY


def test_a_server_that_ignores_the_range_starts_again(fetch: Any, hub: Hub, models: Path, model: KnownModel) -> None:
    hub.script = [Step(cut=HALF), Step(ignore_range=True)]
    assert fetch() is Outcome.DONE
    assert hub.ranges == ["", f"bytes={HALF}-"]
    assert whole(models, model) == BODY


def test_a_range_that_is_refused_starts_again(fetch: Any, hub: Hub, models: Path, model: KnownModel) -> None:
    hub.script = [Step(cut=HALF), Step(status=416), Step()]
    assert fetch() is Outcome.DONE
    assert hub.ranges == ["", f"bytes={HALF}-", ""]
    assert whole(models, model) == BODY


@pytest.mark.parametrize(
    "steps",
    [
        [Step(extra=10)],
        [Step(length=len(BODY) - 5, cut=len(BODY) - 5)],
        [Step(cut=HALF), Step(content_range=f"bytes {HALF}-{HALF + 5}/{HALF + 6}")],
        [Step(cut=HALF), Step(content_range=f"bytes 7-{len(BODY) - 1}/{len(BODY)}")],
        [Step(cut=HALF), Step(content_range="nonsense")],
    ],
    ids=["more than told", "less than told", "another total", "another start", "nonsense"],
)
def test_sizes_that_lie_end_it(fetch: Any, hub: Hub, models: Path, model: KnownModel, steps: list[Step]) -> None:
    hub.script = steps
    with pytest.raises(WorldError, match="크기가 달라서"):
        fetch()
    assert nothing_offered(models)
    assert part_size(models, model.file) == 0


def test_a_size_told_too_large_is_no_endless_wait(fetch: Any, hub: Hub, models: Path) -> None:
    hub.told_size = len(BODY) + 100
    with pytest.raises(WorldError, match="크기가 달라서"):
        fetch()
    assert nothing_offered(models)


def test_a_wrong_checksum_leaves_nothing(fetch: Any, hub: Hub, models: Path, model: KnownModel) -> None:
    hub.told_hash = "0" * 64
    with pytest.raises(WorldError, match="체크섬"):
        fetch()
    assert nothing_offered(models)
    assert part_size(models, model.file) == 0


def test_damage_in_the_kept_part_is_found(fetch: Any, hub: Hub, models: Path, model: KnownModel) -> None:
    hub.script = [Step(cut=HALF)]
    with pytest.raises(WorldError):
        fetch(waits=())
    with part_path(models, model.file).open("r+b") as file:
        file.write(b"damage")
    with pytest.raises(WorldError, match="체크섬"):
        fetch()
    assert nothing_offered(models)
    assert fetch() is Outcome.DONE
    assert whole(models, model) == BODY


def test_no_checksum_no_download(fetch: Any, hub: Hub, models: Path) -> None:
    hub.told_hash = ""
    with pytest.raises(WorldError, match="체크섬을 알려 주지 않아"):
        fetch()
    assert hub.ranges == []
    assert nothing_offered(models)


def test_another_version_on_the_hub_starts_again(fetch: Any, hub: Hub, models: Path, model: KnownModel) -> None:
    hub.script = [Step(cut=HALF)]
    with pytest.raises(WorldError):
        fetch(waits=())
    hub.body = BODY[::-1]
    hub.ranges.clear()
    assert fetch() is Outcome.DONE
    assert hub.ranges == [""]
    assert whole(models, model) == BODY[::-1]
