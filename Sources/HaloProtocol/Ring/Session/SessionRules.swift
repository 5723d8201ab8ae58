/// The timeouts, spacings and limits of a ``RingSession``. The defaults fit the known rings.
///
/// Values out of range do no harm: a duration counts as 1 µs at least and a year at most, a
/// number as 1 at least, ``attempts`` as 16 at most.
public struct SessionRules: Hashable, Sendable {
    /// The timeout for the first frame of a reply, and again for each further frame.
    public var frameTimeout: Duration = .seconds(3)
    /// The timeout for a whole reply.
    public var replyTimeout: Duration = .seconds(30)
    /// The time after a record in which further records belong to the same reply.
    public var furtherRecordTimeout: Duration = .milliseconds(400)
    /// The maximum number of times that a request which only reads is sent.
    public var attempts = 3
    /// The time between a reply and the next request.
    public var spacing: Duration = .milliseconds(10)
    /// The time between a request without a reply and the next request.
    public var spacingWithoutReply: Duration = .milliseconds(300)
    /// The time, from a request on, in which its late reply may still come. Until then requests of
    /// the same command wait.
    public var lateReplyTimeout: Duration = .seconds(10)
    /// The maximum number of requests that wait in the queue.
    public var queueLimit = 64
    /// The maximum number of events and reports that wait to be fetched; further ones are dropped
    /// and counted.
    public var effectLimit = 1024
    /// The time without a report after which a running measurement counts as ended.
    public var streamTimeout: Duration = .seconds(4)
    /// The interval at which a running measurement is sent a keep-alive.
    public var keepAliveInterval: Duration = .seconds(15)
    /// The delay of a tick after its deadline above which the app counts as suspended meanwhile.
    public var lateTickThreshold: Duration = .seconds(1)
    /// The time after a suspension in which an app can pass on the input that came meanwhile.
    public var gracePeriod: Duration = .milliseconds(300)

    public init() {}

    /// The attempts within their range: each leaves a late reply to wait for.
    var attemptLimit: Int { min(max(attempts, 1), 16) }
}

extension Duration {
    /// The duration in microseconds, 1 at least and a year at most.
    var asWait: Int64 { min(max(wholeMicroseconds, 1), 31_536_000_000_000) }
}

/// The time of a session: rule 10 of ``RingSession``.
struct SessionClock: Sendable {
    let rules: SessionRules
    /// The latest moment seen, in the session's own time.
    private(set) var now = Moment(microseconds: .min)
    /// The end of the grace period after a suspension of the app, or `nil` outside of one.
    private(set) var graceEnds: Moment?
    /// The caller's moment since which time is suspended, or `nil` if it is not.
    private var suspendedSince: Moment?
    /// The difference between the caller's time and the session's.
    private var suspendedMicroseconds: Int64 = 0

    init(_ rules: SessionRules) {
        self.rules = rules
    }

    var isSuspended: Bool { suspendedSince != nil }

    /// `true` when requests may be sent and timeouts may end.
    var isRunning: Bool { graceEnds == nil && suspendedSince == nil }

    /// Returns the end of a wait that begins now.
    func after(_ wait: Duration) -> Moment { now.advanced(byMicroseconds: wait.asWait) }

    /// Returns a moment of the session's own time on the caller's timeline; `nil` if time is
    /// suspended.
    func callerTime(_ moment: Moment?) -> Moment? {
        isSuspended ? nil : moment?.advanced(byMicroseconds: suspendedMicroseconds)
    }

    /// Advances to a moment of the caller; a late tick begins the grace period.
    mutating func move(to moment: Moment, deadline: Moment?) {
        guard !isSuspended else { return }
        now = now.moved(
            to: moment.advanced(byMicroseconds: -suspendedMicroseconds), deadline: deadline)
        guard let deadline, deadline <= now else { return }
        if graceEnds != nil {
            graceEnds = nil
        } else if now.microseconds(since: deadline) > rules.lateTickThreshold.asWait {
            graceEnds = after(rules.gracePeriod)
        }
    }

    mutating func suspend() {
        suspendedSince = now.advanced(byMicroseconds: suspendedMicroseconds)
    }

    /// Resumes time. Returns `false` if it was not suspended.
    mutating func resume(at moment: Moment) -> Bool {
        guard let since = suspendedSince else { return false }
        suspendedSince = nil
        let passed = max(moment.microseconds(since: since), 0)
        let (sum, overflow) = suspendedMicroseconds.addingReportingOverflow(passed)
        suspendedMicroseconds = overflow ? .max : sum
        return true
    }
}
