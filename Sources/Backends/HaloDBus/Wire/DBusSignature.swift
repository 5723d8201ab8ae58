#if os(Linux)
/// The types of a message's values, in order.
package struct DBusSignature: Hashable, Sendable {
    /// The types, in order.
    package let types: [DBusType]

    /// The longest signature in characters.
    package static let maximumLength = 255
    /// The maximum nesting of arrays in arrays, and of structures in structures.
    package static let maximumDepth = 32

    /// The signature of no values.
    package static let empty = DBusSignature()

    /// Parses a text.
    package init(_ text: String) throws(DBusWireError) {
        var parser = SignatureParser(Array(text.utf8))
        types = try parser.parseAll()
    }

    /// Validates types: at most 255 characters, and not nested too deep.
    package init(_ types: [DBusType]) throws(DBusWireError) {
        var characters: [UInt8] = []
        for type in types { try type.append(to: &characters) }
        guard characters.count <= Self.maximumLength else {
            throw DBusWireError(.wrongSignature, at: Self.maximumLength)
        }
        self.types = types
    }

    private init() { types = [] }

    /// Parses bytes; `single` demands exactly one type, as in a variant.
    init(reading bytes: [UInt8], single: Bool) throws(DBusWireError) {
        var parser = SignatureParser(bytes)
        types = try parser.parseAll()
        guard !single || types.count == 1 else {
            throw DBusWireError(.wrongSignature, at: bytes.count)
        }
    }

    package var text: String { types.map(\.code).joined() }
}

extension DBusSignature: CustomStringConvertible {
    package var description: String { text }
}
#endif
