/// The advertised name of a device.
///
/// Devices cut names to the room that is left, some within a character, so the bytes are kept.
public struct AdvertisedName: Hashable, Sendable, CustomStringConvertible {
    public var bytes: [UInt8]

    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    public init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// The name as text, or `nil` if the bytes are not valid UTF-8.
    public var text: String? {
        StrictUTF8.firstFault(in: bytes) == nil ? String(decoding: bytes, as: UTF8.self) : nil
    }

    /// The name in quotes, escaped for terminals.
    public var description: String { PrintableText.quoted(bytes) }
}
