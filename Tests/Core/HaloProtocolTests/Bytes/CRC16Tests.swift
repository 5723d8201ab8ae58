import HaloProtocol
import TestSupport
import Testing

@Suite(.computes) struct CRC16Tests {
    /// The definition of the checksum, one bit at a time.
    private static func bitwise(_ bytes: some Sequence<UInt8>) -> UInt16 {
        var remainder: UInt16 = 0xFFFF
        for byte in bytes {
            remainder ^= UInt16(byte)
            for _ in 0..<8 {
                remainder = (remainder >> 1) ^ (remainder & 1 == 0 ? 0 : 0xA001)
            }
        }
        return remainder
    }

    /// Pseudo-random bytes, the same in every run.
    private static func noise(_ count: Int) -> ContiguousArray<UInt8> {
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        return ContiguousArray(
            (0..<count).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(truncatingIfNeeded: state >> 56)
            })
    }

    @Test func givesTheCheckValueOfTheCatalogue() {
        let digits = ContiguousArray("123456789".utf8)
        #expect(CRC16.checksum(of: digits.span) == 0x4B37)
        #expect(CRC16().value == 0xFFFF)
        #expect(CRC16.checksum(of: ContiguousArray<UInt8>().span) == 0xFFFF)
    }

    @Test func agreesWithTheDefinitionAtEveryLength() {
        let bytes = Self.noise(300)
        for length in 0...bytes.count {
            let checksum = CRC16.checksum(of: bytes.span.extracting(0..<length))
            #expect(checksum == Self.bitwise(bytes.prefix(length)), "\(length) bytes")
        }
    }

    @Test func agreesWithTheDefinitionForEverySingleBit() {
        for bit in 0..<(24 * 8) {
            var bytes = ContiguousArray<UInt8>(repeating: 0, count: 24)
            bytes[bit / 8] = 1 << UInt8(bit % 8)
            #expect(CRC16.checksum(of: bytes.span) == Self.bitwise(bytes), "bit \(bit)")
        }
    }

    @Test func doesNotCareWhereTheBytesAreCut() {
        let bytes = Self.noise(61)
        let whole = CRC16.checksum(of: bytes.span)
        for first in 0...bytes.count {
            for second in first...bytes.count {
                var crc = CRC16()
                crc.update(bytes.span.extracting(0..<first))
                crc.update(bytes.span.extracting(first..<second))
                for byte in bytes[second...] { crc.update(byte) }
                #expect(crc.value == whole, "cut at \(first) and \(second)")
            }
        }
    }

    @Test func loadsWordsFromAnyAddress() {
        let bytes = Self.noise(80)
        for start in 0..<16 {
            let checksum = CRC16.checksum(of: bytes.span.extracting(start..<bytes.count))
            #expect(checksum == Self.bitwise(bytes[start...]), "from byte \(start)")
        }
    }
}
