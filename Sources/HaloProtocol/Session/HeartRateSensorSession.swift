/// A conversation with a standard heart-rate sensor: values and time go in, effects come out.
///
/// 1. Each value of ``HeartRateMeasurement`` is a measurement, or an event that says why not.
///    Sensors repeat nothing, so nothing is taken for a repeat.
/// 2. Intervals between beats follow one another from value to value: each beat gets a number and
///    a place on a timeline. A new series of beats begins where some may be missing: after a value
///    that was not understood, after contact was lost, and when the timeline is more than
///    ``Rules/drift`` ahead of the clock or behind it.
/// 3. Contact that is lost or found is an event, from sensors that can tell. So is silence: once,
///    when no value has come for ``Rules/silence`` since ``subscribed(at:)`` or the last value.
/// 4. ``Rules/effectLimit`` measurements and events are kept. Time never goes back.
///
/// It says nothing of writes: one with a response has its answer, its order and its end from the
/// link.
public struct HeartRateSensorSession: Sendable {
    /// How patient it is.
    public struct Rules: Hashable, Sendable {
        /// After how long without a value the sensor is silent; most send one a second. `nil` means
        /// never.
        public var silence: Duration? = .seconds(5)
        /// How far the sum of intervals may be from the clock.
        public var drift: Duration = .seconds(3)
        /// How many effects may wait to be fetched before measurements are dropped.
        public var effectLimit = 1024

        /// The defaults.
        public init() {}
    }

    /// What a session wants done.
    public enum Effect: Hashable, Sendable {
        /// The sensor measured.
        case measured(Measured)
        /// A value that is no measurement, and why not.
        case malformed([UInt8], PacketError)
        /// The sensor has lost the skin, or found it.
        case contact(HeartRateMeasurement.Contact)
        /// No value has come for a while.
        case silent
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

    /// How patient it is.
    public let rules: Rules
    private var now = Moment(microseconds: .min)
    private var effects: [Effect] = []
    private var first = 0
    private var droppableCount = 0
    private var isSubscribed = true
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
    public var deadline: Moment? { silenceEnds }

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
        move(to: now)
        if isSubscribed { awaitValue() }
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

    /// Measurements were subscribed to, now: silence is counted from here.
    public mutating func subscribed(at now: Moment) {
        move(to: now)
        isSubscribed = true
        awaitValue()
    }

    /// Measurements are not subscribed to any more, or the link has ended: silence is no event.
    public mutating func unsubscribed() {
        isSubscribed = false
        silenceEnds = nil
    }

    /// The time has come, or perhaps not yet.
    public mutating func tick(at now: Moment) {
        move(to: now)
        settle()
    }

    private mutating func awaitValue() {
        silenceEnds = rules.silence.map { now.advanced(byMicroseconds: $0.asWait) }
    }

    private mutating func settle() {
        if let silenceEnds, silenceEnds <= now {
            self.silenceEnds = nil
            append(.silent)
        }
    }

    private mutating func move(to moment: Moment) {
        now = now.moved(to: moment, deadline: deadline)
    }

    private mutating func append(_ effect: Effect) {
        guard droppableCount >= max(rules.effectLimit, 1) else {
            droppableCount += 1
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
        case .dropped: false
        }
    }
}
