"""The part of a file that is there already: two downloads of one file, crashes, and notes that fit no part."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.llm.model_store import _remove_stale
from lifehelper_desktop.llm.models.download import (
    DownloadControl,
    Outcome,
)
from lifehelper_desktop.llm.models.known import KnownModel
from lifehelper_desktop.llm.models.part_file import PartFile, part_path, part_size
from tests.helpers.hub_server import Hub, Step
from tests.llm.models_download.conftest import BODY, HALF, ROOT, nothing_offered, whole


def test_two_downloads_of_one_file_do_not_mix(fetch: Any, hub: Hub, models: Path, model: KnownModel) -> None:
    hub.script = [Step(hold=HALF)]
    control = DownloadControl()
    worker = threading.Thread(target=lambda: fetch(control), daemon=True)
    worker.start()
    assert hub.held.wait(20)
    with pytest.raises(WorldError, match="이미 받고 있어요"):
        fetch()
    control.cancel()
    worker.join(20)
    assert not worker.is_alive()


def test_what_a_crash_left_unsynced_is_fetched_again(fetch: Any, hub: Hub, models: Path, model: KnownModel) -> None:
    part = PartFile(models, model.file, hub.sha256)
    part.append(BODY[:1000])
    part.sync()
    part.append(b"never came down to the disk")
    part._file.flush()  # the process dies here: no close, no note
    assert part_size(models, model.file) == 1000
    assert fetch() is Outcome.DONE
    assert hub.ranges == ["bytes=1000-"]
    assert whole(models, model) == BODY
    part._file.close()


_CHILD = """
import dataclasses, sys
from pathlib import Path
from lifehelper_desktop.llm.models import part_file
from lifehelper_desktop.llm.models.download import DownloadControl, download
from lifehelper_desktop.llm.models.known import known_model
part_file._SYNC_BYTES = 100_000
download(known_model(sys.argv[1]), Path(sys.argv[2]), DownloadControl(), lambda _progress: None, endpoint=sys.argv[3])
"""


def test_a_killed_process_is_taken_up_from_its_last_note(fetch: Any, hub: Hub, models: Path, model: KnownModel) -> None:
    hub.script = [Step(hold=HALF)]
    child = subprocess.Popen([sys.executable, "-c", _CHILD, model.id, str(models), hub.url], cwd=ROOT)
    try:
        deadline = time.monotonic() + 60
        while part_size(models, model.file) < 100_000:
            assert child.poll() is None
            assert time.monotonic() < deadline
            hub.released.wait(0.01)
    finally:
        child.kill()
        child.wait(20)
    kept = part_size(models, model.file)
    assert nothing_offered(models)
    assert fetch() is Outcome.DONE
    assert hub.ranges == ["", f"bytes={kept}-"]
    assert whole(models, model) == BODY


@pytest.mark.parametrize("note", ["", "[]", '{"sha256": 1, "synced": 2}', '{"sha256": "x", "synced": -1}'])
def test_a_part_without_a_usable_note_is_begun_anew(
    fetch: Any, hub: Hub, models: Path, model: KnownModel, note: str
) -> None:
    part = part_path(models, model.file)
    part.parent.mkdir(parents=True)
    part.write_bytes(b"whatever")
    part.with_name(part.name + ".json").write_text(note)
    assert part_size(models, model.file) == 0
    assert fetch() is Outcome.DONE
    assert hub.ranges == [""]
    assert whole(models, model) == BODY


def test_the_starter_leaves_a_download_alone(fetch: Any, hub: Hub, models: Path, model: KnownModel) -> None:
    hub.script = [Step(cut=HALF)]
    with pytest.raises(WorldError):
        fetch(waits=())
    os.utime(part_path(models, model.file), (0, 0))
    _remove_stale(models)
    assert part_size(models, model.file) == HALF
