"""Colours and sizes: light and dark, with more contrast, and text from 80 to 200 %.

Colour tokens come from `resources/style/*.json`, sizes from `app.qss`; both end in one style sheet, a palette, the
application's font and the icons. Where code needs a size of its own, it asks `theme().px(n)`.
"""

from __future__ import annotations

import json
import re
import string
import sys
from dataclasses import dataclass
from typing import Final, NamedTuple

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QPalette
from PySide6.QtWidgets import QApplication

from lifehelper_desktop.base.paths import resources_dir
from lifehelper_desktop.base.settings import FONT_PERCENT, HIGH_CONTRAST, THEME
from lifehelper_desktop.storage.settings import SettingsRepository
from lifehelper_desktop.ui import icons

_SCHEMES = {
    "system": Qt.ColorScheme.Unknown,
    "light": Qt.ColorScheme.Light,
    "dark": Qt.ColorScheme.Dark,
}
LOOKS: Final = ("light", "dark", "light_contrast", "dark_contrast")
FONT_POINTS: Final = 10.5  # of the application's font at 100 %
SCALE_MAX: Final = 2.0  # nothing is cut off up to here; the setting and the system's size together stay below
#: What the system's own font measures (points) when the user never made it bigger.
_USUAL_POINTS: Final = {"win32": 9.0, "darwin": 13.0}
_USUAL_POINTS_ELSEWHERE: Final = 11.0
_SIZE: Final = re.compile(r"\b(\d+)px([+-]\d+\b)?")
_LINE_MAX: Final = 2  # borders of one or two pixels are lines, they do not grow with the text


@dataclass(frozen=True, slots=True)
class Tokens:
    """The colours in force, by name, each `#RRGGBB`."""

    name: str
    colours: dict[str, str]

    def __getitem__(self, key: str) -> str:
        """Return one colour."""
        return self.colours[key]

    def colour(self, key: str) -> QColor:
        """Return one colour as a QColor."""
        return QColor(self.colours[key])


class Look(NamedTuple):
    """The user's choices: what `Theme.choose` takes, in its order."""

    theme: str
    percent: int
    high_contrast: bool


def look_of(settings: SettingsRepository) -> Look:
    """Read the choices from the settings.

    Raises:
        WorldError: They could not be read.
    """
    return Look(settings.get_str(THEME), settings.get_int(FONT_PERCENT), settings.get_bool(HIGH_CONTRAST))


def load_tokens(name: str) -> Tokens:
    """Read the tokens of one of `LOOKS`."""
    text = (resources_dir() / "style" / f"{name}.json").read_text(encoding="utf-8")
    return Tokens(name, json.loads(text))


def scaled(pixels: int, scale: float) -> int:
    """Return a size of the design for text that is `scale` times as big; lines of 1 or 2 pixels stay as they are."""
    return pixels if pixels <= _LINE_MAX else round(pixels * scale)


def build_stylesheet(tokens: Tokens, scale: float = 1.0) -> str:
    """Fill the template and scale its sizes; a token that the template names and the palette lacks is an error.

    `9px` in the template grows with the text; `9px-1` grows and is one pixel less afterwards (`+1` one more), which
    is how the room of a line that does not grow is taken from the padding.
    """

    def size(match: re.Match[str]) -> str:
        return f"{max(0, scaled(int(match[1]), scale) + int(match[2] or 0))}px"

    template = (resources_dir() / "style" / "app.qss").read_text(encoding="utf-8")
    values = dict(tokens.colours)
    values["icon_down"] = icons.cached_file("down", tokens["muted"])
    values["icon_check"] = icons.cached_file("check", tokens["on_accent"])
    values["icon_radio"] = icons.cached_file("radio", tokens["on_accent"])
    return string.Template(_SIZE.sub(size, template)).substitute(values)


