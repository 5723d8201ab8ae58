import CaptureSupport
import HaloCapture
import HaloProtocol
import TestSupport
import Testing

@testable import HaloTraffic

@Suite(.computes) struct TextBtmonTests {
    /// Handmade packets, printed by `btmon` 5.66.
    static let all = (try? text("btmon-packets.txt")) ?? ""

    /// The last part of the text: events.
    static var reports: Substring {
        let start = all.firstRange(of: "> HCI Event: Encryption Change")?.lowerBound
        return start.map { all[$0...].prefix(2000) } ?? ""
    }

    static func bytes(_ name: String) throws -> [UInt8] {
        try FixtureFolder("Captures").bytes(name)
    }

    static func text(_ name: String) throws -> String {
        String(decoding: try bytes("Text/\(name)"), as: UTF8.self)
    }

    /// The record that a text parser makes of a monitor's record.
    private static func record(_ kind: RecordKind, _ bytes: [UInt8]) -> TextSink.Record? {
        guard case .monitor(let opcode, let adapter) = kind else { return nil }
        let kinds: [UInt16: (HCIPacketType, HCIDirection)] = [
            3: (.event, .toHost), 4: (.acl, .toController), 5: (.acl, .toHost),
        ]
        guard let (type, direction) = kinds[opcode] else { return nil }
        return TextSink.Record(
            kind: .hci(type, direction, adapter: adapter), bytes: bytes, microseconds: 0)
    }

