import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloCapture

/// A known address or name is found in every spelling, in texts that stay otherwise.
@Suite(.computes) struct ScrubbedSpellingsTests {
    /// A spelling of an address, and the way back: the bytes that a reader finds in a text.
    struct Spelling: Sendable, CustomTestStringConvertible {
        let name: String
        let text: @Sendable ([UInt8]) -> String

        var testDescription: String { name }

        init(_ name: String, _ text: @escaping @Sendable ([UInt8]) -> String) {
            self.name = name
            self.text = text
        }

        /// The bytes with a separator, in mixed case.
        init(separator: String) {
            self.init("with '\(separator)'") { bytes in
                bytes.enumerated().map { index, byte in
                    let text = HexText.byte(byte)
                    return index % 2 == 0 ? text.lowercased() : text
                }.joined(separator: separator)
            }
        }

        /// Two bytes in a group.
        init(groups separator: String) {
            self.init("groups with '\(separator)'") { bytes in
                stride(from: 0, to: 6, by: 2).map { HexText.bytes(bytes[$0...($0 + 1)]) }
                    .joined(separator: separator)
            }
        }

        /// The form EUI-64, with two bytes in the middle.
        init(long separator: String, mark: [UInt8] = [0xFF, 0xFE]) {
            self.init("EUI-64 with '\(separator)', \(mark)") { bytes in
                HexText.bytes(bytes[..<3] + mark + bytes[3...], separator: separator)
            }
        }

        /// `true` for a form that is an address in a comment, whether it is known or not.
        var isListed: Bool {
            ["with ':'", "with '-'", "EUI-64 with ':'", "EUI-64 with '-'"].contains {
                name.hasPrefix($0)
            }
        }

        static let all: [Spelling] =
            [
                "", ":", "-", " ", "_", ".", "/", ", ", "·", " | ", "%", "\\x", ", 0x", "%3A",
                "%3a%20", "&#58;", "&#x3a;", "\\u003a", "\\u{3A}", "\\x2d", "h ", "：",
            ]
            .map(Spelling.init(separator:))
            + ["", ":", "-", ".", " ", "%3A"].map { Spelling(long: $0) }
            + [[0xFE, 0xFF], [0xFF, 0xFF], [0, 0]].map { Spelling(long: ":", mark: $0) }
            + [".", ":", "-", "_", " "].map(Spelling.init(groups:)) + [
                Spelling("after four digits") { "1234" + HexText.bytes($0) },
                Spelling("after a digit") { "1" + HexText.bytes($0) },
                Spelling("before digits") { HexText.bytes($0) + "77" },
                Spelling("fullwidth") { bytes in
                    let text = HexText.bytes(bytes, separator: ":").unicodeScalars
                    return String(
                        String.UnicodeScalarView(
                            text.compactMap { Unicode.Scalar($0.value + 0xFEE0) }))
                },
                Spelling("with h") { bytes in
                    bytes.map { HexText.byte($0) + "h" }.joined(separator: " ")
                },
                Spelling("0x") { "0x" + HexText.bytes($0).lowercased() },
                Spelling("in a UUID") { "12345678-9abc-11ee-8001-" + HexText.bytes($0) },
                Spelling("without zeros") { bytes in
                    bytes.map { String($0, radix: 16) }.joined(separator: ":")
                },
                Spelling("a decimal number") { bytes in
                    String(bytes.reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
                },
                Spelling("decimal bytes") { "[\($0.map(String.init).joined(separator: ", "))]" },
                Spelling("digits of its text") { bytes in
                    HexText.bytes(HexText.bytes(bytes, separator: ":").utf8, separator: " ")
                },
                Spelling("digits of its UTF-16") { bytes in
                    HexText.bytes(HexText.bytes(bytes).utf8.flatMap { [$0, 0] })
                },
            ]
    }

    private static let keeping = ScrubOptions(keeping: [.comments, .unknown])
    private static let encodings: [DeviceText.Encoding] = [
        .utf8, .utf16LittleEndian, .utf16BigEndian,
    ]

    /// The texts of a capture's comments and packets after scrubbing, each in its encoding.
    private static func scrubbed(
        _ texts: [String], _ secret: String, seed: UInt64 = 5
    ) throws -> [String] {
        var planted = PlantedCapture()
        planted.say(secret)
        for text in texts {
            planted.say(text)
            try planted.characteristic(0x2A26, Array(text.utf8))
            for encoding in encodings {
                try planted.characteristic(0xFEA1, encoding.encoded(Array(text.utf8)))
            }
        }
        let capture = try planted.capture.scrubbed(seed: seed, keeping).capture
        var found = capture.lines.dropFirst(3).compactMap { line -> String? in
            if case .comment(let text) = line { text.text } else { nil }
        }
        for (index, packet) in capture.packets.enumerated() {
            let encoding = index % 4 == 0 ? .utf8 : encodings[index % 4 - 1]
            found.append(decoded(packet.bytes, encoding))
        }
        return found
    }

