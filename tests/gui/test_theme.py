"""Colours that everyone can read, and no icon, token or style that is missing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication

from lifehelper_desktop.base.paths import resources_dir
from lifehelper_desktop.domain.streaks import TIERS
from lifehelper_desktop.ui import icons
from lifehelper_desktop.ui.theme import Theme, build_stylesheet, load_tokens, theme

LOOKS = ("light", "dark")
TEXT_PAIRS = [
    *[(text, ground) for text in ("text", "muted") for ground in ("window", "surface", "sunken", "hover")],
    ("accent", "surface"),
    ("accent", "window"),
    ("accent", "sunken"),
    ("on_accent", "accent"),
    ("on_accent", "accent_hover"),
    ("on_accent_soft", "accent_soft"),
    ("on_gold_soft", "gold_soft"),
    ("accent", "gold_soft"),
    ("on_blue_soft", "blue_soft"),
    ("danger", "surface"),
    ("danger", "window"),
    ("on_danger_soft", "danger_soft"),
]


def contrast(first: QColor, second: QColor) -> float:
    def luminance(colour: QColor) -> float:
        parts = [
            part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4
            for part in (colour.redF(), colour.greenF(), colour.blueF())
        ]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    high, low = sorted((luminance(first), luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("pair", TEXT_PAIRS, ids="-on-".join)
def test_text_is_readable(look: str, pair: tuple[str, str]) -> None:
    """WCAG AA: 4.5 for text."""
    tokens = load_tokens(look)
    assert contrast(tokens.colour(pair[0]), tokens.colour(pair[1])) >= 4.5


@pytest.mark.parametrize("look", LOOKS)
def test_borders_of_controls_and_focus_can_be_seen(look: str) -> None:
    """WCAG AA: 3 for controls."""
    tokens = load_tokens(look)
    for edge in ("border_strong", "accent"):
        for ground in ("surface", "window"):
            assert contrast(tokens.colour(edge), tokens.colour(ground)) >= 3


def test_both_palettes_have_the_same_tokens() -> None:
    assert set(load_tokens("light").colours) == set(load_tokens("dark").colours)


@pytest.mark.parametrize("look", LOOKS)
def test_the_style_sheet_is_complete(qapp: QApplication, look: str) -> None:
    tokens = load_tokens(look)
    sheet = build_stylesheet(tokens)
    assert "$" not in sheet
    for file in re.findall(r"url\(([^)]+)\)", sheet):
        assert Path(file).is_file()
    template = (resources_dir() / "style" / "app.qss").read_text(encoding="utf-8")
    used = set(re.findall(r"\$(\w+)", template))
    assert set(tokens.colours) <= used


def test_every_icon_that_code_names_exists(qapp: QApplication) -> None:
    folder = resources_dir() / "icons"
    there = {path.stem for path in folder.glob("*.svg")}
    source = Path(icons.__file__).parent
    named = set(re.findall(r'icon(?:_label)?\(\s*"(\w+)"|icon="(\w+)"', _all_text(source)))
    for name in {first or second for first, second in named} | {tier for tier, _title, _least in TIERS}:
        assert name in there, name
        assert not icons.icon(name, "#112233").isNull()
    assert not icons.app_icon().isNull()


def _all_text(folder: Path) -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in folder.rglob("*.py"))


def test_icons_take_the_colour(qapp: QApplication) -> None:
    image = icons.pixmap("stop", "#ff0000", 24).toImage()
    assert image.pixelColor(12, 12) == QColor("#ff0000")


def test_there_is_one_theme_and_system_follows_the_system(qapp: QApplication) -> None:
    assert theme() is theme()
    assert isinstance(theme(), Theme)
    for choice, name in (("dark", "dark"), ("light", "light")):
        theme().choose(choice)
        assert theme().tokens.name == name
    theme().choose("system")
    assert theme().tokens.name in LOOKS
    theme().choose("light")
