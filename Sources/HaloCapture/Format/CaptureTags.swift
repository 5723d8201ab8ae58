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

/// The address of the tag `address:`: six bytes separated by colons. ` (random)` follows a random
/// address, and ` on NAME` the address of one of several connections.
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

/// The address of a Bluetooth device.
public struct DeviceAddress: Hashable, Sendable {
    /// The address as a number of 48 bits: the first byte of its text is the highest.
    public let value: UInt64
    /// `true` for a random address, `false` for a public one.
    public let isRandom: Bool

    /// Creates an address from the lower 48 bits of a number.
    public init(_ value: UInt64, isRandom: Bool = false) {
        self.value = value & 0xFFFF_FFFF_FFFF
        self.isRandom = isRandom
    }
}

extension DeviceAddress: CustomStringConvertible {
    /// Six bytes in hexadecimal, separated by colons.
    public var description: String {
        let bytes = (0..<6).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        return HexText.bytes(bytes, separator: ":")
    }
}
