"""The first minute: `dialog` leads through the pages; `preparing` makes the starter model."""

from lifehelper_desktop.ui.screens.first_run.dialog import FirstRun, is_wanted

__all__ = ["FirstRun", "is_wanted"]
