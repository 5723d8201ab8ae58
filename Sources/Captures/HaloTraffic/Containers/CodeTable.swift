/// The symbols of a prefix code by the next bits of a stream.
///
/// Codes up to the width are looked up. Longer ones are rare, and found bit by bit.
struct CodeTable: Sendable {
    /// `true` if all sequences of bits have a meaning in the code that was made last.
    private(set) var isComplete = false

    private let width: Int
    private var symbols: ContiguousArray<Symbol>
    /// The symbols with codes longer than the width or not, in the order of codes.
    private var sorted = ContiguousArray<Symbol>(repeating: .unknown, count: 288)
    private var counts = ContiguousArray<Int>(repeating: 0, count: 16)
    private var starts = ContiguousArray<Int>(repeating: 0, count: 16)

    private static let longest = 15

    init(width: Int) {
        self.width = width
        symbols = ContiguousArray(repeating: .unknown, count: 1 << width)
    }

    /// The symbol whose code is in the lowest bits. With fewer valid bits than the symbol's
    /// length, the symbol means nothing.
    @inline(__always)
    func find(_ bits: UInt64) -> Symbol {
        let symbol = symbols[Int(truncatingIfNeeded: bits) & (symbols.count &- 1)]
        return symbol == .long ? findLong(bits) : symbol
    }

    @inline(never)
    private func findLong(_ bits: UInt64) -> Symbol {
        var code = 0
        var first = 0
        var index = 0
        for length in 1...Self.longest {
            code |= Int(bits >> UInt64(length - 1) & 1)
            if code - first < counts[length] { return sorted[index + code - first] }
            index += counts[length]
            first = (first + counts[length]) << 1
            code <<= 1
        }
        return .unknown
    }

    /// Makes the canonical code of at most 288 lengths in a range, each at most 15; 0 for no code.
    ///
    /// Returns `false` if two symbols have the same bits, or if bits have no meaning; DEFLATE
    /// allows that for no symbol, and for one of one bit.
    @discardableResult mutating func make(
        _ lengths: ContiguousArray<UInt8>, _ range: Range<Int>, _ symbol: (Int) -> Symbol
    ) -> Bool {
        let lengths = lengths[range]
        for length in 0...Self.longest { counts[length] = 0 }
        for length in lengths { counts[Int(length)] += 1 }
        counts[0] = 0
        var free = 1
        var total = 0
        for length in 1...Self.longest {
            free = free << 1 - counts[length]
            if free < 0 { return false }
            starts[length] = total
            total += counts[length]
        }
        isComplete = free == 0
        guard isComplete || total == 0 || total == 1 && counts[1] == 1 else { return false }
        for index in symbols.indices { symbols[index] = isComplete ? .long : .unknown }
        for (number, length) in lengths.enumerated() where length > 0 {
            sorted[starts[Int(length)]] = symbol(number).coded(Int(length))
            starts[Int(length)] += 1
        }
        fillTable()
        return true
    }

    /// Writes each short code to all places that begin with it.
    private mutating func fillTable() {
        var code = 0
        var index = 0
        for length in 1...width {
            for _ in 0..<counts[length] {
                var place = Self.reversed(code, length)
                while place < symbols.count {
                    symbols[place] = sorted[index]
                    place += 1 << length
                }
                index += 1
                code += 1
            }
            code <<= 1
        }
    }

    /// The code in the order of a stream, which begins with the highest bit.
    private static func reversed(_ code: Int, _ length: Int) -> Int {
        Int(UInt32(code).bitReversed >> UInt32(32 - length))
    }
}

extension UInt32 {
    fileprivate var bitReversed: UInt32 {
        var word = byteSwapped
        word = word >> 4 & 0x0F0F_0F0F | (word & 0x0F0F_0F0F) << 4
        word = word >> 2 & 0x3333_3333 | (word & 0x3333_3333) << 2
        return word >> 1 & 0x5555_5555 | (word & 0x5555_5555) << 1
    }
}
