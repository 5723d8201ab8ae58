import HaloProtocol

/// Numbers, days and times of the demonstration as people read them.
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

    /// `Mon 05 Jan`.
    static func day(_ date: CivilDate) -> String {
        // 1970 began with a Thursday.
        let weekday = weekdays[(Int(date.daysSince1970) + 3) % 7]
        return "\(weekday) \(two(date.day)) \(months[(date.month - 1) % 12])"
    }

    /// `07:05`.
    static func clock(_ time: CivilDateTime) -> String {
        "\(two(time.time.hour)):\(two(time.time.minute))"
    }

    /// `7 h 05`.
    static func hours(_ minutes: Int) -> String {
        "\(minutes / 60) h \(two(minutes % 60))"
    }

    /// `54–61`, or one number if both are the same.
    static func range(_ values: [Int]) -> String? {
        guard let least = values.min(), let most = values.max() else { return nil }
        return least == most ? "\(least)" : "\(least)–\(most)"
    }

    /// A whole number of tenths.
    static func tenths(_ number: Int) -> String {
        "\(number < 0 ? "-" : "")\(number.magnitude / 10).\(number.magnitude % 10)"
    }

    /// Spaces before a text, up to a width.
    static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(width - text.count, 0)) + text
    }

    /// Parts on as many lines as they need, none of which is longer than a width, unless one part
    /// is.
    static func wrapped(_ parts: [String], width: Int) -> [String] {
        var lines: [String] = []
        for part in parts {
            if let last = lines.last, last.count + 3 + part.count <= width {
                lines[lines.count - 1] = last + " · " + part
            } else {
                lines.append(part)
            }
        }
        return lines
    }

    private static func two(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
