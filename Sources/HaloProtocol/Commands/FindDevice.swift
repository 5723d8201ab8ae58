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

        @usableFromInline static var firstMarker: UInt8 { 0x55 }
        @usableFromInline static var secondMarker: UInt8 { 0xAA }

        /// What follows; zeros so far.
        public let unclaimed: InlineBytes

        /// Lights the light.
        @inlinable @inline(__always)
        public init() {
            unclaimed = InlineBytes()
        }

        @inlinable @inline(__always)
        public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
            try reader.marker("firstMarker", Self.firstMarker)
            try reader.marker("secondMarker", Self.secondMarker)
            unclaimed = try reader.unclaimed()
        }

        @inlinable @inline(__always)
        public func encode(into writer: inout FrameWriter) {
            writer.marker("firstMarker", Self.firstMarker)
            writer.marker("secondMarker", Self.secondMarker)
            writer.unclaimed(unclaimed)
        }
    }
}
