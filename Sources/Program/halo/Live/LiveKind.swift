import HaloDevices

/// What `halo live` shows.
enum LiveKind: String, CaseIterable, Sendable {
    case hr, spo2, stress, hrv, temperature, motion, raw

    /// The name, the unit and the limits of the chart.
    var quantity: LiveChart.Quantity {
        switch self {
        case .hr:
            LiveChart.Quantity(
                title: "heart rate", unit: "bpm", minimumSpan: 20, lowerBound: 0)
        case .spo2:
            LiveChart.Quantity(
                title: "blood oxygen", unit: "%", minimumSpan: 10, lowerBound: 0)
        case .stress:
            LiveChart.Quantity(title: "stress", unit: "", minimumSpan: 20, lowerBound: 0)
        case .hrv:
            LiveChart.Quantity(
                title: "heart-rate variability", unit: "ms", minimumSpan: 20, lowerBound: 0)
        case .temperature:
            LiveChart.Quantity(
                title: "skin temperature", unit: "°C", decimals: 1, minimumSpan: 2)
        case .motion:
            LiveChart.Quantity(
                title: "acceleration", unit: "g", decimals: 2, minimumSpan: 1, lowerBound: 0)
        case .raw:
            LiveChart.Quantity(title: "pulse light", unit: "", minimumSpan: 100)
        }
    }

    /// The colour of a value.
    func style(_ value: Double) -> TextStyle { self == .hr ? .heartRate(value) : .cyan }
}

extension LiveKind {
    /// Measures on a ring until the task is cancelled, and hands out reports.
    func measure(
        on ring: Ring, _ report: @Sendable (LiveReading) -> Void
    ) async throws(DeviceError) {
        switch self {
        case .hr:
            try await Self.loop(ring, .heartRate, report) {
                (Double($0.beatsPerMinute), $0.beatInterval)
            }
        case .spo2:
            try await Self.loop(ring, .bloodOxygen, report) { (Double($0.percent), nil) }
        case .stress:
            try await Self.loop(ring, .stress, report) { (Double($0.score), $0.beatInterval) }
        case .hrv:
            try await Self.loop(ring, .heartRateVariability, report) {
                (Double($0.milliseconds), $0.beatInterval)
            }
        case .temperature:
            try await Self.loop(ring, .temperature, report) { ($0.celsius, nil) }
        case .motion, .raw:
            var samples = ring.rawSensors.makeAsyncIterator()
            while let sample = try await samples.next() {
                if let reading = LiveReading(sample, of: self) { report(reading) }
            }
        }
    }

    private static func loop<Reading: Sendable>(
        _ ring: Ring, _ measurement: LiveMeasurement<Reading>,
        _ report: @Sendable (LiveReading) -> Void,
        _ value: (Reading) -> (Double, Duration?)
    ) async throws(DeviceError) {
        var reports = ring.reports(of: measurement, repeating: true).makeAsyncIterator()
        while let next = try await reports.next() {
            switch next {
            case .warmingUp(let beat):
                report(LiveReading(.warmingUp, beats: beat.map { [$0] } ?? []))
            case .reading(let reading):
                let (number, beat) = value(reading)
                report(
                    LiveReading(.value(number, details: nil), beats: beat.map { [$0] } ?? []))
            case .notWorn: report(LiveReading(.notWorn))
            case .other(let words): report(LiveReading(.other(words)))
            case .interrupted: report(LiveReading(.linkLost))
            case .missed(let count): report(LiveReading(.missed(count)))
            }
        }
    }
}
