/// What can be done with a characteristic.
public struct GATTProperties: OptionSet, Hashable, Sendable {
    /// The bits of the characteristic's declaration.
    public let rawValue: UInt8

    /// Properties by their bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The value may be sent in the advertisement.
    public static let broadcast = GATTProperties(rawValue: 0x01)
    /// The value can be read.
    public static let read = GATTProperties(rawValue: 0x02)
    /// The value can be written without a response.
    public static let writeWithoutResponse = GATTProperties(rawValue: 0x04)
    /// The value can be written with a response.
    public static let write = GATTProperties(rawValue: 0x08)
    /// The device can send the value by itself, unconfirmed.
    public static let notify = GATTProperties(rawValue: 0x10)
    /// The device can send the value by itself, and wants each one confirmed.
    public static let indicate = GATTProperties(rawValue: 0x20)
    /// The value can be written with a signature.
    public static let signedWrite = GATTProperties(rawValue: 0x40)
    /// More properties stand in a descriptor.
    public static let extended = GATTProperties(rawValue: 0x80)

    /// Whether the value can be written, in either way.
    public var canWrite: Bool { !isDisjoint(with: [.write, .writeWithoutResponse]) }
    /// Whether the device can send the value by itself, in either way.
    public var canSubscribe: Bool { !isDisjoint(with: [.notify, .indicate]) }
}
