import HaloProtocol
import HaloTesting
import TestSupport
import Testing

/// Mistakes in codecs, each found by the verifier.
@Suite(.passesTime) struct BrokenPacketTests {
    @Test func passesAnHonestPacket() {
        #expect(violation(in: FrameForm(Honest.self)) == nil)
        #expect(violation(in: ByteForm(HonestBytes.self)) == nil)
    }

    @Test func findsAValueThatIsNotWritten() {
        #expect(violation(in: FrameForm(Forgetful.self))?.contains("encodes as") == true)
    }

    @Test func findsBytesReadWithoutAName() {
        #expect(violation(in: ByteForm(Skipping.self))?.contains("begins at") == true)
    }

    @Test func findsStoredInput() {
        #expect(violation(in: ByteForm(Hoarding.self))?.contains("told that byte") == true)
    }

    @Test func findsAnErrorOfAnotherPacket() {
        #expect(violation(in: FrameForm(Misnaming.self))?.contains("names another") == true)
    }

    @Test func findsADecoderThatLooksWhetherItIsWatched() {
        #expect(violation(in: ByteForm(Shy.self))?.contains("watched") == true)
    }

    /// The first byte of a header decides what follows: another one is refused, and not ignored.
    @Test(arguments: [UInt8(0xF0), 0xFF], [UInt8(1), 0x0F, 0xFF])
    func kindsAreNotIgnored(kind: UInt8, bits: UInt8) throws {
        let change = FieldRecorder.Change(offset: 1, bits: bits)
        for (form, opcode) in [
            (FrameForm(ActivityLogPart.self), ActivityLog.opcode),
            (FrameForm(OldSleep.Part.self), OldSleep.opcode),
        ] {
            let frame = PacketVerifier.frame(opcode: opcode, [kind, 1, 1])
            try PacketVerifier.verify(form, frame, change: change)
        }
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
            let change = FieldRecorder.Change(
                offset: bytes.integer(in: 0...1), bits: bytes.byte())
            try PacketVerifier.verify(form, bytes.bytes(length), change: change)
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

/// A packet of bytes.
protocol TestBytes: BytePacket {}

extension TestBytes {
    static var name: PacketName { PacketName("Test") }
}

private struct Honest: TestPacket {
    let value: UInt16
    let unclaimed: InlineBytes

    init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        value = try io.uint16("value", packet?.value, .open)
        unclaimed = try io.unclaimed(packet?.unclaimed)
    }
}

private struct Forgetful: TestPacket {
    let value: UInt16

    init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        value = try io.uint16("value", packet?.value, .open)
        _ = try io.unclaimed(nil)
    }
}

private struct Misnaming: TestPacket {
    init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        throw PacketError(.missing, packet: PacketName("Another"), field: "value", at: io.offset)
    }
}

private struct HonestBytes: TestBytes {
    let values: [UInt8]

    init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        values = try io.byteArray("values", packet?.values, .open)
    }
}

private struct Skipping: TestBytes {
    let value: UInt8?
    let rest: [UInt8]

    init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        let isThere = io.goesOn(packet.map { $0.value != nil })
        value = isThere ? packet?.value ?? UInt8(truncatingIfNeeded: io.next(1)) : nil
        if let packet, isThere { _ = try io.uint8("value", packet.value, .open) }
        rest = try io.unclaimed(packet?.rest)
    }
}

private struct Hoarding: TestBytes {
    let stored: UInt8
    let rest: [UInt8]

    init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        stored = io.upcoming(packet?.stored)
        _ = try io.uint8("value", packet?.stored, .open)
        rest = try io.unclaimed(packet?.rest)
    }
}

private struct Shy: TestBytes {
    let values: [UInt8]

    init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        let read = try io.byteArray("values", packet?.values, .open)
        values = IO.isWatching ? read : []
    }
}
