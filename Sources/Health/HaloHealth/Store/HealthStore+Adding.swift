public import HaloDevices
internal import HaloTransport

extension HealthStore {
    /// Adds what was read of a ring, all of it or nothing.
    ///
    /// The keys of values are those of `RingHistory.merge(_:)`. Of two values with
    /// one key, that of the later read counts, and the other one is kept as replaced. A read that
    /// is earlier than the last one only adds what is not there. So do values of a clock that was
    /// wrong by days: those after the last read, moved to the right days.
    @discardableResult
    public func add(_ read: HealthRead) throws(HealthStoreError) -> HealthChanges {
        try database.transaction { () throws(HealthStoreError) in
            let ring = try row(of: read)
            let last = try database.lastRead(of: ring)
            let history = read.history.onRightDays(after: last?.time, until: nil)
            let instant = history.instant(last?.secondsFromUTC)
            let isLast = last.map { $0.instant <= instant } ?? true
            let sync = try self.sync(ring, read, history, instant)
            var addition = HealthAddition(
                database: database, ring: ring, sync: sync, assumesUTC: read.assumesUTC,
                isLast: isLast)
            if read.history.clockShift == nil { try addition.noteReset(history) }
            try addition.add(read.history, read.historyBeforeClockChange, after: last?.time)
            var changes = addition.changes
            changes.notices += read.clockNotices(after: last?.instant)
            if isLast, let last, let times = read.unreadTimes(after: last) {
                changes.notices.append(.clockWasSetBack(times))
            }
            let known = try database.settings(of: ring, at: instant)
            if isLast, read.settings.isOfOtherWearer(than: known) {
                changes.notices.append(.otherWearer)
            }
            try addSettings(of: read, unlike: known, ring, sync)
            try addDetails(of: read, ring, sync, isLast: isLast)
            return changes
        }
    }

    /// Adds what a later version of this package has decoded of a kept capture.
    ///
    /// Values of this capture's read that are other ones now take the place of the old ones, which
    /// are kept as replaced. Of values that come from other reads, none is changed. Those of a
    /// clock that was wrong by days are moved as in ``add(_:)``.
    ///
    /// - Parameter historyBeforeClockChange: What a wrong clock had stored, decoded again:
    ///   `Ring.historyBeforeClockChange`.
    @discardableResult
    public func add(
        _ history: RingHistory, historyBeforeClockChange: RingHistory? = nil,
        decodedAgainFrom capture: HealthCapture
    ) throws(HealthStoreError) -> HealthChanges {
        try database.transaction { () throws(HealthStoreError) in
            let sync = SQLiteValue(capture.number)
            let ring = try database.value("SELECT ring FROM sync WHERE id = ?", sync)
            guard let ring else { return HealthChanges() }
            let last = try database.lastRead(of: ring, before: sync)
            var addition = HealthAddition(
                database: database, ring: ring, sync: sync, isLast: false)
            try addition.add(history, historyBeforeClockChange, after: last?.time)
            return addition.changes
        }
    }

    /// Returns the row of the ring, which is made if there is none.
    private func row(of read: HealthRead) throws(HealthStoreError) -> SQLiteValue {
        let identity = SQLiteValue.text(read.ring.rawValue)
        try database.run(
            """
            INSERT INTO ring (identity, name) VALUES (?, ?)
            ON CONFLICT (identity) DO UPDATE SET name = coalesce(name, excluded.name)
            """, identity, SQLiteValue(read.name))
        return try database.row(of: read.ring) ?? .null
    }

    private func sync(
        _ ring: SQLiteValue, _ read: HealthRead, _ history: RingHistory, _ instant: Int
    ) throws(HealthStoreError) -> SQLiteValue {
        let firstDay = read.history.coverage.days.map(\.date).min()
        try database.run(
            """
            INSERT INTO sync (ring, time, seconds_from_utc, instant, first_day, is_complete,
                firmware, hardware)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """, ring, SQLiteValue(history.time.seconds), SQLiteValue(history.secondsFromUTC),
            SQLiteValue(instant), SQLiteValue(firstDay.map { "\($0)" }),
            history.isComplete ? 1 : 0, SQLiteValue(read.firmware), SQLiteValue(read.hardware))
        return try database.value("SELECT last_insert_rowid()") ?? .null
    }

