internal import HaloProtocol

/// What a ring measures now.
extension Ring {
    /// The readings of a measurement; the element is the measurement's own type.
    ///
    ///     for try await beat in ring.measure(.heartRate) { print(beat.bpm) }
    ///
    /// See ``LiveReports`` for when it begins and ends; what is no reading is left out here.
    ///
    /// - Parameter repeating: Whether it is begun again when the ring ends it by itself, which
    ///   most do within a minute.
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
        LiveReports(
            ring: self, measurement: measurement,
            isOnce: !repeating && measurement.quantity != .heartRateStream)
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
    public var gestures: Gestures { Gestures(ring: self) }
}
