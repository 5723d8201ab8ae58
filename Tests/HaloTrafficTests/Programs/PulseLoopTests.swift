import HaloCapture
import HaloProtocol
import HaloTesting
import Testing

@testable import HaloTraffic

/// The JSON of the app PulseLoop.
@Suite struct PulseLoopTests {
    private static let reply = "03520000000000000000000000000055"
    private static let request = "03000000000000000000000000000003"

    private static let text = """
        {"device": {"name": "R12 \\"x\\" {}"}, "rawPackets": [
          {"at": "2026-07-05T14:54:53.752Z", "direction": "INCOMING", "hex": "\(reply)",
           "decoded": {"kind": "battery", "level": 82}, "n": [1, {"at": "x"}]},
          {"hex": "7301··0000", "at": "2026-07-05T14:54:53.500Z", "direction": "INCOMING"},
          {"at": "2026-07-05T14:54:53.101Z", "direction": "OUTGOING", "hex": "\(request)"},
          {"at": "2026-07-05T14:54:53.000Z", "direction": "SIDEWAYS", "hex": "0102"},
          {"at": "2026-07-05T14:54:53.000Z", "direction": "OUTGOING", "hex": "0102"}]}
        """

    private static let values = [
        "> unnamed 01 02", "> uart 03 00 00 00 00 00 00 00 00 00 00 00 00 00 00 03",
        "< uart 03 52 00 00 00 00 00 00 00 00 00 00 00 00 00 55",
    ]
    private static let base: Int64 = 1_783_263_293_000_000

    @Test(arguments: [1, 13, 1 << 16])
    func packetsComeInTheOrderOfTheirTimes(length: Int) {
        let text = Array(Self.text.utf8)
        #expect(TrafficFormat.detect(ContiguousArray(text).span) == .pulseLoop)
        let sink = TextSink.read(text, PulseLoopParser(), inPiecesOf: length)
        #expect(sink.values == Self.values)
        #expect(
            sink.records.map(\.microseconds) == [
                Self.base, Self.base + 101_000, Self.base + 752_000,
            ])
        #expect(sink.notes == [.cutByRecorder])
        #expect(sink.error == nil)
    }

    /// The newest of the packets of one time comes first in the file.
    @Test func packetsOfOneTimeKeepTheirOrder() {
        let texts = ["0103", "0102", "0101"].map {
            #"{"at": "2026-07-05T14:54:53Z", "direction": "OUTGOING", "hex": "\#($0)"}"#
        }
        let text = "[" + texts.joined(separator: ",") + "]"
        let sink = TextSink.read(Array(text.utf8), PulseLoopParser())
        #expect(sink.values == ["> unnamed 01 01", "> unnamed 01 02", "> unnamed 01 03"])
    }

    /// The members of an object inside a packet are not the packet's, however deep.
    @Test(arguments: [0, 1, 31, 40])
    func aNestedObjectEndsNoPacket(depth: Int) {
        let open = String(repeating: #"{"hex": "0102", "x": "#, count: depth)
        let inner = open + "1" + String(repeating: "}", count: depth)
        let text = """
            [{"direction": "INCOMING", "hex": "\(Self.reply)", "decoded": \(inner),
              "at": "2026-07-05T14:54:53Z"}]
            """
        let sink = TextSink.read(Array(text.utf8), PulseLoopParser())
        #expect(sink.values == ["< uart 03 52 00 00 00 00 00 00 00 00 00 00 00 00 00 55"])
    }

    @Test func theOptionsNameTheCharacteristic() {
        let names = LogNames(unnamed: [.toDevice: BluetoothUUID(0xFFE1)])
        let sink = TextSink.read(Array(Self.text.utf8), PulseLoopParser(names))
        #expect(sink.values.prefix(2).allSatisfy { $0.hasPrefix("> FFE1 ") })
        #expect(sink.values.last?.hasPrefix("< uart ") == true)
    }

    @Test func anythingIsSurvived() {
        let text = Array(Self.text.utf8)
        for count in 0..<text.count {
            _ = TextSink.read(Array(text.prefix(count)), PulseLoopParser())
        }
        var choice = FuzzBytes(seed: 11, count: 4_000)
        for _ in 0..<300 {
            var damaged = text
            for _ in 0..<5 {
                damaged[Int(choice.integer(UInt16.self)) % text.count] = choice.byte()
            }
            _ = TextSink.read(damaged, PulseLoopParser())
        }
        #expect(TextSink.read(Array("{}".utf8), PulseLoopParser()).error?.kind == .unknownFormat)
    }
}
