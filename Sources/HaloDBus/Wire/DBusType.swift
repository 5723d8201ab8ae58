#if os(Linux)
/// The type of a value on the bus.
public enum DBusType: Hashable, Sendable {
    /// A number of 8 bits, `y`.
    case byte
    /// True or false, `b`.
    case boolean
    /// A number of 16 bits with a sign, `n`.
    case int16
    /// A number of 16 bits, `q`.
    case uint16
    /// A number of 32 bits with a sign, `i`.
    case int32
    /// A number of 32 bits, `u`.
    case uint32
    /// A number of 64 bits with a sign, `x`.
    case int64
    /// A number of 64 bits, `t`.
    case uint64
    /// A binary fraction of 64 bits, `d`.
    case double
    /// Text, `s`.
    case string
    /// The path of an object, `o`.
    case objectPath
    /// The types of some values, `g`.
    case signature
    /// A file descriptor that travels beside the message, `h`.
    case unixFD
    /// A value that brings its type, `v`.
    case variant
    /// Any number of values of one type, `a…`.
    indirect case array(DBusType)
    /// Keys with a value each, `a{…}`; keys are of a basic type.
    indirect case dictionary(key: DBusType, value: DBusType)
    /// Several values, `(…)`; at least one.
    case structure([DBusType])

    /// Bytes, which are read and written at once.
    static let byteArray = DBusType.array(.byte)

    /// The type that a single character stands for.
    static func simple(_ code: UInt8) -> DBusType? {
        switch code {
        case UInt8(ascii: "y"): .byte
        case UInt8(ascii: "b"): .boolean
        case UInt8(ascii: "n"): .int16
        case UInt8(ascii: "q"): .uint16
        case UInt8(ascii: "i"): .int32
        case UInt8(ascii: "u"): .uint32
        case UInt8(ascii: "x"): .int64
        case UInt8(ascii: "t"): .uint64
        case UInt8(ascii: "d"): .double
        case UInt8(ascii: "s"): .string
        case UInt8(ascii: "o"): .objectPath
        case UInt8(ascii: "g"): .signature
        case UInt8(ascii: "h"): .unixFD
        case UInt8(ascii: "v"): .variant
        default: nil
        }
    }

    /// The character of a type that has only one; of others the first.
    var firstCode: UInt8 {
        switch self {
        case .byte: UInt8(ascii: "y")
        case .boolean: UInt8(ascii: "b")
        case .int16: UInt8(ascii: "n")
        case .uint16: UInt8(ascii: "q")
        case .int32: UInt8(ascii: "i")
        case .uint32: UInt8(ascii: "u")
        case .int64: UInt8(ascii: "x")
        case .uint64: UInt8(ascii: "t")
        case .double: UInt8(ascii: "d")
        case .string: UInt8(ascii: "s")
        case .objectPath: UInt8(ascii: "o")
        case .signature: UInt8(ascii: "g")
        case .unixFD: UInt8(ascii: "h")
        case .variant: UInt8(ascii: "v")
        case .array, .dictionary: UInt8(ascii: "a")
        case .structure: UInt8(ascii: "(")
        }
    }

    /// The type as it stands in a signature.
    public var code: String {
        switch self {
        case .array(let element): "a\(element.code)"
        case .dictionary(let key, let value): "a{\(key.code)\(value.code)}"
        case .structure(let members): "(\(members.map(\.code).joined()))"
        default: String(decoding: CollectionOfOne(firstCode), as: UTF8.self)
        }
    }

    /// Whether it may be the key of a dictionary: everything but containers and variants.
    public var isBasic: Bool {
        switch self {
        case .variant, .array, .dictionary, .structure: false
        default: true
        }
    }

    /// At which multiple of bytes a value of the type begins.
    var alignment: Int {
        switch self {
        case .byte, .signature, .variant: 1
        case .int16, .uint16: 2
        case .boolean, .int32, .uint32, .string, .objectPath, .unixFD, .array, .dictionary: 4
        case .int64, .uint64, .double, .structure: 8
        }
    }

    /// At which multiple of bytes an element of an array of these begins.
    static let entryAlignment = 8
}

extension DBusType: CustomStringConvertible {
    /// The type as it stands in a signature.
    public var description: String { code }
}
#endif
