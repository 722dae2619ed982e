"""The schema and its history: append-only named functions, each run once, in order, in one transaction.

To change the schema: append a function at the end (never edit or reorder an old one), name it `m0002_what`, and
keep a database of the schema before it in `tests/data/` with a test that upgrades it. A CHECK is widened with
`rewrite_schema`; a table that others refer to is not rebuilt, since dropping the old one would take their rows along.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from lifehelper_desktop.storage.schema_parts import Execute, is_day, length, rewrite_schema
from lifehelper_desktop.storage.search.schema import create_search

__all__ = ["MIGRATIONS", "MIGRATION_TABLE", "TABLES", "Execute", "Migration", "migration_names"]

Migration = Callable[[Execute], None]

MIGRATION_TABLE: Final = (
    "CREATE TABLE IF NOT EXISTS migration (name TEXT PRIMARY KEY NOT NULL, applied_at TEXT NOT NULL) WITHOUT ROWID"
)


def m0001_initial(execute: Execute) -> None:
    """Habits with their doses, pauses and entries, and the settings."""
    execute(
        f"""
        CREATE TABLE habit (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            protocol_id TEXT {length("protocol_id", 1, 100)},
            break_protocol_id TEXT {length("break_protocol_id", 1, 100)},
            kind TEXT NOT NULL CHECK (kind IN ('protocol', 'break', 'diet')),
            title_ko TEXT NOT NULL {length("title_ko", 1, 200)},
            title_en TEXT NOT NULL {length("title_en", 1, 200)},
            frame_level INTEGER NOT NULL CHECK (typeof(frame_level) = 'integer' AND frame_level BETWEEN 1 AND 3),
            framed_text TEXT NOT NULL {length("framed_text", 2, 80)},
            anchor_when TEXT {length("anchor_when", 1, 60)},
            anchor_after_what TEXT {length("anchor_after_what", 1, 60)},
            anchor_source TEXT NOT NULL CHECK (anchor_source IN ('user', 'suggested')),
            status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'paused', 'archived')),
            start TEXT NOT NULL {is_day("start")},
            archived_on TEXT {is_day("archived_on")},
            position INTEGER NOT NULL CHECK (typeof(position) = 'integer'),
            schedule_kind TEXT NOT NULL DEFAULT 'daily'
                CHECK (schedule_kind IN ('daily', 'weekdays', 'per_week')),
            schedule_weekdays TEXT NOT NULL DEFAULT ''
                CHECK (schedule_weekdays NOT GLOB '*[^1-7]*' AND length(schedule_weekdays) <= 7),
            schedule_times INTEGER NOT NULL DEFAULT 0 CHECK (schedule_times BETWEEN 0 AND 7),
            created_at TEXT NOT NULL,
            updated_at TEXT NOT NULL,
            CHECK ((protocol_id IS NULL) <> (break_protocol_id IS NULL)),
            CHECK ((kind = 'break') = (break_protocol_id IS NOT NULL)),
            CHECK ((status = 'archived') = (archived_on IS NOT NULL)),
            CHECK ((schedule_kind = 'weekdays') = (schedule_weekdays <> '')),
            CHECK ((schedule_kind = 'per_week') = (schedule_times > 0))
        )
        """
    )
    execute(
        "CREATE UNIQUE INDEX habit_once_at_a_time ON habit (COALESCE(protocol_id, break_protocol_id)) "
        "WHERE status <> 'archived'"
    )
    execute(
        f"""
        CREATE TABLE habit_variant (
            habit_id INTEGER NOT NULL REFERENCES habit (id) ON DELETE CASCADE,
            is_minimum INTEGER NOT NULL CHECK (is_minimum IN (0, 1)),
            dose TEXT NOT NULL {length("dose", 1, 120)},
            PRIMARY KEY (habit_id, is_minimum)
        ) WITHOUT ROWID
        """
    )
    execute(
        f"""
        CREATE TABLE habit_pause (
            id INTEGER PRIMARY KEY,
            habit_id INTEGER NOT NULL REFERENCES habit (id) ON DELETE CASCADE,
            first_day TEXT NOT NULL {is_day("first_day")},
            last_day TEXT {is_day("last_day")},
            CHECK (last_day IS NULL OR last_day >= first_day)
        )
        """
    )
    execute("CREATE INDEX habit_pause_of_habit ON habit_pause (habit_id)")
    execute("CREATE UNIQUE INDEX habit_pause_open ON habit_pause (habit_id) WHERE last_day IS NULL")
    execute(
        f"""
        CREATE TABLE entry (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            habit_id INTEGER NOT NULL REFERENCES habit (id) ON DELETE CASCADE,
            date TEXT NOT NULL {is_day("date")},
            value TEXT NOT NULL CHECK (value IN ('done', 'blank')),
            is_minimum INTEGER NOT NULL DEFAULT 0 CHECK (is_minimum IN (0, 1)),
            note TEXT NOT NULL DEFAULT '' CHECK (length(note) <= 200),
            created_at TEXT NOT NULL,
            updated_at TEXT NOT NULL,
            UNIQUE (habit_id, date),
            CHECK (is_minimum = 0 OR value = 'done')
        )
        """
    )
    execute("CREATE TABLE setting (key TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) WITHOUT ROWID")


def m0002_created_on(execute: Execute) -> None:
    """The logical day on which a habit was added: where `start` returns when earlier entries go again.

    Of the rows that are there, `start` is that day, unless it lies before the day and the day before of the wall
    clock (a night that still counts as yesterday): then an entry moved it back.
    """
    execute(f"ALTER TABLE habit ADD COLUMN created_on TEXT {is_day('created_on')}")
    execute(
        "UPDATE habit SET created_on = CASE WHEN start < date(substr(created_at, 1, 10), '-1 day') "
        "THEN date(substr(created_at, 1, 10)) ELSE start END"
    )


def m0003_conversations(execute: Execute) -> None:
    """Conversations with the coach, and the writes that their calls made: each invocation writes at most once."""
    execute(
        f"""
        CREATE TABLE conversation (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            title TEXT NOT NULL {length("title", 1, 100)},
            folded_title TEXT NOT NULL,
            created_at TEXT NOT NULL,
            updated_at TEXT NOT NULL
        )
        """
    )
    execute("CREATE INDEX conversation_newest ON conversation (updated_at)")
    execute(
        f"""
        CREATE TABLE conversation_event (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            conversation_id INTEGER NOT NULL REFERENCES conversation (id) ON DELETE CASCADE,
            kind TEXT NOT NULL CHECK (kind IN ('user', 'model', 'call', 'result', 'system')),
            invocation TEXT {length("invocation", 1, 64)},
            body TEXT NOT NULL,
            folded TEXT NOT NULL DEFAULT '',
            created_at TEXT NOT NULL,
            CHECK ((kind IN ('call', 'result')) = (invocation IS NOT NULL))
        )
        """
    )
    execute("CREATE INDEX conversation_event_of ON conversation_event (conversation_id)")
    execute(
        f"""
        CREATE TABLE invocation (
            id TEXT PRIMARY KEY NOT NULL {length("id", 1, 64)},
            conversation_id INTEGER NOT NULL REFERENCES conversation (id) ON DELETE CASCADE,
            tool TEXT NOT NULL,
            result TEXT NOT NULL,
            created_at TEXT NOT NULL
        ) WITHOUT ROWID
        """
    )
    execute("CREATE INDEX invocation_of ON invocation (conversation_id)")


def m0004_journal_and_trash(execute: Execute) -> None:
    """What each change did to which rows, for undo and redo; and the trash: a deleted habit keeps all its rows."""
    execute(f"ALTER TABLE habit ADD COLUMN deleted_on TEXT {is_day('deleted_on')}")
    execute("DROP INDEX habit_once_at_a_time")
    execute(
        "CREATE UNIQUE INDEX habit_once_at_a_time ON habit (COALESCE(protocol_id, break_protocol_id)) "
        "WHERE status <> 'archived' AND deleted_on IS NULL"
    )
    execute(
        f"""
        CREATE TABLE journal (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            made_at TEXT NOT NULL,
            source TEXT NOT NULL {length("source", 1, 20)},
            label TEXT NOT NULL,
            state TEXT NOT NULL DEFAULT 'done' CHECK (state IN ('done', 'undone', 'stuck'))
        )
        """
    )
    execute(
        """
        CREATE TABLE journal_row (
            journal_id INTEGER NOT NULL REFERENCES journal (id) ON DELETE CASCADE,
            table_name TEXT NOT NULL,
            row_key TEXT NOT NULL,
            before TEXT,
            after TEXT,
            PRIMARY KEY (journal_id, table_name, row_key),
            CHECK (before IS NOT NULL OR after IS NOT NULL)
        ) WITHOUT ROWID
        """
    )


def m0005_imports(execute: Execute) -> None:
    """Habits and entries of other trackers, where they came from, and the imports that brought them.

    An imported habit keeps its own title and may point at no protocol: `source` says whose it is. An entry may say
    `not_done` and hold an amount. A row with an `import_id` is as that import wrote it; an edit by hand clears it.
    """
    rewrite_schema(
        execute,
        "habit",
        (
            "CHECK ((protocol_id IS NULL) <> (break_protocol_id IS NULL))",
            "CHECK (protocol_id IS NULL OR break_protocol_id IS NULL)",
        ),
        (
            "CHECK ((kind = 'break') = (break_protocol_id IS NOT NULL))",
            "CHECK (CASE kind WHEN 'break' THEN protocol_id ELSE break_protocol_id END IS NULL)",
        ),
    )
    rewrite_schema(
        execute, "entry", ("CHECK (value IN ('done', 'blank'))", "CHECK (value IN ('done', 'blank', 'not_done'))")
    )
    execute(
        f"ALTER TABLE habit ADD COLUMN source TEXT {length('source', 1, 40)} "
        "CHECK (source IS NOT NULL OR (protocol_id IS NULL) <> (break_protocol_id IS NULL))"
    )
    execute(f"ALTER TABLE habit ADD COLUMN description TEXT NOT NULL DEFAULT '' {length('description', 0, 2000)}")
    execute(f"ALTER TABLE habit ADD COLUMN unit TEXT NOT NULL DEFAULT '' {length('unit', 0, 40)}")
    execute("ALTER TABLE habit ADD COLUMN import_id INTEGER")
    execute("ALTER TABLE entry ADD COLUMN amount REAL CHECK (amount IS NULL OR typeof(amount) = 'real')")
    execute("ALTER TABLE entry ADD COLUMN import_id INTEGER")
    execute(
        f"""
        CREATE TABLE import_run (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            format TEXT NOT NULL {length("format", 1, 40)},
            file_name TEXT NOT NULL {length("file_name", 1, 255)},
            made_at TEXT NOT NULL,
            replaced TEXT NOT NULL
        )
        """
    )
    execute(
        f"""
        CREATE TABLE habit_source (
            source TEXT NOT NULL {length("source", 1, 40)},
            external_id TEXT NOT NULL {length("external_id", 1, 300)},
            habit_id INTEGER NOT NULL REFERENCES habit (id) ON DELETE CASCADE,
            import_id INTEGER NOT NULL,
            PRIMARY KEY (source, external_id)
        ) WITHOUT ROWID
        """
    )
    execute("CREATE INDEX habit_source_of ON habit_source (habit_id)")


def m0006_schedule_history(execute: Execute) -> None:
    """Every schedule that a habit ever had, two more kinds of them, and a mark of which entries were changed.

    The habit's own columns stay and say the schedule in force now. `entry_state` gives a habit another token whenever
    one of its entries is written, by whatever program: who keeps what it has read compares it. It refers to no habit,
    so that a number that is used again never finds an old token.
    """
    rewrite_schema(
        execute,
        "habit",
        (
            "CHECK (schedule_kind IN ('daily', 'weekdays', 'per_week'))",
            "CHECK (schedule_kind IN ('daily', 'weekdays', 'per_week', 'per_month', 'every_days'))",
        ),
        (
            "CHECK (schedule_times BETWEEN 0 AND 7)",
            "CHECK (schedule_times BETWEEN 0 AND CASE schedule_kind WHEN 'per_month' THEN 31 ELSE 7 END)",
        ),
        (
            "CHECK ((schedule_kind = 'per_week') = (schedule_times > 0))",
            "CHECK ((schedule_kind IN ('per_week', 'per_month')) = (schedule_times > 0))",
        ),
    )
    execute(
        "ALTER TABLE habit ADD COLUMN schedule_days INTEGER NOT NULL DEFAULT 0 "
        "CHECK (schedule_days BETWEEN CASE schedule_kind WHEN 'every_days' THEN 2 ELSE 0 END "
        "AND CASE schedule_kind WHEN 'every_days' THEN 365 ELSE 0 END)"
    )
    execute(
        f"""
        CREATE TABLE habit_schedule (
            habit_id INTEGER NOT NULL REFERENCES habit (id) ON DELETE CASCADE,
            from_day TEXT NOT NULL {is_day("from_day")},
            kind TEXT NOT NULL CHECK (kind IN ('daily', 'weekdays', 'per_week', 'per_month', 'every_days')),
            weekdays TEXT NOT NULL DEFAULT '' CHECK (weekdays NOT GLOB '*[^1-7]*' AND length(weekdays) <= 7),
            times INTEGER NOT NULL DEFAULT 0
                CHECK (times BETWEEN 0 AND CASE kind WHEN 'per_month' THEN 31 ELSE 7 END),
            days INTEGER NOT NULL DEFAULT 0
                CHECK (days BETWEEN CASE kind WHEN 'every_days' THEN 2 ELSE 0 END
                    AND CASE kind WHEN 'every_days' THEN 365 ELSE 0 END),
            PRIMARY KEY (habit_id, from_day),
            CHECK ((kind = 'weekdays') = (weekdays <> '')),
            CHECK ((kind IN ('per_week', 'per_month')) = (times > 0))
        ) WITHOUT ROWID
        """
    )
    execute(
        "INSERT INTO habit_schedule (habit_id, from_day, kind, weekdays, times) "
        "SELECT id, start, schedule_kind, schedule_weekdays, schedule_times FROM habit"
    )
    # Undoing that a habit was added takes away all its rows: this one belongs to them from now on.
    execute(
        "INSERT INTO journal_row (journal_id, table_name, row_key, before, after) "
        "SELECT j.journal_id, 'habit_schedule', json_array(s.habit_id, s.from_day), NULL, json_object('habit_id', "
        "s.habit_id, 'from_day', s.from_day, 'kind', s.kind, 'weekdays', s.weekdays, 'times', s.times, 'days', s.days) "
        "FROM journal_row AS j JOIN habit_schedule AS s ON s.habit_id = json_extract(j.row_key, '$[0]') "
        "WHERE j.table_name = 'habit' AND j.before IS NULL"
    )
    execute("CREATE TABLE entry_state (habit_id INTEGER PRIMARY KEY, token INTEGER NOT NULL)")
    execute("INSERT INTO entry_state SELECT habit_id, random() FROM entry GROUP BY habit_id")
    for event, rows in (("INSERT", ("NEW",)), ("UPDATE", ("OLD", "NEW")), ("DELETE", ("OLD",))):
        marks = " ".join(
            f"INSERT INTO entry_state VALUES ({row}.habit_id, random()) "
            "ON CONFLICT (habit_id) DO UPDATE SET token = excluded.token;"
            for row in rows
        )
        execute(f"CREATE TRIGGER entry_state_{event.lower()} AFTER {event} ON entry BEGIN {marks} END")


def m0007_reminders(execute: Execute) -> None:
    """Reminders of habits, and what became of each on which day: shown or passed, or put off until when."""
    execute(
        f"""
        CREATE TABLE reminder (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            habit_id INTEGER NOT NULL REFERENCES habit (id) ON DELETE CASCADE,
            minutes INTEGER NOT NULL CHECK (typeof(minutes) = 'integer' AND minutes BETWEEN 0 AND 1439),
            weekdays TEXT NOT NULL CHECK (weekdays NOT GLOB '*[^1-7]*') {length("weekdays", 1, 7)},
            is_on INTEGER NOT NULL DEFAULT 1 CHECK (is_on IN (0, 1)),
            since TEXT NOT NULL {length("since", 1, 40)},
            created_at TEXT NOT NULL,
            updated_at TEXT NOT NULL,
            UNIQUE (habit_id, minutes)
        )
        """
    )
    # No reference to `reminder`: a removal that is undone must not make it ring once more.
    execute(
        f"""
        CREATE TABLE reminder_mark (
            reminder_id INTEGER NOT NULL,
            minutes INTEGER NOT NULL,
            day TEXT NOT NULL {is_day("day")},
            marked_at TEXT NOT NULL,
            snoozed_until TEXT,
            PRIMARY KEY (reminder_id, minutes, day)
        ) WITHOUT ROWID
        """
    )


def m0008_conversation_summary(execute: Execute) -> None:
    """What stands for the beginning of a long conversation.

    `covers` counts the messages of the user that it stands for; of the first `forgotten` ones nothing is told any more,
    since the user deleted what was said of them.
    """
    execute(
        f"""
        CREATE TABLE conversation_summary (
            conversation_id INTEGER PRIMARY KEY REFERENCES conversation (id) ON DELETE CASCADE,
            body TEXT NOT NULL {length("body", 0, 4000)},
            made_by TEXT NOT NULL CHECK (made_by IN ('model', 'rule')),
            covers INTEGER NOT NULL CHECK (typeof(covers) = 'integer' AND covers > 0),
            forgotten INTEGER NOT NULL DEFAULT 0
                CHECK (typeof(forgotten) = 'integer' AND forgotten BETWEEN 0 AND covers),
            updated_at TEXT NOT NULL,
            CHECK ((body = '') = (forgotten = covers))
        )
        """
    )


def m0009_search(execute: Execute) -> None:
    """The index of the search in the user's own texts, built from what is there at the next start."""
    create_search(execute)


MIGRATIONS: Final[tuple[Migration, ...]] = (
    m0001_initial,
    m0002_created_on,
    m0003_conversations,
    m0004_journal_and_trash,
    m0005_imports,
    m0006_schedule_history,
    m0007_reminders,
    m0008_conversation_summary,
    m0009_search,
)

#: The tables of every version: a file that lacks one is damaged.
TABLES: Final = frozenset({"migration", "habit", "habit_variant", "habit_pause", "entry", "setting"})


def migration_names(migrations: tuple[Migration, ...] = MIGRATIONS) -> tuple[str, ...]:
    """Return the names under which migrations are remembered: those of the functions."""
    return tuple(migration.__name__ for migration in migrations)
