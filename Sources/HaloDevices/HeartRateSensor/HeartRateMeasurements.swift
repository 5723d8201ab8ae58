public import HaloProtocol
internal import HaloTransport

/// The measurements of a heart-rate sensor: ``HeartRateSensor/reports`` without the other reports.
///
/// ``AsyncIterator/malformed`` and ``AsyncIterator/missed`` count malformed values and dropped
/// reports.
public struct HeartRateMeasurements: AsyncSequence, Sendable {
    let reports: DeviceUpdates<HeartRateReport>

    /// Begins a loop at once, so that no measurement is lost before the first `next()`.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(reports: reports.makeAsyncIterator())
    }

    /// The iterator over measurements.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var reports: DeviceUpdates<HeartRateReport>.AsyncIterator
        /// The number of values so far that were no measurements.
        public private(set) var malformed = 0
        /// The number of reports so far that were dropped because the loop was slow.
        public private(set) var missed = 0

        init(reports: DeviceUpdates<HeartRateReport>.AsyncIterator) { self.reports = reports }

        /// Waits for the next measurement; `nil` at the end, and when the task is cancelled.
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

/// A report of a heart-rate sensor that measures.
public enum HeartRateReport: Hashable, Sendable {
    /// A measurement.
    case measurement(MeasuredHeartRate)
    /// A value that is no measurement: its bytes, the moment of its arrival, and the error.
    case malformed([UInt8], Moment, PacketError)
    /// A change of the contact with the skin: `true` when the sensor has found the skin again,
    /// `false` when it has lost it. Only some sensors can tell.
    case contact(Bool)
    /// The link was lost; measurements continue with the next link.
    case interrupted
    /// The number of reports that were dropped because the loop was slow.
    case missed(Int)
}

/// A measurement of a heart-rate sensor, with the time of its arrival.
public struct MeasuredHeartRate: Hashable, Sendable, Codable {
    /// The heart rate in beats per minute; many sensors report 0 when they have lost the skin.
    public let beatsPerMinute: Int
    /// `true` while the sensor touches the skin; `nil` if it cannot tell.
    public let isTouchingSkin: Bool?
    /// The energy in kilojoules since ``HeartRateSensor/resetEnergy()``; `nil` in most
    /// measurements.
    public let energyKilojoules: Int?
    /// The moment of the arrival, on the transport's timeline.
    public let moment: Moment
    /// The local time of the arrival.
    public let time: CivilDateTime
    /// The seconds by which ``time`` is ahead of UTC.
    public let secondsFromUTC: Int
    /// The beats of the measurement, the oldest first.
    public let beats: [HeartBeat]

    /// `false` if the sensor does not touch the skin, or has no heart rate: then the other values
    /// are no measurement of a heart.
    public var isWorn: Bool { isTouchingSkin != false && beatsPerMinute > 0 }

    /// Creates a measurement.
    public init(
        beatsPerMinute: Int, isTouchingSkin: Bool? = nil, energyKilojoules: Int? = nil,
        moment: Moment, time: CivilDateTime, secondsFromUTC: Int, beats: [HeartBeat] = []
    ) {
        self.beatsPerMinute = beatsPerMinute
        self.isTouchingSkin = isTouchingSkin
        self.energyKilojoules = energyKilojoules
        self.moment = moment
        self.time = time
        self.secondsFromUTC = secondsFromUTC
        self.beats = beats
    }

    init(
        _ measurement: HeartRateMeasurement, _ beats: [SensedBeat], at moment: Moment,
        _ clock: WallClock
    ) {
        let isTouching: Bool? =
            switch measurement.contact {
            case .notSupported: nil
            case .notDetected: false
            case .detected: true
            }
        self.init(
            beatsPerMinute: Int(measurement.beatsPerMinute), isTouchingSkin: isTouching,
            energyKilojoules: measurement.energyKilojoules.map { Int($0) }, moment: moment,
            time: clock.local, secondsFromUTC: clock.secondsFromUTC,
            beats: beats.map(HeartBeat.init))
    }

    /// The time of the arrival in UTC.
    public var utc: CivilDateTime {
        WallClock(local: time, secondsFromUTC: secondsFromUTC).utc
    }
}

extension MeasuredHeartRate: CustomStringConvertible {
    /// `2026-01-05 09:00:07: 64 bpm`.
    public var description: String { "\(time): \(beatsPerMinute) bpm" }
}

/// A heart beat, as a sensor reports the interval before it in 1024ths of a second.
public struct HeartBeat: Hashable, Sendable, Codable {
    /// The number of the beat since the sensor was connected to, counted from 1.
    public let number: Int
    /// The number of its series: between two series beats may be missing.
    public let series: Int
    /// The time since the beat before.
    public let interval: Duration
    /// The time since the series began.
    public let time: Duration

    /// Creates a beat.
    public init(number: Int, series: Int, interval: Duration, time: Duration) {
        self.number = number
        self.series = series
        self.interval = interval
        self.time = time
    }

    fileprivate init(_ beat: SensedBeat) {
        self.init(
            number: Int(clamping: beat.number), series: Int(clamping: beat.series),
            interval: .ticks(UInt64(beat.intervalTicks)), time: .ticks(beat.ticks))
    }
}

extension Duration {
    /// Returns a number of 1024ths of a second as an exact duration.
    fileprivate static func ticks(_ count: UInt64) -> Duration {
        Duration(
            secondsComponent: Int64(clamping: count / 1024),
            attosecondsComponent: Int64(count % 1024) * 976_562_500_000_000)
    }
}
