public import HaloProtocol

/// A short name in a capture: of a connection, or of a characteristic.
public struct CaptureName: Hashable, Sendable {
    /// The text of the name: a lower-case letter, then lower-case letters, digits and dashes.
    public let text: String

    package static let maximumLength = 32

    /// Creates a name of 1 to 32 characters; throws for other characters or lengths.
    public init(_ text: String) throws(ValueError) {
        try self.init(Array(text.utf8)[...])
    }

    init(_ characters: ArraySlice<UInt8>) throws(ValueError) {
        guard (1...Self.maximumLength).contains(characters.count) else {
            throw ValueError(
                "length", allowed: 1...Int64(Self.maximumLength), found: Int64(characters.count))
        }
        for (index, character) in characters.enumerated() {
            let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(character)
            let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(character)
            guard isLetter || index > 0 && (isDigit || character == UInt8(ascii: "-")) else {
                throw ValueError(
                    "character", allowed: Int64(UInt8(ascii: "a"))...Int64(UInt8(ascii: "z")),
                    found: Int64(character))
            }
        }
        text = String(decoding: characters, as: UTF8.self)
    }

    var looksLikeUUID: Bool { (try? BluetoothUUID(parsing: text)) != nil }
}

extension CaptureName: CustomStringConvertible {
    /// The name.
    public var description: String { text }
}
