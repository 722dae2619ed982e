"""From a path to what the file holds: which format it is, by its content, and all that can be read of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, tzinfo
from functools import cache
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from lifehelper_desktop.base.discovery import import_submodules
from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.storage.text import shorten
from lifehelper_desktop.storage.transfer import formats
from lifehelper_desktop.storage.transfer.building import FormatReader, ReadContext
from lifehelper_desktop.storage.transfer.errors import TransferError
from lifehelper_desktop.storage.transfer.model import FileFormat, ImportedData
from lifehelper_desktop.storage.transfer.profile import portable_setting
from lifehelper_desktop.storage.transfer.report import Report
from lifehelper_desktop.storage.transfer.source_file import SourceFile
from lifehelper_desktop.storage.transfer.watch import Stage, Watch

_OWN_DATABASE = frozenset({"migration", "habit", "entry"})


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How a file is to be read.

    Attributes:
        format: Taken instead of the one that the content shows.
        zone: Where instants become days, for formats that hold instants; None asks the file, then this computer.
        local_zone: The zone of this computer, or None for what the system says.
        known_columns: What the rows in LifeHelper's own file may hold, by table.
    """

    today: date
    format: FileFormat | None = None
    zone: tzinfo | None = None
    local_zone: tzinfo | None = None
    known_columns: Mapping[str, frozenset[str]] | None = None


@cache
def readers() -> dict[FileFormat, FormatReader]:
    """Return every format that can be read, LifeHelper's own first."""
    found = [module.READER for module in import_submodules(formats) if hasattr(module, "READER")]
    return {reader.format: reader for reader in sorted(found, key=lambda each: list(FileFormat).index(each.format))}


def parse_format(name: str) -> FileFormat:
    """Return the format of this name.

    Raises:
        TransferError: `unknown_format`.
    """
    try:
        return FileFormat(name.strip().casefold())
    except ValueError as error:
        known = ", ".join(each.value for each in FileFormat)
        raise TransferError(
            "unknown_format",
            _("‘{name}’ 형식은 아직 읽지 못해요.").format(name=shorten(name)),
            _("읽을 수 있는 형식: {names}").format(names=known),
        ) from error


def parse_zone(name: str) -> ZoneInfo:
    """Return the time zone of an IANA name such as `Asia/Seoul`.

    Raises:
        TransferError: `bad_choice`.
    """
    try:
        return ZoneInfo(name.strip())
    except (OSError, ValueError, KeyError) as error:  # ZoneInfoNotFoundError is a KeyError
        raise TransferError(
            "bad_choice", _("시간대를 알 수 없어요: {zone}").format(zone=shorten(name)), _("예: Asia/Seoul")
        ) from error


def detect(source: SourceFile) -> FileFormat:
    """Return the format that the content of a file shows.

    Raises:
        TransferError: `unreadable`; `unknown_format` when it is of none that can be read.
    """
    for reader in readers().values():
        if reader.matches(source):
            return reader.format
    if source.tables >= _OWN_DATABASE:
        raise TransferError(
            "unknown_format",
            _("LifeHelper의 백업 파일이에요."),
            _("백업 되살리기로 열어 주세요. 습관을 옮기려면 JSON으로 내보낸 파일을 골라 주세요."),
        )
    apps = ", ".join(dict.fromkeys(reader.format.app.partition(" (")[0] for reader in readers().values()))
    raise TransferError(
        "unknown_format",
        _("어느 앱의 파일인지 알아보지 못했어요: {name}").format(name=source.name),
        _("읽을 수 있는 앱: {names}").format(names=apps),
    )


def read_file(path: Path, options: ReadOptions, watch: Watch) -> tuple[ImportedData, Report]:
    """Read a file or folder. Nothing is stored, and nothing is written beside the file.

    Raises:
        TransferError: The file as a whole cannot be read; single rows go to the report.
    """
    watch.begin(Stage.READING)
    source = SourceFile(path, watch)
    chosen = options.format or detect(source)
    reader = readers()[chosen]
    if not reader.matches(source):
        raise TransferError(
            "unknown_format",
            _("{app}의 파일이 아니에요: {name}").format(app=chosen.app, name=source.name),
            _("형식을 고르지 않으면 내용을 보고 알아봐요."),
        )
    report = Report()
    if source.has_rows_elsewhere:
        report.note(source.name, "newest_rows_elsewhere")
    context = ReadContext(
        source=source,
        format=chosen,
        today=options.today,
        report=report,
        watch=watch,
        zone=options.zone,
        local_zone=options.local_zone,
        known_columns=options.known_columns or {},
    )
    habits = tuple(reader.read(context))
    settings = _settings(source, report) if chosen is FileFormat.LIFEHELPER else {}
    watch.end()
    return ImportedData(chosen, source.name, habits, settings), report


def _settings(source: SourceFile, report: Report) -> dict[str, Any]:
    given = source.json.get("settings")
    kept: dict[str, Any] = {}
    for key, value in (given if isinstance(given, dict) else {}).items():
        row = portable_setting(key)
        if row is None:
            report.note("settings", "setting_left_out", key=shorten(key))
            continue
        try:
            kept[key] = row.check(value)
        except ValueError:
            report.bad("settings", "bad_field", name=key, text=shorten(value))
    return kept
