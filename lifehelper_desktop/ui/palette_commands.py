"""What the command palette offers: commands, habits, entries of the catalogue, and the notes that have the words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QDialog

from lifehelper_desktop.base.i18n import _, current_language
from lifehelper_desktop.domain.habits import EntryValue, Habit, HabitStatus
from lifehelper_desktop.domain.searching import search_words
from lifehelper_desktop.ui.actions import COMMANDS, Command, Menu
from lifehelper_desktop.ui.chat_commands import ChatCommands
from lifehelper_desktop.ui.palette_search import PaletteItem
from lifehelper_desktop.ui.text import full_day
from lifehelper_desktop.ui.trouble import guarded

_REMEMBERED: Final = 12
_NOTE: Final = "note "
_NOTES: Final = 8  # at most, after all else
_NOTE_KEYS: Final = 2  # typed at least: a letter alone stands in nearly every note
_DAILY: Final = (Menu.VIEW, Menu.HABITS, Menu.COACH)


class PaletteCommands(ChatCommands):
    """A part of MainWindow. `recent` holds the keys of what was chosen, newest first."""

    recent: tuple[str, ...] = ()

    @guarded
    def open_palette(self) -> None:
        """Show the palette over the window."""

        def make() -> QDialog:
            from lifehelper_desktop.ui.screens.palette import PaletteDialog

            dialog = PaletteDialog(self.palette_items(), self.recent, self, self._notes)
            dialog.chosen.connect(self._run_item)
            return dialog

        self.dialogs.show("palette", make)

    def palette_items(self) -> list[PaletteItem]:
        """Return everything that can be chosen now: what is done daily first, the rest in the order of the menus."""
        self.habits.refresh()
        marks = [each for each in COMMANDS if each.number]
        places = [each for each in COMMANDS if each.menu in _DAILY and not each.number]
        rest = [each for each in COMMANDS if each.menu not in _DAILY and not each.number]
        return [
            *self._commands(marks),
            *self._habits(),
            *self._commands(places),
            *self._commands(rest),
            *self._marks(),
            *self._entries(),
        ]

    def _run_item(self, item: PaletteItem) -> None:
        if not item.key.startswith(_NOTE):  # found by its words each time
            self.recent = (item.key, *(key for key in self.recent if key != item.key))[:_REMEMBERED]
        QTimer.singleShot(0, self, item.run)  # when the palette has gone, so that the focus can be set

    def _commands(self, commands: Sequence[Command]) -> Iterator[PaletteItem]:
        numbered, keys = self.habits.numbered, self.commands.shown_keys()
        for command in commands:
            action = self.commands.by_name[command.name]
            if not action.isEnabled() or command.name == "palette":
                continue
            title = command.title()
            words = [command.english_title(), command.words]
            if command.number:
                habit = numbered[command.number - 1]
                title = _done_words(habit)
                words += [habit.title_ko, habit.title_en]
            yield PaletteItem(
                f"command {command.name}",
                title,
                tuple(words),
                partial(self.run_command, command),
                keys=keys[command.name],
                icon=command.icon or ("check" if command.number else "command"),
            )

    def _marks(self) -> Iterator[PaletteItem]:
        """Give the marks of today that have no number."""
        numbered = {each.id for each in self.habits.numbered}
        for overview in self.habits.overviews:
            habit = overview.habit
            if habit.status is HabitStatus.ACTIVE and overview.today_entry is None and habit.id not in numbered:
                run = partial(self._mark_done, habit.id)
                words = (habit.title_ko, habit.title_en)
                yield PaletteItem(f"done {habit.id}", _done_words(habit), words, run, icon="check", waits=True)

    def _mark_done(self, habit_id: int) -> None:
        self.show_habits()
        self.habits.mark(habit_id, EntryValue.DONE)

    def _habits(self) -> Iterator[PaletteItem]:
        language = current_language()
        for overview in self.habits.overviews:
            habit = overview.habit
            words = (habit.title_ko, habit.title_en, habit.framed_text, _("습관"))
            run = partial(self.show_habit, habit.id)
            yield PaletteItem(f"habit {habit.id}", habit.title(language), words, run, icon="sprout")

    def _entries(self) -> Iterator[PaletteItem]:
        language = current_language()
        for entry in self.store.catalogue.all():
            title = _("카탈로그: {title}").format(title=entry.text("title", language))
            words = (entry.text("title", "ko"), entry.text("title", "en"), *entry.keywords)
            run = partial(self.show_entry, entry.id)
            yield PaletteItem(f"entry {entry.id}", title, words, run, icon="catalogue", waits=True)

    def _notes(self, wanted: str) -> list[PaletteItem]:
        """Return the notes that have the words; the field waits for two letters, which a note seldom has by chance."""
        found: list[PaletteItem] = []
        if sum(len(word.keys) for word in search_words(wanted)) >= _NOTE_KEYS:
            self._find_notes(wanted, found)
        return found

    @guarded
    def _find_notes(self, wanted: str, found: list[PaletteItem]) -> None:
        language = current_language()
        search = self.store.search
        looked = search.find(wanted, language=language, limit=_NOTES, typing=True, notes_only=True, patient=False)
        for hit in looked.hits:
            if hit.habit_id is not None and hit.day is not None:
                title = _("메모: {text}").format(text=hit.text)
                detail = f"{hit.title} · {full_day(hit.day)}"
                run = partial(self.show_day, hit.habit_id, hit.day)
                found.append(PaletteItem(f"{_NOTE}{hit.id}", title, (), run, icon="edit", waits=True, detail=detail))

    def run_command(self, command: Command) -> None:
        """Carry out a row of `ui/actions.py`."""
        raise NotImplementedError


def _done_words(habit: Habit) -> str:
    return _("완료로 기록: {title}").format(title=habit.title(current_language()))
