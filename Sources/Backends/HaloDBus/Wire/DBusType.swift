#if os(Linux)
package enum DBusType: Hashable, Sendable {
    case byte
    case boolean
    case int16
    case uint16
    case int32
    case uint32
    case int64
    case uint64
    case double
    case string
    case objectPath
    case signature
    /// A file descriptor that is passed beside the message, `h`.
    case unixFD
    case variant
    indirect case array(DBusType)
    /// A dictionary, `a{…}`; keys are of a basic type.
    indirect case dictionary(key: DBusType, value: DBusType)
    /// A tuple of one value or more, `(…)`.
    case structure([DBusType])

    /// An array of bytes, which is read and written at once.
    static let byteArray = DBusType.array(.byte)
    /// Values by name, `a{sv}`: properties, and options of a call.
    package static let options = DBusType.dictionary(key: .string, value: .variant)

    /// Returns the type with a code of one character.
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

    package var code: String {
        switch self {
        case .array(let element): "a\(element.code)"
        case .dictionary(let key, let value): "a{\(key.code)\(value.code)}"
        case .structure(let members): "(\(members.map(\.code).joined()))"
        default: String(decoding: CollectionOfOne(firstCode), as: UTF8.self)
        }
    }

    /// `true` if the type may be the key of a dictionary: neither container nor variant.
    package var isBasic: Bool {
        switch self {
        case .variant, .array, .dictionary, .structure: false
        default: true
        }
    }

    /// The alignment of a value in bytes.
    var alignment: Int {
        switch self {
        case .byte, .signature, .variant: 1
        case .int16, .uint16: 2
        case .boolean, .int32, .uint32, .string, .objectPath, .unixFD, .array, .dictionary: 4
        case .int64, .uint64, .double, .structure: 8
        }
    }

    /// The alignment of header fields, structures and dictionary entries in bytes.
    static let entryAlignment = 8
}

extension DBusType: CustomStringConvertible {
    package var description: String { code }
}

extension DBusType {
    /// Appends the type's code to a signature; throws if it is nested too deep.
    func append(
        to bytes: inout [UInt8], arrays: Int = 0, structures: Int = 0
    ) throws(DBusWireError) {
        bytes.append(firstCode)
        switch self {
        case .array(let element):
            try Self.check(arrays, bytes)
            try element.append(to: &bytes, arrays: arrays + 1, structures: structures)
        case .dictionary(let key, let value):
            try Self.appendDictionary(key, value, to: &bytes, arrays, structures)
        case .structure(let members):
            try Self.check(members.isEmpty ? .max : structures, bytes)
            for member in members {
                try member.append(to: &bytes, arrays: arrays, structures: structures + 1)
            }
            bytes.append(UInt8(ascii: ")"))
        default: break
        }
    }

    fileprivate static func appendDictionary(
        _ key: DBusType, _ value: DBusType, to bytes: inout [UInt8], _ arrays: Int,
        _ structures: Int
    ) throws(DBusWireError) {
        try check(key.isBasic ? arrays : .max, bytes)
        bytes.append(UInt8(ascii: "{"))
        try key.append(to: &bytes, arrays: arrays + 1, structures: structures)
        try value.append(to: &bytes, arrays: arrays + 1, structures: structures)
        bytes.append(UInt8(ascii: "}"))
    }

    fileprivate static func check(_ depth: Int, _ bytes: [UInt8]) throws(DBusWireError) {
        guard depth < DBusSignature.maximumDepth else {
            throw DBusWireError(.wrongSignature, at: bytes.count)
        }
    }
}

struct SignatureParser {
    private let characters: [UInt8]
    private var position = 0

    init(_ characters: [UInt8]) {
        self.characters = characters
    }

    mutating func parseAll() throws(DBusWireError) -> [DBusType] {
        guard characters.count <= DBusSignature.maximumLength else {
            throw DBusWireError(.wrongSignature, at: DBusSignature.maximumLength)
        }
        var types: [DBusType] = []
        while position < characters.count {
            types.append(try parseOne(arrays: 0, structures: 0))
        }
        return types
    }

    private mutating func parseOne(
        arrays: Int, structures: Int
    ) throws(DBusWireError) -> DBusType {
        let start = position
        let character = try next()
        switch character {
        case UInt8(ascii: "a"):
            guard arrays < DBusSignature.maximumDepth else { throw fault(at: start) }
            guard peek == UInt8(ascii: "{") else {
                return .array(try parseOne(arrays: arrays + 1, structures: structures))
            }
            position += 1
            let keyStart = position
            let key = try parseOne(arrays: arrays + 1, structures: structures)
            guard key.isBasic else { throw fault(at: keyStart) }
            let value = try parseOne(arrays: arrays + 1, structures: structures)
            guard peek == UInt8(ascii: "}") else { throw fault(at: position) }
            position += 1
            return .dictionary(key: key, value: value)
        case UInt8(ascii: "("):
            guard structures < DBusSignature.maximumDepth else { throw fault(at: start) }
            var members: [DBusType] = []
            while peek != UInt8(ascii: ")") {
                members.append(try parseOne(arrays: arrays, structures: structures + 1))
            }
            position += 1
            guard !members.isEmpty else { throw fault(at: start) }
            return .structure(members)
        default:
            guard let simple = DBusType.simple(character) else { throw fault(at: start) }
            return simple
        }
    }

    private var peek: UInt8? { position < characters.count ? characters[position] : nil }

    private mutating func next() throws(DBusWireError) -> UInt8 {
        guard let character = peek else { throw fault(at: position) }
        position += 1
        return character
    }

    private func fault(at position: Int) -> DBusWireError {
        DBusWireError(.wrongSignature, at: position)
    }
}

extension DBusValue {
    /// Appends the code of the value's type to a signature; throws if it is nested too deep.
    func appendType(
        to bytes: inout [UInt8], arrays: Int = 0, structures: Int = 0
    ) throws(DBusWireError) {
        switch self {
        case .bytes: try DBusType.byteArray.append(to: &bytes, arrays: arrays)
        case .array(let element, _):
            bytes.append(UInt8(ascii: "a"))
            try DBusType.check(arrays, bytes)
            try element.append(to: &bytes, arrays: arrays + 1, structures: structures)
        case .dictionary(let key, let value, _):
            bytes.append(UInt8(ascii: "a"))
            try DBusType.appendDictionary(key, value, to: &bytes, arrays, structures)
        case .structure(let members):
            bytes.append(UInt8(ascii: "("))
            try DBusType.check(members.isEmpty ? .max : structures, bytes)
            for member in members {
                try member.appendType(to: &bytes, arrays: arrays, structures: structures + 1)
            }
            bytes.append(UInt8(ascii: ")"))
        default: bytes.append(type.firstCode)
        }
    }
}
#endif
