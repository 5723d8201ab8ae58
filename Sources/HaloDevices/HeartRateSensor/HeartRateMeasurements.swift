public import HaloProtocol
internal import HaloTransport

/// The measurements of a heart-rate sensor, as ``HeartRateSensor/reports`` has them, and nothing
/// else.
///
/// ``AsyncIterator/malformed`` and ``AsyncIterator/missed`` count what is left out.
public struct HeartRateMeasurements: AsyncSequence, Sendable {
    /// What comes.
    public typealias Element = MeasuredHeartRate

    let reports: DeviceUpdates<HeartRateReport>

    /// Begins to listen at once.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(reports: reports.makeAsyncIterator())
    }

    /// Fetches the measurements.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var reports: DeviceUpdates<HeartRateReport>.AsyncIterator
        /// The number of values so far that were no measurements.
        public private(set) var malformed = 0
        /// The number of reports so far that were dropped, because the buffer was full.
        public private(set) var missed = 0

        init(reports: DeviceUpdates<HeartRateReport>.AsyncIterator) { self.reports = reports }

        /// The next measurement; `nil` when no more can come, or the task is cancelled.
        public nonisolated(nonsending) mutating func next() async throws(DeviceError)
            -> MeasuredHeartRate?
        {
            while let report = try await reports.next() {
                switch report {
                case .measurement(let measurement): return measurement
                case .malformed: malformed &+= 1
                case .missed(let count): missed &+= count
                case .contact, .interrupted: continue
                }
            }
            return nil
        }
    }
}

@available(*, unavailable)
extension HeartRateMeasurements.AsyncIterator: Sendable {}

/// Everything that happens while a heart-rate sensor measures.
public enum HeartRateReport: Hashable, Sendable {
    /// A measurement.
    case measurement(MeasuredHeartRate)
    /// A value that is no measurement, when it came, and what is wrong with it.
    case malformed([UInt8], Moment, PacketError)
    /// The sensor has lost the skin, or found it again; only some can tell.
    case contact(HeartRateMeasurement.Contact)
    /// The link was lost; measurements go on when it is made again.
    case interrupted
    /// So many reports were dropped here, because the buffer was full.
    case missed(Int)
}

/// A measurement of a heart-rate sensor, with the time at which it came.
public struct MeasuredHeartRate: Hashable, Sendable {
    /// What the sensor sent.
    public let measurement: HeartRateMeasurement
    /// The moment of its arrival, on the transport's timeline.
    public let moment: Moment
    /// The local time of its arrival.
    public let time: CivilDateTime
    /// The seconds by which that was ahead of UTC.
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
        WallClock(local: time, secondsFromUTC: secondsFromUTC).utc
    }
}

extension MeasuredHeartRate: CustomStringConvertible {
    /// `2026-01-05 09:00:07: 64 bpm`.
    public var description: String { "\(time): \(bpm) bpm" }
}
