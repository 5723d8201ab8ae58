/// The wearer's name, as the ring keeps it.
///
///     → 4A text…               UTF-16; the byte order is not known
///     ← 4A status              00 in captures
///
/// A ring that does not know the record replies 00 as well, so a status of 0 proves little.
public enum Nickname: BigDataRequestCommand {
    public static let facts = CommandFacts(0x4A, "Nickname", "nickname", .oneSource)

    /// A request to set the name.
    public struct Request: BigDataRequest {
        public typealias Owner = Nickname

        /// The text as it is sent, in UTF-16 of either byte order; at most 65,535 bytes.
        public let text: [UInt8]

        public init(text: [UInt8]) throws(ValueError) {
            self.text = try RecordLength.checked(text, "text")
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
