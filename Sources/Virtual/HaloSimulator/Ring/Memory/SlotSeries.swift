/// A series of values that a ring stores at fixed times of its day.
enum SlotSeries: UInt8 {
    case temperature
    case heartRate
    case stress
    case variability
    case bloodOxygen
    /// The end of an hour, when its activity is complete.
    case hourEnd

    static let all: [SlotSeries] = [
        .hourEnd, .temperature, .heartRate, .stress, .variability, .bloodOxygen,
    ]

    /// The seconds between two values, or `nil` if the series is off.
    func period(_ settings: AutomaticMeasurements) -> Int? {
        switch self {
        case .heartRate: settings.heartRateMinutes.map { max(Int($0), 5) * 60 }
        case .temperature: settings.temperature ? 1800 : nil
        case .stress: settings.stress ? 1800 : nil
        case .variability: settings.variability ? 3600 : nil
        case .bloodOxygen: settings.bloodOxygen ? 3600 : nil
        case .hourEnd: 3600
        }
    }

    /// The seconds from the beginning of a slot until its value is stored, the seconds of a slot in
    /// the ring's log, and the first byte in a day.
    ///
    /// The delays were captured on an R10, except the variability: an R12 stored it 63 s after the
    /// full hour, seen once. Blood oxygen comes 2 min 18 s after the half hour, for the current
    /// hour.
    private var layout: (delay: Int, slotSeconds: Int, firstByte: Int) {
        switch self {
        case .heartRate: (17, 300, 0)
        case .stress: (53, 1800, 288)
        case .variability: (63, 1800, 336)
        case .temperature: (11, 1800, 384)
        case .bloodOxygen: (1800 + 138, 3600, 432)
        case .hourEnd: (0, 3600, 456)
        }
    }

    var delay: Int { layout.delay }
    var slotSeconds: Int { layout.slotSeconds }

    var range: Range<Int> {
        let (_, seconds, first) = layout
        return first..<first + (self == .hourEnd ? 0 : 86_400 / seconds)
    }

    static let bytesPerDay = 456

    var canStall: Bool { self == .heartRate || self == .temperature }

    /// The next time of storing after a second of the day, in seconds; from 86,400 on it is on the
    /// next day.
    func next(after second: Int, period: Int) -> Int {
        guard second >= delay else { return delay }
        let next = ((second - delay) / period + 1) * period
        return next < 86_400 ? next + delay : 86_400 + delay
    }
}