def build_palette(tokens: Tokens) -> QPalette:
    """Return the palette for what style sheets do not reach (placeholders, links, disabled text)."""
    palette = QPalette()
    roles = {
        QPalette.ColorRole.Window: "window",
        QPalette.ColorRole.WindowText: "text",
        QPalette.ColorRole.Base: "surface",
        QPalette.ColorRole.AlternateBase: "sunken",
        QPalette.ColorRole.Text: "text",
        QPalette.ColorRole.Button: "surface",
        QPalette.ColorRole.ButtonText: "text",
        QPalette.ColorRole.ToolTipBase: "surface",
        QPalette.ColorRole.ToolTipText: "text",
        QPalette.ColorRole.PlaceholderText: "muted",
        QPalette.ColorRole.Highlight: "accent",
        QPalette.ColorRole.HighlightedText: "on_accent",
        QPalette.ColorRole.Link: "accent",
        QPalette.ColorRole.Accent: "accent",
    }
    for role, key in roles.items():
        palette.setColor(role, tokens.colour(key))
    for role in (QPalette.ColorRole.Text, QPalette.ColorRole.WindowText, QPalette.ColorRole.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, role, tokens.colour("disabled"))
    return palette


class Theme(QObject):
    """The theme in force; one per application, main thread.

    `system_changed` fires when the system went dark, light, or to another contrast, and the choice follows it: icons
    must be drawn anew.
    """

    system_changed = Signal()

    def __init__(self, app: QApplication) -> None:
        """Start light; call `choose` before the window is built."""
        super().__init__(app)
        self._app = app
        self._choice, self._percent, self._wants_contrast = "system", 100, False
        self.tokens = load_tokens("light")
        self.scale = 1.0
        app.styleHints().colorSchemeChanged.connect(self._on_system_change)
        app.styleHints().accessibility().contrastPreferenceChanged.connect(self._on_system_change)

    def choose(self, choice: str, percent: int = 100, high_contrast: bool = False) -> None:
        """Apply `system`, `light` or `dark`, a size of the text, and more contrast.

        The system's own wishes for bigger text and more contrast are always followed.
        """
        self._choice, self._percent, self._wants_contrast = choice, percent, high_contrast
        hints = self._app.styleHints()
        hints.blockSignals(True)
        hints.setColorScheme(_SCHEMES[choice])
        hints.blockSignals(False)
        self._apply()

    def px(self, pixels: int) -> int:
        """Return a size of the design (pixels at 100 %) for the size of the text in force."""
        return scaled(pixels, self.scale)

    @property
    def is_high_contrast(self) -> bool:
        """Whether the setting or the system asks for more contrast."""
        preference = self._app.styleHints().accessibility().contrastPreference()
        return self._wants_contrast or preference == Qt.ContrastPreference.HighContrast

    def _on_system_change(self) -> None:
        before = self.tokens.name
        self._apply()
        if self.tokens.name != before:
            self.system_changed.emit()

    def _apply(self) -> None:
        dark = self._choice == "dark" or (
            self._choice == "system" and self._app.styleHints().colorScheme() == Qt.ColorScheme.Dark
        )
        self.tokens = load_tokens(("dark" if dark else "light") + ("_contrast" if self.is_high_contrast else ""))
        self.scale = min(SCALE_MAX, self._percent / 100 * system_scale())
        icons.set_scale(self.scale)
        self._app.setFont(_font(self._app.font(), self.scale))
        self._app.setPalette(build_palette(self.tokens))
        self._app.setStyleSheet(build_stylesheet(self.tokens, self.scale))


def system_scale() -> float:
    """Return how many times as big as usual the system's own text is; never below 1.

    Where there is no desktop (offscreen) the font says nothing and 1 is returned. How many dots an inch has is Qt's
    own business and not in here.
    """
    if QApplication.platformName() in ("offscreen", "minimal"):
        return 1.0
    points = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont).pointSizeF()
    return max(1.0, points / _USUAL_POINTS.get(sys.platform, _USUAL_POINTS_ELSEWHERE))


def _font(font: QFont, scale: float) -> QFont:
    result = QFont(font)
    result.setPointSizeF(FONT_POINTS * scale)
    return result


def theme() -> Theme:
    """Return the application's theme, made at the first call."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    found = app.findChild(Theme)
    return found if found is not None else Theme(app)
