/// The conversation with a heart-rate sensor as a value: values and time go in, effects come out.
///
/// 1. Each value of ``HeartRateMeasurement`` is a measurement, or an event with a decoding error.
///    Sensors do not repeat values, so none counts as a duplicate.
/// 2. RR intervals continue from value to value: each beat has a number and a time on a timeline.
///    A new series of beats begins where beats may be missing: after a malformed value, after a
///    loss of contact, after the end of a subscription, and when timeline and clock differ by more
///    than ``Rules/maximumDrift``.
/// 3. A change of contact is an event, from sensors that detect it. Silence is one event, when no
///    value has come for ``Rules/silenceTimeout`` since ``subscribed(at:)`` or the last value. A
///    tick that is more than a second late comes after the app was suspended, in which time no
///    value could come: the silence timeout begins again.
/// 4. ``Rules/effectLimit`` measurements and events are kept. Time never goes back.
///
/// Writes are not part of it: the link itself confirms a write with response.
public struct HeartRateSensorSession: Sendable {
    /// The timeouts and limits of a session.
    public struct Rules: Hashable, Sendable {
        /// The time without a value after which the sensor is silent, or `nil` for no such event.
        /// Most sensors send one value per second.
        public var silenceTimeout: Duration? = .seconds(5)
        /// The largest difference between the sum of intervals and the clock.
        public var maximumDrift: Duration = .seconds(3)
        /// The maximum number of effects that wait to be fetched; further ones are dropped and
        /// counted.
        public var effectLimit = 1024

        public init() {}
    }

    /// An event for the caller.
    public enum Effect: Hashable, Sendable, SessionEffect {
        case measured(Measured)
        case malformed([UInt8], PacketError)
        /// A change of skin contact.
        case contact(HeartRateMeasurement.Contact)
        /// No value within ``Rules/silenceTimeout``.
        case silent
        /// The number of effects that were dropped because too many were waiting.
        case dropped(Int)

        var mayBeDropped: Bool { droppedCount == nil }

        var droppedCount: Int? {
            if case .dropped(let count) = self { count } else { nil }
        }
    }

    /// A measurement, its moment and its beats.
    public struct Measured: Hashable, Sendable {
        public let measurement: HeartRateMeasurement
        public let moment: Moment
        /// The beats of its RR intervals, oldest first.
        public let beats: [SensedBeat]
    }

    public let rules: Rules
    private var now = Moment(microseconds: .min)
    private var effects: EffectQueue<Effect>
    private var subscription = Subscription.active(silenceEnds: nil)
    private var contact: HeartRateMeasurement.Contact?
    private var timeline = SensedBeatTimeline()

    /// Creates a session for a link with a new subscription to measurements.
    public init(_ rules: Rules = Rules()) {
        self.rules = rules
        effects = EffectQueue(limit: rules.effectLimit)
    }

    private enum Subscription {
        /// Values are expected until `silenceEnds`: `nil` before the first value and after silence.
        case active(silenceEnds: Moment?)
        case ended
    }

    @usableFromInline package var beatCount: UInt64 { timeline.beatCount }

    /// The moment for the next ``tick(at:)``, or `nil` if none is due.
    public var deadline: Moment? {
        if case .active(let silenceEnds) = subscription { silenceEnds } else { nil }
    }

    /// Returns the next effect, or `nil` if there is none.
    public mutating func nextEffect() -> Effect? { effects.next() }

    /// Handles a value of the measurement characteristic.
    public mutating func receive(_ bytes: some Sequence<UInt8>, at now: Moment) {
        move(to: now)
        if case .active = subscription { awaitValue() }
        let copy = ContiguousArray(bytes)
        do throws(PacketError) {
            receive(try HeartRateMeasurement(decoding: copy.span))
        } catch {
            timeline.interrupt()
            let kept = Array(copy.prefix(HeartRateMeasurement.maximumLength))
            effects.append(.malformed(kept, error))
        }
    }

    private mutating func receive(_ measurement: HeartRateMeasurement) {
        if measurement.contact == .notDetected { timeline.interrupt() }
        let beats = timeline.beats(
            measurement.rrIntervals, at: now, drift: rules.maximumDrift.asWait)
        if measurement.contact != .notSupported, measurement.contact != contact {
            if contact != nil || measurement.contact == .notDetected {
                effects.append(.contact(measurement.contact))
            }
            contact = measurement.contact
        }
        effects.append(.measured(Measured(measurement: measurement, moment: now, beats: beats)))
    }

    /// Notes a subscription to measurements; the silence timeout begins.
    public mutating func subscribed(at now: Moment) {
        move(to: now)
        awaitValue()
    }

    /// Notes the end of the subscription or of the link; no silence is reported after it.
    public mutating func unsubscribed() {
        subscription = .ended
        timeline.interrupt()
    }

    /// Handles the timeout if it is due; a call before ``deadline`` does no harm.
    public mutating func tick(at now: Moment) {
        move(to: now)
        reportSilence()
    }

    private mutating func awaitValue() {
        let ends = rules.silenceTimeout.map { now.advanced(byMicroseconds: $0.asWait) }
        subscription = .active(silenceEnds: ends)
    }

    private mutating func reportSilence() {
        guard let deadline, deadline <= now else { return }
        if now.microseconds(since: deadline) > Self.lateMicroseconds { return awaitValue() }
        subscription = .active(silenceEnds: nil)
        effects.append(.silent)
    }

    /// The delay of a tick above which the app counts as suspended meanwhile.
    private static var lateMicroseconds: Int64 { 1_000_000 }

    private mutating func move(to moment: Moment) {
        now = now.moved(to: moment, deadline: deadline)
    }
}

/// The timeline of beats, made of the RR intervals of consecutive measurements.
private struct SensedBeatTimeline: Sendable {
    private(set) var beatCount: UInt64 = 0
    private var series: UInt64 = 0
    private var ticks: UInt64 = 0
    /// The start of the series by the clock, or `nil` if the next beat begins a new one.
    private var began: Moment?

    mutating func interrupt() { began = nil }

    mutating func beats(
        _ intervals: HeartRateMeasurement.RRIntervals, at now: Moment, drift: Int64
    ) -> [SensedBeat] {
        guard !intervals.isEmpty else { return [] }
        let sum = intervals.reduce(0 as UInt64) { $0 + UInt64($1) }
        if let began {
            let expected = Self.microseconds(ticks &+ sum)
            let distance = now.microseconds(since: began).subtractingReportingOverflow(expected)
            if distance.overflow || distance.partialValue.magnitude > drift.magnitude {
                self.began = nil
            }
        }
        if began == nil {
            began = now.advanced(byMicroseconds: -Self.microseconds(sum))
            series &+= 1
            ticks = 0
        }
        return intervals.map { interval in
            beatCount &+= 1
            ticks &+= UInt64(interval)
            return SensedBeat(
                number: beatCount, series: series, intervalTicks: interval, ticks: ticks)
        }
    }

    /// Returns ticks in microseconds, limited to 2⁴² ticks, about 136 years.
    private static func microseconds(_ ticks: UInt64) -> Int64 {
        Int64(truncatingIfNeeded: min(ticks, 1 << 42)) &* 1_000_000 / 1024
    }
}
