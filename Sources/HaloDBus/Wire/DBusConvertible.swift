#if os(Linux)
/// A Swift type that stands for one D-Bus type.
///
/// ```
/// Bool                          b      DBusObjectPath   o
/// UInt8, Int16, UInt16          y n q  DBusSignature    g
/// Int32, UInt32, Int64, UInt64  i u x t
/// Int                           x      [UInt8]          ay
/// Double                        d      [Element]        a…
/// String                        s      [Key: Value]     a{…}
/// DBusVariant                   v
/// ```
///
/// Decoding unwraps variants, and accepts an integer of any width that fits. An enumeration with
/// raw values conforms without code:
///
/// ```swift
/// enum AddressType: String, DBusConvertible { case `public`, random }
/// ```
///
/// A structure of one's own builds ``DBusValue/structure(_:)`` with
/// ``DBusValue/structure(of:)``, and reads it with ``DBusValue/members(_:)``.
public protocol DBusConvertible {
    /// The D-Bus type of every value; also that of the elements of an empty array.
    static var dbusType: DBusType { get }

    /// The encoded value.
    var dbusValue: DBusValue { get }

    /// Decodes a value; throws ``DBusError/Kind/unexpectedReply`` if it has another type.
    init(dbusValue: DBusValue) throws(DBusError)
}

extension DBusConvertible {
    fileprivate static func mismatch(_ value: DBusValue) -> DBusError {
        DBusError(
            .unexpectedReply, details: "a value of type \(value.unwrapped.type), not \(dbusType)")
    }
}

extension DBusConvertible where Self: RawRepresentable, RawValue: DBusConvertible {
    /// The type of the raw value.
    public static var dbusType: DBusType { RawValue.dbusType }

    /// The raw value.
    public var dbusValue: DBusValue { rawValue.dbusValue }

    /// Decodes a raw value; throws ``DBusError/Kind/unexpectedReply`` if no case has it.
    public init(dbusValue: DBusValue) throws(DBusError) {
        let raw = try RawValue(dbusValue: dbusValue)
        guard let value = Self(rawValue: raw) else {
            throw DBusError(.unexpectedReply, details: "\(raw) is no \(Self.self)")
        }
        self = value
    }
}

extension Bool: DBusConvertible {
    public static var dbusType: DBusType { .boolean }
    public var dbusValue: DBusValue { .boolean(self) }

    public init(dbusValue: DBusValue) throws(DBusError) {
        guard let value = dbusValue.boolean else { throw Self.mismatch(dbusValue) }
        self = value
    }
}

extension DBusConvertible where Self: FixedWidthInteger {
    /// Decodes an integer of any width that fits.
    public init(dbusValue: DBusValue) throws(DBusError) {
        let number: Self? =
            if case .uint64(let number) = dbusValue.unwrapped {
                Self(exactly: number)
            } else {
                dbusValue.integer.flatMap { Self(exactly: $0) }
            }
        guard let number else { throw Self.mismatch(dbusValue) }
        self = number
    }
}

extension UInt8: DBusConvertible {
    public static var dbusType: DBusType { .byte }
    public var dbusValue: DBusValue { .byte(self) }
}

extension Int16: DBusConvertible {
    public static var dbusType: DBusType { .int16 }
    public var dbusValue: DBusValue { .int16(self) }
}

extension UInt16: DBusConvertible {
    public static var dbusType: DBusType { .uint16 }
    public var dbusValue: DBusValue { .uint16(self) }
}

extension Int32: DBusConvertible {
    public static var dbusType: DBusType { .int32 }
    public var dbusValue: DBusValue { .int32(self) }
}

extension UInt32: DBusConvertible {
    public static var dbusType: DBusType { .uint32 }
    public var dbusValue: DBusValue { .uint32(self) }
}

extension Int64: DBusConvertible {
    public static var dbusType: DBusType { .int64 }
    public var dbusValue: DBusValue { .int64(self) }
}

extension UInt64: DBusConvertible {
    public static var dbusType: DBusType { .uint64 }
    public var dbusValue: DBusValue { .uint64(self) }
}

extension Int: DBusConvertible {
    public static var dbusType: DBusType { .int64 }
    public var dbusValue: DBusValue { .int64(Int64(self)) }
}

extension Double: DBusConvertible {
    public static var dbusType: DBusType { .double }
    public var dbusValue: DBusValue { .double(self) }

    public init(dbusValue: DBusValue) throws(DBusError) {
        guard case .double(let value) = dbusValue.unwrapped else {
            throw Self.mismatch(dbusValue)
        }
        self = value
    }
}

extension String: DBusConvertible {
    public static var dbusType: DBusType { .string }
    public var dbusValue: DBusValue { .string(self) }

    public init(dbusValue: DBusValue) throws(DBusError) {
        guard let value = dbusValue.string else { throw Self.mismatch(dbusValue) }
        self = value
    }
}

extension DBusObjectPath: DBusConvertible {
    public static var dbusType: DBusType { .objectPath }
    public var dbusValue: DBusValue { .objectPath(self) }

