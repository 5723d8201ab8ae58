import HaloCapture
import TestSupport
import Testing

@testable import HaloProtocol

/// Every error that a decoder can throw is in a fixture.
@Suite(.computes) struct FixtureErrorTests {
    /// An error: packet, field and kind.
    private struct Complaint: Hashable {
        let packet: String
        let field: FieldName
        let kind: PacketError.Kind

        init(_ error: PacketError) {
            packet = error.packet.description
            field = error.field
            kind = error.kind
        }
    }

    /// Bytes with a special meaning: markers, ends of ranges, invalid digits.
    private static let candidates: [UInt8] = [
        0x00, 0x01, 0x03, 0x05, 0x0D, 0x20, 0x60, 0x7F, 0x80, 0xA5, 0xFF,
    ]
    /// The number of bytes that are varied in a packet.
    private static let places = 24
    /// Packets that are recognised by their possible errors.
    private static let recognised = ["BigDataNoData"]

    @Test func everyComplaintOccursInAFixture() {
        let packets = (FixtureChangeTests.files + FixtureFile.all(in: "Invalid"))
            .flatMap(FixturePacket.all)
        var shown: Set<Complaint> = []
        var possible: [Complaint: (packet: String, error: String)] = [:]
        var seen: Set<String> = []
        for packet in packets {
            guard let subject = FixtureSubject(packet) else { continue }
            if let error = Self.error(subject, subject.body) { shown.insert(Complaint(error)) }
            let beginning = "\(subject.name) \(subject.body.prefix(4))"
            guard seen.insert(beginning).inserted,
                !Self.recognised.contains(subject.name.description)
            else { continue }
            // The first byte selects the packet of a family, so none refuses it.
            let first = subject.isFrame || Self.isFamily(packet.channel) ? 1 : 0
            for bytes in Self.variations(of: subject, from: first) {
                guard let error = Self.error(subject, bytes) else { continue }
                let way = packet.direction == .toDevice ? ">" : "<"
                let example = "\(way) \(packet.channel) \(HexText.bytes(bytes, separator: " "))"
                possible[Complaint(error)] = (example, "\(error)")
            }
        }
        for (complaint, example) in possible where !shown.contains(complaint) {
            let subject = complaint.packet.prefix { $0 != "." }
            Issue.record(
                """
                No fixture has this error. Add Fixtures/Invalid/\(subject).halo:
                # source: made by hand

                # means: \(complaint.packet), \(complaint.field)
                \(example.packet)
                ! \(example.error)
                """)
        }
        #expect(!shown.isEmpty)
    }

    private static func isFamily(_ channel: CaptureChannel) -> Bool {
        if case .family = channel { true } else { false }
    }

    /// Missing and surplus bytes are errors at every cut of every fixture.
    private static func error(_ subject: FixtureSubject, _ bytes: [UInt8]) -> PacketError? {
        var recorder = FieldRecorder()
        do throws(PacketError) {
            _ = try subject.record(bytes, &recorder)
            return nil
        } catch {
            return error.kind == .truncated || error.kind == .trailingBytes ? nil : error
        }
    }

    private static func variations(
        of subject: FixtureSubject, from first: Int
    ) -> [[UInt8]] {
        let last = subject.isFrame ? Frame.length - 1 : subject.body.count
        return (first..<max(min(last, places), first)).flatMap { place in
            candidates.map { byte in
                var bytes = subject.body
                bytes[place] = byte
                if subject.isFrame { bytes[Frame.length - 1] = bytes.dropLast().reduce(0, &+) }
                return bytes
            }
        }
    }
}
