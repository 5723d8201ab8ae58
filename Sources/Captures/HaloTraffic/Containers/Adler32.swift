/// The checksum Adler-32 of zlib: the sum of the bytes, and the sum of these sums.
struct Adler32: Sendable {
    private var low: UInt32 = 1
    private var high: UInt32 = 0

    private static let modulus: UInt32 = 65521
    /// The number of bytes after which the sums still fit in 32 bits.
    private static let stride = 5552

    var value: UInt32 { high << 16 | low }

    mutating func update(_ bytes: Span<UInt8>) {
        var index = 0
        while index < bytes.count {
            let end = min(index + Self.stride, bytes.count)
            while index < end {
                low &+= UInt32(bytes[index])
                high &+= low
                index += 1
            }
            low %= Self.modulus
            high %= Self.modulus
        }
    }
}
