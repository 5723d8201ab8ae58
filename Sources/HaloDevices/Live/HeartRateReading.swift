internal import HaloProtocol

/// A heart rate that was measured just now.
public struct HeartRateReading: Hashable, Sendable, Codable {
    /// The heart rate in beats per minute.
    public let beatsPerMinute: Int
    /// The latest interval between two beats, in whole milliseconds; `nil` if the ring does not
    /// report it.
    public let beatInterval: Duration?

    /// Creates a reading.
    public init(beatsPerMinute: Int, beatInterval: Duration? = nil) {
        self.beatsPerMinute = beatsPerMinute
        self.beatInterval = beatInterval
    }
}

extension HeartRateReading: CustomStringConvertible {
    /// `64 bpm`.
    public var description: String { "\(beatsPerMinute) bpm" }
}

/// A blood oxygen that was measured just now.
public struct BloodOxygenReading: Hashable, Sendable, Codable {
    /// The saturation, from 0 to 100.
    public let percent: Int

    /// Creates a reading.
    public init(percent: Int) { self.percent = percent }
}

extension BloodOxygenReading: CustomStringConvertible {
    /// `97 %`.
    public var description: String { "\(percent) %" }
}

/// A stress score that was measured just now.
public struct StressReading: Hashable, Sendable, Codable {
    /// The score from 1 to 100. The formula of rings is not known.
    public let score: Int
    /// The latest interval between two beats, in whole milliseconds; `nil` if the ring does not
    /// report it.
    public let beatInterval: Duration?

    /// Creates a reading.
    public init(score: Int, beatInterval: Duration? = nil) {
        self.score = score
        self.beatInterval = beatInterval
    }
}

extension StressReading: CustomStringConvertible {
    /// `stress 34`.
    public var description: String { "stress \(score)" }
}

/// A heart-rate variability that was measured just now.
public struct HeartRateVariabilityReading: Hashable, Sendable, Codable {
    /// The variability of the intervals between beats, in milliseconds. The formula of rings is not
    /// known.
    public let milliseconds: Int
    /// The latest interval between two beats, in whole milliseconds; `nil` if the ring does not
    /// report it.
    public let beatInterval: Duration?

    /// Creates a reading.
    public init(milliseconds: Int, beatInterval: Duration? = nil) {
        self.milliseconds = milliseconds
        self.beatInterval = beatInterval
    }
}

extension HeartRateVariabilityReading: CustomStringConvertible {
    /// `42 ms`.
    public var description: String { "\(milliseconds) ms" }
}

/// A temperature of the skin that was measured just now.
public struct TemperatureReading: Hashable, Sendable, Codable {
    /// The temperature in degrees Celsius.
    public let celsius: Double

    /// Creates a reading.
    public init(celsius: Double) { self.celsius = celsius }
}

extension TemperatureReading: CustomStringConvertible {
    /// `36.4 °C`.
    public var description: String { "\(celsius) °C" }
}

/// A heart rate and a blood pressure that were measured together just now.
public struct HealthCheckReading: Hashable, Sendable, Codable {
    /// The heart rate in beats per minute.
    public let beatsPerMinute: Int
    /// The blood pressure, estimated from light alone, without a cuff; `nil` at first.
    public let bloodPressure: BloodPressure?
    /// The latest interval between two beats, in whole milliseconds; `nil` if the ring does not
    /// report it.
    public let beatInterval: Duration?

    /// Creates a reading.
    public init(
        beatsPerMinute: Int, bloodPressure: BloodPressure? = nil,
        beatInterval: Duration? = nil
    ) {
        self.beatsPerMinute = beatsPerMinute
        self.bloodPressure = bloodPressure
        self.beatInterval = beatInterval
    }
}

extension HealthCheckReading: CustomStringConvertible {
    /// `64 bpm, 120/80 mmHg`.
    public var description: String {
        bloodPressure.map { "\(beatsPerMinute) bpm, \($0)" } ?? "\(beatsPerMinute) bpm"
    }
}

/// A raw value of a ring's sensors.
public enum RawSensorSample: Hashable, Sendable, Codable {
    /// The light of the blood-oxygen channel.
    case bloodOxygenLight(Light)
    /// The light of the pulse channel.
    case pulseLight(Light)
    /// The acceleration along three axes, in multiples of the gravity of Earth.
    case acceleration(x: Double, y: Double, z: Double)
    /// The bytes of a channel that is not described, without trailing zeros.
    case undescribed(channel: Int, bytes: [UInt8])
    /// The link was lost; samples continue with the next link.
    case interrupted
    /// The number of samples that were dropped because the loop was slow.
    case missed(Int)

    /// The light reflected by the skin, in units of the sensor.
    public struct Light: Hashable, Sendable, Codable {
        /// The current value.
        public let value: Int
        /// The recent maximum.
        public let maximum: Int
        /// The recent minimum.
        public let minimum: Int
        /// The maximum less the minimum on the pulse channel; not described on the other one.
        public let difference: Int

        /// Creates a value of an optical channel.
        public init(value: Int, maximum: Int, minimum: Int, difference: Int) {
            self.value = value
            self.maximum = maximum
            self.minimum = minimum
            self.difference = difference
        }

        fileprivate init(_ optical: RawSensors.Optical) {
            self.init(
                value: Int(optical.value), maximum: Int(optical.maximum),
                minimum: Int(optical.minimum),
                difference: Int(optical.difference))
        }
    }

    init(_ content: RawSensors.Content) {
        self =
            switch content {
            case .bloodOxygen(let optical): .bloodOxygenLight(Light(optical))
            case .pulse(let optical): .pulseLight(Light(optical))
            case .acceleration(let axes): .acceleration(x: axes.gX, y: axes.gY, z: axes.gZ)
            case .unknown(let unknown):
                .undescribed(channel: Int(unknown.channel.rawValue), bytes: Array(unknown.bytes))
            }
    }
}
