/// The regular measurement of blood pressure.
public struct BloodPressureLogging: Hashable, Sendable, Codable, CustomStringConvertible {
    /// `true` if the ring measures by itself.
    public var isOn: Bool
    /// The part of the day in which it measures.
    public var hours: DailyHours
    /// The time between two measurements, in whole minutes up to 255.
    public var interval: Duration

    package static let intervalMinutes: ClosedRange<UInt8> = 0...255

    /// Creates a setting.
    public init(isOn: Bool, hours: DailyHours, interval: Duration) {
        self.isOn = isOn
        self.hours = hours
        self.interval = interval
    }

    /// The setting in words: `on, 08:00–22:00, every 60 min`.
    public var description: String {
        "\(Wording.state(isOn)), \(hours), every \(Wording.duration(interval))"
    }
}
