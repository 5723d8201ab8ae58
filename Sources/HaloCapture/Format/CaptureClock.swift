import HaloProtocol

/// What the tag `clock:` says: a day, a time of day, and how far the clock is from UTC.
package enum CaptureClock {
    /// The moment in microseconds since 1970 in UTC; where the offset is missing, the clock is
    /// taken for one that shows UTC.
    package static func microseconds(_ text: String) -> Int64? {
        let words = text.split(separator: " ", omittingEmptySubsequences: true)
        guard (2...3).contains(words.count), let date = date(words[0]),
            let time = time(words[1])
        else { return nil }
        let local = Int64(CivilDateTime(date, time).secondsSince1970)
        guard words.count == 3 else { return local * 1_000_000 }
        guard let offset = offset(words[2]) else { return nil }
        return (local - offset) * 1_000_000
    }

    private static func date(_ text: Substring) -> CivilDate? {
        let numbers = numbers(text, separator: "-")
        guard numbers.count == 3 else { return nil }
        return try? CivilDate(year: numbers[0], month: numbers[1], day: numbers[2])
    }

    private static func time(_ text: Substring) -> CivilTime? {
        let numbers = numbers(text, separator: ":")
        guard numbers.count == 3 else { return nil }
        return try? CivilTime(hour: numbers[0], minute: numbers[1], second: numbers[2])
    }

    /// Seconds from `+08:00`; clocks go up to 14 hours wrong, and a day is allowed.
    private static func offset(_ text: Substring) -> Int64? {
        let numbers = numbers(text.dropFirst(), separator: ":")
        guard text.hasPrefix("+") || text.hasPrefix("-"), numbers.count == 2,
            numbers[0] < 24, numbers[1] < 60
        else { return nil }
        let seconds = Int64(numbers[0] * 3600 + numbers[1] * 60)
        return text.hasPrefix("-") ? -seconds : seconds
    }

    /// The numbers of a text, none of them long; nothing if there is anything else in it.
    private static func numbers(_ text: Substring, separator: Character) -> [Int] {
        let words = text.split(separator: separator, omittingEmptySubsequences: false)
        let numbers = words.compactMap { word -> Int? in
            guard (1...4).contains(word.utf8.count),
                word.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
            else { return nil }
            return Int(word)
        }
        return numbers.count == words.count ? numbers : []
    }
}

/// What the tag `address:` says: six bytes with colons between, ` (random)` behind an address that
/// the device made up, and ` on NAME` for one of several connections.
package struct CaptureAddress: Hashable {
    package let address: DeviceAddress
    package let link: CaptureName?

    package init?(_ text: String) {
        var words = text.split(separator: " ", omittingEmptySubsequences: true)[...]
        let bytes = words.popFirst()?.split(separator: ":", omittingEmptySubsequences: false) ?? []
        guard bytes.count == 6 else { return nil }
        var value: UInt64 = 0
        for byte in bytes {
            let digits = byte.utf8.compactMap { HexText.value(ofDigit: $0) }
            guard byte.utf8.count == 2, digits.count == 2 else { return nil }
            value = value << 8 | UInt64(digits[0] << 4 | digits[1])
        }
        let isRandom = words.first == "(random)"
        if isRandom { words.removeFirst() }
        address = DeviceAddress(value, isRandom: isRandom)
        switch words.count {
        case 0: link = nil
        case 2 where words.first == "on":
            guard let name = try? CaptureName(words.last.map(String.init) ?? "") else { return nil }
            link = name
        default: return nil
        }
    }
}
