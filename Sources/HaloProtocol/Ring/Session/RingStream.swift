/// A kind of report that a ring repeats until it is stopped.
public enum RingStream: Hashable, Sendable {
    /// A realtime measurement, command 69.
    case measurement(RealtimeMeasurement.Quantity)
    /// A workout, commands 77 and 78.
    case workout(Sport)
    /// The raw values of the sensors, command A1.
    case rawSensors
}

/// The number of a stream within its session.
public struct StreamNumber: Hashable, Sendable {
    /// The number; it is not used again in the same session.
    package let rawValue: UInt64

    init(_ rawValue: UInt64) {
        self.rawValue = rawValue
    }
}

/// An event of one stream.
public enum StreamReport: Hashable, Sendable {
    /// The start of the stream; for a workout with the key of its stored record.
    case started(CivilDateTime?)
    /// A measured value, or the reason for a missing one.
    case measurement(RealtimeMeasurement.Reply)
    /// The progress of a workout; while it runs, each second is reported once.
    case workout(WorkoutProgress.Reply)
    /// Raw values of the sensors.
    case rawSensors(RawSensors.Reply)
    /// The end of the stream, its last report.
    case ended(StreamEnd)
}

/// The reason why a stream has ended.
public enum StreamEnd: Hashable, Sendable {
    /// The app has stopped it.
    case stopped
    /// The ring has ended a measurement that measures once.
    case finished
    /// The ring does not support the stream, or refuses it.
    case refused
    /// Another stream of the same kind was started: a ring runs one at a time.
    case replaced
    /// The ring sent no more reports, and did not start again.
    case silent
    /// The link has ended.
    case disconnected
    /// The request that starts the stream could not be written.
    case writeFailed
}

extension StreamEnd: CustomStringConvertible {
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
