import HaloProtocol

/// Numbers, dates and times as the demonstration prints them.
enum DemoText {
    private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// A number with a comma between thousands.
    static func grouped(_ number: Int) -> String {
        var digits = Array(String(number.magnitude))
        var index = digits.count - 3
        while index > 0 {
            digits.insert(",", at: index)
            index -= 3
        }
        return (number < 0 ? "-" : "") + String(digits)
    }

    /// A date as `Mon 05 Jan`.
    static func day(_ date: CivilDate) -> String {
        // 1970-01-01 was a Thursday.
        let weekday = weekdays[(Int(date.daysSince1970) + 3) % 7]
        return "\(weekday) \(DecimalText.two(date.day)) \(months[(date.month - 1) % 12])"
    }

    /// A time of day as `07:05`.
    static func clock(_ time: CivilDateTime) -> String {
        "\(DecimalText.two(time.time.hour)):\(DecimalText.two(time.time.minute))"
    }

    /// A duration as `7 h 05`.
    static func hours(_ minutes: Int) -> String {
        "\(minutes / 60) h \(DecimalText.two(minutes % 60))"
    }

    /// The least and the greatest value as `54–61`, one number if they are equal, or `nil` without
    /// values.
    static func range(_ values: [Int]) -> String? {
        guard let least = values.min(), let most = values.max() else { return nil }
        return least == most ? "\(least)" : "\(least)–\(most)"
    }

    /// A whole number of tenths, as a decimal number.
    static func tenths(_ number: Int) -> String {
        "\(number < 0 ? "-" : "")\(number.magnitude / 10).\(number.magnitude % 10)"
    }
}
