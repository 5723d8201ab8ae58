public import HaloProtocol

/// A measurement of a heart-rate sensor, with the time at which it came.
public struct MeasuredHeartRate: Hashable, Sendable {
    /// What the sensor sent.
    public let measurement: HeartRateMeasurement
    /// When it came, on the transport's timeline.
    public let moment: Moment
    /// What a clock on the wall showed then.
    public let time: CivilDateTime
    /// How many seconds that clock was ahead of UTC.
    public let secondsFromUTC: Int
    /// The beats of which it tells, the oldest first, on the timeline of their series.
    public let beats: [SensedBeat]

    /// A measurement that came at a time.
    public init(
        _ measurement: HeartRateMeasurement, moment: Moment, time: CivilDateTime,
        secondsFromUTC: Int, beats: [SensedBeat] = []
    ) {
        self.beats = beats
        self.measurement = measurement
        self.moment = moment
        self.time = time
        self.secondsFromUTC = secondsFromUTC
    }

    /// Heart beats in a minute; many sensors say 0 when they have lost the skin.
    public var bpm: Int { Int(measurement.beatsPerMinute) }

    /// When it came, in UTC.
    public var utc: CivilDateTime {
        time.advanced(bySeconds: secondsFromUTC == .min ? .max : -secondsFromUTC)
    }
}

extension MeasuredHeartRate: CustomStringConvertible {
    /// `2026-01-05 09:00:07: 64 bpm`.
    public var description: String { "\(time): \(bpm) bpm" }
}
