import HaloProtocol
import HaloTesting
import Testing

/// Mistakes in codecs, each found by the verifier.
@Suite struct BrokenPacketTests {
    @Test func passesAnHonestPacket() {
        #expect(violation(in: FrameForm(Honest.self)) == nil)
        #expect(violation(in: ByteForm(HonestBytes.self)) == nil)
    }

    @Test func findsAValueThatIsNotWritten() {
        #expect(violation(in: FrameForm(Forgetful.self))?.contains("encodes as") == true)
    }

    @Test func findsBytesReadWithoutAName() {
        #expect(violation(in: FrameForm(Skipping.self))?.contains("ends at") == true)
    }

    @Test func findsStoredInput() {
        #expect(violation(in: FrameForm(Hoarding.self))?.contains("told that byte") == true)
    }

    @Test func findsAnErrorOfAnotherPacket() {
        #expect(violation(in: FrameForm(Misnaming.self))?.contains("names another") == true)
    }

    @Test func findsADecoderThatLooksWhetherItIsWatched() {
        #expect(violation(in: ByteForm(Shy.self))?.contains("watched") == true)
    }

    private func violation(in form: FrameForm) -> String? {
        firstViolation { bytes throws(ContractViolation) in
            let frame = PacketVerifier.frame(opcode: Honest.opcode, bytes.bytes(14))
            let change = FieldRecorder.Change(
                offset: bytes.integer(in: 1...14), bits: bytes.byte())
            try PacketVerifier.verify(form, frame, change: change)
        }
    }

    private func violation(in form: ByteForm) -> String? {
        firstViolation { bytes throws(ContractViolation) in
            let length = bytes.length(upTo: 12)
            try PacketVerifier.verify(form, bytes.bytes(length), change: nil)
        }
    }

    private func firstViolation(
        _ check: (inout FuzzBytes) throws(ContractViolation) -> Void
    ) -> String? {
        for seed in 0..<500 as Range<UInt64> {
            var bytes = FuzzBytes(seed: seed, count: 24)
            do throws(ContractViolation) { try check(&bytes) } catch { return error.description }
        }
        return nil
    }
}

/// A packet of one value and a rest.
protocol TestPacket: FramePacket {}

extension TestPacket {
    static var opcode: UInt8 { 0x7F }
    static var name: PacketName { PacketName("Test") }
}

private struct Honest: TestPacket {
    let value: UInt16
    let unclaimed: InlineBytes

    init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
        value = try reader.uint16("value")
        unclaimed = try reader.unclaimed()
    }

    func encode(into writer: inout FrameWriter) {
        writer.uint16("value", value)
        writer.unclaimed(unclaimed)
    }
}

private struct Forgetful: TestPacket {
    let value: UInt16

    init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
        value = try reader.uint16("value")
        _ = try reader.unclaimed()
    }

    func encode(into writer: inout FrameWriter) {
        writer.uint16("value", value)
    }
}

private struct Skipping: TestPacket {
    let value: UInt64
    let unclaimed: InlineBytes

    init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
        value = reader.next(2)
        unclaimed = try reader.unclaimed()
    }

    func encode(into writer: inout FrameWriter) {
        writer.put(value, width: 2)
        writer.unclaimed(unclaimed)
    }
}

private struct Hoarding: TestPacket {
    let stored: InlineBytes

    init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
        var copy = FrameReader(
            PacketVerifier.frame(opcode: 0, reader.rest), sink: IgnoringSink())
        stored = try copy.unclaimed()
        _ = try reader.uint16("value")
        _ = try reader.unclaimed()
    }

    func encode(into writer: inout FrameWriter) {
        writer.unclaimed(stored)
    }
}

extension FrameReader {
    /// The remaining bytes, which the sink does not see.
    fileprivate var rest: [UInt8] {
        var copy = self
        return (0..<remaining).map { _ in UInt8(truncatingIfNeeded: copy.next(1)) }
    }
}

private struct Misnaming: TestPacket {
    init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
        throw PacketError(
            .missing, packet: PacketName("Another"), field: "value", at: reader.offset)
    }

    func encode(into writer: inout FrameWriter) {}
}

private struct HonestBytes: BytePacket {
    static var name: PacketName { PacketName("Test") }

    let values: [UInt8]

    init<Sink: FieldSink>(from reader: inout ByteReader<Sink>) throws(PacketError) {
        values = try reader.byteArray("values", count: reader.remaining)
    }

    func encode(into writer: inout ByteWriter) {
        writer.byteArray("values", values)
    }
}

private struct Shy: BytePacket {
    static var name: PacketName { PacketName("Test") }

    let values: [UInt8]

    init<Sink: FieldSink>(from reader: inout ByteReader<Sink>) throws(PacketError) {
        let read = try reader.byteArray("values", count: reader.remaining)
        values = Sink.isWatching ? read : []
    }

    func encode(into writer: inout ByteWriter) {
        writer.byteArray("values", values)
    }
}
