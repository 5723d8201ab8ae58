internal import HaloTransport

/// The tables of a health database, the changes from one version to the next, and the views.
///
/// `time`, `start` and `end` are seconds since 1970 as the ring's clock showed them; `utc` is the
/// same moment in UTC, or null if the offset of the clock is not known. A row whose `replaced_by`
/// is not null has been corrected by a later read, and is kept as it was.
///
/// The page "Health data" describes the columns for users.
enum HealthSchema {
    /// The statements of each version from the first on, separated by semicolons; the last of each
    /// is its number. ``views`` follow, after the last one.
    static let versions: [StaticString] = [first, oneVocabulary]

    /// The mark of this package's files: `HALO`.
    static var applicationID: Int64 { 0x4841_4C4F }

    private static let first: StaticString = """
        CREATE TABLE ring (
            id INTEGER PRIMARY KEY,
            identity TEXT NOT NULL UNIQUE,
            name TEXT
        );
        CREATE TABLE sync (
            id INTEGER PRIMARY KEY,
            ring INTEGER NOT NULL REFERENCES ring,
            time INTEGER NOT NULL,
            seconds_from_utc INTEGER,
            instant INTEGER NOT NULL,
            first_day TEXT,
            is_complete INTEGER NOT NULL,
            firmware TEXT,
            hardware TEXT
        );
        CREATE INDEX sync_by_instant ON sync (ring, instant);
        CREATE TABLE answer (
            sync INTEGER PRIMARY KEY REFERENCES sync,
            capture TEXT NOT NULL
        );
        CREATE TABLE clock (
            ring INTEGER NOT NULL REFERENCES ring,
            number INTEGER NOT NULL,
            seconds_from_utc INTEGER NOT NULL,
            was_set INTEGER NOT NULL,
            since INTEGER,
            shift_days INTEGER,
            shift_least_seconds INTEGER,
            shift_most_seconds INTEGER,
            PRIMARY KEY (ring, number)
        ) WITHOUT ROWID;
        CREATE TABLE coverage (
            ring INTEGER NOT NULL REFERENCES ring,
            kind TEXT NOT NULL,
            day TEXT NOT NULL,
            outcome TEXT NOT NULL,
            sync INTEGER NOT NULL REFERENCES sync,
            PRIMARY KEY (ring, kind, day)
        ) WITHOUT ROWID;
        CREATE TABLE sample (
            ring INTEGER NOT NULL REFERENCES ring,
            kind INTEGER NOT NULL,
            time INTEGER NOT NULL,
            version INTEGER NOT NULL,
            utc INTEGER,
            minutes INTEGER NOT NULL,
            value REAL NOT NULL,
            second REAL,
            third REAL,
            sync INTEGER NOT NULL REFERENCES sync,
            replaced_by INTEGER REFERENCES sync,
            PRIMARY KEY (ring, kind, time, version)
        ) WITHOUT ROWID;
        CREATE TABLE sleep (
            id INTEGER PRIMARY KEY,
            ring INTEGER NOT NULL REFERENCES ring,
            is_nap INTEGER NOT NULL,
            start INTEGER NOT NULL,
            "end" INTEGER NOT NULL,
            seconds_from_utc INTEGER,
            sync INTEGER NOT NULL REFERENCES sync,
            replaced_by INTEGER REFERENCES sync
        );
        CREATE INDEX sleep_by_end ON sleep (ring, "end");
        CREATE TABLE sleep_stage (
            sleep INTEGER NOT NULL REFERENCES sleep,
            number INTEGER NOT NULL,
            time INTEGER NOT NULL,
            minutes INTEGER NOT NULL,
            stage TEXT NOT NULL,
            PRIMARY KEY (sleep, number)
        ) WITHOUT ROWID;
        CREATE TABLE workout (
            id INTEGER PRIMARY KEY,
            ring INTEGER NOT NULL REFERENCES ring,
            key INTEGER,
            start INTEGER,
            seconds_from_utc INTEGER,
            sport INTEGER,
            seconds INTEGER,
            metres INTEGER,
            kilocalories REAL,
            steps INTEGER,
            least_bpm INTEGER,
            mean_bpm INTEGER,
            most_bpm INTEGER,
            sync INTEGER NOT NULL REFERENCES sync,
            replaced_by INTEGER REFERENCES sync
        );
        CREATE INDEX workout_by_start ON workout (ring, start);
        CREATE TABLE total (
            ring INTEGER NOT NULL REFERENCES ring,
            day TEXT NOT NULL,
            steps INTEGER NOT NULL,
            running_steps INTEGER NOT NULL,
            metres INTEGER NOT NULL,
            kilocalories REAL NOT NULL,
            active_minutes INTEGER NOT NULL,
            sync INTEGER NOT NULL REFERENCES sync,
            PRIMARY KEY (ring, day)
        ) WITHOUT ROWID;
        CREATE TABLE setting (
            ring INTEGER NOT NULL REFERENCES ring,
            name TEXT NOT NULL,
            sync INTEGER NOT NULL REFERENCES sync,
            value REAL NOT NULL,
            PRIMARY KEY (ring, name, sync)
        ) WITHOUT ROWID;
        CREATE TABLE battery (
            sync INTEGER PRIMARY KEY REFERENCES sync,
            percent INTEGER NOT NULL,
            is_charging INTEGER
        );
        PRAGMA application_id = 0x48414C4F;
        PRAGMA user_version = 1
        """

