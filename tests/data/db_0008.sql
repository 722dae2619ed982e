-- A database as m0001_initial made it, with one row of everything, so that every later migration has a start.
-- Never edit: add a new file with each migration that changes the schema.
CREATE TABLE migration (name TEXT PRIMARY KEY NOT NULL, applied_at TEXT NOT NULL) WITHOUT ROWID;
INSERT INTO migration VALUES ('m0001_initial', '2026-08-01T09:00:00+09:00'), ('m0002_created_on', '2026-08-01T09:00:00+09:00'), ('m0003_conversations', '2026-08-01T09:00:00+09:00'), ('m0004_journal_and_trash', '2026-08-01T09:00:00+09:00'), ('m0005_imports', '2026-08-01T09:00:00+09:00'), ('m0006_schedule_history', '2026-08-01T09:00:00+09:00'), ('m0007_reminders', '2026-08-01T09:00:00+09:00'), ('m0008_conversation_summary', '2026-08-01T09:00:00+09:00');
CREATE TABLE habit (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    protocol_id TEXT CHECK (length(protocol_id) BETWEEN 1 AND 100),
    break_protocol_id TEXT CHECK (length(break_protocol_id) BETWEEN 1 AND 100),
    kind TEXT NOT NULL CHECK (kind IN ('protocol', 'break', 'diet')),
    title_ko TEXT NOT NULL CHECK (length(title_ko) BETWEEN 1 AND 200),
    title_en TEXT NOT NULL CHECK (length(title_en) BETWEEN 1 AND 200),
    frame_level INTEGER NOT NULL CHECK (typeof(frame_level) = 'integer' AND frame_level BETWEEN 1 AND 3),
    framed_text TEXT NOT NULL CHECK (length(framed_text) BETWEEN 2 AND 80),
    anchor_when TEXT CHECK (length(anchor_when) BETWEEN 1 AND 60),
    anchor_after_what TEXT CHECK (length(anchor_after_what) BETWEEN 1 AND 60),
    anchor_source TEXT NOT NULL CHECK (anchor_source IN ('user', 'suggested')),
    status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'paused', 'archived')),
    start TEXT NOT NULL CHECK (start IS NULL OR (start GLOB '[0-9][0-9][0-9][0-9]-[0-1][0-9]-[0-3][0-9]' AND date(start, '+0 days') IS start)),
    archived_on TEXT CHECK (archived_on IS NULL OR (archived_on GLOB '[0-9][0-9][0-9][0-9]-[0-1][0-9]-[0-3][0-9]' AND date(archived_on, '+0 days') IS archived_on)),
    position INTEGER NOT NULL CHECK (typeof(position) = 'integer'),
    schedule_kind TEXT NOT NULL DEFAULT 'daily' CHECK (schedule_kind IN ('daily', 'weekdays', 'per_week', 'per_month', 'every_days')),
    schedule_weekdays TEXT NOT NULL DEFAULT '' CHECK (schedule_weekdays NOT GLOB '*[^1-7]*' AND length(schedule_weekdays) <= 7),
    schedule_times INTEGER NOT NULL DEFAULT 0 CHECK (schedule_times BETWEEN 0 AND CASE schedule_kind WHEN 'per_month' THEN 31 ELSE 7 END),
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    CHECK (protocol_id IS NULL OR break_protocol_id IS NULL),
    CHECK (CASE kind WHEN 'break' THEN protocol_id ELSE break_protocol_id END IS NULL),
    CHECK ((status = 'archived') = (archived_on IS NOT NULL)),
    CHECK ((schedule_kind = 'weekdays') = (schedule_weekdays <> '')),
    CHECK ((schedule_kind IN ('per_week', 'per_month')) = (schedule_times > 0))
);
CREATE TABLE habit_variant (
    habit_id INTEGER NOT NULL REFERENCES habit (id) ON DELETE CASCADE,
    is_minimum INTEGER NOT NULL CHECK (is_minimum IN (0, 1)),
    dose TEXT NOT NULL CHECK (length(dose) BETWEEN 1 AND 120),
    PRIMARY KEY (habit_id, is_minimum)
) WITHOUT ROWID;
CREATE TABLE habit_pause (
    id INTEGER PRIMARY KEY,
    habit_id INTEGER NOT NULL REFERENCES habit (id) ON DELETE CASCADE,
    first_day TEXT NOT NULL CHECK (first_day IS NULL OR (first_day GLOB '[0-9][0-9][0-9][0-9]-[0-1][0-9]-[0-3][0-9]' AND date(first_day, '+0 days') IS first_day)),
    last_day TEXT CHECK (last_day IS NULL OR (last_day GLOB '[0-9][0-9][0-9][0-9]-[0-1][0-9]-[0-3][0-9]' AND date(last_day, '+0 days') IS last_day)),
    CHECK (last_day IS NULL OR last_day >= first_day)
);
CREATE INDEX habit_pause_of_habit ON habit_pause (habit_id);
CREATE UNIQUE INDEX habit_pause_open ON habit_pause (habit_id) WHERE last_day IS NULL;
CREATE TABLE entry (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    habit_id INTEGER NOT NULL REFERENCES habit (id) ON DELETE CASCADE,
    date TEXT NOT NULL CHECK (date IS NULL OR (date GLOB '[0-9][0-9][0-9][0-9]-[0-1][0-9]-[0-3][0-9]' AND date(date, '+0 days') IS date)),
    value TEXT NOT NULL CHECK (value IN ('done', 'blank', 'not_done')),
    is_minimum INTEGER NOT NULL DEFAULT 0 CHECK (is_minimum IN (0, 1)),
    note TEXT NOT NULL DEFAULT '' CHECK (length(note) <= 200),
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    UNIQUE (habit_id, date),
    CHECK (is_minimum = 0 OR value = 'done')
);
CREATE TABLE setting (key TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) WITHOUT ROWID;
ALTER TABLE habit ADD COLUMN created_on TEXT CHECK (created_on IS NULL OR (created_on GLOB '[0-9][0-9][0-9][0-9]-[0-1][0-9]-[0-3][0-9]' AND date(created_on, '+0 days') IS created_on));
CREATE TABLE conversation (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    title TEXT NOT NULL CHECK (length(title) BETWEEN 1 AND 100),
    folded_title TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
);
CREATE INDEX conversation_newest ON conversation (updated_at);
CREATE TABLE conversation_event (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    conversation_id INTEGER NOT NULL REFERENCES conversation (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('user', 'model', 'call', 'result', 'system')),
    invocation TEXT CHECK (length(invocation) BETWEEN 1 AND 64),
    body TEXT NOT NULL,
    folded TEXT NOT NULL DEFAULT '',
    created_at TEXT NOT NULL,
    CHECK ((kind IN ('call', 'result')) = (invocation IS NOT NULL))
);
CREATE INDEX conversation_event_of ON conversation_event (conversation_id);
CREATE TABLE invocation (
    id TEXT PRIMARY KEY NOT NULL CHECK (length(id) BETWEEN 1 AND 64),
    conversation_id INTEGER NOT NULL REFERENCES conversation (id) ON DELETE CASCADE,
    tool TEXT NOT NULL,
    result TEXT NOT NULL,
    created_at TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX invocation_of ON invocation (conversation_id);
ALTER TABLE habit ADD COLUMN deleted_on TEXT CHECK (deleted_on IS NULL OR (deleted_on GLOB '[0-9][0-9][0-9][0-9]-[0-1][0-9]-[0-3][0-9]' AND date(deleted_on, '+0 days') IS deleted_on));
CREATE UNIQUE INDEX habit_once_at_a_time ON habit (COALESCE(protocol_id, break_protocol_id)) WHERE status <> 'archived' AND deleted_on IS NULL;
CREATE TABLE journal (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    made_at TEXT NOT NULL,
    source TEXT NOT NULL CHECK (length(source) BETWEEN 1 AND 20),
    label TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'done' CHECK (state IN ('done', 'undone', 'stuck'))
);
CREATE TABLE journal_row (
    journal_id INTEGER NOT NULL REFERENCES journal (id) ON DELETE CASCADE,
    table_name TEXT NOT NULL,
    row_key TEXT NOT NULL,
    before TEXT,
    after TEXT,
    PRIMARY KEY (journal_id, table_name, row_key),
    CHECK (before IS NOT NULL OR after IS NOT NULL)
) WITHOUT ROWID;
PRAGMA user_version = 8;
ALTER TABLE habit ADD COLUMN source TEXT CHECK (length(source) BETWEEN 1 AND 40) CHECK (source IS NOT NULL OR (protocol_id IS NULL) <> (break_protocol_id IS NULL));
ALTER TABLE habit ADD COLUMN description TEXT NOT NULL DEFAULT '' CHECK (length(description) BETWEEN 0 AND 2000);
ALTER TABLE habit ADD COLUMN unit TEXT NOT NULL DEFAULT '' CHECK (length(unit) BETWEEN 0 AND 40);
ALTER TABLE habit ADD COLUMN import_id INTEGER;
ALTER TABLE entry ADD COLUMN amount REAL CHECK (amount IS NULL OR typeof(amount) = 'real');
ALTER TABLE entry ADD COLUMN import_id INTEGER;
CREATE TABLE import_run (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    format TEXT NOT NULL CHECK (length(format) BETWEEN 1 AND 40),
    file_name TEXT NOT NULL CHECK (length(file_name) BETWEEN 1 AND 255),
    made_at TEXT NOT NULL,
    replaced TEXT NOT NULL
);
CREATE TABLE habit_source (
    source TEXT NOT NULL CHECK (length(source) BETWEEN 1 AND 40),
    external_id TEXT NOT NULL CHECK (length(external_id) BETWEEN 1 AND 300),
    habit_id INTEGER NOT NULL REFERENCES habit (id) ON DELETE CASCADE,
    import_id INTEGER NOT NULL,
    PRIMARY KEY (source, external_id)
) WITHOUT ROWID;
CREATE INDEX habit_source_of ON habit_source (habit_id);
ALTER TABLE habit ADD COLUMN schedule_days INTEGER NOT NULL DEFAULT 0 CHECK (schedule_days BETWEEN CASE schedule_kind WHEN 'every_days' THEN 2 ELSE 0 END AND CASE schedule_kind WHEN 'every_days' THEN 365 ELSE 0 END);
CREATE TABLE habit_schedule (
    habit_id INTEGER NOT NULL REFERENCES habit (id) ON DELETE CASCADE,
    from_day TEXT NOT NULL CHECK (from_day IS NULL OR (from_day GLOB '[0-9][0-9][0-9][0-9]-[0-1][0-9]-[0-3][0-9]' AND date(from_day, '+0 days') IS from_day)),
    kind TEXT NOT NULL CHECK (kind IN ('daily', 'weekdays', 'per_week', 'per_month', 'every_days')),
    weekdays TEXT NOT NULL DEFAULT '' CHECK (weekdays NOT GLOB '*[^1-7]*' AND length(weekdays) <= 7),
    times INTEGER NOT NULL DEFAULT 0 CHECK (times BETWEEN 0 AND CASE kind WHEN 'per_month' THEN 31 ELSE 7 END),
    days INTEGER NOT NULL DEFAULT 0 CHECK (days BETWEEN CASE kind WHEN 'every_days' THEN 2 ELSE 0 END AND CASE kind WHEN 'every_days' THEN 365 ELSE 0 END),
    PRIMARY KEY (habit_id, from_day),
    CHECK ((kind = 'weekdays') = (weekdays <> '')),
    CHECK ((kind IN ('per_week', 'per_month')) = (times > 0))
) WITHOUT ROWID;
CREATE TABLE entry_state (habit_id INTEGER PRIMARY KEY, token INTEGER NOT NULL);
CREATE TRIGGER entry_state_insert AFTER INSERT ON entry BEGIN INSERT INTO entry_state VALUES (NEW.habit_id, random()) ON CONFLICT (habit_id) DO UPDATE SET token = excluded.token; END;
CREATE TRIGGER entry_state_update AFTER UPDATE ON entry BEGIN INSERT INTO entry_state VALUES (OLD.habit_id, random()) ON CONFLICT (habit_id) DO UPDATE SET token = excluded.token; INSERT INTO entry_state VALUES (NEW.habit_id, random()) ON CONFLICT (habit_id) DO UPDATE SET token = excluded.token; END;
CREATE TRIGGER entry_state_delete AFTER DELETE ON entry BEGIN INSERT INTO entry_state VALUES (OLD.habit_id, random()) ON CONFLICT (habit_id) DO UPDATE SET token = excluded.token; END;
INSERT INTO habit VALUES (1, 'daily-steps', NULL, 'protocol', '하루 걷기', 'Daily steps', 2, '저녁을 먹은 뒤 20분 걷는다', NULL, '저녁을 먹은 뒤', 'user', 'active', '2026-08-01', NULL, 0, 'daily', '', 0, '2026-08-01T09:00:00+09:00', '2026-08-01T09:00:00+09:00', '2026-08-01', NULL, NULL, '', '', NULL, 0);
INSERT INTO habit VALUES (2, NULL, 'break-doomscrolling', 'break', 'SNS 시간 정해 쓰기', 'Planned social media', 3, '나는 볼 것을 골라 보는 사람이다', '20:00', NULL, 'suggested', 'archived', '2026-07-01', '2026-07-20', 1, 'weekdays', '135', 0, '2026-07-01T09:00:00+09:00', '2026-07-20T09:00:00+09:00', '2026-07-01', NULL, NULL, '', '', NULL, 0);
INSERT INTO habit_variant VALUES (1, 0, '하루 7,000보'), (1, 1, '집 둘레 5분 걷기'), (2, 0, '책 두 쪽 읽기');
INSERT INTO habit_pause VALUES (1, 1, '2026-08-05', '2026-08-06');
INSERT INTO entry VALUES (1, 1, '2026-08-01', 'done', 0, '', '2026-08-01T21:00:00+09:00', '2026-08-01T21:00:00+09:00', NULL, NULL);
INSERT INTO entry VALUES (2, 1, '2026-08-02', 'done', 1, '집 앞만 🙂', '2026-08-02T21:00:00+09:00', '2026-08-02T21:00:00+09:00', NULL, NULL);
INSERT INTO entry VALUES (3, 1, '2026-08-03', 'blank', 0, '여행', '2026-08-03T21:00:00+09:00', '2026-08-03T21:00:00+09:00', NULL, NULL);
INSERT INTO setting VALUES ('day_start_minutes', '300');
INSERT INTO conversation VALUES (1, '오늘 걷기 다 했어', '오늘 걷기 다 했어', '2026-08-01T21:00:00+09:00', '2026-08-01T21:00:05+09:00');
INSERT INTO conversation_event VALUES (1, 1, 'user', NULL, '{"text": "\uc624\ub298 \uac77\uae30 \ub2e4 \ud588\uc5b4", "context": ""}', '오늘 걷기 다 했어', '2026-08-01T21:00:00+09:00');
INSERT INTO conversation_event VALUES (2, 1, 'call', 'a1', '{"name": "log_tracker_entry", "label": "\uae30\ub85d\ud558\uae30", "args": {"habit_id": 1, "value": "done"}, "call_id": null, "identity": ""}', '', '2026-08-01T21:00:02+09:00');
INSERT INTO invocation VALUES ('a1', 1, 'log_tracker_entry', '{"status": "ok", "data": {"entry_id": 1, "habit_id": 1, "date": "2026-08-01", "value": "done"}, "changes": {"habits": [], "entries": [[1, "2026-08-01"]], "settings": []}}', '2026-08-01T21:00:03+09:00');
INSERT INTO habit VALUES (3, 'morning-sunlight', NULL, 'protocol', '아침 햇빛', 'Morning sunlight', 2, '아침에 바깥 빛을 10분 본다', '07:00', NULL, 'user', 'active', '2026-08-01', NULL, 2, 'daily', '', 0, '2026-08-01T09:00:00+09:00', '2026-08-02T09:00:00+09:00', '2026-08-01', '2026-08-02', NULL, '', '', NULL, 0);
INSERT INTO journal VALUES (1, '2026-08-02T09:00:00+09:00', 'window', '{"action": "habit_trash", "title": ["\uc544\uce68 \ud587\ube5b", "Morning sunlight"]}', 'done');
INSERT INTO journal VALUES (2, '2026-08-03T21:00:00+09:00', 'coach', '{"action": "entry_add", "title": ["\ud558\ub8e8 \uac77\uae30", "Daily steps"], "date": "2026-08-03", "value": "blank"}', 'done');
INSERT INTO journal_row VALUES (1, 'habit', '[3]', '{"id":3,"protocol_id":"morning-sunlight","break_protocol_id":null,"kind":"protocol","title_ko":"아침 햇빛","title_en":"Morning sunlight","frame_level":2,"framed_text":"아침에 바깥 빛을 10분 본다","anchor_when":"07:00","anchor_after_what":null,"anchor_source":"user","status":"active","start":"2026-08-01","archived_on":null,"position":2,"schedule_kind":"daily","schedule_weekdays":"","schedule_times":0,"created_at":"2026-08-01T09:00:00+09:00","updated_at":"2026-08-01T09:00:00+09:00","created_on":"2026-08-01","deleted_on":null}', '{"id":3,"protocol_id":"morning-sunlight","break_protocol_id":null,"kind":"protocol","title_ko":"아침 햇빛","title_en":"Morning sunlight","frame_level":2,"framed_text":"아침에 바깥 빛을 10분 본다","anchor_when":"07:00","anchor_after_what":null,"anchor_source":"user","status":"active","start":"2026-08-01","archived_on":null,"position":2,"schedule_kind":"daily","schedule_weekdays":"","schedule_times":0,"created_at":"2026-08-01T09:00:00+09:00","updated_at":"2026-08-02T09:00:00+09:00","created_on":"2026-08-01","deleted_on":"2026-08-02"}');
INSERT INTO journal_row VALUES (2, 'entry', '[3]', NULL, '{"id":3,"habit_id":1,"date":"2026-08-03","value":"blank","is_minimum":0,"note":"여행","created_at":"2026-08-03T21:00:00+09:00","updated_at":"2026-08-03T21:00:00+09:00"}');
INSERT INTO import_run VALUES (1, 'loop-db', 'Loop Habits Backup.db', '2026-08-04T09:00:00+09:00', '{"entries": [], "settings": {}}');
INSERT INTO habit VALUES (4, NULL, NULL, 'protocol', '물 마시기', '물 마시기', 2, '물 마시기', '07:30', NULL, 'user', 'archived', '2024-03-01', '2024-03-02', 3, 'daily', '', 0, '2026-08-04T09:00:00+09:00', '2026-08-04T09:00:00+09:00', '2024-03-01', NULL, 'loop', '하루 2리터', 'L', 1, 0);
INSERT INTO habit_variant VALUES (4, 0, '2 L');
INSERT INTO habit_source VALUES ('loop', 'name:0:물 마시기', 4, 1), ('loop', 'uuid:bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', 4, 1);
INSERT INTO entry VALUES (4, 4, '2024-03-01', 'done', 0, '', '2026-08-04T09:00:00+09:00', '2026-08-04T09:00:00+09:00', 2.0, 1);
INSERT INTO entry VALUES (5, 4, '2024-03-02', 'not_done', 0, '조금 모자람', '2026-08-04T09:00:00+09:00', '2026-08-04T09:00:00+09:00', 1.5, 1);
INSERT INTO habit_schedule VALUES (1, '2026-08-01', 'daily', '', 0, 0), (2, '2026-07-01', 'weekdays', '135', 0, 0), (3, '2026-08-01', 'daily', '', 0, 0), (4, '2024-03-01', 'daily', '', 0, 0);
INSERT INTO habit VALUES (5, NULL, NULL, 'protocol', '어항 청소', '어항 청소', 2, '어항 청소', NULL, NULL, 'user', 'archived', '2024-03-01', '2024-06-30', 4, 'every_days', '', 0, '2026-08-04T09:00:00+09:00', '2026-08-04T09:00:00+09:00', '2024-03-01', NULL, 'loop', '', '', 1, 10);
INSERT INTO habit_source VALUES ('loop', 'uuid:cccccccccccccccccccccccccccccccc', 5, 1);
INSERT INTO habit_schedule VALUES (5, '2024-03-01', 'per_month', '', 2, 0), (5, '2024-05-01', 'every_days', '', 0, 10);
CREATE TABLE reminder (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    habit_id INTEGER NOT NULL REFERENCES habit (id) ON DELETE CASCADE,
    minutes INTEGER NOT NULL CHECK (typeof(minutes) = 'integer' AND minutes BETWEEN 0 AND 1439),
    weekdays TEXT NOT NULL CHECK (weekdays NOT GLOB '*[^1-7]*') CHECK (length(weekdays) BETWEEN 1 AND 7),
    is_on INTEGER NOT NULL DEFAULT 1 CHECK (is_on IN (0, 1)),
    since TEXT NOT NULL CHECK (length(since) BETWEEN 1 AND 40),
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    UNIQUE (habit_id, minutes)
);
CREATE TABLE reminder_mark (
    reminder_id INTEGER NOT NULL,
    minutes INTEGER NOT NULL,
    day TEXT NOT NULL CHECK (day IS NULL OR (day GLOB '[0-9][0-9][0-9][0-9]-[0-1][0-9]-[0-3][0-9]' AND date(day, '+0 days') IS day)),
    marked_at TEXT NOT NULL,
    snoozed_until TEXT,
    PRIMARY KEY (reminder_id, minutes, day)
) WITHOUT ROWID;
INSERT INTO reminder VALUES (1, 1, 1290, '12345', 1, '2026-08-01T09:00:00+09:00', '2026-08-01T09:00:00+09:00', '2026-08-01T09:00:00+09:00');
INSERT INTO reminder VALUES (2, 4, 450, '1234567', 0, '2026-08-04T09:00:00+09:00', '2026-08-04T09:00:00+09:00', '2026-08-05T09:00:00+09:00');
INSERT INTO reminder_mark VALUES (1, 1290, '2026-08-03', '2026-08-03T21:30:00+09:00', NULL);
CREATE TABLE conversation_summary (
    conversation_id INTEGER PRIMARY KEY REFERENCES conversation (id) ON DELETE CASCADE,
    body TEXT NOT NULL CHECK (length(body) BETWEEN 0 AND 4000),
    made_by TEXT NOT NULL CHECK (made_by IN ('model', 'rule')),
    covers INTEGER NOT NULL CHECK (typeof(covers) = 'integer' AND covers > 0),
    forgotten INTEGER NOT NULL DEFAULT 0 CHECK (typeof(forgotten) = 'integer' AND forgotten BETWEEN 0 AND covers),
    updated_at TEXT NOT NULL,
    CHECK ((body = '') = (forgotten = covers))
);
INSERT INTO conversation_summary VALUES (1, '한 말: “오늘 걷기 다 했어”', 'rule', 1, 0, '2026-08-01T21:00:06+09:00');
