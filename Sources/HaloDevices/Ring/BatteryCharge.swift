public import HaloProtocol

/// How full a battery is.
public struct BatteryCharge: Hashable, Sendable {
    /// From 0 to 100; no ring was seen to say more.
    public let percent: Int
    /// Whether it is on its charger; nothing if the ring says something that nobody has described.
    public let isCharging: Bool?

    /// A charge.
    public init(percent: Int, isCharging: Bool?) {
        self.percent = percent
        self.isCharging = isCharging
    }

    /// What a ring answers.
    public init(_ reply: Battery.Reply) {
        self.init(percent: reply.percent, charging: reply.charging)
    }

    init(percent: UInt8, charging: Reported<Battery.Charging>) {
        self.init(percent: Int(percent), isCharging: charging.known.map { $0 == .charging })
    }
}

extension BatteryCharge: CustomStringConvertible {
    /// `80 %`, and whether it is charging.
    public var description: String {
        isCharging == true ? "\(percent) %, charging" : "\(percent) %"
    }
}