    public init(dbusValue: DBusValue) throws(DBusError) {
        guard let value = dbusValue.objectPath else { throw Self.mismatch(dbusValue) }
        self = value
    }
}

extension DBusSignature: DBusConvertible {
    public static var dbusType: DBusType { .signature }
    public var dbusValue: DBusValue { .signature(self) }

    public init(dbusValue: DBusValue) throws(DBusError) {
        guard case .signature(let value) = dbusValue.unwrapped else {
            throw Self.mismatch(dbusValue)
        }
        self = value
    }
}

/// A value with its type, `v`: `[String: DBusVariant]` is `a{sv}`.
public struct DBusVariant: Hashable, Sendable, DBusConvertible {
    /// The content.
    public let content: DBusValue

    /// Creates a variant with a value of any type.
    public init(_ content: some DBusConvertible) { self.content = content.dbusValue }

    public static var dbusType: DBusType { .variant }
    public var dbusValue: DBusValue { .variant(content) }

    /// Creates a variant with the content of a variant, or with any other value.
    public init(dbusValue: DBusValue) {
        content = if case .variant(let content) = dbusValue { content } else { dbusValue }
    }
}

extension Array: DBusConvertible where Element: DBusConvertible {
    public static var dbusType: DBusType { .array(Element.dbusType) }

    public var dbusValue: DBusValue {
        // The type is compared because an empty array of any type can be cast to `[UInt8]`.
        if Element.self == UInt8.self, let bytes = self as? [UInt8] { return .bytes(bytes) }
        let elements = map(\.dbusValue)
        guard case .byte = Element.dbusType else { return .array(Element.dbusType, elements) }
        return .bytes(elements.compactMap { if case .byte(let byte) = $0 { byte } else { nil } })
    }

    public init(dbusValue: DBusValue) throws(DBusError) {
        let elements: [DBusValue]
        switch dbusValue.unwrapped {
        case .bytes(let bytes):
            if Element.self == UInt8.self, let bytes = bytes as? Self {
                self = bytes
                return
            }
            elements = bytes.map { .byte($0) }
        case .array(_, let own): elements = own
        default: throw Self.mismatch(dbusValue)
        }
        self = []
        reserveCapacity(elements.count)
        for element in elements { append(try Element(dbusValue: element)) }
    }
}

extension Dictionary: DBusConvertible where Key: DBusConvertible, Value: DBusConvertible {
    public static var dbusType: DBusType {
        .dictionary(key: Key.dbusType, value: Value.dbusType)
    }

    public var dbusValue: DBusValue {
        .dictionary(
            key: Key.dbusType, value: Value.dbusType,
            map { DBusEntry($0.key.dbusValue, $0.value.dbusValue) })
    }

    /// Decodes a dictionary; of several entries with one key the last one counts.
    public init(dbusValue: DBusValue) throws(DBusError) {
        guard let entries = dbusValue.entries else { throw Self.mismatch(dbusValue) }
        self = [:]
        for entry in entries {
            self[try Key(dbusValue: entry.key)] = try Value(dbusValue: entry.value)
        }
    }
}

extension DBusValue {
    /// Returns the value as a Swift type; throws ``DBusError/Kind/unexpectedReply`` if it has
    /// another one.
    public func decoded<Value: DBusConvertible>(
        as type: Value.Type = Value.self
    ) throws(DBusError) -> Value { try Value(dbusValue: self) }

    /// Creates a structure, `(…)`, of one value or more.
    public static func structure<each Member: DBusConvertible>(
        of members: repeat each Member
    ) -> DBusValue {
        var values: [DBusValue] = []
        for member in repeat each members { values.append(member.dbusValue) }
        return .structure(values)
    }

    /// Returns the members of a structure as Swift types; throws ``DBusError/Kind/unexpectedReply``
    /// if their number or their types differ.
    public func members<each Member: DBusConvertible>(
        _ types: repeat (each Member).Type
    ) throws(DBusError) -> (repeat each Member) {
        guard let members else {
            throw DBusError(.unexpectedReply, details: "a value of type \(type), no structure")
        }
        return try DBusValue.decode(members, repeat each types)
    }

    static func decode<each Member: DBusConvertible>(
        _ values: [DBusValue], _ types: repeat (each Member).Type
    ) throws(DBusError) -> (repeat each Member) {
        var rest = values[...]
        let count = count(repeat each types)
        guard values.count == count else {
            throw DBusError(.unexpectedReply, details: "\(values.count) values, not \(count)")
        }
        return (repeat try next(&rest, each types))
    }

    private static func count<each Member>(_ types: repeat (each Member).Type) -> Int {
        var count = 0
        for _ in repeat each types { count += 1 }
        return count
    }

    private static func next<Member: DBusConvertible>(
        _ values: inout ArraySlice<DBusValue>, _ type: Member.Type
    ) throws(DBusError) -> Member {
        guard let value = values.popFirst() else {
            throw DBusError(.unexpectedReply, details: "too few values")
        }
        return try Member(dbusValue: value)
    }
}
#endif
