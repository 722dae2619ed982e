"""Where new versions are: only what whoever published this copy wrote down, and only a page of the web."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lifehelper_desktop.base import release_page


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file that names the page; not there yet."""
    monkeypatch.setattr(release_page, "resources_dir", lambda: tmp_path)
    return tmp_path / "release.json"


def test_the_page_that_is_named(file: Path) -> None:
    file.write_text(json.dumps({"page": "https://example.org/releases"}), encoding="utf-8")
    assert release_page.release_page() == "https://example.org/releases"


@pytest.mark.parametrize(
    "content",
    [
        None, "", "{", "[]", "{}", '{"page": null}', '{"page": ""}', '{"page": "http://example.org"}',
        '{"page": "file:///etc/passwd"}', '{"page": "javascript:alert(1)"}', '{"page": "https:///nowhere"}',
        '{"page": "https://[broken"}',
    ],
)  # fmt: skip
def test_anything_else_is_no_page(file: Path, content: str | None) -> None:
    if content is not None:
        file.write_text(content, encoding="utf-8")
    assert release_page.release_page() == ""
