/// When the ring keeps still.
///
///     → 06 01                          reads
///     → 06 02 on period                1 on, 2 off; hour, minute of start, then of end
///     ← 06 01 on period manual         manual: vendor notes only
///     ← 06 02 …                        what answers a write is not known: kept as it is
///
/// Every captured ring refuses it (86 EE): the layout is from other sources.
public enum DoNotDisturb: SettingCommand {
    @inlinable public static var opcode: UInt8 { 0x06 }
    @inlinable public static var name: FieldName { "DoNotDisturb" }
    @inlinable public static var title: FieldName { "do not disturb" }
    @inlinable public static var evidence: Evidence { .vendor }

    /// What answers a write is not known.
    public typealias Echo = NoFields

    /// When the ring is to keep still.
    public struct Setting: FrameFields {
        /// Whether it keeps still in the period.
        public var enabled: Reported<Toggle>
        /// The part of the day.
        public var period: DailyPeriod

        /// A setting.
        public init(isOn: Bool, period: DailyPeriod) {
            enabled = Reported(Toggle(oneOrTwo: isOn))
            self.period = period
        }

        @inlinable @inline(__always)
        public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
            enabled = try reader.reported("enabled")
            period = try DailyPeriod(from: &reader)
        }

        @inlinable @inline(__always)
        public func encode(into writer: inout FrameWriter) {
            writer.reported("enabled", enabled)
            period.encode(into: &writer)
        }
    }

    /// When the ring keeps still, and whether it was told to by hand.
    public struct Reading: FrameFields {
        /// When it keeps still.
        public var setting: Setting
        /// Whether it was told to by hand; which numbers say so is not known.
        public var manual: UInt8

        /// A reading.
        public init(_ setting: Setting, manual: UInt8 = 0) {
            self.setting = setting
            self.manual = manual
        }

        @inlinable @inline(__always)
        public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
            setting = try Setting(from: &reader)
            manual = try reader.uint8("manual")
        }

        @inlinable @inline(__always)
        public func encode(into writer: inout FrameWriter) {
            setting.encode(into: &writer)
            writer.uint8("manual", manual)
        }
    }
}
