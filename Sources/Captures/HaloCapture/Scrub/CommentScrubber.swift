import HaloProtocol
import HaloTransport

/// A scrubber of the secrets in comments: the texts of people and recorders between the packets.
enum CommentScrubber {
    private static let addressTag = "address"
    private static let nameTag = "name"
    private static let clockTag = "clock"
    private static let meaningTag = "means"

    /// Collects the addresses, the names and the date in a comment.
    static func learn(_ text: CaptureText, into fields: inout FieldScrubber) {
        for list in lists(Array(text.text.utf8)) {
            fields.learnAddress(in: list, isOwn: text.tag == addressTag)
        }
        if text.tag == nameTag, let name = text.tagged {
            fields.learnText(Array(name.utf8), .names)
            if let value = CaptureText.split(name)?.value {
                fields.learnText(Array(value.utf8), .names)
            }
        }
        if text.tag == clockTag {
            fields.calendar.learn(clock(text.tagged ?? "")?.date)
        }
    }

    static func kind(ofTag tag: String?) -> ScrubKind {
        switch tag {
        case addressTag: .addresses
        case nameTag: .names
        case clockTag: .dates
        default: .comments
        }
    }

    /// Returns the substitute for a comment; `nil` if it is dropped.
    static func substitute(
        for text: CaptureText, _ fields: inout FieldScrubber
    ) -> CaptureText? {
        let tagged = text.tagged ?? ""
        let isKept = fields.options.keeps(kind(ofTag: text.tag))
        switch text.tag {
        case meaningTag, Scrubber.tag: return nil
        case addressTag: return isKept ? text : addressComment(tagged, &fields)
        case nameTag where isKept: return text
        case nameTag:
            guard !tagged.isEmpty else { return nil }
            let name = fields.identities.text(Array(tagged.utf8), .names, &fields.random)
            return CaptureText("\(nameTag): \(String(decoding: name, as: UTF8.self))")
        case clockTag: return isKept ? text : clockComment(tagged, fields)
        default: return isKept ? CaptureText(fields.secrets.redacted(text.text)) : nil
        }
    }

    // MARK: Addresses

    /// The number of characters of an address: six bytes and five separators.
    private static let addressTextLength = 17

    /// Returns the bytes that a text lists as two digits each, with `:` or `-` in between, where it
    /// lists as many as an address has.
    ///
    /// `mac:C1:02:0A:0B:00:9F` lists six: two digits at the end of a word, or at the beginning of
    /// one, only count where the list is too short without them.
    private static func lists(_ text: [UInt8]) -> [ListedBytes] {
        var lists: [ListedBytes] = []
        var list: [UInt8] = []
        var before: UInt8?
        func end(_ after: UInt8?) {
            lists += [ListedBytes(list, before: before, after: after)].filter(\.isLongEnough)
            (list, before) = ([], nil)
        }
        var last: Int?
        var start = 0
        while start < text.count {
            let word = text[start...].prefix(while: SeededIdentities.isLetterOrDigit)
            guard let final = word.indices.last else {
                start += 1
                continue
            }
            let isNext = last.map { $0 + 2 == start && isJoint(text[$0 + 1]) } ?? false
            if !isNext { end(nil) }
            if let byte = byte(bare(word)) {
                list.append(byte)
            } else {
                end(isNext ? byte(word.prefix(2)) : nil)
                before = byte(word.suffix(2))
            }
            last = final
            start = final + 1
        }
        end(nil)
        return lists
    }

    private static func isJoint(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ":") || byte == UInt8(ascii: "-")
    }

    /// Returns the digits of a byte without `0x` or "x" before, or "h" behind.
    private static func bare(_ word: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        for before in ["0x", "x", "0X", "X"] where word.starts(with: before.utf8) {
            return word.dropFirst(before.utf8.count)
        }
        return word.count == 3 && word.last.map { $0 | 0x20 } == UInt8(ascii: "h")
            ? word.dropLast() : word
    }

    /// Returns the byte of two digits; `nil` for other text.
    private static func byte(_ text: ArraySlice<UInt8>) -> UInt8? {
        let digits = text.compactMap(HexText.value)
        return text.count == 2 && digits.count == 2 ? digits[0] << 4 | digits[1] : nil
    }

    /// Returns the address at the beginning of a text; `nil` if there is none.
    private static func address(_ text: ArraySlice<UInt8>) -> UInt64? {
        guard text.count >= addressTextLength else { return nil }
        var number: UInt64 = 0
        for (index, byte) in text.prefix(addressTextLength).enumerated() {
            if index % 3 == 2 {
                guard isJoint(byte) else { return nil }
            } else {
                guard let digit = HexText.value(ofDigit: byte) else { return nil }
                number = number << 4 | UInt64(digit)
            }
        }
        return number
    }

    private static func addressComment(
        _ tagged: String, _ fields: inout FieldScrubber
    ) -> CaptureText? {
        let bytes = Array(tagged.utf8)
        guard let old = address(bytes[...]) else { return nil }
        let new = DeviceAddress(fields.identities.address(old, &fields.random))
        let rest = String(decoding: bytes.dropFirst(addressTextLength), as: UTF8.self)
        let type = [" (random)", " (public)"].first { $0 == rest } ?? ""
        return CaptureText("\(addressTag): \(new)\(type)")
    }

    // MARK: Clocks

    /// Splits `2025-12-11 22:54:15 +08:00` into the date and the rest; `nil` for any other form.
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

    private static func clockComment(_ tagged: String, _ fields: FieldScrubber) -> CaptureText? {
        guard let (date, rest) = clock(tagged),
            let new = date.advanced(byDays: fields.calendar.days)
        else { return nil }
        return CaptureText("\(clockTag): \(new)\(rest)")
    }
}