    private static func decoded(_ bytes: [UInt8], _ encoding: DeviceText.Encoding) -> String {
        guard encoding != .utf8 else { return String(decoding: bytes, as: UTF8.self) }
        let low = encoding == .utf16LittleEndian ? 0 : 1
        return String(
            decoding: stride(from: 0, to: bytes.count - 1, by: 2).map {
                UInt16(bytes[$0 + low]) | UInt16(bytes[$0 + 1 - low]) << 8
            }, as: UTF16.self)
    }

    /// Returns a text with a zero for each hexadecimal digit: what stays of a spelling.
    private static func shape(_ text: String) -> String {
        String(text.map { $0.isHexDigit ? "0" : $0 })
    }

    /// Returns the number of digits at the same places of two texts.
    private static func equalDigits(_ one: String, _ other: String) -> Int {
        zip(one, other).count { $0.isHexDigit && $0 == $1 }
    }

    @Test(
        arguments: Spelling.all, [[0xC1, 0x34, 0x9E, 0x7B, 0x55, 0xD2], [9, 163, 4, 18, 7, 97]])
    func anAddressIsFound(_ spelling: Spelling, in bytes: [UInt8]) throws {
        let secret = "address: \(HexText.bytes(bytes, separator: ":"))"
        for bytes in [bytes, bytes.reversed()] {
            let text = "V1 <\(spelling.text(bytes))> 9"
            let found = try Self.scrubbed([text], secret)
            try #require(found.count == 5)
            for new in found {
                #expect(Self.shape(new) == Self.shape(text))
                let digits = text.count { $0.isHexDigit }
                #expect(Self.equalDigits(text, new) <= digits - 5, "\(text) became \(new)")
            }
        }
    }

    /// Digits that are not those of the address stay. Comments with colons are addresses.
    @Test(arguments: Spelling.all.filter { !$0.isListed })
    func otherDigitsStay(_ spelling: Spelling) throws {
        let text = "V1 <\(spelling.text([1, 2, 3, 4, 5, 6]))> \(spelling.text([9, 8, 7, 6, 5, 4]))"
        let found = try Self.scrubbed([text], "address: C1:34:9E:7B:55:D2")
        #expect(Set(found) == [text])
    }

    /// The name that is known, a text with it in another spelling, and what stays of the text: `*`
    /// stands for what was replaced.
    @Test(arguments: [
        ("Øyvind", "by ØYVIND, 2", "by *, 2"), ("МАРИНА", "от марина 1", "от * 1"),
        ("Ελένης", "(ΕΛΈΝΗΣ)", "(*)"), ("Zoë Berg", "Zoe\u{308} Berg/2", "*/2"),
        ("Jose\u{301} Cruz", "V2 JOSÉ CRUZ", "V2 *"), ("Strauß 7", "V2 STRAUSS 7", "V2 *"),
        ("İpek", "V2 ipek", "V2 *"), ("Annelies", "V2 Ａｎｎｅｌｉｅｓ", "V2 *"),
        ("Annelies", "V2 Anne\u{AD}lies", "V2 *"), ("Annelies", "V2 aNNeLiEs", "V2 *"),
        ("Annelies de Vries", "VRIES, devries", "*, devries"),
        ("Nguyễn An's Ring", "V2 NGUYE\u{302}\u{303}N ring", "V2 * ring"),
        ("MiriamsRing", "V2 miriams_1", "V2 *_1"), ("RingMila", "V2 mila_1", "V2 *_1"),
        ("R02_Mila", "R02 mila", "R02 *"),
        ("Anna Bell", "Annabel Bella bell", "Annabel Bella *"), ("Jo", "Joint jo", "Joint *"),
        ("李 小明", "by 小明, 2", "by *, 2"),
    ])
    func aNameIsFound(_ name: String, in text: String, leaving rest: String) throws {
        let parts = rest.split(separator: "*", omittingEmptySubsequences: false)
        for seed in 0..<5 as Range<UInt64> {
            let found = try Self.scrubbed([text], "name: \(name)", seed: seed)
            try #require(found.count == 5)
            // A version with other characters than ASCII is replaced as a whole. A word of two or
            // three letters occurs by chance in bytes that are not known to be text.
            let places = name.utf8.count < 4 ? 0..<1 : 0..<5
            for (index, new) in found.enumerated() where places.contains(index) && index != 1 {
                #expect(new.hasPrefix(parts[0]) && new.hasSuffix(parts[1]), "\(new)")
                let middle = new.dropFirst(parts[0].count).dropLast(parts[1].count)
                let old = text.dropFirst(parts[0].count).dropLast(parts[1].count)
                #expect(middle.lowercased() != old.lowercased(), "\(new)")
            }
        }
    }

