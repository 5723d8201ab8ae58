/// CRC-16/MODBUS, the checksum of big-data frames: polynomial 0x8005 reflected, initially 0xFFFF.
///
/// The check value of the nine characters "123456789" is 0x4B37. It is computed without a table:
/// this polynomial is sparse enough for shifts, which are faster and need no memory.
@frozen
public struct CRC16: Hashable, Sendable {
    /// The remainder after the bytes so far, 0xFFFF before the first.
    @usableFromInline package internal(set) var value: UInt16

    @usableFromInline package init() {
        value = 0xFFFF
    }

    /// Returns the checksum of the given bytes.
    public static func checksum(of bytes: Span<UInt8>) -> UInt16 {
        var crc = CRC16()
        crc.update(bytes)
        return crc.value
    }

    @usableFromInline package mutating func update(_ byte: UInt8) {
        let low = UInt16(byte) ^ value & 0xFF
        value = value &>> 8 ^ low &<< 6 ^ low &<< 7 ^ Self.correction(low.nonzeroBitCount)
    }

    @usableFromInline package mutating func update(_ bytes: Span<UInt8>) {
        let end = bytes.count & ~(WordRemainder.length &- 1)
        if end > 0 {
            var remainder = WordRemainder(bytes.word(at: 0) ^ UInt64(value))
            var offset = WordRemainder.length
            while offset < end {
                remainder.update(bytes.word(at: offset))
                offset &+= WordRemainder.length
            }
            let short = remainder.short
            value = short ^ Self.correction((remainder.sum ^ UInt64(short)).nonzeroBitCount)
        }
        for index in end..<bytes.count {
            update(bytes[index])
        }
    }

    /// Returns the reflected trinomial if `bitCount` is odd, else 0.
    private static func correction(_ bitCount: Int) -> UInt16 {
        bitCount & 1 == 0 ? 0 : 0xC001
    }

    static func checksum(of bytes: [UInt8]) -> UInt16 {
        unsafe bytes.withUnsafeBufferPointer { unsafe checksum(of: $0.span) }
    }
}

/// A remainder of 64 bits that is updated a word at a time.
///
/// The polynomial x¹⁶ + x¹⁵ + x² + 1 is (x + 1)(x¹⁵ + x + 1). A remainder modulo x + 1 is the
/// parity of all bits, for which ``sum`` is enough. The first bit is stored lowest. Modulo the
/// trinomial, a bit is congruent to the two bits 14 and 15 places higher. Squared once, twice and
/// three times, the trinomial gives 28 and 30, 56 and 60, 112 and 120 places. A few shifts
/// therefore move a whole word of bits to the place of the next word.
private struct WordRemainder {
    static let length = 8

    /// A word that is congruent to all words so far modulo the trinomial.
    private var word: UInt64
    /// The exclusive or of all words so far; it has the same parity as their remainder.
    private(set) var sum: UInt64

    init(_ first: UInt64) {
        word = first
        sum = first
    }

    /// Shifts the remainder by a word, and adds the next word.
    mutating func update(_ next: UInt64) {
        let low = word & 0xFF
        let rest = word ^ low
        word = next ^ low &<< 48 ^ low &<< 56 ^ rest &>> 8 ^ rest &>> 4
        sum ^= next
    }

    /// The remainder in the sixteen bits that follow the last word.
    var short: UInt16 {
        var rest = word
        rest = rest &>> 20 ^ (rest & 0xF_FFFF) &<< 36 ^ (rest & 0xF_FFFF) &<< 40
        rest = rest &>> 28 ^ (rest & 0xFFF_FFFF) ^ (rest & 0xFFF_FFFF) &<< 2
        rest = rest &>> 14 ^ (rest & 0x3FFF) ^ (rest & 0x3FFF) &<< 1
        rest = rest &>> 2 ^ (rest & 3) &<< 12 ^ (rest & 3) &<< 13
        return UInt16(truncatingIfNeeded: rest)
    }
}

extension Span<UInt8> {
    /// Loads eight bytes, little endian; all of them must exist.
    @inline(__always)
    fileprivate func word(at offset: Int) -> UInt64 {
        unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
    }
}
