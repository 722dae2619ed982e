"""The second place for the backups: made, checked, rotated, and never in the way of the first."""

from __future__ import annotations

import errno
import os
import platform
import shutil
from datetime import timedelta
from pathlib import Path

import pytest

from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.base.paths import AppPaths, resolve_paths
from lifehelper_desktop.base.settings import BACKUP_COPY_FOLDER, BACKUPS_ENABLED
from lifehelper_desktop.storage import backup_copies, backups
from lifehelper_desktop.storage.backup_copies import (
    CopyFailed,
    check_chosen,
    copies_folder,
    copy_newest,
    copy_state,
)
from lifehelper_desktop.storage.opening import copy_in_background, daily_backup, daily_backup_in_background
from lifehelper_desktop.storage.store import Store, open_store
from tests.storage.support import add


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    """A folder elsewhere."""
    folder = tmp_path / "USB 메모리"
    folder.mkdir()
    return folder


@pytest.fixture
def daily(store: Store) -> Path:
    """Today's backup."""
    add(store)
    made = daily_backup(store.db)
    assert made is not None
    return made


def copies(paths: AppPaths, stick: Path) -> list[Path]:
    return backups.backups_in(copies_folder(paths, stick))


def test_the_newest_daily_one_is_copied_once(store: Store, daily: Path, stick: Path) -> None:
    store.db.backup("manual")
    copied = copy_newest(store.paths, stick)
    assert copied is not None
    assert copied.name == daily.name
    assert copied.read_bytes() == daily.read_bytes()
    assert copy_newest(store.paths, stick) is None
    assert list(copied.parent.iterdir()) == [copied]


def test_seven_days_and_four_weeks_are_kept_and_nothing_of_others_goes(store: Store, daily: Path, stick: Path) -> None:
    folder = copies_folder(store.paths, stick)
    folder.mkdir()
    others = [folder / "사진.jpg", folder / "lifehelper-20200101T000000.000000Z-manual.db", stick / "편지.txt"]
    for path in others:
        path.write_bytes(b"x")
    # The real clock dates the daily backup; the days before it are made up.
    now = backups.backup_time(daily)
    for days in range(1, 61):
        moment = now - timedelta(days=days)
        (folder / f"lifehelper-{moment:%Y%m%dT%H%M%S.%fZ}-daily.db").write_bytes(b"x")
    copy_newest(store.paths, stick)
    kept = [path for path in copies(store.paths, stick) if backups.backup_reason(path) == "daily"]
    assert 7 <= len(kept) <= 11
    assert {(now - backups.backup_time(path)).days for path in kept} >= set(range(7))
    assert backups.spare_backups(kept) == []
    assert all(path.exists() for path in others)


