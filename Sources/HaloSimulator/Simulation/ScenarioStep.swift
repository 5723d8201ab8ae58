internal import HaloProtocol

/// Something that happens in a run, besides what devices and faults do by themselves.
struct ScenarioStep: Sendable {
    /// How long after the step before it.
    var delay: Duration
    /// Which of the rings it is about.
    var ring: Int
    /// What happens.
    var action: Action

    /// What can happen.
    enum Action: Sendable {
        /// The app asks for something.
        case ask(Question)
        /// The app takes a request back: the newest, or one before it.
        case cancel(newest: Int)
        /// The app wants to see values as they come.
        case startStream(RingStream)
        /// The app has seen enough.
        case stopStream
        /// The app does not run: nothing that comes is taken in until it does.
        case pauseApp(Duration)
        /// The app takes in what comes, and does not look at what its session says.
        case neglectSession(Duration)
        /// The wearer takes the ring off.
        case takeOff
        /// The wearer puts it on.
        case putOn
        /// The ring lies on its charger, or no longer.
        case charge(Bool)
        /// The app closes the link, and connects again after a while.
        case leave(Duration)
    }
}

extension ScenarioStep.Action: CustomStringConvertible {
    /// What happens, in a few words.
    var description: String {
        switch self {
        case .ask(let question): "ask: \(question.title)"
        case .cancel(0): "take back the newest request"
        case .cancel(let newest): "take back the request \(newest) before the newest"
        case .startStream(let stream): "start \(Self.words(stream))"
        case .stopStream: "stop the newest stream"
        case .pauseApp(let duration): "the app sleeps for \(Self.seconds(duration))"
        case .neglectSession(let duration): "the app looks away for \(Self.seconds(duration))"
        case .takeOff: "the ring is taken off"
        case .putOn: "the ring is put on"
        case .charge(true): "the ring is put on its charger"
        case .charge(false): "the ring is taken from its charger"
        case .leave(let duration): "the app closes the link for \(Self.seconds(duration))"
        }
    }

    private static func seconds(_ duration: Duration) -> String {
        "\(duration.wholeMicroseconds / 1_000_000) s"
    }

    private static func words(_ stream: RingStream) -> String {
        switch stream {
        case .measurement(let quantity): "measuring \(quantity.label)"
        case .workout(let sport): "a workout, \(sport.label)"
        case .rawSensors: "raw sensors"
        }
    }
}
