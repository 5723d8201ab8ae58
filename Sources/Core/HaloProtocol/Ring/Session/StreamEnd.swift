/// The reason why a stream has ended.
public enum StreamEnd: Hashable, Sendable, CustomStringConvertible {
    /// The app has stopped it.
    case stopped
    /// The ring has ended a workout, or a stream that was to measure once.
    case finished
    /// The ring does not support the stream, or refuses it.
    case refused
    /// Another stream of the same kind was started: a ring runs one at a time.
    case replaced
    /// The ring sent no more reports, and did not start again.
    case silent
    case disconnected
    /// The request that starts the stream could not be written.
    case writeFailed

    /// The reason in words.
    public var description: String {
        switch self {
        case .stopped: "stopped by the app"
        case .finished: "the ring has finished"
        case .refused: "the ring refuses"
        case .replaced: "another measurement has taken its place"
        case .silent: "the ring fell silent"
        case .disconnected: "the link has ended"
        case .writeFailed: "its request could not be written"
        }
    }
}
