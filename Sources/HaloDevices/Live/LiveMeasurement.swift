public import HaloProtocol

/// What a ring can be told to measure now, with the type that its readings have.
///
///     for try await beat in ring.measure(.heartRate) { print(beat.bpm) }
public struct LiveMeasurement<Reading: Sendable>: Sendable {
    /// What the ring is told.
    public let quantity: RealtimeMeasurement.Quantity
    let reading: @Sendable (RealtimeMeasurement.Reply) -> Reading?

    /// A measurement whose readings are made of the ring's reports; nothing where a report has
    /// none.
    public init(
        _ quantity: RealtimeMeasurement.Quantity,
        reading: @escaping @Sendable (RealtimeMeasurement.Reply) -> Reading?
    ) {
        self.quantity = quantity
        self.reading = reading
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
