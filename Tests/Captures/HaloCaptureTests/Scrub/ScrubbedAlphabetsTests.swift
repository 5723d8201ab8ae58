import HaloCapture
import HaloProtocol
import HaloTransport
import TestSupport
import Testing

/// No name survives, whatever its alphabet and its encoding, and wherever it is.
@Suite(.computes) struct ScrubbedAlphabetsTests {
    private var planted = PlantedCapture()

    static let names = [
        "Annelies", "Jo", "МАРИНА", "ИРИНА", "АННА", "НАДЕЖДА", "Ελένη", "سارة", "สมชาย",
        "李小明", "孟孝", "孟婷", "मीरा", "Øyvind 2", "🦊 Mia", "J.R",
    ]
    private static let seeds = (0..<Thoroughness.scaled(4)).map { UInt64($0) &* 0x9E37_79B9 }

    /// The encodings in which a name is planted and searched.
    private static func encodings(_ name: String) -> [[UInt8]] {
        let units = Array(name.utf16)
        let bytes = { (unit: UInt16) in
            [UInt8(truncatingIfNeeded: unit), UInt8(truncatingIfNeeded: unit >> 8)]
        }
        return [
            Array(name.utf8), units.flatMap(bytes), units.flatMap { bytes($0).reversed() },
        ]
    }

    /// All forms in which a name is searched. Two bytes occur by chance.
    private static func forms(_ name: String) -> [[UInt8]] {
        encodings(name).flatMap { bytes in
            let hexadecimal = ["", " "].flatMap { separator in
                let text = HexText.bytes(bytes, separator: separator)
                return [Array(text.utf8), Array(text.lowercased().utf8)]
            }
            return [bytes, bytes.reversed()] + hexadecimal
        }.filter { $0.count >= 4 }
    }

    private static func findings(of name: String, in capture: Capture) -> [String] {
        let text = Array(capture.text.utf8)
        let bytes = capture.packets.map(\.bytes)
        return forms(name).compactMap { form in
            text.contains(form) || bytes.contains { $0.contains(form) } ? "\(form)" : nil
        }
    }

    /// The packets that may contain a name, with the name in one of its encodings.
    private static func packets(_ text: [UInt8]) throws -> PlantedCapture {
        var planted = PlantedCapture()
        try planted.frames(.toDevice, PhoneName.opcode, [2, 10] + text.prefix(12))
        try planted.record(.toDevice, Nickname.requestID, text, cut: 40)
        try planted.record(
            .fromDevice, FileList.requestID, [1, UInt8(text.count)] + text, cut: 40)
        for id: UInt8 in [0x29, 0x2F, 0xEE] {
            try planted.record(.toDevice, id, text, cut: 40)
            try planted.record(.fromDevice, id, [7] + text, cut: 40)
        }
        for number in [0x2A00, 0x2A25, 0x2A8A, 0xFEA1] as [UInt32] {
            try planted.characteristic(number, text)
        }
        try planted.put(.fromDevice, .advertisement, [UInt8(text.count + 1), 0x09] + text)
        try planted.put(.fromDevice, .scanResponse, [UInt8(text.count + 1), 0x08] + text)
        try planted.frames(.toDevice, 0x72, [1, 1] + text.prefix(12))
        try planted.put(.toDevice, .uart, [PhoneName.opcode, 2, 10] + text)
        return planted
    }

    @Test(arguments: names)
    func noNameSurvives(_ name: String) throws {
        for text in Self.encodings(name) {
            let capture = try Self.packets(text).capture
            for seed in Self.seeds {
                let scrubbed = try capture.scrubbed(seed: seed).capture
                #expect(Self.findings(of: name, in: scrubbed) == [], "seed \(seed)")
                for (old, new) in zip(capture.packets, scrubbed.packets) {
                    #expect(old.bytes != new.bytes, "seed \(seed): \(old)")
                }
            }
        }
    }

    /// A nickname keeps its encoding, and has the substitute of the same name elsewhere.
    @Test(arguments: names)
    func aNicknameBecomesTheNameThatItIsElsewhere(_ name: String) throws {
        for (index, text) in Self.encodings(name).enumerated().dropFirst() {
            var planted = PlantedCapture()
            try planted.record(.toDevice, Nickname.requestID, text, cut: 200)
            planted.say("name: \(name)")
            let scrubbed = try planted.capture.scrubbed(seed: 3).capture
            guard case .comment(let comment) = scrubbed.lines.last, let new = comment.tagged
            else {
                Issue.record("the name has no substitute")
                continue
            }
            let bytes = try #require(scrubbed.packets.first).bytes
            // Two ideographs are ideographs in either byte order.
            if name.hasPrefix("孟"), index == 2 { continue }
            #expect(Array(bytes.dropFirst(6)) == Self.encodings(new)[index], "\(new)")
        }
    }