    /// Adds the settings of the read that were not known, or other ones.
    private func addSettings(
        of read: HealthRead, unlike known: [HealthSetting: Double], _ ring: SQLiteValue,
        _ sync: SQLiteValue
    ) throws(HealthStoreError) {
        for setting in HealthSetting.allCases {
            guard let value = read.settings[setting], value != known[setting] else { continue }
            try database.run(
                "INSERT INTO setting (ring, name, sync, value) VALUES (?, ?, ?, ?)", ring,
                .text(setting.rawValue), sync, .real(value))
        }
    }

    /// Adds what belongs to the read, and not to one of its values.
    private func addDetails(
        of read: HealthRead, _ ring: SQLiteValue, _ sync: SQLiteValue, isLast: Bool
    ) throws(HealthStoreError) {
        if let battery = read.battery {
            try database.run(
                "INSERT INTO battery (sync, percent, is_charging) VALUES (?, ?, ?)", sync,
                SQLiteValue(battery.percent), SQLiteValue(battery.isCharging))
        }
        if let capture = read.capture {
            try database.run(
                "INSERT INTO answer (sync, capture) VALUES (?, ?)", sync, .text(capture))
        }
        guard isLast else { return }
        try database.run(
            "UPDATE ring SET name = coalesce(?, name) WHERE id = ?", SQLiteValue(read.name), ring)
        guard !read.clocks.isEmpty else { return }
        try database.run("DELETE FROM clock WHERE ring = ?", ring)
        for (number, clock) in read.clocks.enumerated() {
            try database.run(
                "INSERT INTO clock VALUES (?, ?, ?, ?, ?, ?, ?, ?)", ring, SQLiteValue(number),
                SQLiteValue(clock.secondsFromUTC), SQLiteValue(clock.wasSet),
                SQLiteValue(clock.since?.seconds), SQLiteValue(clock.shift?.days),
                SQLiteValue(clock.shift?.leastSeconds), SQLiteValue(clock.shift?.mostSeconds))
        }
    }
}

extension HealthRead {
    /// Returns the times since the last read that the ring's old clock has shown, and that are
    /// still to come on a new one; `nil` if they are less than the shortest slot of a ring, or if
    /// the offset of the new clock is only assumed.
    fileprivate func unreadTimes(
        after last: LastRead
    ) -> Range<CivilDateTime>? {
        guard !assumesUTC, historyBeforeClockChange == nil, history.clockShift == nil,
            let readAt = history.readAt, let new = history.secondsFromUTC,
            let old = last.secondsFromUTC, old > new
        else { return nil }
        let shown = readAt.advanced(bySeconds: old &- new)
        let first = max(last.time, readAt)
        return first.advanced(bySeconds: 300) <= shown ? first..<shown : nil
    }

    /// Returns the notices of clocks that have shown another day.
    ///
    /// A ring has ``historyBeforeClockChange`` as long as it is connected: a read after the one
    /// that has brought it is no news.
    ///
    /// - Parameter last: The time of the last read in UTC.
    fileprivate func clockNotices(after last: Int?) -> [HealthChanges.Notice] {
        let wasSet = clocks.last { $0.shift != nil }.flatMap { clock in
            clock.since.map { clock.utc(of: $0).seconds }
        }
        let isKnown = if let wasSet, let last { wasSet <= last } else { false }
        return [isKnown ? nil : historyBeforeClockChange, history].compactMap { $0?.clockShift }
            .map(HealthChanges.Notice.clockWasWrong)
    }
}

extension [HealthSetting: Double] {
    /// Returns `true` if the profile is not that of the wearer of other settings. Zeros are of a
    /// ring without a profile.
    fileprivate func isOfOtherWearer(than others: Self) -> Bool {
        func both(_ setting: HealthSetting) -> (Double, Double)? {
            guard let value = self[setting], let other = others[setting] else { return nil }
            return (value, other)
        }
        guard let height = both(.wearerHeightCentimetres), height.0 != 0, height.1 != 0 else {
            return false
        }
        let isOtherSex = both(.wearerSex).map { $0 != $1 } ?? false
        let isYounger = both(.wearerAgeYears).map { $0 != 0 && $0 < $1 } ?? false
        return isOtherSex || abs(height.0 - height.1) > Self.errorOfHeight || isYounger
    }

