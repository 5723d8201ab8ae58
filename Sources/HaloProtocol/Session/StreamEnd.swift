/// Why a stream has ended.
public enum StreamEnd: Hashable, Sendable {
    /// It was stopped by the app.
    case stopped
    /// The ring ended it by itself, and was not to be asked again.
    case finished
    /// The ring does not support it, or will not do it.
    case refused
    /// Another measurement has taken its place: a ring does one at a time.
    case replaced
    /// The ring fell silent and did not begin again.
    case silent
    /// The link has ended.
    case disconnected
    /// Too many streams are open.
    case overloaded
    /// What was to begin it could not be written.
    case writeFailed
}

extension StreamEnd: CustomStringConvertible {
    /// Why, in words.
    public var description: String {
        switch self {
        case .stopped: "stopped by the app"
        case .finished: "the ring has finished"
        case .refused: "the ring refuses"
        case .replaced: "another measurement has taken its place"
        case .silent: "the ring fell silent"
        case .disconnected: "the link has ended"
        case .overloaded: "too many streams are open"
        case .writeFailed: "its request could not be written"
        }
    }
}
