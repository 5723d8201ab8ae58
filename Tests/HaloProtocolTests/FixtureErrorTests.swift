import HaloCapture
import Testing

@testable import HaloProtocol

/// Whatever a decoder can complain about stands in a fixture, once at least.
@Suite struct FixtureErrorTests {
    /// A complaint: whose, of which field, and why.
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

    /// Bytes that are special somewhere: markers, ends of ranges, no digits.
    private static let candidates: [UInt8] = [
        0x00, 0x01, 0x03, 0x05, 0x0D, 0x20, 0x60, 0x7F, 0x80, 0xA5, 0xFF,
    ]
    /// How far into a packet bytes are varied.
    private static let places = 24
    /// Packets that are recognised by what they could complain about.
    private static let recognised = ["BigDataNothing"]

    @Test func everyComplaintOccursInAFixture() {
        let packets = (FixtureChangeTests.files + FixtureFile.all(in: "Invalid"))
            .flatMap(FixturePacket.all)
        var shown: Set<Complaint> = []
        var possible: [Complaint: String] = [:]
        var seen: Set<String> = []
        for packet in packets {
            guard let subject = FixtureSubject(packet) else { continue }
            if let complaint = Self.complaint(subject, subject.body) { shown.insert(complaint) }
            let beginning = "\(subject.name) \(subject.body.prefix(4))"
            guard seen.insert(beginning).inserted,
                !Self.recognised.contains(subject.name.description)
            else { continue }
            // The first byte says which LED packet it is, so none complains about it.
            let first = subject.isFrame || packet.channel == .ledStrip ? 1 : 0
            for bytes in Self.variations(of: subject, from: first) {
                guard let complaint = Self.complaint(subject, bytes) else { continue }
                possible[complaint] = "\(packet.channel) \(HexText.bytes(bytes, separator: " "))"
            }
        }
        for (complaint, example) in possible where !shown.contains(complaint) {
            Issue.record(
                """
                Fixtures/Invalid lacks \(complaint.packet), \(complaint.field), \
                kind \(complaint.kind.code): for example \(example)
                """)
        }
        #expect(!shown.isEmpty)
    }

    /// Complaints about what is missing or too much occur at every cut of every fixture.
    private static func complaint(_ subject: FixtureSubject, _ bytes: [UInt8]) -> Complaint? {
        var recorder = FieldRecorder()
        do throws(PacketError) {
            _ = try subject.record(bytes, &recorder)
            return nil
        } catch {
            return error.kind == .truncated || error.kind == .trailingBytes
                ? nil : Complaint(error)
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
