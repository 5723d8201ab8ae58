internal import HaloProtocol

/// A number that stands for everything that happened in a run, in order.
struct TraceDigest: Hashable, Sendable {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Takes in a number.
    mutating func add(_ number: UInt64) {
        var mixed = (value ^ number) &* 0x9E37_79B9_7F4A_7C15
        mixed ^= mixed >> 29
        value = mixed &* 0xBF58_476D_1CE4_E5B9 ^ mixed >> 32
    }

    /// Takes in when something happened, and what kind of thing.
    mutating func add(_ moment: Moment, _ mark: Mark) {
        add(UInt64(bitPattern: moment.microseconds) &* 16 &+ mark.rawValue)
    }

    /// Takes in bytes, eight at a time.
    mutating func add(_ bytes: [UInt8]) {
        var word: UInt64 = UInt64(truncatingIfNeeded: bytes.count)
        for (index, byte) in bytes.enumerated() {
            word = word << 8 | UInt64(byte)
            if index & 7 == 7 {
                add(word)
                word = 0
            }
        }
        add(word)
    }

    /// What can happen.
    enum Mark: UInt64 {
        case step, written, delivered, finished, event, stream, link, violation
    }
}
