/// The automatic measurement of blood oxygen.
///
///     → 2C 01                          reads
///     → 2C 02 enabled minutesPerMeasurement    1 on, 0 off; one client writes 2 for off
///     ← 2C 01 enabled minutesPerMeasurement    newer firmware: 30 on an R10; else 0, as on an R12
///     ← 2C 02 enabled                  the written byte again
///
/// Readings were captured on the boards RT03CR (R10) and RT11CR (R12) alone. Apps write no minutes;
/// whether a ring accepts any is not known.
public enum AutoBloodOxygen: SettingCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x2C, "AutoBloodOxygen", "automatic blood oxygen", .captured)
    }

    /// The written setting again.
    public typealias Echo = Setting

    /// The switch and the interval.
    public struct Setting: FrameFields {
        /// The switch of the measurement: 1 on, 0 off.
        public var enabled: Reported<SwitchState>
        /// The interval between two measurements; 0 if the ring does not report it.
        public var minutesPerMeasurement: UInt8

        /// Creates a setting that is on or off; apps write no minutes.
        public init(_ enabled: SwitchState, minutesPerMeasurement: UInt8 = 0) {
            self.enabled = Reported(enabled)
            self.minutesPerMeasurement = minutesPerMeasurement
        }

        @inlinable @inline(__always)
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            enabled = try io.reported("enabled", packet?.enabled, .open)
            minutesPerMeasurement = try io.uint8(
                "minutesPerMeasurement", packet?.minutesPerMeasurement, .open, .minutes)
        }
    }
}
