internal import HaloProtocol

/// The heart rate stream of old firmware, one frame each second.
struct LegacyStream: Sendable {
    var next: Moment
    /// The end, unless an app continues it.
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
