/// A central of an air, numbered from 0 in the order of addition.
public struct CentralNumber: Hashable, Sendable, CustomStringConvertible {
    /// The number, counted from 0.
    public let rawValue: Int

    /// Creates the number of a central.
    public init(_ rawValue: Int) {
        self.rawValue = rawValue
    }

    /// `central 0`.
    public var description: String { "central \(rawValue)" }
}
