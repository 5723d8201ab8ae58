/// A device's name as it advertises it.
///
/// Names are cut to the room that is left, some of them within a character, so the bytes are
/// kept as they are.
public struct AdvertisedName: Hashable, Sendable {
    /// The bytes on the wire.
    public var bytes: [UInt8]

    /// A name of any bytes.
    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// A name.
    public init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// The name as text; nothing if the bytes are not valid UTF-8.
    public var text: String? {
        StrictUTF8.firstFault(in: bytes) == nil ? String(decoding: bytes, as: UTF8.self) : nil
    }
}

extension AdvertisedName: CustomStringConvertible {
    /// The name between quotes, safe for a terminal.
    public var description: String { PrintableText.quoted(bytes) }
}
