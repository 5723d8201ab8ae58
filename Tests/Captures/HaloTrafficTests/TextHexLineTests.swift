import HaloCapture
import HaloProtocol
import HaloTesting
import TestSupport
import Testing

@testable import HaloTraffic

@Suite(.computes) struct TextHexLineTests {
    /// A line of a log, and its record.
    struct Case: CustomTestStringConvertible {
        let line: String
        let value: String
        var microseconds: Int64 = 0

        var testDescription: String { line.debugDescription }
    }

    static let request = "03 00 00 00 00 00 00 00 00 00 00 00 00 00 00 03"
    static let reply = "03 52 00 00 00 00 00 00 00 00 00 00 00 00 00 55"
    static let out = "> uart \(request)"
    static let back = "< uart \(reply)"
    static let notified = "< uart notified \(reply)"
    static let packed = "03520000000000000000000000000055"
    static let python =
        #"bytearray(b'\x03R\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00U')"#
    static let dashes = "03-52-00-00-00-00-00-00-00-00-00-00-00-00-00-55"
    static let write = "6e400002-b5a3-f393-e0a9-e50e24dcca9e"
    static let notify = "6E400003-B5A3-F393-E0A9-E50E24DCCA9E"
    /// 2025-12-11 22:54:15.123 in UTC.
    static let moment: Int64 = 1_765_493_655_123_000
    /// The time of day of `moment`, in microseconds.
    static let timeOfDay: Int64 = 82_455_123_000

    static let directions: [Case] =
        ["> ", ">> ", "-> ", "--> ", "\u{2192} ", "TX: ", "TX ", "tx>", "Send ", "Sent: "].map {
            Case(line: $0 + request, value: out)
        }
        + ["write: ", "Writing ", "Wrote ", "OUT: ", "app -> ring: ", "phone -> "].map {
            Case(line: $0 + request, value: out)
        }
        + ["< ", "<< ", "<- ", "<-- ", "\u{2190} ", "RX: ", "RX ", "recv ", "Received: "].map {
            Case(line: $0 + reply, value: back)
        }
        + ["IN: ", "ring -> app: ", "read: "].map { Case(line: $0 + reply, value: back) }
        + [
            ("notify: ", notified), ("Notification ", notified),
            ("indicate ", "< uart indicated \(reply)"),
            ("Read Response received from ", "< uart read \(reply)"),
        ].map { Case(line: $0 + reply, value: $1) }
        + [
            Case(line: "Writing command to ring: \(request)", value: "> uart command \(request)"),
            Case(line: "Writing request to ring: \(request)", value: "> uart write \(request)"),
            Case(line: "Sending command: \(request)", value: out),
        ]

    static let forms: [Case] =
        [
            packed, "0x" + packed, dashes, python, reply.lowercased(),
            "03:52:00:00:00:00:00:00:00:00:00:00:00:00:00:55",
            "[3, 82, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 85]",
            "[03, 52, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00, 55]",
            "{0x03,0x52,0,0,0,0,0,0,0,0,0,0,0,0,0,0x55}", "<03520000 00000000 00000000 00000055>",
            "[" + reply + "]", "0352 0000 0000 0000 0000 0000 0000 0055.", "(0x) " + dashes,
            "len=16 " + reply, "(16 bytes): " + packed + " .R.............U",
            #"b"\x03R\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00U""#,
            "0x3 0x52" + String(repeating: " 0x0", count: 13) + " 0x55",
        ].map { Case(line: "rx " + $0, value: back) }

    static let times: [Case] =
        [
            "2025-12-11 22:54:15.123", "[2025-12-11 22:54:15.123]", "2025-12-11T22:54:15.123Z",
            "2025-12-12T06:54:15.123+08:00", "2025-12-11T18:54:15,123-0400",
            "1765493655.123", "1765493655123", "1765493655123000",
        ].map { Case(line: "\($0) rx \(packed)", value: back, microseconds: moment) }
        + ["22:54:15.123", "[22:54:15.123]", "I\t22:54:15.123\t", "12-11 22:54:15.123  1234 D"].map
    {
        Case(line: "\($0) rx \(packed)", value: back, microseconds: timeOfDay)
    }
        + [
            Case(line: "12.345 rx \(packed)", value: back, microseconds: 12_345_000),
            Case(
                line: #"{"ts": 1765493655.123, "dir": "rx", "hex": "\#(packed)"}"#, value: back,
                microseconds: moment),
        ]

