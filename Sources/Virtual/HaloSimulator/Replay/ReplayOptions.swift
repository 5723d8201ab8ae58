public import HaloCapture
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

    /// The reply to a request for stored values that were not recorded: of a day, or of a kind.
    public enum UnrecordedValues: Hashable, Sendable {
        /// None of its own: the request is one that matches no recorded request.
        case unanswered
        /// "No data", as a ring replies that has no such values. So a capture of a few days, or of
        /// another app, can drive a whole read.
        case noData
    }

    /// The way in which a request is matched with a recorded one.
    public var matching: Matching
    /// The reply to a write that matches no recorded request.
    public var unknown: Unknown
    /// `true` if a ring request is matched with a recorded one that differs only in its arguments
    /// (a time, a number, a name). Only ``Matching/lenient`` does this, and only without an equal
    /// request. A request for the stored values of a day is matched only with one for the same day.
    public var answersSimilar: Bool
    /// The reply to a request for stored values that matches no recorded request.
    public var unrecordedValues: UnrecordedValues = .unanswered
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
