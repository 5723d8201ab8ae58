import HaloDevices
import HaloProtocol
import HaloTransport

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

/// A report of a live measurement, of any device and kind.
struct LiveReading: Sendable {
    enum Content: Sendable {
        /// The device measures, and has no value yet.
        case warmingUp
        /// A value, and what else came with it, in words.
        case value(Double, details: String?)
        case notWorn
        /// The link was lost, and is being restored.
        case linkLost
        /// Something that is no value, in words.
        case other(String)
        /// The number of reports that were dropped.
        case missed(Int)
    }

    let content: Content
    /// The intervals between beats that came with it, in milliseconds.
    var beats: [Double] = []
    /// The moment of its arrival, if the device's client has noted it: a busy computer reads it
    /// later.
    var moment: Moment?

    init(_ content: Content, beats: [Duration] = [], at moment: Moment? = nil) {
        self.content = content
        self.beats = beats.map { $0 / .milliseconds(1) }
        self.moment = moment
    }
}

extension LiveReading.Content {
    /// The report in words; `nil` for a value.
    var words: String? {
        switch self {
        case .warmingUp: "warming up"
        case .value: nil
        case .notWorn: "not worn, or not well"
        case .linkLost: "the link is lost, connecting again"
        case .other(let details): details
        case .missed(let count): "\(TextLayout.count(count, "report")) lost"
        }
    }
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

extension LiveReading {
    /// A report of a strap; `nil` for one that has nothing to show.
    init?(of report: HeartRateReport) {
        switch report {
        case .measurement(let measurement) where !measurement.isWorn:
            self = LiveReading(.notWorn, at: measurement.moment)
        case .measurement(let measurement):
            let beats = measurement.beats.map(\.interval)
            self = LiveReading(
                .value(Double(measurement.beatsPerMinute), details: nil), beats: beats,
                at: measurement.moment)
        case .malformed(_, _, let error): self = LiveReading(.other("\(error)"))
        case .contact(false): self = LiveReading(.notWorn)
        case .contact(true): self = LiveReading(.warmingUp)
        case .interrupted: self = LiveReading(.linkLost)
        case .missed(let count): self = LiveReading(.missed(count))
        }
    }

    /// A sample of a ring's sensors; `nil` for one of another kind.
    fileprivate init?(_ sample: RawSensorSample, of kind: LiveKind) {
        switch sample {
        case .acceleration(let x, let y, let z):
            guard kind == .motion else { return nil }
            let axes = [x, y, z].map { ChartNumber.text($0, decimals: 2) ?? "?" }
            self = LiveReading(
                .value((x * x + y * y + z * z).squareRoot(), details: axes.joined(separator: " ")))
        case .pulseLight(let light):
            guard kind == .raw else { return nil }
            self = LiveReading(
                .value(Double(light.value), details: "from \(light.minimum) to \(light.maximum)"))
        case .bloodOxygenLight(let light):
            guard kind == .raw else { return nil }
            self = LiveReading(.other("blood-oxygen light \(light.value)"))
        case .undescribed(let channel, let bytes):
            guard kind == .raw else { return nil }
            self = LiveReading(.other("channel \(channel): \(HexText.bytes(bytes))"))
        case .interrupted: self = LiveReading(.linkLost)
        case .missed(let count): self = LiveReading(.missed(count))
        }
    }
}
