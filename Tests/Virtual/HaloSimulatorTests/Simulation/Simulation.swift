import HaloProtocol

@testable import HaloSimulator

/// One run of apps with sessions, links with faults, and rings with wearers, in one loop on virtual
/// time.
///
/// It is derived from one seed: the same seed gives the same run, to the last byte. A run checks
/// these rules, and reports violations:
///
/// - each request and each stream ends once;
/// - a request gets no reply, or one that agrees with the device's state at some time after it;
/// - a reply consists of frames that the device sent for it, and is complete;
/// - a request that must not be repeated is written once, even without a reply;
/// - every wait has a deadline, and time passes;
/// - queued effects stay within the limits of ``SessionRules``;
/// - at the end, on a clean link, a request for the battery level is answered.
///
/// A reply agrees with the device if it equals the ring's state when the request arrived, when the
/// ring replied, or at the end. A log that changed between two replies, which both lost just the
/// changed parts, is a mixture of both, which no session can detect.
///
/// The faults are those of a radio that loses and delays, and of devices that are slow or silent.
/// Only single bits are flipped, which the checksum of a frame and the CRC of a record always
/// detect. Two flipped bits can leave a frame's sum unchanged; a session that accepts such a frame
/// does nothing wrong, so this does not happen here.
struct Simulation<Session: SessionUnderTest> {
    /// The seed of the run.
    let seed: UInt64
    /// The indices of the faults that are applied, or `nil` for all.
    let onlyFaults: Set<Int>?
    /// `true` if the run writes a trace.
    var isTraced = false
    /// The length of the run.
    var extent = SimulationExtent.minutes

    /// Creates a run from a seed.
    init(seed: UInt64, onlyFaults: Set<Int>? = nil, of session: Session.Type) {
        self.seed = seed
        self.onlyFaults = onlyFaults
    }

    /// Runs the simulation.
    ///
    /// A run with only some of the faults first repeats the whole run, then replays these faults by
    /// a script. Consequences of the omitted faults may be missing, and no other fault happens.
    func run() -> SimulationReport {
        let scenario = Scenario(seed: seed, extent)
        let whole = SimulationRun<Session>(
            scenario, scenario.faults, isTraced: isTraced && onlyFaults == nil)
        let report = whole.run()
        guard let onlyFaults else { return report }
        return SimulationRun<Session>(
            scenario, whole.air.faultLog.plan(only: onlyFaults), isTraced: isTraced
        ).run()
    }
}

extension Simulation where Session == RingSession {
    /// Creates a run of ``RingSession`` from a seed.
    init(seed: UInt64, onlyFaults: Set<Int>? = nil) {
        self.init(seed: seed, onlyFaults: onlyFaults, of: RingSession.self)
    }
}

extension Sweep where Session == RingSession {
    /// Creates runs of ``RingSession``, beginning with a seed.
    init(from seed: UInt64) {
        self.init(from: seed, of: RingSession.self)
    }
}

/// The length of a run.
enum SimulationExtent: Hashable, Sendable {
    /// A few minutes of an app in use.
    case minutes
    /// A week with requests every few hours, and with every kind of fault.
    case week
}

extension FaultLog {
    /// A script of the logged faults with these indices.
    func plan(only indices: Set<Int>) -> FaultPlan {
        FaultPlan(replaying: self).disabling(records.map(\.index).filter { !indices.contains($0) })
    }
}

/// The result of a run.
struct SimulationReport: Sendable {
    /// The seed of the run.
    let seed: UInt64
    /// The violations of rules, at most ``violationLimit``; empty if the run succeeded.
    var violations: [Violation] = []
    /// The faults that happened, each with the index by which it can be left out.
    var faults: [SimulatedFault] = []
    /// The number of requests by their result.
    var requests = RequestCounts()
    /// The number of streams.
    var streams = 0
    /// The elapsed virtual time.
    var elapsed: Duration = .zero
    /// A hash of all events in order: equal for runs with the same events.
    var digest: UInt64 = 0
    /// The trace, one line per event; empty unless the run was traced.
    var trace: [String] = []

    /// The maximum number of violations of one run; later ones follow from the first.
    static let violationLimit = 16

