public import HaloProtocol

/// A heart rate that was measured just now.
public struct HeartRateReading: Hashable, Sendable {
    /// Heart beats in a minute.
    public let bpm: Int
    /// The last time between two beats in milliseconds, where the ring says one.
    public let beatInterval: UInt16?

    /// A heart rate.
    public init(bpm: Int, beatInterval: UInt16? = nil) {
        self.bpm = bpm
        self.beatInterval = beatInterval
    }
}

extension HeartRateReading: CustomStringConvertible {
    /// `64 bpm`.
    public var description: String { "\(bpm) bpm" }
}

/// A blood oxygen that was measured just now.
public struct BloodOxygenReading: Hashable, Sendable {
    /// How much of the blood carries oxygen.
    public let percent: Int

    /// A blood oxygen.
    public init(percent: Int) { self.percent = percent }
}

extension BloodOxygenReading: CustomStringConvertible {
    /// `97 %`.
    public var description: String { "\(percent) %" }
}

/// A stress that was measured just now.
public struct StressReading: Hashable, Sendable {
    /// From 1 to 100: what a ring makes of the beats, in its own way.
    public let score: Int
    /// The last time between two beats in milliseconds, where the ring says one.
    public let beatInterval: UInt16?

    /// A stress.
    public init(score: Int, beatInterval: UInt16? = nil) {
        self.score = score
        self.beatInterval = beatInterval
    }
}

extension StressReading: CustomStringConvertible {
    /// `stress 34`.
    public var description: String { "stress \(score)" }
}

/// A heart-rate variability that was measured just now.
public struct HeartRateVariabilityReading: Hashable, Sendable {
    /// How far the times between beats scatter; by which formula is not known.
    public let milliseconds: Int
    /// The last time between two beats in milliseconds, where the ring says one.
    public let beatInterval: UInt16?

    /// A variability.
    public init(milliseconds: Int, beatInterval: UInt16? = nil) {
        self.milliseconds = milliseconds
        self.beatInterval = beatInterval
    }
}

extension HeartRateVariabilityReading: CustomStringConvertible {
    /// `42 ms`.
    public var description: String { "\(milliseconds) ms" }
}

/// A temperature of the skin that was measured just now.
public struct TemperatureReading: Hashable, Sendable {
    /// Degrees Celsius.
    public let celsius: Double

    /// A temperature.
    public init(celsius: Double) { self.celsius = celsius }
}

extension TemperatureReading: CustomStringConvertible {
    /// `36.4 °C`.
    public var description: String { "\(celsius) °C" }
}

/// A heart rate and a blood pressure that were measured together just now.
public struct HealthCheckReading: Hashable, Sendable {
    /// Heart beats in a minute.
    public let bpm: Int
    /// The blood pressure, once there is one: what the ring makes of light alone, without a cuff.
    public let pressure: RealtimeMeasurement.Pressure?
    /// The last time between two beats in milliseconds, where the ring says one.
    public let beatInterval: UInt16?

    /// Both.
    public init(
        bpm: Int, pressure: RealtimeMeasurement.Pressure? = nil, beatInterval: UInt16? = nil
    ) {
        self.bpm = bpm
        self.pressure = pressure
        self.beatInterval = beatInterval
    }
}
