/// The value of a text characteristic of the Device Information service.
///
///     ← text, UTF-8                    some devices send NULs after it; they are counted
///
/// 2A24 model, 2A25 serial number, 2A26 firmware, 2A27 hardware, 2A28 software, 2A29 manufacturer.
/// A serial number identifies one person's device: keep it out of logs.
public struct DeviceInformationText: BytePacket, CustomStringConvertible {
    public static var name: PacketName { PacketName("DeviceInformationText") }

    /// The text as valid UTF-8, without trailing NULs.
    ///
    /// Stored as bytes, because two strings of different bytes can be equal.
    public let utf8: [UInt8]
    package let trailingNULs: Int

    /// The length of the longest value of a characteristic.
    public static var maximumLength: Int { 512 }

    /// Creates a text of at most 512 bytes; NULs at its end are kept.
    public init(_ text: String) throws(ValueError) {
        let bytes = Array(text.utf8)
        try ValueError.check("text", bytes.count, in: 0...Int64(Self.maximumLength))
        self.init(validUTF8: bytes)
    }

    private init(validUTF8 bytes: [UInt8]) {
        let end = bytes.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
        utf8 = Array(bytes[..<end])
        trailingNULs = bytes.count - end
    }

    /// The text, decoded from ``utf8``.
    public var text: String { String(decoding: utf8, as: UTF8.self) }

    public init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        let start = io.offset
        let bytes = try io.byteArray(
            "text", packet.map { $0.utf8 + repeatElement(0, count: $0.trailingNULs) }, .text)
        if packet == nil, let fault = StrictUTF8.firstFault(in: bytes) {
            throw PacketError(
                .notText, field: "text", at: start + fault,
                found: fault < bytes.count ? Int64(bytes[fault]) : nil)
        }
        self.init(validUTF8: bytes)
        io.means {
            trailingNULs == 0 ? description : "\(description) and \(trailingNULs) NUL"
        }
    }

    /// The text in quotes, escaped for terminals.
    public var description: String { PrintableText.quoted(utf8) }
}
