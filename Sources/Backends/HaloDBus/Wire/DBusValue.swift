#if os(Linux)
internal import HaloTransport

package enum DBusValue: Hashable, Sendable {
    case byte(UInt8)
    case boolean(Bool)
    case int16(Int16)
    case uint16(UInt16)
    case int32(Int32)
    case uint32(UInt32)
    case int64(Int64)
    case uint64(UInt64)
    case double(Double)
    /// `s`: text without NUL.
    case string(String)
    case objectPath(DBusObjectPath)
    case signature([DBusType])
    /// `h`: the index of a descriptor among those that are passed with the message.
    case unixFD(UInt32)
    indirect case variant(DBusValue)
    case bytes([UInt8])
    /// `a…`: element type and elements; ``bytes(_:)`` is the case for bytes.
    case array(DBusType, [DBusValue])
    /// `a{…}`: types of keys and values, and entries in order.
    case dictionary(key: DBusType, value: DBusType, [DBusEntry])
    /// `(…)`: one value or more.
    case structure([DBusValue])

    package var type: DBusType {
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
        case .dictionary(.string, .variant, _): .options
        case .dictionary(let key, let value, _): .dictionary(key: key, value: value)
        case .structure(let members): .structure(members.map(\.type))
        }
    }

    /// Compares the type of the value, without the allocations of ``type``.
    func isOf(_ type: DBusType) -> Bool {
        switch (self, type) {
        case (.array(let own, _), .array(let other)):
            own == other
        case (.dictionary(let key, let value, _), .dictionary(let otherKey, let otherValue)):
            key == otherKey && value == otherValue
        case (.structure(let members), .structure(let types)):
            members.areOf(types)
        default:
            self.type == type
        }
    }

    /// The content of a variant, the innermost of nested ones; any other value itself.
    package var unwrapped: DBusValue {
        var value = self
        while case .variant(let content) = value { value = content }
        return value
    }

    package var string: String? {
        if case .string(let text) = unwrapped { text } else { nil }
    }

    package var objectPath: DBusObjectPath? {
        if case .objectPath(let path) = unwrapped { path } else { nil }
    }

    package var boolean: Bool? {
        if case .boolean(let flag) = unwrapped { flag } else { nil }
    }

    package var bytes: [UInt8]? {
        if case .bytes(let bytes) = unwrapped { bytes } else { nil }
    }

    /// The number, if the value is an integer of any type that fits into `Int64`.
    package var integer: Int64? {
        switch unwrapped {
        case .byte(let number): Int64(number)
        case .int16(let number): Int64(number)
        case .uint16(let number): Int64(number)
        case .int32(let number): Int64(number)
        case .uint32(let number): Int64(number)
        case .int64(let number): number
        case .uint64(let number): Int64(exactly: number)
        default: nil
        }
    }

    /// The elements, if the value is an array other than ``bytes(_:)``.
    package var elements: [DBusValue]? {
        if case .array(_, let elements) = unwrapped { elements } else { nil }
    }

    package var entries: [DBusEntry]? {
        if case .dictionary(_, _, let entries) = unwrapped { entries } else { nil }
    }

    /// The value of a key in a dictionary with strings as keys, without variants around it. Of
    /// several entries with that key, the last one counts.
    package subscript(key: String) -> DBusValue? {
        entries?.last { $0.key == .string(key) }?.value.unwrapped
    }

    /// Creates a dictionary of variants, `a{sv}`, sorted by key.
    package static func properties(_ values: [String: DBusValue]) -> DBusValue {
        .dictionary(
            key: .string, value: .variant,
            values.sortedByKey.map { DBusEntry(.string($0), .variant($1)) })
    }

    package static func strings(_ texts: some Sequence<String>) -> DBusValue {
        .array(.string, texts.map { .string($0) })
    }
}

extension [DBusValue] {
    func areOf(_ types: [DBusType]) -> Bool {
        count == types.count && zip(self, types).allSatisfy { $0.isOf($1) }
    }
}
#endif
