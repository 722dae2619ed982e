"""Finding words in the user's own habits, notes and, when asked, kept conversations. The trash is never looked at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum
from typing import Final

from lifehelper_desktop.domain.searching import (
    SearchForm,
    SearchWord,
    begins_word,
    excerpt,
    finds_all,
    search_form,
    search_words,
)
from lifehelper_desktop.storage.database import Database
from lifehelper_desktop.storage.search.index import SearchIndex
from lifehelper_desktop.storage.search.sources import LIVE_TEXTS
from lifehelper_desktop.storage.tables import to_day

_PHRASE_MIN: Final = 3  # keys; the trigram index finds nothing shorter
_EXCERPT: Final = 60
_ARCHIVED: Final = 5  # less for a habit that is archived
_TITLE_WHOLE, _TITLE_BEGINS, _TITLE_WORD, _TITLE, _FIELD_WORD, _FIELD, _ACROSS = 100, 90, 80, 70, 60, 55, 50


class HitKind(StrEnum):
    """What was found."""

    HABIT = "habit"
    NOTE = "note"
    MESSAGE = "message"


@dataclass(frozen=True, slots=True)
class Hit:
    """One thing found.

    Attributes:
        id: Of the habit, the entry, or the conversation.
        field: Where: `title`, `sentence`, `anchor`, `dose`, `minimum_dose`, `description`, `note`, `message`.
        text: One line around the match.
        score: 0 to 100: how well it fits; of equals the newest comes first.
        habit_id: The habit, or None for a conversation.
        title: The habit's title in the language asked for; of a message that of its conversation.
        day: The day of the note or message, or None.
        is_archived: Whether the habit is archived.
    """

    kind: HitKind
    id: int
    field: str
    text: str
    score: int
    title: str
    habit_id: int | None = None
    day: date | None = None
    is_archived: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """What a search has found.

    Attributes:
        hits: The best ones.
        counts: How many there are of each kind, those left out too; a kind without any is missing.
        is_exact: False when nothing has the words as written, and these only begin like them.
    """

    hits: tuple[Hit, ...] = ()
    counts: Mapping[HitKind, int] = field(default_factory=dict)
    is_exact: bool = True

    @property
    def total(self) -> int:
        """How many there are in all."""
        return sum(self.counts.values())


@dataclass(frozen=True, slots=True)
class _Rows:
    """Where the texts of one kind stand, and how they are told.

    Attributes:
        table: The rows, named `r` in what follows.
        seen: Which of them may be found.
        day: Their day; of equals the newest comes first.
        habit: Their habit's id, or empty.
        told: Selects field, owner (habit or conversation), day, archived, title and text of the row with the id `?`.
        score: Of one where words begin like those sought; five less where not.
    """

    kind: HitKind
    text_kind: str
    table: str
    seen: str
    day: str
    habit: str
    told: str
    score: int


_NOTES: Final = _Rows(
    HitKind.NOTE,
    "note",
    "entry",
    "r.habit_id NOT IN (SELECT id FROM habit WHERE deleted_on IS NOT NULL)",
    "r.date",
    "r.habit_id",
    "SELECT 'note', e.habit_id, e.date, h.status = 'archived', h.title_{language}, e.note "
    "FROM entry AS e JOIN habit AS h ON h.id = e.habit_id WHERE e.id = ?",
    45,
)
_MESSAGES: Final = (
    _Rows(
        HitKind.MESSAGE,
        "message",
        "conversation_event",
        "1",
        "r.created_at",
        "",
        "SELECT 'message', c.id, substr(m.created_at, 1, 10), 0, c.title, message_text(m.body) "
        "FROM conversation_event AS m JOIN conversation AS c ON c.id = m.conversation_id WHERE m.id = ?",
        35,
    ),
    _Rows(
        HitKind.MESSAGE,
        "topic",
        "conversation",
        "1",
        "r.updated_at",
        "",
        "SELECT 'title', id, substr(updated_at, 1, 10), 0, title, title FROM conversation WHERE id = ?",
        38,
    ),
)


class Search:
    """Searches the store. Any thread."""

    def __init__(self, db: Database) -> None:
        """Search `db`, whose index is kept from now on."""
        self._db = db
        self.index = SearchIndex(db)

    def find(
        self,
        query: str,
        *,
        language: str,
        limit: int = 20,
        habit_id: int | None = None,
        conversations: bool = False,
        typing: bool = False,
        notes_only: bool = False,
        patient: bool = True,
    ) -> Found:
        """Return what has all words of `query`, the best first; a query without any visible sign finds nothing.

        Args:
            language: Of the titles: `ko` or `en`.
            limit: How many hits are returned; the counts are of all.
            habit_id: Only this habit and its notes.
            conversations: Look into the kept conversations too.
            typing: The last word may be unfinished: when nothing has the words as they stand, what begins like them.
            notes_only: Leave the habits out.
            patient: Wait until everything is in the index. Without it, for who types on the main thread, what an
                import or a restored backup has brought is found a few seconds later.

        Raises:
            WorldError: The file cannot be read, or texts written by others cannot be taken into the index.
        """
        words = search_words(query)
        if not words:
            return Found()
        if not self._db.is_read_only:
            if patient:
                self.index.catch_up()
            else:
                self.index.catch_up_soon()
        kinds = [_NOTES, *(_MESSAGES if conversations and habit_id is None else ())]
        found = Found()
        with self._db.snapshot():
            look = _Look(self._db, words, language, limit, habit_id, live=patient and self.index.stale())
            look.trigram = self.index.is_built() and not look.live
            for by_keys in (False, True) if typing and any(word.has_hangul for word in words) else (False,):
                look.typing = by_keys
                habits = [] if notes_only else look.habits()
                hits, counts = list(habits), {HitKind.HABIT: len(habits)}
                for rows in kinds:
                    more, count = look.texts(rows)
                    hits += more
                    counts[rows.kind] = counts.get(rows.kind, 0) + count
                if hits:
                    hits.sort(key=lambda hit: (-hit.score, -(hit.day or date.min).toordinal(), -hit.id))
                    chosen = tuple(look.told(hit) for hit in hits[:limit])
                    found = Found(chosen, {kind: n for kind, n in counts.items() if n}, not by_keys)
                    break
        return found


@dataclass
class _Look:
    """One search inside a snapshot.

    Attributes:
        live: The index lacks something and cannot be written: every text is taken as it stands.
    """

    db: Database
    words: Sequence[SearchWord]
    language: str
    limit: int
    habit_id: int | None
    live: bool
    trigram: bool = False
    typing: bool = False

    def habits(self) -> list[Hit]:
        """Return all habits that fit; there are few, so each is looked at."""
        only = "AND h.id = ?" if self.habit_id is not None else ""
        statement = (
            f"SELECT h.id, t.spaced, t.keys, h.status = 'archived', h.title_ko, h.title_en, h.framed_text, "
            "h.anchor_when, h.anchor_after_what, h.description, "
            "(SELECT dose FROM habit_variant WHERE habit_id = h.id AND is_minimum = 0), "
            "(SELECT dose FROM habit_variant WHERE habit_id = h.id AND is_minimum = 1) "
            f"FROM {self._source('habit')} AS t JOIN habit AS h ON h.id = t.ref "
            f"WHERE t.kind = 'habit' AND h.deleted_on IS NULL {only}"
        )
        hits = []
        for habit, spaced, keys, archived, ko, en, sentence, when, after, description, dose, least in self.db.sql(
            statement, () if self.habit_id is None else (self.habit_id,)
        ):
            if not finds_all(self.words, SearchForm(spaced, keys), typing=self.typing):
                continue
            first, second = (en, ko) if self.language == "en" else (ko, en)
            fields = (
                *(("title", first), ("title", second), ("sentence", sentence), ("anchor", when), ("anchor", after)),
                *(("dose", dose), ("minimum_dose", least), ("description", description)),
            )
            name, text, score = self._best_field([(name, text) for name, text in fields if text])
            score -= _ARCHIVED * bool(archived)
            hits.append(Hit(HitKind.HABIT, habit, name, text, score, first, habit, None, bool(archived)))
        return hits

    def _best_field(self, fields: Sequence[tuple[str, str]]) -> tuple[str, str, int]:
        forms = []
        for name, text in fields:
            form = search_form(text)
            if finds_all(self.words, form, typing=self.typing):
                return name, text, self._field_score(name, form)
            forms.append(form)
        for (name, text), form in zip(fields, forms, strict=True):
            if any(word.is_in(form, typing=self.typing) for word in self.words):
                return name, text, _ACROSS
        return (*fields[0], _ACROSS)

    def _field_score(self, name: str, form: SearchForm) -> int:
        sought = " ".join(word.text for word in self.words)
        is_word = all(begins_word(word, form) for word in self.words)
        if name != "title":
            return _FIELD_WORD if is_word else _FIELD
        if form.spaced.replace(" ", "") == sought.replace(" ", ""):
            return _TITLE_WHOLE
        if form.spaced.startswith(sought):
            return _TITLE_BEGINS
        return _TITLE_WORD if is_word else _TITLE

    def texts(self, rows: _Rows) -> tuple[list[Hit], int]:
        """Return the best hits of one kind of text, without their words, and how many there are in all."""
        phrases: list[str] = []
        conditions: list[str] = ["t.kind = ?", rows.seen]
        values: list[object] = [rows.text_kind]
        for word in self.words:
            by_keys = word.by_keys(typing=self.typing)
            if self.trigram and len(word.keys) >= _PHRASE_MIN:
                phrases.append('"' + word.keys.replace('"', '""') + '"')
            elif by_keys:
                conditions.append("instr(t.keys, ?)")
                values.append(word.keys)
            if not by_keys:
                looked_at = "replace(t.spaced, ' ', '')" if word.has_hangul else "t.spaced"
                conditions.append(f"instr({looked_at}, ?)")
                values.append(word.text)
        source = f"{self._source(rows.text_kind)} AS t"
        parameters: list[object] = [f" {word.text}" for word in self.words]
        if phrases:
            source = "search_index CROSS JOIN search_text AS t ON t.id = search_index.rowid"
            conditions.insert(0, "search_index MATCH ?")
            parameters.append(" AND ".join(phrases))
        if self.habit_id is not None and rows.habit:
            conditions.append(f"{rows.habit} = ?")
            values.append(self.habit_id)
        begins = " AND ".join("instr(' ' || t.spaced, ?) > 0" for _word in self.words)
        # What is told of a hit is read for the few that are shown: very many rows may pass through the sorting.
        statement = (
            f"SELECT r.id, {begins} AS begins, COUNT(*) OVER () FROM {source} CROSS JOIN {rows.table} AS r "
            f"ON r.id = t.ref WHERE {' AND '.join(conditions)} ORDER BY begins DESC, {rows.day} DESC, r.id DESC LIMIT ?"
        )
        found = self.db.sql(statement, (*parameters, *values, self.limit))
        hits = [self._hit(rows, row_id, is_word=bool(is_word)) for row_id, is_word, _count in found]
        return hits, int(found[0][-1]) if found else 0

    def _hit(self, rows: _Rows, row_id: int, *, is_word: bool) -> Hit:
        [(name, owner, day, archived, title, text)] = self.db.sql(rows.told.format(language=self.language), (row_id,))
        return Hit(
            rows.kind,
            row_id if rows.habit else owner,
            name,
            text,
            rows.score - (0 if is_word else 5),
            title,
            owner if rows.habit else None,
            to_day(day),
            bool(archived),
        )

    def told(self, hit: Hit) -> Hit:
        """Return the hit with its text cut to what stands around the match."""
        return replace(hit, text=excerpt(hit.text, self.words, _EXCERPT))

    def _source(self, text_kind: str) -> str:
        if not self.live:
            return "search_text"
        texts = LIVE_TEXTS[text_kind]
        return f"(SELECT kind, ref, search_spaced(text) AS spaced, search_keys(text) AS keys FROM ({texts}))"