    /// The centimetres by which one person's height is written differently.
    private static var errorOfHeight: Double { 3 }
}

extension RingHistory {
    /// The time of the read on the ring's clock, at least its day.
    fileprivate var time: CivilDateTime { readAt ?? CivilDateTime(today) }

    /// The time of the read in UTC, by which reads are ordered: a journey can set the clock back.
    /// A clock whose offset is not known is taken for the one of the last read.
    fileprivate func instant(_ lastSecondsFromUTC: Int?) -> Int {
        let offset = secondsFromUTC ?? lastSecondsFromUTC ?? 0
        return WallClock(local: time, secondsFromUTC: offset).utc.seconds
    }

    /// Returns the history, or its values on the right days if the clock showed another day.
    ///
    /// A clock that may have been right elsewhere has stored them under the right times of that
    /// place. Those of another one are moved by whole days, as far as they are of the time after
    /// the last read.
    ///
    /// - Parameter end: The time of the read on the right clock; the end of today if not known.
    fileprivate func onRightDays(
        after last: CivilDateTime?, until end: CivilDateTime?
    ) -> RingHistory {
        guard let shift = clockShift else { return self }
        let first = CivilDateTime(secondsSince1970: 0)
        if shift.mayBeTimeZoneChange {
            // What that clock may have shown at the most; later slots have old values.
            let ahead = -min(max(shift.leastSeconds, -200_000), 0)
            let most = end?.advanced(bySeconds: ahead) ?? endOfToday
            return limited(to: first...most)
        }
        let moved = moved(byDays: shift.days)
        let most = end ?? moved.endOfToday
        return moved.limited(to: min(last ?? first, most)...most)
    }

    private var endOfToday: CivilDateTime {
        max(time, CivilDateTime(today).advanced(bySeconds: 86_399))
    }
}

extension RingHistory {
    /// Adds values of some kinds that a clock of another day has stored before, on the right days,
    /// as the first sync of a ring does. Of two values of the same time, that of this history
    /// counts.
    package mutating func addValues(
        storedBefore before: RingHistory, of kinds: Set<HistoryKind>, since first: CivilDate
    ) {
        let end = max(time, CivilDateTime(first))
        let moved = before.onRightDays(after: nil, until: time)
            .limited(to: CivilDateTime(first)...end)
        var all = RingHistory(today: today, readAt: readAt, secondsFromUTC: secondsFromUTC)
        for samples in Self.sampleKinds where kinds.contains(samples.kind) {
            samples.copy(from: moved, to: &all)
        }
        if kinds.contains(.sleep) { all.sleep = moved.sleep }
        if kinds.contains(.workouts) { all.workouts = moved.workouts }
        all.merge(self)
        self = all
    }
}

typealias LastRead = (time: CivilDateTime, secondsFromUTC: Int?, instant: Int)

extension SQLiteConnection {
    /// The last read of a ring, or the last one before another: its time on the ring's clock, and
    /// in UTC if that is known.
    func lastRead(
        of ring: SQLiteValue, before sync: SQLiteValue = .null
    ) throws(HealthStoreError) -> LastRead? {
        try list(
            """
            SELECT time, seconds_from_utc, instant FROM sync WHERE ring = ?1 AND (?2 IS NULL
                OR (instant, id) < (SELECT instant, id FROM sync WHERE id = ?2))
            ORDER BY instant DESC, id DESC LIMIT 1
            """, ring, sync
        ) { (row) throws(HealthStoreError) -> LastRead? in
            guard let time = try row.time(0) else { return nil }
            return (time, try row.number(1), try row.integer(2) ?? 0)
        }.first
    }
}

// MARK: - One history

/// The addition of one history to the tables.
private struct HealthAddition {
    let database: SQLiteConnection
    let ring: SQLiteValue
    let sync: SQLiteValue
    var assumesUTC = false
    /// `true` if there is no later read: then its values replace others.
    var isLast: Bool
    /// The nights, naps and workouts of this addition. A ring may send nights that overlap, and
    /// none of them takes the place of another one.
    var ownSleep: Set<SQLiteValue> = []
    var ownWorkouts: Set<SQLiteValue> = []
    var changes = HealthChanges()