    /// The bytes of a name that the capture says elsewhere, in fields that stay otherwise.
    @Test(arguments: names)
    func aKnownNameIsFoundInTextsThatStay(_ name: String) throws {
        for known in Self.encodings(name) {
            var planted = PlantedCapture()
            try planted.record(.toDevice, Nickname.requestID, known, cut: 200)
            for number in [0x2A24, 0x2A26, 0x2A27, 0x2A28, 0x2A29] as [UInt32] {
                try planted.characteristic(number, Array("V1 \(name)/2".utf8))
            }
            planted.say("worn by \(name), 1.0")
            let capture = try planted.capture
            let options = ScrubOptions(keeping: [.comments])
            let scrubbed = try capture.scrubbed(seed: 8, options).capture
            #expect(!scrubbed.text.contains(name))
            for packet in scrubbed.packets.dropFirst() {
                #expect(!packet.bytes.contains(Array(name.utf8)), "\(packet)")
                // Other texts are no revision, and are replaced as a whole.
                guard name.utf8.allSatisfy({ $0 < 0x80 }) else { continue }
                #expect(packet.bytes.starts(with: Array("V1 ".utf8)))
                #expect(packet.bytes.suffix(2).elementsEqual("/2".utf8))
            }
        }
    }

    /// A name in capitals, or without any, is the same name.
    @Test(arguments: [("Annelies", "ANNELIES"), ("Annelies", "annelies"), ("Jo", "JO")])
    mutating func aKnownNameIsFoundInAnotherCase(_ name: String, _ other: String) throws {
        try planted.frames(.toDevice, PhoneName.opcode, [2, 10] + name.utf8)
        try planted.characteristic(0x2A26, Array("V1 \(other)".utf8))
        for seed in Self.seeds {
            let scrubbed = try planted.capture.scrubbed(seed: seed).capture
            let bytes = try #require(scrubbed.packets.last).bytes
            #expect(bytes.starts(with: Array("V1 ".utf8)) && !bytes.contains(Array(other.utf8)))
        }
    }

    /// A short name is found as UTF-16 in bytes that are not known to be text, at either place.
    @Test(arguments: ["Jo", "JO", "jo"], [[], [7]] as [[UInt8]])
    mutating func aShortNameIsFoundInWideBytes(_ other: String, _ head: [UInt8]) throws {
        try planted.frames(.toDevice, PhoneName.opcode, [2, 10] + "Jo".utf8)
        let texts = Self.encodings(other).dropFirst()
        for text in texts { try planted.characteristic(0xFEA1, head + text) }
        let options = ScrubOptions(keeping: [.unknown])
        for seed in Self.seeds {
            let packets = try planted.capture.scrubbed(seed: seed, options).capture.packets
            let kept = zip(packets.suffix(2), texts).filter { $0.bytes.contains($1) }
            #expect(kept.isEmpty && packets.suffix(2).allSatisfy { $0.bytes.starts(with: head) })
        }
    }

    /// A name in capitals at the end of a text in UTF-16, which begins at an even or an odd place.
    @Test(arguments: [[], [7]] as [[UInt8]])
    mutating func theLastLetterOfAWideNameIsFound(_ head: [UInt8]) throws {
        planted.say("name: Annelies")
        let texts = Self.encodings("by aNNELIEs").dropFirst()
        for text in texts { try planted.characteristic(0xFEA1, head + text) }
        let options = ScrubOptions(keeping: [.unknown])
        let packets = try planted.capture.scrubbed(seed: 8, options).capture.packets
        let kept = zip(packets, texts).filter { $0.bytes.suffix(8) == $1.suffix(8) }
        #expect(packets.count == 2 && kept.isEmpty)
    }

    /// The ring's nickname is searched for also if a thousand other devices have advertised.
    @Test mutating func aNameIsFoundBesideAThousandOthers() throws {
        for number in 1_000..<2_100 {
            let name = Array("Speaker \(number)".utf8)
            try planted.put(.fromDevice, .advertisement, [UInt8(name.count + 1), 0x09] + name)
        }
        try planted.record(.toDevice, Nickname.requestID, Array("Annelies".utf8), cut: 40)
        try planted.characteristic(0x2A26, Array("V1 Annelies".utf8))
        let bytes = try #require(planted.capture.scrubbed(seed: 8).capture.packets.last).bytes
        #expect(bytes.starts(with: Array("V1 ".utf8)) && !bytes.contains(Array("Annelies".utf8)))
    }

