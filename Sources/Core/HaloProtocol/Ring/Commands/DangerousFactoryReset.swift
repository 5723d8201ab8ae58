/// **Dangerous**: erases everything that the ring has stored.
///
///     → FF 66 66                       some sources leave the two bytes out
///
/// No reply is known.
public enum DangerousFactoryReset: UnansweredCommand {
    public static let facts = CommandFacts(
        0xFF, "DangerousFactoryReset", "factory reset", .severalSources,
        danger: "erases everything that the ring has stored")

    /// A request to erase everything.
    public struct Request: RequestPacket {
        public typealias Owner = DangerousFactoryReset

        /// The two bytes that confirm the command, 0x6666.
        public let confirmation: UInt16
        /// The bytes after the fields; never seen.
        @usableFromInline package var unclaimed = InlineBytes()

        @usableFromInline static var expected: UInt16 { 0x6666 }

        public static let knowinglyErasingEverything = Request(confirmation: expected)

        init(confirmation: UInt16) {
            self.confirmation = confirmation
        }

        /// `true` if the two bytes are the confirmation.
        @inlinable public var isConfirmed: Bool { confirmation == Self.expected }

        @inlinable @inline(__always)
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            let confirmation = try io.uint16(
                "confirmation", packet?.confirmation, .open, isBigEndian: true)
            io.means { confirmation == Self.expected ? "confirmed" : "not confirmed" }
            self.confirmation = confirmation
            unclaimed = try io.unclaimed(packet?.unclaimed)
        }
    }
}
