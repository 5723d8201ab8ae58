/// **Dangerous**: erases everything that the ring has stored.
///
///     → FF 66 66                       some sources leave the two bytes out
///
/// Nothing is known of an answer.
public enum DangerousFactoryReset: DangerousCommand, UnansweredCommand {
    @inlinable public static var opcode: UInt8 { 0xFF }
    @inlinable public static var name: FieldName { "DangerousFactoryReset" }
    @inlinable public static var title: FieldName { "factory reset" }
    @inlinable public static var evidence: Evidence { .severalSources }

    /// Erases everything.
    public struct Request: RequestPacket {
        public typealias Owner = DangerousFactoryReset

        /// The two bytes that tell the command from a mistake, 0x6666.
        public let confirmation: UInt16
        /// What follows; never seen.
        public let unclaimed: InlineBytes

        @usableFromInline static var expected: UInt16 { 0x6666 }

        /// Erases everything, for a caller who knows it.
        public static let knowinglyErasingEverything = Request(confirmation: expected)

        init(confirmation: UInt16) {
            self.confirmation = confirmation
            unclaimed = InlineBytes()
        }

        /// Whether the two bytes are there.
        @inlinable public var isConfirmed: Bool { confirmation == Self.expected }

        @inlinable @inline(__always)
        public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
            let confirmation = try reader.uint16BigEndian("confirmation")
            reader.means { confirmation == Self.expected ? "confirmed" : "not confirmed" }
            self.confirmation = confirmation
            unclaimed = try reader.unclaimed()
        }

        @inlinable @inline(__always)
        public func encode(into writer: inout FrameWriter) {
            writer.uint16BigEndian("confirmation", confirmation)
            writer.unclaimed(unclaimed)
        }
    }
}
