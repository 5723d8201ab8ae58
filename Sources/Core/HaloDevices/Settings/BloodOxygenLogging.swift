/// The regular measurement of blood oxygen.
public struct BloodOxygenLogging: Hashable, Sendable, Codable, CustomStringConvertible {
    /// `true` if the ring measures by itself.
    public var isOn: Bool
    /// The time between two measurements, in whole minutes; `nil` for firmware that does not report
    /// it. Apps wrote `nil` in every capture, to rings that do not report it: it is not known
    /// whether rings accept an interval.
    public var interval: Duration?

    /// The limits of the interval; 0 for `nil`.
    package static let intervalMinutes: ClosedRange<UInt8> = 0...255

    /// Creates a setting.
    public init(isOn: Bool, interval: Duration? = nil) {
        self.isOn = isOn
        self.interval = interval
    }

    /// The setting in words: `on`, `on, every 60 min`.
    public var description: String {
        let rhythm = interval.map { ", every \(Wording.duration($0))" } ?? ""
        return "\(Wording.state(isOn))\(rhythm)"
    }
}