    static let programs: [Case] = [
        Case(
            line: "2026-09-06T02:16:07.480-04:00 rx v1.notify 78070100000000000000000000000080",
            value: "< uart notified 78 07 01 00 00 00 00 00 00 00 00 00 00 00 00 80",
            microseconds: 1_788_675_367_480_000),
        Case(
            line: "2026-09-06T02:17:23.462-04:00 tx v2.cmd bc430500a67507665c9c6a",
            value: "> bigdata BC 43 05 00 A6 75 07 66 5C 9C 6A",
            microseconds: 1_788_675_443_462_000),
        Case(line: "colmi_r02_client.client: Received packet \(python)", value: back),
        Case(
            line: #"colmi_r02_client.client: Sending packet: bytearray(b'i\x01\x00\x00\x00"#
                + #"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00j')"#,
            value: "> uart 69 01 00 00 00 00 00 00 00 00 00 00 00 00 00 6A"),
        Case(line: "[TX] (\(write)): 03 00 01", value: "> uart 03 00 01"),
        Case(line: "\(notify): \(python)", value: back),
        Case(
            line: "notification from Heart Rate Measurement: 00 48",
            value: "< 2A37 notified 00 48"),
        Case(
            line: "D/Kable: Writing 0300 to characteristic \(write)", value: "> uart 03 00"),
        Case(
            line: "[2026-05-28T20:10:04] [E3:60:59:21:80:65] ==> BT_ATT_OP_WRITE_REQ  Handle: 0035 "
                + "Value: aa080000 (Battery Level Request)",
            value: "> 0x0035 write AA 08 00 00", microseconds: 1_779_999_004_000_000),
        Case(
            line: "[E3:60:59:21:80:65] <== BT_ATT_OP_HANDLE_VAL_NOT Handle: 0035 "
                + "Value: aa0864 (Battery Level: 100%)",
            value: "< 0x0035 notified AA 08 64"),
        Case(line: "[31:38:42:35:AA:BB] write \(write) 03 00 01", value: "> uart 03 00 01"),
        Case(
            line: "RX conn_handle=0x0040 attr_handle=0x0012 data=03 52 00",
            value: "< 0x0012 03 52 00"),
        Case(
            line: "RX Handle Value Notification, handle: 0x0012: 03 52 00",
            value: "< 0x0012 notified 03 52 00"),
        Case(line: "rx value: 31:38:42:35:AA:BB", value: "< unnamed 31 38 42 35 AA BB"),
        Case(line: ">>> 01:03:00", value: "> unnamed 01 03 00"),
        Case(line: "TX 01 02", value: "> unnamed 01 02"),
        Case(
            line: "Write to RX characteristic de5bf72a-d711-4e47-af26-65e3012a5dc7: [-68, 39]",
            value: "> bigdata BC 27"),
    ]

    @Test(arguments: directions + forms + times + programs)
    func readsALine(_ line: Case) {
        for end in ["\n", "\r\n"] {
            let sink = TextSink.read(Array((line.line + end).utf8), HexLineParser())
            #expect(sink.values == [line.value])
            #expect(sink.records.first?.microseconds == line.microseconds)
            #expect(sink.error == nil)
        }
    }

    @Test(arguments: [
        "", "hello", "# rx \(reply)", "RX buffer is 512 bytes", "Sent 16 bytes", "notify: (null)",
        "Writing to 31:38:42:35:AA:BB", "Received packet with command: 67",
        #"rx bytearray(b'\...\x00\x00\x8c')"#, "\(reply)", "rx [3, 82, 256]", "rx [-129, 3]",
    ])
    func refusesOtherLines(_ line: String) {
        let sink = TextSink.read(Array((line + "\n").utf8), HexLineParser())
        #expect(sink.values == [])
        #expect(sink.error?.kind == .unknownFormat)
    }

    @Test func aLineCarriesItsDirectionToTheNext() {
        let text = "Received packet with command: 3\nFull packet: \(Self.packed)\n\(Self.packed)\n"
        let sink = TextSink.read(Array(text.utf8), HexLineParser())
        #expect(sink.values == [Self.back])
        #expect(sink.notes == [.unknownLine])
    }

