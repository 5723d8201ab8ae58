import HaloProtocol
import TestSupport
import Testing

@testable import HaloCapture

/// A name in the capture is replaced wherever it occurs in a text that is kept.
@Suite(.computes) struct ScrubbedNamesTests {
    /// The texts before and after a name.
    static let places = [
        ("", ""), ("", " has a ring"), ("worn by ", ""), ("worn by ", " at night"), ("x", ""),
        ("", "x"), ("a text that is long enough to hold more than one: ", ""),
    ]

    /// Names of the minimum length, and longer ones.
    @Test(arguments: ["Anna", "Björn", "Annelies_Ring"], places)
    func isFoundInACommentThatStays(_ name: String, _ place: (String, String)) throws {
        let text = place.0 + name + place.1
        let capture = try Capture([
            .version, .comment(CaptureText("name: \(name)")), .comment(CaptureText(text)),
            .comment(CaptureText("\(text)\(name)")),
        ])
        for seed in 0..<6 as Range<UInt64> {
            let scrubbed = try capture.scrubbed(seed: seed, ScrubOptions(keeping: [.comments]))
            let lines = scrubbed.capture.lines.suffix(2).map { line -> String in
                if case .comment(let text) = line { text.text } else { "" }
            }
            for (line, count) in zip(lines, [1, 2]) {
                #expect(!line.contains(name), "\(line)")
                #expect(line.hasPrefix(place.0))
                #expect(line.utf8.count == text.utf8.count + (count - 1) * name.utf8.count)
            }
            #expect(lines.first?.hasSuffix(place.1) == true)
        }
    }

    /// A characteristic's own name may say whose it is; that of a known one says nothing.
    @Test(arguments: [([], "name-1"), ([.names], "of-anna")] as [(Set<ScrubKind>, String)])
    func namesOfCharacteristicsAreReplaced(_ kept: Set<ScrubKind>, _ name: String) throws {
        let capture = try Capture(
            reading: """
                @ of-anna 12345678-1234-1234-1234-123456789abc
                @ uart 6E400002-B5A3-F393-E0A9-E50E24DCCA9E

                """)
        let names = try capture.scrubbed(seed: 1, ScrubOptions(keeping: kept)).capture.lines
            .compactMap { line in
                if case .name(let name, _) = line { name.text } else { nil }
            }
        #expect(names == [name, "uart"])
    }

    /// Names in unknown bytes, which are kept otherwise.
    @Test(arguments: ["Anna", "Annelies_Ring"], 0...6)
    func isFoundInStrangeBytesThatStay(_ name: String, _ before: Int) throws {
        let forms: [[UInt8]] = [
            Array(name.utf8), name.utf8.reversed(), name.utf8.flatMap { [$0, 0] },
            name.utf8.flatMap { [0, $0] }, Array(HexText.bytes(Array(name.utf8)).utf8),
            Array(HexText.bytes(Array(name.utf8), separator: ":").lowercased().utf8),
        ]
        for (form, after) in zip(forms + forms, [0, 0, 0, 0, 0, 0, 1, 2, 3, 1, 2, 3]) {
            let bytes =
                [UInt8](repeating: 0xEE, count: before) + form
                + [UInt8](repeating: 0xEE, count: after)
            let channel = CaptureChannel.characteristic(BluetoothUUID(0xFEA1 as UInt32))
            let capture = try Capture([
                .version, .comment(CaptureText("name: \(name)")),
                .packet(try CapturePacket(.fromDevice, channel, bytes)),
            ])
            let options = ScrubOptions(keeping: [.unknown])
            let scrubbed = try capture.scrubbed(seed: 7, options).capture
            let found = try #require(scrubbed.packets.first).bytes
            #expect(!found.contains(form), "\(form)")
            #expect(found.prefix(before).allSatisfy { $0 == 0xEE } && found.count == bytes.count)
            #expect(found.suffix(after).allSatisfy { $0 == 0xEE })
        }
    }

    /// A record of sixteen bytes whose last byte happens to be the sum of the others is no frame of
    /// the other channel, whose last byte is no part of a text.
    @Test func isFoundAtTheEndOfARecord() throws {
        let record = try HexText.parse("BC 87 0A 00 08 01 01 01 08 02 5A 61 70 68 6F 64")
        #expect(Explanation(of: record).kind == .bigData)
        let capture = try Capture([
            .version, .comment(CaptureText("name: Zaphod")),
            .packet(try CapturePacket(.toDevice, .bigData, record)),
        ])
        let scrubbed = try capture.scrubbed(seed: 1, ScrubOptions(keeping: [.unknown])).capture
        let found = try #require(scrubbed.packets.first).bytes
        #expect(!found.contains(Array("Zaphod".utf8)))
        #expect(try BigDataFrame(decoding: found).id == 0x87)
    }

    /// Names of less than four letters occur in texts by chance, and are kept.
    @Test func threeLettersAreNotLookedFor() throws {
        let capture = try Capture([
            .version, .comment(CaptureText("name: Eva")),
            .comment(CaptureText("Evaluation")),
        ])
        let scrubbed = try capture.scrubbed(seed: 1, ScrubOptions(keeping: [.comments])).capture
        #expect(scrubbed.lines.last == .comment(CaptureText("Evaluation")))
    }
}