    init(seed: UInt64) {
        self.seed = seed
    }

    /// The number of requests by their result.
    struct RequestCounts: Hashable, Sendable {
        /// The requests that returned a value.
        var answered = 0
        /// The requests that the ring refused.
        var refused = 0
        /// The requests with the reply "nothing stored".
        var withoutData = 0
        /// The requests that failed with an error, after all allowed attempts.
        var failed = 0

        /// The number of all requests.
        var total: Int { answered + refused + withoutData + failed }

        static func += (left: inout RequestCounts, right: RequestCounts) {
            left.answered += right.answered
            left.refused += right.refused
            left.withoutData += right.withoutData
            left.failed += right.failed
        }
    }
}

/// A fault that happened in a run.
struct SimulatedFault: Hashable, Sendable {
    /// The index, which is the same in every run of the seed.
    let index: Int
    /// The kind of fault: `loss`, `corruption`.
    let kind: String
    /// The description with the moment.
    let description: String
}

/// A violation of a rule by a run.
struct Violation: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of rule; more may be added.
    struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// The rule in a word, for programs that read the output.
        let name: String

        /// The name.
        var description: String { name }

        /// A request ended twice, or was never made.
        static let endedTwice = Kind(name: "ended-twice")
        /// A request has not ended within its timeout.
        static let neverEnded = Kind(name: "never-ended")
        /// A reply contradicts the device's state.
        static let untrueAnswer = Kind(name: "untrue-answer")
        /// A reply contains a frame that the device did not send for it.
        static let foreignAnswer = Kind(name: "foreign-answer")
        /// A request that must not be repeated was written again.
        static let repeatedWrite = Kind(name: "repeated-write")
        /// A request or a stream is open, but the session has no deadline.
        static let noDeadline = Kind(name: "no-deadline")
        /// A queue has grown beyond its limit.
        static let unboundedMemory = Kind(name: "unbounded-memory")
        /// The run repeats work without an end, and time does not pass.
        static let endlessWork = Kind(name: "endless-work")
        /// A stream has ended more than once, or has reported after its end.
        static let streamAfterEnd = Kind(name: "stream-after-end")
        /// A stream has not ended, although it was stopped or its link has ended.
        static let streamNeverEnded = Kind(name: "stream-never-ended")
        /// The last request, on a clean link, was not answered.
        static let unusable = Kind(name: "unusable")
    }

    /// The kind of the violated rule.
    let kind: Kind
    /// The moment of the violation.
    let moment: Moment
    /// The description of the violation.
    let details: String

    /// Creates a violation.
    init(_ kind: Kind, at moment: Moment, _ details: String) {
        self.kind = kind
        self.moment = moment
        self.details = details
    }

    /// The moment and the description.
    var description: String { "\(moment): \(details)" }
}

/// A session that a simulation drives: ``RingSession``, or one that misbehaves on purpose.
///
/// It has the functions of ``RingSession``, except the typed requests: these are made in
/// ``ask(_:)``.
protocol SessionUnderTest {
    /// Creates the session of a new link.
    init(_ rules: SessionRules)

    /// The moment of the next ``tick(at:)``, or `nil` if none is needed.
    var deadline: Moment? { get }

    /// Removes and returns the next effect.
    mutating func nextEffect() -> RingSession.Effect?

    /// Receives a notification.
    mutating func receive(_ bytes: [UInt8], on channel: RingChannel, at now: Moment)

    /// Advances the session to a moment; called at the deadline at the latest.
    mutating func tick(at now: Moment)

    /// Ends the session with its link.
    mutating func disconnect(at now: Moment)

    /// Cancels a request.
    mutating func cancel(_ number: RequestNumber, at now: Moment)

    /// Calls a function with this session, or with the session that it wraps.
    mutating func ask<Result>(_ body: (inout RingSession) -> Result) -> Result
}

extension RingSession: SessionUnderTest {
    /// Receives a notification.
    mutating func receive(_ bytes: [UInt8], on channel: RingChannel, at now: Moment) {
        receive(bytes[...], on: channel, at: now)
    }

    /// Calls a function with this session.
    mutating func ask<Result>(_ body: (inout RingSession) -> Result) -> Result {
        body(&self)
    }
}
