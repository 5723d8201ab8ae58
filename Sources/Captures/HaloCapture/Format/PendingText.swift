import HaloProtocol

/// The text of a writer that was not drained yet. Its memory is kept for further text.
struct PendingText: Sendable {
    /// The text, and room behind it.
    private var bytes: [UInt8] = []
    private(set) var count = 0

    mutating func drain() -> [UInt8] {
        bytes.removeSubrange(count...)
        defer { self = PendingText() }
        return bytes
    }

    mutating func drain<Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        let length = count
        count = 0
        try bytes.withUnsafeBufferPointer { (buffer) throws(Failure) in
            try body(buffer.span.extracting(first: length))
        }
    }

    mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { part in append(atMost: part.count) { $0.put(part) } }
    }

    /// Appends what `body` puts into room for at most `length` bytes, which is made once for all of
    /// them.
    @inline(__always)
    mutating func append(atMost length: Int, _ body: (inout Room) -> Void) {
        if bytes.count - count < length { grow(by: length) }
        let start = count
        bytes.withUnsafeMutableBufferPointer { buffer in
            var room = Room(UnsafeMutableBufferPointer(rebasing: buffer[start...]))
            body(&room)
            count = start + room.count
        }
    }

    private mutating func grow(by length: Int) {
        let more = max(length, bytes.count, Self.minimumRoom)
        bytes.append(contentsOf: repeatElement(0, count: more))
    }

    private static let minimumRoom = 256
}

extension PendingText {
    /// Room for text, which is filled from its beginning.
    struct Room {
        private let bytes: UnsafeMutableBufferPointer<UInt8>
        private(set) var count = 0

        fileprivate init(_ bytes: UnsafeMutableBufferPointer<UInt8>) { self.bytes = bytes }

        /// The length of the longest number with its point.
        static let numberLength = 21

        /// Returns the memory of more bytes, and counts them.
        @inline(__always)
        private mutating func memory(_ length: Int) -> UnsafeMutableBufferPointer<UInt8> {
            precondition(length <= bytes.count - count)
            let start = count
            count += length
            return UnsafeMutableBufferPointer(rebasing: bytes[start..<count])
        }

        @inline(__always)
        mutating func put(_ byte: UInt8) { memory(1)[0] = byte }

        @inline(__always)
        mutating func put(_ text: UnsafeBufferPointer<UInt8>) {
            _ = memory(text.count).update(fromContentsOf: text)
        }

        /// Puts a space and two hexadecimal digits for each byte, and ends the line.
        @inline(__always)
        mutating func putHexadecimalEnd(_ value: Span<UInt8>) {
            let rest = UnsafeMutableRawBufferPointer(memory(3 * value.count + 1))
            var offset = 0
            for index in value.indices {
                // The fourth byte is the place of the next space, or of the line's end.
                let digits = Self.spaceAndDigits(value[index]).littleEndian
                rest.storeBytes(of: digits, toByteOffset: offset, as: UInt32.self)
                offset += 3
            }
            rest[offset] = UInt8(ascii: "\n")
        }

        /// Returns the text of a space and two hexadecimal digits, and a zero: the first character
        /// is the lowest byte.
        @inline(__always)
        private static func spaceAndDigits(_ byte: UInt8) -> UInt32 {
            let nibbles = UInt32(byte >> 4) << 8 | UInt32(byte & 0xF) << 16
            // 6 more than a nibble has the fifth bit set if the nibble is a letter.
            let letters = (nibbles + 0x06_0600) >> 4 & 0x01_0100
            let toLetter = UInt32(HexText.digit(10) - UInt8(ascii: "0") - 10)
            return nibbles + 0x30_3020 + letters * toLetter
        }

        /// Puts a number whose last digits are decimals, without zeros at their end. A number with
        /// decimals is at least 1.
        @inline(__always)
        mutating func put(_ number: UInt64, decimals: Int) {
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.numberLength) { digits in
                var start = digits.count
                var rest = number
                var place = -decimals
                repeat {
                    let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
                    rest = quotient
                    let isLastZero = place < 0 && digit == 0 && start == digits.count
                    if !isLastZero {
                        start -= 1
                        digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
                    }
                    place += 1
                    if place == 0, start < digits.count {
                        start -= 1
                        digits[start] = UInt8(ascii: ".")
                    }
                } while rest > 0
                put(UnsafeBufferPointer(rebasing: digits[start...]))
            }
        }
    }
}
