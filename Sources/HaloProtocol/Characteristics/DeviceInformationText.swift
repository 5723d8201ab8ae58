/// The value of a text characteristic of the Device Information service.
///
///     ← text, UTF-8                    some devices send NULs behind it; they are counted
///
/// 2A24 model, 2A25 serial number, 2A26 firmware, 2A27 hardware, 2A28 software, 2A29 manufacturer.
/// A serial number tells one person's device from all others: keep it out of logs.
public struct DeviceInformationText: BytePacket {
    public static var name: PacketName { PacketName("DeviceInformationText") }

    /// The text as valid UTF-8, without the NULs behind it.
    ///
    /// Bytes and not a `String`, because two strings can be equal and have other bytes.
    public let utf8: [UInt8]
    /// How many NULs follow the text.
    public let trailingNULs: Int

    /// The longest value that a characteristic can have.
    public static var maximumLength: Int { 512 }

    /// A text of at most 512 bytes; NULs at its end count as following it.
    public init(_ text: String) throws(ValueError) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.maximumLength else {
            throw ValueError(
                "text", allowed: 0...Int64(Self.maximumLength), found: Int64(bytes.count))
        }
        self.init(validUTF8: bytes)
    }

    private init(validUTF8 bytes: [UInt8]) {
        let end = bytes.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
        utf8 = Array(bytes[..<end])
        trailingNULs = bytes.count - end
    }

    /// The text.
    public var text: String { String(decoding: utf8, as: UTF8.self) }

    public init<Sink: FieldSink>(from reader: inout ByteReader<Sink>) throws(PacketError) {
        let start = reader.offset
        let bytes = try reader.byteArray("text", count: reader.remaining)
        if let fault = StrictUTF8.firstFault(in: bytes) {
            throw PacketError(
                .notText, field: "text", at: start + fault,
                found: fault < bytes.count ? Int64(bytes[fault]) : nil)
        }
        self.init(validUTF8: bytes)
        reader.means {
            trailingNULs == 0 ? description : "\(description) and \(trailingNULs) NUL"
        }
    }

    public func encode(into writer: inout ByteWriter) {
        writer.byteArray("text", utf8 + repeatElement(0, count: trailingNULs))
    }
}

extension DeviceInformationText: CustomStringConvertible {
    /// The text between quotes, safe for a terminal.
    public var description: String { PrintableText.quoted(utf8) }
}