    /// Of names that begin alike, the longest one is replaced.
    @Test mutating func theLongestOfSimilarNamesIsFound() throws {
        let names = ["Anna", "Annabel", "Annabelle", "Annabelly"]
        for name in names { planted.say("name: \(name)") }
        for name in names + ["Annab"] {
            try planted.characteristic(0x2A26, Array("V1 \(name)".utf8))
        }
        let scrubbed = try planted.capture.scrubbed(seed: 8).capture
        let new = scrubbed.lines.compactMap { line -> String? in
            guard case .comment(let text) = line, text.tag == "name" else { return nil }
            return text.tagged
        }
        #expect(new.count == 4)
        #expect(
            scrubbed.packets.map { String(decoding: $0.bytes, as: UTF8.self) }
                == (new + [new[0] + "b"]).map { "V1 \($0)" })
    }

    /// A short name is a word of its own; letters within other words stay.
    @Test mutating func aShortNameIsAWord() throws {
        try planted.frames(.toDevice, PhoneName.opcode, [2, 10] + "Jo".utf8)
        try planted.frames(.toDevice, PhoneName.opcode, [2, 10] + "1.0".utf8)
        try planted.characteristic(0x2A26, Array("Joint Jo_1.0 1.0".utf8))
        for seed in Self.seeds {
            let scrubbed = try planted.capture.scrubbed(seed: seed).capture
            let text = try #require(scrubbed.packets.last).bytes
            #expect(text.starts(with: Array("Joint ".utf8)))
            #expect(!text.contains(Array("Jo_".utf8)))
            #expect(text.suffix(8).elementsEqual("_1.0 1.0".utf8))
        }
    }
}

/// The address of a device in every place, if only one packet says that it is one.
@Suite(.computes) struct ScrubbedAddressTests {
    private var planted = PlantedCapture()

    private static let secret = PlantedSecret("address", PlantedCapture.addressBytes)
    private static let seeds = 0..<UInt64(Thoroughness.scaled(2))

    private static func uuid(_ bytes: [UInt8]) -> BluetoothUUID {
        BluetoothUUID(
            high: 0x1234_5678_9ABC_11EE, low: bytes.reduce(0x8001) { $0 << 8 | UInt64($1) })
    }

