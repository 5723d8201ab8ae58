/// The operations that a characteristic allows.
public struct GATTProperties: OptionSet, Hashable, Sendable, Codable {
    /// The bits as in the characteristic's declaration.
    public let rawValue: UInt8

    /// Creates properties from their bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The value may be broadcast in advertisements.
    public static let broadcast = GATTProperties(rawValue: 0x01)
    /// The value can be read.
    public static let read = GATTProperties(rawValue: 0x02)
    /// The value can be written without a response.
    public static let writeWithoutResponse = GATTProperties(rawValue: 0x04)
    /// The value can be written with a response.
    public static let write = GATTProperties(rawValue: 0x08)
    /// The value can be sent as a notification, which is not confirmed.
    public static let notify = GATTProperties(rawValue: 0x10)
    /// The value can be sent as an indication, which the central confirms.
    public static let indicate = GATTProperties(rawValue: 0x20)
    /// The value can be written with a signature.
    public static let signedWrite = GATTProperties(rawValue: 0x40)
    /// More properties are in a descriptor: Characteristic Extended Properties.
    public static let extended = GATTProperties(rawValue: 0x80)

    /// `true` if the value can be written, with or without a response.
    public var canWrite: Bool { !isDisjoint(with: [.write, .writeWithoutResponse]) }
    /// `true` if the value can be sent as a notification or an indication.
    public var canSubscribe: Bool { !isDisjoint(with: [.notify, .indicate]) }

    /// Returns a mode in which the value can be written: the preferred one if it is allowed,
    /// otherwise the other one; `nil` if it cannot be written.
    package func writeMode(preferring mode: WriteMode) -> WriteMode? {
        let other: WriteMode = mode == .withResponse ? .withoutResponse : .withResponse
        return [mode, other].first { contains($0.property) }
    }
}
