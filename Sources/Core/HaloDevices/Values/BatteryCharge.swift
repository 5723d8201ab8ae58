internal import HaloProtocol

/// The charge of a battery.
public struct BatteryCharge: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The level in percent, from 0 to 100; no device was seen to report more.
    public let percent: Int
    /// `true` while the battery is charging; `nil` if the device does not report it, or reports a
    /// code that is not described.
    public let isCharging: Bool?

    /// Creates a charge, for previews and tests.
    public init(percent: Int, isCharging: Bool? = nil) {
        self.percent = percent
        self.isCharging = isCharging
    }

    init(percent: UInt8, charging: Reported<Battery.Charging>) {
        self.init(percent: Int(percent), isCharging: charging.known.map { $0 == .charging })
    }

    init(_ reply: Battery.Reply) {
        self.init(percent: reply.percent, charging: reply.charging)
    }

    /// `80 %`, or `80 %, charging`.
    public var description: String {
        isCharging == true ? "\(percent) %, charging" : "\(percent) %"
    }
}