    /// Any address in any place of any text, in any spelling.
    @Test func noSpellingOfAnyAddressStays() throws {
        var random = RepeatableNoise(seed: 59)
        for round in 0..<60 {
            let bytes = (0..<6).map { _ in UInt8(truncatingIfNeeded: random.next() % 255 + 1) }
            let texts = (0..<4).map { _ in
                let spelling = Spelling.all[Int(random.next() % UInt64(Spelling.all.count))]
                let isReversed = random.next() & 1 == 0
                let pad = String(repeating: "z", count: Int(random.next() % 4))
                return pad + " (" + spelling.text(isReversed ? bytes.reversed() : bytes) + ") z"
            }
            let secret = "address: \(HexText.bytes(bytes, separator: ":"))"
            let found = try Self.scrubbed(texts, secret, seed: UInt64(round))
            try #require(found.count == 20)
            for (index, new) in found.enumerated() {
                let text = texts[index < 4 ? index : (index - 4) / 4]
                let digits = text.count { $0.isHexDigit }
                #expect(
                    Self.equalDigits(text, new) <= digits - 5, "round \(round): \(text), \(new)")
                #expect(new.count == text.count)
            }
        }
    }

    // MARK: Other digits beside an address

    private static let befores = [
        "", "mac:", "device ", "device:", "face ", "face:", "be:", "line 10:", "10-", "dec:", "x",
    ]
    private static let afters = ["", ".", ":1F", "-1f:2e", " be", ":ok", "-face", "h"]