    /// Places that stay otherwise.
    private static func places(_ planted: inout PlantedCapture) throws {
        let address = secret.bytes
        for separator in ["", ":", "-", " "] {
            for bytes in [address, address.reversed()] {
                let text = HexText.bytes(bytes, separator: separator)
                for number in [0x2A24, 0x2A26, 0x2A27, 0x2A28, 0x2A29] as [UInt32] {
                    try planted.characteristic(number, Array("V1 \(text)".utf8))
                    try planted.characteristic(number, Array(text.lowercased().utf8))
                }
            }
        }
        for (index, bytes) in [address, address.reversed()].enumerated() {
            let uuid = uuid(bytes)
            let channel = CaptureChannel.characteristic(uuid)
            let name = try CaptureName("own-\(index)")
            planted.lines.append(.name(name, uuid))
            for event in [
                .offers(service: uuid, characteristic: uuid, .notify), .subscribed(channel),
                .read(channel), .refused(channel, code: 1), .unsubscribed(channel),
                .acknowledged(channel), .confirmed(channel),
            ] as [CaptureEvent] {
                planted.lines.append(.event(event, link: nil))
            }
            try planted.put(.fromDevice, channel, [1])
            try planted.put(
                .toDevice, .descriptor(BluetoothUUID(0x2901 as UInt32), of: uuid), [1])
            let words = [uuid.low, uuid.high].flatMap { word in
                (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64($0 * 8)) }
            }
            try planted.put(.fromDevice, .advertisement, [17, 0x07] + words)
            try planted.put(.fromDevice, .advertisement, [18, 0x21] + words + [1])
        }
    }

    @Test(arguments: [[], [1], [1, 2], [0, 6], [1, 2, 3, 4, 5]] as [[UInt8]], [false, true])
    mutating func isKnownFromItsRecord(_ head: [UInt8], _ isReversed: Bool) throws {
        let bytes = isReversed ? Self.secret.bytes.reversed() : Self.secret.bytes
        try planted.record(.fromDevice, RawRecord.bluetoothAddress.code, head + bytes)
        try Self.places(&planted)
        let capture = try planted.capture
        #expect(!Self.secret.findings(in: capture).isEmpty)
        for seed in Self.seeds {
            let scrubbed = try capture.scrubbed(seed: seed).capture
            #expect(Self.secret.findings(in: scrubbed) == [], "seed \(seed)")
            #expect(try Capture(reading: scrubbed.text) == scrubbed)
        }
    }

    /// The layout of the record is not known: it may be a text.
    @Test(arguments: ["", ":"], [false, true])
    mutating func isKnownFromItsRecordAsText(_ separator: String, _ isReversed: Bool) throws {
        let bytes = isReversed ? Self.secret.bytes.reversed() : Self.secret.bytes
        let text = HexText.bytes(bytes, separator: separator)
        try planted.record(
            .fromDevice, RawRecord.bluetoothAddress.code, Array(text.utf8), cut: 40)
        try Self.places(&planted)
        let scrubbed = try planted.capture.scrubbed(seed: 3).capture
        #expect(Self.secret.findings(in: scrubbed) == [])
    }

    /// An advertisement tells the address as well.
    @Test(arguments: [0x17, 0x18, 0x1B] as [UInt8])
    mutating func isKnownFromAnAdvertisement(_ type: UInt8) throws {
        try planted.put(
            .fromDevice, .advertisement, [8, type] + Self.secret.bytes.reversed() + [1])
        try Self.places(&planted)
        let scrubbed = try planted.capture.scrubbed(seed: 3).capture
        #expect(Self.secret.findings(in: scrubbed) == [])
    }

    /// The addresses of a thousand other devices do not hide it.
    @Test mutating func isFoundBesideAThousandOthers() throws {
        for number in 0..<1_100 {
            let bytes = [0, 0, 1, 1, UInt8(number >> 8) + 1, UInt8(number & 0xFF)]
            planted.say("heard \(HexText.bytes(bytes, separator: ":"))")
            try planted.put(.fromDevice, .advertisement, [8, 0x1B] + bytes + [1])
        }
        try planted.record(
            .fromDevice, RawRecord.bluetoothAddress.code, Self.secret.bytes, cut: 40)
        try Self.places(&planted)
        let scrubbed = try planted.capture.scrubbed(seed: 3).capture
        #expect(Self.secret.findings(in: scrubbed) == [])
    }

    /// The record has the substitute of the address in the comments.
    @Test(arguments: [false, true])
    mutating func isTheSameInTheRecordAndTheComment(_ isReversed: Bool) throws {
        let bytes = isReversed ? Self.secret.bytes.reversed() : Self.secret.bytes
        try planted.record(.fromDevice, RawRecord.bluetoothAddress.code, bytes, cut: 40)
        planted.say("address: \(HexText.bytes(Self.secret.bytes, separator: ":"))")
        let scrubbed = try planted.capture.scrubbed(seed: 1).capture
        let new = try #require(scrubbed.packets.first).bytes.dropFirst(6)
        let text = HexText.bytes(isReversed ? new.reversed() : Array(new), separator: ":")
        #expect(scrubbed.lines.last == .comment(CaptureText("address: \(text)")))
    }

    /// The type of the address is no secret; any other word beside it may be one.
    @Test(arguments: [(" (random)", " (random)"), (" (public)", " (public)"), (" (Anna's)", "")])
    mutating func itsTypeStays(_ type: String, _ kept: String) throws {
        planted.say("address: \(HexText.bytes(Self.secret.bytes, separator: ":"))\(type)")
        let scrubbed = try planted.capture.scrubbed(seed: 1).capture
        guard case .comment(let address)? = scrubbed.lines.last else {
            Issue.record("there is no address")
            return
        }
        #expect(address.text.dropFirst("address: 00:11:22:33:44:55".count) == kept)
    }

    /// Packets are full of zeros and ones: they are not an address.
    @Test mutating func zerosAreNoAddress() throws {
        try planted.record(.fromDevice, RawRecord.bluetoothAddress.code, [2, 1, 0, 0, 0, 5])
        try planted.frames(.toDevice, DoNotDisturb.opcode, [2, 1, 0, 0, 0, 5])
        let frame = try #require(planted.capture.packets.last)
        let scrubbed = try planted.capture.scrubbed(seed: 1).capture
        #expect(scrubbed.packets.last == frame)
    }
}

