import HaloProtocol
import HaloTransport

/// Substitutes for names and addresses. A name or an address has the same substitute everywhere.
struct SeededIdentities: Sendable {
    /// The substitutes for texts in UTF-8, and for the bytes of fields that are no text.
    private(set) var texts: [[UInt8]: (new: [UInt8], kind: ScrubKind)] = [:]
    private(set) var addresses: [UInt64: UInt64] = [:]
    /// The lowest address of each ending: the last two bytes.
    private var addressesByEnding: [UInt64: UInt64] = [:]

    private var noted: [(text: [UInt8], kind: ScrubKind)] = []
    private var isNoted: Set<[UInt8]> = []
    /// The bytes of all texts with a substitute that stays the same, with an allowance for each.
    private var byteCount = 0
    /// The texts and the addresses that are not only those of advertisements or of comments.
    private var own: (texts: Set<[UInt8]>, addresses: Set<UInt64>) = ([], [])
    /// Bytes that are an address in one of two byte orders, which is not known; for `true`, those
    /// that are not of an advertisement.
    private var unordered: [Bool: [UInt64]] = [:]

    static let addressLength = 6
    /// The two bytes in the middle of an address of eight bytes, in one of its byte orders: those
    /// of the form EUI-64 come first; some firmware writes `FF FF` or zeros.
    static let longAddressMarks: [[UInt8]] = [[0xFF, 0xFE], [0xFE, 0xFF], [0xFF, 0xFF], [0, 0]]
    /// The maximum number of texts, and of addresses, that are searched for in bytes that stay: a
    /// capture of advertisements may hold any number.
    static let mostWanted = 1000
    /// The maximum of ``byteCount``; further texts get another substitute each time.
    private static let mostBytes = 4 << 20
    /// The maximum number of addresses; further ones get another substitute each time.
    private static let mostAddresses = 50_000
    /// The two highest bits of an address, which are the type of a random one.
    private static let typeOfAddress: UInt64 = 0xC000_0000_0000

    /// Returns the substitute for an address of 48 bits, in which each byte differs; bytes of zero
    /// are kept.
    mutating func address(_ old: UInt64, _ random: inout SplitMix) -> UInt64 {
        if let known = addresses[old] { return known }
        var new: UInt64 = 0
        for place in 0..<Self.addressLength {
            let shift = UInt64(place * 8)
            let byte = UInt8(truncatingIfNeeded: old >> shift)
            guard byte != 0 else { continue }
            let drawn = random.byte()
            new |= UInt64(drawn != byte ? drawn : byte == 0xFF ? 1 : byte + 1) << shift
        }
        new = new & ~Self.typeOfAddress | old & Self.typeOfAddress
        let high = old >> 40
        if high != 0, new >> 40 == high { new ^= (high == 1 ? 2 : 1) << 40 }
        guard addresses.count < Self.mostAddresses else { return new }
        addresses[old] = new
        let ending = old & 0xFFFF
        addressesByEnding[ending] = min(addressesByEnding[ending] ?? old, old)
        return new
    }

    /// Records that an address is not only one of an advertisement or a comment.
    mutating func noteOwn(_ address: UInt64) {
        if addresses[address] != nil { own.addresses.insert(address) }
    }

    /// Returns `true` for an address that is not only one of an advertisement or a comment.
    func isOwn(_ address: UInt64) -> Bool { own.addresses.contains(address) }

    /// Returns `true` for an address that has a substitute, in either byte order.
    func isKnown(_ address: UInt64) -> Bool {
        addresses[address] != nil || addresses[Self.reversed(address)] != nil
    }

    /// Records bytes that are an address in either byte order. Another packet may say which.
    mutating func noteAddress(inEitherOrder address: UInt64, isOwn: Bool) {
        guard unordered[isOwn, default: []].count < Self.mostWanted else { return }
        unordered[isOwn, default: []].append(address)
    }

    /// Records the text of a field. Its substitute is drawn when all addresses are known, because
    /// names of rings end with a part of their address.
    ///
    /// - Parameter isOwn: `false` for a text of an advertisement, which may be another device's.
    mutating func note(
        _ bytes: [UInt8], isWide: Bool = false, _ kind: ScrubKind, isOwn: Bool
    ) {
        let texts = DeviceText.readings(of: bytes, isWide: isWide).map(\.utf8)
        for text in texts.isEmpty ? [bytes] : texts {
            if !isNoted.contains(text) {
                guard reserve(text) else { continue }
                isNoted.insert(text)
                noted.append((text, kind))
            }
            if isOwn { own.texts.insert(text) }
        }
    }

    /// Counts the bytes of a text; `false` if there is no more room.
    private mutating func reserve(_ text: [UInt8]) -> Bool {
        guard byteCount < Self.mostBytes else { return false }
        byteCount += text.count + 64
        return true
    }

    /// The texts that are searched for in bytes that stay, the device's own ones first.
    var wanted: [[UInt8]] { Self.chosen(noted.map(\.text), own.texts.contains) }

    /// The addresses that are searched for in bytes that stay, the device's own ones first.
    var wantedAddresses: [(old: UInt64, new: UInt64)] {
        Self.chosen(addresses.sortedByKey.map { ($0, $1) }) { own.addresses.contains($0.old) }
    }

    private static func chosen<Secret>(
        _ secrets: [Secret], _ isOwn: (Secret) -> Bool
    ) -> [Secret] {
        Array((secrets.filter(isOwn) + secrets.filter { !isOwn($0) }).prefix(mostWanted))
    }

