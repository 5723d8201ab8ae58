/// The automatic measurement of blood pressure: its period and its interval.
///
///     → 0C 01                          reads
///     → 0C 02 enabled period minutesPerMeasurement    writes; as the reading, never captured
///     ← 0C 01 enabled period minutesPerMeasurement    1 on, 2 off; period: start, end
///     ← 0C 02 …                        the reply to a write is not known: kept as it is
///
/// One source has it from an H59 band: on, 00:00 to 23:00, every 60 minutes. An R12, which has no
/// blood pressure, sends 16 28 00 0C in place of the switch and the period: such bytes are kept
/// without a meaning.
public enum BloodPressureSetting: SettingCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x0C, "BloodPressureSetting", "blood pressure setting", .captured)
    }

    /// The switch, the period and the interval.
    public struct Setting: FrameFields {
        /// The switch of the measurement: 1 on, 2 off.
        public var enabled: Reported<SwitchState>
        public var period: DailyPeriod
        public var minutesPerMeasurement: UInt8

        public init(isOn: Bool, period: DailyPeriod, minutesPerMeasurement: UInt8) {
            enabled = Reported(SwitchState(oneOrTwo: isOn))
            self.period = period
            self.minutesPerMeasurement = minutesPerMeasurement
        }

        @inlinable @inline(__always)
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            enabled = try io.reported("enabled", packet?.enabled, .open)
            period = try DailyPeriod(&io, packet?.period)
            minutesPerMeasurement = try io.uint8(
                "minutesPerMeasurement", packet?.minutesPerMeasurement, .open, .minutes)
        }
    }
}
