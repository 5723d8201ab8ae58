/// A device of an air, numbered from 0 in the order of addition.
public struct DeviceNumber: Hashable, Sendable, CustomStringConvertible {
    /// The number, counted from 0.
    public let rawValue: Int

    /// Creates the number of a device.
    public init(_ rawValue: Int) {
        self.rawValue = rawValue
    }

    /// `device 0`.
    public var description: String { "device \(rawValue)" }
}
