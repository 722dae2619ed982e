"""The settings screen: `rows` says what is on it, `lines` how a row looks, `dialog` puts them together."""

from lifehelper_desktop.ui.screens.settings.dialog import REBUILT_BY, SettingsDialog

__all__ = ["REBUILT_BY", "SettingsDialog"]
