internal import HaloDevices

extension HealthStore {
    /// Adds the database of the Python client `colmi_r02_client`: the heart rates of all rings, and
    /// the steps in later versions of it.
    ///
    /// That client sets the clocks of rings to UTC, so these are the times of the values. Its
    /// calories are taken for small ones, which is certain for newer firmware only.
    @discardableResult
    public func addClientFile(at path: String) throws(HealthStoreError) -> HealthChanges {
        let reads: [HealthRead]?
        do throws(SQLiteError) {
            let file = try SQLiteConnection(
                Array(path.utf8CString), .reading, SQLiteLibrary.system.get())
            reads = try file.reading { () throws(SQLiteError) in
                try file.isOfClient ? try file.clientReads() : nil
            }
        } catch {
            throw HealthStoreError(error, path: path)
        }
        guard let reads else { throw HealthStoreError(.notOfClient, path: path) }
        var changes = HealthChanges()
        for read in reads {
            let more = try add(read)
            changes.added.merge(more.added, uniquingKeysWith: +)
            changes.replaced.merge(more.replaced, uniquingKeysWith: +)
            changes.notices += more.notices
        }
        return changes
    }
}

extension SQLiteConnection {
    /// `true` for a file with the client's tables.
    fileprivate var isOfClient: Bool {
        get throws(SQLiteError) {
            for table in ["rings", "syncs", "heart_rates"] {
                guard try hasTable(table) else { return false }
            }
            return true
        }
    }

    /// Returns a read for each ring of the client.
    fileprivate func clientReads() throws(SQLiteError) -> [HealthRead] {
        let rings = try list(
            "SELECT ring_id, address FROM rings WHERE address IS NOT NULL ORDER BY ring_id"
        ) { (row) throws(SQLiteError) in
            try row.text(1).map { (id: row[0], address: $0) }
        }
        let hasSteps = try hasTable("sport_details")
        var reads: [HealthRead] = []
        for ring in rings {
            let heartRates = try clientHeartRates(of: ring.id)
            let activity = hasSteps ? try clientActivity(of: ring.id) : []
            let synced = try list(
                """
                SELECT max(CAST(strftime('%s', timestamp) AS INTEGER)) FROM syncs
                WHERE ring_id = ?
                """, ring.id
            ) { (row) throws(SQLiteError) in try row.time(0) }
            let last = [heartRates.last?.time, activity.last?.time].compactMap(\.self).max()
            guard let readAt = synced.first ?? last else { continue }
            var history = RingHistory(today: readAt.date, readAt: readAt, secondsFromUTC: 0)
            (history.heartRates, history.activity) = (heartRates, activity)
            reads.append(HealthRead(PeripheralIdentity(ring.address.uppercased()), history))
        }
        return reads
    }

    private func clientHeartRates(
        of ring: SQLiteValue
    ) throws(SQLiteError) -> [TimedSample<Int>] {
        try list(
            """
            SELECT CAST(strftime('%s', timestamp) AS INTEGER), CAST(reading AS INTEGER)
            FROM heart_rates WHERE ring_id = ? AND reading BETWEEN 1 AND 255
            ORDER BY timestamp
            """, ring
        ) { (row) throws(SQLiteError) in
            guard let time = try row.time(0), let value = try row.integer(1) else { return nil }
            return TimedSample(time: time, minutes: 5, secondsFromUTC: 0, value: value)
        }
    }

    private func clientActivity(
        of ring: SQLiteValue
    ) throws(SQLiteError) -> [TimedSample<ActivityAmount>] {
        try list(
            """
            SELECT CAST(strftime('%s', timestamp) AS INTEGER), CAST(steps AS INTEGER),
                CAST(distance AS INTEGER), CAST(calories AS INTEGER)
            FROM sport_details WHERE ring_id = ? ORDER BY timestamp
            """, ring
        ) { (row) throws(SQLiteError) in
            guard let time = try row.time(0), let steps = try row.integer(1) else { return nil }
            let amount = ActivityAmount(
                steps: steps, metres: try row.integer(2) ?? 0,
                kilocalories: try row.real(3).map { $0 / 1000 })
            return TimedSample(time: time, minutes: 15, secondsFromUTC: 0, value: amount)
        }
    }
}
