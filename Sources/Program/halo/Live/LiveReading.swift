import HaloDevices
import HaloHealth
import HaloProtocol

struct LiveReading: Sendable {
    enum Content: Sendable {
        case warmingUp
        /// A value, and what else came with it, in words.
        case value(Double, details: String? = nil)
        case notWorn
        case linkLost
        case other(String)
        case missed(Int)
    }

    let content: Content
    /// The intervals between beats that came with it, in milliseconds.
    var beats: [Double] = []
    /// `false` if the device has reported the interval before, and `nil` without one.
    var areBeatsNew: Bool?
    /// The time until the first value, if the device's client knows it.
    var missing: Duration?
    /// Its arrival, if the device's client has noted it: a busy computer reads it later.
    var moment: Moment?

    /// - Parameter areBeatsNew: `false` for an interval that is repeated; `nil` for a device that
    ///   repeats none.
    init(
        _ content: Content, beats: [Duration] = [], areBeatsNew: Bool? = nil,
        at moment: Moment? = nil
    ) {
        self.content = content
        self.areBeatsNew = beats.isEmpty ? nil : areBeatsNew ?? true
        self.beats = beats.map { $0 / .milliseconds(1) }
        self.moment = moment
    }
}

extension LiveReading {
    static func column(ofSeconds seconds: Double) -> String {
        (ChartNumber.text(seconds, decimals: 1) ?? "?").rightAligned(toColumns: 8)
    }
}

extension LiveReading.Content {
    /// The name of a state in JSON, its words for people, and its details; all `nil` for a value.
    private var state: (name: String?, words: String?, details: String?) {
        switch self {
        case .warmingUp: ("warming-up", "warming up", nil)
        case .value: (nil, nil, nil)
        case .notWorn: ("not-worn", "not worn, or not properly", nil)
        case .linkLost: ("link-lost", "the link is lost, reconnecting", nil)
        case .other(let details): ("other", details, details)
        case .missed(let count):
            ("missed", "\(TextLayout.count(count, "report")) lost", "\(count)")
        }
    }

    /// The report in words; `nil` for a value.
    var words: String? { state.words }

    var stateMembers: JSONObject {
        ["state": state.name, "details": state.details]
    }
}

extension LiveReading {
    /// A report of a strap; `nil` for a change of the contact, because the measurement that shows
    /// it comes with it.
    init?(of report: HeartRateSensor.Report) {
        switch report {
        case .measurement(let measurement) where !measurement.isWorn:
            self = LiveReading(.notWorn, at: measurement.moment)
        case .measurement(let measurement):
            let beats = measurement.beats.map(\.interval)
            self = LiveReading(
                .value(Double(measurement.beatsPerMinute)), beats: beats,
                at: measurement.moment)
        case .malformed(_, let moment, let error):
            self = LiveReading(.other("\(error)"), at: moment)
        case .contact: return nil
        case .interrupted: self = LiveReading(.linkLost)
        case .missed(let count): self = LiveReading(.missed(count))
        }
    }

    /// A report of a strap, with the variability of its beats in place of the heart rate.
    init?(of report: HeartRateSensor.Report, variabilityOf window: inout BeatWindow) {
        self.init(of: report)
        switch report {
        case .measurement(let measurement) where measurement.isWorn:
            window.add(measurement.beats)
            self = LiveReading(
                window.rmssd.map { .value($0) } ?? .warmingUp,
                beats: measurement.beats.map(\.interval), at: measurement.moment)
            missing = window.missing
        // The beats before a pause are of another time.
        case .measurement, .interrupted: window.removeAll()
        case .contact, .malformed, .missed: break
        }
    }

    /// A sample of a ring's sensors; `nil` for one of another kind.
    init?(_ sample: RawSensorSample, of kind: LiveKind) {
        switch sample {
        case .acceleration(let x, let y, let z) where kind == .motion:
            let axes = [x, y, z].map { ChartNumber.text($0, decimals: 2) ?? "?" }
            self = LiveReading(
                .value((x * x + y * y + z * z).squareRoot(), details: axes.joined(separator: " ")))
        case .pulseLight(let light) where kind == .raw:
            self = LiveReading(
                .value(Double(light.value), details: "from \(light.minimum) to \(light.maximum)"))
        case .bloodOxygenLight(let light) where kind == .raw:
            self = LiveReading(.other("blood-oxygen light \(light.value)"))
        case .undescribed(let channel, let bytes) where kind == .raw:
            self = LiveReading(.other("channel \(channel): \(HexText.bytes(bytes))"))
        case .acceleration, .pulseLight, .bloodOxygenLight, .undescribed: return nil
        case .interrupted: self = LiveReading(.linkLost)
        case .missed(let count): self = LiveReading(.missed(count))
        }
    }
}
