import HaloProtocol

/// Tells a new beat interval of a ring from a repeated one.
///
/// A ring reports twice a second, and each report has the last interval, whether or not the heart
/// has beaten since. An interval is taken for a repeat if it equals the one before, and if that one
/// is not over since it was reported first. RMSSD of intervals with repeats is about a third too
/// low: each repeat is a difference of 0.
struct RepeatedBeats {
    private var last: (interval: Duration, reported: Moment)?

    mutating func isNew(_ interval: Duration, at moment: Moment) -> Bool {
        if let last, last.interval == interval,
            moment.duration(since: last.reported) < interval
        {
            return false
        }
        last = (interval, moment)
        return true
    }
}
