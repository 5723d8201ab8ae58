#if os(Linux)
package struct DBusSignature: Hashable, Sendable {
    package let types: [DBusType]

    package static let maximumLength = 255
    /// The maximum nesting of arrays in arrays, and of structures in structures.
    package static let maximumDepth = 32

    package static let empty = DBusSignature()

    private init() { types = [] }

    /// Parses bytes; `single` demands exactly one type, as in a variant.
    init(reading bytes: [UInt8], single: Bool = false) throws(DBusWireError) {
        guard bytes.count <= Self.maximumLength else {
            throw DBusWireError(.wrongSignature, at: Self.maximumLength)
        }
        var types: [DBusType] = []
        var rest = bytes[...]
        while !rest.isEmpty { types.append(try DBusType(parsing: &rest)) }
        self.types = types
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
