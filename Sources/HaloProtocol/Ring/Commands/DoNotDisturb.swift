/// The hours in which the ring keeps quiet.
///
///     → 06 01                          reads
///     → 06 02 enabled period           1 on, 2 off; hour, minute of start, then of end
///     ← 06 01 enabled period manual    manual: vendor notes only
///     ← 06 02 …                        the reply to a write is not known: kept as it is
///
/// Every captured ring refuses it (86 EE): the layout is from other sources.
public enum DoNotDisturb: SettingCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x06, "DoNotDisturb", "do not disturb")
    }

    /// The reply to a write, whose layout is not known.
    public typealias Echo = NoFields

    /// The switch and the quiet hours.
    public struct Setting: FrameFields {
        /// The switch of the quiet hours: 1 on, 2 off.
        public var enabled: Reported<Toggle>
        /// The hours in which the ring keeps quiet.
        public var period: DailyPeriod

        /// Creates a setting.
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

    /// The setting, and a switch that the wearer operates by hand.
    public struct Reading: FrameFields {
        /// The switch and the quiet hours.
        public var setting: Setting
        /// The wearer's own switch; its numbers are not described.
        public var manual: UInt8

        /// Creates a reading.
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
