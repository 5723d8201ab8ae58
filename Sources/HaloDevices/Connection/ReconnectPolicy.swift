/// Whether a link that was lost is made again, how soon, and how often it is tried.
///
/// Waiting is done on the transport's time. A link that the program has closed is not made again.
public struct ReconnectPolicy: Hashable, Sendable {
    /// How many attempts are made until one succeeds; nothing for as many as it takes.
    public var attempts: Int?
    /// How long it is until the first attempt.
    public var firstDelay: Duration
    /// How much longer each further delay is than the one before.
    public var factor: Int
    /// The longest delay.
    public var longestDelay: Duration
    /// How long one attempt may take, until the device can be asked again.
    public var attemptTimeout: Duration

    /// A policy of growing delays; numbers that make no sense are taken for the nearest that do.
    public init(
        attempts: Int? = nil, firstDelay: Duration = .seconds(1), factor: Int = 2,
        longestDelay: Duration = .seconds(60), attemptTimeout: Duration = .seconds(20)
    ) {
        self.attempts = attempts
        self.firstDelay = firstDelay
        self.factor = factor
        self.longestDelay = longestDelay
        self.attemptTimeout = attemptTimeout
    }

    /// A link that is lost stays lost.
    public static let never = ReconnectPolicy(attempts: 0)

    /// After a second, then after twice as long each time up to a minute, for as long as it takes.
    public static let untilConnected = ReconnectPolicy()

    /// How long to wait before an attempt, counted from 0; nothing if it is not to be made.
    public func delay(beforeAttempt index: Int) -> Duration? {
        let index = max(index, 0)
        if let attempts, index >= attempts { return nil }
        let longest = max(longestDelay, .zero)
        var delay = min(max(firstDelay, .zero), longest)
        guard factor > 1, delay > .zero else { return delay }
        for _ in 0..<index {
            // Also where the product would be more than a duration can be.
            guard delay < longest / factor else { return longest }
            delay *= factor
        }
        return delay
    }
}
