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
        try addPart(read, completing: nil).changes
    }

    /// Adds a part of a read, such as what a wrong clock has stored before it is set. The next part
    /// completes it: both are one read in the file, as if they had been added together.
    func addPart(
        _ read: HealthRead, completing part: HealthReadPart?
    ) throws(HealthStoreError) -> HealthReadPart {
        try withDatabase { (database) throws(HealthStoreError) in
            try database.transaction { () throws(HealthStoreError) in
                try database.add(read, completing: part)
            }
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
        try withDatabase { (database) throws(HealthStoreError) in
            try database.transaction { () throws(HealthStoreError) in
                let sync = SQLiteValue(capture.number)
                let ring = try database.value("SELECT ring FROM sync WHERE id = ?", sync)
                guard let ring else { return HealthChanges() }
                let last = try database.lastRead(of: ring, before: sync)
                let zone = try database.value(
                    "SELECT 1 FROM clock WHERE ring = ? AND since IS NULL AND was_set", ring)
                var addition = HealthAddition(
                    database: database, ring: ring, sync: sync, knowsZone: zone != nil,
                    isLast: false)
                try addition.add(history, historyBeforeClockChange, after: last?.time)
                return addition.changes
            }
        }
    }
}

/// A read of a ring that was added in part.
struct HealthReadPart: Sendable {
    fileprivate let sync: SQLiteValue
    let changes: HealthChanges
}

extension SQLiteConnection {
    fileprivate func add(
        _ read: HealthRead, completing part: HealthReadPart?
    ) throws(HealthStoreError) -> HealthReadPart {
        let ring = try row(of: read)
        let last = try lastRead(of: ring, before: part?.sync ?? .null)
        let history = read.history.onRightDays(
            after: last?.time, until: read.rightTime?.local, knowsZone: read.knowsZone)
        let instant = read.rightTime?.utc.seconds ?? history.instant(last?.secondsFromUTC)
        let sync = if let part { part.sync } else { try newSync(of: ring) }
        try setSync(sync, read, history, instant)
        let isLast =
            try value(
                "SELECT 1 FROM sync WHERE ring = ? AND instant > ?", ring, SQLiteValue(instant))
            == nil
        var addition = HealthAddition(
            database: self, ring: ring, sync: sync, assumesUTC: read.assumesUTC,
            knowsZone: read.knowsZone, isLast: isLast)
        if read.history.clockShift == nil { try addition.noteReset(history) }
        try addition.add(
            read.history, read.historyBeforeClockChange, after: last?.time,
            until: read.rightTime?.local)
        var changes = addition.changes
        if let notice = read.clockNotice(after: last?.instant) { changes.notices.append(notice) }
        let untold = try untoldShift(ring, last, read.history)
        if isLast, let last, let times = read.unreadTimes(after: last) {
            changes.notices.append(.clockWasSetBack(times))
        }
        let known = try settings(of: ring, at: instant)
        if isLast, read.settings.isOfOtherWearer(than: known) {
            changes.notices.append(.otherWearer)
        }
        try addSettings(of: read, unlike: known, ring, sync)
        try addDetails(of: read, ring, sync, isLast: isLast)
        if let part { changes.add(part.changes) }
        if let untold, !changes.notices.contains(where: \.isOfClock) {
            changes.notices.insert(read.notice(of: untold), at: 0)
        }
        return HealthReadPart(sync: sync, changes: changes)
    }

    /// Returns the difference of a wrong clock whose values the last read has kept, if that read
    /// was never completed: the program has ended after it, and nobody was told. Its clock was
    /// about to be set, and no offset of the read is known.
    private func untoldShift(
        _ ring: SQLiteValue, _ last: LastRead?, _ history: RingHistory
    ) throws(HealthStoreError) -> ClockShift? {
        guard let last, last.secondsFromUTC == nil, history.clockShift == nil,
            let clock = try clocks(of: ring).last, !clock.wasSet
        else { return nil }
        return clock.shift
    }

