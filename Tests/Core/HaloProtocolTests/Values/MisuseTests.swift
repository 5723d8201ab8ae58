import TestSupport
import Testing

@testable import HaloProtocol

/// Invalid calls of programs are refused or ignored, and do not trap.
@Suite(.computes) struct MisuseTests {
    /// A packet whose decoder reads invalid widths.
    struct Greedy: BytePacket {
        static var name: PacketName { PacketName("Greedy") }

        init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            var taken: UInt64 = 0
            for width in [Int.min, -1, 0, 9, .max] { taken |= io.next(width) }
            let none = try io.inlineBytes("none", packet.map { _ in [1] }, .open, count: -1)
            let byte = try io.uint8("byte", packet.map { _ in 7 }, .open)
            for width in [1, 2, 8] { taken |= io.next(width) }
            #expect(taken == 0)
            #expect(none.isEmpty || packet != nil)
            #expect(byte == 7)
        }
    }

    /// A packet of one integer of any width.
    struct Wide: BytePacket {
        @TaskLocal static var width = 1
        static var name: PacketName { PacketName("Wide") }

        init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            _ = try io.integer(
                "wide", packet.map { _ in 7 }, width: Self.width, isBigEndian: false, role: .value,
                secrecy: .open, unit: .none)
        }
    }

    @Test func readsNothingBeyondTheEnd() throws {
        #expect(try Greedy(decoding: [7]).bytes == [7])
    }

    @Test func writesOfAnImpossibleWidthAreCut() {
        var writer = ByteWriter()
        for width in [Int.min, -1, 0, 9, .max] { writer.put(7, width: width) }
        #expect(writer.bytes == [7, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0])
        var frame = FrameWriter(opcode: 1)
        for width in [Int.min, -1, 0, 9, .max] { frame.put(7, width: width) }
        #expect(frame.frame.bytes.count == 16)
        var full = FrameWriter(opcode: 1)
        for width in [8, 7, 1] { full.put(7, width: width) }
        #expect(full.frame.bytes == [1, 7, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 15])
    }

    @Test func copiesOfBytesStayInTheArray() {
        for (count, start) in (0...16).flatMap({ count in (-1...20).map { (count, $0) } }) {
            let bytes = InlineBytes(prefix: (0..<count).map { UInt8($0 + 1) })
            var (copy, expected) = ([UInt8](repeating: 0, count: 18), [UInt8]())
            bytes.copy(into: &copy, at: start)
            for index in 0..<18 { expected.append(start < 0 ? 0 : bytes[index - start]) }
            #expect(copy == expected, "\(count) bytes at \(start)")
        }
    }

    @Test(arguments: [Int.min, -1, 0, 9, .max])
    func refusesIntegersOfAnImpossibleWidth(width: Int) {
        let error = #expect(throws: PacketError.self) {
            try Wide.$width.withValue(width) { try Wide(decoding: Array(0...20) as [UInt8]) }
        }
        #expect(error?.kind == .truncated)
        #expect(error?.field == "wide")
    }

    @Test(arguments: [Int.min, -1, 0, 3, .max])
    func acceptsAnyLimitOfBytes(limit: Int) {
        let bytes = try? InlineBytes([1, 2, 3], limit: limit)
        #expect((bytes != nil) == (limit >= 3))
        let none = try? InlineBytes([], limit: limit)
        #expect(none == InlineBytes())
    }

    @Test func readsASequenceOnce() throws {
        var rest: [UInt8] = [1, 2, 3]
        let once = AnyIterator { rest.isEmpty ? nil : rest.removeFirst() }
        #expect(try InlineBytes(IteratorSequence(once), limit: 3) == [1, 2, 3])
    }

    @Test(arguments: [Int.min, -1, 0, 1 << 20, .max])
    func reassemblesWithAnyLimits(limit: Int) throws {
        var reassembler = BigDataReassembler(
            maximumPayloadLength: limit, maximumEventCount: limit)
        let frame = try BigDataFrame(id: 1, payload: [])
        reassembler.receive(Array(Battery.Request().frame.bytes) + frame.bytes + frame.bytes)
        #expect(reassembler.nextEvent() == .uart(Battery.Request().frame))
        #expect(0...BigDataFrame.maximumPayloadLength ~= reassembler.maximumPayloadLength)
    }

    /// A duration has more bits than a moment, and than its own components.
    @Test func durationsBeyondAMomentSaturate() {
        let (longest, shortest) = (
            Duration.seconds(Int64.max) * 10, Duration.seconds(Int64.min) * 10
        )
        #expect(Moment.origin + longest == .distantFuture)
        #expect(Moment.origin - shortest == .distantFuture)
        #expect((Moment.origin + shortest).microseconds == .min)
        #expect((Moment.origin + .milliseconds(-1)).microseconds == -1000)
    }

    @Test func recordsChangesOutOfReach() {
        var recorder = FieldRecorder(change: FieldRecorder.Change(offset: .max, bits: 1))
        let value = recorder.integer(
            "far", at: .max - 1, width: 1, isBigEndian: false, role: .value, secrecy: .open,
            unit: .none, value: 5)
        #expect(value == 5)
        let bytes = recorder.bytes(
            "far", at: .max, role: .value, secrecy: .open, unit: .none, value: [5])
        #expect(bytes == [4])
    }
}
