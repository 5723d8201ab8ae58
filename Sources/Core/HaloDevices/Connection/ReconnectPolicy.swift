/// The rules for reconnecting after a link was lost: the backoff, and the number of attempts.
///
/// Delays pass on the transport's time; one ends when Bluetooth is switched on again. After the app
/// has disconnected, after a lost bond, and after a link to a device of another kind, there is no
/// attempt.
public struct ReconnectPolicy: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The maximum number of attempts in a row; `nil` for no limit.
    public var attempts: Int?
    /// The delay before the first attempt.
    public var firstDelay: Duration
    /// The factor by which each further delay is longer than the previous one.
    public var factor: Int
    /// The longest delay.
    public var longestDelay: Duration
    /// The timeout of one attempt, until the device accepts requests again.
    public var attemptTimeout: Duration
    /// `true` if an attempt waits without a timeout until the device is in reach;
    /// ``attemptTimeout`` then begins with the link. The same holds for the first attempt of a
    /// connection to a known identity, and its timeout.
    ///
    /// An app on a phone does not have to wake up while it waits: CoreBluetooth does the waiting.
    /// BlueZ ends an attempt by itself: the next one begins after the delay, but the first attempt
    /// of a connection is not repeated.
    public var waitsForDevice: Bool

    /// Creates a policy of growing delays. Numbers out of range are clamped.
    public init(
        attempts: Int? = nil, firstDelay: Duration = .seconds(1), factor: Int = 2,
        longestDelay: Duration = .seconds(60), attemptTimeout: Duration = .seconds(20),
        waitsForDevice: Bool = false
    ) {
        self.attempts = attempts
        self.firstDelay = firstDelay
        self.factor = factor
        self.longestDelay = longestDelay
        self.attemptTimeout = attemptTimeout
        self.waitsForDevice = waitsForDevice
    }

    /// A policy without attempts: a lost link closes the connection.
    public static let never = ReconnectPolicy(attempts: 0)

    /// A policy without a limit of attempts. The first delay is a second; each further one is twice
    /// as long, up to a minute.
    public static let untilConnected = ReconnectPolicy()

    /// A policy that waits for the device without limit, and without waking up an app that is
    /// suspended: for CoreBluetooth.
    ///
    /// While links are lost before the device is ready, the delays grow up to a minute. An app
    /// that is suspended during a delay begins the next attempt only when it runs again. The system
    /// lets it run for some seconds after each event: set a ``longestDelay`` within them.
    public static let whenInReach = ReconnectPolicy(waitsForDevice: true)

    /// Returns the delay before an attempt, counted from 0; `nil` beyond the last attempt.
    ///
    /// The first attempt may begin at once. Further ones are at least a tenth of a second apart:
    /// while Bluetooth is off, each fails at once.
    package func delay(beforeAttempt index: Int) -> Duration? {
        if let attempts, index >= attempts { return nil }
        let longest = max(longestDelay, .zero)
        var delay = min(max(firstDelay, .zero), longest)
        guard index > 0 else { return delay }
        if factor > 1, delay > .zero {
            for _ in 0..<index {
                // Also reached where the product would overflow.
                guard delay < longest / factor else {
                    delay = longest
                    break
                }
                delay *= factor
            }
        }
        return max(delay, .milliseconds(100))
    }

    /// The policy in words: `reconnects without a limit of attempts, after 1 s, then 2 times as
    /// long each time, up to 60 s; 20 s for an attempt`.
    public var description: String {
        if let attempts, attempts <= 0 { return "does not reconnect" }
        let count = attempts.map { $0 == 1 ? "once" : "at most \($0) times" }
        var words = "reconnects \(count ?? "without a limit of attempts"), "
        words += "after \(Wording.duration(firstDelay))"
        if attempts != 1, factor > 1, firstDelay < longestDelay {
            words += ", then \(factor) times as long each time, "
            words += "up to \(Wording.duration(longestDelay))"
        }
        words += "; \(Wording.duration(attemptTimeout)) for an attempt"
        return waitsForDevice ? words + " once the device is in reach" : words
    }
}
