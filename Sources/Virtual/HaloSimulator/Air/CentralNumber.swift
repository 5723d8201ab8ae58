/// A central of an air, numbered from 0 in the order of addition.
package struct CentralNumber: Hashable, Sendable, CustomStringConvertible {
    package let rawValue: Int

    package init(_ rawValue: Int) {
        self.rawValue = rawValue
    }

    package var description: String { "central \(rawValue)" }
}
