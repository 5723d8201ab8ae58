public import HaloProtocol

extension Ring {
    /// What a ring says unasked.
    public enum Event: Hashable, Sendable {
        /// The battery's level or its charging has changed.
        case battery(BatteryCharge)
        /// Something was stored: the history has more than before.
        case stored(HistoryKind)
        /// A stress was stored.
        case stressStored(score: Int)
        /// A heart-rate variability was stored.
        case variabilityStored(milliseconds: Int)
        /// A temperature was stored.
        case temperatureStored(celsius: Double)
        /// The wearer has walked: the totals of today. The same may come twice.
        case walked(LiveActivity)
        /// The goal of the day was reached; known from vendor notes only.
        case goalReached
        /// The hand was waved while ``Ring/gestures`` were watched for.
        case gesture
        /// The wearer looks for the phone, or has found it; known from vendor notes only.
        case findPhone(Bool)
        /// Something else, as it came.
        case other(RingEvent)
        /// So many events were dropped here, because nobody fetched them.
        case missed(Int)
    }
}

extension Ring.Event {
    /// What an event of the conversation means to an app.
    public init(_ event: RingEvent) {
        switch event {
        case .notification(let notification):
            self = Self.meaning(of: notification.content) ?? .other(event)
        case .unsolicited(let frame):
            self = Self.meaning(of: frame) ?? .other(event)
        case .unsolicitedRecord, .late, .lateRecord, .unknown, .brokenFrame, .brokenPacket,
            .brokenRecord:
            self = .other(event)
        case .dropped(let count):
            self = .missed(count)
        }
    }

    private static func meaning(of content: RingNotification.Content) -> Ring.Event? {
        switch content {
        case .heartRateStored: .stored(.heartRate)
        case .bloodOxygenStored: .stored(.bloodOxygen)
        case .activityChanged: .stored(.activity)
        case .workoutStored: .stored(.workouts)
        case .battery(let percent, let charging):
            .battery(BatteryCharge(percent: percent, charging: charging))
        case .goalReached: .goalReached
        case .liveActivity(let activity): .walked(activity)
        case .temperatureStored(let temperature):
            .temperatureStored(celsius: temperature.celsius)
        case .variabilityStored(let milliseconds):
            .variabilityStored(milliseconds: Int(milliseconds))
        case .stressStored(let score): .stressStored(score: Int(score))
        case .bloodPressureStored, .temperatureNoted, .daySport, .bloodSugar, .prayerCounter,
            .unknown:
            nil
        }
    }

    private static func meaning(of frame: Frame) -> Ring.Event? {
        if frame.opcode == FindPhone.opcode, let reply = try? FindPhone.Reply(decoding: frame) {
            return .findPhone(reply.state.isOn)
        }
        if frame.opcode == Camera.opcode, let reply = try? Camera.Reply(decoding: frame),
            reply.event == .gesture
        {
            return .gesture
        }
        return nil
    }
}

extension Ring.Event: CustomStringConvertible {
    /// The event in words.
    public var description: String {
        switch self {
        case .battery(let charge): "battery: \(charge)"
        case .stored(let kind): "stored: \(kind)"
        case .stressStored(let score): "stored: stress \(score)"
        case .variabilityStored(let milliseconds):
            "stored: heart-rate variability of \(milliseconds) ms"
        case .temperatureStored(let celsius): "stored: temperature of \(celsius) °C"
        case .walked(let activity): "walked: \(activity.steps) steps, \(activity.metres) m today"
        case .goalReached: "the goal of the day is reached"
        case .gesture: "gesture"
        case .findPhone(let isOn): isOn ? "looks for the phone" : "has found the phone"
        case .other(let event): "\(event)"
        case .missed(let count): "\(count) events were dropped"
        }
    }
}

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
