public import HaloCapture
public import HaloTransport

/// How a ``ReplayDevice`` plays a recording.
public struct ReplayOptions: Hashable, Sendable {
    /// Which request of the recording one of a client is.
    public enum Matching: Hashable, Sendable {
        /// The next one of the recording, or none.
        case strict
        /// The one with the same content, as near as possible to the place that the replay is at,
        /// whether or not it was used before.
        case lenient
    }

    /// What a client hears to a write that the recording does not know. A read of what was never
    /// read is refused in either way.
    public enum Unknown: Hashable, Sendable {
        /// The device takes it and does nothing: what a ring does with most of what it ignores.
        case taken
        /// The device says no, with this error, if the client wants to know.
        case refused(ATTError)
    }

    /// Which request of the recording one of a client is.
    public var matching: Matching
    /// What a client hears to a write that the recording does not know.
    public var unknown: Unknown
    /// Whether a request to a ring that differs from a recorded one in its arguments only (a date,
    /// a number, a name) is answered like that one, where ``Matching/lenient`` finds no equal one.
    public var answersSimilar: Bool
    /// How fast the recording is played.
    public var timing: ReplayTiming = .recorded
    /// Whether links end where they ended in the recording, unless the app had ended them.
    public var replaysDisconnections = false
    /// The name that it advertises, if no advertisement was recorded.
    public var name: String?
    /// Which connection of the capture, if it has several at once; without, the one that has no
    /// name, or else the first.
    public var link: CaptureName?

    /// Options of one's own.
    public init(
        matching: Matching = .lenient, unknown: Unknown = .taken, answersSimilar: Bool = true
    ) {
        self.matching = matching
        self.unknown = unknown
        self.answersSimilar = answersSimilar
    }

    /// A client asks what it likes: the defaults.
    public static let lenient = ReplayOptions()
    /// A client asks what was asked, in the same order; all else is refused.
    public static let strict = ReplayOptions(
        matching: .strict, unknown: .refused(.unlikely), answersSimilar: false)
}
