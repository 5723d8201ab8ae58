package import HaloProtocol

/// Numbers, dates and times as reports and pictures of a history print them.
package enum ReportText {
    private static let weekdays = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September",
        "October", "November", "December",
    ]

    /// A number with a comma between thousands.
    package static func grouped(_ number: Int) -> String { grouped(digits: "\(number)") }

    static func grouped(digits number: String) -> String {
        var digits = Array(number.drop { $0 == "-" })
        var index = digits.count - 3
        while index > 0 {
            digits.insert(",", at: index)
            index -= 3
        }
        return (number.first == "-" ? "-" : "") + String(digits)
    }

    /// A date as `Mon 05 Jan`.
    package static func day(_ date: CivilDate) -> String {
        "\(weekday(date).prefix(3)) \(DecimalText.two(date.day)) \(month(date).prefix(3))"
    }

    static func weekday(_ date: CivilDate) -> String { weekdays[weekdayIndex(date)] }

    /// The number of the day of the week: 0 for Monday.
    static func weekdayIndex(_ date: CivilDate) -> Int {
        // 1970-01-01 was a Thursday.
        (Int(date.daysSince1970) + 3) % 7
    }

    private static func month(_ date: CivilDate) -> String { months[(date.month - 1) % 12] }

    /// A date as `5 January`.
    static func dayAndMonth(_ date: CivilDate) -> String { "\(date.day) \(month(date))" }

    /// A month as `January 2026`.
    static func monthAndYear(_ date: CivilDate) -> String { "\(month(date)) \(date.year)" }

    /// A month as `Jan 2026`.
    static func shortMonth(_ date: CivilDate) -> String { "\(month(date).prefix(3)) \(date.year)" }

    /// A period as `5–11 January 2026`.
    static func period(_ first: CivilDate, _ last: CivilDate) -> String {
        let end = "\(dayAndMonth(last)) \(last.year)"
        if first == last { return end }
        if first.year != last.year { return "\(dayAndMonth(first)) \(first.year) – \(end)" }
        return first.month == last.month
            ? "\(first.day)–\(end)" : "\(dayAndMonth(first)) – \(end)"
    }

    /// A period as `5–11 Jan`, or `29 Jan – 4 Feb`.
    package static func shortPeriod(_ first: CivilDate, _ last: CivilDate) -> String {
        let end = "\(last.day) \(month(last).prefix(3))"
        if first == last { return end }
        return first.month == last.month
            ? "\(first.day)–\(end)" : "\(first.day) \(month(first).prefix(3)) – \(end)"
    }

    /// An offset from UTC as `UTC+01:00`.
    static func offset(_ seconds: Int) -> String {
        let minutes = seconds.magnitude / 60
        let (hours, rest) = (Int(minutes / 60), Int(minutes % 60))
        return "UTC\(seconds < 0 ? "−" : "+")\(DecimalText.two(hours)):\(DecimalText.two(rest))"
    }

    /// A time of day as `07:05`.
    package static func clock(_ time: CivilDateTime) -> String {
        "\(DecimalText.two(time.time.hour)):\(DecimalText.two(time.time.minute))"
    }

    /// A duration as `7 h 05`.
    package static func hours(_ minutes: Int) -> String {
        "\(minutes / 60) h \(DecimalText.two(minutes % 60))"
    }

    /// A duration as `7 h 5 min`, or `25 min`.
    static func duration(_ minutes: Int) -> String {
        minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
    }

    /// The least and the greatest value as `54–61`, one number if they are equal, or `nil` without
    /// values.
    package static func range(_ values: [Int]) -> String? {
        guard let least = values.min(), let most = values.max() else { return nil }
        return least == most ? "\(least)" : "\(least)–\(most)"
    }

    /// A whole number of tenths, as a decimal number.
    package static func tenths(_ number: Int) -> String {
        "\(number < 0 ? "-" : "")\(number.magnitude / 10).\(number.magnitude % 10)"
    }
}
