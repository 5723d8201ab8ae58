public import HaloDevices

extension HealthStore {
    /// Returns what the file has of a ring, of some kinds and some days; `nil` for a ring that the
    /// file does not have. All days if both bounds are left out.
    ///
    /// It is as if everything had been read at the time of the last read, by this package or by the
    /// Python client whose database was imported. Read years month by month: a day has some 400
    /// values.
    public func history(
        _ kinds: Set<HistoryKind> = Set(HistoryKind.allCases), of ring: PeripheralIdentity,
        since first: CivilDate? = nil, through last: CivilDate? = nil
    ) throws(HealthStoreError) -> RingHistory? {
        try withDatabase { (database) throws(HealthStoreError) in
            try database.reading { () throws(HealthStoreError) in
                guard let id = try database.row(of: ring) else { return nil }
                let reading = HealthReading(database, id, since: first, through: last)
                return try reading.history(kinds)
            }
        }
    }

    /// The first and the last day of which the file has values of a ring; `nil` without any.
    public func days(
        of ring: PeripheralIdentity
    ) throws(HealthStoreError) -> ClosedRange<CivilDate>? {
        try withDatabase { (database) throws(HealthStoreError) in
            try database.reading { () throws(HealthStoreError) in
                guard let id = try database.row(of: ring) else { return nil }
                var times: [CivilDateTime] = []
                try database.rows(
                    """
                    SELECT min(time), max(time) FROM sample WHERE ring = ?1
                    UNION ALL SELECT min("end"), max("end") FROM sleep_record WHERE ring = ?1
                    UNION ALL SELECT min(start), max(start) FROM workout WHERE ring = ?1
                    """, id
                ) { (row) throws(HealthStoreError) in
                    times += [try row.time(0), try row.time(1)].compactMap(\.self)
                }
                guard let first = times.min(), let last = times.max() else { return nil }
                return first.date...last.date
            }
        }
    }
}

extension HealthStore {
    /// The charges of a ring's battery at the reads, the earliest first.
    public func battery(
        of ring: PeripheralIdentity
    ) throws(HealthStoreError) -> [TimedSample<BatteryCharge>] {
        try withDatabase { (database) throws(HealthStoreError) in
            try database.list(
                """
                SELECT s.time, s.seconds_from_utc, b.percent, b.is_charging
                FROM charge b JOIN sync s ON s.id = b.sync JOIN ring r ON r.id = s.ring
                WHERE r.identity = ? ORDER BY s.instant, s.id
                """, .text(ring.rawValue)
            ) { (row) throws(HealthStoreError) in
                guard let time = try row.time(0), let percent = try row.number(2) else {
                    return nil
                }
                let charge = BatteryCharge(
                    percent: min(max(percent, 0), 100),
                    isCharging: row[3] == .null ? nil : row[3] != 0)
                return TimedSample(
                    time: time, minutes: 0, secondsFromUTC: try row.number(1), value: charge)
            }
        }
    }
}

/// A read of a ring's values from the tables.
private struct HealthReading {
    private let database: SQLiteConnection
    private let ring: SQLiteValue
    /// The first wanted second, and the first after the last one.
    private let (start, end): (SQLiteValue, SQLiteValue)
    /// The first and the last wanted day.
    private let (first, last): (SQLiteValue, SQLiteValue)

    init(
        _ database: SQLiteConnection, _ ring: SQLiteValue, since first: CivilDate?,
        through last: CivilDate?
    ) {
        self.database = database
        self.ring = ring
        start = SQLiteValue(first.map { CivilDateTime($0).seconds } ?? 0)
        end = last.map { SQLiteValue(CivilDateTime($0).seconds + 86_400) } ?? .integer(.max)
        self.first = .text(first.map { "\($0)" } ?? "")
        self.last = .text(last.map { "\($0)" } ?? "9")
    }

