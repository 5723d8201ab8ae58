/// An event of one stream.
public enum StreamReport: Hashable, Sendable {
    /// The start of the stream; for a workout with the key of its stored record.
    case started(CivilDateTime?)
    /// A measured value, or the reason for a missing one.
    case measurement(RealtimeMeasurement.Reply)
    /// The progress of a workout; while it runs, each second is reported once.
    case workout(WorkoutProgress.Reply)
    case rawSensors(RawSensors.Reply)
    /// The end of the stream, its last report.
    case ended(StreamEnd)
}
