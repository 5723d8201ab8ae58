#if !hasFeature(Embedded)
/// A field of a decoded packet: its offset, its value and its meaning.
public struct DecodedField: Hashable, Sendable {
    /// The value of a field.
    public enum Value: Hashable, Sendable {
        case integer(UInt64)
        case bytes([UInt8])
    }

    /// The name with the elements around it: `days[1].hours[7].minimum`.
    public let name: String
    /// The offset in bytes from the start of the packet.
    public let offset: Int
    public let length: Int
    public let role: FieldRole
    /// What the field gives away about the wearer or the device.
    package let secrecy: FieldSecrecy
    package let isBigEndian: Bool
    public let value: Value
    /// The value in words, or with its unit.
    public var meaning: String
}
#endif
