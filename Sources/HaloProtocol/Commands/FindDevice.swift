/// Lights the ring's green light for about ten seconds.
///
///     → 50 55 AA
///     ← 50 …                           whether a ring answers is not known: kept as it is
public enum FindDevice: RequestCommand, SingleReplyCommand {
    @inlinable public static var opcode: UInt8 { 0x50 }
    @inlinable public static var name: FieldName { "FindDevice" }
    @inlinable public static var title: FieldName { "find the device" }
    @inlinable public static var evidence: Evidence { .severalSources }

    /// Never described.
    public typealias Reply = Acknowledgement<FindDevice>

    /// Lights the light.
    public struct Request: RequestPacket {
        public typealias Owner = FindDevice

        /// What follows; zeros so far.
        public var unclaimed: InlineBytes

        /// Lights the light.
        @inlinable @inline(__always)
        public init() {
            unclaimed = InlineBytes()
        }

        @inlinable @inline(__always)
        public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
            try reader.marker("marker", 0x55)
            try reader.marker("marker", 0xAA)
            unclaimed = try reader.unclaimed()
        }

        @inlinable @inline(__always)
        public func encode(into writer: inout FrameWriter) {
            writer.marker("marker", 0x55)
            writer.marker("marker", 0xAA)
            writer.unclaimed(unclaimed)
        }
    }
}
