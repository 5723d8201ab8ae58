/// Many different inputs of one kind, stored one after the other.
struct Inputs {
    let bytes: [UInt8]
    let ranges: [Range<Int>]

    init(_ inputs: [[UInt8]]) {
        var bytes: [UInt8] = []
        var ranges: [Range<Int>] = []
        for input in inputs {
            ranges.append(bytes.count..<bytes.count + input.count)
            bytes += input
        }
        self.bytes = bytes
        self.ranges = ranges
    }

    /// Creates the inputs of a pass one by one, from the same seed in every run.
    init(count: Int = 256, _ make: (inout Noise) -> [UInt8]) {
        var noise = Noise(state: 0x9E37_79B9_7F4A_7C15)
        self.init((0..<count).map { _ in make(&noise) })
    }
}

/// A generator of pseudorandom numbers.
struct Noise: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: next()) }

    mutating func byte(below bound: UInt8) -> UInt8 { .random(in: 0..<bound, using: &self) }

    mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in byte() } }
}
