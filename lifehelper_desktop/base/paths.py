"""Where files live: the user's data, cache and logs (platformdirs, or all under `--data-dir`), and our resources."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import platformdirs

APP_NAME = "LifeHelper"
DATABASE_NAME = "lifehelper.db"


@dataclass(frozen=True, slots=True)
class AppPaths:
    """The folders of one installation; none is created before it is needed.

    Attributes:
        data: Database, backups and models.
        cache: What may be deleted at any time (prompt prefixes).
        logs: Log files and crash reports.
    """

    data: Path
    cache: Path
    logs: Path

    @property
    def database(self) -> Path:
        """The SQLite file."""
        return self.data / DATABASE_NAME

    @property
    def backups(self) -> Path:
        """Folder of database backups, newest by name last."""
        return self.data / "backups"

    @property
    def models(self) -> Path:
        """Folder of GGUF files the app manages."""
        return self.data / "models"


def resolve_paths(data_dir: Path | None = None) -> AppPaths:
    """Return the folders of this installation; with `data_dir` everything lies inside that folder."""
    if data_dir is not None:
        root = data_dir.expanduser().absolute()
        return AppPaths(root, root / "cache", root / "logs")
    dirs = platformdirs.PlatformDirs(APP_NAME, appauthor=False)
    return AppPaths(dirs.user_data_path, dirs.user_cache_path, dirs.user_log_path)


def folder(text: str) -> Path:
    """Return the folder that a command line names.

    Raises:
        ValueError: Nothing is named.
    """
    if not text.strip():
        raise ValueError("empty folder name")
    return Path(text)


def resources_dir() -> Path:
    """Return the folder of data files: inside the package when installed, beside it in a source checkout."""
    package = Path(__file__).resolve().parent.parent
    inside = package / "resources"
    return inside if inside.is_dir() else package.parent / "resources"
