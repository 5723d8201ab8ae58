public import HaloProtocol

/// Live measurements.
extension Ring {
    /// The readings of a measurement; the element is the measurement's own type.
    ///
    ///     for try await beat in ring.measure(.heartRate) { print(beat.bpm) }
    ///
    /// See ``LiveReports`` for when it begins and ends; what is no reading is left out here.
    ///
    /// - Parameter repeating: `true` to begin again when the ring ends it by itself, which most do
    ///   within a minute.
    public func measure<Reading: Sendable>(
        _ measurement: LiveMeasurement<Reading>, repeating: Bool = false
    ) -> LiveReadings<Reading> {
        LiveReadings(reports: reports(of: measurement, repeating: repeating))
    }

    /// Everything that happens in a measurement: the time until the first reading, a ring that is
    /// not worn, reports that were dropped.
    public func reports<Reading: Sendable>(
        of measurement: LiveMeasurement<Reading>, repeating: Bool = false
    ) -> LiveReports<Reading> {
        let isOnce = !repeating && measurement.quantity != .heartRateStream
        return LiveReports(gap: { .missed($0) }) { [self] in
            LoopOfSome(loop(over: .measurement(measurement.quantity), once: isOnce)) {
                (item) -> LiveReport<Reading>? in
                switch item {
                case .interrupted: return .interrupted
                case .report(.measurement(let reply)): return measurement.report(reply)
                case .report: return nil
                }
            }
        }
    }

    /// What the sensors measure, before the ring makes anything of it.
    ///
    /// Seen on rings with a BlueX chip, once a second for each channel: ``Dialect/rawSensors``. It
    /// begins and ends as a measurement does.
    public var rawSensors: RawSensorValues { RawSensorValues(ring: self) }

    /// Each wave of the hand, for taking pictures: while a loop asks for them, the ring watches for
    /// gestures.
    ///
    /// Waves within three seconds after one are taken for the same. Seen on an R10.
    public var gestures: Gestures { Gestures { [self] in loopOverGestures() } }
}

/// Waves of the hand, each with the moment at which it was noticed, on the transport's timeline.
///
/// The ring watches from the first call of `next()` on until the iterator is dropped.
public typealias Gestures = DeviceUpdates<Moment>

/// A measurement that a ring can be told to make now, with the type of its readings.
///
///     for try await beat in ring.measure(.heartRate) { print(beat.bpm) }
public struct LiveMeasurement<Reading: Sendable>: Sendable {
    /// The quantity that the ring is told to measure.
    public let quantity: RealtimeMeasurement.Quantity
    let reading: @Sendable (RealtimeMeasurement.Reply) -> Reading?

    /// A measurement whose readings are made of the ring's reports; `nil` where a report has none.
    public init(
        _ quantity: RealtimeMeasurement.Quantity,
        reading: @escaping @Sendable (RealtimeMeasurement.Reply) -> Reading?
    ) {
        self.quantity = quantity
        self.reading = reading
    }

    fileprivate func report(_ reply: RealtimeMeasurement.Reply) -> LiveReport<Reading> {
        if let reading = reading(reply) { return .reading(reading) }
        if reply.fault == .notWorn { return .notWorn }
        guard reply.fault == .nothingYet || reply.isWarmingUp else { return .other(reply) }
        return .warmingUp(beatInterval: reply.beatInterval)
    }
}

extension LiveMeasurement where Reading == HeartRateReading {
    /// The heart rate, once: a value after some 26 seconds, and the ring ends it after a minute at
    /// most.
    public static var heartRate: LiveMeasurement { heartRate(.heartRate) }

    /// The heart rate for as long as the ring goes on when it is told to.
    ///
    /// Known from notes on one firmware (R11); ``WorkoutRun`` is what is known to go on for long.
    public static var heartRateStream: LiveMeasurement { heartRate(.heartRateStream) }

    private static func heartRate(
        _ quantity: RealtimeMeasurement.Quantity
    ) -> LiveMeasurement {
        LiveMeasurement(quantity) { report in
            report.beatsPerMinute.map {
                HeartRateReading(bpm: Int($0), beatInterval: report.beatInterval)
            }
        }
    }
}