    /// Adds what was read of a ring, and before that what a wrong clock had stored since the last
    /// read. Values of a wrong clock take the place of none.
    mutating func add(
        _ history: RingHistory, _ before: RingHistory?, after last: CivilDateTime?
    ) throws(HealthStoreError) {
        let isRight = history.clockShift == nil
        let moved = history.onRightDays(after: last, until: nil)
        if isRight { try addCoverage(of: history) }
        let isLast = self.isLast
        self.isLast = false
        if let before {
            try addValues(of: before.onRightDays(after: last, until: moved.time))
        }
        self.isLast = isLast && isRight
        try addValues(of: moved)
    }

    private mutating func addValues(of history: RingHistory) throws(HealthStoreError) {
        for kind in RingHistory.sampleKinds { try add(kind, history) }
        for night in history.sleep { try add(night) }
        for workout in history.workouts { try add(workout) }
        if let totals = history.totals { try add(totals, history.today) }
    }

    private mutating func addCoverage(of history: RingHistory) throws(HealthStoreError) {
        for day in history.coverage.days {
            // A day that was read once stays read; but the rest of one that was today can fail, or
            // have no data.
            try database.run(
                """
                INSERT INTO coverage (ring, kind, day, outcome, sync) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (ring, kind, day)
                DO UPDATE SET sync = excluded.sync, outcome = CASE
                    WHEN outcome = 'read' AND excluded.outcome = 'noData' THEN 'read'
                    ELSE excluded.outcome END
                WHERE excluded.outcome = 'read' OR ? AND (outcome <> 'read'
                    OR excluded.outcome IN ('failed', 'noData') AND day >= (
                        SELECT date(time, 'unixepoch') FROM sync WHERE id = coverage.sync))
                """, ring, .text(day.kind.rawValue), .text("\(day.date)"),
                .text(day.outcome.rawValue), sync, SQLiteValue(isLast))
        }
    }

    /// Notes a reset: no value at all of the last days before today, of which the file has some,
    /// though the ring was asked for them, and has answered. Older days it may keep no longer. Of a
    /// day without data, the file may have values of a wrong clock, moved there: the ring has never
    /// had them under that date.
    mutating func noteReset(_ history: RingHistory) throws(HealthStoreError) {
        guard history.datesWithSamples.allSatisfy({ $0 >= history.today }),
            let oldest = history.today.daysEarlier(Self.daysOfAllRings)
        else { return }
        let asked = history.coverage.days.filter {
            ($0.outcome == .read || $0.outcome == .noData) && oldest..<history.today ~= $0.date
        }
        var days: Set<CivilDate> = []
        for day in asked {
            let samples = RingHistory.sampleKinds.first { $0.kind == day.kind }
            guard let code = samples?.code else { continue }
            let start = CivilDateTime(day.date).seconds
            let known = try database.value(
                """
                SELECT 1 FROM sample WHERE ring = ?1 AND kind = ?2 AND time >= ?3
                AND time < ?4 AND replaced_by IS NULL AND NOT EXISTS (
                    SELECT 1 FROM coverage WHERE ring = ?1 AND kind = ?5 AND day = ?6
                    AND outcome IN ('noData', 'wrongClock'))
                """, ring, SQLiteValue(code), SQLiteValue(start), SQLiteValue(start + 86_400),
                .text(day.kind.rawValue), .text("\(day.date)"))
            if known != nil { days.insert(day.date) }
        }
        if !days.isEmpty { changes.notices.append(.wasReset(days: days.sorted())) }
    }

    /// Returns `true` if another value takes the place of one of a read.
    private func mayReplace(_ other: SQLiteValue) -> Bool { isLast || other == sync }

    /// The days before today that rings keep of any kind: three were seen at the least.
    private static var daysOfAllRings: UInt8 { 3 }

    private mutating func note(_ kind: HistoryKind, replaces: Bool) {
        if replaces {
            changes.replaced[kind, default: 0] += 1
        } else {
            changes.added[kind, default: 0] += 1
        }
    }

    // MARK: Samples

