struct CRC32: Sendable {
    private var register = ~(0 as UInt32)

    var value: UInt32 { ~register }

    /// Adds bytes, eight at a time.
    mutating func update(_ bytes: Span<UInt8>) {
        let table = Self.table.span
        var register = register
        var index = 0
        while index <= bytes.count - 8 {
            let word = bytes.uint64(at: index, .little) ^ UInt64(register)
            register = 0
            for byte in 0..<8 {
                let value = Int(word >> UInt64(byte * 8) & 0xFF)
                register ^= table[(7 - byte) << 8 | value]
            }
            index += 8
        }
        while index < bytes.count {
            let value = UInt8(truncatingIfNeeded: register) ^ bytes[index]
            register = register >> 8 ^ table[Int(value)]
            index += 1
        }
        self.register = register
    }

    mutating func update(_ byte: UInt8) {
        let index = UInt8(truncatingIfNeeded: register) ^ byte
        register = register >> 8 ^ Self.table[Int(index)]
    }

    /// For each byte the remainder, then the remainders with 1 to 7 zero bytes after it.
    private static let table: ContiguousArray<UInt32> = {
        var table = ContiguousArray<UInt32>(repeating: 0, count: 8 << 8)
        for byte in 0..<256 {
            var remainder = UInt32(byte)
            for _ in 0..<8 {
                remainder = remainder >> 1 ^ (remainder & 1 == 1 ? 0xEDB8_8320 : 0)
            }
            table[byte] = remainder
        }
        for index in 256..<table.count {
            let before = table[index - 256]
            table[index] = before >> 8 ^ table[Int(before & 0xFF)]
        }
        return table
    }()
}
