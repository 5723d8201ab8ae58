internal import HaloProtocol

/// The heart rate once a second, as old firmware streams it.
struct LegacyStream: Sendable {
    /// When the next one is due.
    var next: Moment
    /// When it ends, unless it is told to continue.
    private(set) var endsAt: Moment

    static let period: Duration = .seconds(1)
    private static let budget: Duration = .seconds(60)

    init(at now: Moment) {
        next = now + Self.period
        endsAt = now + Self.budget
    }

    mutating func goOn(at now: Moment) {
        endsAt = now + Self.budget
    }
}
