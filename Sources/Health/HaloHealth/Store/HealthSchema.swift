/// The tables of a health database, and the changes from one version to the next.
///
/// `time`, `start` and `end` are seconds since 1970 as the ring's clock showed them; `utc` is the
/// same moment in UTC, or null if the offset of the clock is not known. A row whose `replaced_by`
/// is not null has been corrected by a later read, and is kept as it was.
///
/// The page "Health data" describes the columns for users.
enum HealthSchema {
    /// The statements of each version from the first on, separated by semicolons; the last of each
    /// is its number.
    static let versions: [StaticString] = [first]

    /// The mark of this package's files: `HALO`.
    static var applicationID: Int64 { 0x4841_4C4F }

    /// Returns the names of the tables that the statements of some versions create.
    static func tableNames(of versions: [StaticString]) -> [String] {
        versions.flatMap { "\($0)".split(separator: ";") }.compactMap { statement in
            let words = statement.split(maxSplits: 3, whereSeparator: \.isWhitespace)
            return words.starts(with: ["CREATE", "TABLE"]) && words.count > 2
                ? String(words[2]) : nil
        }
    }

    /// The tables, views of their values, and the tables of `colmi_r02_client` as views. The times
    /// of that program are in UTC, so values without one are missing; its calories are small ones.
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
        CREATE VIEW heart_rate AS
        SELECT ring, datetime(time, 'unixepoch') AS local, datetime(utc, 'unixepoch') AS utc,
            minutes, CAST(value AS INTEGER) AS bpm
        FROM sample WHERE kind = 1 AND replaced_by IS NULL;
        CREATE VIEW stress AS
        SELECT ring, datetime(time, 'unixepoch') AS local, datetime(utc, 'unixepoch') AS utc,
            minutes, CAST(value AS INTEGER) AS score
        FROM sample WHERE kind = 2 AND replaced_by IS NULL;
        CREATE VIEW heart_rate_variability AS
        SELECT ring, datetime(time, 'unixepoch') AS local, datetime(utc, 'unixepoch') AS utc,
            minutes, CAST(value AS INTEGER) AS milliseconds
        FROM sample WHERE kind = 3 AND replaced_by IS NULL;
        CREATE VIEW activity AS
        SELECT ring, datetime(time, 'unixepoch') AS local, datetime(utc, 'unixepoch') AS utc,
            minutes, CAST(value AS INTEGER) AS steps, CAST(second AS INTEGER) AS metres,
            third AS kilocalories
        FROM sample WHERE kind = 4 AND replaced_by IS NULL;
        CREATE VIEW blood_oxygen AS
        SELECT ring, datetime(time, 'unixepoch') AS local, datetime(utc, 'unixepoch') AS utc,
            minutes, CAST(value AS INTEGER) AS least_percent,
            CAST(second AS INTEGER) AS most_percent
        FROM sample WHERE kind = 5 AND replaced_by IS NULL;
        CREATE VIEW temperature AS
        SELECT ring, datetime(time, 'unixepoch') AS local, datetime(utc, 'unixepoch') AS utc,
            minutes, value AS celsius
        FROM sample WHERE kind = 6 AND replaced_by IS NULL;
        CREATE VIEW night AS
        SELECT s.id, s.ring, date(s."end", 'unixepoch') AS day, s.is_nap,
            datetime(s.start, 'unixepoch') AS start, datetime(s."end", 'unixepoch') AS "end",
            (s."end" - s.start) / 60 AS minutes,
            coalesce(sum(t.minutes) FILTER (WHERE t.stage IN ('light', 'deep', 'rem')), 0)
                AS minutes_asleep,
            coalesce(sum(t.minutes) FILTER (WHERE t.stage = 'deep'), 0) AS minutes_deep,
            coalesce(sum(t.minutes) FILTER (WHERE t.stage = 'light'), 0) AS minutes_light,
            coalesce(sum(t.minutes) FILTER (WHERE t.stage = 'rem'), 0) AS minutes_rem,
            coalesce(sum(t.minutes) FILTER (WHERE t.stage = 'awake'), 0) AS minutes_awake
        FROM sleep s LEFT JOIN sleep_stage t ON t.sleep = s.id
        WHERE s.replaced_by IS NULL GROUP BY s.id;
        CREATE VIEW day AS
        SELECT v.ring, v.day,
            CAST(sum(v.value) FILTER (WHERE v.kind = 4) AS INTEGER) AS steps,
            CAST(sum(v.second) FILTER (WHERE v.kind = 4) AS INTEGER) AS metres,
            round(sum(v.third) FILTER (WHERE v.kind = 4), 3) AS kilocalories,
            CAST(min(v.value) FILTER (WHERE v.kind = 1) AS INTEGER) AS least_bpm,
            round(avg(v.value) FILTER (WHERE v.kind = 1), 1) AS mean_bpm,
            CAST(max(v.value) FILTER (WHERE v.kind = 1) AS INTEGER) AS most_bpm,
            round(avg(v.value) FILTER (WHERE v.kind = 2), 1) AS mean_stress,
            round(avg(v.value) FILTER (WHERE v.kind = 3), 1) AS mean_variability,
            CAST(min(v.value) FILTER (WHERE v.kind = 5) AS INTEGER) AS least_oxygen,
            round(avg(v.value) FILTER (WHERE v.kind = 6), 2) AS mean_celsius,
            (SELECT sum(n.minutes_asleep) FROM night n
                WHERE n.ring = v.ring AND n.day = v.day AND NOT n.is_nap) AS minutes_asleep
        FROM (
            SELECT ring, kind, date(time, 'unixepoch') AS day, value, second, third
            FROM sample WHERE replaced_by IS NULL
            UNION ALL
            SELECT ring, 0, date("end", 'unixepoch'), 0, NULL, NULL
            FROM sleep WHERE replaced_by IS NULL
        ) v GROUP BY v.ring, v.day;
        CREATE VIEW week AS
        SELECT ring, date(day, 'weekday 0', '-6 days') AS monday, count(*) AS days,
            round(avg(steps)) AS steps, min(least_bpm) AS least_bpm,
            round(avg(mean_bpm), 1) AS mean_bpm, max(most_bpm) AS most_bpm,
            round(avg(mean_stress), 1) AS mean_stress,
            round(avg(mean_variability), 1) AS mean_variability,
            min(least_oxygen) AS least_oxygen, round(avg(mean_celsius), 2) AS mean_celsius,
            round(avg(minutes_asleep)) AS minutes_asleep
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
        FROM sample WHERE kind = 4 AND replaced_by IS NULL AND utc IS NOT NULL;
        PRAGMA application_id = 0x48414C4F;
        PRAGMA user_version = 1
        """
}