    /// Kinds and columns get the names that they have everywhere. Tables whose names are those of
    /// exports now are renamed before the views are dropped, so that a view of someone else follows
    /// them. `memory` has the most days back from which a read has had a kind.
    private static let oneVocabulary: StaticString = """
        ALTER TABLE sleep RENAME TO sleep_record;
        ALTER TABLE battery RENAME TO charge;
        ALTER TABLE workout RENAME COLUMN least_bpm TO lowest_bpm;
        ALTER TABLE workout RENAME COLUMN mean_bpm TO average_bpm;
        ALTER TABLE workout RENAME COLUMN most_bpm TO highest_bpm;
        ALTER TABLE clock RENAME COLUMN shift_least_seconds TO shift_lowest_seconds;
        ALTER TABLE clock RENAME COLUMN shift_most_seconds TO shift_highest_seconds;
        UPDATE coverage SET kind = CASE kind
            WHEN 'heartRate' THEN 'heart_rate'
            WHEN 'heartRateVariability' THEN 'heart_rate_variability'
            ELSE 'blood_oxygen' END
        WHERE kind IN ('heartRate', 'heartRateVariability', 'bloodOxygen');
        CREATE TABLE memory (
            ring INTEGER NOT NULL REFERENCES ring,
            kind TEXT NOT NULL,
            days INTEGER NOT NULL,
            PRIMARY KEY (ring, kind)
        ) WITHOUT ROWID;
        INSERT INTO memory
        SELECT c.ring, kind,
            CAST(max(s.time / 86400 - strftime('%s', day) / 86400) AS INTEGER) AS days
        FROM coverage c JOIN sync s ON s.id = c.sync
        WHERE outcome = 'read' GROUP BY c.ring, kind HAVING days IS NOT NULL;
        DROP VIEW IF EXISTS night;
        PRAGMA user_version = 2
        """

