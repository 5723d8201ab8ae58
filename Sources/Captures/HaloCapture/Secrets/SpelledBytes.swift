import HaloProtocol

/// Bytes that the digits of a text spell, and the places of the digits.
///
///     AABBCCDDEEFF  aa:bb:cc:dd:ee:ff  AABB.CCDD.EEFF  A_B  0xAA, 0xBB  \xAA\xBB  170.187.204
///     188900977659375  ＡＡ：ＢＢ  AA%3ABB  AA&#58;BB  AA\u003aBB  AAh BBh
struct SpelledBytes: Sendable {
    private enum Form: Sendable {
        case hexadecimal
        /// A decimal number for each byte.
        case decimalBytes
        /// One decimal number for all bytes.
        case decimalNumber
    }

    let bytes: [UInt8]
    private let form: Form
    /// The indices of the digits of each byte; for one number those of all digits.
    private let digits: [[Int]]

    /// The minimum number of bytes that are worth a search.
    private static let leastCount = 4
    private static let addressLength = SeededIdentities.addressLength
    /// The digits of a decimal number that may be an address.
    private static let decimalLengths = 8...20
    /// The minimum number of digits of an address: a byte that is below 16 may have only one.
    private static let leastDigits = 6

    private init(_ digits: [[Int]], _ form: Form, _ bytes: [UInt8]) {
        self.digits = digits
        self.form = form
        self.bytes = bytes
    }

    // MARK: Reading

    /// Returns all bytes that the digits of a text may spell.
    static func all(in scalars: [Unicode.Scalar]) -> [SpelledBytes] {
        let count = scalars.count { $0.halfwidth.hexadecimalValue != nil }
        guard count >= Self.leastDigits else { return [] }
        let scalars = scalars.allSatisfy(\.isASCII) ? scalars : scalars.map(\.halfwidth)
        let escapes = escapes(in: scalars)
        // The digits of an escaped separator may be those of a byte instead.
        let runs = runs(scalars, [:]) + (escapes.isEmpty ? [] : runs(scalars, escapes))
        return runs.flatMap { groups in
            hexadecimal(groups, scalars) + decimal(groups, scalars)
        }
    }

    /// How a text for a program writes a character as a number, such as `%3A` in an address of the
    /// Web: what is before its digits and behind them, their base and their number.
    private static let escapeForms: [(String, base: UInt8, ClosedRange<Int>, String)] = [
        ("%", 16, 2...2, ""), ("\\x", 16, 2...2, ""), ("\\u", 16, 4...4, ""),
        ("\\u{", 16, 1...6, "}"), ("&#", 10, 2...7, ";"), ("&#x", 16, 2...6, ";"),
    ]

    /// Returns the separators that are written as numbers: their ends by their starts.
    private static func escapes(in scalars: [Unicode.Scalar]) -> [Int: Int] {
        var escapes: [Int: Int] = [:]
        for index in scalars.indices where scalars[index].beginsEscape {
            for (prefix, base, length, suffix) in escapeForms {
                guard scalars[index...].starts(with: prefix.unicodeScalars) else { continue }
                let rest = scalars[(index + prefix.unicodeScalars.count)...]
                let digits = rest.prefix(length.upperBound).prefix {
                    $0.hexadecimalValue.map { $0 < base } ?? false
                }
                let value = number(Array(digits.indices), scalars, base: UInt64(base))
                guard length.contains(digits.count),
                    rest.dropFirst(digits.count).starts(with: suffix.unicodeScalars),
                    let separator = UInt32(exactly: value).flatMap(Unicode.Scalar.init),
                    separator.isSeparator
                else { continue }
                escapes[index] = digits.endIndex + suffix.unicodeScalars.count
            }
        }
        return escapes
    }