    /// Returns the row of the ring, which is made if there is none.
    private func row(of read: HealthRead) throws(HealthStoreError) -> SQLiteValue {
        let identity = SQLiteValue.text(read.ring.rawValue)
        try run(
            """
            INSERT INTO ring (identity, name) VALUES (?, ?)
            ON CONFLICT (identity) DO UPDATE SET name = coalesce(name, excluded.name)
            """, identity, SQLiteValue(read.name))
        return try row(of: read.ring) ?? .null
    }

    private func newSync(of ring: SQLiteValue) throws(HealthStoreError) -> SQLiteValue {
        try run("INSERT INTO sync (ring, time, instant, is_complete) VALUES (?, 0, 0, 0)", ring)
        return try value("SELECT last_insert_rowid()") ?? .null
    }

    /// Sets the columns of a read.
    private func setSync(
        _ sync: SQLiteValue, _ read: HealthRead, _ history: RingHistory, _ instant: Int
    ) throws(HealthStoreError) {
        let firstDay = read.history.coverage.days.map(\.date).min()
        // Values of a wrong clock may lie in the future; a later read brings those of that time.
        let time = min(history.time, read.rightTime?.local ?? history.time)
        try run(
            """
            UPDATE sync SET time = ?, seconds_from_utc = ?, instant = ?, first_day = ?,
                is_complete = ?, firmware = ?, hardware = ?
            WHERE id = ?
            """, SQLiteValue(time.seconds), SQLiteValue(history.secondsFromUTC),
            SQLiteValue(instant), SQLiteValue(firstDay.map { "\($0)" }),
            history.isComplete ? 1 : 0, SQLiteValue(read.firmware), SQLiteValue(read.hardware),
            sync)
    }

    /// Adds the settings of the read that were not known, or other ones.
    private func addSettings(
        of read: HealthRead, unlike known: [HealthSetting: Double], _ ring: SQLiteValue,
        _ sync: SQLiteValue
    ) throws(HealthStoreError) {
        for setting in HealthSetting.allCases {
            guard let value = read.settings[setting], value != known[setting] else { continue }
            try run(
                "INSERT INTO setting (ring, name, sync, value) VALUES (?, ?, ?, ?)", ring,
                .text(setting.rawValue), sync, .real(value))
        }
    }