    func history(_ wanted: Set<HistoryKind>) throws(HealthStoreError) -> RingHistory {
        let last = try database.lastRead(of: ring, countsImports: true)
        var history = RingHistory(
            today: (last?.time ?? CivilDateTime(secondsSince1970: 0)).date, readAt: last?.time,
            secondsFromUTC: last?.secondsFromUTC)
        for kind in RingHistory.sampleKinds where wanted.contains(kind.kind) {
            try read(kind, into: &history)
        }
        if wanted.contains(.sleep) { history[.sleep] = try sleep() }
        if wanted.contains(.workouts) { history[.workouts] = try workouts() }
        if wanted.contains(.totals) { history.totals = try totals(of: history.today) }
        history.clocks = try database.clocks(of: ring)
        try readCoverage(wanted, into: &history)
        history.coverage.earlierReads = try reads(but: history.today)
        let lastDay = try database.lastRead(of: ring)?.time.date
        history.coverage.isImport = lastDay != last?.time.date
        return history
    }

    private func read<Samples: SampleList>(
        _ kind: Samples, into history: inout RingHistory
    ) throws(HealthStoreError) {
        // Of an hour that comes twice, the first is the earlier one in UTC.
        var (previous, comesTwice) = (CivilDateTime?.none, false)
        var rows: [SampleRow] = try database.list(
            """
            SELECT time, utc, minutes, value, second, third FROM sample
            WHERE ring = ? AND kind = ? AND time >= ? AND time < ? AND replaced_by IS NULL
            ORDER BY time
            """, ring, SQLiteValue(kind.code), start, end
        ) { (row) throws(HealthStoreError) in
            guard let time = try row.time(0) else { return nil }
            if time == previous { comesTwice = true }
            previous = time
            let columns = (try row.decimal(3) ?? 0, try row.decimal(4), try row.decimal(5))
            return SampleRow(
                time: time, utc: try row.time(1), minutes: try row.number(2) ?? 0, columns: columns)
        }
        if comesTwice {
            rows.sort { ($0.time, $0.utc ?? $0.time) < ($1.time, $1.utc ?? $1.time) }
        }
        history[kind.log] = Samples.Value.samples(rows)
    }

    private func sleep() throws(HealthStoreError) -> [SleepRecord] {
        var stages: [SQLiteValue: [TimedSample<SleepRecord.Stage>]] = [:]
        try database.rows(
            """
            SELECT t.sleep, t.time, t.minutes, t.stage, s.seconds_from_utc
            FROM sleep_stage t JOIN sleep_record s ON s.id = t.sleep
            WHERE s.ring = ? AND s."end" >= ? AND s."end" < ? AND s.replaced_by IS NULL
            ORDER BY t.sleep, t.number
            """, ring, start, end
        ) { (row) throws(HealthStoreError) in
            guard let time = try row.time(1) else { return }
            let stage = try row.text(3).flatMap { SleepRecord.Stage(rawValue: $0) }
            stages[row[0], default: []].append(
                TimedSample(
                    time: time, minutes: try row.number(2) ?? 0,
                    secondsFromUTC: try row.number(4), value: stage ?? .unclassified))
        }
        return try database.list(
            """
            SELECT id, is_nap, start, "end", seconds_from_utc FROM sleep_record
            WHERE ring = ? AND "end" >= ? AND "end" < ? AND replaced_by IS NULL ORDER BY start
            """, ring, start, end
        ) { (row) throws(HealthStoreError) in
            guard let start = try row.time(2), let end = try row.time(3) else { return nil }
            return SleepRecord(
                isNap: row[1] == 1, start: start, end: end, stages: stages[row[0]] ?? [],
                secondsFromUTC: try row.number(4))
        }
    }

    private func workouts() throws(HealthStoreError) -> [WorkoutRecord] {
        try database.list(
            """
            SELECT key, start, seconds_from_utc, sport, seconds, metres, kilocalories, steps,
                lowest_bpm, average_bpm, highest_bpm FROM workout
            WHERE ring = ? AND coalesce(start, key, 0) >= ? AND coalesce(start, key, 0) < ?
            AND replaced_by IS NULL ORDER BY start, key
            """, ring, start, end
        ) { (row) throws(HealthStoreError) in
            WorkoutRecord(
                sport: try row.number(3).flatMap {
                    UInt8(exactly: $0).flatMap(Sport.init(rawValue:))
                }, key: try row.time(0), start: try row.time(1),
                secondsFromUTC: try row.number(2),
                duration: try row.number(4).map { .seconds($0) }, metres: try row.number(5),
                kilocalories: try row.decimal(6), steps: try row.number(7),
                averageBeatsPerMinute: try row.number(9),
                lowestBeatsPerMinute: try row.number(8),
                highestBeatsPerMinute: try row.number(10))
        }
    }