    @Test func followsLongFrames() {
        let text = """
            rx bc 42 14 00 bd 69 01 02 03 04
            rx bc 01 02 03 04 05 06 07 08 09
            rx 0a 0b 0c 0d 0e 0f
            rx 0a 0b 0c 0d 0e 0f 10
            """ + "\n"
        let sink = TextSink.read(Array(text.utf8), HexLineParser())
        #expect(
            sink.values.map { $0.prefix(9) }
                == ["< bigdata", "< bigdata", "< bigdata", "< unnamed"])
        #expect(sink.notes == [])
    }

    @Test(arguments: ["rx 03 52 00 \u{2026}", "rx 03 52 00 ...", "Received: 0352000000000000…"])
    func notesValuesThatWereCut(_ line: String) {
        let text = "rx \(Self.packed)\n\(line)\n"
        let sink = TextSink.read(Array(text.utf8), HexLineParser())
        #expect(sink.values == [Self.back])
        #expect(sink.notes == [.cutByRecorder])
    }

    /// The time for a line grows with its length only.
    @Test(
        arguments: Thoroughness.part(
            ["00 ", "00:", "C0:A1:62:1B:93:45 ", "handle=0x0012 ", "0x", "[", "<"], every: 3))
    func longLinesAreRead(part: String) {
        let line = "rx " + String(repeating: part, count: TextLines.longestLine / part.utf8.count)
        let text = line.prefix(65_000) + "\n"
        _ = TextSink.read(Array(text.utf8), HexLineParser())
        _ = TrafficFormat.detect(ContiguousArray(text.utf8).span)
    }

    @Test func theOptionsNameWhatTheLogDoesNot() {
        let unnamed: [Direction: BluetoothUUID] = [
            .toDevice: BluetoothUUID(0x2A39), .fromDevice: BluetoothUUID(0x2A37),
        ]
        let text = "TX 01\nRX 00 48\nrx \(Self.packed)\nrx \(Self.notify) 03 00\n"
        let sink = TextSink.read(Array(text.utf8), HexLineParser(unnamed: unnamed))
        #expect(
            sink.values == [
                "> 2A39 01", "< 2A37 00 48", "< 2A37 \(Self.reply)", "< uart 03 00",
            ])
    }

    /// A long beginning without packets hides no log.
    @Test func looksBeyondTheBeginning() throws {
        let preamble = String(repeating: "the ring support is being started\n", count: 3_000)
        let text = ContiguousArray((preamble + "rx \(Self.packed)\n").utf8)
        #expect(text.count > 100_000)
        #expect(TrafficFormat.detect(text.span) == .hexLines)
        let report = try ImportPasses.survey(Array(text), pieces: 1_000)
        #expect(report.format == .hexLines)
        #expect(report.recordCount == 1)
    }

    @Test func readsWideText() {
        for isLittle in [true, false] {
            let text = "\u{FEFF}rx \(Self.packed) \u{2713}\r\n\(Self.out)\r\n"
            let file = text.utf16.flatMap { unit in
                let high = UInt8(unit >> 8)
                let low = UInt8(unit & 0xFF)
                return isLittle ? [low, high] : [high, low]
            }
            for length in [1, 3, 4096] {
                let sink = TextSink.read(file, HexLineParser(), inPiecesOf: length)
                #expect(sink.values == [Self.back, Self.out])
            }
            #expect(TrafficFormat.detect(ContiguousArray(file).span) == .hexLines)
        }
    }

    @Test func refusesBytesOfZero() {
        let sink = TextSink.read(Array("rx \(Self.packed)\nrx 0\0 1\n".utf8), HexLineParser())
        #expect(sink.values == [Self.back])
        #expect(sink.error?.kind == .wrongEncoding)
        #expect(sink.error?.offset == 40)
    }

    @Test func dayBeginsAtMidnight() {
        let text = "23:59:59.5 rx \(Self.packed)\n00:00:00.5 rx \(Self.packed)\n"
        let sink = TextSink.read(Array(text.utf8), HexLineParser())
        #expect(sink.records.map(\.microseconds) == [86_399_500_000, 86_400_500_000])
    }
}
