/// The value of the Battery Level characteristic, 2A19.
///
///     ← level                          percent; 101 to 255 are reserved and kept
///
/// Rings do not have it: theirs is ``Battery``.
public struct BatteryLevel: BytePacket {
    public static var name: PacketName { PacketName("BatteryLevel") }

    /// The byte as it was sent.
    public let level: UInt8

    /// How full the battery is; nothing if the byte is a reserved one.
    public var percent: UInt8? { level <= Self.full ? level : nil }

    private static var full: UInt8 { 100 }

    /// A level from 0 to 100.
    public init(percent: UInt8) throws(ValueError) {
        guard percent <= Self.full else {
            throw ValueError("percent", allowed: 0...Int64(Self.full), found: Int64(percent))
        }
        level = percent
    }

    public init<Sink: FieldSink>(from reader: inout ByteReader<Sink>) throws(PacketError) {
        level = try reader.uint8("level", .percent)
        if level > Self.full { reader.means { "reserved (\(level))" } }
    }

    public func encode(into writer: inout ByteWriter) {
        writer.uint8("level", level)
    }
}

extension BatteryLevel: CustomStringConvertible {
    /// `80 %`, or the byte that is none.
    public var description: String { percent.map { "\($0) %" } ?? "reserved (\(level))" }
}
