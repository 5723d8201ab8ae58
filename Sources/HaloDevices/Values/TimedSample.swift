public import HaloProtocol
internal import HaloTransport

/// A value that a ring has stored, with the time that its clock showed.
public struct TimedSample<Value: Sendable>: Sendable {
    /// The beginning of the value's period, on the ring's clock.
    public let time: CivilDateTime
    /// The length of the value's period in minutes.
    public let minutes: Int
    /// The seconds by which the ring's clock was ahead of UTC at that time; `nil` if not known, as
    /// for values that were stored before the first of ``Ring/clocks``.
    public let secondsFromUTC: Int?
    /// The value.
    public let value: Value

    /// Creates a sample.
    public init(time: CivilDateTime, minutes: Int, secondsFromUTC: Int?, value: Value) {
        self.time = time
        self.minutes = minutes
        self.secondsFromUTC = secondsFromUTC
        self.value = value
    }

    /// The beginning in UTC; `nil` if the offset of the ring's clock is not known.
    public var utc: CivilDateTime? {
        secondsFromUTC.map { WallClock(local: time, secondsFromUTC: $0).utc }
    }
}

extension TimedSample: Equatable where Value: Equatable {}
extension TimedSample: Hashable where Value: Hashable {}
extension TimedSample: Encodable where Value: Encodable {}
extension TimedSample: Decodable where Value: Decodable {}

extension TimedSample: CustomStringConvertible {
    /// The ring's time and the value: `2026-01-05 09:00:00: 62`.
    public var description: String { "\(time): \(value)" }
}

/// Steps, distance and energy of a slot of the day; most rings sum slots up by the hour.
public struct ActivityAmount: Hashable, Sendable, Codable {
    /// The number of steps.
    public let steps: Int
    /// The distance in metres.
    public let metres: Int
    /// The energy in the unit of food labels; `nil` if the ring's unit is not known.
    public let kilocalories: Double?

    /// Creates an amount.
    public init(steps: Int, metres: Int, kilocalories: Double?) {
        self.steps = steps
        self.metres = metres
        self.kilocalories = kilocalories
    }
}

extension ActivityAmount: CustomStringConvertible {
    /// `532 steps, 403 m`, and the energy where it is known.
    public var description: String {
        let distance = "\(steps) steps, \(metres) m"
        return kilocalories.map { "\(distance), \($0) kcal" } ?? distance
    }
}

/// The activity that a ring has counted since its midnight.
public struct ActivityTotals: Hashable, Sendable, Codable {
    /// The number of steps.
    public let steps: Int
    /// The number of steps that were run; 0 in every capture.
    public let runningSteps: Int
    /// The distance in metres.
    public let metres: Int
    /// The energy of moving, in the unit of food labels.
    public let kilocalories: Double
    /// The time of activity, in whole minutes.
    public let activeTime: Duration

    /// Creates totals.
    public init(
        steps: Int, runningSteps: Int = 0, metres: Int, kilocalories: Double, activeTime: Duration
    ) {
        self.steps = steps
        self.runningSteps = runningSteps
        self.metres = metres
        self.kilocalories = kilocalories
        self.activeTime = activeTime
    }

    init(_ reply: TodayTotals.Reply) {
        self.init(
            steps: Int(reply.steps.value), runningSteps: Int(reply.runningSteps.value),
            metres: Int(reply.metres.value), kilocalories: reply.kilocalories,
            activeTime: .minutes(Int(reply.activeMinutes)))
    }
}

extension ActivityTotals: CustomStringConvertible {
    /// `2061 steps, 1549 m, 119.538 kcal, active for 18 min`.
    public var description: String {
        "\(steps) steps, \(metres) m, \(kilocalories) kcal, "
            + "active for \(activeTime.wholeMinutes) min"
    }
}

/// The lowest and the highest blood oxygen of an hour; in every capture they were equal.
public struct BloodOxygenRange: Hashable, Sendable, Codable {
    /// The lowest saturation in percent.
    public let least: Int
    /// The highest saturation in percent.
    public let most: Int

    /// Creates a range.
    public init(least: Int, most: Int) {
        self.least = least
        self.most = most
    }
}

extension BloodOxygenRange: CustomStringConvertible {
    /// `97 %`, or `95–97 %`.
    public var description: String { least == most ? "\(most) %" : "\(least)–\(most) %" }
}

/// A blood pressure in millimetres of mercury.
public struct BloodPressure: Hashable, Sendable, Codable {
    /// The higher pressure, while the heart contracts.
    public let systolic: Int
    /// The lower pressure, between beats.
    public let diastolic: Int

    /// Creates a blood pressure.
    public init(systolic: Int, diastolic: Int) {
        self.systolic = systolic
        self.diastolic = diastolic
    }
}

extension BloodPressure: CustomStringConvertible {
    /// `120/80 mmHg`.
    public var description: String { "\(systolic)/\(diastolic) mmHg" }
}

/// The charge of a battery.
public struct BatteryCharge: Hashable, Sendable, Codable {
    /// The level in percent, from 0 to 100; no device was seen to report more.
    public let percent: Int
    /// `true` while the battery is charging; `nil` if the device does not report it, or reports a
    /// code that is not described.
    public let isCharging: Bool?

    /// Creates a charge.
    public init(percent: Int, isCharging: Bool?) {
        self.percent = percent
        self.isCharging = isCharging
    }

    init(percent: UInt8, charging: Reported<Battery.Charging>) {
        self.init(percent: Int(percent), isCharging: charging.known.map { $0 == .charging })
    }

    init(_ reply: Battery.Reply) {
        self.init(percent: reply.percent, charging: reply.charging)
    }
}

extension BatteryCharge: CustomStringConvertible {
    /// `80 %`, or `80 %, charging`.
    public var description: String {
        isCharging == true ? "\(percent) %, charging" : "\(percent) %"
    }
}

extension Duration {
    package static func minutes(_ count: Int) -> Duration { .seconds(Int64(count) * 60) }

    /// The whole minutes of the duration; the rest of a minute is dropped.
    package var wholeMinutes: Int { Int(clamping: saturatedComponents.seconds / 60) }
}
