import HaloProtocol

/// The address of a Bluetooth device.
public struct DeviceAddress: Hashable, Sendable {
    /// The address as a number of 48 bits: the first byte of its text is the highest.
    public let value: UInt64
    /// `true` for a random address, `false` for a public one.
    public let isRandom: Bool

    /// Creates an address from the lower 48 bits of a number.
    package init(_ value: UInt64, isRandom: Bool = false) {
        self.value = value & 0xFFFF_FFFF_FFFF
        self.isRandom = isRandom
    }
}

extension DeviceAddress: CustomStringConvertible {
    /// Six bytes in hexadecimal, separated by colons.
    public var description: String {
        let bytes = (0..<6).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        return HexText.bytes(bytes, separator: ":")
    }
}
