/// The value of the Heart Rate Measurement characteristic, 2A37.
///
///     flags | bpm, 1 or 2 bytes LE | energy, 2 bytes LE | RR interval, 2 bytes LE, … to the end
///
///     flags: bit 0      bpm has two bytes
///            bit 1      the sensor touches the skin
///            bit 2      the sensor can tell whether it does
///            bit 3      energy is present
///            bit 4      RR intervals are present
///            bits 5–7   reserved; kept
public struct HeartRateMeasurement: BytePacket {
    @inlinable public static var name: PacketName { PacketName("HeartRateMeasurement") }

    /// Whether the sensor touches the skin.
    public enum Contact: Hashable, Sendable {
        /// The sensor cannot tell.
        case notSupported
        /// It does not.
        case notDetected
        /// It does.
        case detected
    }

    @usableFromInline var flags: UInt8

    /// Heart beats in a minute; many sensors say 0 when they have lost the skin.
    public let beatsPerMinute: UInt16
    /// Energy spent since the last reset, if the packet says so; it stays at 65,535.
    public let energyKilojoules: UInt16?
    /// Times between beats in 1024ths of a second, the oldest first.
    public let rrIntervals: [UInt16]

    @inlinable
    public init<Sink: FieldSink>(from reader: inout ByteReader<Sink>) throws(PacketError) {
        flags = try reader.structure("flags")
        beatsPerMinute =
            flags & 1 != 0
            ? try reader.uint16("beatsPerMinute", .beatsPerMinute)
            : UInt16(try reader.uint8("beatsPerMinute", .beatsPerMinute))
        energyKilojoules =
            flags & 8 != 0 ? try reader.uint16("energyKilojoules", .kilojoules) : nil
        var intervals: [UInt16] = []
        if flags & 16 != 0 {
            while reader.remaining > 0 {
                intervals.append(try reader.uint16("rrInterval", .ticksOf1024))
            }
        }
        rrIntervals = intervals
    }

    public func encode(into writer: inout ByteWriter) {
        writer.structure("flags", flags)
        if flags & 1 != 0 {
            writer.uint16("beatsPerMinute", beatsPerMinute)
        } else {
            writer.uint8("beatsPerMinute", UInt8(truncatingIfNeeded: beatsPerMinute))
        }
        if let energyKilojoules { writer.uint16("energyKilojoules", energyKilojoules) }
        for interval in rrIntervals { writer.uint16("rrInterval", interval) }
    }
}
