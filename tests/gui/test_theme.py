"""Colours that everyone can read, and no icon, token or style that is missing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from lifehelper_desktop.base.paths import resources_dir
from lifehelper_desktop.domain.streaks import TIERS
from lifehelper_desktop.ui import icons
from lifehelper_desktop.ui.theme import (
    FONT_POINTS,
    LOOKS,
    SCALE_MAX,
    Theme,
    build_stylesheet,
    load_tokens,
    scaled,
    theme,
)
from lifehelper_desktop.ui.widgets.search_field import SearchField

#: The least contrast of text, of the edges of controls, and of what is switched off, by look (WCAG AA, or AAA).
USUAL, HIGH = (4.5, 3.0, 1.9), (7.0, 4.5, 4.5)
LEAST = {look: HIGH if look.endswith("_contrast") else USUAL for look in LOOKS}
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
    """WCAG AA: 4.5 for text; AAA with high contrast: 7."""
    tokens = load_tokens(look)
    assert contrast(tokens.colour(pair[0]), tokens.colour(pair[1])) >= LEAST[look][0]


@pytest.mark.parametrize("look", LOOKS)
def test_borders_of_controls_and_focus_can_be_seen(look: str) -> None:
    """WCAG AA: 3 for controls; more with high contrast, where every frame has an edge that can be seen."""
    tokens = load_tokens(look)
    edges = ["border_strong", "accent"]
    if look.endswith("_contrast"):
        edges += ["border", "sunken_border", "soft_border", "gold_border", "scroll"]
    for edge in edges:
        for ground in ("surface", "window", "sunken"):
            assert contrast(tokens.colour(edge), tokens.colour(ground)) >= LEAST[look][1] - (ground == "sunken") * 0.5


@pytest.mark.parametrize("look", LOOKS)
def test_what_is_switched_off_can_still_be_read(look: str) -> None:
    tokens = load_tokens(look)
    for ground in ("surface", "window", "sunken"):
        assert contrast(tokens.colour("disabled"), tokens.colour(ground)) >= LEAST[look][2], ground


@pytest.mark.parametrize("look", LOOKS)
def test_every_pair_of_the_style_sheet_is_readable(look: str) -> None:
    """A rule that sets both colours, and the words inside a frame that sets its own."""
    tokens = load_tokens(look)
    grounds: dict[str, str] = {}
    for selectors, body in re.findall(r"([^{}]+)\{([^}]*)\}", _template()):
        text = re.search(r"(?<![-\w])color: \$(\w+)", body)
        ground = re.search(r"background: \$(\w+)", body)
        for selector in (each.strip() for each in selectors.split(",")):
            if ground is not None:
                grounds[selector] = ground[1]
            below = ground[1] if ground is not None else grounds.get(selector.rsplit(" ", 1)[0])
            if text is not None and below is not None and text[1] != "disabled":
                found = contrast(tokens.colour(text[1]), tokens.colour(below))
                assert found >= LEAST[look][0], f"{selector}: {text[1]} on {below} is {found:.1f}"


def _template() -> str:
    text = (resources_dir() / "style" / "app.qss").read_text(encoding="utf-8")
    return re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)


@pytest.mark.parametrize("look", LOOKS)
def test_icons_can_be_told_from_their_ground(look: str) -> None:
    """Pictures that carry meaning: 3 against what they stand on."""
    tokens = load_tokens(look)
    for colour, ground in (("accent", "surface"), ("muted", "surface"), ("text", "window"), ("on_accent", "accent")):
        assert contrast(tokens.colour(colour), tokens.colour(ground)) >= 3


def test_all_palettes_have_the_same_tokens() -> None:
    for look in LOOKS:
        assert set(load_tokens(look).colours) == set(load_tokens("light").colours), look


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


# ---- size and contrast --------------------------------------------------------------------------------------------


def test_sizes_grow_with_the_text_and_lines_stay() -> None:
    assert [scaled(each, 2.0) for each in (1, 2, 3, 14)] == [1, 2, 6, 28]
    assert [scaled(each, 0.8) for each in (1, 2, 14)] == [1, 2, 11]


@pytest.mark.parametrize("percent", [80, 90, 100, 110, 125, 150, 175, 200])
def test_a_focus_line_moves_nothing(percent: int) -> None:
    """Padding and border together are the same with the thicker line of the focus, at every size."""
    sheet = build_stylesheet(load_tokens("light"), percent / 100)

    def room(selector: str) -> list[int]:
        body = re.search(re.escape(selector) + r" \{([^}]*)\}", sheet)
        assert body is not None, selector
        border = re.search(r"border: (\d)px", body[1])
        padding = re.search(r"padding: ([^;]+);", body[1])
        assert border is not None
        assert padding is not None
        return [int(each.removesuffix("px")) + int(border[1]) for each in padding[1].split()]

    for name in ("QPushButton", 'QPushButton[role="flat"]', 'QPushButton[role="mark"]', "QToolButton"):
        assert room(name) == room(f"{name}:focus"), name


@pytest.mark.parametrize("percent", [80, 90, 100, 110, 125, 150, 175, 200])
def test_the_round_things_stay_round(percent: int) -> None:
    """Qt draws a square where the radius is more than half of the side."""
    sheet = build_stylesheet(load_tokens("light"), percent / 100)

    def number(selector: str, name: str) -> int:
        rules = re.findall(re.escape(selector) + r" \{([^}]*)\}", sheet)
        return next(int(found[1]) for rule in rules if (found := re.search(rf"{name}: (\d+)px", rule)) is not None)

    side = number("QCheckBox::indicator, QRadioButton::indicator", "width") + 4
    assert number("QRadioButton::indicator", "border-radius") <= side / 2
    bar = number("QProgressBar", "min-height")
    assert number("QProgressBar", "border-radius") <= bar / 2
    day = scaled(28, percent / 100)  # as the strip of the week places them
    assert number('QToolButton[role="day"]', "border-radius") <= day / 2
    send = number('QToolButton[role="send"]', "min-width") + 2 * (number("QToolButton", "padding") + 1)
    assert number('QToolButton[role="send"]', "border-radius") <= send / 2


def test_the_text_size_reaches_font_style_sheet_and_icons(qapp: QApplication) -> None:
    theme().choose("light", 200)
    assert theme().scale == 2.0
    assert theme().px(24) == 48
    assert qapp.font().pointSizeF() == 2 * FONT_POINTS
    assert "font-size: 28px" in qapp.styleSheet()
    assert icons.pixmap("stop", "#ff0000", 24).width() == 48
    theme().choose("light")
    assert qapp.font().pointSizeF() == FONT_POINTS
    assert icons.pixmap("stop", "#ff0000", 24).width() == 24


@pytest.mark.parametrize("percent", [100, 200])
def test_the_sign_of_a_search_field_grows_with_the_text(qtbot: QtBot, percent: int) -> None:
    theme().choose("light", percent)
    field = SearchField("field", "찾기", "찾기")
    qtbot.addWidget(field)
    field.resize(400, field.sizeHint().height())
    field.show()
    sign = field.findChild(QLabel)
    assert isinstance(sign, QLabel)
    assert sign.width() == 16 * percent // 100
    assert abs(sign.geometry().center().y() - field.rect().center().y()) <= 1
    assert field.cursorRect().left() > sign.geometry().right()
    theme().choose("light")


def test_the_systems_larger_text_is_added_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lifehelper_desktop.ui.theme.system_scale", lambda: 1.25)
    theme().choose("light", 100)
    assert theme().scale == 1.25
    theme().choose("light", 200)
    assert theme().scale == SCALE_MAX
    monkeypatch.undo()
    theme().choose("light")


def test_high_contrast_is_chosen_or_asked_for_by_the_system(
    qapp: QApplication, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    theme().choose("dark", 100, True)
    assert theme().tokens.name == "dark_contrast"
    theme().choose("light")
    assert theme().tokens.name == "light"
    monkeypatch.setattr(Theme, "is_high_contrast", property(lambda _self: True))
    with qtbot.waitSignal(theme().system_changed):
        qapp.styleHints().accessibility().contrastPreferenceChanged.emit(Qt.ContrastPreference.HighContrast)
    assert theme().tokens.name == "light_contrast"
    monkeypatch.undo()
    theme().choose("light")
