public import HaloProtocol

/// A value that a ring has stored, with the time that its clock showed.
public struct TimedSample<Value: Sendable>: Sendable {
    /// When, or when the stretch of time began that the value is of, on the ring's clock.
    public let time: CivilDateTime
    /// How long that stretch is.
    public let minutes: Int
    /// How many seconds the clock was ahead of UTC that the ring had then; `nil` where that is not
    /// known, as of what was stored before the first of ``Ring/clocks``.
    public let secondsFromUTC: Int?
    /// The value.
    public let value: Value

    /// A sample.
    public init(time: CivilDateTime, minutes: Int, secondsFromUTC: Int?, value: Value) {
        self.time = time
        self.minutes = minutes
        self.secondsFromUTC = secondsFromUTC
        self.value = value
    }

    /// When in UTC, where it is known how the ring's clock stood to it.
    public var utc: CivilDateTime? {
        secondsFromUTC.map { time.advanced(bySeconds: $0 == .min ? .max : -$0) }
    }
}

extension TimedSample: Equatable where Value: Equatable {}
extension TimedSample: Hashable where Value: Hashable {}

extension TimedSample: CustomStringConvertible {
    /// `2026-01-05 09:00:00: 62`: the ring's time, and the value.
    public var description: String { "\(time): \(value)" }
}
