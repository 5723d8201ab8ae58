public import HaloDevices

/// A ring of which a ``HealthStore`` has values.
public struct HealthRing: Hashable, Sendable, Identifiable {
    /// The identity; on Linux the address.
    public let identity: PeripheralIdentity
    /// The last known name.
    public let name: String?
    /// The last known version of the firmware.
    public let firmware: String?
    /// The last known version of the board.
    public let hardware: String?
    /// The last known settings.
    public let settings: [HealthSetting: Double]
    /// The time of the last read on the ring's clock, by this package or by the Python client
    /// whose database was imported.
    public let lastRead: CivilDateTime
    /// The clocks of the ring, for `RingOptions.earlierClocks`.
    public let clocks: [RingClock]
    /// The first day for the next read: the day before the last one that was read of all kinds, or
    /// an earlier one that could not be read; at most a week ago. Rings complete a day on the day
    /// after it.
    public let nextDay: CivilDate
    /// The time of the last read in UTC, as far as is known.
    package let instant: Int

    /// The identity, one for each ring of a file.
    public var id: PeripheralIdentity { identity }
}

extension HealthStore {
    /// The rings in the file, in the order in which they came.
    public func rings() throws(HealthStoreError) -> [HealthRing] {
        try withDatabase { (database) throws(HealthStoreError) in
            try database.reading(database.rings)
        }
    }

    /// The ring with an identity; `nil` if the file has nothing of it.
    public func ring(_ identity: PeripheralIdentity) throws(HealthStoreError) -> HealthRing? {
        try rings().first { $0.identity == identity }
    }
}

extension SQLiteConnection {
    fileprivate func rings() throws(HealthStoreError) -> [HealthRing] {
        try list("SELECT id, identity, name FROM ring ORDER BY id") {
            (row) throws(HealthStoreError) in
            let (id, identity, name) = (row[0], try row.text(1) ?? "", try row.text(2))
            guard let last = try lastRead(of: id, countsImports: true) else { return nil }
            return HealthRing(
                identity: PeripheralIdentity(identity), name: name,
                firmware: try text(
                    """
                    SELECT firmware FROM sync WHERE ring = ? AND firmware IS NOT NULL
                    ORDER BY instant DESC LIMIT 1
                    """, id),
                hardware: try text(
                    """
                    SELECT hardware FROM sync WHERE ring = ? AND hardware IS NOT NULL
                    ORDER BY instant DESC LIMIT 1
                    """, id),
                settings: try settings(of: id, at: .max), lastRead: last.time,
                clocks: try clocks(of: id),
                nextDay: try nextDay(of: id, try lastRead(of: id) ?? last), instant: last.instant)
        }
    }

    func clocks(of ring: SQLiteValue) throws(HealthStoreError) -> [RingClock] {
        try list(
            """
            SELECT seconds_from_utc, was_set, since, shift_days, shift_lowest_seconds,
                shift_highest_seconds FROM clock WHERE ring = ? ORDER BY number
            """, ring
        ) { (row) throws(HealthStoreError) in
            var shift: ClockShift?
            if let days = try row.integer(3), let least = try row.integer(4),
                let most = try row.integer(5)
            {
                shift = ClockShift(days: days, lowestSeconds: least, highestSeconds: most)
            }
            return RingClock(
                secondsFromUTC: try row.integer(0) ?? 0, wasSet: row[1] == 1,
                since: try row.time(2), shift: shift)
        }
    }

    private func nextDay(
        of ring: SQLiteValue, _ last: LastRead
    ) throws(HealthStoreError) -> CivilDate {
        let lastRead = last.time.date
        let weekAgo = lastRead.daysEarlier(6) ?? lastRead
        let days = try list(
            """
            SELECT date(max(day), '-1 day') FROM coverage
            WHERE ring = ?1 AND outcome NOT IN ('failed', 'unfinished', 'unsupported')
            GROUP BY kind
            UNION ALL SELECT day FROM coverage JOIN sync ON sync.id = coverage.sync
            WHERE coverage.ring = ?1 AND day >= ?2 AND (outcome IN ('failed', 'unfinished')
                OR outcome = 'read' AND kind <> 'totals' AND day >= date(time, 'unixepoch')
                AND NOT EXISTS (SELECT 1 FROM coverage c JOIN sync s ON s.id = c.sync
                    WHERE c.ring = ?1 AND c.kind = coverage.kind AND c.day > coverage.day
                    AND s.instant > sync.instant AND s.first_day <= coverage.day
                    AND s.is_complete))
            """, ring, .text("\(weekAgo)")
        ) { (row) throws(HealthStoreError) in try row.day(0) }
        // After an import, or a read of a wrong clock only, no day was requested.
        let wasAsked = try value("SELECT 1 FROM coverage WHERE ring = ?", ring) != nil
        let next = days.min() ?? (wasAsked ? lastRead.daysEarlier(1) : weekAgo) ?? lastRead
        return min(max(next, weekAgo), lastRead)
    }

    /// The settings of a ring that were the last known ones at a time in UTC.
    func settings(
        of ring: SQLiteValue, at instant: Int
    ) throws(HealthStoreError) -> [HealthSetting: Double] {
        var settings: [HealthSetting: Double] = [:]
        try rows(
            """
            SELECT name, value FROM setting JOIN sync ON sync.id = setting.sync
            WHERE setting.ring = ? AND instant <= ? ORDER BY instant, sync.id
            """, ring, SQLiteValue(instant)
        ) { (row) throws(HealthStoreError) in
            // A later version may know more settings.
            guard let setting = try row.text(0).flatMap(HealthSetting.init) else { return }
            settings[setting] = try row.real(1)
        }
        return settings
    }

    func row(of ring: PeripheralIdentity) throws(HealthStoreError) -> SQLiteValue? {
        try value("SELECT id FROM ring WHERE identity = ?", .text(ring.rawValue))
    }

    /// Returns the text in the first column of the first row; `nil` if there is none.
    func text(_ sql: StaticString, _ parameter: SQLiteValue) throws(HealthStoreError) -> String? {
        guard case .text(let text)? = try value(sql, parameter) else { return nil }
        return text
    }
}

extension SQLiteStatement {
    /// Returns seconds since 1970 as a time; `nil` for null, and for a time beyond the limits.
    func time(_ column: Int) throws(HealthStoreError) -> CivilDateTime? {
        try CivilDateTime(integer(column))
    }

    /// Returns a text as a day; `nil` for null, and for any other text.
    func day(_ column: Int) throws(HealthStoreError) -> CivilDate? {
        try text(column).flatMap { CivilDate(text: $0[...]) }
    }
}

extension CivilDateTime {
    var seconds: Int { Int(secondsSince1970) }

    /// Creates a time of seconds since 1970; `nil` for none, and for one beyond the limits.
    init?(_ seconds: Int?) {
        guard let seconds, let seconds = UInt32(exactly: seconds) else { return nil }
        self.init(secondsSince1970: seconds)
    }
}