    /// The output of one version differs from that of another, for the same packets.
    @Test(arguments: ["", "-5.50", "-5.82", "-5.86", "-5.87"])
    func makesPacketsAgainToTheByte(version: String) throws {
        let file = try Self.bytes("Text/btmon-packets.btsnoop")
        let expected = TextSink.read(file, RecordFileParser<BTSnoopFormat>()).records.compactMap {
            Self.record($0.kind, $0.bytes)
        }
        let sink = TextSink.read(
            try Self.bytes("Text/btmon-packets\(version).txt"), BtmonTextParser())
        #expect(expected.count > 60)
        #expect(sink.records.count == expected.count)
        for (found, expected) in zip(sink.records, expected) {
            #expect(found.kind == expected.kind)
            #expect(
                HexText.bytes(found.bytes, separator: " ")
                    == HexText.bytes(expected.bytes, separator: " "))
        }
        #expect(sink.notes == [])
        #expect(sink.records.first?.microseconds == (version == "" ? 1500 : 123_456))
    }

    /// Both sides of a link, as text and as a binary file.
    @Test(arguments: ["btmon-monitor.txt", "btmon-monitor-5.87.txt"])
    func agreesWithTheBinaryRecording(name: String) throws {
        let binary = TextLinkSink.read(try Self.bytes("Containers/monitor.btsnoop"))
        let text = TextLinkSink.read(try Self.bytes("Text/\(name)"))
        #expect(text.packets == binary.packets)
        #expect(text.packets.count > 60)
    }

    private static let notification = """
        > ACL Data RX: Handle 64 flags 0x02 dlen 10  #2 [hci0] 0.126456
              ATT: Handle Value Notification (0x1b) len 5
                Handle: 0x0022
                  Data: 010203

        """
    private static let packet: [UInt8] = [
        0x40, 0x20, 10, 0, 6, 0, 4, 0, 0x1B, 0x22, 0, 1, 2, 3,
    ]

    private func read(_ text: String) -> TextSink {
        TextSink.read(Array(text.utf8), BtmonTextParser())
    }

    @Test(arguments: [
        ("Data: 010203", "Data[3]: 010203"), ("0x0022", "0x0022 Type: Nordic UART RX (6e40…)"),
        ("\n", "\r\n"), ("> ACL", "\u{1B}[0;35m> ACL\u{1B}[0m"), ("ACL Data RX", "ACL"),
        ("Handle 64 flags", "Handle 64 [1/8] flags"),
        ("ACL Data RX", "LE-ACL"), ("ACL Data RX: Handle 64", "BR-ACL: Handle 64 [1/8]"),
        ("ACL Data RX: Handle 64", "LE-ACL: Handle 64 [C0:A1:62:1B:93:45] [1/10]"),
        ("ACL Data RX: Handle 64", "LE-ACL: Handle 64 [C0:A1:62:1B:93.."),
        ("Data: 010203", "Data[3]:\n        01 02 03                         ..."),
        ("> ACL", "bluetoothd[42]: > ACL"),
        ("Handle: 0", "\u{1B}[0m\u{1B}[0mHandle: 0"), ("010203", "010203  \n        00"),
    ])
    func readsVariants(_ old: String, _ new: String) {
        let parts = Self.notification.split(separator: old, omittingEmptySubsequences: false)
        #expect(parts.count > 1)
        let sink = read(parts.joined(separator: new))
        #expect(sink.records.map(\.bytes) == [Self.packet])
        #expect(sink.records.first?.microseconds == 126_456)
        #expect(sink.notes == [])
    }

    /// An adapter's record has sixteen bytes, for any length of its name.
    @Test(arguments: ["hci1", "h", "hci12345"])
    func anAdapterHasANameOfEightBytes(_ name: String) {
        let sink = read(
            "= New Index: 00:AA:01:02:00:03 (Primary,Virtual,\(name))  [hci1] 0.000001\n\n")
        let address: [UInt8] = [0x03, 0x00, 0x02, 0x01, 0xAA, 0x00]
        let bytes = Array(name.utf8) + [UInt8](repeating: 0, count: 8 - name.utf8.count)
        #expect(sink.records.map(\.kind) == [.monitor(opcode: 0, adapter: 1)])
        #expect(sink.records.map(\.bytes) == [[0, 0] + address + bytes])
    }

    @Test(arguments: [
        ("0.126456", 126_456), ("2015-12-10 11:32:26.478877", 1_449_747_146_478_877),
        ("11:32:26.478877", 41_546_478_877), ("86400.000001", 86_400_000_001),
    ])
    func readsTimes(_ time: String, _ microseconds: Int64) {
        let parts = Self.notification.split(separator: "0.126456", omittingEmptySubsequences: false)
        #expect(read(parts.joined(separator: time)).records.first?.microseconds == microseconds)
    }

    @Test func handleThatWasCutIsTheLast() {
        let cut =
            "> ACL Data RX: Handl.. flags 0x02 dlen 10  #26 [hci0] 2026-11-20 07:40:41.586632\n"
        let beneath = Self.notification.drop { $0 != "\n" }.dropFirst()
        let unknown = read(cut + beneath)
        #expect(unknown.records.map(\.bytes) == [[0xFF, 0x2F] + Self.packet.dropFirst(2)])
        #expect(unknown.notes == [])
        let sink = read(Self.notification + cut + beneath)
        #expect(sink.records.map(\.bytes) == [Self.packet, Self.packet])
    }

    @Test func notesCutPackets() {
        let short = Self.notification.split(separator: "03", omittingEmptySubsequences: false)
        #expect(read(short.joined()).notes == [.cutByRecorder])
        #expect(read(Self.notification + "hello\n").notes == [.unknownLine])
        #expect(read("> NEW-ACL: Handle 64 flags 0x02 dlen 10\n").notes == [.unknownLine])
        #expect(read("> SCO Data RX: Handle 64 flags 0x02 dlen 10\n").notes == [])
        #expect(read(Self.notification + "@ MGMT Event: x\n= Note: y\n\n").notes == [])
        let open = read(String(Self.notification.dropLast()))
        #expect(open.records.isEmpty)
        #expect(open.notes == [.cutByRecorder, .unfinishedPacket])
    }

    /// A packet without its value does not take the fields of the next one.
    @Test func packetsBeneathAHeaderAreKeptApart() {
        let cut = Self.notification.replacing("len 5", with: "len 4")
            .replacing("          Data: 010203\n", with: "")
        let beneath = Self.notification.drop { $0 != "\n" }.dropFirst()
        let sink = read(cut + beneath)
        #expect(sink.records.map(\.bytes) == [Self.packet])
        #expect(sink.notes == [.cutByRecorder])
    }

    /// Attributes on a channel of their own, with and without the length of their unit.
    @Test func channelsOfAttributesAreNotFollowed() {
        let value = """
            > ACL Data RX: Handle 64 flags 0x02 dlen 13  #3 [hci0] 0.126458
                  Channel: 67 len 9 sdu 7 [PSM 39 mode Enhanced Credit (0x81)] {chan 0}
                  ATT: Handle Value Notification (0x1b) len 6
                    Handle: 0x000b
                      Data: 01020304

            """
        let sink = read(value + value.replacing("sdu 7 ", with: ""))
        #expect(sink.records.isEmpty && sink.notes == [.otherBearer, .otherBearer])
    }

    @Test func versionOf2015IsRead() throws {
        let sink = read(try Self.text("btmon-5.35.txt"))
        #expect(sink.records.count == 25)
        #expect(sink.notes == [])
        #expect(sink.records.first?.microseconds == 1_449_747_146_902_957)
    }
}

/// Decodes links down to the packets of the attribute protocol.
struct TextLinkSink: RecordSink {
    private var feed = LinkFeed()

    mutating func receive(_ kind: RecordKind, _ bytes: Span<UInt8>, at position: FilePosition) {
        feed.receive(kind, bytes.withUnsafeBufferPointer { Array($0) })
    }

    mutating func note(_ oddity: TrafficOddity, at position: FilePosition) {
    }

    /// The events without advertisements, which are printed incompletely.
    var packets: [String] {
        feed.lines.filter { !$0.hasPrefix("adv ") && !$0.hasPrefix("scan ") }
    }

    static func read(_ file: [UInt8]) -> TextLinkSink {
        var sink = TextLinkSink()
        if var parser = try? TrafficParser() {
            try? parser.feed(ContiguousArray(file).span, into: &sink)
            try? parser.finish(into: &sink)
        }
        sink.feed.finish()
        return sink
    }
}
