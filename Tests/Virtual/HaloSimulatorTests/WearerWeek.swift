import HaloProtocol
import HaloSimulator

/// A Monday and the following days, for the tests of wearers and of rings' memories.
enum WearerWeek {
    /// Monday, 16 November 2026.
    static let monday = date(20_773)
    /// The seven days.
    static let days = (0..<7).map { date(20_773 + $0) }
    /// Twenty-eight days, long enough for rare events.
    static let month = (0..<28).map { date(20_773 + $0) }

    static func date(_ daysSince1970: UInt32) -> CivilDate {
        CivilDateTime(secondsSince1970: daysSince1970 * 86_400).date
    }

    /// A time of a day in seconds since its midnight.
    static func time(_ date: CivilDate, _ seconds: Int = 0) -> CivilDateTime {
        CivilDateTime(date).advanced(bySeconds: seconds)
    }

    /// Each minute of a day.
    static func minutes(_ date: CivilDate) -> [CivilDateTime] {
        (0..<1440).map { time(date, $0 * 60) }
    }
}

extension BodyClock {
    /// The current walk, run or ride, or the next one within two days; `nil` if there is none.
    mutating func exertion(from time: CivilDateTime) -> Exertion? {
        var date: CivilDate? = time.date
        for _ in 0..<3 {
            guard let day = date else { return nil }
            if let exertion = exertions(on: day).first(where: { $0.end > time }) {
                return exertion
            }
            date = day.advanced(byDays: 1)
        }
        return nil
    }
}

/// FNV-1a over 64 bits: a short digest of many bytes.
struct Digest {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ number: Int) {
        for shift in stride(from: 0, to: 64, by: 8) {
            let byte = UInt64(truncatingIfNeeded: Int64(number) >> Int64(shift)) & 0xFF
            value = (value ^ byte) &* 0x100_0000_01B3
        }
    }

    mutating func add(_ state: BodyState) {
        add(Int(state.activity.rawValue))
        add(state.sleepStage.map { Int($0.rawValue) } ?? -1)
        add(Int(state.beatsPerMinute))
        add(Int(state.meanBeatMicroseconds))
        add(Int(state.variabilityMilliseconds))
        add(Int(state.bloodOxygenPercent))
        add(Int(state.stress))
        add(state.skinTemperatureTenths)
        add(state.stepsPerMinute)
    }
}
