#if os(Linux)
/// The types of some values, one after another.
public struct DBusSignature: Hashable, Sendable {
    /// The types.
    public let types: [DBusType]

    /// How many characters a signature may have.
    public static let maximumLength = 255
    /// How deep arrays may lie in arrays, and structures in structures.
    public static let maximumDepth = 32

    /// No values at all.
    public static let empty = DBusSignature(unchecked: [])

    /// The signature that a text says.
    public init(_ text: String) throws(DBusWireError) {
        var parser = SignatureParser(Array(text.utf8))
        types = try parser.parseAll()
    }

    /// The types of some values; at most 255 characters, and not deeper than allowed.
    public init(_ types: [DBusType]) throws(DBusWireError) {
        var characters: [UInt8] = []
        for type in types { try type.append(to: &characters) }
        guard characters.count <= Self.maximumLength else {
            throw DBusWireError(.wrongSignature, at: Self.maximumLength)
        }
        self.types = types
    }

    init(unchecked types: [DBusType]) {
        self.types = types
    }

    /// The signature of bytes, of which `single` says whether they are one type, as in a variant.
    init(reading bytes: [UInt8], single: Bool) throws(DBusWireError) {
        var parser = SignatureParser(bytes)
        types = try parser.parseAll()
        guard !single || types.count == 1 else {
            throw DBusWireError(.wrongSignature, at: bytes.count)
        }
    }

    /// The signature as text.
    public var text: String { types.map(\.code).joined() }
}

extension DBusSignature: CustomStringConvertible {
    /// The signature as text.
    public var description: String { text }
}

/// Parses a signature.
private struct SignatureParser {
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
#endif
