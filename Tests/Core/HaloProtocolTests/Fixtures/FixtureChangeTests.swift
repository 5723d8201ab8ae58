import HaloCapture
import TestSupport
import Testing

@testable import HaloProtocol

/// The packets of the fixtures, cut and changed.
@Suite(.computes) struct FixtureChangeTests {
    static let folders = ["Advertising", "BigData", "Characteristics", "Commands", "LEDStrip"]
    static let files = folders.flatMap(FixtureFile.all)

    /// The bits that are flipped in every byte.
    private static let fewBits: [UInt8] = [0x01, 0x80, 0x55]
    /// The number of bytes that are changed in a long packet.
    private static let mostPlaces = 400
    /// The fields with one valid value.
    private static let constants = ["HeartRateControlPoint.operation"]

    @Test(arguments: files)
    func survivesEveryCut(_ file: FixtureFile) {
        for packet in FixturePacket.all(of: file) {
            switch packet.channel {
            case .uart: cutFrame(packet)
            case .bigData: cutBigData(packet)
            default: break
            }
            guard let subject = FixtureSubject(packet), !subject.isFrame else { continue }
            for length in subject.body.indices {
                let cut = Array(subject.body[..<length])
                var recorder = FieldRecorder()
                guard let encoded = try? subject.record(cut, &recorder) else { continue }
                if encoded == cut || packet.exception != nil { continue }
                Issue.record(
                    "Cut after \(length) bytes it encodes to \(HexText.bytes(encoded))",
                    sourceLocation: packet.location)
            }
        }
    }

    private func cutFrame(_ packet: FixturePacket) {
        for length in 0...Frame.length + 1 where length != Frame.length {
            let cut = (packet.bytes + [0]).prefix(length)
            #expect(
                throws: FrameError(.wrongLength, at: 0, expected: Frame.length, found: length),
                sourceLocation: packet.location
            ) { try Frame(decoding: cut) }
        }
    }

    private func cutBigData(_ packet: FixturePacket) {
        for length in packet.bytes.indices {
            let error = #expect(throws: FrameError.self, sourceLocation: packet.location) {
                try BigDataFrame(decoding: packet.bytes[..<length])
            }
            #expect(error?.kind == .wrongLength, sourceLocation: packet.location)
            #expect(error?.found == length, sourceLocation: packet.location)
        }
    }

    @Test(arguments: files)
    func encodesAChangedValueInItsOwnPlace(_ file: FixtureFile) {
        for packet in FixturePacket.all(of: file) where packet.exception == nil {
            guard let subject = FixtureSubject(packet), let fields = subject.soundFields else {
                continue
            }
            let step = max(subject.body.count / Self.mostPlaces, 1)
            for field in fields where field.role == .value || field.role == .unclaimed {
                for place in stride(from: field.offset, to: field.offset + field.length, by: step) {
                    check(packet, subject, field, place)
                }
            }
        }
    }

    private func check(
        _ packet: FixturePacket, _ subject: FixtureSubject, _ field: DecodedField, _ place: Int
    ) {
        var isAccepted = false
        for bits in Self.fewBits + Array(1...255) {
            if isAccepted && !Self.fewBits.contains(bits) { break }
            let change = FieldRecorder.Change(offset: place, bits: bits)
            guard let encoded = subject.encoding(changing: change) else { continue }
            isAccepted = true
            if encoded == subject.expectation(changing: change) { continue }
            Issue.record(
                """
                \(field.name), byte \(place) changed by \(HexText.byte(bits)), encodes to
                \(HexText.bytes(encoded)), not
                \(HexText.bytes(subject.expectation(changing: change)))
                """, sourceLocation: packet.location)
            return
        }
        let isConstant = Self.constants.contains("\(subject.name).\(field.name)")
        if isAccepted == isConstant && field.role == .value {
            let which = isAccepted ? "Another" : "No other"
            Issue.record(
                "\(which) value of \(subject.name).\(field.name), byte \(place), is accepted.",
                sourceLocation: packet.location)
        }
    }
}
