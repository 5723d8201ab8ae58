/// How often the ring measures the heart rate by itself.
///
///     → 16 01                          reads; the vendor's app on iOS sends 16 01 02
///     → 16 02 on minutes start low high alarm
///     ← 16 01 on minutes least         on: 1 on, 2 off; least: 5 or 0
///     ← 16 02 on                       the minutes are not repeated
///
/// The last four bytes of a write are vendor notes only; apps leave them zero. Firmware accepts any
/// number of minutes from 1, the vendor's app offers 5, 10, 15, 20, 30, 45 and 60. Some rings
/// forget the setting at their midnight or with an empty battery.
public enum AutoHeartRate: SettingCommand {
    @inlinable public static var opcode: UInt8 { 0x16 }
    @inlinable public static var name: FieldName { "AutoHeartRate" }
    @inlinable public static var title: FieldName { "automatic heart rate" }
    @inlinable public static var evidence: Evidence { .captured }

    /// What answers a write.
    public typealias Echo = ToggleSetting

    /// How often the ring is to measure.
    public struct Setting: FrameFields {
        /// Whether it measures by itself.
        public var enabled: Reported<Toggle>
        /// How many minutes lie between two measurements.
        public var minutesPerMeasurement: UInt8
        /// "Start" in vendor notes; what it starts is not said.
        public var start: UInt8
        /// "Low" in vendor notes: perhaps the pulse below which the ring warns.
        public var low: UInt8
        /// "High" in vendor notes: perhaps the pulse above which the ring warns.
        public var high: UInt8
        /// "Alarm" in vendor notes: perhaps whether it warns.
        public var alarm: UInt8

        /// A setting; the minutes are needed also to switch it off.
        public init(isOn: Bool, minutesPerMeasurement minutes: UInt8) throws(ValueError) {
            guard minutes > 0 else {
                throw ValueError("minutesPerMeasurement", allowed: 1...255, found: 0)
            }
            enabled = Reported(Toggle(oneOrTwo: isOn))
            minutesPerMeasurement = minutes
            start = 0
            low = 0
            high = 0
            alarm = 0
        }

        @inlinable @inline(__always)
        public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
            enabled = try reader.reported("enabled")
            minutesPerMeasurement = try reader.uint8("minutesPerMeasurement", .minutes)
            start = try reader.uint8("start")
            low = try reader.uint8("low")
            high = try reader.uint8("high")
            alarm = try reader.uint8("alarm")
        }

        @inlinable @inline(__always)
        public func encode(into writer: inout FrameWriter) {
            writer.reported("enabled", enabled)
            writer.uint8("minutesPerMeasurement", minutesPerMeasurement)
            writer.uint8("start", start)
            writer.uint8("low", low)
            writer.uint8("high", high)
            writer.uint8("alarm", alarm)
        }
    }

    /// How often the ring measures.
    public struct Reading: FrameFields {
        /// Whether it measures by itself.
        public var enabled: Reported<Toggle>
        /// How many minutes lie between two measurements.
        public var minutesPerMeasurement: UInt8
        /// The fewest minutes that may be set: 5, or 0 where firmware does not say.
        public var leastMinutes: UInt8

        /// A reading.
        public init(isOn: Bool, minutesPerMeasurement: UInt8, leastMinutes: UInt8) {
            enabled = Reported(Toggle(oneOrTwo: isOn))
            self.minutesPerMeasurement = minutesPerMeasurement
            self.leastMinutes = leastMinutes
        }

        @inlinable @inline(__always)
        public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
            enabled = try reader.reported("enabled")
            minutesPerMeasurement = try reader.uint8("minutesPerMeasurement", .minutes)
            leastMinutes = try reader.uint8("leastMinutes", .minutes)
        }

        @inlinable @inline(__always)
        public func encode(into writer: inout FrameWriter) {
            writer.reported("enabled", enabled)
            writer.uint8("minutesPerMeasurement", minutesPerMeasurement)
            writer.uint8("leastMinutes", leastMinutes)
        }
    }
}
