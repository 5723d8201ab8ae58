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

    /// The seconds from the beginning of a slot until its value is stored.
    ///
    /// Captured on an R10, except the variability: an R12 stored it 63 s after the full hour, seen
    /// once. Blood oxygen comes 2 min 18 s after the half hour, for the current hour.
    var delay: Int {
        switch self {
        case .temperature: 11
        case .heartRate: 17
        case .stress: 53
        case .variability: 63
        case .bloodOxygen: 1800 + 138
        case .hourEnd: 0
        }
    }

    /// `true` if the series is part of the logging that can hang.
    var canStall: Bool { self == .heartRate || self == .temperature }

    /// The byte range of the series in a day.
    var range: Range<Int> {
        switch self {
        case .heartRate: 0..<288
        case .stress: 288..<336
        case .variability: 336..<384
        case .temperature: 384..<432
        case .bloodOxygen: 432..<456
        case .hourEnd: 456..<456
        }
    }

    static let bytesPerDay = 456

    /// The length of a slot in the ring's log, in seconds.
    var slotSeconds: Int {
        switch self {
        case .heartRate: 300
        case .stress, .variability, .temperature: 1800
        case .bloodOxygen, .hourEnd: 3600
        }
    }

    /// The next time of storing after a second of the day, in seconds; from 86,400 on it is on the
    /// next day.
    func next(after second: Int, period: Int) -> Int {
        guard second >= delay else { return delay }
        let next = ((second - delay) / period + 1) * period
        return next < 86_400 ? next + delay : 86_400 + delay
    }
}
