/// The faults that happened, in order.
public struct FaultLog: Hashable, Sendable, CustomStringConvertible {
    package static let limit = 10_000

    /// The first faults, up to 10,000.
    public private(set) var records: [FaultRecord] = []
    /// The number of faults beyond them.
    package private(set) var omitted = 0

    package init() {}

    mutating func append(_ record: FaultRecord) {
        if records.count < Self.limit {
            records.append(record)
        } else {
            omitted += 1
        }
    }

    /// One line per fault.
    public var description: String {
        let lines = records.map(\.description)
        return (omitted > 0 ? lines + ["and \(omitted) more"] : lines).joined(separator: "\n")
    }
}
