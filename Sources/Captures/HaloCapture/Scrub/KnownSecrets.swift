import HaloProtocol
import HaloTransport

/// The secrets of a capture in all their encodings, which are searched for in bytes that stay.
struct KnownSecrets: Sendable {
    private struct Form: Hashable, Sendable {
        let old: [UInt8]
        let new: [UInt8]
        let kind: ScrubKind

        /// Returns another encoding of the same secret.
        func mapped(_ transform: ([UInt8]) -> [UInt8]) -> Form {
            Form(old: transform(old), new: transform(new), kind: kind)
        }
    }

    /// The encodings by their first ``leastLength`` bytes, each list in the order of the bytes.
    private var forms: [[UInt8]: [Form]] = [:]
    /// The texts that are too short for ``forms``.
    private var words: [[UInt8]: Form] = [:]
    /// The bytes in ``forms``: two texts may have the same, and the first one counts.
    private var known: Set<[UInt8]> = []

    /// The minimum length of an encoding: a shorter one occurs by chance.
    private static let leastLength = 4
    /// The maximum length of a text that is searched for, that of a device's name: only the
    /// beginning of a longer one is.
    private static let mostTextBytes = 248
    /// The minimum length of a word in a text.
    private static let leastWordLength = 2
    /// The minimum number of bytes of an address that are not zero: packets are full of zeros.
    private static let leastAddressBytes = 4

    init() {}

    init(_ identities: SeededIdentities) {
        let length = SeededIdentities.addressLength
        let addresses = identities.wantedAddresses
            .map { old, new in
                Form(old: Self.bytes(old, length), new: Self.bytes(new, length), kind: .addresses)
            }
            .filter { $0.old.count { $0 != 0 } >= Self.leastAddressBytes }
        let texts = identities.wanted.compactMap { old in
            identities.texts[old].map {
                Form(old: old, new: $0.new, kind: $0.kind)
                    .mapped { Array($0.prefix(Self.mostTextBytes)) }
            }
        }
        for form in addresses + texts where form.old != form.new {
            add(form)
            if form.kind != .addresses {
                addWide(form)
                for isLower in [true, false] { addWide(form.mapped { Self.cased($0, isLower) }) }
            }
            for form in [form, form.mapped { $0.reversed() }] {
                add(form)
                for separator in ["", ":", "-", " "] {
                    let form = form.mapped { Array(HexText.bytes($0, separator: separator).utf8) }
                    add(form)
                    add(form.mapped { Self.cased($0, true) })
                }
            }
        }
        known = []
        for key in forms.keys { forms[key]?.sort { $0.old.lexicographicallyPrecedes($1.old) } }
    }

    /// Returns a text with the letters of ASCII in lower or in upper case.
    private static func cased(_ text: [UInt8], _ isLower: Bool) -> [UInt8] {
        text.map { isLetter($0) ? isLower ? $0 | 0x20 : $0 & ~0x20 : $0 }
    }

    /// Adds a text as it is and in UTF-16, and as a word if it is short.
    private mutating func addWide(_ form: Form) {
        add(form)
        guard DeviceText.isNarrow(form.old) else { return }
        for encoding in [DeviceText.Encoding.utf16LittleEndian, .utf16BigEndian] {
            add(form.mapped(encoding.encoded))
        }
        guard Self.leastWordLength..<Self.leastLength ~= form.old.count,
            form.old.contains(where: { $0 >= 0x80 || Self.isLetter($0) })
        else { return }
        if words[form.old] == nil { words[form.old] = form }
    }

    private static func bytes(_ number: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> UInt64($0 * 8)) }
    }

    private mutating func add(_ form: Form) {
        guard form.old.count >= Self.leastLength, form.old.count == form.new.count,
            known.insert(form.old).inserted
        else { return }
        forms[Array(form.old.prefix(Self.leastLength)), default: []].append(form)
    }

    /// Replaces the secrets in bytes, at each position the longest one; returns the kind of each
    /// replaced one.
    func redact(_ bytes: inout [UInt8], in range: Range<Int>? = nil) -> [ScrubKind] {
        guard !forms.isEmpty else { return [] }
        return replace(in: &bytes, range) { text, index in
            let rest = text[index...]
            return forms[Array(rest.prefix(Self.leastLength))].flatMap {
                Self.longest(of: $0, at: rest)
            }
        }
    }

    /// Replaces the form that a function finds at each position.
    private func replace(
        in bytes: inout [UInt8], _ range: Range<Int>?,
        _ form: (_ text: ArraySlice<UInt8>, _ index: Int) -> Form?
    ) -> [ScrubKind] {
        let range = (range ?? bytes.indices).clamped(to: bytes.indices)
        var found: [ScrubKind] = []
        var index = range.lowerBound
        while index < range.upperBound {
            guard let form = form(bytes[range], index) else {
                index += 1
                continue
            }
            bytes.replaceSubrange(index..<(index + form.old.count), with: form.new)
            index += form.old.count
            found.append(form.kind)
        }
        return found
    }

    /// Returns the longest form with which some bytes begin. Forms whose first bytes are the same
    /// are neighbours, so the time depends on the length of a form, not on their number.
    private static func longest(of forms: [Form], at rest: ArraySlice<UInt8>) -> Form? {
        var (candidates, longest) = (forms[...], nil as Form?)
        for (depth, byte) in rest.enumerated() {
            if let form = candidates.first, form.old.count == depth {
                longest = form
                candidates.removeFirst()
            }
            guard let first = candidates.first, let last = candidates.last else { return longest }
            guard first.old[depth] != byte || last.old[depth] != byte else { continue }
            candidates = candidates[candidates.partitionPoint { $0.old[depth] < byte }...]
            candidates = candidates[..<candidates.partitionPoint { $0.old[depth] == byte }]
        }
        if let form = candidates.first, form.old.count == rest.count { return form }
        return longest
    }

    /// Replaces the secrets in the bytes of a text, also short ones that are a word of it.
    func redactText(_ bytes: inout [UInt8], in range: Range<Int>? = nil) -> [ScrubKind] {
        let found = redact(&bytes, in: range)
        guard !words.isEmpty else { return found }
        return found + replace(in: &bytes, range) { text, index in word(at: index, of: text) }
    }

    /// Returns the short text at an index that is no part of a longer word.
    private func word(at index: Int, of text: ArraySlice<UInt8>) -> Form? {
        func isBoundary(_ place: Int) -> Bool {
            place == text.startIndex || place >= text.endIndex
                || !Self.isOfWord(text[place - 1]) || !Self.isOfWord(text[place])
        }
        guard isBoundary(index) else { return nil }
        return (Self.leastWordLength..<Self.leastLength).reversed().lazy
            .filter { isBoundary(index + $0) }
            .compactMap { words[Array(text[index...].prefix($0))] }.first
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        SeededIdentities.isLetterOrDigit(byte) && !SeededIdentities.isDigit(byte)
    }

    /// Returns `true` for a byte of a word: a letter, a digit, or a part of a character beyond
    /// ASCII.
    private static func isOfWord(_ byte: UInt8) -> Bool {
        byte >= 0x80 || SeededIdentities.isLetterOrDigit(byte)
    }

    func redacted(_ text: String) -> String {
        var bytes = Array(text.utf8)
        return redactText(&bytes).isEmpty ? text : String(decoding: bytes, as: UTF8.self)
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
