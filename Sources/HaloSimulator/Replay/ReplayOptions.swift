public import HaloCapture
public import HaloProtocol
public import HaloTransport

/// The options of a ``ReplayDevice``.
public struct ReplayOptions: Hashable, Sendable {
    /// The way in which a request is matched with a recorded one.
    public enum Matching: Hashable, Sendable {
        /// Matches only the next request of the recording.
        case strict
        /// Matches the request with the same content that is nearest to the current position, even
        /// if it was matched before.
        case lenient
    }

    /// The reply to a write that matches no recorded request. An unmatched read is always refused.
    public enum Unknown: Hashable, Sendable {
        /// The write is acknowledged and has no effect, as rings do with most unknown requests.
        case accepted
        /// The write is refused with this error, if it expects a response.
        case refused(ATTError)
    }

    /// The way in which a request is matched with a recorded one.
    public var matching: Matching
    /// The reply to a write that matches no recorded request.
    public var unknown: Unknown
    /// `true` if a ring request is matched with a recorded one that differs only in its arguments
    /// (a date, a number, a name). Only ``Matching/lenient`` does this, and only without an equal
    /// request.
    public var answersSimilar: Bool
    /// The speed of the replay.
    public var timing: ReplayTiming = .recorded
    /// `true` if links end as in the recording, except where the app ended them.
    public var replaysDisconnections = false
    /// The name that it advertises, if no advertisement was recorded.
    public var name: String?
    /// The connection to replay if the capture has several at once; `nil` for the one without a
    /// name, or else the first.
    public var link: CaptureName?

    /// Creates options.
    public init(
        matching: Matching = .lenient, unknown: Unknown = .accepted, answersSimilar: Bool = true
    ) {
        self.matching = matching
        self.unknown = unknown
        self.answersSimilar = answersSimilar
    }

    /// The defaults: requests may come in any order, and unknown writes are acknowledged.
    public static let lenient = ReplayOptions()
    /// Only the recorded requests in the recorded order; others are refused.
    public static let strict = ReplayOptions(
        matching: .strict, unknown: .refused(.unlikely), answersSimilar: false)
}

/// The result of a replay so far.
public struct ReplayReport: Hashable, Sendable, CustomStringConvertible {
    /// A request that matches no recorded one.
    public struct Unknown: Hashable, Sendable {
        /// The moment of the request.
        public let moment: Moment
        /// The request that was not matched.
        public let what: RecordedRequest.What
        /// The line of the request that was expected instead, or `nil` without an order.
        public let expectedLine: Int?
    }

    /// The maximum number of requests in each list; the first are kept.
    public static let listLimit = 256

    /// The number of recorded requests.
    public let requestCount: Int
    /// The current position, as the number of recorded requests before it.
    public internal(set) var position = 0
    /// The number of matched requests.
    public internal(set) var matchedCount = 0
    /// The number of matched requests whose arguments differ.
    public internal(set) var similarCount = 0
    /// The number of requests that matched no recorded one.
    public internal(set) var unknownCount = 0
    /// The first ``listLimit`` requests that matched no recorded one.
    public internal(set) var unknown: [Unknown] = []
    /// The number of recorded requests that were never made.
    public internal(set) var neverAskedCount = 0
    /// The first ``listLimit`` recorded requests that were never made.
    public internal(set) var neverAsked: [RecordedRequest] = []
    /// The number of connections.
    public internal(set) var connectionCount = 0
    /// The number of values dropped because too many waited for a subscription, or too much was
    /// requested at once.
    public internal(set) var droppedCount = 0

    /// `true` if exactly the recorded requests were made.
    public var isExact: Bool { unknownCount == 0 && similarCount == 0 && neverAskedCount == 0 }

    /// A summary, and one line per request that matched no recorded one.
    public var description: String {
        var text =
            "\(matchedCount) requests were found in the recording, \(unknownCount) were not; "
            + "\(neverAskedCount) of \(requestCount) recorded ones were never asked."
        for request in unknown {
            let line = request.expectedLine.map { ", where line \($0) was due" } ?? ""
            text += "\n  unknown at \(request.moment.microseconds) us: \(request.what)\(line)"
        }
        return text
    }
}
