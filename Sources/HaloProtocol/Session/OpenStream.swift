/// A stream that has not ended.
struct OpenStream: Sendable {
    /// How far it is.
    enum Phase: Hashable, Sendable {
        /// The ring is told to begin, or will be.
        case starting
        /// It reports.
        case running
        /// It is told to end.
        case stopping
    }

    let number: StreamNumber
    let stream: RingStream
    let isOnce: Bool
    var phase = Phase.starting
    /// Whether the ring was told to begin.
    var isSent = false
    /// Whether the app knows that it has begun.
    var hasStarted = false
    /// When the silence after the last report is too long.
    var silenceEnds: Moment?
    /// When the ring is told to go on.
    var keepAliveAt: Moment?
    /// Whether the ring said that the workout has ended.
    var hasRingEnded = false
    /// The value that was reported last.
    var lastValue: UInt8 = 0
    /// The seconds of a workout that were reported last.
    private var seconds: [WorkoutSecond] = []
    var reportsSinceStop = 0
    var stops = 0

    private static let rememberedSeconds = 4

    init(_ number: StreamNumber, _ stream: RingStream, isOnce: Bool) {
        self.number = number
        self.stream = stream
        self.isOnce = isOnce
    }

    var deadline: Moment? {
        guard phase == .running else { return nil }
        return Moment.earlier(silenceEnds, keepAliveAt)
    }

    /// Whether reports that come now are of it.
    var takesReports: Bool {
        switch stream {
        case .measurement, .rawSensors: hasStarted
        case .workout: isSent
        }
    }

    /// Whether a report says what an earlier one has said. While a workout is interrupted its
    /// seconds stand still: then each report tells at least that the ring is there.
    mutating func isRepeat(_ reply: WorkoutProgress.Reply) -> Bool {
        if reply.state == .paused { return false }
        let second = WorkoutSecond(state: reply.state.rawValue, elapsed: reply.elapsedSeconds)
        if seconds.contains(second) { return true }
        if seconds.count >= Self.rememberedSeconds { seconds.removeFirst() }
        seconds.append(second)
        return false
    }
}

/// What tells a workout's reports apart.
private struct WorkoutSecond: Hashable, Sendable {
    let state: UInt8
    let elapsed: UInt16
}

extension RingStream {
    /// Whether only one of the two can be open.
    func excludes(_ other: RingStream) -> Bool {
        switch (self, other) {
        case (.measurement, .measurement), (.workout, .workout), (.rawSensors, .rawSensors): true
        case (.measurement, _), (.workout, _), (.rawSensors, _): false
        }
    }

    /// Whether the ring can be told to begin twice without harm.
    var restarts: Bool {
        switch self {
        case .measurement, .rawSensors: true
        case .workout: false
        }
    }

    /// What a step of the stream sends; nothing if the stream has no such step.
    func request(
        _ step: StreamStep, of number: StreamNumber, isOnce: Bool = false, value: UInt8 = 0
    ) -> SessionRequest? {
        let purpose = SessionRequest.Purpose.stream(number, step)
        switch (self, step) {
        case (.measurement(let quantity), .start):
            let request = RealtimeMeasurement.Request(quantity)
            return .tolerant(purpose, request, answered: true)
        case (.measurement(let quantity), .keepAlive):
            let request = RealtimeMeasurement.Request(quantity, .resume)
            return .tolerant(purpose, request, answered: false)
        case (.measurement(let quantity), .stop):
            let request = StopMeasurement.Request(quantity, value: value)
            return .tolerant(purpose, request, answered: true)
        case (.rawSensors, .start):
            let request = RawSensors.Request(isOnce ? .once : .start)
            return .tolerant(purpose, request, answered: true)
        case (.rawSensors, .stop):
            return .tolerant(purpose, RawSensors.Request(.stop), answered: false)
        case (.workout(let sport), .start): return .control(purpose, .start, sport)
        case (.workout(let sport), .pause): return .control(purpose, .pause, sport)
        case (.workout(let sport), .resume): return .control(purpose, .resume, sport)
        case (.workout(let sport), .stop): return .control(purpose, .end, sport)
        case (.measurement, _), (.rawSensors, _), (.workout, _): return nil
        }
    }
}

extension SessionRequest {
    /// A request whose late answers are reports like others, or say of what they are the end. Only
    /// a start is sent again by itself.
    fileprivate static func tolerant<Request: RequestPacket>(
        _ purpose: Purpose, _ request: Request, answered: Bool
    ) -> SessionRequest {
        let isStart = if case .stream(_, .start) = purpose { true } else { false }
        return SessionRequest(
            purpose: purpose, packet: .frame(request.frame), repeats: isStart,
            collector: answered ? .frame(request) : nil, overtakesLateAnswers: true,
            leavesLateAnswers: false)
    }

    /// A request of a workout. Its end waits for nothing: it is the same twice, and should a late
    /// answer be taken for its own, it was sent all the same.
    fileprivate static func control(
        _ purpose: Purpose, _ action: WorkoutControl.Action, _ sport: Sport
    ) -> SessionRequest {
        let request = WorkoutControl.Request(action, sport)
        return SessionRequest(
            purpose: purpose, packet: .frame(request.frame), repeats: false,
            collector: .frame(request), overtakesLateAnswers: action == .end)
    }
}
