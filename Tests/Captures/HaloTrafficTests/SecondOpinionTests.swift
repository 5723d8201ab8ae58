import CaptureSupport
import HaloCapture
import HaloProtocol
import HaloTesting
import TestSupport
import Testing

@testable import HaloTraffic

/// The importer and tshark find the same packets in other programs' files.
/// `Fixtures/Captures/README.md` describes how tshark's output was made.
@Suite(.computes) struct SecondOpinionTests {
    /// The frames in which tshark and the importer differ, with the reasons.
    private static let exceptions: [String: Set<Int>] = [
        // tshark joins no fragments of a connection whose beginning it has not seen.
        "lamp-272.pcapng": [21, 35, 46, 54, 62, 70, 78, 89, 96, 104, 112],
        // Packets that were heard twice; tshark tells both.
        "lesc-256.pcapng": [60], "pairing-251.pcap": [133], "pairing-256.pcap": [133],
        "strip-repeated.pcapng": [2, 9, 13, 24, 30, 42, 45, 51, 54, 56, 57, 58],
    ]

    private static let files: [String] = FixtureFolder("Captures/Traffic").names
        .filter { $0.hasSuffix(".att") }.map { String($0.dropLast(4)) }

    @Test func thereAreFiles() {
        #expect(Self.files.count >= 26)
    }

    @Test(arguments: files) func eachAttributePacketIsFound(_ name: String) throws {
        let folder = FixtureFolder("Captures/Traffic")
        let opinion = try folder.text("\(name).att").split(separator: "\n").compactMap(
            AttributePacket.init)
        let exceptions = Self.exceptions[name] ?? []
        let found = try OpinionReader.packets(in: folder.bytes(name))
        let ours = found.filter { !exceptions.contains($0.frame) }
        let theirs = opinion.filter { !exceptions.contains($0.frame) }
        #expect(exceptions.count == abs(found.count - opinion.count))
        #expect(ours.map(\.frame) == theirs.map(\.frame))
        for (mine, other) in zip(ours, theirs) where mine.frame == other.frame {
            #expect(mine.opcode == other.opcode, "frame \(mine.frame)")
            guard mine.hasValue else { continue }
            #expect(mine.handle == other.handle, "frame \(mine.frame)")
            // Of what it knows the meaning of, tshark tells that instead of the value.
            guard !other.value.isEmpty else { continue }
            #expect(mine.value == other.value, "frame \(mine.frame)")
        }
    }
}

/// A packet of the attribute protocol, with the compared parts.
private struct AttributePacket: Equatable {
    let frame: Int
    let opcode: UInt8
    var handle: UInt16?
    var value: [UInt8] = []

    /// Parses a line of tshark: frame, opcode, handles and values, separated by tabs.
    init?(_ line: Substring) {
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
        guard fields.count == 4, let frame = Int(fields[0]),
            let opcode = UInt8(fields[1].dropFirst(2), radix: 16)
        else { return nil }
        self.frame = frame
        self.opcode = opcode
        handle = fields[2].split(separator: ",").first.flatMap {
            UInt16($0.dropFirst(2), radix: 16)
        }
        value = (try? HexText.parse(String(fields[3]))) ?? []
    }

    init(_ packet: Span<UInt8>, frame: Int) {
        self.frame = frame
        let bytes = packet.withUnsafeBufferPointer { Array($0) }
        opcode = bytes.first ?? 0
        guard hasValue, bytes.count >= 3 else { return }
        handle = UInt16(bytes[1]) | UInt16(bytes[2]) << 8
        value = Array(bytes.dropFirst(3))
    }

    /// `true` for one handle with a value: a write or a notification.
    var hasValue: Bool {
        switch ATTOpcode(rawValue: opcode) {
        case .writeRequest, .writeCommand, .notification, .indication: true
        default: false
        }
    }
}

/// Reads a file of any format, down to the packets of the attribute protocol.
private struct OpinionReader: RecordSink {
    private var decoder = TrafficDecoder<PacketProbe, Found>(Found())

    private struct Found: ConversationSink {
        var packets: [AttributePacket] = []

        mutating func receive(
            _ event: ConversationEvent, _ value: Span<UInt8>, on connection: Int,
            at position: FilePosition
        ) {
            guard case .value = event else { return }
            packets.append(AttributePacket(value, frame: position.number))
        }
    }

    static func packets(in bytes: [UInt8]) throws -> [AttributePacket] {
        var reader = OpinionReader()
        var parser = try TrafficParser()
        try parser.feed(ContiguousArray(bytes).span, into: &reader)
        try parser.finish(into: &reader)
        reader.decoder.finish()
        return reader.decoder.sink.packets.sorted { $0.frame < $1.frame }
    }

    mutating func receive(_ kind: RecordKind, _ bytes: Span<UInt8>, at position: FilePosition) {
        decoder.receive(kind, bytes, at: position)
    }

    mutating func note(_ oddity: TrafficOddity, at position: FilePosition) {}
}
