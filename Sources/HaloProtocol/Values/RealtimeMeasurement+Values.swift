extension RealtimeMeasurement {
    /// A blood pressure.
    public struct Pressure: Hashable, Sendable {
        /// The higher one, while the heart contracts.
        public let systolicMillimetresOfMercury: UInt8
        /// The lower one, between beats.
        public let diastolicMillimetresOfMercury: UInt8
    }
}

/// The values of a report, by what is measured: nothing while the ring warms up or says a fault.
extension RealtimeMeasurement.Reply {
    /// The value, once there is one: zero is neither a reading nor an error.
    @inlinable public var reading: UInt8? {
        fault == .noFault && value != 0 ? value : nil
    }

    /// Whether the ring measures without a fault and has no result yet.
    public var isWarmingUp: Bool {
        guard fault == .noFault else { return false }
        return reading == nil && pressure == nil
    }

    /// Heart beats in a minute: of the two heart rates and the health check.
    @inlinable public var beatsPerMinute: UInt8? {
        switch quantity {
        case .heartRate, .heartRateStream, .healthCheck: reading
        default: nil
        }
    }

    /// A report of a valid blood oxygen.
    public static func bloodOxygen(percent: UInt8) -> RealtimeMeasurement.Reply {
        RealtimeMeasurement.Reply(.bloodOxygen, value: percent, second: validBloodOxygen)
    }

    /// Blood oxygen in percent, where the ring says that it is valid.
    @inlinable public var bloodOxygenPercent: UInt8? {
        quantity == .bloodOxygen && second == Self.validBloodOxygen ? reading : nil
    }

    /// The stress score, 1 to 100.
    @inlinable public var stress: UInt8? { quantity == .stress ? reading : nil }

    /// Heart-rate variability in milliseconds.
    @inlinable public var variabilityMilliseconds: UInt8? {
        quantity == .heartRateVariability ? reading : nil
    }

    /// Blood pressure: of the health check, and of blood pressure itself (vendor notes only).
    public var pressure: RealtimeMeasurement.Pressure? {
        guard quantity == .bloodPressure || quantity == .healthCheck, fault == .noFault,
            second != 0, third != 0
        else { return nil }
        return RealtimeMeasurement.Pressure(
            systolicMillimetresOfMercury: second, diastolicMillimetresOfMercury: third)
    }

    @usableFromInline static func celsiusText(_ value: UInt8) -> String {
        SkinTemperature.text(value) + " °C (one source)"
    }

    /// The temperature in degrees Celsius, as one source guesses: a tenth of the value, plus 20.
    @inlinable public var celsius: Double? {
        guard quantity == .temperature, let reading else { return nil }
        return SkinTemperature.celsius(reading)
    }

    /// The last time between two heart beats in milliseconds, if there was one.
    ///
    /// It comes before the first value, and scatters around what the heart rate says.
    @inlinable public var beatInterval: UInt16? {
        beatIntervalMilliseconds == 0 ? nil : beatIntervalMilliseconds
    }
}

extension Reported<RealtimeMeasurement.Quantity> {
    /// What the value counts.
    @usableFromInline var unit: FieldUnit {
        switch self {
        case .heartRate, .heartRateStream, .healthCheck: .beatsPerMinute
        case .bloodOxygen: .percent
        case .heartRateVariability: .milliseconds
        default: .none
        }
    }

    /// What the two bytes behind the value count.
    @usableFromInline var pressureUnit: FieldUnit {
        self == .bloodPressure || self == .healthCheck ? .millimetresOfMercury : .none
    }
}
