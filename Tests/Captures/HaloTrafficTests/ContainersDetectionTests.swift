import HaloCapture
import TestSupport
import Testing

@testable import HaloTraffic

@Suite(.computes) struct ContainersDetectionTests {
    private func detect(_ bytes: [UInt8]) -> TrafficFormat? {
        TrafficFormat.detect(ContiguousArray(bytes.prefix(TrafficFormat.detectionLength)).span)
    }

    private func detect(_ text: String) -> TrafficFormat? { detect(Array(text.utf8)) }

    private static let frame: [UInt8] = [3, 50, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 53]

    @Test func knowsBinaryFormats() {
        #expect(detect(ContainersFile.btsnoop(1002).bytes) == .btsnoop)
        for order in [ByteOrder.big, .little] {
            for magic in [0xA1B2_C3D4, 0xA1B2_3C4D, 0xA1B2_CD34] as [UInt32] {
                #expect(detect(ContainersFile.pcap(187, order, magic: magic).bytes) == .pcap)
            }
            var file = ContainersFile()
            file.putSection(order)
            #expect(detect(file.bytes) == .pcapng)
            file = ContainersFile(order)
            for index in 0..<600 as Range<UInt32> {
                file.putLogger(2, [1, 2, 3], seconds: index)
                #expect(detect(file.bytes) == .packetLogger)
            }
            file.putLogger(2, [UInt8](repeating: 2, count: 5000))
            #expect(detect(Array(file.bytes.suffix(5013))) == .packetLogger)
        }
    }

    @Test func knowsPackedFilesOfAndroid() {
        let event = PackedFile.snoozRecord(2, 0x10, [14, 1, 0], after: 5, original: 5)
        #expect(detect(PackedFile.snooz(2, last: 1_765_493_655_000_000, event)) == .btsnooz)
        #expect(detect(PackedFile.snooz(1, last: 0, [])) == .btsnooz)
        #expect(detect(PackedFile.snooz(3, last: 0, [])) == nil)
        #expect(detect(PackedFile.snooz(1, last: 1 << 60, [])) == nil)
        let header = ContainersFile.btsnoop(1002).bytes
        #expect(detect(header + event + event) == .btsnooz)
        #expect(detect(header + event + [1, 2]) == .btsnooz)
        #expect(detect(header + event + event.reversed()) == .btsnoop)
        #expect(detect(PackedFile.report([])) == .btsnooz)
        #expect(detect("Bluetooth Status\n  enabled: true\n") == .btsnooz)
        #expect(detect("x\n  --- BEGIN:BTSNOOP_LOG_SUMMARY (1 bytes in) ---\n") == .btsnooz)
        #expect(detect("not == dumpstate: or --- BEGIN:BTSNOOP_LOG_SUMMARY\n") == nil)
    }

    @Test func knowsFramesOfARing() {
        for count in [1, 2, 3, 256, 257, 1000] {
            let frames = Array(repeatElement(Self.frame, count: count))
            #expect(detect(frames.flatMap { $0 }) == .ringFrames)
            #expect(detect(frames.flatMap { $0 + [10] }) == .ringFrames)
        }
        #expect(detect(Self.frame + Self.frame.dropLast()) == nil)
        #expect(detect(Self.frame + [10, 10]) == nil)
        #expect(detect([UInt8](repeating: 0, count: 64)) == nil)
        var wrong = Self.frame
        wrong[15] = 52
        #expect(detect(Self.frame + wrong) == nil)
        #expect(detect(Self.frame.dropLast()) == nil)
    }

    @Test(arguments: [
        "Bluetooth monitor ver 5.66\n", "= Note: x\n< HCI Command: Reset (0x03|0x0003) plen 0\n",
        "> ACL Data RX: Handle 64 flags 0x02 dlen 9\n", "\u{1B}[0;37m\n> HCI Event: x\n",
    ])
    func readsTheHeadersOfTheMonitor(_ text: String) {
        #expect(detect(text) == .btmonText)
        #expect(detect(text + String(repeating: " text\n", count: 2000)) == .btmonText)
    }

    @Test(arguments: [
        "TX 03 00 00 00 03\n", "2025-12-11 22:54:15 -> 0x030000000003", "<- 03:32:00:00:35\r\n",
        "a line\nnotify: 03-32-00-00", "send [03, 00, 00, 00]\n", "> 033200000000",
    ])
    func knowsLinesOfBytes(_ text: String) {
        #expect(detect(text) == .hexLines)
    }

    @Test(arguments: [
        "halo-capture 2\n", "\u{FEFF}halo-capture 2\r\n", "halo-capture 9\n> uart 03\n",
        "# a fixture\n> uart 15 00 03 05 00 00 00 00 00 00 00 00 00 00 00 1D\n",
        "* connected mtu 247\n", "# x\n< adv 02 01 06\n< adv 02",
    ])
    func knowsCaptures(_ text: String) {
        #expect(detect(text) == .capture)
        #expect(ContainersSink(Array(text.utf8)).error?.kind == .unknownContent)
    }

    @Test(arguments: [
        "", "\n", "hello", "a log of 12 lines\nat 12:30:15\n", "1234567\n", "12 34 56\n",
        "\0\0\0\0",
        "03 00 00 00 03\0",
    ])
    func detectsNoOtherText(_ text: String) {
        #expect(detect(text) == nil)
        let error = ContainersSink(Array(text.utf8)).error
        #expect(error?.kind == (text.isEmpty ? .empty : .unknownFormat))
        #expect(error?.offset == 0)
    }

    @Test(
        arguments: [
            ("PK\u{3}\u{4}", "archive"), ("PK\u{5}\u{6}", "archive"), ("PK", "--format"),
            ("BZh9", "compressed"), ("7z\u{BC}", "--format"), ("GMBU", "editcap"),
            ("RTSS", "editcap"), ("SQLite format 3\0", "halo sync --import"),
            ("snoop\0\0\0\0\0\0\u{2}", "editcap"),
        ] as [(String, String)])
    func hasHintsForOtherFiles(_ text: String, _ word: String) {
        let error = ContainersSink(Array(text.utf8)).error
        #expect(error?.kind == .unknownFormat)
        #expect(error?.hint?.contains(word) == true)
    }

    @Test(
        arguments: [
            [0x1F, 0x8B, 7], [0x28, 0xB5, 0x2F, 0xFD], [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0],
        ] as [[UInt8]])
    func knowsCompressedFiles(_ bytes: [UInt8]) {
        #expect(ContainersSink(bytes).error?.hint?.contains("compressed") == true)
    }

    @Test(arguments: ["a log of no packets\r\n", "halo-capture 2\r\n< uart 03 00 00 00 03\r\n"])
    func knowsOtherEncodings(_ text: String) {
        for (mark, isLittle) in [(true, true), (true, false), (false, true), (false, false)] {
            let bytes = ((mark ? "\u{FEFF}" : "") + text).utf16.flatMap { unit in
                let pair = [UInt8(unit & 0xFF), UInt8(unit >> 8)]
                return isLittle ? pair : pair.reversed()
            }
            #expect(ContainersSink(bytes).error?.kind == .wrongEncoding)
        }
    }

    @Test func errorsReadAsOneSentence() {
        let error = TrafficError(.truncated, at: 16, missing: 98)
        #expect(
            error.description == "at byte 16: the file ends in the middle: 98 bytes are missing.")
        #expect(
            TrafficError(.unknownVersion, at: 8, found: 2, hint: "it is 1").description
                == "at byte 8: this version is not known here: found 2; it is 1.")
    }
}
