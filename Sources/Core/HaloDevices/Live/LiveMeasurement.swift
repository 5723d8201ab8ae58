public import HaloProtocol

// MARK: - One value

/// Measurements of one value: each call starts a measurement, and stops it after the first reading.
///
/// The call throws ``DeviceError/Kind/timedOut`` after the timeout, 90 seconds by default: rings
/// need about 26 seconds for a heart rate, and a minute for its variability. It throws
/// ``DeviceError/Kind/notWorn`` or ``DeviceError/Kind/noData`` if the ring ends the measurement
/// without a reading, ``DeviceError/Kind/notSupported`` if it refuses, and
/// ``DeviceError/Kind/silent`` if it stops reporting. If the link is lost or the app disconnects,
/// it throws ``DeviceError/Kind/disconnected`` with the reason; if another measurement begins,
/// ``DeviceError/Kind/replaced``. The measurement is stopped on the ring in every case, even when
/// the task is cancelled.
extension Ring {
    /// Measures the heart rate.
    public nonisolated(nonsending) func measureHeartRate(
        timeout: Duration = .seconds(90)
    ) async throws(DeviceError) -> HeartRateReading {
        try await firstReading(of: .heartRate, within: timeout)
    }

    /// Measures the blood oxygen.
    public nonisolated(nonsending) func measureBloodOxygen(
        timeout: Duration = .seconds(90)
    ) async throws(DeviceError) -> BloodOxygenReading {
        try await firstReading(of: .bloodOxygen, within: timeout)
    }

    /// Measures the stress score.
    public nonisolated(nonsending) func measureStress(
        timeout: Duration = .seconds(90)
    ) async throws(DeviceError) -> StressReading {
        try await firstReading(of: .stress, within: timeout)
    }

    /// Measures the heart-rate variability.
    public nonisolated(nonsending) func measureHeartRateVariability(
        timeout: Duration = .seconds(90)
    ) async throws(DeviceError) -> HeartRateVariabilityReading {
        try await firstReading(of: .heartRateVariability, within: timeout)
    }

    /// Measures the temperature of the skin, as one source describes it.
    public nonisolated(nonsending) func measureTemperature(
        timeout: Duration = .seconds(90)
    ) async throws(DeviceError) -> TemperatureReading {
        try await firstReading(of: .temperature, within: timeout)
    }

    /// Measures heart rate and blood pressure together; one source has seen an H59 do it.
    public nonisolated(nonsending) func measureHealthCheck(
        timeout: Duration = .seconds(90)
    ) async throws(DeviceError) -> HealthCheckReading {
        try await firstReading(of: .healthCheck, within: timeout) { $0.bloodPressure != nil }
    }

    /// Starts a measurement, and stops it after the first complete reading.
    ///
    /// If the ring ends the measurement earlier, the call returns the last reading.
    private nonisolated(nonsending) func firstReading<Reading: Sendable>(
        of measurement: LiveMeasurement<Reading>, within timeout: Duration,
        isComplete: (Reading) -> Bool = { _ in true }
    ) async throws(DeviceError) -> Reading {
        let command = RealtimeMeasurement.name
        try connection.checkReady(for: command)
        let loop = loop(over: .measurement(measurement.quantity), once: true)
        let timer = loop.limit(to: timeout, DeviceError(.timedOut, command: command))
        defer { connection.update { $0.operations.drop(timer) } }
        var last: Reading?
        var isWorn = true
        while let item = try await loop.next() {
            switch measurement.report(item) {
            case .reading(let reading):
                if isComplete(reading) { return reading }
                last = reading
            case .notWorn: isWorn = false
            case .warmingUp: isWorn = true
            case .interrupted:
                try connection.checkReady(for: command)
                throw DeviceError(.disconnected, command: command)
            case .other, .missed, nil: continue
            }
        }
        if Task.isCancelled { throw DeviceError(.cancelled, command: command) }
        if let last { return last }
        // A loop ends without an error when the app has disconnected.
        try connection.checkReady(for: command)
        throw DeviceError(isWorn ? .noData : .notWorn, command: command)
    }
}

// MARK: - Sequences

extension Ring {
    /// Returns the readings of a measurement, in the measurement's own type.
    ///
    ///     for try await beat in ring.measure(.heartRate) { print(beat.beatsPerMinute) }
    ///
    /// ``LiveReports`` describes the beginning and the end of the measurement. Reports without a
    /// reading are left out.
    ///
    /// - Parameter repeating: `true` to restart the measurement when the ring ends it, as most
    ///   rings do within a minute.
    public func measure<Reading: Sendable>(
        _ measurement: LiveMeasurement<Reading>, repeating: Bool = false
    ) -> DeviceUpdates<Reading> {
        DeviceUpdates(reports(of: measurement, repeating: repeating)) {
            if case .reading(let reading) = $0 { reading } else { nil }
        }
    }

    /// Returns the reports of a measurement: the time until the first reading, readings, a ring
    /// that is not worn, dropped reports.
    public func reports<Reading: Sendable>(
        of measurement: LiveMeasurement<Reading>, repeating: Bool = false
    ) -> LiveReports<Reading> {
        let isOnce = !repeating && measurement.quantity != .heartRateStream
        return LiveReports(items(of: .measurement(measurement.quantity), once: isOnce)) {
            measurement.report($0)
        }
    }