    /// The runs of digits in a text. A run consists of groups: the indices of adjacent digits.
    private static func runs(_ scalars: [Unicode.Scalar], _ escapes: [Int: Int]) -> [[[Int]]] {
        var runs: [[[Int]]] = []
        var groups: [[Int]] = []
        var group: [Int] = []
        var gap = 0
        func endGroup() {
            if !group.isEmpty { groups.append(group) }
            group = []
        }
        func endRun() {
            endGroup()
            if !groups.isEmpty { runs.append(groups) }
            groups = []
            gap = 0
        }
        var escapeEnd = 0
        for (index, scalar) in scalars.enumerated() where index >= escapeEnd {
            if let end = escapes[index], gap < mostSeparators {
                endGroup()
                gap += 1
                escapeEnd = end
            } else if isPrefix(index, scalars) || isSuffix(index, scalars) {
                endGroup()
            } else if scalar.hexadecimalValue != nil {
                group.append(index)
                gap = 0
            } else if scalar.isSeparator, gap < mostSeparators {
                endGroup()
                gap += 1
            } else {
                endRun()
            }
        }
        endRun()
        return runs
    }

    private static let mostSeparators = 4

    /// Returns `true` for the "h" behind the digits of a byte.
    private static func isSuffix(_ index: Int, _ scalars: [Unicode.Scalar]) -> Bool {
        guard scalars[index] == "h" || scalars[index] == "H", index > 0,
            scalars[index - 1].hexadecimalValue != nil
        else { return false }
        guard index + 1 < scalars.count else { return true }
        return scalars[index + 1].isSeparator || scalars[index + 1].hexadecimalValue != nil
    }

    /// Returns `true` for the characters of `0x`, `\x` or `\u` before a digit.
    private static func isPrefix(_ index: Int, _ scalars: [Unicode.Scalar]) -> Bool {
        func isX(_ index: Int) -> Bool {
            guard index + 1 < scalars.count, scalars[index + 1].hexadecimalValue != nil else {
                return false
            }
            return scalars[index] == "x" || scalars[index] == "X"
                || (scalars[index] == "u" && index > 0 && scalars[index - 1] == "\\")
        }
        func isFirst(_ index: Int) -> Bool { index == 0 || scalars[index - 1].isSeparator }
        if scalars[index] == "0" { return isFirst(index) && isX(index + 1) }
        guard isX(index) else { return false }
        return isFirst(index) || (scalars[index - 1] == "0" && isFirst(index - 1))
    }

    private static func hexadecimal(
        _ groups: [[Int]], _ scalars: [Unicode.Scalar]
    ) -> [SpelledBytes] {
        let all = groups.flatMap { $0 }
        var spellings = [0, 1].map { pairs(Array(all.dropFirst($0))) }
        if groups.contains(where: { $0.count % 2 == 1 }) {
            // The first digit of a byte may have been a zero that was left out.
            spellings.append(
                groups.flatMap { group -> [[Int]] in
                    guard group.count % 2 == 1 else { return pairs(group) }
                    return [[group[0]]] + pairs(Array(group.dropFirst()))
                })
        }
        return spellings.filter { $0.count >= leastCount }.map { digits in
            SpelledBytes(
                digits, .hexadecimal,
                digits.map { UInt8(truncatingIfNeeded: number($0, scalars, base: 16)) })
        }
    }

    private static func pairs(_ digits: [Int]) -> [[Int]] {
        stride(from: 0, to: digits.count - 1, by: 2).map { [digits[$0], digits[$0 + 1]] }
    }

    private static func decimal(
        _ groups: [[Int]], _ scalars: [Unicode.Scalar]
    ) -> [SpelledBytes] {
        let isDecimal = groups.map { $0.allSatisfy { (scalars[$0].hexadecimalValue ?? 16) < 10 } }
        var spelled: [SpelledBytes] = []
        var list: [[Int]] = []
        func endList() {
            if list.count >= leastCount {
                let bytes = list.map {
                    UInt8(truncatingIfNeeded: number($0, scalars, base: 10))
                }
                spelled.append(SpelledBytes(list, .decimalBytes, bytes))
            }
            list = []
        }
        for (group, isDecimal) in zip(groups, isDecimal) {
            if isDecimal, 1...3 ~= group.count, number(group, scalars, base: 10) <= 0xFF {
                list.append(group)
                continue
            }
            endList()
            guard isDecimal, decimalLengths.contains(group.count) else { continue }
            let number = number(group, scalars, base: 10)
            guard number >> 48 == 0 else { continue }
            let bytes = (0..<addressLength).reversed().map {
                UInt8(truncatingIfNeeded: number >> UInt64($0 * 8))
            }
            spelled.append(SpelledBytes([group], .decimalNumber, bytes))
        }
        endList()
        return spelled
    }

