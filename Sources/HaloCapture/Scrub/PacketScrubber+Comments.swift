import HaloProtocol
import HaloTransport

/// What people and recorders wrote between the packets.
extension PacketScrubber {
    private static let addressTag = "address"
    private static let nameTag = "name"
    private static let clockTag = "clock"
    private static let meaningTag = "means"

    /// Notes the addresses and names that a comment says.
    mutating func learn(_ text: CaptureText) {
        let bytes = Array(text.text.utf8)
        var place = 0
        while place < bytes.count {
            if let address = Self.address(bytes[place...]) {
                learnAddress(address)
                place += Self.addressTextLength
            } else {
                place += 1
            }
        }
        if text.tag == Self.nameTag, let name = text.tagged {
            learnText(Array(name.utf8), .names)
            if let value = CaptureText.split(name)?.value { learnText(Array(value.utf8), .names) }
        }
        if text.tag == Self.clockTag {
            calendar.learn(Self.clock(text.tagged ?? "")?.date)
        }
    }

    /// What a comment gives away, by its tag.
    static func kind(ofTag tag: String?) -> ScrubKind {
        switch tag {
        case addressTag: .addresses
        case nameTag: .names
        case clockTag: .dates
        default: .comments
        }
    }

    /// What stands for a comment; nothing where it is dropped.
    mutating func comment(_ text: CaptureText) -> CaptureText? {
        let tagged = text.tagged ?? ""
        switch text.tag {
        case Self.meaningTag, Scrubber.tag: return nil
        case Self.addressTag: return addressComment(text, tagged)
        case Self.nameTag:
            if options.keeps(.names) { return text }
            guard !tagged.isEmpty else { return nil }
            let name = identities.text(Array(tagged.utf8), .names, &random)
            return CaptureText("\(Self.nameTag): \(String(decoding: name, as: UTF8.self))")
        case Self.clockTag: return clockComment(text, tagged)
        default:
            return options.keeps(.comments) ? CaptureText(secrets.redacted(text.text)) : nil
        }
    }

    // MARK: Addresses

    /// Six bytes with five colons.
    private static let addressTextLength = 17

    /// The address that a text begins with.
    private static func address(_ text: ArraySlice<UInt8>) -> UInt64? {
        guard text.count >= addressTextLength else { return nil }
        var number: UInt64 = 0
        for (place, byte) in text.prefix(addressTextLength).enumerated() {
            if place % 3 == 2 {
                guard byte == UInt8(ascii: ":") || byte == UInt8(ascii: "-") else { return nil }
            } else {
                guard let digit = HexText.value(ofDigit: byte) else { return nil }
                number = number << 4 | UInt64(digit)
            }
        }
        return number
    }

    private mutating func addressComment(
        _ text: CaptureText, _ tagged: String
    ) -> CaptureText? {
        if options.keeps(.addresses) { return text }
        let bytes = Array(tagged.utf8)
        guard let old = Self.address(bytes[...]) else { return nil }
        let new = DeviceAddress(identities.address(old, &random))
        let rest = String(decoding: bytes.dropFirst(Self.addressTextLength), as: UTF8.self)
        let sort = [" (random)", " (public)"].first { $0 == rest } ?? ""
        return CaptureText("\(Self.addressTag): \(new)\(sort)")
    }

    // MARK: Clocks

    /// `2025-12-11 22:54:15 +08:00`: the date, and the rest if nothing else can hide in it.
    private static func clock(_ text: String) -> (date: CivilDate, rest: String)? {
        let shape = Array("0000-00-00 00:00:00 +00:00".utf8)
        let bytes = Array(text.utf8)
        guard [10, 19, shape.count].contains(bytes.count) else { return nil }
        for (byte, wanted) in zip(bytes, shape) {
            let isRight =
                switch wanted {
                case UInt8(ascii: "0"): SeededIdentities.isDigit(byte)
                case UInt8(ascii: "+"): byte == wanted || byte == UInt8(ascii: "-")
                default: byte == wanted
                }
            guard isRight else { return nil }
        }
        let rest = text.dropFirst(10)
        let clock = WallClock(captureTag: rest.isEmpty ? "\(text) 00:00:00" : text)
        return clock.map { ($0.local.date, String(rest)) }
    }

    private func clockComment(_ text: CaptureText, _ tagged: String) -> CaptureText? {
        if options.keeps(.dates) { return text }
        guard let (date, rest) = Self.clock(tagged),
            let new = date.advanced(byDays: calendar.days)
        else { return nil }
        return CaptureText("\(Self.clockTag): \(new)\(rest)")
    }
}
