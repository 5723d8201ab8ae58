/// The faults that happened, in order.
public struct FaultLog: Hashable, Sendable {
    /// The most that are kept.
    public static let limit = 10_000

    /// What happened, up to ``limit``.
    public private(set) var records: [FaultRecord] = []
    /// How many more happened.
    public private(set) var omitted = 0

    /// Starts with nothing.
    public init() {}

    mutating func append(_ record: FaultRecord) {
        if records.count < Self.limit {
            records.append(record)
        } else {
            omitted += 1
        }
    }
}

extension FaultLog: CustomStringConvertible {
    /// A line for each fault.
    public var description: String {
        let lines = records.map(\.description)
        return (omitted > 0 ? lines + ["and \(omitted) more"] : lines).joined(separator: "\n")
    }
}
