import HaloProtocol
import HaloTesting
import TestSupport
import Testing

/// Readers return the same bytes in reads of any width.
@Suite(.computes) struct FieldReaderTests {
    @Test func bytesAreReadInAnyWidth() {
        var chance = FuzzBytes(seed: 1, count: 1_000)
        for length in 0...20 {
            let bytes = ContiguousArray(chance.bytes(length))
            for start in 0...length {
                for width in -1...9 {
                    var reader = ByteReader(bytes.span, sink: IgnoringSink())
                    for _ in 0..<start { _ = reader.next(1) }
                    let isThere = 1...8 ~= width && start + width <= length
                    let expected = isThere ? Self.number(bytes[start..<start + width]) : 0
                    #expect(reader.next(width) == expected, "\(start) \(width) of \(length)")
                    #expect(reader.offset == start + (isThere ? width : 0))
                }
            }
        }
    }

    @Test func framesAreReadInAnyWidth() throws {
        for seed in 0..<20 as Range<UInt64> {
            var chance = FuzzBytes(seed: seed, count: 20)
            let payload = chance.bytes(14)
            let frame = try Frame(opcode: 1, payload: InlineBytes(prefix: payload))
            for start in 0...14 {
                for width in 1...8 where start + width <= 14 {
                    var reader = FrameReader(frame, sink: IgnoringSink())
                    for _ in 0..<start { _ = reader.next(1) }
                    #expect(reader.next(width) == Self.number(payload[start..<start + width]))
                }
            }
        }
    }

    /// Unclaimed bytes are the same with and without an observing sink, from every offset.
    @Test func theRestOfAFrameIsKeptWithoutItsPadding() throws {
        for seed in 0..<50 as Range<UInt64> {
            var chance = FuzzBytes(seed: seed, count: 40)
            let known = chance.integer(in: 0...14)
            let payload = chance.bytes(known) + [UInt8](repeating: 0, count: 14 - known)
            let frame = try Frame(opcode: 1, payload: InlineBytes(prefix: payload))
            for start in 0...14 {
                var reader = FrameReader(frame, sink: IgnoringSink())
                var watched = FrameReader(frame, sink: EchoingSink())
                for _ in 0..<start {
                    _ = reader.next(1)
                    _ = watched.next(1)
                }
                var expected = Array(payload[start...])
                while expected.last == 0 { expected.removeLast() }
                let rest = try reader.unclaimed(nil)
                #expect(Array(rest) == expected, "from \(start)")
                #expect(rest == InlineBytes(prefix: expected))
                #expect(try watched.unclaimed(nil) == rest)
                #expect(reader.remaining == 0 && watched.remaining == 0)
            }
        }
    }

    private static func number(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}

/// A sink that observes, and returns the values unchanged.
private struct EchoingSink: FieldSink {
    static var isWatching: Bool { true }

    func integer(
        _ name: FieldName, at offset: Int, width: Int, isBigEndian: Bool,
        role: FieldRole, secrecy: FieldSecrecy, unit: FieldUnit, value: UInt64
    ) -> UInt64 { value }

    func bytes(
        _ name: FieldName, at offset: Int, role: FieldRole, secrecy: FieldSecrecy,
        unit: FieldUnit, value: [UInt8]
    ) -> [UInt8] { value }

    func means(_ meaning: () -> String) {}
    func enter(_ name: FieldName, _ index: Int) {}
    func leave() {}
}
