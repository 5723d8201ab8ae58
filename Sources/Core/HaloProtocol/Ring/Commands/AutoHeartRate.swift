/// The automatic measurement of the heart rate: on or off, and its interval.
///
///     → 16 01                          reads; the vendor's app on iOS sends 16 01 02
///     → 16 02 enabled minutesPerMeasurement start low high alarm
///     ← 16 01 enabled minutesPerMeasurement minimumMinutes
///     ← 16 02 enabled                  the minutes are not repeated
///
///     enabled: 1 on, 2 off; minimumMinutes: 5 or 0
///
/// The last four bytes of a write are vendor notes only; apps leave them zero. Firmware accepts any
/// number of minutes from 1 to 255, the vendor's app offers 5, 10, 15, 20, 30, 45 and 60. Some
/// rings forget the setting at their midnight or with an empty battery. The acknowledgement proves
/// nothing, so read the setting again (one source each): an R08 acknowledged "off" and stayed on;
/// an interval may revert, unless the link is dropped and it is written once more.
public enum AutoHeartRate: SettingCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x16, "AutoHeartRate", "automatic heart rate", .captured)
    }

    /// The reply to a write.
    public typealias Echo = ToggleSetting

    /// The setting that is written.
    @frozen
    public struct Setting: FrameFields {
        /// The switch of the measurement: 1 on, 2 off.
        public var enabled: Reported<SwitchState>
        public var minutesPerMeasurement: UInt8
        /// "Start" in vendor notes; its meaning is not described.
        public var start: UInt8 = 0
        /// "Low" in vendor notes: perhaps the pulse below which the ring warns.
        public var low: UInt8 = 0
        /// "High" in vendor notes: perhaps the pulse above which the ring warns.
        public var high: UInt8 = 0
        /// "Alarm" in vendor notes: perhaps the switch of the warning.
        public var alarm: UInt8 = 0

        /// The intervals that firmware accepts, in minutes.
        package static var minutesPerMeasurementRange: ClosedRange<UInt8> { 1...255 }

        /// Creates a setting; a ring needs the minutes even for "off".
        public init(isOn: Bool, minutesPerMeasurement minutes: UInt8) throws(ValueError) {
            try ValueError.check(
                "minutesPerMeasurement", minutes, in: Self.minutesPerMeasurementRange)
            enabled = Reported(SwitchState(oneOrTwo: isOn))
            minutesPerMeasurement = minutes
        }

        /// Creates the setting that leaves a reading as it is, whatever its minutes are.
        public init(_ reading: Reading) {
            enabled = reading.enabled
            minutesPerMeasurement = reading.minutesPerMeasurement
        }

        @inlinable @inline(__always)
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            enabled = try io.reported("enabled", packet?.enabled, .open)
            minutesPerMeasurement = try io.uint8(
                "minutesPerMeasurement", packet?.minutesPerMeasurement, .open, .minutes)
            start = try io.uint8("start", packet?.start, .open)
            low = try io.uint8("low", packet?.low, .body(.pulseFloor))
            high = try io.uint8("high", packet?.high, .body(.pulseCeiling))
            alarm = try io.uint8("alarm", packet?.alarm, .open)
        }
    }

    /// The setting that is read.
    public struct Reading: FrameFields {
        /// The switch of the measurement: 1 on, 2 off.
        public var enabled: Reported<SwitchState>
        public var minutesPerMeasurement: UInt8
        /// The shortest interval that may be set: 5, or 0 on firmware that does not report it.
        public var minimumMinutes: UInt8

        package init(isOn: Bool, minutesPerMeasurement: UInt8, minimumMinutes: UInt8) {
            enabled = Reported(SwitchState(oneOrTwo: isOn))
            self.minutesPerMeasurement = minutesPerMeasurement
            self.minimumMinutes = minimumMinutes
        }

        @inlinable @inline(__always)
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            enabled = try io.reported("enabled", packet?.enabled, .open)
            minutesPerMeasurement = try io.uint8(
                "minutesPerMeasurement", packet?.minutesPerMeasurement, .open, .minutes)
            minimumMinutes = try io.uint8("minimumMinutes", packet?.minimumMinutes, .open, .minutes)
        }
    }
}
