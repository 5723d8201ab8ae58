/// The wearer's name, as the ring keeps it.
///
///     → 4A text…               UTF-16; which byte of a unit comes first is not known
///     ← 4A status              00 in captures
///
/// A ring that does not know the record answers 00 as well, so a status of 0 proves little.
public enum Nickname: BigDataRequestCommand, BigDataReplyCommand {
    public static var name: FieldName { "Nickname" }
    public static var title: FieldName { "nickname" }
    public static var evidence: Evidence { .oneSource }
    public static var requestID: UInt8 { 0x4A }

    /// Which byte of a UTF-16 unit comes first.
    public enum ByteOrder: Hashable, Sendable, CaseIterable {
        /// The lower one, as in the ring's other numbers.
        case littleEndian
        /// The higher one.
        case bigEndian
    }

    /// Writes the name.
    public struct Request: BigDataRequest {
        public typealias Owner = Nickname

        /// The text as it is sent, at most 65,535 bytes.
        public let text: [UInt8]

        /// A text as it is sent.
        public init(text: [UInt8]) throws(ValueError) {
            self.text = try RecordLength.checked(text, "text")
        }

        /// A name. Which order is right nobody has described.
        public init(_ name: String, _ order: ByteOrder) throws(ValueError) {
            var text: [UInt8] = []
            for unit in name.utf16 {
                let low = UInt8(truncatingIfNeeded: unit)
                let high = UInt8(truncatingIfNeeded: unit >> 8)
                text += order == .littleEndian ? [low, high] : [high, low]
            }
            try self.init(text: text)
        }

        /// The name, if its bytes are in the given order; a byte that is left over is left out.
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

        public init<Sink: FieldSink>(from reader: inout ByteReader<Sink>) throws(PacketError) {
            text = try reader.byteArray("text", count: reader.remaining)
        }

        public func encode(into writer: inout ByteWriter) {
            writer.byteArray("text", text)
        }
    }

    /// Whether the name was taken.
    public struct Reply: BigDataReply {
        public typealias Owner = Nickname

        /// 0 in captures; other values were never seen.
        public var status: UInt8

        /// An acknowledgement.
        public init(status: UInt8 = 0) {
            self.status = status
        }

        /// Never: zero is the acknowledgement.
        public static func isNoData(_ frame: BigDataFrame) -> Bool { false }

        public init<Sink: FieldSink>(from reader: inout ByteReader<Sink>) throws(PacketError) {
            status = try reader.uint8("status")
        }

        public func encode(into writer: inout ByteWriter) {
            writer.uint8("status", status)
        }
    }
}
