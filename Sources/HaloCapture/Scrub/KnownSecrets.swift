import HaloProtocol

/// What a capture is known to hide, in every form in which it might stand where nobody looks.
struct KnownSecrets: Sendable {
    private struct Form: Hashable, Sendable {
        let old: [UInt8]
        let new: [UInt8]
    }

    /// By the first bytes, as many as the shortest form has.
    private var forms: [[UInt8]: [Form]] = [:]
    private var isEmpty = true

    /// What is shorter stands somewhere by chance.
    private static let leastLength = 4

    init() {}

    init(_ identities: SeededIdentities) {
        let length = SeededIdentities.addressLength
        let addresses = identities.addresses.map { old, new in
            (Self.bytes(old, length), Self.bytes(new, length))
        }
        for (old, new) in addresses + identities.texts.map({ ($0.key, $0.value) }) {
            guard old != new, old.count == new.count else { continue }
            add(old, new)
            add(old.reversed(), new.reversed())
            for separator in ["", ":", "-", " "] {
                addHexadecimal(old, new, separator)
                addHexadecimal(old.reversed(), new.reversed(), separator)
            }
            add(old.flatMap { [$0, 0] }, new.flatMap { [$0, 0] })
            add(old.flatMap { [0, $0] }, new.flatMap { [0, $0] })
        }
    }

    private static func bytes(_ number: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> UInt64($0 * 8)) }
    }

    private mutating func addHexadecimal(_ old: [UInt8], _ new: [UInt8], _ separator: String) {
        let old = HexText.bytes(old, separator: separator)
        let new = HexText.bytes(new, separator: separator)
        add(Array(old.utf8), Array(new.utf8))
        add(Array(old.lowercased().utf8), Array(new.lowercased().utf8))
    }

    private mutating func add(_ old: [UInt8], _ new: [UInt8]) {
        guard old.count >= Self.leastLength, old.contains(where: { $0 != 0 }) else { return }
        forms[Array(old.prefix(Self.leastLength)), default: []].append(Form(old: old, new: new))
        isEmpty = false
    }

    /// Replaces what is found; answers how often that was.
    func redact(_ bytes: inout [UInt8], in range: Range<Int>? = nil) -> Int {
        let range = (range ?? bytes.indices).clamped(to: bytes.indices)
        guard !isEmpty, range.count >= Self.leastLength else { return 0 }
        var found = 0
        var place = range.lowerBound
        while place + Self.leastLength <= range.upperBound {
            let rest = bytes[place..<range.upperBound]
            let candidates = forms[Array(rest.prefix(Self.leastLength))] ?? []
            let form = candidates.filter { rest.starts(with: $0.old) }
                .max { ($0.old.count, $1.new.count) < ($1.old.count, $0.new.count) }
            guard let form else {
                place += 1
                continue
            }
            bytes.replaceSubrange(place..<(place + form.old.count), with: form.new)
            place += form.old.count
            found += 1
        }
        return found
    }

    /// A text with everything replaced that is found in it.
    func redacted(_ text: String) -> String {
        var bytes = Array(text.utf8)
        return redact(&bytes) > 0 ? String(decoding: bytes, as: UTF8.self) : text
    }
}
