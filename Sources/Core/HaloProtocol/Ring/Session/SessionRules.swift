/// The timeouts, spacings and limits of a ``RingSession``. The defaults fit the known rings.
///
/// Values out of range do no harm: a duration counts as 1 µs at least and a year at most, a
/// number as 1 at least, ``attempts`` as 16 at most.
public struct SessionRules: Hashable, Sendable {
    /// The timeout for the first frame of a reply, and again for each further frame.
    public var frameTimeout: Duration = .seconds(3)
    public var replyTimeout: Duration = .seconds(30)
    /// The time after a record in which further records belong to the same reply.
    public var furtherRecordTimeout: Duration = .milliseconds(400)
    /// The maximum number of times that a request which only reads is sent.
    public var attempts = 3
    /// The time between a reply and the next request.
    public var spacing: Duration = .milliseconds(10)
    /// The time between a request without a reply and the next request.
    public var spacingWithoutReply: Duration = .milliseconds(300)
    /// The time, from a request on, in which its late reply may still come. Until then requests of
    /// the same command wait.
    public var lateReplyTimeout: Duration = .seconds(10)
    /// The maximum number of requests that wait in the queue.
    public var queueLimit = 64
    /// The maximum number of events and reports that wait to be fetched; further ones are dropped
    /// and counted.
    public var effectLimit = 1024
    /// The time without a report after which a running measurement counts as ended.
    public var streamTimeout: Duration = .seconds(4)
    /// The same before the first value of a measurement that has reported once: an R02 was seen to
    /// send one zero, and then nothing for 26 seconds.
    public var warmUpTimeout: Duration = .seconds(35)
    /// The time without a report after which a running workout counts as ended. Rings report once a
    /// second, and a link without a single packet is lost after 32 s at most: a workout out of
    /// range goes on when the ring is back, or is interrupted with its link.
    public var workoutTimeout: Duration = .seconds(35)
    /// The interval at which a running measurement is sent a keep-alive.
    public var keepAliveInterval: Duration = .seconds(15)
    /// The delay of a tick after its deadline above which the app counts as suspended meanwhile.
    public var lateTickThreshold: Duration = .seconds(1)
    /// The time after a suspension in which an app can pass on the input that came meanwhile.
    public var gracePeriod: Duration = .milliseconds(300)

    public init() {}

    /// The attempts within their range: each leaves a late reply to wait for.
    var attemptLimit: Int { min(max(attempts, 1), 16) }
}

extension Duration {
    /// The duration in microseconds, 1 at least and a year at most.
    var asWait: Int64 { min(max(wholeMicroseconds, 1), 31_536_000_000_000) }
}
