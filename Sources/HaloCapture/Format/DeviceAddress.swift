import HaloProtocol

/// The address of a Bluetooth device.
public struct DeviceAddress: Hashable, Sendable {
    /// The address as a number of 48 bits: the first byte of its text is the highest.
    public let value: UInt64
    /// Whether the address was made up by the device, and is not its maker's.
    public let isRandom: Bool

    /// An address; of the value, 48 bits count.
    public init(_ value: UInt64, isRandom: Bool = false) {
        self.value = value & 0xFFFF_FFFF_FFFF
        self.isRandom = isRandom
    }
}

extension DeviceAddress: CustomStringConvertible {
    /// Six bytes in hexadecimal with colons between.
    public var description: String {
        let bytes = (0..<6).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        return HexText.bytes(bytes, separator: ":")
    }
}
