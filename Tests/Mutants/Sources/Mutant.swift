/// A small fault that can be planted in a source file.
struct Mutant: Sendable {
    /// What a tired developer got wrong.
    enum Kind: String, Sendable, CaseIterable {
        case comparison, condition, connective, statement, constant, extremum, earlyReturn
    }

    /// How the fault is written into the source, beside what was there.
    enum Form: Sendable {
        /// Another expression instead of this one.
        case instead(String)
        /// The statement is not run.
        case leftOut
        /// A statement is run at this place.
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
    /// What stands there instead, in words or in code.
    let changed: String
    /// Where the replaced text lies, in UTF-8 from the beginning of the file.
    let range: Range<Int>
    let form: Form
    /// The 1-based number among mutants of the target that read alike.
    var occurrence = 1

    /// What identifies the mutant wherever its lines have moved to.
    var key: String {
        let number = occurrence == 1 ? "" : " (\(occurrence))"
        return "\(target) \(scope): `\(original)` → `\(changed)`\(number)"
    }

    /// Outer before inner, statements before the expressions that they are, and what is inserted
    /// before what it is inserted in front of.
    var order: (Int, Int, Int, Int) {
        let isWhole = if case .leftOut = form { 0 } else { 1 }
        return (range.lowerBound, range.isEmpty ? 0 : 1, -range.upperBound, isWhole)
    }

    /// A number that a seed draws for the mutant; samples take the lowest.
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
    /// Tells mutants that read alike from each other.
    mutating func number() {
        var counts: [String: Int] = [:]
        for index in indices {
            let count = counts[self[index].key, default: 0] + 1
            counts[self[index].key] = count
            self[index].occurrence = count
        }
    }
}
