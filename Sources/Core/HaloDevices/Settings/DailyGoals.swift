internal import HaloProtocol

/// The goals of a day.
public struct DailyGoals: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The number of steps.
    public var steps: Int
    /// The energy in the unit of food labels.
    public var kilocalories: Double
    /// The distance in metres.
    public var metres: Int
    /// The time of sport in whole minutes, or `nil` for no goal.
    public var sport: Duration?
    /// The time of sleep in whole minutes, or `nil` for no goal.
    public var sleep: Duration?

    /// The limits of steps, small calories and metres.
    package static let amounts: ClosedRange<UInt32> = 0...UInt24.max.value
    /// The limits of the times; 0 for `nil`.
    package static let timeMinutes: ClosedRange<UInt16> = 0 ... .max

    /// Creates all goals. ``Ring/change(_:_:)`` changes some and leaves the others as they are:
    /// `try await ring.change(.goals) { $0.set(\.steps, to: 8000) }`.
    public init(
        steps: Int, kilocalories: Double, metres: Int, sport: Duration? = nil,
        sleep: Duration? = nil
    ) {
        self.steps = steps
        self.kilocalories = kilocalories
        self.metres = metres
        self.sport = sport
        self.sleep = sleep
    }

    /// The goals, as `5000 steps, 300.0 kcal, 3000 m, 30 min of sport`.
    public var description: String {
        var words = "\(steps) steps, \(kilocalories) kcal, \(metres) m"
        if let sport { words += ", \(Wording.duration(sport)) of sport" }
        if let sleep { words += ", \(Wording.duration(sleep)) of sleep" }
        return words
    }
}

extension RingSetting<DailyGoals> {
    /// The goals of a day. The defaults of R10 and R12 are 5000 steps, 300 kcal and 3000 m.
    public static var goals: RingSetting {
        RingSetting(
            Goals.self, blank: Goals.Setting(steps: 0, smallCalories: 0, metres: 0)
        ) { reading in
            func time(_ minutes: UInt16) -> Duration? {
                minutes == 0 ? nil : .minutes(Int(minutes))
            }
            return DailyGoals(
                steps: Int(reading.steps.value), kilocalories: reading.kilocalories,
                metres: Int(reading.metres.value), sport: time(reading.sportMinutes),
                sleep: time(reading.sleepMinutes))
        } edit: { (packet, change) throws(DeviceError) in
            if let steps = change[\.steps] { packet.steps = try number(steps, "steps") }
            if let kilocalories = change[\.kilocalories] {
                packet.smallCalories = try smallCalories(kilocalories)
            }
            if let metres = change[\.metres] { packet.metres = try number(metres, "metres") }
            if let sport = change[\.sport] {
                packet.sportMinutes = try DailyGoals.timeMinutes.minutes(
                    sport ?? .zero, "sportMinutes")
            }
            if let sleep = change[\.sleep] {
                packet.sleepMinutes = try DailyGoals.timeMinutes.minutes(
                    sleep ?? .zero, "sleepMinutes")
            }
        }
    }

    private static func number(_ value: Int, _ field: FieldName) throws(DeviceError) -> UInt24 {
        UInt24(clamping: try UInt32.checked(value, field, in: DailyGoals.amounts))
    }

    private static func smallCalories(_ kilocalories: Double) throws(DeviceError) -> UInt24 {
        let small = UInt32(exactly: (kilocalories * 1000).rounded())
        guard let small, DailyGoals.amounts ~= small else {
            throw DeviceError(
                ValueError(
                    "kilocalories", allowed: 0...Int64(DailyGoals.amounts.upperBound / 1000),
                    found: Int64(exactly: kilocalories.rounded(.awayFromZero)) ?? .max))
        }
        return UInt24(clamping: small)
    }
}
