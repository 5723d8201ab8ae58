internal import HaloProtocol

/// The progress of the client's own steps on a link.
struct RingStep: Sendable {
    /// The plan for the clock.
    enum Plan: Sendable {
        /// The clock is set.
        case set
        /// The clock is set after the history is read, by the ring's reported day, if there is one.
        case readAndSet(DayProbe.Sighting?, ExpectedTime)
        /// The clock is left alone.
        case leave
    }

    /// The number of the step under way; answers to other steps are ignored.
    var number: UInt64?
    var plan = Plan.set
    /// The history under way, stored between two of its requests.
    var run: HistoryRun?
    /// The moment for which the step waits.
    var waitsUntil: Moment?
    /// `true` once the ring has replied to a request.
    var hasAnswered = false
}