    /// Returns the number of some digits; one that is too large is the largest.
    private static func number(
        _ digits: [Int], _ scalars: [Unicode.Scalar], base: UInt64
    ) -> UInt64 {
        digits.reduce(0) { number, index in
            let (product, overflow) = number.multipliedReportingOverflow(by: base)
            let (sum, carry) = product.addingReportingOverflow(
                UInt64(scalars[index].hexadecimalValue ?? 0))
            return overflow || carry ? .max : sum
        }
    }

    // MARK: Writing

    /// Returns the characters of some bytes.
    func place(of range: Range<Int>) -> Range<Int> {
        let digits = digits(of: range)
        return (digits.first ?? 0)..<((digits.last ?? -1) + 1)
    }

    private func digits(of range: Range<Int>) -> [Int] {
        if case .decimalNumber = form { return digits[0] }
        return Array(digits[range].joined())
    }

    /// Writes other bytes with the same number of digits, those that have changed. Digits of one
    /// case stay of that case.
    ///
    /// - Parameter ranges: The ranges of the bytes of each secret.
    func write(
        _ new: [UInt8], in ranges: [Range<Int>], of text: TextReading, to target: inout [UInt8]
    ) {
        if case .decimalNumber = form {
            let number = new.reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
            write(String(number), at: digits[0], of: text, to: &target)
            return
        }
        for range in ranges {
            let isLower =
                Self.isLower(digits(of: range), of: text)
                ?? Self.isLower(Array(digits.joined()), of: text) ?? false
            for index in range where new[index] != bytes[index] {
                if case .decimalBytes = form {
                    write(String(new[index]), at: digits[index], of: text, to: &target)
                } else {
                    let word = HexText.byte(new[index])
                    write(
                        isLower ? word.lowercased() : word, at: digits[index], of: text,
                        to: &target)
                }
            }
        }
    }

    /// Returns `true` if one of some digits is a small letter; `nil` if none is a letter.
    private static func isLower(_ digits: [Int], of text: TextReading) -> Bool? {
        let letters = digits.map { text.scalars[$0].halfwidth }.filter(\.properties.isAlphabetic)
        return letters.isEmpty ? nil : letters.contains(where: \.properties.isLowercase)
    }

    /// Writes the last digits of a number. A letter keeps the case of the letter before.
    private func write(
        _ word: String, at places: [Int], of text: TextReading, to target: inout [UInt8]
    ) {
        let zeros = [UInt8](repeating: UInt8(ascii: "0"), count: places.count)
        for (place, digit) in zip(places, (zeros + word.utf8).suffix(places.count)) {
            var digit = digit
            switch text.scalars[place].halfwidth {
            case "a"..."f" where digit >= UInt8(ascii: "A"): digit |= 0x20
            case "A"..."F" where digit >= UInt8(ascii: "A"): digit &= ~0x20
            default: break
            }
            text.replace(place, with: digit, in: &target)
        }
    }
}

extension Unicode.Scalar {
    /// The value of a hexadecimal digit, or `nil`.
    fileprivate var hexadecimalValue: UInt8? {
        isASCII ? HexText.value(ofDigit: UInt8(truncatingIfNeeded: value)) : nil
    }

    fileprivate var beginsEscape: Bool { self == "%" || self == "\\" || self == "&" }

    /// `true` for a character that may stand between digits: no letter and no digit, and not what
    /// stands for bytes that are no text.
    fileprivate var isSeparator: Bool {
        self != "\u{FFFD}" && !properties.isAlphabetic && properties.numericType == nil
    }
}