    private mutating func add(
        _ kind: some SampleList, _ history: RingHistory
    ) throws(HealthStoreError) {
        for sample in history[keyPath: kind.list] {
            let columns = sample.value.columns
            try add(
                kind.kind, SQLiteValue(kind.code), SQLiteValue(sample.time.seconds),
                SQLiteValue(sample.utc?.seconds),
                [
                    SQLiteValue(sample.minutes), .real(columns.value), SQLiteValue(columns.second),
                    SQLiteValue(columns.third),
                ])
        }
    }

    private mutating func add(
        _ kind: HistoryKind, _ code: SQLiteValue, _ start: SQLiteValue, _ utc: SQLiteValue,
        _ values: [SQLiteValue]
    ) throws(HealthStoreError) {
        // The row with the key of the sample.
        var known:
            (version: SQLiteValue, utc: SQLiteValue, values: [SQLiteValue], sync: SQLiteValue)?
        var count = 0
        try database.rows(
            """
            SELECT version, utc, minutes, value, second, third, replaced_by, sync
            FROM sample WHERE ring = ? AND kind = ? AND time = ?
            """, ring, code, start
        ) { (row) throws(HealthStoreError) in
            count += 1
            let isSame = row[1] == .null || utc == .null || row[1] == utc
            guard row[6] == .null, isSame || assumesUTC && known == nil else { return }
            known = (row[0], row[1], (2...5).map { row[$0] }, row[7])
        }
        if let known {
            if known.values == values {
                guard known.utc == .null, utc != .null else { return }
                return try database.run(
                    """
                    UPDATE sample SET utc = ?
                    WHERE ring = ? AND kind = ? AND time = ? AND version = ?
                    """, utc, ring, code, start, known.version)
            }
            guard mayReplace(known.sync) else { return }
            try database.run(
                """
                UPDATE sample SET replaced_by = ?
                WHERE ring = ? AND kind = ? AND time = ? AND version = ?
                """, sync, ring, code, start, known.version)
        }
        let knownUTC = known?.utc ?? .null
        try database.run(
            """
            INSERT INTO sample (ring, kind, time, version, utc, minutes, value, second, third, sync)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, ring, code, start, SQLiteValue(count), knownUTC == .null ? utc : knownUTC,
            values[0], values[1], values[2], values[3], sync)
        note(kind, replaces: known != nil)
    }

    // MARK: Nights, workouts and totals

    private mutating func add(_ night: SleepRecord) throws(HealthStoreError) {
        let (start, end) = (SQLiteValue(night.start.seconds), SQLiteValue(night.end.seconds))
        let isNap = SQLiteValue(night.isNap)
        let stages = night.stages.map {
            [SQLiteValue($0.time.seconds), SQLiteValue($0.minutes), .text($0.value.rawValue)]
        }
        var others: [SQLiteValue] = []
        var likely: [SQLiteValue] = []
        var isKnown = false
        try database.rows(
            """
            SELECT id, sync, start = ?2 AND "end" = ?3 AND is_nap = ?4 FROM sleep
            WHERE ring = ?1 AND replaced_by IS NULL
            AND ("end" > ?2 AND start < ?3 OR start = ?2 AND "end" = ?3)
            """, ring, start, end, isNap
        ) { (row) throws(HealthStoreError) in
            guard !ownSleep.contains(row[0]) else { return }
            others.append(row[0])
            if row[2] == 1 { likely.append(row[0]) }
            if !mayReplace(row[1]) { isKnown = true }
        }
        for other in likely {
            let known = try database.list(
                "SELECT time, minutes, stage FROM sleep_stage WHERE sleep = ? ORDER BY number",
                other
            ) { (row) throws(HealthStoreError) in (0...2).map { row[$0] } }
            guard known == stages else { continue }
            ownSleep.insert(other)
            return try database.run(
                """
                UPDATE sleep SET seconds_from_utc = coalesce(seconds_from_utc, ?) WHERE id = ?
                """, SQLiteValue(night.secondsFromUTC), other)
        }
        if isKnown { return }
        for other in others {
            try database.run("UPDATE sleep SET replaced_by = ? WHERE id = ?", sync, other)
        }
        try database.run(
            """
            INSERT INTO sleep (ring, is_nap, start, "end", seconds_from_utc, sync)
            VALUES (?, ?, ?, ?, ?, ?)
            """, ring, isNap, start, end, SQLiteValue(night.secondsFromUTC), sync)
        let id = try database.value("SELECT last_insert_rowid()") ?? .null
        ownSleep.insert(id)
        for (number, stage) in stages.enumerated() {
            try database.run(
                "INSERT INTO sleep_stage VALUES (?, ?, ?, ?, ?)", id, SQLiteValue(number),
                stage[0], stage[1], stage[2])
        }
        note(.sleep, replaces: !others.isEmpty)
    }

    private mutating func add(_ workout: WorkoutRecord) throws(HealthStoreError) {
        let key = workout.key ?? workout.start
        let values = workout.columns
        let offset = WorkoutRecord.offsetColumn
        var same: SQLiteValue?
        var isKnown = false
        var knownOffset = SQLiteValue.null
        var others: [SQLiteValue] = []
        try database.rows(
            """
            SELECT id, key, start, seconds_from_utc, sport, seconds, metres, kilocalories, steps,
                least_bpm, mean_bpm, most_bpm, sync
            FROM workout WHERE ring = ? AND replaced_by IS NULL AND coalesce(key, start) IS ?
            """, ring, SQLiteValue(key?.seconds)
        ) { (row) throws(HealthStoreError) in
            let isSame = values.indices.allSatisfy { $0 == offset || row[$0 + 1] == values[$0] }
            if isSame { same = row[0] }
            guard !ownWorkouts.contains(row[0]) else { return }
            if !mayReplace(row[values.count + 1]) { isKnown = true }
            knownOffset = row[offset + 1]
            others.append(row[0])
        }
        if let same {
            ownWorkouts.insert(same)
            return try database.run(
                """
                UPDATE workout SET seconds_from_utc = coalesce(seconds_from_utc, ?) WHERE id = ?
                """, values[offset], same)
        }
        if isKnown { return }
        for other in others {
            try database.run("UPDATE workout SET replaced_by = ? WHERE id = ?", sync, other)
        }
        try database.run(
            """
            INSERT INTO workout (ring, key, start, seconds_from_utc, sport, seconds, metres,
                kilocalories, steps, least_bpm, mean_bpm, most_bpm, sync)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, ring, values[0], values[1], values[2] == .null ? knownOffset : values[2],
            values[3], values[4], values[5], values[6], values[7], values[8], values[9],
            values[10], sync)
        ownWorkouts.insert(try database.value("SELECT last_insert_rowid()") ?? .null)
        note(.workouts, replaces: !others.isEmpty)
    }

