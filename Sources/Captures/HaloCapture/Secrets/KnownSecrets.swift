import HaloProtocol
import HaloTransport

/// The secrets of a capture in all their spellings, which are searched for in bytes that stay.
///
/// Found are:
/// - an address: its bytes in both orders, also in the form EUI-64; its digits, hexadecimal or
///   decimal, in either case and with any separators; one decimal number;
/// - a text: its bytes in UTF-8 and UTF-16, and reversed; in another case, another normal form of
///   Unicode, fullwidth letters, with invisible characters in between; of a name each word;
/// - the bytes of both as hexadecimal digits, with any separators;
/// - all of that in UTF-8, and in UTF-16 of either byte order.
struct KnownSecrets: Sendable {
    /// What stands for a secret that was found as bytes, of the same length.
    private struct Form: Sendable {
        let new: [UInt8]
        let kind: ScrubKind
        /// `true` for what is surely a secret: its bytes are not shared with another one.
        let isOwn: Bool
    }

    /// A secret that was replaced, and where in the bytes.
    private struct Found: Sendable {
        let kind: ScrubKind
        let range: Range<Int>
    }

    /// What stands for a text, or for a word of a name, that was found as folded text.
    private struct Word: Sendable {
        let new: [UInt8]
        let kind: ScrubKind
        /// `true` if it is searched for as a whole word, and not among other letters.
        let isWhole: Bool
        /// `true` if it is so short that it occurs by chance, except in a text.
        let isShort: Bool
    }

    private var forms = SearchIndex<Form>(leastLength: leastLength)
    private var words = SearchIndex<Word>(leastLength: leastFolded)
    private var alphabet = FoldedAlphabet()

    /// The minimum length of an encoding: a shorter one occurs by chance.
    private static let leastLength = 4
    /// The minimum number of characters of a text.
    private static let leastFolded = 2
    /// The maximum length of a text that is searched for, that of a device's name: only the
    /// beginning of a longer one is.
    private static let mostTextBytes = 248
    /// The minimum number of bytes of an address that are not zero: packets are full of zeros.
    private static let leastAddressBytes = 4
    /// Words of names that do not tell one device from another.
    private static let commonWords: Set<String> = [
        "android", "band", "bluetooth", "colmi", "device", "galaxy", "health", "ipad", "iphone",
        "mobile", "phone", "pixel", "pro", "redmi", "ring", "samsung", "smart", "sport", "strap",
        "the", "ultra", "watch", "xiaomi",
    ]

    init() {}

    init(_ identities: SeededIdentities) {
        var forms: [(key: [UInt8], value: Form)] = []
        func add(_ old: [UInt8], _ new: [UInt8], _ kind: ScrubKind, isOwn: Bool = true) {
            guard old.count == new.count else { return }
            forms.append((old, Form(new: new, kind: kind, isOwn: isOwn)))
        }
        for (old, new) in identities.wantedAddresses {
            let bytes = [old, new].map { Self.bytes($0, SeededIdentities.addressLength) }
            guard bytes[0].count(where: { $0 != 0 }) >= Self.leastAddressBytes else { continue }
            for (form, other) in zip(Self.forms(bytes[0]), Self.forms(bytes[1])) {
                add(form, other, .addresses, isOwn: identities.isOwn(old))
            }
        }
        var words: [(key: [UInt8], value: Word)] = []
        for text in identities.wanted {
            guard let (whole, kind) = identities.texts[text], whole != text else { continue }
            let old = StrictUTF8.beginning(of: text, length: Self.mostTextBytes)
            let new = Array(whole.prefix(old.count))
            add(old, new, kind)
            add(old.reversed(), new.reversed(), kind)
            guard DeviceText.isNarrow(old) else { continue }
            for isLower in [nil, true, false] {
                let (old, new) = (Self.cased(old, isLower), Self.cased(new, isLower))
                for encoding in DeviceText.Encoding.allCases {
                    add(encoding.encoded(old), encoding.encoded(new), kind)
                }
            }
            words += folded(old, new, kind)
        }
        self.forms = SearchIndex(leastLength: Self.leastLength, forms)
        // What is found anywhere comes before the same letters as a word.
        let sorted = words.filter { !$0.value.isWhole } + words.filter(\.value.isWhole)
        self.words = SearchIndex(leastLength: Self.leastFolded, sorted)
    }

    /// Returns an address in both byte orders, and in the form EUI-64, with its bit for universal
    /// addresses as it is and inverted, as in an IPv6 address.
    private static func forms(_ address: [UInt8]) -> [[UInt8]] {
        let long = [0, 2].flatMap { bit in
            SeededIdentities.longAddressMarks.map {
                [address[0] ^ bit] + address[1..<3] + $0 + address[3...]
            }
        }
        let forms = [address] + long
        return forms + forms.map { $0.reversed() }
    }

