/// Which device of an air is meant, counted from 0 in the order of adding.
public struct DeviceNumber: Hashable, Sendable {
    /// The number.
    public let rawValue: Int

    /// A device by its number.
    public init(_ rawValue: Int) {
        self.rawValue = rawValue
    }
}

extension DeviceNumber: Comparable, CustomStringConvertible {
    /// What was added earlier comes first.
    public static func < (left: DeviceNumber, right: DeviceNumber) -> Bool {
        left.rawValue < right.rawValue
    }

    /// `device 0`.
    public var description: String { "device \(rawValue)" }
}
