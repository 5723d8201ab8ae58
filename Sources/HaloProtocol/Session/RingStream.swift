/// What a ring reports again and again until it is told to stop.
public enum RingStream: Hashable, Sendable {
    /// A realtime measurement, command 69.
    case measurement(RealtimeMeasurement.Quantity)
    /// A workout, commands 77 and 78.
    case workout(Sport)
    /// The raw values of the sensors, command A1.
    case rawSensors
}

/// Which stream of a session is meant.
public struct StreamNumber: Hashable, Sendable {
    /// The session's number for it; numbers are not used twice.
    public let rawValue: UInt64

    init(_ rawValue: UInt64) {
        self.rawValue = rawValue
    }
}

/// What a session says of a stream.
public enum StreamReport: Hashable, Sendable {
    /// The ring has begun; a workout has the key under which it will be stored.
    case started(CivilDateTime?)
    /// A report of a measurement: a value, or why there is none yet.
    case measurement(RealtimeMeasurement.Reply)
    /// A report of a workout; repeats of a second are left out.
    case workout(WorkoutProgress.Reply)
    /// Values of the sensors.
    case rawSensors(RawSensors.Reply)
    /// The stream has ended; nothing of it follows.
    case ended(StreamEnd)
}

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
}
