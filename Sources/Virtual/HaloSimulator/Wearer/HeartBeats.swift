package import HaloProtocol

/// The beats of a heart, in order.
///
/// The interval follows from the heart rate, plus a scatter with mean 0 and a size from the
/// variability. Half of the scatter follows the breath, about every four seconds; half is noise.
/// Beats depend on the start, since each begins at the end of the previous one.
package struct HeartBeats: Sendable {
    private var body: BodyClock
    private let start: CivilDateTime
    private var elapsed: Int64 = 0

    /// Creates the sequence of a wearer's beats from a time on.
    package init(of wearer: Wearer, from start: CivilDateTime) {
        body = BodyClock(wearer, at: start)
        self.start = start
    }

    /// Returns the next beat.
    package mutating func next() -> WearerBeat {
        let interval = body.beatMicroseconds(start, microseconds: elapsed)
        elapsed += interval
        return WearerBeat(microseconds: elapsed, intervalMicroseconds: interval)
    }
}
