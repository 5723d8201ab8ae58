/// A symbol of a DEFLATE stream with its code, in one number for tables.
///
///     bits 0–3  length of the code · 4–7 number of extra bits · 8–9 kind · 16–31 value
struct Symbol: Hashable, Sendable {
    enum Kind: UInt32 {
        case literal = 0
        /// A length or a distance: its value is the least one, and the extra bits are added.
        case copy = 1
        case end = 2
        case unknown = 3
    }

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

    static func distance(_ number: Int) -> Symbol {
        if number > 29 { return Symbol(.unknown, 0) }
        if number < 4 { return Symbol(.copy, number + 1) }
        // Two distances for each number of extra bits.
        let extra = number / 2 - 1
        return Symbol(.copy, 1 + (2 + number % 2) << extra, extra: extra)
    }

    static func codeLength(_ number: Int) -> Symbol {
        let extra = number < 16 ? 0 : number == 16 ? 2 : number == 17 ? 3 : 7
        return Symbol(.literal, number, extra: extra)
    }
}
