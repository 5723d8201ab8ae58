/// A conversation with a standard heart-rate sensor: values and time go in, effects come out.
///
/// 1. Each value of ``HeartRateMeasurement`` is a measurement, or an event that says why not.
///    Sensors repeat nothing, so nothing is taken for a repeat.
/// 2. Intervals between beats follow one another from value to value: each beat gets a number and
///    a place on a timeline. A new series of beats begins where some may be missing: after a value
///    that was not understood, after contact was lost, and when the timeline is more than
///    ``Rules/drift`` ahead of the clock or behind it.
/// 3. Contact that is lost or found is an event, from sensors that can tell. So is silence: once,
///    when no value has come for ``Rules/silence``.
/// 4. Resetting the energy is one write. The link says how it went (``written(_:at:)``,
///    ``refused(_:error:at:)``), or the request ends after ``Rules/answerWithin``.
/// 5. ``Rules/resetLimit`` resets wait at most, ``Rules/effectLimit`` measurements and events are
///    kept. Ends of resets are never dropped. Time never goes back.
public struct HeartRateSensorSession: Sendable {
    /// How patient it is.
    public struct Rules: Hashable, Sendable {
        /// How long a reset waits for the link's answer.
        public var answerWithin: Duration = .seconds(30)
        /// After how long without a value the sensor is silent; most send one a second.
        public var silence: Duration = .seconds(5)
        /// How far the sum of intervals may be from the clock.
        public var drift: Duration = .seconds(3)
        /// How many resets may wait.
        public var resetLimit = 8
        /// How many effects may wait to be fetched before measurements are dropped.
        public var effectLimit = 1024

        /// The defaults.
        public init() {}
    }

    /// What a session wants done.
    public enum Effect: Hashable, Sendable {
        /// Write this to the control point, and tell how it went.
        case write(HeartRateControlPoint, TicketNumber)
        /// The sensor measured.
        case measured(Measured)
        /// A value that is no measurement, and why not.
        case malformed([UInt8], PacketError)
        /// The sensor has lost the skin, or found it.
        case contact(HeartRateMeasurement.Contact)
        /// No value has come for a while.
        case silent
        /// A reset of the energy has ended.
        case reset(TicketNumber, ResetEnd)
        /// So many measurements and events were dropped, because nobody fetched them.
        case dropped(Int)
    }

    /// A measurement and its beats.
    public struct Measured: Hashable, Sendable {
        /// What the sensor sent.
        public let measurement: HeartRateMeasurement
        /// When it came.
        public let moment: Moment
        /// The beats that it tells of, the oldest first.
        public let beats: [SensedBeat]
    }

    /// How a reset of the energy has ended.
    public enum ResetEnd: Hashable, Sendable {
        /// The sensor has confirmed it.
        case done
        /// The sensor cannot do it.
        case notSupported
        /// The write failed with another ATT error.
        case failed(UInt8)
        /// The link did not say how the write went.
        case timedOut
        /// The request was taken back.
        case cancelled
        /// Too many resets wait.
        case overloaded
        /// The link has ended.
        case disconnected
    }

    /// How patient it is.
    public let rules: Rules
    /// Whether the link still stands.
    public private(set) var isConnected = true

    private var now = Moment(microseconds: .min)
    private var effects: [Effect] = []
    private var first = 0
    private var droppableCount = 0
    private var resets: [(number: TicketNumber, ends: Moment)] = []
    private var lastNumber: UInt64 = 0
    private var silenceEnds: Moment?
    private var contact: HeartRateMeasurement.Contact?
    private var timeline = SensedBeatTimeline()

    /// A session of a link whose measurements have just been subscribed to.
    public init(_ rules: Rules = Rules()) {
        self.rules = rules
    }

    /// How many beats have been told of.
    public var beatCount: UInt64 { timeline.beatCount }

    /// When ``tick(at:)`` wants to be called; nothing if nothing is waited for.
    public var deadline: Moment? {
        Moment.earlier(silenceEnds, resets.map { $0.ends }.min())
    }

    /// The next thing to be done.
    public mutating func nextEffect() -> Effect? {
        guard first < effects.count else { return nil }
        let effect = effects[first]
        first += 1
        if effect.mayBeDropped { droppableCount -= 1 }
        if first == effects.count || first > 64 && first > effects.count / 2 {
            effects.removeFirst(first)
            first = 0
        }
        return effect
    }