    /// Returns a text with the letters of ASCII in lower or in upper case, or as it is.
    private static func cased(_ text: [UInt8], _ isLower: Bool?) -> [UInt8] {
        guard let isLower else { return text }
        return text.map { isLetter($0) ? isLower ? $0 | 0x20 : $0 & ~0x20 : $0 }
    }

    private static func bytes(_ number: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> UInt64($0 * 8)) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        SeededIdentities.isLetterOrDigit(byte) && !SeededIdentities.isDigit(byte)
    }

    // MARK: Words

    /// Returns a text, and the words of a name, as they are searched for in folded text.
    private mutating func folded(
        _ old: [UInt8], _ new: [UInt8], _ kind: ScrubKind
    ) -> [(key: [UInt8], value: Word)] {
        var words: [(key: [UInt8], value: Word)] = []
        func add(_ range: Range<Int>, isWhole: Bool, isShort: Bool) {
            let name = String(decoding: old[range], as: UTF8.self)
            guard let key = alphabet.fold(name: name) else { return }
            let new = Array(new[range])
            words.append((key, Word(new: new, kind: kind, isWhole: isWhole, isShort: isShort)))
        }
        let isShort = old.count < Self.leastLength
        if !isShort || old.contains(where: { $0 >= 0x80 || Self.isLetter($0) }) {
            add(old.indices, isWhole: isShort, isShort: isShort)
        }
        guard kind == .names else { return words }
        let start = SeededIdentities.modelLength(old)
        for range in Self.words(of: old[start...]) where range.count < old.count {
            let word = String(decoding: old[range], as: UTF8.self)
            let isRare =
                word.unicodeScalars.contains(where: \.isLetter)
                && word.count >= (word.utf8.allSatisfy { $0 < 0x80 } ? 3 : Self.leastFolded)
                && SeededIdentities.modelLength(Array(word.uppercased().utf8)) == 0
                && !Self.commonWords.contains(word.lowercased())
            if isRare {
                add(range, isWhole: true, isShort: range.count < Self.leastLength)
            }
        }
        return words
    }

    /// Returns the words of a text in UTF-8: its letters and digits between other characters, and
    /// the parts of "AnnasRing".
    private static func words(of utf8: ArraySlice<UInt8>) -> [Range<Int>] {
        var words: [Range<Int>] = []
        var (start, part, index) = (utf8.startIndex, utf8.startIndex, utf8.startIndex)
        var last: Unicode.Scalar?
        func end() {
            if part > start { words.append(part..<index) }
            if index > start { words.append(start..<index) }
        }
        for scalar in String(decoding: utf8, as: UTF8.self).unicodeScalars {
            let next = index + UTF8.width(scalar)
            if !scalar.isOfWord {
                end()
                (start, part) = (next, next)
            } else if let last, last.properties.isLowercase, scalar.properties.isUppercase {
                words.append(part..<index)
                part = index
            }
            last = scalar
            index = next
        }
        end()
        return words
    }

    /// Returns `true` if there is a word at a range of a text, and no part of one.
    private static func isWord(_ range: Range<Int>, of scalars: [Unicode.Scalar]) -> Bool {
        func isBoundary(_ index: Int) -> Bool {
            guard index > 0, index < scalars.count else { return true }
            let (left, right) = (scalars[index - 1], scalars[index])
            if left.properties.isLowercase, right.properties.isUppercase { return true }
            return !(left.isLetter && right.isLetter) && !(left.isDigit && right.isDigit)
        }
        return isBoundary(range.lowerBound) && isBoundary(range.upperBound)
    }

    // MARK: Replacing

    /// Replaces the secrets in bytes; returns the kind of each replaced one.
    ///
    /// Of secrets that overlap, the best one is replaced as a whole, and then what is left of the
    /// others: no byte of a secret stays.
    ///
    /// - Parameter isText: `true` for the bytes of a text, in which words of two and three bytes
    ///   are searched for too.
    func redact(
        _ bytes: inout [UInt8], in range: Range<Int>? = nil, isText: Bool = false
    ) -> [ScrubKind] {
        guard !forms.isEmpty || !words.isEmpty else { return [] }
        let range = (range ?? bytes.indices).clamped(to: bytes.indices)
        var part = Array(bytes[range])
        let found = redact(&part, isText: isText, isSpelled: false)
        if !found.isEmpty { bytes.replaceSubrange(range, with: part) }
        return found.map(\.kind)
    }

    /// - Parameter isSpelled: `true` for bytes that digits spell. Digits in them may spell bytes
    ///   again, but no further.
    private func redact(
        _ bytes: inout [UInt8], isText: Bool, isSpelled: Bool
    ) -> [Found] {
        var found = redactForms(&bytes)
        for (encoding, start) in TextReading.all {
            var text = TextReading(bytes, encoding, from: start)
            let spelled = redactDigits(of: text, isSpelled: isSpelled, in: &bytes)
            if !spelled.isEmpty { text = TextReading(bytes, encoding, from: start) }
            found += spelled + redactWords(of: text, isText: isText, in: &bytes)
        }
        return found
    }

    private func redactForms(_ bytes: inout [UInt8]) -> [Found] {
        var matches: [(range: Range<Int>, form: Form)] = []
        for index in bytes.indices {
            guard let (length, form) = forms.longest(at: bytes[index...]) else { continue }
            matches.append((index..<(index + length), form))
        }
        guard !matches.isEmpty else { return [] }
        matches.sort { one, other in
            (other.range.count, one.form.isOwn ? 0 : 1, one.range.lowerBound)
                < (one.range.count, other.form.isOwn ? 0 : 1, other.range.lowerBound)
        }
        var found: [Found] = []
        var isReplaced = [Bool](repeating: false, count: bytes.count)
        for isWhole in [true, false] {
            for (range, form) in matches {
                let left = range.filter { !isReplaced[$0] }
                guard let first = left.first, let last = left.last,
                    !isWhole || left.count == range.count
                else { continue }
                for index in left {
                    bytes[index] = form.new[index - range.lowerBound]
                    isReplaced[index] = true
                }
                found.append(Found(kind: form.kind, range: first..<(last + 1)))
            }
        }
        return found
    }

    private func redactDigits(
        of text: TextReading, isSpelled: Bool, in bytes: inout [UInt8]
    ) -> [Found] {
        var found: [Found] = []
        for spelled in SpelledBytes.all(in: text.scalars) {
            var new = spelled.bytes
            let secrets =
                isSpelled
                ? redactForms(&new) : redact(&new, isText: false, isSpelled: true)
            guard !secrets.isEmpty else { continue }
            spelled.write(new, in: secrets.map(\.range), of: text, to: &bytes)
            found += secrets.map { secret in
                let place = text.place(of: spelled.place(of: secret.range))
                return Found(kind: secret.kind, range: place)
            }
        }
        return found
    }

    private func redactWords(
        of text: TextReading, isText: Bool, in bytes: inout [UInt8]
    ) -> [Found] {
        guard !words.isEmpty, text.scalars.count >= Self.leastFolded else { return [] }
        let folded = alphabet.fold(text.scalars)
        var found: [Found] = []
        var index = 0
        while index < folded.bytes.count {
            let longest = words.longest(at: folded.bytes[index...]) { length, word in
                guard isText || !word.isShort,
                    let range = folded.scalars(index..<(index + length))
                else { return false }
                return !word.isWhole || Self.isWord(range, of: text.scalars)
            }
            guard let (length, word) = longest,
                let range = folded.scalars(index..<(index + length))
            else {
                index += 1
                continue
            }
            text.replace(range, with: Self.cased(word.new, like: text.scalars[range]), in: &bytes)
            index += length
            found.append(Found(kind: word.kind, range: text.place(of: range)))
        }
        return found
    }

    /// Returns a text in capitals or in small letters if another one is.
    private static func cased(
        _ new: [UInt8], like old: ArraySlice<Unicode.Scalar>
    ) -> [UInt8] {
        let hasLower = old.contains { $0.properties.isLowercase }
        let hasUpper = old.contains { $0.properties.isUppercase }
        return hasLower == hasUpper ? new : cased(new, hasLower)
    }

    /// Returns a text with its secrets replaced.
    func redacted(_ text: String) -> String {
        var bytes = Array(text.utf8)
        return redact(&bytes, isText: true).isEmpty
            ? text : String(decoding: bytes, as: UTF8.self)
    }

    /// Returns a UUID with its secrets replaced, which some devices derive from their address.
    func redacted(_ uuid: BluetoothUUID) -> BluetoothUUID {
        guard uuid.short32 == nil else { return uuid }
        var bytes = Self.bytes(uuid.high, 8) + Self.bytes(uuid.low, 8)
        guard !redact(&bytes).isEmpty else { return uuid }
        let words = [bytes.prefix(8), bytes.suffix(8)].map {
            $0.reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        }
        return BluetoothUUID(high: words[0], low: words[1])
    }
}

extension Unicode.Scalar {
    fileprivate var isLetter: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: properties.isAlphabetic
        }
    }

    fileprivate var isDigit: Bool { properties.numericType != nil }

    fileprivate var isOfWord: Bool { isLetter || isDigit }
}
