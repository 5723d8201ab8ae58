internal import HaloDevices
public import HaloProtocol
public import HaloTransport

/// A recorded link of a read, which a ``HealthStore`` keeps beside what was read from it.
///
/// A later version of this package can decode it again; `halo decode` explains it.
public struct HealthCapture: Hashable, Sendable, Identifiable {
    /// The number of the read in the file: `sync.id`.
    package let number: Int
    /// The ring that was read.
    public let ring: PeripheralIdentity
    /// The time of the read on the ring's clock.
    public let readAt: CivilDateTime
    /// The first day that the ring was asked for; `nil` if not known.
    public let firstDay: CivilDate?

    /// The number of the read, one for each capture of a file.
    public var id: Int { number }
}

extension HealthStore {
    /// The kept captures, the earliest read first.
    public func captures() throws(HealthStoreError) -> [HealthCapture] {
        try withDatabase { (database) throws(HealthStoreError) in
            try database.list(
                """
                SELECT s.id, r.identity, s.time, s.first_day
                FROM answer a JOIN sync s ON s.id = a.sync JOIN ring r ON r.id = s.ring
                ORDER BY s.instant, s.id
                """
            ) { (row) throws(HealthStoreError) in
                guard let number = try row.integer(0), let ring = try row.text(1),
                    let time = try row.time(2)
                else { return nil }
                return HealthCapture(
                    number: number, ring: PeripheralIdentity(ring), readAt: time,
                    firstDay: try row.day(3))
            }
        }
    }

    /// Returns the text of a capture, in the format of captures; `nil` if it is not kept.
    public func text(of capture: HealthCapture) throws(HealthStoreError) -> String? {
        try withDatabase { (database) throws(HealthStoreError) in
            try database.text(
                "SELECT capture FROM answer WHERE sync = ?", SQLiteValue(capture.number))
        }
    }
}
