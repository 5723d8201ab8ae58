/// The wearer's name, as the ring keeps it.
///
///     → 4A text…               UTF-16; the byte order is not known
///     ← 4A status              00 in captures
///
/// A ring that does not know the record replies 00 as well, so a status of 0 proves little.
public enum Nickname: BigDataRequestCommand {
    public static let facts = CommandFacts(0x4A, "Nickname", "nickname", .oneSource)

    /// The order of the two bytes of a UTF-16 unit.
    public enum ByteOrder: Hashable, Sendable, CaseIterable {
        /// The lower byte first, as in the ring's other numbers.
        case littleEndian
        case bigEndian
    }

    /// A request to set the name.
    public struct Request: BigDataRequest {
        public typealias Owner = Nickname

        /// The text as it is sent, at most 65,535 bytes.
        public let text: [UInt8]

        public init(text: [UInt8]) throws(ValueError) {
            self.text = try RecordLength.checked(text, "text")
        }

        /// Creates a request to set a name. The right byte order is not known.
        public init(_ name: String, _ order: ByteOrder) throws(ValueError) {
            var text: [UInt8] = []
            for unit in name.utf16 {
                let low = UInt8(truncatingIfNeeded: unit)
                let high = UInt8(truncatingIfNeeded: unit >> 8)
                text += order == .littleEndian ? [low, high] : [high, low]
            }
            try self.init(text: text)
        }

        /// Returns the name, decoded in a byte order; an odd last byte is left out.
        public func name(_ order: ByteOrder) -> String {
            var units: [UInt16] = []
            var rest = text[...]
            while let first = rest.popFirst(), let second = rest.popFirst() {
                let isLittle = order == .littleEndian
                units.append(
                    UInt16(isLittle ? first : second) | UInt16(isLittle ? second : first) << 8)
            }
            return String(decoding: units, as: UTF16.self)
        }

        public init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            text = try io.byteArray("text", packet?.text, .wideName)
        }
    }

    /// The status of the request.
    public struct Reply: BigDataReply {
        public typealias Owner = Nickname

        /// The status; 0 in captures.
        public var status: UInt8

        package init(status: UInt8 = 0) {
            self.status = status
        }

        /// Returns `false`: zero is the acknowledgement.
        public static func isNoData(_ frame: BigDataFrame) -> Bool { false }

        public init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            status = try io.uint8("status", packet?.status, .open)
        }
    }
}
