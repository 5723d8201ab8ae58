public import HaloProtocol
internal import HaloTransport

/// A value that a ring has stored, with the time that its clock showed.
public struct TimedSample<Value: Sendable>: Sendable, CustomStringConvertible {
    /// The beginning of the value's period, on the ring's clock.
    public let time: CivilDateTime
    /// The length of the value's period in minutes.
    public let minutes: Int
    /// The seconds by which the ring's clock was ahead of UTC at that time; `nil` if not known, as
    /// for values that were stored before the first of ``Ring/clocks``.
    public let secondsFromUTC: Int?
    /// The value.
    public let value: Value

    /// Creates a value, for previews and tests.
    @inlinable
    public init(time: CivilDateTime, minutes: Int, secondsFromUTC: Int? = nil, value: Value) {
        self.time = time
        self.minutes = minutes
        self.secondsFromUTC = secondsFromUTC
        self.value = value
    }

    /// The beginning in UTC; `nil` if the offset of the ring's clock is not known.
    public var utc: CivilDateTime? {
        secondsFromUTC.map { WallClock(local: time, secondsFromUTC: $0).utc }
    }

    /// The ring's time and the value: `2026-01-05 09:00:00: 62`.
    public var description: String { "\(time): \(value)" }
}

extension TimedSample: Equatable where Value: Equatable {}

extension TimedSample: Hashable where Value: Hashable {}

extension TimedSample: Encodable where Value: Encodable {}

extension TimedSample: Decodable where Value: Decodable {}

extension Duration {
    package static func minutes(_ count: Int) -> Duration { .seconds(Int64(count) * 60) }

    /// The whole minutes of the duration; the rest of a minute is dropped.
    package var wholeMinutes: Int { Int(clamping: saturatedComponents.seconds / 60) }
}
