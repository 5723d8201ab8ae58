import HaloProtocol

/// What a capture is known to hide, in every form in which it might stand where nobody looks.
struct KnownSecrets: Sendable {
    private struct Form: Hashable, Sendable {
        let old: [UInt8]
        let new: [UInt8]
        let kind: ScrubKind

        init(old: [UInt8], new: [UInt8], kind: ScrubKind) {
            self.old = old
            self.new = new
            self.kind = kind
        }

        /// Another form of the same secret.
        init(_ form: Form, _ transform: ([UInt8]) -> [UInt8]) {
            self.init(old: transform(form.old), new: transform(form.new), kind: form.kind)
        }
    }

    /// By the first bytes, as many as the shortest form has.
    private var forms: [[UInt8]: [Form]] = [:]

    /// What is shorter stands somewhere by chance.
    private static let leastLength = 4

    init() {}

    init(_ identities: SeededIdentities) {
        let length = SeededIdentities.addressLength
        let addresses = identities.addresses.sorted { $0.key < $1.key }
            .prefix(SeededIdentities.mostWanted)
            .map { old, new in
                Form(old: Self.bytes(old, length), new: Self.bytes(new, length), kind: .addresses)
            }
        let texts = identities.wanted.compactMap { old in
            identities.texts[old].map { Form(old: old, new: $0.new, kind: $0.kind) }
        }
        for form in addresses + texts where form.old != form.new {
            for form in [form, Form(form) { $0.reversed() }] {
                add(form)
                for separator in ["", ":", "-", " "] {
                    let form = Form(form) { Array(HexText.bytes($0, separator: separator).utf8) }
                    add(form)
                    add(Form(form) { $0.map { 0x41...0x46 ~= $0 ? $0 | 0x20 : $0 } })
                }
            }
            add(Form(form) { $0.flatMap { [$0, 0] } })
            add(Form(form) { $0.flatMap { [0, $0] } })
        }
    }

    private static func bytes(_ number: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> UInt64($0 * 8)) }
    }

    private mutating func add(_ form: Form) {
        guard form.old.count >= Self.leastLength, form.old.count == form.new.count,
            form.old.contains(where: { $0 != 0 })
        else { return }
        forms[Array(form.old.prefix(Self.leastLength)), default: []].append(form)
    }

    /// Replaces what is found; answers of which kind each finding was.
    func redact(_ bytes: inout [UInt8], in range: Range<Int>? = nil) -> [ScrubKind] {
        let range = (range ?? bytes.indices).clamped(to: bytes.indices)
        guard !forms.isEmpty, range.count >= Self.leastLength else { return [] }
        var found: [ScrubKind] = []
        var place = range.lowerBound
        while place + Self.leastLength <= range.upperBound {
            let rest = bytes[place..<range.upperBound]
            let candidates = forms[Array(rest.prefix(Self.leastLength))] ?? []
            let matching = candidates.filter { rest.starts(with: $0.old) }
            guard let form = matching.max(by: Self.isLess) else {
                place += 1
                continue
            }
            bytes.replaceSubrange(place..<(place + form.old.count), with: form.new)
            place += form.old.count
            found.append(form.kind)
        }
        return found
    }

    /// Of two forms that both match, the longer counts; the order is that of nothing else.
    private static func isLess(_ left: Form, _ right: Form) -> Bool {
        left.old.count == right.old.count
            ? left.new.lexicographicallyPrecedes(right.new) : left.old.count < right.old.count
    }

    /// A text with everything replaced that is found in it.
    func redacted(_ text: String) -> String {
        var bytes = Array(text.utf8)
        return redact(&bytes).isEmpty ? text : String(decoding: bytes, as: UTF8.self)
    }
}
