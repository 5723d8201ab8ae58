import HaloProtocol
package import HaloTransport

extension WallClock {
    /// Parses the date and time of the tag `clock:`: `2025-12-11 22:54:15`, and an optional `
    /// +08:00`.
    ///
    /// The offset from UTC is zero unless it is valid, of at most 14 hours and some minutes.
    package init?(captureTag text: String) {
        let words = text.split(separator: " ")
        guard words.count >= 2 else { return nil }
        let day = Self.numbers(words[0], separator: "-")
        let time = Self.numbers(words[1].prefix { $0 != "." }, separator: ":")
        guard day.count == 3, time.count >= 3,
            let date = try? CivilDate(year: day[0], month: day[1], day: day[2]),
            let moment = try? CivilTime(hour: time[0], minute: time[1], second: time[2])
        else { return nil }
        self.init(
            local: CivilDateTime(date, moment),
            secondsFromUTC: words.count > 2 ? Self.offset(words[2]) ?? 0 : 0)
    }

    /// The date and time in microseconds since 1970 in UTC.
    package var microseconds: Int64 {
        (Int64(local.secondsSince1970) - Int64(secondsFromUTC)) * 1_000_000
    }

    /// Returns the seconds of an offset such as `+08:00`; `nil` if it is not valid.
    private static func offset(_ text: Substring) -> Int? {
        let parts = numbers(text.dropFirst(), separator: ":")
        guard text.hasPrefix("+") || text.hasPrefix("-"), parts.count == 2, parts[0] <= 14,
            parts[1] < 60
        else { return nil }
        return (parts[0] * 3_600 + parts[1] * 60) * (text.hasPrefix("-") ? -1 : 1)
    }

    /// Returns the numbers of a text, of at most four digits each; empty if the text has other
    /// characters.
    private static func numbers(_ text: Substring, separator: Character) -> [Int] {
        let words = text.split(separator: separator, omittingEmptySubsequences: false)
        let numbers = words.compactMap { word -> Int? in
            guard (1...4).contains(word.utf8.count), word.utf8.allSatisfy(LineParser.isDigit)
            else { return nil }
            return Int(word)
        }
        return numbers.count == words.count ? numbers : []
    }
}
