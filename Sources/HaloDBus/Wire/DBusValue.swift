#if os(Linux)
/// A value on the bus.
public enum DBusValue: Hashable, Sendable {
    /// A number of 8 bits.
    case byte(UInt8)
    /// True or false.
    case boolean(Bool)
    /// A number of 16 bits with a sign.
    case int16(Int16)
    /// A number of 16 bits.
    case uint16(UInt16)
    /// A number of 32 bits with a sign.
    case int32(Int32)
    /// A number of 32 bits.
    case uint32(UInt32)
    /// A number of 64 bits with a sign.
    case int64(Int64)
    /// A number of 64 bits.
    case uint64(UInt64)
    /// A binary fraction of 64 bits.
    case double(Double)
    /// Text, without a NUL in it.
    case string(String)
    /// The path of an object.
    case objectPath(DBusObjectPath)
    /// The types of some values.
    case signature(DBusSignature)
    /// A file descriptor, by its place among those that travel with the message.
    case unixFD(UInt32)
    /// A value that brings its type.
    indirect case variant(DBusValue)
    /// Any number of bytes.
    case bytes([UInt8])
    /// Any number of values of one type; of bytes, ``bytes(_:)`` is the form.
    case array(DBusType, [DBusValue])
    /// Keys with a value each, in this order.
    case dictionary(key: DBusType, value: DBusType, [DBusEntry])
    /// Several values; at least one.
    case structure([DBusValue])

    /// The value's type.
    public var type: DBusType {
        switch self {
        case .byte: .byte
        case .boolean: .boolean
        case .int16: .int16
        case .uint16: .uint16
        case .int32: .int32
        case .uint32: .uint32
        case .int64: .int64
        case .uint64: .uint64
        case .double: .double
        case .string: .string
        case .objectPath: .objectPath
        case .signature: .signature
        case .unixFD: .unixFD
        case .variant: .variant
        case .bytes: .byteArray
        case .array(let element, _): .array(element)
        case .dictionary(let key, let value, _): .dictionary(key: key, value: value)
        case .structure(let members): .structure(members.map(\.type))
        }
    }

    /// Whether the value is of a type; cheaper than to make its own type first.
    func isOf(_ type: DBusType) -> Bool {
        switch (self, type) {
        case (.byte, .byte), (.boolean, .boolean), (.int16, .int16), (.uint16, .uint16),
            (.int32, .int32), (.uint32, .uint32), (.int64, .int64), (.uint64, .uint64),
            (.double, .double), (.string, .string), (.objectPath, .objectPath),
            (.signature, .signature), (.unixFD, .unixFD), (.variant, .variant),
            (.bytes, .array(.byte)):
            true
        case (.array(let own, _), .array(let other)):
            own == other
        case (.dictionary(let key, let value, _), .dictionary(let otherKey, let otherValue)):
            key == otherKey && value == otherValue
        case (.structure(let members), .structure(let types)):
            members.count == types.count && zip(members, types).allSatisfy { $0.isOf($1) }
        default:
            false
        }
    }
}

/// A key of a dictionary, with its value.
public struct DBusEntry: Hashable, Sendable {
    /// The key.
    public let key: DBusValue
    /// The value.
    public let value: DBusValue

    /// A key with its value.
    public init(_ key: DBusValue, _ value: DBusValue) {
        self.key = key
        self.value = value
    }
}
#endif
