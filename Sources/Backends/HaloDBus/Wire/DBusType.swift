#if os(Linux)
package enum DBusType: Hashable, Sendable, CustomStringConvertible {
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

    /// The types with a code of one character.
    private static let simpleTypes: [DBusType] = [
        .byte, .boolean, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double, .string,
        .objectPath, .signature, .unixFD, .variant,
    ]
    private static let byCode = (0...UInt8.max).map { code in
        simpleTypes.first { $0.firstCode == code }
    }

    /// Returns the type with a code of one character.
    static func simple(_ code: UInt8) -> DBusType? { byCode[Int(code)] }

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

    static let maximumSignatureLength = 255
    /// The maximum nesting of arrays in arrays, and of structures in structures.
    static let maximumDepth = 32

    /// The alignment of header fields, structures and dictionary entries in bytes.
    static let entryAlignment = 8

    package var description: String { code }

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
            try Self.check(key.isBasic ? arrays : .max, bytes)
            bytes.append(UInt8(ascii: "{"))
            try key.append(to: &bytes, arrays: arrays + 1, structures: structures)
            try value.append(to: &bytes, arrays: arrays + 1, structures: structures)
            bytes.append(UInt8(ascii: "}"))
        case .structure(let members):
            try Self.check(members.isEmpty ? .max : structures, bytes)
            for member in members {
                try member.append(to: &bytes, arrays: arrays, structures: structures + 1)
            }
            bytes.append(UInt8(ascii: ")"))
        default: break
        }
    }

    private static func check(_ depth: Int, _ bytes: [UInt8]) throws(DBusWireError) {
        guard depth < Self.maximumDepth else {
            throw DBusWireError(.wrongSignature, at: bytes.count)
        }
    }

    /// Parses a signature; `single` demands exactly one type, as in a variant.
    static func types(
        parsing bytes: [UInt8], single: Bool = false
    ) throws(DBusWireError) -> [DBusType] {
        guard bytes.count <= maximumSignatureLength else {
            throw DBusWireError(.wrongSignature, at: maximumSignatureLength)
        }
        var types: [DBusType] = []
        var rest = bytes[...]
        while !rest.isEmpty { types.append(try DBusType(parsing: &rest)) }
        guard !single || types.count == 1 else {
            throw DBusWireError(.wrongSignature, at: bytes.count)
        }
        return types
    }

    /// Parses the first type of a signature, and removes it there.
    init(
        parsing rest: inout ArraySlice<UInt8>, arrays: Int = 0, structures: Int = 0
    ) throws(DBusWireError) {
        func fault(at position: Int) -> DBusWireError {
            DBusWireError(.wrongSignature, at: position)
        }
        let start = rest.startIndex
        switch rest.popFirst() {
        case UInt8(ascii: "a"):
            guard arrays < Self.maximumDepth else { throw fault(at: start) }
            guard rest.first == UInt8(ascii: "{") else {
                self = .array(
                    try DBusType(parsing: &rest, arrays: arrays + 1, structures: structures))
                return
            }
            rest.removeFirst()
            let keyStart = rest.startIndex
            let key = try DBusType(parsing: &rest, arrays: arrays + 1, structures: structures)
            guard key.isBasic else { throw fault(at: keyStart) }
            let value = try DBusType(parsing: &rest, arrays: arrays + 1, structures: structures)
            let end = rest.startIndex
            guard rest.popFirst() == UInt8(ascii: "}") else { throw fault(at: end) }
            self = .dictionary(key: key, value: value)
        case UInt8(ascii: "("):
            guard structures < Self.maximumDepth else { throw fault(at: start) }
            var members: [DBusType] = []
            while rest.first != UInt8(ascii: ")") {
                members.append(
                    try DBusType(parsing: &rest, arrays: arrays, structures: structures + 1))
            }
            rest.removeFirst()
            guard !members.isEmpty else { throw fault(at: start) }
            self = .structure(members)
        case let character:
            guard let simple = character.flatMap(Self.simple) else { throw fault(at: start) }
            self = simple
        }
    }
}

extension [DBusType] {
    var code: String { map(\.code).joined() }
}
#endif