    /// Draws the substitutes for the addresses that were noted.
    mutating func drawNotedAddresses(_ random: inout SplitMix) {
        for isOwn in [true, false] {
            for bytes in unordered[isOwn] ?? [] {
                _ = address(inEitherOrder: bytes, &random)
                let old = ordered(bytes)
                if isOwn { noteOwn(old) }
            }
        }
    }

    /// Draws the substitutes for the texts that were noted.
    mutating func drawNoted(_ random: inout SplitMix) {
        for (text, kind) in noted { _ = substitute(for: text, kind, &random) }
    }

    /// Returns an address in the other byte order.
    private static func reversed(_ address: UInt64) -> UInt64 { address.byteSwapped >> 16 }

    /// Returns the address in bytes of an unknown order: in the order in which it is known.
    private func ordered(_ bytes: UInt64) -> UInt64 {
        let reversed = Self.reversed(bytes)
        return addresses[reversed] == nil ? bytes : reversed
    }

    /// Returns the substitute for an address in an unknown byte order, in the same order.
    mutating func address(inEitherOrder bytes: UInt64, _ random: inout SplitMix) -> UInt64 {
        let old = ordered(bytes)
        let new = address(old, &random)
        return old == bytes ? new : Self.reversed(new)
    }

    /// Returns the substitute for the text of a field, in the same encoding and of the same length.
    mutating func text(
        _ old: [UInt8], isWide: Bool = false, _ kind: ScrubKind, _ random: inout SplitMix
    ) -> [UInt8] {
        guard let text = DeviceText.readings(of: old, isWide: isWide).first else {
            return substitute(for: old, kind, &random)
        }
        let new = text.encoding.encoded(substitute(for: text.utf8, kind, &random))
        return Array(new.prefix(old.count))
    }

    /// Returns the substitute for a text in UTF-8, which has the same length also in UTF-16:
    /// letters for letters, and digits for digits.
    ///
    /// The name of a ring's model is kept, because the decoders depend on it; the two bytes of the
    /// address behind it are replaced.
    private mutating func substitute(
        for old: [UInt8], _ kind: ScrubKind, _ random: inout SplitMix
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
        if isNoted.contains(old) || reserve(old) { texts[old] = (new, kind) }
        return new
    }

    /// The maximum number of draws for a text that is still the same; the last draw replaces
    /// separators, too.
    private static let mostTries = 8

    // MARK: Models

    /// Returns `true` if a text is the model of a ring followed by the end of its address.
    static func isModelWithAddress(_ text: [UInt8]) -> Bool {
        let length = modelLength(text)
        return length > 0 && length < text.count
    }

    /// Returns the length of the model at the beginning of a ring's name, without the part of an
    /// address behind it; 0 for other names.
    static func modelLength(_ name: [UInt8]) -> Int {
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

    /// Returns the last two bytes of the substitute for the address at the end of the name; `nil`
    /// if the address is not known.
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
    /// Returns `true` for a letter or a digit of ASCII.
    static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        isDigit(byte) || isUpper(byte) || isLower(byte)
    }
    private static func isUpper(_ byte: UInt8) -> Bool { 0x41...0x5A ~= byte }
    private static func isLower(_ byte: UInt8) -> Bool { 0x61...0x7A ~= byte }

    /// Draws characters of the same kind and the same length; zeros and separators are kept, but
    /// not two that may be one character of UTF-16.
    private static func drawn(
        _ old: [UInt8], all: Bool, _ random: inout SplitMix
    ) -> [UInt8] {
        guard DeviceText.isNarrow(old) else {
            return old.map { $0 == 0 ? 0 : random.byte() }
        }
        var continuationCount = 0
        var continuation: ClosedRange<UInt64> = 0x90...0xBF
        return old.enumerated().map { index, byte in
            if continuationCount > 0 {
                continuationCount -= 1
                return letter(continuation, &random)
            }
            continuation = 0x90...0xBF
            switch byte {
            case _ where isDigit(byte): return letter(0x30...0x39, &random)
            case _ where isUpper(byte): return letter(0x41...0x5A, &random)
            case _ where isLower(byte): return letter(0x61...0x7A, &random)
            case 0xC2...0xC3:
                // From Ø to ö: in UTF-16, the high byte stays zero.
                (continuationCount, continuation) = (1, 0x98...0xB6)
                return 0xC3
            case 0xC4...0xDF:
                continuationCount = 1
                return letter(0xC4...0xDF, &random)
            case 0xE0...0xEF:
                continuationCount = 2
                return letter(0xE3...0xE9, &random)
            case 0xF0...0xF4:
                continuationCount = 3
                return 0xF0
            case _ where isSeparator(byte) && (all || isWide(old, index)):
                return letter(0x21...0x2F, &random)
            default: return byte
            }
        }
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        0x21...0x7E ~= byte && !isLetterOrDigit(byte)
    }

    /// Returns `true` if two separators are where UTF-16 has a character.
    private static func isWide(_ text: [UInt8], _ index: Int) -> Bool {
        let start = index & ~1
        return start + 1 < text.count && isSeparator(text[start]) && isSeparator(text[start + 1])
    }

    private static func letter(_ range: ClosedRange<UInt64>, _ random: inout SplitMix) -> UInt8 {
        UInt8(truncatingIfNeeded: random.remainder(in: range))
    }
}

extension SplitMix {
    /// Draws a byte that is not zero.
    mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: remainder(in: 1...255)) }
}
