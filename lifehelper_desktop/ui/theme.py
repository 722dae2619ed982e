"""Light and dark: colour tokens from `resources/style/*.json`, filled into `app.qss` and a matching QPalette."""

from __future__ import annotations

import json
import string
from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication

from lifehelper_desktop.base.paths import resources_dir
from lifehelper_desktop.ui import icons

_SCHEMES = {
    "system": Qt.ColorScheme.Unknown,
    "light": Qt.ColorScheme.Light,
    "dark": Qt.ColorScheme.Dark,
}


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


def load_tokens(name: str) -> Tokens:
    """Read the tokens of `light` or `dark`."""
    text = (resources_dir() / "style" / f"{name}.json").read_text(encoding="utf-8")
    return Tokens(name, json.loads(text))


def build_stylesheet(tokens: Tokens) -> str:
    """Fill the template; a token that the template names and the palette lacks is an error."""
    template = string.Template((resources_dir() / "style" / "app.qss").read_text(encoding="utf-8"))
    values = dict(tokens.colours)
    values["icon_down"] = icons.cached_file("down", tokens["muted"])
    values["icon_check"] = icons.cached_file("check", tokens["on_accent"])
    return template.substitute(values)


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
        palette.setColor(QPalette.ColorGroup.Disabled, role, tokens.colour("border_strong"))
    return palette


class Theme(QObject):
    """The theme in force; one per application, main thread.

    `system_changed` fires when the system went dark or light and the choice follows it: icons must be drawn anew.
    """

    system_changed = Signal()

    def __init__(self, app: QApplication) -> None:
        """Start light; call `choose` before the window is built."""
        super().__init__(app)
        self._app = app
        self._choice = "system"
        self.tokens = load_tokens("light")
        app.styleHints().colorSchemeChanged.connect(self._on_system_change)

    def choose(self, choice: str) -> None:
        """Apply `system`, `light` or `dark`."""
        self._choice = choice
        hints = self._app.styleHints()
        hints.blockSignals(True)
        hints.setColorScheme(_SCHEMES[choice])
        hints.blockSignals(False)
        self._apply()

    def _on_system_change(self) -> None:
        if self._choice == "system":
            self._apply()
            self.system_changed.emit()

    def _apply(self) -> None:
        dark = self._choice == "dark" or (
            self._choice == "system" and self._app.styleHints().colorScheme() == Qt.ColorScheme.Dark
        )
        self.tokens = load_tokens("dark" if dark else "light")
        self._app.setPalette(build_palette(self.tokens))
        self._app.setStyleSheet(build_stylesheet(self.tokens))


def theme() -> Theme:
    """Return the application's theme, made at the first call."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    found = app.findChild(Theme)
    return found if found is not None else Theme(app)
