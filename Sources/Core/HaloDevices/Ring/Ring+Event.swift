internal import HaloProtocol

extension Ring {
    /// An unsolicited report of a ring.
    public enum Event: Hashable, Sendable, Codable {
        /// The charge of the battery has changed.
        case battery(BatteryCharge)
        /// A value of the kind was stored.
        case stored(HistoryKind)
        case stressStored(score: Int)
        case heartRateVariabilityStored(milliseconds: Int)
        case temperatureStored(celsius: Double)
        /// The wearer walks: the activity since midnight. The same report may come twice.
        case walked(ActivityAmount)
        /// The goal of the day was reached; known from vendor notes only.
        case goalReached
        /// The hand was waved during a loop over ``Ring/gestures``.
        case gesture
        /// The ring was touched while its ``RingSetting/touch`` is
        /// ``/HaloProtocol/TouchGesture/App/report``. One source has seen an R08 report it.
        case touched(Touch)
        /// The wearer begins or ends a search for the phone; known from vendor notes only.
        case findPhone(isOn: Bool)
        /// Any other event, in words for a log.
        case other(String)
        /// The number of events that were dropped because the loop was slow.
        case missed(Int)
    }

    /// A way to touch a ring.
    public enum Touch: String, Hashable, Sendable, Codable, CaseIterable, CustomStringConvertible {
        case swipeUp, swipeDown, tap, longPress

        init?(_ touch: Reported<RingNotification.Touch>) {
            switch touch.known {
            case .swipeUp: self = .swipeUp
            case .swipeDown: self = .swipeDown
            case .tap: self = .tap
            case .longPress: self = .longPress
            case nil: return nil
            }
        }

        /// The touch in words: `swipe up`.
        public var description: String {
            switch self {
            case .swipeUp: "swipe up"
            case .swipeDown: "swipe down"
            case .tap: "tap"
            case .longPress: "long press"
            }
        }
    }
}

extension Ring.Event {
    init(_ event: RingSession.Event) {
        let known: Ring.Event? =
            switch event {
            case .notification(let notification): Self.event(of: notification.content)
            case .unsolicited(let frame): Self.event(of: frame)
            case .dropped(let count): .missed(count)
            case .unsolicitedRecord, .late, .lateRecord, .unknown, .brokenFrame, .brokenPacket,
                .brokenRecord, .fault:
                nil
            }
        self = known ?? .other("\(event)")
    }

    private static func event(of content: RingNotification.Content) -> Ring.Event? {
        switch content {
        case .battery(let percent, let charging):
            .battery(BatteryCharge(percent: percent, charging: charging))
        case .liveActivity(let activity):
            .walked(
                ActivityAmount(
                    steps: Int(activity.steps.value), metres: Int(activity.metres.value),
                    kilocalories: activity.kilocalories))
        case .temperatureStored(let tenths):
            .temperatureStored(celsius: SkinTemperature.celsius(tenths))
        case .variabilityStored(let milliseconds):
            .heartRateVariabilityStored(milliseconds: Int(milliseconds))
        case .stressStored(let score): .stressStored(score: Int(score))
        case .touched(let touch): Ring.Touch(touch).map { .touched($0) }
        case .event(.heartRateStored): .stored(.heartRate)
        case .event(.bloodOxygenStored): .stored(.bloodOxygen)
        case .event(.activityChanged): .stored(.activity)
        case .event(.workoutStored): .stored(.workouts)
        case .event(.goalReached): .goalReached
        case .event: nil
        }
    }

    private static func event(of frame: Frame) -> Ring.Event? {
        if frame.opcode == FindPhone.opcode, let reply = try? FindPhone.Reply(decoding: frame) {
            return .findPhone(isOn: reply.state.isOn)
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
        case .heartRateVariabilityStored(let milliseconds):
            "stored: heart-rate variability of \(milliseconds) ms"
        case .temperatureStored(let celsius): "stored: temperature of \(celsius) °C"
        case .walked(let activity): "walked: \(activity.steps) steps, \(activity.metres) m today"
        case .goalReached: "the goal of the day is reached"
        case .gesture: "gesture"
        case .touched(let touch): "touched: \(touch)"
        case .findPhone(let isOn): isOn ? "looks for the phone" : "has found the phone"
        case .other(let words): words
        case .missed(let count): "\(count) events were dropped"
        }
    }
}
