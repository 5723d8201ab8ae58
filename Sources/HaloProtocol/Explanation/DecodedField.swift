#if !hasFeature(Embedded)
/// A field as it stood in a packet: where it was, what it held and what that means.
public struct DecodedField: Hashable, Sendable {
    /// What a field held.
    public enum Value: Hashable, Sendable {
        /// A number.
        case integer(UInt64)
        /// Bytes as they are.
        case bytes([UInt8])
    }

    /// The name, with the elements it lies in: `days[1].hours[7].minimum`.
    public let name: String
    /// Where it begins, counted in bytes from the start of the packet.
    public let offset: Int
    /// How many bytes it has.
    public let length: Int
    /// What it is to the packet.
    public let role: FieldRole
    /// Whether the highest byte comes first.
    public let isBigEndian: Bool
    /// What it held.
    public let value: Value
    /// What that means, in words or with its unit.
    public var meaning: String

    /// The same field, in a packet that begins `distance` bytes later.
    func moved(by distance: Int) -> DecodedField {
        DecodedField(
            name: name, offset: offset + distance, length: length, role: role,
            isBigEndian: isBigEndian, value: value, meaning: meaning)
    }
}
#endif