    /// Adds what belongs to the read, and not to one of its values.
    private func addDetails(
        of read: HealthRead, _ ring: SQLiteValue, _ sync: SQLiteValue, isLast: Bool
    ) throws(HealthStoreError) {
        if let battery = read.battery {
            try run(
                "REPLACE INTO charge (sync, percent, is_charging) VALUES (?, ?, ?)", sync,
                SQLiteValue(battery.percent), SQLiteValue(battery.isCharging))
        }
        if let capture = read.capture {
            try run(
                "REPLACE INTO answer (sync, capture) VALUES (?, ?)", sync, .text(capture))
        }
        guard isLast else { return }
        try run(
            "UPDATE ring SET name = coalesce(?, name) WHERE id = ?", SQLiteValue(read.name), ring)
        guard !read.clocks.isEmpty else { return }
        try run("DELETE FROM clock WHERE ring = ?", ring)
        for (number, clock) in read.clocks.enumerated() {
            try run(
                "INSERT INTO clock VALUES (?, ?, ?, ?, ?, ?, ?, ?)", ring, SQLiteValue(number),
                SQLiteValue(clock.secondsFromUTC), SQLiteValue(clock.wasSet),
                SQLiteValue(clock.since?.seconds), SQLiteValue(clock.shift?.days),
                SQLiteValue(clock.shift?.lowestSeconds), SQLiteValue(clock.shift?.highestSeconds))
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

    /// `true` if the zone is known that the ring had shown before the first clock that was set:
    /// `RingOptions.earlierZone`. A clock that shows another day is wrong then, and not of another
    /// zone.
    fileprivate var knowsZone: Bool { clocks.first.map { $0.since == nil && $0.wasSet } ?? false }

    /// Returns the notice of a clock that has shown another day. If it still does, what was read
    /// before is of the same clock.
    ///
    /// A ring has ``historyBeforeClockChange`` as long as it is connected: a read after the one
    /// that has brought it is no news.
    ///
    /// - Parameter last: The time of the last read in UTC.
    fileprivate func clockNotice(after last: Int?) -> HealthChanges.Notice? {
        let wasSet = clocks.last { $0.shift != nil }.flatMap { clock in
            clock.since.map { clock.utc(of: $0).seconds }
        }
        let isKnown = if let wasSet, let last { wasSet <= last } else { false }
        let before = isKnown ? nil : historyBeforeClockChange?.clockShift
        return (history.clockShift ?? before).map(notice)
    }

    fileprivate func notice(of shift: ClockShift) -> HealthChanges.Notice {
        shift.mayBeTimeZoneChange && !knowsZone
            ? .clockMayBeOfOtherZone(shift) : .clockWasWrong(shift)
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
    /// - Parameters:
    ///   - end: The time of the read on the right clock; the end of today if not known.
    ///   - knowsZone: `true` if the ring is known not to have been elsewhere.
    fileprivate func onRightDays(
        after last: CivilDateTime?, until end: CivilDateTime?, knowsZone: Bool
    ) -> RingHistory {
        guard let shift = clockShift else { return self }
        let first = CivilDateTime(secondsSince1970: 0)
        if shift.mayBeTimeZoneChange, !knowsZone {
            // What that clock may have shown at the most; later slots have old values.
            let ahead = -min(max(shift.lowestSeconds, -200_000), 0)
            let most = end?.advanced(bySeconds: ahead) ?? endOfToday
            return limited(to: first...most)
        }
        let moved = moved(byDays: shift.days)
        let most = end ?? moved.endOfToday
        return moved.limited(to: min(last ?? first, most)...most)
    }

    private var endOfToday: CivilDateTime {
        max(time, today.lastSecond)
    }
}

typealias LastRead = (time: CivilDateTime, secondsFromUTC: Int?, instant: Int)

extension SQLiteConnection {
    /// The last read of a ring, or the last one before another: its time on the ring's clock, and
    /// in UTC if that is known.
    ///
    /// - Parameter countsImports: `false` for a read by this package, if there is one: another
    ///   program has read other kinds, and has set another clock.
    func lastRead(
        of ring: SQLiteValue, before sync: SQLiteValue = .null, countsImports: Bool = false
    ) throws(HealthStoreError) -> LastRead? {
        try list(
            """
            SELECT time, seconds_from_utc, instant FROM sync WHERE ring = ?1 AND (?2 IS NULL
                OR (instant, id) < (SELECT instant, id FROM sync WHERE id = ?2))
            ORDER BY ?3 AND first_day IS NOT NULL DESC, instant DESC, id DESC LIMIT 1
            """, ring, sync, SQLiteValue(!countsImports)
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
    /// `true` if a clock that shows another day is not of another time zone.
    let knowsZone: Bool
    /// `true` if there is no later read: then its values replace others.
    var isLast: Bool
    /// The nights, naps and workouts of this addition. A ring may send nights that overlap, and
    /// none of them takes the place of another one.
    var ownSleep: Set<SQLiteValue> = []
    var ownWorkouts: Set<SQLiteValue> = []
    var changes = HealthChanges()

    /// Adds what was read of a ring, and before that what a wrong clock had stored since the last
    /// read. Values of a wrong clock take the place of none.
    ///
    /// - Parameter end: The time of the read on the right clock; `nil` if only the ring's is known.
    mutating func add(
        _ history: RingHistory, _ before: RingHistory?, after last: CivilDateTime?,
        until end: CivilDateTime? = nil
    ) throws(HealthStoreError) {
        let isRight = history.clockShift == nil
        let moved = history.onRightDays(after: last, until: end, knowsZone: knowsZone)
        let isLast = self.isLast
        self.isLast = false
        if let before {
            try addValues(
                of: before.onRightDays(after: last, until: moved.time, knowsZone: knowsZone))
        }
        self.isLast = isLast && isRight
        try addValues(of: moved)
        if isRight { try addCoverage(of: history, old: before == nil ? .null : sync) }
    }

    private mutating func addValues(of history: RingHistory) throws(HealthStoreError) {
        for kind in RingHistory.sampleKinds { try add(kind, history) }
        for night in history[.sleep] { try add(night) }
        for workout in history[.workouts] { try add(workout) }
        if let totals = history.totals { try add(totals, history.today) }
    }

    /// - Parameter old: This read, if it has values that a wrong clock had stored.
    private mutating func addCoverage(
        of history: RingHistory, old: SQLiteValue
    ) throws(HealthStoreError) {
        for day in history.coverage.days {
            // A day that was read once stays read; but the rest of one that was today can fail. If
            // the ring has no data of the rest, the day stays one that was read until then. A day
            // that was over when the ring answered that it has none of it has not failed, whatever
            // the order of the reads.
            try database.run(
                """
                INSERT INTO coverage (ring, kind, day, outcome, sync) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (ring, kind, day) DO UPDATE SET
                    sync = CASE WHEN outcome = 'read' AND excluded.outcome = 'noData'
                        THEN coverage.sync ELSE excluded.sync END,
                    outcome = CASE WHEN outcome = 'read' AND excluded.outcome = 'noData'
                        THEN 'read' ELSE excluded.outcome END
                WHERE excluded.outcome = 'read' AND (outcome <> 'read'
                    OR (SELECT instant FROM sync WHERE id = excluded.sync)
                        >= (SELECT instant FROM sync WHERE id = coverage.sync))
                    OR excluded.outcome = 'noData' AND outcome = 'failed' AND day < (
                        SELECT date(time, 'unixepoch') FROM sync WHERE id = excluded.sync)
                    OR ? AND (outcome NOT IN ('read', 'noData')
                    OR outcome = 'noData' AND excluded.outcome <> 'failed'
                    OR excluded.outcome IN ('failed', 'noData') AND day >= (
                        SELECT date(time, 'unixepoch') FROM sync WHERE id = coverage.sync))
                """, ring, .text(day.kind.name(separator: "_")), .text("\(day.date)"),
                .text(day.outcome.rawValue), sync, SQLiteValue(isLast))
        }
        var ages = history.coverage.oldestAges(today: history.today)
        for kind in HistoryKind.allCases {
            for day in try noteValuesOfWrongClock(kind, history.coverage.days, old) {
                ages[kind] = max(ages[kind] ?? 0, day.daysAgo(from: history.today))
            }
        }
        for kind in HistoryKind.allCases {
            guard let days = ages[kind] else { continue }
            try database.run(
                """
                INSERT INTO memory VALUES (?, ?, ?)
                ON CONFLICT (ring, kind) DO UPDATE SET days = max(days, excluded.days)
                """, ring, .text(kind.name(separator: "_")), SQLiteValue(days))
        }
    }

    /// Notes that days were read whose values a wrong clock had stored: the ring has none under
    /// their dates, but the file has them, from this read or from one of that clock only, of which
    /// no offset is known. Returns these days.
    private func noteValuesOfWrongClock(
        _ kind: HistoryKind, _ days: [HistoryCoverage.Day], _ old: SQLiteValue
    ) throws(HealthStoreError) -> [CivilDate] {
        let outcomes: [HistoryCoverage.Outcome] = [.noData, .wrongClock, .notRequested]
        let days = days.filter { $0.kind == kind && outcomes.contains($0.outcome) }.map(\.date)
        guard let first = days.first, let last = days.last else { return [] }
        let samples = RingHistory.sampleKinds.first { $0.kind == kind }
        let there = try database.list(
            """
            WITH source AS (SELECT id FROM sync
                WHERE ring = ?1 AND (id = ?2 OR seconds_from_utc IS NULL))
            SELECT DISTINCT date(time, 'unixepoch') FROM sample
            WHERE ring = ?1 AND kind = ?4 AND time >= ?5 AND time < ?6 AND sync IN source
            UNION SELECT date("end", 'unixepoch') FROM sleep_record
            WHERE ring = ?1 AND ?3 = 'sleep' AND "end" >= ?5 AND "end" < ?6 AND sync IN source
            UNION SELECT date(start, 'unixepoch') FROM workout
            WHERE ring = ?1 AND ?3 = 'workouts' AND start >= ?5 AND start < ?6 AND sync IN source
            """, ring, old, .text(kind.rawValue), SQLiteValue(samples?.code),
            SQLiteValue(CivilDateTime(first).seconds),
            SQLiteValue(CivilDateTime(last).seconds + 86_400)
        ) { (row) throws(HealthStoreError) in try row.day(0) }
        let read = days.filter(Set(there).contains)
        for day in read {
            try database.run(
                """
                UPDATE coverage SET outcome = 'read'
                WHERE ring = ? AND kind = ? AND day = ? AND sync = ?
                """, ring, .text(kind.name(separator: "_")), .text("\(day)"), sync)
        }
        return read
    }

    /// Notes a reset: no value at all of the last days before today, of which the file has some,
    /// though the ring was asked for them, and has answered. Older days it may keep no longer.
    ///
    /// Values that a wrong clock had stored, and those of a day without data, the ring has never
    /// had under that date. They may come from a read of that clock only, of which no offset is
    /// known, or from the one after the clock was set.
    mutating func noteReset(_ history: RingHistory) throws(HealthStoreError) {
        guard !history.hasSamples(before: history.today),
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
                SELECT 1 FROM sample JOIN sync ON sync.id = sample.sync
                WHERE sample.ring = ?1 AND kind = ?2 AND sample.time >= ?3 AND sample.time < ?4
                AND replaced_by IS NULL AND seconds_from_utc IS NOT NULL AND sync.id <> ?7
                AND NOT EXISTS (
                    SELECT 1 FROM coverage WHERE ring = ?1 AND kind = ?5 AND day = ?6
                    AND outcome IN ('noData', 'wrongClock'))
                AND NOT EXISTS (
                    SELECT 1 FROM clock WHERE ring = ?1 AND shift_days IS NOT NULL
                    AND sample.time < since AND since <= sync.time)
                """, ring, SQLiteValue(code), SQLiteValue(start), SQLiteValue(start + 86_400),
                .text(day.kind.name(separator: "_")), .text("\(day.date)"), sync)
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
        for sample in history[kind.log] {
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
            SELECT id, sync, start = ?2 AND "end" = ?3 AND is_nap = ?4 FROM sleep_record
            WHERE ring = ?1 AND replaced_by IS NULL
            AND ("end" > ?2 AND start < ?3 OR start = ?2 AND "end" = ?3)
            """, ring, start, end, isNap
        ) { (row) throws(HealthStoreError) in
            if row[2] == 1 { likely.append(row[0]) }
            guard !ownSleep.contains(row[0]) else { return }
            others.append(row[0])
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
                UPDATE sleep_record SET seconds_from_utc = coalesce(seconds_from_utc, ?)
                WHERE id = ?
                """, SQLiteValue(night.secondsFromUTC), other)
        }
        if isKnown { return }
        for other in others {
            try database.run("UPDATE sleep_record SET replaced_by = ? WHERE id = ?", sync, other)
        }
        try database.run(
            """
            INSERT INTO sleep_record (ring, is_nap, start, "end", seconds_from_utc, sync)
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
                lowest_bpm, average_bpm, highest_bpm, sync
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
                kilocalories, steps, lowest_bpm, average_bpm, highest_bpm, sync)
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
