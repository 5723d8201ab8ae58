import HaloCapture
import HaloProtocol
import TestSupport
import Testing

@testable import HaloTraffic

/// Times of packets in pcapng files, and numbers in bytes.
@Suite(.computes) struct ContainersTimeTests {
    /// An interface description with a time resolution, and an offset in seconds.
    private static func interface(
        _ unit: UInt8?, offset: Int64? = nil
    ) throws -> PcapNGInterface {
        var body: [UInt8] = [201, 0, 0, 0, 0x34, 0x12, 0, 0]
        if let unit { body += [9, 0, 1, 0, unit, 0, 0, 0] }
        if let offset {
            body += [14, 0, 8, 0]
            let bits = UInt64(bitPattern: offset)
            for place in 0..<8 { body.append(UInt8(truncatingIfNeeded: bits >> UInt64(place * 8))) }
        }
        return try PcapNGInterface(ContiguousArray(body).span, .little, at: 0)
    }

    /// Decimal fractions of a second.
    @Test(
        arguments: [
            (6, 1_234_567, 1_234_567), (9, 1_999, 1), (9, 999, 0),
            (9, 2_000, 2), (0, 5, 5_000_000), (1, 5, 500_000), (3, 5, 5_000), (5, 5, 50),
            (7, 59, 5), (7, 60, 6), (8, 199, 1), (10, 19_999, 1), (12, 3_999_999, 3),
            (0x7F, UInt64.max, 0), (24, UInt64.max, 18), (25, UInt64.max, 1), (26, UInt64.max, 0),
            (0, 9_223_372_036_854, 9_223_372_036_854_000_000), (0, UInt64.max, Int64.max),
            (0, 18_446_744_073_709, Int64.max), (0, 18_446_744_073_710, Int64.max),
            (6, UInt64.max, Int64.max),
        ] as [(UInt8, UInt64, Int64)])
    func timesHaveTheirUnit(unit: UInt8, time: UInt64, microseconds: Int64) throws {
        let interface = try Self.interface(unit)
        #expect(interface.microseconds(time) == microseconds)
    }

    @Test(
        arguments: [
            (0, 7, 7), (1, 7, 1_000_007), (-1, 7, -999_993), (-1, 1_000_000, 0),
            (Int64.max, 0, Int64.max), (Int64.min, 0, Int64.min),
            (9_223_372_036_854, 775_806, 9_223_372_036_854_775_806),
            (9_223_372_036_854, 775_807, Int64.max), (9_223_372_036_854, 775_808, Int64.max),
            (9_223_372_036_854, 0, 9_223_372_036_854_000_000), (9_223_372_036_855, 0, Int64.max),
            (-9_223_372_036_854, 0, -9_223_372_036_854_000_000),
            (-9_223_372_036_855, UInt64.max, Int64.min),
        ] as [(Int64, UInt64, Int64)])
    func secondsAreAdded(offset: Int64, time: UInt64, microseconds: Int64) throws {
        let interface = try Self.interface(nil, offset: offset)
        #expect(interface.microseconds(time) == microseconds)
    }

    @Test func aShortBlockIsNoInterface() throws {
        for count in 0..<8 {
            let body = ContiguousArray<UInt8>(repeating: 0, count: count)
            let error = #expect(throws: TrafficError.self) {
                try PcapNGInterface(body.span, .little, at: 40)
            }
            #expect(error?.kind == .wrongLength && error?.offset == 40 && error?.found == count)
        }
    }

    // MARK: Numbers

    private static let bytes = ContiguousArray<UInt8>([1, 2, 3, 4, 5, 6, 7])

    /// A number beyond the end of the bytes is `nil`.
    @Test(arguments: -1...8)
    func numbersAreWhereBytesAre(offset: Int) {
        func number(_ count: Int) -> UInt64? {
            guard offset >= 0, offset + count <= 7 else { return nil }
            return (0..<count).reduce(UInt64(0)) { $0 | UInt64(offset + $1 + 1) << UInt64($1 * 8) }
        }
        let bytes = Self.bytes
        let span = bytes.span
        let one = span.byte(at: offset).map { UInt64($0) }
        let two = span.littleEndian16(at: offset).map { UInt64($0) }
        let four = span.littleEndian32(at: offset).map { UInt64($0) }
        let six = span.littleEndian48(at: offset)
        #expect([one, two, four, six] == [number(1), number(2), number(4), number(6)])
    }

    @Test func numbersAreInEitherOrder() {
        let bytes = ContiguousArray<UInt8>(0...8)
        let span = bytes.span
        let short = [span.uint16(at: 1, .big), span.uint16(at: 1, .little)]
        let middle = [span.uint32(at: 1, .big), span.uint32(at: 1, .little)]
        let long = [span.uint64(at: 1, .big), span.uint64(at: 1, .little)]
        let length = span.length(at: 1, .big)
        #expect(short == [0x0102, 0x0201] && middle == [0x0102_0304, 0x0403_0201])
        #expect(long == [0x0102_0304_0506_0708, 0x0807_0605_0403_0201])
        #expect(length == 0x0102_0304)
    }

    @Test func wordsAreWhereTheyAre() {
        let bytes = ContiguousArray("abcab".utf8)
        let span = bytes.span
        let there = [
            span.has("abcab"), span.has(""), span.has("", at: 5), span.has("ab", at: 3),
        ]
        let notThere = [
            span.has("abcabx"), span.has("b"), span.has("ac"), span.has("abc", at: 3),
            span.has("", at: 6), span.has("ab", at: -1), span.has("b", at: 5),
            span.has("ax", at: 3),
        ]
        #expect(there == [true, true, true, true] && !notThere.contains(true))
    }
}