    /// The views, created anew by each version: they hold no values. A version drops those that
    /// are not here any more.
    ///
    /// Those of the tables of exports have the names and columns of ``HistoryTable``. A day knows
    /// until when it was read, and a week has the means of whole days. The last four are the tables
    /// of `colmi_r02_client`: its times are in UTC, so values without one are missing; its calories
    /// are small ones.
    static let views: StaticString = """
        DROP VIEW IF EXISTS heart_rate;
        DROP VIEW IF EXISTS stress;
        DROP VIEW IF EXISTS heart_rate_variability;
        DROP VIEW IF EXISTS activity;
        DROP VIEW IF EXISTS blood_oxygen;
        DROP VIEW IF EXISTS temperature;
        DROP VIEW IF EXISTS sleep;
        DROP VIEW IF EXISTS sleep_stages;
        DROP VIEW IF EXISTS workouts;
        DROP VIEW IF EXISTS totals;
        DROP VIEW IF EXISTS battery;
        DROP VIEW IF EXISTS day;
        DROP VIEW IF EXISTS week;
        DROP VIEW IF EXISTS rings;
        DROP VIEW IF EXISTS syncs;
        DROP VIEW IF EXISTS heart_rates;
        DROP VIEW IF EXISTS sport_details;
        CREATE VIEW heart_rate AS
        SELECT ring, datetime(time, 'unixepoch') AS time, datetime(utc, 'unixepoch') AS utc,
            minutes, CAST(value AS INTEGER) AS bpm
        FROM sample WHERE kind = 1 AND replaced_by IS NULL;
        CREATE VIEW stress AS
        SELECT ring, datetime(time, 'unixepoch') AS time, datetime(utc, 'unixepoch') AS utc,
            minutes, CAST(value AS INTEGER) AS score
        FROM sample WHERE kind = 2 AND replaced_by IS NULL;
        CREATE VIEW heart_rate_variability AS
        SELECT ring, datetime(time, 'unixepoch') AS time, datetime(utc, 'unixepoch') AS utc,
            minutes, CAST(value AS INTEGER) AS milliseconds
        FROM sample WHERE kind = 3 AND replaced_by IS NULL;
        CREATE VIEW activity AS
        SELECT ring, datetime(time, 'unixepoch') AS time, datetime(utc, 'unixepoch') AS utc,
            minutes, CAST(value AS INTEGER) AS steps, CAST(second AS INTEGER) AS metres,
            third AS kilocalories
        FROM sample WHERE kind = 4 AND replaced_by IS NULL;
        CREATE VIEW blood_oxygen AS
        SELECT ring, datetime(time, 'unixepoch') AS time, datetime(utc, 'unixepoch') AS utc,
            minutes, CAST(value AS INTEGER) AS lowest_percent,
            CAST(second AS INTEGER) AS highest_percent
        FROM sample WHERE kind = 5 AND replaced_by IS NULL;
        CREATE VIEW temperature AS
        SELECT ring, datetime(time, 'unixepoch') AS time, datetime(utc, 'unixepoch') AS utc,
            minutes, value AS celsius
        FROM sample WHERE kind = 6 AND replaced_by IS NULL;
        CREATE VIEW sleep AS
        SELECT s.ring, datetime(s.start, 'unixepoch') AS time,
            datetime(s.start - s.seconds_from_utc, 'unixepoch') AS utc,
            CASE WHEN s.is_nap THEN 'nap' ELSE 'night' END AS period,
            (s."end" - s.start) / 60 AS minutes,
            sum(t.minutes) FILTER (WHERE t.stage IN ('light', 'deep', 'rem')) AS minutes_asleep,
            datetime(s."end", 'unixepoch') AS "end",
            datetime(s."end" - s.seconds_from_utc, 'unixepoch') AS end_utc,
            s.id, date(s."end", 'unixepoch') AS day,
            coalesce(sum(t.minutes) FILTER (WHERE t.stage = 'deep'), 0) AS minutes_deep,
            coalesce(sum(t.minutes) FILTER (WHERE t.stage = 'light'), 0) AS minutes_light,
            coalesce(sum(t.minutes) FILTER (WHERE t.stage = 'rem'), 0) AS minutes_rem,
            coalesce(sum(t.minutes) FILTER (WHERE t.stage = 'awake'), 0) AS minutes_awake
        FROM sleep_record s LEFT JOIN sleep_stage t ON t.sleep = s.id
        WHERE s.replaced_by IS NULL GROUP BY s.id;
        CREATE VIEW sleep_stages AS
        SELECT s.ring, datetime(t.time, 'unixepoch') AS time,
            datetime(t.time - s.seconds_from_utc, 'unixepoch') AS utc, t.stage, t.minutes,
            datetime(s.start, 'unixepoch') AS sleep_start
        FROM sleep_stage t JOIN sleep_record s ON s.id = t.sleep WHERE s.replaced_by IS NULL;
        CREATE VIEW workouts AS
        SELECT ring, datetime(start, 'unixepoch') AS time,
            datetime(start - seconds_from_utc, 'unixepoch') AS utc, sport, seconds, metres,
            kilocalories, steps, average_bpm, lowest_bpm, highest_bpm
        FROM workout WHERE replaced_by IS NULL;
        CREATE VIEW totals AS
        SELECT d.ring, datetime(s.time, 'unixepoch') AS time,
            datetime(s.time - s.seconds_from_utc, 'unixepoch') AS utc, d.day, d.steps,
            d.running_steps, d.metres, d.kilocalories, d.active_minutes
        FROM total d JOIN sync s ON s.id = d.sync;
        CREATE VIEW battery AS
        SELECT s.ring, datetime(s.time, 'unixepoch') AS time,
            datetime(s.time - s.seconds_from_utc, 'unixepoch') AS utc, c.percent, c.is_charging
        FROM charge c JOIN sync s ON s.id = c.sync;
        CREATE VIEW day AS
        SELECT v.ring, v.day,
            CAST(sum(v.value) FILTER (WHERE v.kind = 4) AS INTEGER) AS steps,
            CAST(sum(v.second) FILTER (WHERE v.kind = 4) AS INTEGER) AS metres,
            round(sum(v.third) FILTER (WHERE v.kind = 4), 3) AS kilocalories,
            CAST(min(v.value) FILTER (WHERE v.kind = 1) AS INTEGER) AS lowest_bpm,
            round(avg(v.value) FILTER (WHERE v.kind = 1), 1) AS average_bpm,
            CAST(max(v.value) FILTER (WHERE v.kind = 1) AS INTEGER) AS highest_bpm,
            round(avg(v.value) FILTER (WHERE v.kind = 2), 1) AS average_stress,
            round(avg(v.value) FILTER (WHERE v.kind = 3), 1) AS average_variability_milliseconds,
            CAST(min(v.value) FILTER (WHERE v.kind = 5) AS INTEGER) AS lowest_oxygen_percent,
            round(avg(v.value) FILTER (WHERE v.kind = 6), 2) AS average_celsius,
            (SELECT sum(n.minutes_asleep) FROM sleep n
                WHERE n.ring = v.ring AND n.day = v.day AND n.period = 'night') AS minutes_asleep,
            (SELECT CASE WHEN date(e.time, 'unixepoch') <= v.day
                THEN strftime('%H:%M', e.time, 'unixepoch') END
                FROM (
                    SELECT coalesce(
                        min(s.time) FILTER (WHERE c.kind NOT IN ('sleep', 'temperature')),
                        min(s.time)) AS time
                    FROM coverage c JOIN sync s ON s.id = c.sync
                    WHERE c.ring = v.ring AND c.day = v.day AND c.outcome IN ('read', 'unfinished')
                    AND c.kind IN ('heart_rate', 'stress', 'heart_rate_variability', 'activity',
                        'blood_oxygen', 'temperature', 'sleep')
                ) e) AS until
        FROM (
            SELECT ring, kind, date(time, 'unixepoch') AS day, value, second, third
            FROM sample WHERE replaced_by IS NULL
            UNION ALL
            SELECT ring, 0, date("end", 'unixepoch'), 0, NULL, NULL
            FROM sleep_record WHERE replaced_by IS NULL
        ) v GROUP BY v.ring, v.day;
        CREATE VIEW week AS
        SELECT ring, date(day, 'weekday 0', '-6 days') AS monday, count(*) AS days,
            round(avg(steps) FILTER (WHERE until IS NULL)) AS steps,
            min(lowest_bpm) AS lowest_bpm,
            round(avg(average_bpm) FILTER (WHERE until IS NULL), 1) AS average_bpm,
            max(highest_bpm) AS highest_bpm,
            round(avg(average_stress) FILTER (WHERE until IS NULL), 1) AS average_stress,
            round(avg(average_variability_milliseconds) FILTER (WHERE until IS NULL), 1)
                AS average_variability_milliseconds,
            min(lowest_oxygen_percent) AS lowest_oxygen_percent,
            round(avg(average_celsius) FILTER (WHERE until IS NULL), 2) AS average_celsius,
            round(avg(minutes_asleep) FILTER (WHERE NOT EXISTS (
                SELECT 1 FROM sleep n
                JOIN coverage c ON c.ring = n.ring AND c.kind = 'sleep' AND c.day = n.day
                JOIN sync s ON s.id = c.sync
                WHERE n.ring = day.ring AND n.day = day.day AND n.period = 'night'
                AND c.outcome IN ('read', 'unfinished')
                AND datetime(n."end", '+1 hour') > datetime(s.time, 'unixepoch'))))
                AS minutes_asleep
        FROM day GROUP BY ring, monday;
        CREATE VIEW rings AS SELECT id AS ring_id, identity AS address FROM ring;
        CREATE VIEW syncs AS
        SELECT id AS sync_id, ring AS ring_id, NULL AS comment,
            strftime('%Y-%m-%d %H:%M:%f000', instant, 'unixepoch') AS timestamp
        FROM sync;
        CREATE VIEW heart_rates AS
        SELECT row_number() OVER (ORDER BY ring, utc) AS heart_rate_id,
            CAST(value AS INTEGER) AS reading,
            strftime('%Y-%m-%d %H:%M:%f000', utc, 'unixepoch') AS timestamp,
            ring AS ring_id, sync AS sync_id
        FROM sample WHERE kind = 1 AND replaced_by IS NULL AND utc IS NOT NULL;
        CREATE VIEW sport_details AS
        SELECT row_number() OVER (ORDER BY ring, utc) AS sport_detail_id,
            CAST(round(coalesce(third, 0) * 1000) AS INTEGER) AS calories,
            CAST(value AS INTEGER) AS steps, CAST(second AS INTEGER) AS distance,
            strftime('%Y-%m-%d %H:%M:%f000', utc, 'unixepoch') AS timestamp,
            ring AS ring_id, sync AS sync_id
        FROM sample WHERE kind = 4 AND replaced_by IS NULL AND utc IS NOT NULL
        """
}

