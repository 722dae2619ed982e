"""What a write changed, so that screens which show those rows can redraw and nothing else does."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Changes:
    """The rows a write touched.

    Attributes:
        habits: Ids of habits that were added or changed.
        entries: (habit id, ISO date) of entries that were added, changed or deleted.
        settings: Keys of settings that changed.
    """

    habits: frozenset[int] = field(default_factory=frozenset)
    entries: frozenset[tuple[int, str]] = field(default_factory=frozenset)
    settings: frozenset[str] = field(default_factory=frozenset)

    def __or__(self, other: Changes) -> Changes:
        """Join two sets of changes."""
        return Changes(self.habits | other.habits, self.entries | other.entries, self.settings | other.settings)

    def __bool__(self) -> bool:
        """Return whether anything changed."""
        return bool(self.habits or self.entries or self.settings)


NOTHING = Changes()
