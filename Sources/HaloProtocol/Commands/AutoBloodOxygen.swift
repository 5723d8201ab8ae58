/// Whether the ring measures blood oxygen by itself.
///
///     → 2C 01                          reads
///     → 2C 02 on minutes               on: 1 on, 0 off; one client writes 2 for off
///     ← 2C 01 on minutes               minutes only from newer firmware: 30 on an R10, else 0
///     ← 2C 02 on                       the written byte again
///
/// Apps write no minutes, so whether a ring would take any is not known.
public enum AutoBloodOxygen: SettingCommand {
    @inlinable public static var opcode: UInt8 { 0x2C }
    @inlinable public static var name: FieldName { "AutoBloodOxygen" }
    @inlinable public static var title: FieldName { "automatic blood oxygen" }
    @inlinable public static var evidence: Evidence { .captured }

    /// How often the ring measures.
    public struct Setting: FrameFields {
        /// Whether it measures by itself.
        public var enabled: Reported<Toggle>
        /// How many minutes lie between two measurements, 0 where that is not said.
        public var minutesPerMeasurement: UInt8

        /// On or off; apps write no minutes.
        public init(_ enabled: Toggle, minutesPerMeasurement: UInt8 = 0) {
            self.enabled = Reported(enabled)
            self.minutesPerMeasurement = minutesPerMeasurement
        }

        @inlinable @inline(__always)
        public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
            enabled = try reader.reported("enabled")
            minutesPerMeasurement = try reader.uint8("minutesPerMeasurement", .minutes)
        }

        @inlinable @inline(__always)
        public func encode(into writer: inout FrameWriter) {
            writer.reported("enabled", enabled)
            writer.uint8("minutesPerMeasurement", minutesPerMeasurement)
        }
    }
}
