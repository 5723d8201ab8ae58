/// The rules for making a lost link again: how soon, and in how many attempts.
///
/// Waiting is done on the transport's time. A link that the program has closed is not made again.
public struct ReconnectPolicy: Hashable, Sendable {
    /// The most attempts until one succeeds; `nil` for as many as it takes.
    public var attempts: Int?
    /// The delay before the first attempt.
    public var firstDelay: Duration
    /// The factor by which each further delay is longer than the one before.
    public var factor: Int
    /// The longest delay.
    public var longestDelay: Duration
    /// The longest that one attempt may take, until the device can be asked again.
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

    /// The delay before an attempt, counted from 0; `nil` if it is not to be made.
    ///
    /// The first attempt may be made at once. Further ones are at least a tenth of a second apart:
    /// while Bluetooth is off, each fails at once.
    public func delay(beforeAttempt index: Int) -> Duration? {
        if let attempts, max(index, 0) >= attempts { return nil }
        let longest = max(longestDelay, .zero)
        var delay = min(max(firstDelay, .zero), longest)
        guard index > 0 else { return delay }
        if factor > 1, delay > .zero {
            for _ in 0..<index {
                // Also where the product would be more than a duration can be.
                guard delay < longest / factor else {
                    delay = longest
                    break
                }
                delay *= factor
            }
        }
        return max(delay, .milliseconds(100))
    }
}
