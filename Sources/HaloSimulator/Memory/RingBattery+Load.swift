extension RingBattery {
    /// What a ring does, as far as it takes current.
    public struct Load: Hashable, Sendable {
        /// What it measures by itself.
        public var measurements: AutomaticMeasurements
        /// Whether it is worn; what is not worn measures little.
        public var isWorn: Bool
        /// Whether a central is connected.
        public var isConnected: Bool
        /// Whether it measures all the time: a live measurement, a workout or raw sensors.
        public var isStreaming: Bool

        /// What a ring does.
        public init(
            measurements: AutomaticMeasurements = .all, isWorn: Bool = true,
            isConnected: Bool = false, isStreaming: Bool = false
        ) {
            self.measurements = measurements
            self.isWorn = isWorn
            self.isConnected = isConnected
            self.isStreaming = isStreaming
        }

        /// The average current: 95 µA for being on; for a heart rate what 15 s at 0.9 mA are, for
        /// another optical measurement twice that; 40 µA for a link; 1.5 mA for a stream.
        public var microamperes: Int {
            var current = 95 + (isConnected ? 40 : 0) + (isStreaming ? 1_500 : 0)
            guard isWorn else { return current }
            if let minutes = measurements.heartRateMinutes {
                current += 13_500 / (max(Int(minutes), 5) * 60)
            }
            if measurements.bloodOxygen { current += 27_000 / 3600 }
            if measurements.stress { current += 27_000 / 1800 }
            if measurements.variability { current += 27_000 / 3600 }
            return current
        }
    }
}
