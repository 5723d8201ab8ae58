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
