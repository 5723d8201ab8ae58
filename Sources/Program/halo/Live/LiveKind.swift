import HaloDevices
import HaloProtocol

enum LiveKind: String, CaseIterable, Sendable {
    case hr, spo2, stress, hrv, temperature, motion, raw

    private var row: (title: String, unit: String, decimals: Int, minimumSpan: Double) {
        switch self {
        case .hr: ("heart rate", "bpm", 0, 20)
        case .spo2: ("blood oxygen", "%", 0, 10)
        case .stress: ("stress", "", 0, 20)
        case .hrv: ("heart-rate variability", "ms", 0, 20)
        case .temperature: ("skin temperature", "°C", 1, 2)
        case .motion: ("acceleration", "g", 2, 1)
        case .raw: ("pulse light", "", 0, 100)
        }
    }

    var quantity: LiveChart.Quantity {
        let (title, unit, decimals, minimumSpan) = row
        return LiveChart.Quantity(
            title: title, unit: unit, decimals: decimals, minimumSpan: minimumSpan,
            lowerBound: self == .temperature || self == .raw ? nil : 0,
            upperBound: self == .spo2 ? 100 : nil)
    }

    /// The time from the start of a measurement to its first value, as rings were seen to need it;
    /// `nil` if it is not known.
    var warmUp: Duration? {
        switch self {
        case .hr, .spo2, .stress: .seconds(26)
        case .hrv: .seconds(60)
        case .temperature, .motion, .raw: nil
        }
    }

    func style(_ value: Double) -> TextStyle { self == .hr ? .heartRate(value) : .cyan }
}

extension LiveKind {
    /// The ring's own word on whether it measures this; `nil` before it has reported its abilities,
    /// and for a kind that it does not report.
    func ability(of ring: Ring) -> Bool? {
        switch self {
        case .spo2: ring.capabilities.bloodOxygen
        case .stress: ring.capabilities.stress
        case .hrv: ring.capabilities.heartRateVariability
        case .temperature: ring.capabilities.temperature
        case .hr, .motion, .raw: nil
        }
    }

    /// The reason to doubt that a ring measures this, by its circuit board; `nil` without a doubt.
    func doubt(about ring: Ring) -> String? {
        let fact =
            switch self {
            case .hr, .spo2, .stress: RingFact<Bool>?.none
            case .hrv: ring.dialect.heartRateVariability
            case .temperature: ring.dialect.temperature
            case .motion, .raw: ring.dialect.rawSensors
            }
        return fact.flatMap { $0.value == true ? nil : "\($0.basis)" }
    }

    /// Measures on a ring until the task is cancelled, and hands out reports.
    func measure(
        on ring: Ring, _ report: @Sendable (LiveReading) -> Void
    ) async throws(DeviceError) {
        switch self {
        case .hr:
            try await Self.loop(ring, .heartRate, report) {
                (.value(Double($0.beatsPerMinute)), $0.beatInterval)
            }
        case .spo2:
            try await Self.loop(ring, .bloodOxygen, report) {
                (.value(Double($0.percent)), nil)
            }
        case .stress:
            try await Self.loop(ring, .stress, report) {
                (.value(Double($0.score)), $0.beatInterval)
            }
        case .hrv:
            try await Self.loop(ring, .heartRateVariability, report) {
                (.value(Double($0.milliseconds)), $0.beatInterval)
            }
        case .temperature:
            try await Self.loop(ring, .temperature, report) { (.value($0.celsius), nil) }
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
        _ convert: (Reading) -> (LiveReading.Content, Duration?)
    ) async throws(DeviceError) {
        var reports = ring.reports(of: measurement, repeating: true).makeAsyncIterator()
        var beats = RepeatedBeats()
        while let next = try await reports.next() {
            let (content, beat): (LiveReading.Content, Duration?) =
                switch next {
                case .warmingUp(let beat): (.warmingUp, beat)
                case .reading(let reading): convert(reading)
                case .notWorn: (.notWorn, nil)
                case .other(let words): (.other(words), nil)
                case .interrupted: (.linkLost, nil)
                case .missed(let count): (.missed(count), nil)
                }
            let isNew = beat.map { beats.isNew($0, at: ring.time.now()) }
            report(LiveReading(content, beats: beat.map { [$0] } ?? [], areBeatsNew: isNew))
        }
    }
}