    /// Adds the activity of a day, or replaces that of an earlier read.
    private mutating func add(_ totals: ActivityTotals, _ day: CivilDate) throws(HealthStoreError) {
        try database.run(
            """
            INSERT INTO total VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (ring, day) DO UPDATE SET steps = excluded.steps,
                running_steps = excluded.running_steps, metres = excluded.metres,
                kilocalories = excluded.kilocalories, active_minutes = excluded.active_minutes,
                sync = excluded.sync
            WHERE ?9 OR sync = excluded.sync
            """, ring, .text("\(day)"), SQLiteValue(totals.steps),
            SQLiteValue(totals.runningSteps), SQLiteValue(totals.metres),
            .real(totals.kilocalories),
            SQLiteValue(Int(clamping: totals.activeTime.components.seconds / 60)), sync,
            SQLiteValue(isLast))
    }
}

extension WorkoutRecord {
    fileprivate static var offsetColumn: Int { 2 }

    /// The values of the columns that a ring reports.
    fileprivate var columns: [SQLiteValue] {
        [
            SQLiteValue(key?.seconds), SQLiteValue(start?.seconds), SQLiteValue(secondsFromUTC),
            SQLiteValue(sport.map { Int($0.rawValue) }),
            SQLiteValue(duration.map { Int(clamping: $0.components.seconds) }),
            SQLiteValue(metres), SQLiteValue(kilocalories), SQLiteValue(steps),
            SQLiteValue(lowestBeatsPerMinute), SQLiteValue(averageBeatsPerMinute),
            SQLiteValue(highestBeatsPerMinute),
        ]
    }
}
