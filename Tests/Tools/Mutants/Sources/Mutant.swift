/// A small fault that can be planted in a source file.
struct Mutant: Sendable {
    /// The kind of mistake.
    enum Kind: String, Sendable, CaseIterable {
        case comparison, condition, connective, statement, constant, extremum, earlyReturn
    }

    /// The form in which the fault is written into the source, beside the original.
    enum Form: Sendable {
        /// Another expression in place of the original.
        case instead(String)
        /// A statement that is not run.
        case leftOut
        /// A statement that is run at this position.
        case inserted(String)
    }

    let target: String
    /// Path in the repository.
    let path: String
    let line: Int
    let kind: Kind
    /// The enclosing declarations, as `Type.member`.
    let scope: String
    /// The source text that the fault replaces, with its white space folded.
    let original: String
    /// The replacement, as a description or as code.
    let changed: String
    /// The range of the replaced text, in UTF-8 bytes from the beginning of the file.
    let range: Range<Int>
    let form: Form
    /// The 1-based number among mutants of the target with equal texts.
    var occurrence = 1

    /// The key of the mutant, independent of line numbers.
    var key: String {
        let number = occurrence == 1 ? "" : " (\(occurrence))"
        return "\(target) \(scope): `\(original)` → `\(changed)`\(number)"
    }

    /// The order: outer before inner, statements before their expressions, and an insertion before
    /// the text that follows it.
    var order: (Int, Int, Int, Int) {
        let isWhole = if case .leftOut = form { 0 } else { 1 }
        return (range.lowerBound, range.isEmpty ? 0 : 1, -range.upperBound, isWhole)
    }

    /// A number that is drawn for the mutant with a seed; samples take the lowest.
    func lot(seed: UInt64) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ seed
        for byte in key.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        hash ^= hash >> 33
        hash = hash &* 0xFF51_AFD7_ED55_8CCD
        hash ^= hash >> 33
        return hash &* 0xC4CE_B9FE_1A85_EC53 ^ hash >> 29
    }
}

extension [Mutant] {
    /// Numbers mutants with equal texts.
    mutating func number() {
        var counts: [String: Int] = [:]
        for index in indices {
            let count = counts[self[index].key, default: 0] + 1
            counts[self[index].key] = count
            self[index].occurrence = count
        }
    }
}