def test_two_profiles_and_two_computers_share_a_place(
    store: Store, daily: Path, stick: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = copies_folder(store.paths, stick)
    assert copies_folder(resolve_paths(tmp_path / "other"), stick) != first
    monkeypatch.setattr(platform, "node", lambda: "노트북")
    assert copies_folder(store.paths, stick) != first
    assert copies_folder(store.paths, stick).name.startswith("LifeHelper-computer-")


def test_a_place_that_is_not_there_is_never_made(store: Store, daily: Path, stick: Path) -> None:
    stick.rmdir()
    for chosen in (stick, stick / "deeper"):
        with pytest.raises(CopyFailed) as caught:
            copy_newest(store.paths, chosen)
        assert str(chosen) in caught.value.message
        assert caught.value.next_step
    assert not stick.exists()
    assert not copy_state(store.paths, stick).is_there


def test_the_place_of_the_data_is_no_second_place(store: Store, stick: Path, tmp_path: Path) -> None:
    for folder in (store.paths.data, store.paths.data / "sub"):
        folder.mkdir(exist_ok=True)
        with pytest.raises(CopyFailed) as caught:
            check_chosen(store.paths, folder)
        assert "두 번째 자리" in caught.value.message
    check_chosen(store.paths, stick)
    (stick / "file").write_bytes(b"x")
    with pytest.raises(CopyFailed):
        check_chosen(store.paths, stick / "file")


@pytest.mark.parametrize(
    ("code", "words"),
    [(errno.ENOSPC, "남은 공간이 없어요"), (errno.EROFS, "쓸 수 없어요"), (errno.EIO, "복사하지 못했어요")],
)
def test_trouble_of_the_disk_is_told_and_nothing_is_left_half(
    store: Store, daily: Path, stick: Path, monkeypatch: pytest.MonkeyPatch, code: int, words: str
) -> None:
    earlier = copies_folder(store.paths, stick) / "lifehelper-20260101T000000.000000Z-daily.db"
    earlier.parent.mkdir()
    shutil.copyfile(daily, earlier)

    def fail(_descriptor: int) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(CopyFailed) as caught:
        copy_newest(store.paths, stick)
    assert words in caught.value.message
    assert list(earlier.parent.iterdir()) == [earlier]
    assert daily.exists()


def test_a_copy_that_does_not_pass_its_check_is_none(
    store: Store, daily: Path, stick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def spoil(source: Path, target: Path) -> None:
        target.write_bytes(source.read_bytes()[:-4096])

    monkeypatch.setattr(backup_copies.shutil, "copyfile", spoil)
    with pytest.raises(CopyFailed):
        copy_newest(store.paths, stick)
    assert copies(store.paths, stick) == []


def test_how_it_stands(store: Store, stick: Path) -> None:
    state = copy_state(store.paths, stick)
    assert (state.count, state.newest, state.is_current, state.is_there) == (0, None, True, True)
    add(store)
    made = daily_backup(store.db)
    assert made is not None
    assert not copy_state(store.paths, stick).is_current
    copy_newest(store.paths, stick)
    state = copy_state(store.paths, stick)
    assert (state.count, state.newest, state.is_current) == (1, backups.backup_time(made), True)


# ---- by itself --------------------------------------------------------------------------------------------------


def test_a_start_makes_the_backup_and_its_copy(
    paths: AppPaths, clock: FixedClock, stick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_store(paths, clock)
    add(store)
    store.settings.set(BACKUP_COPY_FOLDER, str(stick))
    store.close()
    store = open_store(paths, clock)
    store.close()  # waits for the copy
    assert len(copies(paths, stick)) == 1
    assert store.db.take_trouble() is None


def test_a_new_day_of_a_window_that_stays_open(store: Store, stick: Path) -> None:
    add(store)
    store.settings.set(BACKUP_COPY_FOLDER, str(stick))
    daily_backup_in_background(store.db)
    store.close()
    assert len(copies(store.paths, stick)) == 1


def test_a_stick_left_at_home_is_told_once_a_day_and_made_up_for(
    paths: AppPaths, clock: FixedClock, stick: Path
) -> None:
    stick.rmdir()
    store = open_store(paths, clock)
    add(store)
    store.settings.set(BACKUP_COPY_FOLDER, str(stick))
    store.close()
    store = open_store(paths, clock)
    store.close()
    told = store.db.take_trouble()
    assert isinstance(told, CopyFailed)
    assert store.db.take_trouble() is None
    store = open_store(paths, clock)
    store.close()
    assert store.db.take_trouble() is None
    stick.mkdir()
    store = open_store(paths, clock)
    copy_in_background(store.db, told=False)  # as every start of the window does
    store.close()
    assert len(copies(paths, stick)) == 1


def test_a_backup_that_cannot_be_made_is_told(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    add(store)

    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    assert daily_backup(store.db) is None
    told = store.db.take_trouble()
    assert told is not None
    assert told.message.startswith("오늘 백업을 만들지 못했어요.")
    assert "공간" in told.next_step


def test_turned_off_nothing_is_made_or_copied(store: Store, stick: Path) -> None:
    add(store)
    store.settings.set(BACKUP_COPY_FOLDER, str(stick))
    store.settings.set(BACKUPS_ENABLED, False)
    assert daily_backup(store.db) is None
    copy_in_background(store.db, told=True)
    store.close()
    assert backups.list_backups(store.paths) == []
    assert copies(store.paths, stick) == []


def test_the_place_stays_on_this_computer(store: Store, stick: Path, tmp_path: Path) -> None:
    store.settings.set(BACKUP_COPY_FOLDER, str(stick))
    path = tmp_path / "own.json"
    store.transfers.export_json(path)
    assert str(stick) not in path.read_text(encoding="utf-8")
