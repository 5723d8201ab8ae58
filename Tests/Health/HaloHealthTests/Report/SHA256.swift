/// The digest that a page's policy has of its style.
enum SHA256 {
    private static let primes: [UInt64] = (2...311).filter { number in
        (2..<number).allSatisfy { $0 * $0 > number || number % $0 != 0 }
    }

    /// The first 32 bits of the fraction of a root.
    private static func fraction(_ root: Double) -> UInt32 {
        UInt32((root - root.rounded(.down)) * 4_294_967_296)
    }

    static func digest(_ message: [UInt8]) -> [UInt8] {
        // Cube roots are found by Newton's method: there is no Foundation.
        func cubeRoot(_ value: Double) -> Double {
            (0..<60).reduce(value / 3) { root, _ in
                root - (root * root * root - value) / (3 * root * root)
            }
        }
        let keys = primes.prefix(64).map { fraction(cubeRoot(Double($0))) }
        var state = primes.prefix(8).map { fraction(Double($0).squareRoot()) }
        var bytes = message + [0x80]
        while bytes.count % 64 != 56 { bytes.append(0) }
        let length = UInt64(message.count) * 8
        bytes += (0..<8).map { UInt8(truncatingIfNeeded: length >> (56 - 8 * $0)) }
        func turned(_ word: UInt32, _ count: UInt32) -> UInt32 {
            word >> count | word << (32 - count)
        }
        for block in stride(from: 0, to: bytes.count, by: 64) {
            var words = (0..<16).map { index in
                bytes[(block + index * 4)..<(block + index * 4 + 4)]
                    .reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            }
            for index in 16..<64 {
                let (early, late) = (words[index - 15], words[index - 2])
                let first = turned(early, 7) ^ turned(early, 18) ^ early >> 3
                let second = turned(late, 17) ^ turned(late, 19) ^ late >> 10
                words.append(words[index - 16] &+ first &+ words[index - 7] &+ second)
            }
            var s = state
            for index in 0..<64 {
                let choice = s[4] & s[5] ^ ~s[4] & s[6]
                let majority = s[0] & s[1] ^ s[0] & s[2] ^ s[1] & s[2]
                let one =
                    s[7] &+ (turned(s[4], 6) ^ turned(s[4], 11) ^ turned(s[4], 25))
                    &+ choice &+ keys[index] &+ words[index]
                let two = (turned(s[0], 2) ^ turned(s[0], 13) ^ turned(s[0], 22)) &+ majority
                s = [one &+ two, s[0], s[1], s[2], s[3] &+ one, s[4], s[5], s[6]]
            }
            state = zip(state, s).map { $0 &+ $1 }
        }
        return state.flatMap { word in
            (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) }
        }
    }

    static func base64(_ message: [UInt8]) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        let bytes = digest(message)
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let part = bytes[start..<min(start + 3, bytes.count)]
            let bits =
                part.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << (8 * UInt32(3 - part.count))
            for index in 0..<4 {
                text.append(
                    index <= part.count ? letters[Int(bits >> (18 - 6 * UInt32(index)) & 63)] : "=")
            }
        }
        return text
    }
}
