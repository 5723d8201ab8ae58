import HaloProtocol
import HaloTransport

/// Names and addresses in place of names and addresses: the same for the same, wherever it stands.
struct SeededIdentities: Sendable {
    private(set) var texts: [[UInt8]: (new: [UInt8], kind: ScrubKind)] = [:]
    /// The first texts that were drawn: those that are looked for elsewhere.
    private(set) var wanted: [[UInt8]] = []
    private(set) var addresses: [UInt64: UInt64] = [:]
    /// By the last two bytes, the lowest address that has them.
    private var addressesByEnding: [UInt64: UInt64] = [:]

    private var noted: [(text: [UInt8], kind: ScrubKind)] = []
    private var isNoted: Set<[UInt8]> = []

    static let addressLength = 6
    /// How many texts, and how many addresses, are looked for elsewhere: a capture of
    /// advertisements may hold any number.
    static let mostWanted = 1000
    /// The two highest bits say which sort of random address one is.
    private static let sortOfAddress: UInt64 = 0xC000_0000_0000

    /// What stands for an address, given as a number of 48 bits; zeros stay.
    mutating func address(_ old: UInt64, _ random: inout SplitMix) -> UInt64 {
        if let known = addresses[old] { return known }
        var new: UInt64 = 0
        for place in 0..<Self.addressLength {
            let shift = UInt64(place * 8)
            guard old >> shift & 0xFF != 0 else { continue }
            new |= UInt64(random.byte()) << shift
        }
        new = new & ~Self.sortOfAddress | old & Self.sortOfAddress
        if new == old { new ^= old & 0xFF == 0 ? 0 : 1 }
        addresses[old] = new
        let ending = old & 0xFFFF
        addressesByEnding[ending] = min(addressesByEnding[ending] ?? old, old)
        return new
    }

    /// Notes a text of the capture: it is drawn when all addresses are known, for names of rings
    /// end with a part of theirs.
    mutating func note(_ text: [UInt8], _ kind: ScrubKind) {
        if isNoted.insert(text).inserted { noted.append((text, kind)) }
    }

    /// Draws what stands for the texts that were noted.
    mutating func drawNoted(_ random: inout SplitMix) {
        for (text, kind) in noted { _ = self.text(text, kind, &random) }
        noted = []
        isNoted = []
    }

    /// What stands for a text: as long, with letters for letters and digits for digits.
    ///
    /// The name of a ring's model stays, for it says which decoders are right; the two bytes of
    /// the address that rings put behind it do not.
    mutating func text(
        _ old: [UInt8], _ kind: ScrubKind, _ random: inout SplitMix
    ) -> [UInt8] {
        if let known = texts[old] { return known.new }
        let start = Self.modelLength(old)
        var new = old
        var tries = 0
        repeat {
            let isLast = tries == Self.mostTries - 1
            let drawn = Self.drawn(Array(old[start...]), all: isLast, &random)
            new.replaceSubrange(start..., with: drawn)
            tries += 1
        } while new == old && start < old.count && tries < Self.mostTries
        if start > 0, start < old.count, let ending = ending(of: old) {
            new.replaceSubrange((start + 1)..., with: ending)
        }
        texts[old] = (new, kind)
        if wanted.count < Self.mostWanted { wanted.append(old) }
        return new
    }

    /// How often a text is drawn that came out as it was, and then with other separators too.
    private static let mostTries = 8

    // MARK: Models

    /// Whether a text is the model of a ring and the end of its address.
    static func isModelWithAddress(_ text: [UInt8]) -> Bool {
        let length = modelLength(text)
        return length > 0 && length < text.count
    }

    /// How many characters a name has before the underscore that begins a part of the address.
    private static func modelLength(_ name: [UInt8]) -> Int {
        let brand = Array("COLMI ".utf8)
        let start = name.starts(with: brand) ? brand.count : 0
        let model = name.dropFirst(start)
        let end = model.firstIndex(of: UInt8(ascii: "_")) ?? model.endIndex
        let letters = Array(model[..<end])
        guard 3...4 ~= letters.count, letters[0] == UInt8(ascii: "R"), isDigit(letters[1]),
            isDigit(letters[2]), letters.count == 3 || isUpper(letters[3])
        else { return 0 }
        if end == name.count { return end }
        let rest = name[(end + 1)...]
        return rest.count == 4 && rest.allSatisfy { HexText.value(ofDigit: $0) != nil } ? end : 0
    }

    /// The last two bytes of what stands for the address that the name ends with.
    private func ending(of name: [UInt8]) -> [UInt8]? {
        let digits = Array(name.suffix(4)).compactMap(HexText.value)
        guard digits.count == 4 else { return nil }
        let number = digits.reduce(0 as UInt64) { $0 << 4 | UInt64($1) }
        guard let old = addressesByEnding[number], let new = addresses[old] else { return nil }
        let bytes = [UInt8(truncatingIfNeeded: new >> 8), UInt8(truncatingIfNeeded: new)]
        return Array(HexText.bytes(bytes).utf8)
    }

    // MARK: Characters

    static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }
    private static func isUpper(_ byte: UInt8) -> Bool { 0x41...0x5A ~= byte }
    private static func isLower(_ byte: UInt8) -> Bool { 0x61...0x7A ~= byte }

    /// Characters of the same sort and the same length; zeros and separators stay.
    private static func drawn(
        _ old: [UInt8], all: Bool, _ random: inout SplitMix
    ) -> [UInt8] {
        // What is no UTF-8 comes back changed.
        guard String(decoding: old, as: UTF8.self).utf8.elementsEqual(old) else {
            return old.map { $0 == 0 ? 0 : random.byte() }
        }
        var follows = 0
        return old.map { byte in
            if follows > 0 {
                follows -= 1
                return UInt8(truncatingIfNeeded: random.remainder(in: 0x90...0xBF))
            }
            switch byte {
            case _ where isDigit(byte): return letter(0x30...0x39, &random)
            case _ where isUpper(byte): return letter(0x41...0x5A, &random)
            case _ where isLower(byte): return letter(0x61...0x7A, &random)
            case 0xC2...0xDF:
                follows = 1
                return letter(0xC3...0xDF, &random)
            case 0xE0...0xEF:
                follows = 2
                return letter(0xE3...0xE9, &random)
            case 0xF0...0xF4:
                follows = 3
                return 0xF0
            case 0x21...0x7E where all: return letter(0x21...0x2F, &random)
            default: return byte
            }
        }
    }

    private static func letter(_ range: ClosedRange<UInt64>, _ random: inout SplitMix) -> UInt8 {
        UInt8(truncatingIfNeeded: random.remainder(in: range))
    }
}
