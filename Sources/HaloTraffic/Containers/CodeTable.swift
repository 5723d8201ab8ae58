/// A symbol of a DEFLATE stream with its code, in one number for tables.
///
///     bits 0–3  length of the code · 4–7 number of extra bits · 8–9 kind · 16–31 value
struct Symbol: Hashable, Sendable {
    /// The meaning of a symbol.
    enum Kind: UInt32 {
        /// A byte.
        case literal = 0
        /// A length or a distance: its value is the least one, and the extra bits are added.
        case copy = 1
        /// The end of the block.
        case end = 2
        /// A code without a meaning.
        case unknown = 3
    }

    /// The symbol for the end of a block.
    static let endNumber = 256

    private let word: UInt32

    private init(_ kind: Kind, _ value: Int, extra: Int = 0) {
        word = UInt32(value) << 16 | kind.rawValue << 8 | UInt32(extra) << 4
    }

    private init(word: UInt32) {
        self.word = word
    }

    /// The mark of a code that is longer than the table is wide. No symbol has a code of 0 bits.
    static let long = Symbol(word: 0)
    /// A code without a meaning, of one bit.
    static let unknown = Symbol(.unknown, 0).coded(1)

    @inline(__always) var bitCount: Int { Int(word & 15) }
    @inline(__always) var extraCount: Int { Int(word >> 4 & 15) }
    @inline(__always) var kind: Kind { Kind(rawValue: word >> 8 & 3) ?? .unknown }
    @inline(__always) var value: Int { Int(word >> 16) }

    /// The number in the extra bits, which follow the code.
    @inline(__always)
    func extra(in bits: UInt64) -> Int {
        Int(bits >> UInt64(bitCount) & (1 << UInt64(extraCount) - 1))
    }

    /// The symbol with a code of a length.
    func coded(_ length: Int) -> Symbol { Symbol(word: word | UInt32(length)) }

    /// The symbol of a number in the codes of literals and lengths.
    static func literal(_ number: Int) -> Symbol {
        if number < endNumber { return Symbol(.literal, number) }
        if number == endNumber { return Symbol(.end, 0) }
        if number > 285 { return Symbol(.unknown, 0) }
        // Four lengths for each number of extra bits; the longest one has a symbol of its own.
        if number == 285 { return Symbol(.copy, 258) }
        let index = number - 257
        if index < 8 { return Symbol(.copy, index + 3) }
        let extra = index / 4 - 1
        return Symbol(.copy, 3 + (4 + index % 4) << extra, extra: extra)
    }

    /// The symbol of a number in the codes of distances.
    static func distance(_ number: Int) -> Symbol {
        if number > 29 { return Symbol(.unknown, 0) }
        if number < 4 { return Symbol(.copy, number + 1) }
        // Two distances for each number of extra bits.
        let extra = number / 2 - 1
        return Symbol(.copy, 1 + (2 + number % 2) << extra, extra: extra)
    }

    /// The symbol of a number in the codes of code lengths.
    static func codeLength(_ number: Int) -> Symbol {
        let extra =
            switch number {
            case 16: 2
            case 17: 3
            case 18: 7
            default: 0
            }
        return Symbol(.literal, number, extra: extra)
    }
}

/// The symbols of a prefix code by the next bits of a stream.
///
/// Codes up to the width are looked up. Longer ones are rare, and found bit by bit.
struct CodeTable: Sendable {
    /// The usability of a code.
    enum Result: Hashable, Sendable {
        /// All sequences of bits have a meaning.
        case complete
        /// The code has no symbol, or one of one bit: DEFLATE allows both.
        case almostEmpty
        /// Two symbols have the same bits, or bits have no meaning.
        case wrong

        /// `true` if symbols can be decoded.
        var isUsable: Bool { self != .wrong }
    }

    private let width: Int
    private var symbols: ContiguousArray<Symbol>
    /// The symbols with codes longer than the width or not, in the order of codes.
    private var sorted = ContiguousArray<Symbol>(repeating: .unknown, count: 288)
    /// The number of codes of each length.
    private var counts = ContiguousArray<Int>(repeating: 0, count: 16)
    private var starts = ContiguousArray<Int>(repeating: 0, count: 16)

    private static let longest = 15

    /// Creates an empty table for codes of up to a number of bits.
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
    mutating func make(
        _ lengths: ContiguousArray<UInt8>, _ range: Range<Int>, _ symbol: (Int) -> Symbol
    ) -> Result {
        let lengths = lengths[range]
        for length in 0...Self.longest { counts[length] = 0 }
        for length in lengths { counts[Int(length)] += 1 }
        counts[0] = 0
        var free = 1
        var total = 0
        for length in 1...Self.longest {
            free = free << 1 - counts[length]
            if free < 0 { return .wrong }
            starts[length] = total
            total += counts[length]
        }
        let isAlmostEmpty = total == 0 || total == 1 && counts[1] == 1
        guard free == 0 || isAlmostEmpty else { return .wrong }
        for index in symbols.indices { symbols[index] = free == 0 ? .long : .unknown }
        for (number, length) in lengths.enumerated() where length > 0 {
            sorted[starts[Int(length)]] = symbol(number).coded(Int(length))
            starts[Int(length)] += 1
        }
        fillTable()
        return free == 0 ? .complete : .almostEmpty
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
    /// The number with its bits in reverse order.
    fileprivate var bitReversed: UInt32 {
        var word = byteSwapped
        word = word >> 4 & 0x0F0F_0F0F | (word & 0x0F0F_0F0F) << 4
        word = word >> 2 & 0x3333_3333 | (word & 0x3333_3333) << 2
        return word >> 1 & 0x5555_5555 | (word & 0x5555_5555) << 1
    }
}
