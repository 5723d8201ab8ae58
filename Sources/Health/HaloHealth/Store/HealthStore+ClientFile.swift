internal import HaloDevices

extension HealthStore {
    /// Adds the database of the Python client `colmi_r02_client`: the heart rates of all rings, and
    /// the steps in later versions of it.
    ///
    /// That client sets the clocks of rings to UTC, so these are the times of the values. It does
    /// so after a read: a value that the file already has at the same time on the ring's clock is
    /// the same one, whatever its offset from UTC. The client's calories are taken for small ones,
    /// which is certain for newer firmware only. A row without a time or a value that a ring can
    /// have, or from more than a day after the last sync, is left out, and counted in a notice.
    @discardableResult
    public func addClientFile(at path: String) throws(HealthStoreError) -> HealthChanges {
        var leftOut = 0
        let library = try Self.library(for: path)
        guard !path.isEmpty else { throw HealthStoreError(.notOpened, path: path) }
        let file = try SQLiteConnection(
            SQLiteConnection.file(at: path), path: path, .reading, library)
        let reads = try file.reading { () throws(HealthStoreError) in
            guard try file.hasTables(["rings", "syncs", "heart_rates"]) else {
                throw HealthStoreError(.notOfClient, path: path)
            }
            return try file.clientReads(leavingOut: &leftOut)
        }
        var changes = HealthChanges()
        for read in reads {
            var more = try add(read)
            more.add(changes)
            changes = more
        }
        if leftOut > 0 { changes.notices.append(.rowsWereLeftOut(leftOut)) }
        return changes
    }
}

extension SQLiteConnection {
    /// Returns a read for each ring of the client, and counts the rows that it leaves out.
    fileprivate func clientReads(
        leavingOut rowCount: inout Int
    ) throws(HealthStoreError) -> [HealthRead] {
        let rings = try list(
            "SELECT ring_id, address FROM rings WHERE address IS NOT NULL ORDER BY ring_id"
        ) { (row) throws(HealthStoreError) in
            try row.text(1).map { (id: row[0], address: $0) }
        }
        let hasSteps = try hasTables(["sport_details"])
        var reads: [HealthRead] = []
        for ring in rings {
            let synced = try list(
                """
                SELECT max(CAST(strftime('%s', timestamp) AS INTEGER)) FROM syncs
                WHERE ring_id = ?
                """, ring.id
            ) { (row) throws(HealthStoreError) in try row.time(0) }.first
            // A clock may be ahead of the client's by a time zone.
            let latest = synced?.advanced(bySeconds: 86_400)
            let heartRates = try clientHeartRates(of: ring.id, until: latest, &rowCount)
            let activity =
                hasSteps ? try clientActivity(of: ring.id, until: latest, &rowCount) : []
            let last = [heartRates.last?.time, activity.last?.time].compactMap(\.self).max()
            guard let readAt = synced ?? last else { continue }
            var history = RingHistory(today: readAt.date, readAt: readAt, secondsFromUTC: 0)
            (history[.heartRate], history[.activity]) = (heartRates, activity)
            var read = HealthRead(PeripheralIdentity(ring.address.uppercased()), history)
            read.assumesUTC = true
            reads.append(read)
        }
        return reads
    }

    private func clientHeartRates(
        of ring: SQLiteValue, until latest: CivilDateTime?, _ leftOut: inout Int
    ) throws(HealthStoreError) -> [TimedSample<Int>] {
        try clientSamples(
            """
            SELECT CAST(strftime('%s', timestamp) AS INTEGER),
                CASE WHEN typeof(reading) = 'integer' THEN reading END
            FROM heart_rates WHERE ring_id = ? AND reading IS NOT 0 ORDER BY 1
            """, of: ring, until: latest, minutes: 5, &leftOut
        ) { (row) throws(HealthStoreError) in
            try row.integer(1).flatMap { 1...255 ~= $0 ? $0 : nil }
        }
    }

    private func clientActivity(
        of ring: SQLiteValue, until latest: CivilDateTime?, _ leftOut: inout Int
    ) throws(HealthStoreError) -> [TimedSample<ActivityAmount>] {
        try clientSamples(
            """
            SELECT CAST(strftime('%s', timestamp) AS INTEGER),
                CASE WHEN typeof(steps) = 'integer' THEN steps END,
                CASE typeof(distance) WHEN 'integer' THEN distance WHEN 'null' THEN 0 END,
                CASE typeof(calories) WHEN 'integer' THEN calories WHEN 'null' THEN 0 END,
                calories IS NULL
            FROM sport_details WHERE ring_id = ? ORDER BY 1
            """, of: ring, until: latest, minutes: 15, &leftOut
        ) { (row) throws(HealthStoreError) in
            guard let steps = try row.integer(1), 0...0xFFFF ~= steps,
                let metres = try row.integer(2), 0...0xFFFF ~= metres,
                let calories = try row.integer(3), 0...0xFF_FFFF ~= calories
            else { return nil }
            return ActivityAmount(
                steps: steps, metres: metres,
                kilocalories: row[4] == 1 ? nil : Double(calories) / 1000)
        }
    }

    /// Returns samples of rows that begin with their time; rows without a value are left out.
    private func clientSamples<Value>(
        _ sql: StaticString, of ring: SQLiteValue, until latest: CivilDateTime?, minutes: Int,
        _ leftOut: inout Int, _ value: (SQLiteStatement) throws(HealthStoreError) -> Value?
    ) throws(HealthStoreError) -> [TimedSample<Value>] {
        try list(sql, ring) { (row) throws(HealthStoreError) in
            guard let time = try row.time(0), time <= latest ?? time, let value = try value(row)
            else {
                leftOut += 1
                return nil
            }
            return TimedSample(time: time, minutes: minutes, secondsFromUTC: 0, value: value)
        }
    }
}
