/// The ring wants the phone to make itself heard.
///
///     ← 22 state                       1 on, 2 off
///
/// Vendor notes only; sent by the ring, unasked.
public enum FindPhone: SingleReplyCommand {
    @inlinable public static var opcode: UInt8 { 0x22 }
    @inlinable public static var name: FieldName { "FindPhone" }
    @inlinable public static var title: FieldName { "find the phone" }
    @inlinable public static var evidence: Evidence { .vendor }

    /// Whether the phone is to be heard.
    public struct Reply: ReplyPacket {
        public typealias Owner = FindPhone

        /// Whether the phone is to be heard.
        public var state: Reported<Toggle>
        /// What follows; never seen.
        public let unclaimed: InlineBytes

        /// Begins or ends the search.
        @inlinable @inline(__always)
        public init(isOn: Bool) {
            state = Reported(Toggle(oneOrTwo: isOn))
            unclaimed = InlineBytes()
        }

        @inlinable @inline(__always)
        public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
            state = try reader.reported("state")
            unclaimed = try reader.unclaimed()
        }

        @inlinable @inline(__always)
        public func encode(into writer: inout FrameWriter) {
            writer.reported("state", state)
            writer.unclaimed(unclaimed)
        }
    }
}
