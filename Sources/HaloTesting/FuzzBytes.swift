import HaloTransport

/// Bytes that decide: numbers, lengths and choices taken from fuzz input, or from a seed.
///
/// The same bytes give the same decisions on every machine. After the last byte come zeros, so
/// every input, also the empty one, is a whole story.
public struct FuzzBytes: Sendable {
    private let bytes: [UInt8]
    private var position = 0

    /// The decisions that the given bytes make.
    public init(_ bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
    }

    /// The decisions that the given bytes make.
    public init(_ bytes: Span<UInt8>) {
        self.bytes = bytes.withUnsafeBufferPointer { Array($0) }
    }

    /// `count` bytes drawn by chance, the same for the same seed: even ones, or mostly zeros, or
    /// mostly the ends of ranges, as real packets are.
    public init(seed: UInt64, count: Int) {
        var chance = SplitMix(seed: seed)
        let ends: [UInt8] = [0, 1, 2, 0x10, 0x18, 0x7F, 0x80, 0xEE, 0xFE, 0xFF]
        let mode = chance.next() % 4
        var drawn: [UInt8] = []
        drawn.reserveCapacity(max(count, 0))
        for _ in 0..<max(count, 0) {
            let number = chance.next()
            let even = UInt8(truncatingIfNeeded: number >> 32)
            let isEven = mode == 0 || number % 4 == 0
            let end = ends[Int(number >> 8 & 0xFFFF) % ends.count]
            drawn.append(isEven ? even : mode == 1 ? 0 : mode == 2 ? end : even & 0x1F)
        }
        bytes = drawn
    }

    /// Every byte, also those that have decided something.
    public var all: [UInt8] { bytes }

    /// How many bytes have not decided anything yet.
    public var remaining: Int { bytes.count - position }

    /// One byte.
    public mutating func byte() -> UInt8 {
        guard position < bytes.count else { return 0 }
        defer { position += 1 }
        return bytes[position]
    }

    /// Yes or no.
    public mutating func flag() -> Bool { byte() & 1 != 0 }

    /// A number of a type, the lowest byte first.
    public mutating func integer<Number: FixedWidthInteger>(
        _ type: Number.Type = Number.self
    ) -> Number {
        var number: UInt64 = 0
        for index in 0..<min(Number.bitWidth / 8, 8) {
            number |= UInt64(byte()) << UInt64(8 * index)
        }
        return Number(truncatingIfNeeded: number)
    }

    /// A number within limits; one byte decides where the limits lie less than 256 apart.
    public mutating func integer<Number: FixedWidthInteger>(
        in range: ClosedRange<Number>
    ) -> Number {
        let lower = Number.Magnitude(truncatingIfNeeded: range.lowerBound)
        let upper = Number.Magnitude(truncatingIfNeeded: range.upperBound)
        let distance = UInt64(truncatingIfNeeded: upper &- lower)
        let drawn: UInt64
        switch distance {
        case ..<0x100: drawn = UInt64(byte())
        case ..<0x1_0000: drawn = UInt64(integer(UInt16.self))
        case ..<0x1_0000_0000: drawn = UInt64(integer(UInt32.self))
        default: drawn = integer(UInt64.self)
        }
        let step = distance == .max ? drawn : drawn % (distance + 1)
        return range.lowerBound &+ Number(truncatingIfNeeded: step)
    }

    /// A length, at most `limit` and no more than there are bytes left.
    public mutating func length(upTo limit: Int) -> Int {
        let drawn = integer(in: 0...max(limit, 0))
        return min(drawn, remaining)
    }

    /// Just `count` bytes: those that are left, then zeros.
    public mutating func bytes(_ count: Int) -> [UInt8] {
        var run: [UInt8] = []
        for _ in 0..<max(count, 0) { run.append(byte()) }
        return run
    }

    /// All bytes that are left, but no more than `limit`.
    public mutating func rest(upTo limit: Int = .max) -> [UInt8] {
        bytes(min(remaining, limit))
    }

    /// One of several; nothing where there is none.
    public mutating func choice<Choices: RandomAccessCollection>(
        of choices: Choices
    ) -> Choices.Element? {
        guard !choices.isEmpty else { return nil }
        let place = integer(in: 0...(choices.count - 1))
        return choices[choices.index(choices.startIndex, offsetBy: place)]
    }

    /// The same elements in another order.
    public mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
        var shuffled = elements
        for place in shuffled.indices.dropFirst().reversed() {
            shuffled.swapAt(place, integer(in: 0...place))
        }
        return shuffled
    }

    /// The bytes cut into pieces of at most `limit` bytes; each cut takes a byte of its own.
    public mutating func pieces(of whole: [UInt8], upTo limit: Int) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        var start = 0
        while start < whole.count {
            let end = start + min(integer(in: 1...max(limit, 1)), whole.count - start)
            pieces.append(Array(whole[start..<end]))
            start = end
        }
        return pieces
    }
}
