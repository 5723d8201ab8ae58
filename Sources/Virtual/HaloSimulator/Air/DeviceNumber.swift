/// A device of an air, numbered from 0 in the order of addition.
public struct DeviceNumber: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The number, counted from 0.
    public let rawValue: Int

    /// Creates the number of a device.
    public init(_ rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Orders devices by their number.
    public static func < (left: DeviceNumber, right: DeviceNumber) -> Bool {
        left.rawValue < right.rawValue
    }

    /// `device 0`.
    public var description: String { "device \(rawValue)" }
}
