"""The dialogs over the window. Their modules are imported when they are first asked for: the start needs none."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QDialog

from lifehelper_desktop.domain.habits import Habit, Protocol
from lifehelper_desktop.ui.trouble import guarded
from lifehelper_desktop.ui.window_base import WindowBase

if TYPE_CHECKING:
    from lifehelper_desktop.ui.screens.settings import SettingsDialog


class DialogCommands(WindowBase):
    """A part of MainWindow: each dialog is shown once, and raised when it is asked for again."""

    @guarded
    def open_settings(self) -> None:
        """Show the settings."""
        self.dialogs.show("settings", self._make_settings)

    def _make_settings(self) -> QDialog:
        from lifehelper_desktop.ui.screens.settings import SettingsDialog

        dialog = SettingsDialog(self.store, self.bus, self)
        dialog.changed.connect(self._on_setting)
        dialog.models_asked.connect(self.open_models)
        dialog.servers_asked.connect(self.open_servers)
        dialog.backups_asked.connect(self.open_backups)
        dialog.import_asked.connect(self.open_import)
        dialog.export_asked.connect(self.open_export)
        dialog.archive_asked.connect(self.open_archive)
        dialog.shortcuts_asked.connect(self.open_shortcuts)
        dialog.first_run_asked.connect(self.open_first_run)
        return dialog

    def _shown_settings(self) -> SettingsDialog | None:
        """Return the settings where they are open."""
        if (dialog := self.dialogs.get("settings")) is None:
            return None
        from lifehelper_desktop.ui.screens.settings import SettingsDialog

        return dialog if isinstance(dialog, SettingsDialog) else None

    def open_models(self) -> None:
        """Show the list of models."""
        self.models.open()

    def add_model(self, path: Path) -> None:
        """Add a model file that was opened with the program; while the first steps are shown it waits for their end."""
        first_run = self.dialogs.get("first_run")
        if first_run is not None:
            first_run.finished.connect(lambda _result: self.models.add(path))
        else:
            self.models.add(path)

    @guarded
    def open_servers(self) -> None:
        """Show the MCP servers that the user added."""

        def make() -> QDialog:
            from lifehelper_desktop.ui.screens.settings.servers import ServersDialog

            return ServersDialog(self.store, self.bus, self, hub=self.context.servers)

        self.dialogs.show("servers", make)

    @guarded
    def open_shortcuts(self) -> None:
        """Show the list of shortcuts, in which they can be changed."""

        def make() -> QDialog:
            from lifehelper_desktop.ui.screens.shortcuts import ShortcutsDialog

            dialog = ShortcutsDialog(self.store, self.bus, self)
            dialog.changed.connect(self._on_setting)
            return dialog

        self.dialogs.show("shortcuts", make)

    def open_about(self) -> None:
        """Say which program this is."""

        def make() -> QDialog:
            from lifehelper_desktop.ui.screens.about import AboutDialog

            dialog = AboutDialog(self.store.paths.data, self)
            dialog.licences_wanted.connect(self.open_licences)
            return dialog

        self.dialogs.show("about", make)

    def open_licences(self) -> None:
        """Show what the program is made of, and under which terms."""

        def make() -> QDialog:
            from lifehelper_desktop.ui.screens.licences import LicencesDialog

            return LicencesDialog(self)

        self.dialogs.show("licences", make)

    # ---- data -------------------------------------------------------------------------------------------------

    @guarded
    def open_import(self) -> None:
        """Show how data of another tracker, or of this one, is brought in."""

        def make() -> QDialog:
            from lifehelper_desktop.ui.screens.import_dialog import ImportDialog

            return ImportDialog(self.store, self.bus, self)

        self.dialogs.show("import", make)

    @guarded
    def open_export(self) -> None:
        """Show how the data is written to a file."""

        def make() -> QDialog:
            from lifehelper_desktop.ui.screens.export_dialog import ExportDialog

            return ExportDialog(self.store, self.bus, self)

        self.dialogs.show("export", make)

    @guarded
    def open_backups(self) -> None:
        """Show the backups."""

        def make() -> QDialog:
            from lifehelper_desktop.ui.screens.backups import BackupsDialog

            dialog = BackupsDialog(self.store, self.bus, self)
            dialog.restored.connect(self._on_restored)
            return dialog

        self.dialogs.show("backups", make)

    def _on_restored(self) -> None:
        self.apply_settings()
        self.refresh()

    @guarded
    def open_archive(self) -> None:
        """Show the archived habits and the trash."""

        def make() -> QDialog:
            from lifehelper_desktop.ui.screens.archive import ArchiveDialog

            return ArchiveDialog(self.store, self.bus, self)

        self.dialogs.show("archive", make)

    @guarded
    def open_history(self) -> None:
        """Show what was changed lately, from every surface."""

        def make() -> QDialog:
            from lifehelper_desktop.ui.screens.history import HistoryDialog

            return HistoryDialog(self.store, self.bus, self)

        self.dialogs.show("history", make)

    # ---- habits -----------------------------------------------------------------------------------------------

    def open_add(self, entry: Protocol) -> None:
        """Show the form that adds `entry`."""
        from lifehelper_desktop.ui.screens.habit_dialog import HabitDialog

        dialog = HabitDialog(self, self.store, self.bus, self.thread_, entry=entry, ai_enabled=self.ai_enabled)
        dialog.accepted.connect(self.show_habits)
        self.dialogs.open_form(dialog)

    def open_edit(self, habit: Habit) -> None:
        """Show the form of `habit`."""
        from lifehelper_desktop.ui.screens.habit_dialog import HabitDialog

        entry = self.store.catalogue.get(habit.catalogue_id)
        ai = self.ai_enabled
        self.dialogs.open_form(
            HabitDialog(self, self.store, self.bus, self.thread_, entry=entry, habit=habit, ai_enabled=ai)
        )

    @guarded
    def open_reminders(self, habit_id: int) -> None:
        """Show the reminders of a habit."""

        def make() -> QDialog:
            from lifehelper_desktop.ui.screens.reminders import RemindersDialog

            return RemindersDialog(self.store, self.bus, habit_id, self)

        self.dialogs.show(f"reminders {habit_id}", make)

    # ---- the beginning ----------------------------------------------------------------------------------------

    @guarded
    def open_first_run(self) -> None:
        """Show the first steps, also later."""
        if not self.dialogs.raise_open("first_run"):
            from lifehelper_desktop.ui.screens.first_run import FirstRun

            dialog = FirstRun(self.store, self.bus, self.models, self)
            dialog.changed.connect(self._on_setting)
            self.dialogs.remember("first_run", dialog)
            dialog.open()

    @guarded
    def offer_first_run(self) -> None:
        """Show the first steps when there is no habit yet and they never were shown; call when the window is up."""
        from lifehelper_desktop.ui.screens.first_run import is_wanted

        if is_wanted(self.store):
            self.open_first_run()
