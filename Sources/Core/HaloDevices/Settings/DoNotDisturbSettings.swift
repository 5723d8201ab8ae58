/// The daily hours in which a ring does not disturb.
public struct DoNotDisturbSettings: Hashable, Sendable, Codable, CustomStringConvertible {
    /// `true` if the ring keeps quiet during the hours.
    public var isOn: Bool
    /// The hours.
    public var hours: DailyHours

    /// Creates a setting.
    public init(isOn: Bool, hours: DailyHours) {
        self.isOn = isOn
        self.hours = hours
    }

    /// The setting in words: `on, 22:00–07:00`.
    public var description: String { "\(Wording.state(isOn)), \(hours)" }
}