    /// The raw values of the sensors.
    ///
    /// Seen on rings with a BlueX chip, once a second for each channel:
    /// ``/HaloProtocol/Dialect/rawSensors``. The sequence begins and ends as ``LiveReports`` do.
    public var rawSensors: DeviceUpdates<RawSensorSample> {
        DeviceUpdates(items(of: .rawSensors, once: false)) { item in
            switch item {
            case .report(.rawSensors(let reply)): RawSensorSample(reply)
            case .missed(let count): .missed(count)
            case .interrupted: .interrupted
            case .report: nil
            }
        }
    }

    /// The waves of the hand, a gesture meant for taking pictures, each as the moment of its report
    /// on the transport's timeline. The ring watches from the first call of `next()` until the
    /// iterator is dropped.
    ///
    /// A wave within three seconds after another one counts as the same. Seen on an R10.
    public var gestures: DeviceUpdates<Moment> { DeviceUpdates { [self] in loopOverGestures() } }

    private func items(of stream: RingStream, once isOnce: Bool) -> DeviceUpdates<StreamItem> {
        DeviceUpdates { [self] in loop(over: stream, once: isOnce) }
    }
}

/// A measurement that a ring makes on request, with the type of its readings.
///
///     for try await beat in ring.measure(.heartRate) { print(beat.beatsPerMinute) }
public struct LiveMeasurement<Reading: Sendable>: Sendable {
    let quantity: RealtimeMeasurement.Quantity
    /// Returns the reading of a ring's report; `nil` if there is none yet.
    private let reading: @Sendable (RealtimeMeasurement.Reply) -> Reading?

    fileprivate init(
        _ quantity: RealtimeMeasurement.Quantity,
        reading: @escaping @Sendable (RealtimeMeasurement.Reply) -> Reading?
    ) {
        self.quantity = quantity
        self.reading = reading
    }

    /// Returns the report in a stream's element; `nil` for an element of another stream.
    fileprivate func report(_ item: StreamItem) -> LiveReport<Reading>? {
        switch item {
        case .interrupted: return .interrupted
        case .missed(let count): return .missed(count)
        case .report(.measurement(let reply)):
            if let reading = reading(reply) { return .reading(reading) }
            if reply.fault == .notWorn { return .notWorn }
            guard reply.fault == .nothingYet || reply.isWarmingUp else { return .other("\(reply)") }
            return .warmingUp(beatInterval: reply.interval)
        case .report: return nil
        }
    }
}

extension RealtimeMeasurement.Reply {
    fileprivate var interval: Duration? {
        measuredBeatIntervalMilliseconds.map { .milliseconds($0) }
    }
}

extension LiveMeasurement where Reading == HeartRateReading {
    /// A single heart rate: rings report it after some 26 seconds, and end the measurement within a
    /// minute.
    public static var heartRate: LiveMeasurement { heartRate(.heartRate) }

    /// The heart rate, repeatedly until the loop is left.
    ///
    /// Known from notes on one firmware (R11). A ``LiveWorkout`` is known to last for long.
    public static var heartRateStream: LiveMeasurement { heartRate(.heartRateStream) }

    private static func heartRate(
        _ quantity: RealtimeMeasurement.Quantity
    ) -> LiveMeasurement {
        LiveMeasurement(quantity) { report in
            report.beatsPerMinute.map {
                HeartRateReading(beatsPerMinute: Int($0), beatInterval: report.interval)
            }
        }
    }
}

extension LiveMeasurement where Reading == BloodOxygenReading {
    /// Blood oxygen; rings report a value after some 26 seconds.
    public static var bloodOxygen: LiveMeasurement {
        LiveMeasurement(.bloodOxygen) { report in
            report.bloodOxygenPercent.map { BloodOxygenReading(percent: Int($0)) }
        }
    }
}

extension LiveMeasurement where Reading == StressReading {
    /// Stress; rings report a score after some 26 seconds.
    public static var stress: LiveMeasurement {
        LiveMeasurement(.stress) { report in
            report.stress.map { StressReading(score: Int($0), beatInterval: report.interval) }
        }
    }
}

extension LiveMeasurement where Reading == HeartRateVariabilityReading {
    /// Heart-rate variability; rings report a value after about a minute.
    public static var heartRateVariability: LiveMeasurement {
        LiveMeasurement(.heartRateVariability) { report in
            report.variabilityMilliseconds.map {
                HeartRateVariabilityReading(milliseconds: Int($0), beatInterval: report.interval)
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
    /// Heart rate and blood pressure together; one source has seen an H59 do it.
    public static var healthCheck: LiveMeasurement {
        LiveMeasurement(.healthCheck) { report in
            guard let beatsPerMinute = report.beatsPerMinute else { return nil }
            let pressure = report.pressure.map {
                BloodPressure(
                    systolic: Int($0.systolicMillimetresOfMercury),
                    diastolic: Int($0.diastolicMillimetresOfMercury))
            }
            return HealthCheckReading(
                beatsPerMinute: Int(beatsPerMinute), bloodPressure: pressure,
                beatInterval: report.interval)
        }
    }
}

/// The reports of a measurement.
///
/// A loop starts a measurement with the first call of `next()`. The measurement is stopped on the
/// ring when the loop is left, its task is cancelled, or the iterator is dropped. Each loop is a
/// measurement of its own. A ring measures one quantity at a time: another measurement ends this
/// one with ``DeviceError/Kind/replaced``. When the ring ends the measurement by itself, the
/// sequence ends.
public typealias LiveReports<Reading: Sendable> = DeviceUpdates<LiveReport<Reading>>