/// Secrets of the capture in every packet of the catalogues.
@Suite(.computes) struct ScrubbedCatalogueTests {
    private static let name = "Annelies_Ring"
    private static let secrets = [
        PlantedSecret("address", PlantedCapture.addressBytes), PlantedSecret("name", text: name),
    ]

    private static func known() throws -> PlantedCapture {
        var planted = PlantedCapture()
        planted.say("address: \(HexText.bytes(PlantedCapture.addressBytes, separator: ":"))")
        planted.say("name: \(Self.name)")
        return planted
    }

    /// The secrets as they may be in a packet.
    private static let forms: [[UInt8]] = secrets.flatMap { [$0.bytes, $0.bytes.reversed()] }

    /// The codes of a catalogue and every sixteenth, or all of them.
    private static func codes(_ known: [UInt8]) -> [UInt8] {
        let others = Thoroughness.part(Array(UInt8.min ... .max), every: 16)
        return Set(known + others).sorted()
    }

    private static func expectNoSecret(in planted: PlantedCapture) throws {
        let capture = try planted.capture
        let scrubbed = try capture.scrubbed(seed: 12).capture
        let kept = zip(capture.packets, scrubbed.packets).filter { _, new in
            forms.contains { $0.count <= new.bytes.count && new.bytes.contains($0) }
        }
        #expect(kept.map { "\($0) became \($1)" } == [])
    }

    @Test(arguments: [Direction.toDevice, .fromDevice])
    func noFrameKeepsOne(_ direction: Direction) throws {
        for opcode in Self.codes(CommandCatalog.entries.map(\.opcode)) {
            var planted = try Self.known()
            for form in Self.forms {
                for start in 0...max(0, 14 - form.count) {
                    for filler in Thoroughness.part([0, 1], every: 2, from: start) as [UInt8] {
                        let head = [UInt8](repeating: filler, count: start)
                        try planted.frames(direction, opcode, Array((head + form).prefix(14)))
                    }
                }
            }
            try Self.expectNoSecret(in: planted)
        }
    }

    @Test(arguments: [Direction.toDevice, .fromDevice])
    func noRecordKeepsOne(_ direction: Direction) throws {
        for id in Self.codes(BigDataCatalog.entries.compactMap { $0.id(direction) }) {
            var planted = try Self.known()
            for form in Self.forms {
                for start in 0...9 {
                    for filler in Thoroughness.part([0, 1], every: 2, from: start) as [UInt8] {
                        let head = [UInt8](repeating: filler, count: start)
                        try planted.record(direction, id, head + form, cut: 100)
                    }
                }
            }
            try Self.expectNoSecret(in: planted)
        }
    }

    @Test func noCharacteristicKeepsOne() throws {
        for entry in CharacteristicCatalog.entries {
            var planted = try Self.known()
            for form in Self.forms {
                for start in 0...3 {
                    let bytes = [UInt8](repeating: 1, count: start) + form
                    try planted.put(.fromDevice, .characteristic(entry.uuid), bytes)
                }
            }
            try Self.expectNoSecret(in: planted)
        }
    }

    /// Text in the layout of a recording, which has only numbers.
    @Test(arguments: ["Meet me at Café Kranzler", "Anna", "สมชาย"])
    func noTextStaysInALayoutWithUnknownFields(_ text: String) throws {
        for head in 0...5 {
            var planted = PlantedCapture()
            let bytes = [UInt8](repeating: 0, count: head) + text.utf8
            try planted.record(.fromDevice, WorkoutDetail.replyID, bytes, cut: 200)
            for seed in 0..<8 as Range<UInt64> {
                let scrubbed = try planted.capture.scrubbed(seed: seed).capture
                let new = try #require(scrubbed.packets.first).bytes.dropFirst(6 + head)
                // The status is one byte of a known list.
                let kept = zip(new, text.utf8).filter { $0 == $1 }.count
                #expect(kept <= 3, "seed \(seed): \(new)")
            }
        }
    }

    @Test func aKnownLayoutStays() throws {
        var planted = PlantedCapture()
        let bytes: [UInt8] = [0, 3, 0, 1, 1, WorkoutDetail.Tag.heartRate.rawValue]
        try planted.record(.fromDevice, WorkoutDetail.replyID, bytes, cut: 200)
        let capture = try planted.capture
        #expect(try capture.scrubbed(seed: 1).capture.packets == capture.packets)
    }
}