    /// Returns the texts after `V` of a capture's comments and of its packets.
    private static func texts(_ capture: Capture) -> [String] {
        let comments = capture.lines.compactMap { line -> String? in
            if case .comment(let text) = line, text.tag == "note" { text.tagged } else { nil }
        }
        return comments + capture.packets.map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    /// An address that begins or ends inside of another word or number is not taken for the known
    /// one.
    @Test(arguments: [true, false], [true, false])
    func noByteOfAnAddressStaysBesideOtherDigits(isKnown: Bool, isKept: Bool) throws {
        var random = RepeatableNoise(seed: 18)
        for round in 0..<(isKnown ? 3 : 1) {
            let bytes = (0..<6).map { _ in UInt8(truncatingIfNeeded: random.next() % 255 + 1) }
            let address = HexText.bytes(bytes, separator: ":")
            let rows = Self.befores.flatMap { before in
                Self.afters.map { (before: before, after: $0) }
            }
            // Only a known address is certain where others overlap with it.
            for rows in isKnown ? [rows] : rows.map({ [$0] }) {
                var planted = PlantedCapture()
                for (before, after) in rows {
                    let text = before + address + after
                    planted.say("note: \(text)")
                    try planted.characteristic(0x2A26, Array(text.utf8))
                }
                if isKnown { planted.say("address: \(address)") }
                let options = ScrubOptions(keeping: isKept ? [.comments] : [])
                let found = Self.texts(
                    try planted.capture.scrubbed(seed: UInt64(round), options).capture)
                try #require(found.count == rows.count * (isKept ? 2 : 1))
                var substitutes: Set<String> = []
                for (index, new) in found.enumerated() {
                    let (before, after) = rows[index % rows.count]
                    let middle = new.dropFirst(before.count).dropLast(after.count)
                    let left = zip(middle.uppercased().split(separator: ":"), bytes).filter {
                        $0 == HexText.byte($1)
                    }
                    let isRight =
                        !isKnown || new.hasPrefix(before) && new.hasSuffix(after)
                    #expect(left.isEmpty && isRight, "\(before)\(address)\(after): \(new)")
                    substitutes.insert(String(middle))
                }
                if isKnown { #expect(substitutes.count == 1, "\(substitutes)") }
            }
        }
    }

    /// Addresses that share bytes, each of which is known, leave nothing of each other.
    @Test func addressesThatOverlapAreReplaced() throws {
        for first in ["C1:02:0A:0B:04:9F", "AC:C1:02:0A:0B:04"] {
            var planted = PlantedCapture()
            planted.say("address: \(first)")
            for text in ["C1:02:0A:0B:04:9F", "AC:C1:02:0A:0B:04"] {
                planted.say("note: by \(text)")
            }
            try planted.characteristic(0x2A26, Array("AC:C1:02:0A:0B:04:9F".utf8))
            let text = try #require(Self.texts(planted.capture.scrubbed(seed: 5).capture).last)
            let left = zip(text.split(separator: ":"), "AC:C1:02:0A:0B:04:9F".split(separator: ":"))
                .filter { $0 == $1 }
            #expect(left.isEmpty, "\(text)")
        }
    }

    /// Of two addresses that share bytes, the device's own one is replaced as a whole.
    @Test func theDevicesOwnAddressComesFirst() throws {
        let own = "C1:02:0A:0B:04:9F"
        var planted = PlantedCapture()
        planted.say("address: \(own)")
        try planted.put(
            .fromDevice, .advertisement, [8, 0x1B, 0xAC, 0xC1, 0x02, 0x0A, 0x0B, 0x04, 1])
        for text in [own, "AC:\(own)"] {
            try planted.characteristic(0x2A26, Array(text.utf8))
        }
        let texts = Self.texts(try planted.capture.scrubbed(seed: 5).capture).suffix(2)
        #expect(texts.first != own && texts.last?.suffix(own.count) == texts.first?[...])
    }

    /// The form EUI-64 of a comment tells the address, in either order of its middle; an address
    /// may begin with zeros.
    @Test(arguments: ["9F:02:0A:FF:FE:0B:04:9E", "9F:02:0A:FE:FF:0B:04:9E", "00:00:0A:0B:04:9E"])
    func anAddressOfACommentIsLearned(_ text: String) throws {
        var planted = PlantedCapture()
        planted.say("note: by \(text)")
        let digits = text.replacing(":", with: "")
        let plain = digits.count > 12 ? digits.prefix(6) + digits.suffix(6) : digits[...]
        try planted.characteristic(0x2A26, Array("V1 \(plain)".utf8))
        let new = try #require(Self.texts(planted.capture.scrubbed(seed: 5).capture).last)
        #expect(new.hasPrefix("V1 ") && !new.contains("0B04"), "\(new)")
    }

    /// Digits of one case stay of that case, whatever the case of other letters.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func anAddressKeepsItsCase(seed: UInt64) throws {
        let upper = "E1:E2:D6:3A:5B:A5"
        let lower = upper.lowercased()
        let texts = ["mac \(upper)", "AB \(lower) CD", "\(upper) \(lower)", "E1E2D6FFFE3A5BA5 be"]
        let found = try Self.scrubbed(texts, "address: \(upper)", seed: seed)
        for (index, new) in found.enumerated() {
            let text = texts[index < 4 ? index : (index - 4) / 4]
            let words = zip(text.split(separator: " "), new.split(separator: " "))
            let isKept = words.allSatisfy { old, new in
                new == (old.uppercased() == old ? new.uppercased() : new.lowercased())
            }
            #expect(isKept && new != text, "\(text) became \(new)")
        }
    }

    // MARK: System identifiers

    /// A system identifier tells the address in each form that firmware gives it.
    @Test(arguments: SeededIdentities.longAddressMarks, [false, true])
    func aSystemIdentifierIsLearned(_ mark: [UInt8], _ isReversed: Bool) throws {
        let address: [UInt8] = [0xC1, 0x34, 0x9E, 0x7B, 0x55, 0xD2]
        // Only the order of the standard is read with its mark.
        let isStandard = mark == [0xFE, 0xFF]
        let bytes = isReversed || isStandard ? address.reversed() : address
        var planted = PlantedCapture()
        try planted.characteristic(0x2A23, bytes[..<3] + mark + bytes[3...])
        try planted.characteristic(0x2A26, Array("V1 c1:34:9e:7b:55:d2".utf8))
        let packets = try planted.capture.scrubbed(seed: 3).capture.packets
        let (id, text) = (packets[0].bytes, String(decoding: packets[1].bytes, as: UTF8.self))
        #expect(Array(id[3...4]) == mark)
        let new = Array(id[..<3] + id[5...])
        let other = HexText.bytes(new, separator: ":").lowercased()
        let reversed = HexText.bytes(new.reversed(), separator: ":").lowercased()
        #expect([other, reversed].contains(String(text.dropFirst(3))), "\(text)")
        #expect(!text.contains("c1:34"))
    }

    // MARK: The report

    /// A report is published too: its UUIDs have no address.
    @Test func theReportHasNoAddress() throws {
        var planted = PlantedCapture()
        planted.say("address: C1:34:9E:7B:55:D2")
        let uuid = BluetoothUUID(high: 0x1234_5678_9ABC_11EE, low: 0x8001_C134_9E7B_55D2)
        try planted.put(.fromDevice, .characteristic(uuid), [1, 2, 3])
        let report = try planted.capture.scrubbed(seed: 3).report
        let words = report.obscured.map { "\($0.channel)".uppercased() }
        #expect(words.count == 1 && words[0].contains("12345678-9ABC-11EE-8001-"))
        #expect(!words[0].contains("C1349E"))
    }
}
