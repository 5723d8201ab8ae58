/// The value of the Battery Level characteristic, 2A19.
///
///     ← level                          percent; 101 to 255 are reserved and kept
///
/// Rings do not have it: theirs is ``Battery``.
public struct BatteryLevel: BytePacket, CustomStringConvertible {
    public static var name: PacketName { PacketName("BatteryLevel") }

    public let level: UInt8

    /// The level in percent, or `nil` for a reserved byte.
    public var percent: UInt8? { level <= Self.full ? level : nil }

    private static var full: UInt8 { 100 }

    /// Creates a level from 0 to 100.
    public init(percent: UInt8) throws(ValueError) {
        try ValueError.check("percent", percent, in: 0...Int64(Self.full))
        level = percent
    }

    public init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        level = try io.uint8("level", packet?.level, .open, .percent)
        if level > Self.full { io.means { "reserved (\(level))" } }
    }

    /// The level as `80 %`, or the reserved byte.
    public var description: String { percent.map { "\($0) %" } ?? "reserved (\(level))" }
}
