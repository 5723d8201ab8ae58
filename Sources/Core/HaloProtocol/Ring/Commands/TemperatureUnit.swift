/// The unit in which temperatures are shown, by vendor notes; apps read it along with versions.
///
///     → 19 01                          reads; also 19 01 01 01, with the same reply
///     → 19 02 enabled unit             writes; vendor notes only
///     ← 19 01 enabled unit             00 01 from R10 and R12
///     ← 19 02 …                        the reply to a write is not known: kept as it is
///
/// Unit 0 for °C and 1 for °F is one reading of the notes, and not certain.
public enum TemperatureUnit: SettingCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x19, "TemperatureUnit", "temperature unit", .captured)
    }

    /// The switch and the unit.
    public struct Setting: FrameFields {
        /// The switch, "on" in vendor notes; 0 in all captures.
        public var enabled: Reported<SwitchState>
        public var unit: Reported<Unit>

        public init(isOn: Bool, unit: Unit) {
            enabled = Reported(SwitchState(isOn))
            self.unit = Reported(unit)
        }

        @inlinable @inline(__always)
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            enabled = try io.reported("enabled", packet?.enabled, .open)
            unit = try io.reported("unit", packet?.unit, .open)
        }
    }

    /// A unit of temperature, in one reading of vendor notes.
    public enum Unit: UInt8, FieldCode {
        case celsius = 0
        case fahrenheit = 1

        public static let labels = FieldLabels<Unit>([
            .celsius: "°C (uncertain)", .fahrenheit: "°F (uncertain)",
        ])
    }
}
