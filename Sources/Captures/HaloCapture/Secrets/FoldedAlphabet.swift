import HaloProtocol

/// The characters of names, so that a name is found in another case, in another normal form of
/// Unicode, in fullwidth letters, and with invisible characters in between.
///
/// A folded text has one byte for a character of ASCII, and two for any other character of a name.
struct FoldedAlphabet: Sendable {
    /// A text that can be searched for folded names.
    struct Text: Sendable {
        fileprivate(set) var bytes: [UInt8] = []
        /// For each byte the index of its character's first scalar, and behind them their number.
        fileprivate(set) var sources: [Int] = []

        /// Returns the scalars of folded bytes; `nil` if a character is only partly among them, as
        /// in one "s" of "ß".
        func scalars(_ range: Range<Int>) -> Range<Int>? {
            let (start, end) = (range.lowerBound, range.upperBound)
            guard start == 0 || sources[start - 1] != sources[start],
                sources[end - 1] != sources[end]
            else { return nil }
            return sources[start]..<sources[end]
        }
    }

    private var codes: [Character: [UInt8]] = [:]

    /// The byte of a character that no name has.
    private static let other: UInt8 = 0xFF
    /// The number of characters beyond ASCII that have a code; a name with a further one is not
    /// folded.
    private static let mostCodes = 127 * 128

    /// Folds a name, whose characters the alphabet has from then on; `nil` without room for them.
    mutating func fold(name: String) -> [UInt8]? {
        for (character, _) in Self.characters(Array(name.unicodeScalars)) {
            for folded in Self.folded(character)
            where folded.asciiValue == nil && codes[folded] == nil {
                guard codes.count < Self.mostCodes else { return nil }
                let (high, low) = codes.count.quotientAndRemainder(dividingBy: 128)
                codes[folded] = [0x80 + UInt8(high), 0x80 + UInt8(low)]
            }
        }
        return fold(Array(name.unicodeScalars)).bytes
    }

    func fold(_ scalars: [Unicode.Scalar]) -> Text {
        var text = Text()
        text.bytes.reserveCapacity(scalars.count)
        if scalars.allSatisfy(\.isASCII) {
            text.bytes = scalars.map { Self.lower(UInt8(truncatingIfNeeded: $0.value)) }
            text.sources = Array(0...scalars.count)
            return text
        }
        for (character, index) in Self.characters(scalars) {
            if let ascii = character.asciiValue {
                text.bytes.append(Self.lower(ascii))
            } else {
                for folded in Self.folded(character) {
                    text.bytes += folded.asciiValue.map { [$0] } ?? codes[folded] ?? [Self.other]
                }
            }
            while text.sources.count < text.bytes.count { text.sources.append(index) }
        }
        text.sources.append(scalars.count)
        return text
    }

    private static func lower(_ byte: UInt8) -> UInt8 {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
    }

    /// Returns the characters without invisible ones, each with the index of its first scalar.
    private static func characters(
        _ scalars: [Unicode.Scalar]
    ) -> [(character: Character, index: Int)] {
        var visible = String.UnicodeScalarView()
        var indices: [Int] = []
        for (index, scalar) in scalars.enumerated() where !scalar.isIgnorable {
            visible.append(scalar.halfwidth)
            indices.append(index)
        }
        var place = 0
        return String(visible).map { character in
            defer { place += character.unicodeScalars.count }
            return (character, indices[place])
        }
    }

    /// Returns a character as its lower case would be if it had been in upper case: these are equal
    /// for "ς", "σ" and "Σ". A Turkish "İ" is an "i".
    private static func folded(_ character: Character) -> [Character] {
        character.uppercased().lowercased().map { $0 == "i\u{307}" ? "i" : $0 }
    }
}

extension Unicode.Scalar {
    /// `true` for a character that most programs do not show.
    fileprivate var isIgnorable: Bool {
        !isASCII
            && (properties.isDefaultIgnorableCodePoint || properties.generalCategory == .format)
    }

    /// A character of ASCII for its fullwidth form.
    var halfwidth: Unicode.Scalar {
        0xFF01...0xFF5E ~= value ? Unicode.Scalar(value - 0xFEE0) ?? self : self
    }
}
