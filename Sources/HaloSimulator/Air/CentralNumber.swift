/// Which central of an air is meant, counted from 0 in the order of adding.
public struct CentralNumber: Hashable, Sendable {
    /// The number.
    public let rawValue: Int

    /// A central by its number.
    public init(_ rawValue: Int) {
        self.rawValue = rawValue
    }
}

extension CentralNumber: CustomStringConvertible {
    /// `central 0`.
    public var description: String { "central \(rawValue)" }
}
