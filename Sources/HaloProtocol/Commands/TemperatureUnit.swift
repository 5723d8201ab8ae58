/// The unit in which temperatures are shown, by vendor notes; apps ask while they read versions.
///
///     → 19 01                          reads; also 19 01 01 01, with the same answer
///     → 19 02 on unit                  writes; vendor notes only
///     ← 19 01 on unit                  00 01 from R10 and R12, whatever it means
///     ← 19 02 …                        what answers a write is not known: kept as it is
///
/// That unit 0 is °C and 1 is °F is one reading of the notes, and not certain.
public enum TemperatureUnit: SettingCommand {
    @inlinable public static var opcode: UInt8 { 0x19 }
    @inlinable public static var name: FieldName { "TemperatureUnit" }
    @inlinable public static var title: FieldName { "temperature unit" }
    @inlinable public static var evidence: Evidence { .captured }

    /// What answers a write is not known.
    public typealias Echo = NoFields

    /// The unit.
    public struct Setting: FrameFields {
        /// "On" in vendor notes; 0 in all captured answers.
        public var enabled: Reported<Toggle>
        /// The unit, if the notes are right.
        public var unit: Reported<Unit>

        /// A setting.
        public init(isOn: Bool, unit: Unit) {
            enabled = Reported(Toggle(isOn))
            self.unit = Reported(unit)
        }

        @inlinable @inline(__always)
        public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
            enabled = try reader.reported("enabled")
            unit = try reader.reported("unit")
        }

        @inlinable @inline(__always)
        public func encode(into writer: inout FrameWriter) {
            writer.reported("enabled", enabled)
            writer.reported("unit", unit)
        }
    }

    /// A unit of temperature, if vendor notes are read rightly.
    public enum Unit: UInt8, FieldCode {
        /// Degrees Celsius.
        case celsius = 0
        /// Degrees Fahrenheit.
        case fahrenheit = 1

        /// The unit, with the doubt.
        public var label: FieldName {
            switch self {
            case .celsius: "°C (uncertain)"
            case .fahrenheit: "°F (uncertain)"
            }
        }
    }
}
