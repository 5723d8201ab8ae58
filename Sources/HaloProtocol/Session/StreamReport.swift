/// What a session says of a stream.
public enum StreamReport: Hashable, Sendable {
    /// The ring has begun; a workout has the key under which it will be stored.
    case started(CivilDateTime?)
    /// A report of a measurement: a value, or why there is none yet.
    case measurement(RealtimeMeasurement.Reply)
    /// A report of a workout; while it runs, repeats of a second are left out.
    case workout(WorkoutProgress.Reply)
    /// Values of the sensors.
    case rawSensors(RawSensors.Reply)
    /// The stream has ended; nothing of it follows.
    case ended(StreamEnd)
}

#if !hasFeature(Embedded)
extension StreamReport: CustomStringConvertible {
    /// What the ring reported, read as captures read it, on one line.
    public var description: String {
        switch self {
        case .started(let start): start.map { "started, to be stored as \($0)" } ?? "started"
        case .measurement(let reply): Explanation(of: reply.frame, direction: .fromDevice).reading
        case .workout(let reply): Explanation(of: reply.frame, direction: .fromDevice).reading
        case .rawSensors(let reply): Explanation(of: reply.frame, direction: .fromDevice).reading
        case .ended(let end): "ended: \(end)"
        }
    }
}
#endif