    /// Takes in a value of the measurement characteristic.
    public mutating func receive(_ bytes: some Sequence<UInt8>, at now: Moment) {
        guard isConnected else { return }
        move(to: now)
        silenceEnds = self.now.advanced(byMicroseconds: rules.silence.asWait)
        let copy = ContiguousArray(bytes)
        do throws(PacketError) {
            take(try HeartRateMeasurement(decoding: copy.span))
        } catch {
            timeline.interrupt()
            let kept = Array(copy.prefix(HeartRateMeasurement.maximumLength))
            append(.malformed(kept, error))
        }
        settle()
    }

    private mutating func take(_ measurement: HeartRateMeasurement) {
        if measurement.contact == .notDetected { timeline.interrupt() }
        let beats = timeline.beats(
            measurement.rrIntervals, at: now, drift: rules.drift.asWait)
        if measurement.contact != .notSupported, measurement.contact != contact {
            if contact != nil || measurement.contact == .notDetected {
                append(.contact(measurement.contact))
            }
            contact = measurement.contact
        }
        append(.measured(Measured(measurement: measurement, moment: now, beats: beats)))
    }

    /// Lets the sensor count energy from zero again.
    public mutating func resetEnergy(at now: Moment) -> TicketNumber {
        lastNumber &+= 1
        let number = TicketNumber(lastNumber)
        guard isConnected, resets.count < max(rules.resetLimit, 1) else {
            append(.reset(number, isConnected ? .overloaded : .disconnected))
            return number
        }
        move(to: now)
        let ends = self.now.advanced(byMicroseconds: rules.answerWithin.asWait)
        resets.append((number, ends))
        append(.write(.resetEnergy, number))
        settle()
        return number
    }

    /// The sensor has confirmed the write of a reset.
    public mutating func written(_ number: TicketNumber, at now: Moment) {
        finish(number, .done, at: now)
    }

    /// The write of a reset failed with an ATT error.
    public mutating func refused(_ number: TicketNumber, error: UInt8, at now: Moment) {
        let isUnsupported = error == HeartRateControlPoint.notSupportedError
        finish(number, isUnsupported ? .notSupported : .failed(error), at: now)
    }

    /// Takes a reset back, unless it has ended already; what is written stays written.
    public mutating func cancel(_ number: TicketNumber, at now: Moment) {
        finish(number, .cancelled, at: now)
    }

    /// The time has come, or perhaps not yet.
    public mutating func tick(at now: Moment) {
        guard isConnected else { return }
        move(to: now)
        settle()
    }

    /// The link has ended: so does all that waits.
    public mutating func disconnect(at now: Moment) {
        guard isConnected else { return }
        move(to: now)
        for reset in resets { append(.reset(reset.number, .disconnected)) }
        resets = []
        silenceEnds = nil
        isConnected = false
    }

    private mutating func finish(_ number: TicketNumber, _ end: ResetEnd, at now: Moment) {
        guard isConnected else { return }
        move(to: now)
        if let index = resets.firstIndex(where: { $0.number == number }) {
            resets.remove(at: index)
            append(.reset(number, end))
        }
        settle()
    }

    private mutating func settle() {
        while let index = resets.firstIndex(where: { [now] in $0.ends <= now }) {
            append(.reset(resets.remove(at: index).number, .timedOut))
        }
        if let silenceEnds, silenceEnds <= now {
            self.silenceEnds = nil
            append(.silent)
        }
    }

    private mutating func move(to moment: Moment) {
        now = now.moved(to: moment, deadline: deadline)
    }

    private mutating func append(_ effect: Effect) {
        guard effect.mayBeDropped, droppableCount >= max(rules.effectLimit, 1) else {
            if effect.mayBeDropped { droppableCount += 1 }
            effects.append(effect)
            return
        }
        if case .dropped(let count)? = effects.last, first < effects.count {
            effects[effects.count - 1] = .dropped(count &+ 1)
        } else {
            effects.append(.dropped(1))
        }
    }
}

extension HeartRateSensorSession.Effect {
    fileprivate var mayBeDropped: Bool {
        switch self {
        case .measured, .malformed, .contact, .silent: true
        case .write, .reset, .dropped: false
        }
    }
}
