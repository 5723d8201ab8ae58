/// Lights the ring's green light for about ten seconds.
///
///     → 50 55 AA
///     ← 50 …                           a reply is not certain: kept as it is
public enum FindDevice: RequestCommand, SingleReplyCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x50, "FindDevice", "find the device", .severalSources)
    }

    /// A request to light the green light.
    public struct Request: RequestPacket {
        public typealias Owner = FindDevice

        @usableFromInline static var firstMarker: UInt8 { 0x55 }
        @usableFromInline static var secondMarker: UInt8 { 0xAA }

        @usableFromInline package var unclaimed = InlineBytes()

        @inlinable @inline(__always)
        public init() {}

        @inlinable @inline(__always)
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            try io.marker("firstMarker", Self.firstMarker, packet)
            try io.marker("secondMarker", Self.secondMarker, packet)
            unclaimed = try io.unclaimed(packet?.unclaimed)
        }
    }
}
