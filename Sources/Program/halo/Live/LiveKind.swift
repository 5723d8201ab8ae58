import HaloDevices
import HaloProtocol

/// What a device measures now. A kind that rings also store has the name of ``HistoryKind``.
enum LiveKind: String, CaseIterable, Sendable {
    case heartRate, bloodOxygen, stress, heartRateVariability, temperature, motion, raw, touch

    /// The name on the command line: `heart-rate`.
    var word: String { rawValue.words(separator: "-") }

    static let words = allCases.map(\.word)

    /// Finds the kind with a name in any spelling, or an abbreviation: `hr`, `spo2`.
    init?(named text: String) {
        let kind = HistoryKind(named: text)
        let found = Self.allCases.first {
            $0.word == text.lowercased() || $0.historyKind == kind && kind != nil
        }
        guard let found else { return nil }
        self = found
    }

    private var row: (title: String, unit: String, decimals: Int, minimumSpan: Double) {
        switch self {
        case .heartRate: ("heart rate", "bpm", 0, 20)
        case .bloodOxygen: ("blood oxygen", "%", 0, 10)
        case .stress: ("stress", "", 0, 20)
        case .heartRateVariability: ("heart-rate variability", "ms", 0, 20)
        case .temperature: ("skin temperature", "°C", 1, 2)
        case .motion: ("acceleration", "g", 2, 1)
        case .raw: ("pulse light", "", 0, 100)
        case .touch: ("touches", "", 0, 5)
        }
    }

    var quantity: LiveChart.Quantity {
        let (title, unit, decimals, minimumSpan) = row
        return LiveChart.Quantity(
            title: title, unit: unit, decimals: decimals, minimumSpan: minimumSpan,
            lowerBound: self == .temperature || self == .raw ? nil : 0,
            upperBound: self == .bloodOxygen ? 100 : nil)
    }

    /// The time from the start of a measurement to its first value, as rings were seen to need it;
    /// `nil` if it is not known.
    var warmUp: Duration? {
        switch self {
        case .heartRate, .bloodOxygen, .stress: .seconds(26)
        case .heartRateVariability: .seconds(60)
        case .temperature, .motion, .raw, .touch: nil
        }
    }

    func style(_ value: Double) -> TextStyle { self == .heartRate ? .heartRate(value) : .cyan }
}

extension LiveKind {
    /// The kind of the values that a ring stores of the same; `nil` if it stores none.
    var historyKind: HistoryKind? {
        switch self {
        case .heartRate: .heartRate
        case .bloodOxygen: .bloodOxygen
        case .stress: .stress
        case .heartRateVariability: .heartRateVariability
        case .temperature: .temperature
        case .motion, .raw, .touch: nil
        }
    }

    /// The ring's own word on whether it measures this; `nil` before it has reported its abilities,
    /// and for a kind that it does not report.
    func ability(of ring: Ring) -> Bool? {
        switch self {
        case .bloodOxygen: ring.capabilities.bloodOxygen
        case .stress: ring.capabilities.stress
        case .heartRateVariability: ring.capabilities.heartRateVariability
        case .temperature: ring.capabilities.temperature
        case .heartRate, .motion, .raw, .touch: nil
        }
    }

    /// The reason to doubt that a ring measures this, by its circuit board; `nil` without a doubt.
    func doubt(about ring: Ring) -> String? {
        let fact =
            switch self {
            case .heartRate, .bloodOxygen, .stress: RingFact<Bool>?.none
            case .heartRateVariability: ring.dialect.heartRateVariability
            case .temperature: ring.dialect.temperature
            case .motion, .raw: ring.dialect.rawSensors
            case .touch: ring.dialect.touches
            }
        return fact.flatMap { $0.value == true ? nil : "\($0.basis)" }
    }

    /// Measures on a ring until the task is cancelled, and hands out reports.
    func measure(
        on ring: Ring, _ report: @Sendable (LiveReading) -> Void
    ) async throws(DeviceError) {
        switch self {
        case .heartRate:
            try await Self.loop(ring, .heartRate, report) {
                (.value(Double($0.beatsPerMinute)), $0.beatInterval)
            }
        case .bloodOxygen:
            try await Self.loop(ring, .bloodOxygen, report) {
                (.value(Double($0.percent)), nil)
            }
        case .stress:
            try await Self.loop(ring, .stress, report) {
                (.value(Double($0.score)), $0.beatInterval)
            }
        case .heartRateVariability:
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
        case .touch:
            var events = ring.events.makeAsyncIterator()
            var count = 0.0
            while let event = try await events.next() {
                guard case .touched(let touch) = event else { continue }
                count += 1
                report(LiveReading(.value(count, details: "\(touch)")))
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