    private func totals(of day: CivilDate) throws(HealthStoreError) -> ActivityTotals? {
        try database.list(
            """
            SELECT steps, running_steps, metres, kilocalories, active_minutes FROM total
            WHERE ring = ? AND day = ?
            """, ring, .text("\(day)")
        ) { (row) throws(HealthStoreError) in
            ActivityTotals(
                steps: try row.number(0) ?? 0, runningSteps: try row.number(1) ?? 0,
                metres: try row.number(2) ?? 0, kilocalories: try row.decimal(3) ?? 0,
                activeTime: .seconds(60 * (try row.number(4) ?? 0)))
        }.last
    }

    /// Reads the outcomes. A kind whose last outcome is `unsupported` is not supported.
    private func readCoverage(
        _ wanted: Set<HistoryKind>, into history: inout RingHistory
    ) throws(HealthStoreError) {
        var coverage = HistoryCoverage()
        for kind in HistoryKind.allCases where wanted.contains(kind) {
            var last: HistoryCoverage.Outcome?
            try database.rows(
                """
                SELECT day, outcome, sync.time FROM coverage JOIN sync ON sync.id = coverage.sync
                WHERE coverage.ring = ? AND kind = ? AND day >= ? AND day <= ? ORDER BY day
                """, ring, .text(kind.name(separator: "_")), first, self.last
            ) { (row) throws(HealthStoreError) in
                guard let day = try row.day(0),
                    let outcome = try row.text(1).flatMap(HistoryCoverage.Outcome.init(rawValue:))
                else { return }
                let readAt = try row.time(2)
                coverage.set(kind, day, outcome, readAt: readAt == history.readAt ? nil : readAt)
                last = outcome
            }
            if last == .unsupported { history.unsupported.insert(kind) }
        }
        let shown = coverage.oldestAges(today: history.today)
        coverage.oldestAges = try oldestAges().filter { kind, age in
            wanted.contains(kind) && age > shown[kind] ?? -1
        }
        history.coverage = coverage
    }

    /// The age in days of the oldest day that a read has sent of each kind.
    private func oldestAges() throws(HealthStoreError) -> [HistoryKind: Int] {
        var ages: [HistoryKind: Int] = [:]
        try database.rows("SELECT kind, days FROM memory WHERE ring = ?", ring) {
            (row) throws(HealthStoreError) in
            guard let kind = try row.text(0).flatMap(HistoryKind.init(named:)) else { return }
            ages[kind] = try row.number(1)
        }
        return ages
    }

    /// The days of the reads before one: those of the wanted time, with one before and one after.
    /// After a clock was set back, a day comes again, and counts once. An import of a file does not
    /// count, as no ring was read.
    private func reads(but today: CivilDate) throws(HealthStoreError) -> [CivilDate] {
        // Clocks of two zones can be a day apart.
        try database.list(
            """
            WITH times AS (
                SELECT coalesce((SELECT max(instant) FROM sync
                    WHERE ring = ?1 AND first_day IS NOT NULL
                    AND instant < ?2 - 86400), ?2 - 86400) AS first,
                coalesce((SELECT min(instant) FROM sync
                    WHERE ring = ?1 AND first_day IS NOT NULL AND ?3 < ?4
                    AND instant > ?3 + 86400), ?4) AS last
            )
            SELECT DISTINCT date(max(time) OVER (ORDER BY instant, id), 'unixepoch') AS day
            FROM sync, times
            WHERE ring = ?1 AND first_day IS NOT NULL AND instant >= first AND instant <= last
            ORDER BY day
            """, ring, start, end, .integer(.max)
        ) { (row) throws(HealthStoreError) in
            guard let day = try row.day(0), day != today else { return nil }
            return day
        }
    }
}

extension SQLiteStatement {
    /// Returns a whole number within limits that sums and products of many do not exceed: a file
    /// may have any.
    func number(_ column: Int) throws(HealthStoreError) -> Int? {
        try integer(column).map { min(max($0, -Double.farthestValue), Double.farthestValue) }
    }

    /// Returns a number within the same limits.
    fileprivate func decimal(_ column: Int) throws(HealthStoreError) -> Double? {
        try real(column).map(\.limited)
    }
}
