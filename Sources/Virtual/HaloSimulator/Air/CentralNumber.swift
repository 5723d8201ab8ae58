/// A central of an air, numbered from 0 in the order of addition.
package struct CentralNumber: Hashable, Sendable, CustomStringConvertible {
    /// The number, counted from 0.
    package let rawValue: Int

    /// Creates the number of a central.
    package init(_ rawValue: Int) {
        self.rawValue = rawValue
    }

    /// `central 0`.
    package var description: String { "central \(rawValue)" }
}
