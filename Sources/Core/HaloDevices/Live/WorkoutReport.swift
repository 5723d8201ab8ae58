internal import HaloProtocol

/// The progress of a running workout: a report once a second.
public struct WorkoutReport: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The states of a workout.
    public enum State: String, Hashable, Sendable, Codable {
        case running
        case paused
        /// The workout has ended, or the ring is not worn; known from vendor notes only.
        case ended
        /// A state that is not described.
        case unknown
    }

    /// The state.
    public let state: State
    /// The time since the start, without pauses, in whole seconds.
    public let elapsed: Duration
    /// The heart rate in beats per minute; `nil` in the first seconds.
    public let beatsPerMinute: Int?
    /// The number of steps since the start.
    public let steps: Int
    /// The distance since the start in metres.
    public let metres: Int
    /// The energy since the start, in the unit of food labels.
    public let kilocalories: Double

    /// Creates a value, for previews and tests.
    public init(
        state: State, elapsed: Duration, beatsPerMinute: Int? = nil, steps: Int, metres: Int,
        kilocalories: Double
    ) {
        self.state = state
        self.elapsed = elapsed
        self.beatsPerMinute = beatsPerMinute
        self.steps = steps
        self.metres = metres
        self.kilocalories = kilocalories
    }

    /// `running, 90 s, 120 bpm`.
    public var description: String {
        let time = "\(state.rawValue), \(elapsed.saturatedComponents.seconds) s"
        return beatsPerMinute.map { "\(time), \($0) bpm" } ?? time
    }

    init(_ reply: WorkoutProgress.Reply) {
        let state: State =
            switch reply.state.known {
            case .running: .running
            case .paused: .paused
            case .ended: .ended
            case nil: .unknown
            }
        self.init(
            state: state, elapsed: .seconds(reply.elapsedSeconds),
            beatsPerMinute: reply.beatsPerMinute == 0 ? nil : Int(reply.beatsPerMinute),
            steps: Int(reply.steps.value), metres: Int(reply.metres.value),
            kilocalories: reply.kilocalories)
    }
}
