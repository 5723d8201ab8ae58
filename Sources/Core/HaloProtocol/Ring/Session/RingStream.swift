/// A kind of report that a ring repeats until it is stopped.
public enum RingStream: Hashable, Sendable {
    /// A realtime measurement, command 69.
    case measurement(RealtimeMeasurement.Quantity)
    /// A workout, commands 77 and 78.
    case workout(Sport)
    /// The raw values of the sensors, command A1.
    case rawSensors
}
