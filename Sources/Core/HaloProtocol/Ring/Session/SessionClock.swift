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

    /// Some 73,000 years.
    private static var longestSuspension: Int64 { .max / 4 }

    init(_ rules: SessionRules) {
        self.rules = rules
    }

    var isSuspended: Bool { suspendedSince != nil }

    /// `true` when requests may be sent and timeouts may end.
    var isRunning: Bool { graceEnds == nil && suspendedSince == nil }

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
        // The session's own time goes little further than to the middle of all time: with this
        // limit no deadline is beyond the end of the caller's time.
        let passed = min(max(moment.microseconds(since: since), 0), Self.longestSuspension)
        suspendedMicroseconds = min(suspendedMicroseconds + passed, Self.longestSuspension)
        return true
    }
}
