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

    /// The switch and the quiet hours.
    public struct Setting: FrameFields {
        /// The switch of the quiet hours: 1 on, 2 off.
        public var enabled: Reported<SwitchState>
        public var period: DailyPeriod

        public init(isOn: Bool, period: DailyPeriod) {
            enabled = Reported(SwitchState(oneOrTwo: isOn))
            self.period = period
        }

        @inlinable @inline(__always)
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            enabled = try io.reported("enabled", packet?.enabled, .open)
            period = try DailyPeriod(&io, packet?.period)
        }
    }

    /// The setting, and a switch that the wearer operates by hand.
    public struct Reading: FrameFields {
        public var setting: Setting
        /// The wearer's own switch; its numbers are not described.
        public var manual: UInt8

        package init(_ setting: Setting, manual: UInt8 = 0) {
            self.setting = setting
            self.manual = manual
        }

        @inlinable @inline(__always)
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            setting = try Setting(&io, packet?.setting)
            manual = try io.uint8("manual", packet?.manual, .open)
        }
    }
}
