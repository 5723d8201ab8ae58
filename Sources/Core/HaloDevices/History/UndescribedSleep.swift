/// A day of sleep in the older way, in a layout that is not described.
public struct UndescribedSleep: Hashable, Sendable, Codable {
    /// The days between the day of sleep and the ring's today.
    public let daysAgo: Int
    /// The bytes of each record, without trailing zeros.
    public let records: [[UInt8]]

    /// Creates a day of sleep.
    package init(daysAgo: Int, records: [[UInt8]]) {
        self.daysAgo = daysAgo
        self.records = records
    }
}
