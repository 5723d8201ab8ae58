#if os(Linux)
/// For how long a connection's thread lets things come together before it looks again.
///
/// To wake up costs more than to take in what came. Where things come one by one and densely, the
/// thread rests after it has told some, and finds several the next time. What comes after a pause
/// is told at once, and while somebody waits for an answer there is no rest.
struct DBusGathering: Sendable {
    /// How long it rests at most, in microseconds; not at all if that is nothing.
    var limit: Int64 = 0
    init(limit: Int64 = 0) {
        self.limit = limit
    }

    /// When it looked last.
    private var last = Int64.min / 2

    /// So many things at once make one of them cheap.
    private static let enough: Int64 = 64
    /// Less is not worth it.
    private static let least: Int64 = 100

    /// How long to rest now that so many things have been found, in microseconds.
    mutating func rest(after count: Int, at now: Int64) -> Int64? {
        guard count > 0, limit >= Self.least else { return nil }
        let since = max(1, now &- last)
        last = now
        let spacing = since / Int64(count)
        // At least one more would come.
        guard spacing <= limit / 2 else { return nil }
        guard spacing <= limit / Self.enough else { return limit }
        return max(Self.enough * spacing, Self.least)
    }
}
#endif