extension SQLiteConnection {
    /// The most indexes on all tables together: each of them makes adding a row slower.
    private static var mostIndexes: Int { 16 }

    /// Returns what could compute without end, or refuse values, when a statement of this package
    /// uses its tables; `nil` if there is nothing of that kind.
    ///
    /// - The tables have the statements of this package, but for white space: no `CHECK`, no view
    ///   or virtual table in their place, no computed column.
    /// - No other table refers to them, and there are no triggers: nothing else changes with them.
    /// - Indexes on them are of columns: they compute neither values nor conditions, and refuse no
    ///   value. They are few.
    ///
    /// Views and other tables are never read.
    func strangePart(
        besides versions: some Sequence<StaticString>, _ library: SQLiteLibrary
    ) throws(HealthStoreError) -> String? {
        let reference = try SQLiteConnection(inMemory: library)
        for version in versions { try reference.run(script: version) }
        let expected = try reference.tables()
        let tables = try tables()
        if case .text(let name)? = try value(
            "SELECT name FROM sqlite_master WHERE type = 'trigger'")
        {
            return "it has the trigger '\(name.prefix(64))'; drop it"
        }
        for (name, statement) in expected.sortedByKey where tables[name] != statement {
            return "its table \(name) is not the one of this program"
        }
        let own = Set(expected.keys.map(SQLiteValue.text))
        for name in tables.keys.sorted() where expected[name] == nil {
            let parents = try list(
                "SELECT lower(\"table\") FROM pragma_foreign_key_list(?)", .text(name)
            ) { (row) throws(HealthStoreError) in row[0] }
            if !own.isDisjoint(with: parents) {
                return "its table '\(name.prefix(64))' refers to one of this program"
            }
        }
        return try strangeIndex(on: expected.keys.sorted())
    }

    /// Returns the statements of the tables that hold their values by their names, the words of
    /// each separated by single spaces.
    private func tables() throws(HealthStoreError) -> [String: String] {
        var tables: [String: String] = [:]
        try rows(
            """
            SELECT name, sql FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE TABLE%'
            """
        ) { (row) throws(HealthStoreError) in
            guard case .text(let name) = row[0], case .text(let statement) = row[1] else { return }
            tables[name] = statement.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        return tables
    }

    private func strangeIndex(on tables: [String]) throws(HealthStoreError) -> String? {
        var count = 0
        for table in tables {
            let indexes = try list(
                """
                SELECT name, "unique" OR partial OR EXISTS (
                    SELECT 1 FROM pragma_index_xinfo(l.name) WHERE cid = -2)
                FROM pragma_index_list(?) l WHERE origin = 'c'
                """, .text(table)
            ) { (row) throws(HealthStoreError) in (name: row[0], computes: row[1] == 1) }
            for case (.text(let name), true) in indexes {
                return "its index '\(name.prefix(64))' is unique, or has more than columns; drop it"
            }
            count += indexes.count
        }
        return count > Self.mostIndexes
            ? "it has \(count) indexes on its tables; \(Self.mostIndexes) are the most" : nil
    }
}
