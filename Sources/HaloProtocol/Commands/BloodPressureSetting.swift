/// When the ring measures blood pressure by itself.
///
///     → 0C 01                          reads
///     → 0C 02 on period minutes        writes; from the reading's layout, never captured
///     ← 0C 01 on period minutes        1 on, 2 off; hour, minute of start, then of end
///     ← 0C 02 …                        what answers a write is not known: kept as it is
///
/// Seen on an H59 band: on, 00:00 to 23:00, every 60 minutes. An R12, which has no blood pressure,
/// answers 16 28 00 0C where on and the period should be: such bytes are kept, and mean nothing.
public enum BloodPressureSetting: SettingCommand {
    @inlinable public static var opcode: UInt8 { 0x0C }
    @inlinable public static var name: FieldName { "BloodPressureSetting" }
    @inlinable public static var title: FieldName { "blood pressure setting" }
    @inlinable public static var evidence: Evidence { .captured }

    /// What answers a write is not known.
    public typealias Echo = NoFields

    /// When the ring measures.
    public struct Setting: FrameFields {
        /// Whether it measures by itself.
        public var enabled: Reported<Toggle>
        /// The part of the day in which it measures.
        public var period: DailyPeriod
        /// How many minutes lie between two measurements.
        public var minutesPerMeasurement: UInt8

        /// A setting.
        public init(isOn: Bool, period: DailyPeriod, minutesPerMeasurement: UInt8) {
            enabled = Reported(Toggle(oneOrTwo: isOn))
            self.period = period
            self.minutesPerMeasurement = minutesPerMeasurement
        }

        @inlinable @inline(__always)
        public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
            enabled = try reader.reported("enabled")
            period = try DailyPeriod(from: &reader)
            minutesPerMeasurement = try reader.uint8("minutesPerMeasurement", .minutes)
        }

        @inlinable @inline(__always)
        public func encode(into writer: inout FrameWriter) {
            writer.reported("enabled", enabled)
            period.encode(into: &writer)
            writer.uint8("minutesPerMeasurement", minutesPerMeasurement)
        }
    }
}
