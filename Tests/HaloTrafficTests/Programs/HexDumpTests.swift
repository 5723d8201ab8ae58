import HaloCapture
import HaloProtocol
import Testing

@testable import HaloTraffic

/// Binary logs that were printed in hexadecimal.
@Suite struct HexDumpTests {
    private static func log(_ name: String) throws -> [UInt8] {
        try FixtureFolder("Captures").bytes(name)
    }

    /// The bytes as `xxd` prints them.
    private static func xxd(_ bytes: [UInt8]) -> String {
        lines(bytes, ":") { row in
            let words = stride(from: 0, to: row.count, by: 2).map { index in
                HexText.bytes(Array(row[index..<min(index + 2, row.count)])).lowercased()
            }
            return words.joined(separator: " ") + "  " + ascii(row)
        }
    }

    /// The bytes as `hexdump -C` prints them.
    private static func hexdump(_ bytes: [UInt8]) -> String {
        lines(bytes, " ") { row in
            let words = row.map { HexText.byte($0).lowercased() }
            let left = words.prefix(8).joined(separator: " ")
            let right = words.dropFirst(8).joined(separator: " ")
            return "\(left)  \(right)  |\(ascii(row))|"
        }
    }

    private static func lines(
        _ bytes: [UInt8], _ mark: String, _ row: ([UInt8]) -> String
    ) -> String {
        stride(from: 0, to: bytes.count, by: 16).map { start in
            let offset = String(start, radix: 16)
            let zeros = String(repeating: "0", count: 8 - offset.count)
            let end = min(start + 16, bytes.count)
            return "\(zeros)\(offset)\(mark) \(row(Array(bytes[start..<end])))\n"
        }
        .joined()
    }

    private static func ascii(_ row: [UInt8]) -> String {
        row.map { (0x20..<0x7F).contains($0) ? String(UnicodeScalar($0)) : "." }.joined()
    }

    @Test(arguments: [
        "Traffic/car.btsnoop", "Traffic/treadmill-187.pcap", "Containers/uart.pcapng",
    ])
    func aDumpIsReadLikeItsFile(name: String) throws {
        let bytes = try Self.log(name)
        let binary = try ImportPasses.survey(bytes)
        for text in [Self.xxd(bytes), Self.hexdump(bytes)] {
            let dump = Array(text.utf8)
            #expect(TrafficFormat.detect(ContiguousArray(dump).span) == .hexDump)
            for pieces in [1, 1000, Int.max] where pieces > 1 || dump.count < 40_000 {
                let report = try ImportPasses.survey(dump, pieces: pieces)
                #expect(report.connections == binary.connections)
                #expect(report.recordCount == binary.recordCount)
            }
        }
    }

    /// The text beside the bytes may look like bytes.
    @Test(arguments: [4, 8, 12])
    func theTextIsNoBytes(count: Int) throws {
        let header = Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, 3, 0xEA]
        let bytes = header + Array("abcdefabcdef".utf8.prefix(count))
        for text in [Self.xxd(bytes), Self.hexdump(bytes)] {
            let sink = TextSink.read(Array(text.utf8), HexDumpParser())
            #expect(sink.error?.kind == .truncated)
            #expect(sink.error?.missing == 24 - count)
        }
    }

    @Test func aStarStandsForRepetitions() throws {
        let header = Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, 3, 0xEA]
        // A record of 72 bytes: 24 of its header, and a packet of zeros.
        let record: [UInt8] =
            [0, 0, 0, 72, 0, 0, 0, 72] + [UInt8](repeating: 0, count: 16)
            + [UInt8](repeating: 0, count: 72)
        let bytes = header + record
        var lines = Self.hexdump(bytes).split(separator: "\n").map(String.init)
        lines.replaceSubrange(3..., with: ["*", "00000070"])
        let text = lines.joined(separator: "\n") + "\n"
        let sink = TextSink.read(Array(text.utf8), HexDumpParser())
        #expect(sink.error == nil)
        #expect(bytes.count == 0x70)
        #expect(sink.records.count + sink.notes.count == 1)
    }

    private static let header = "00000000: 6274 736e 6f6f 7000 0000 0001 0000 03ea  btsnoop...\n"

    @Test(
        arguments: [
            ("\(header)00000020: 00\n", 16, .malformed),
            ("\(header)*\n00000010: 00\n", 16, .malformed),
            (
                "00000000: 0102 0304 0506 0708 090a 0b0c 0d0e 0f10  ................\n", 0,
                .unknownContent
            ),
            ("hello\n", 0, .unknownFormat),
            ("*\n00000010: 00\n", 0, .malformed),
        ] as [(String, Int, TrafficError.Kind)])
    func damagedDumpsAreRefused(text: String, offset: Int, kind: TrafficError.Kind) {
        let sink = TextSink.read(Array(text.utf8), HexDumpParser())
        #expect(sink.error?.offset == offset)
        #expect(sink.error?.kind == kind)
        #expect(sink.records == [])
    }

    @Test func aDumpThatWasCutIsReadSoFar() throws {
        let bytes = try Self.log("Traffic/car.btsnoop")
        let text = Array(Self.xxd(bytes).utf8)
        for count in stride(from: 70, to: min(text.count, 6_000), by: 37) {
            let sink = TextSink.read(Array(text.prefix(count)), HexDumpParser())
            #expect(sink.error == nil || sink.error?.kind == .truncated)
        }
    }
}