extension LiveMeasurement where Reading == BloodOxygenReading {
    /// Blood oxygen: a value after some 26 seconds.
    public static var bloodOxygen: LiveMeasurement {
        LiveMeasurement(.bloodOxygen) { report in
            report.bloodOxygenPercent.map { BloodOxygenReading(percent: Int($0)) }
        }
    }
}

extension LiveMeasurement where Reading == StressReading {
    /// Stress: a score after some 26 seconds.
    public static var stress: LiveMeasurement {
        LiveMeasurement(.stress) { report in
            report.stress.map {
                StressReading(score: Int($0), beatInterval: report.beatInterval)
            }
        }
    }
}

extension LiveMeasurement where Reading == HeartRateVariabilityReading {
    /// Heart-rate variability: a value after about a minute.
    public static var heartRateVariability: LiveMeasurement {
        LiveMeasurement(.heartRateVariability) { report in
            report.variabilityMilliseconds.map {
                HeartRateVariabilityReading(
                    milliseconds: Int($0), beatInterval: report.beatInterval)
            }
        }
    }
}

extension LiveMeasurement where Reading == TemperatureReading {
    /// The temperature of the skin, as one source describes it.
    public static var temperature: LiveMeasurement {
        LiveMeasurement(.temperature) { report in
            report.celsius.map { TemperatureReading(celsius: $0) }
        }
    }
}

extension LiveMeasurement where Reading == HealthCheckReading {
    /// Heart rate and blood pressure together; H59 was seen to do it.
    public static var healthCheck: LiveMeasurement {
        LiveMeasurement(.healthCheck) { report in
            guard let bpm = report.beatsPerMinute else { return nil }
            return HealthCheckReading(
                bpm: Int(bpm), pressure: report.pressure, beatInterval: report.beatInterval)
        }
    }
}

/// Everything that happens in a measurement, readings among it.
public enum LiveReport<Reading: Sendable>: Sendable {
    /// The ring measures and has no reading yet; the times between beats may come before.
    case warmingUp(beatInterval: UInt16?)
    /// A reading.
    case reading(Reading)
    /// The ring says that it is not worn, or not well.
    case notWorn
    /// A report with a fault that nobody has described, or one that says nothing: as it came.
    case other(RealtimeMeasurement.Reply)
    /// The link was lost; the measurement begins anew when it is made again.
    case interrupted
    /// So many reports were dropped here, because the buffer was full.
    case missed(Int)
}

extension LiveReport: Equatable where Reading: Equatable {}
extension LiveReport: Hashable where Reading: Hashable {}

/// A measurement as it runs, report by report.
///
/// It begins when a loop asks for the first report, and ends on the ring when the loop is left,
/// its task is cancelled, or the iterator is dropped. Each loop is a measurement of its own. A
/// ring measures one thing at a time: another measurement ends this one with
/// ``DeviceError/Kind/replaced``. Where the ring ends it by itself, so does the sequence.
public typealias LiveReports<Reading: Sendable> = DeviceUpdates<LiveReport<Reading>>

/// The readings of a measurement, as ``LiveReports`` has them, and nothing else.
///
/// The oldest are dropped where a loop is slow; ``AsyncIterator/missed`` counts them.
public struct LiveReadings<Reading: Sendable>: AsyncSequence, Sendable {
    /// What comes.
    public typealias Element = Reading

    let reports: LiveReports<Reading>

    /// Begins a measurement with the first call of `next()`.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(reports: reports.makeAsyncIterator())
    }

    /// Fetches the readings of one measurement.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var reports: LiveReports<Reading>.AsyncIterator
        /// The number of reports so far that were dropped, because the buffer was full.
        public private(set) var missed = 0

        init(reports: LiveReports<Reading>.AsyncIterator) { self.reports = reports }

        /// The next reading; `nil` when the measurement has ended, or the task is cancelled.
        public nonisolated(nonsending) mutating func next() async throws(DeviceError) -> Reading? {
            while let report = try await reports.next() {
                switch report {
                case .reading(let reading): return reading
                case .missed(let count): missed &+= count
                case .warmingUp, .notWorn, .other, .interrupted: continue
                }
            }
            return nil
        }
    }
}

@available(*, unavailable)
extension LiveReadings.AsyncIterator: Sendable {}
