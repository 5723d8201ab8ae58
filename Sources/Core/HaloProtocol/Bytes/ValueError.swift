/// The error of a value that its packet cannot hold.
public struct ValueError: Error, Hashable, Sendable, CustomStringConvertible {
    public let field: FieldName
    public let allowed: ClosedRange<Int64>
    public let found: Int64

    public init(_ field: FieldName, allowed: ClosedRange<Int64>, found: Int64) {
        self.field = field
        self.allowed = allowed
        self.found = found
    }

    @inline(__always)
    static func check<Number: FixedWidthInteger, Bound: FixedWidthInteger>(
        _ field: FieldName, _ number: Number, in allowed: ClosedRange<Bound>
    ) throws(ValueError) {
        let found = Int64(clamping: number)
        let (least, most) = (
            Int64(clamping: allowed.lowerBound), Int64(clamping: allowed.upperBound)
        )
        guard found >= least, found <= most else {
            throw ValueError(field, allowed: least...most, found: found)
        }
    }

    /// The error in one sentence.
    public var description: String {
        "\(field) must be \(allowed.lowerBound) to \(allowed.upperBound), not \(found)."
    }
}

#if !hasFeature(Embedded)
extension ValueError {
    /// The title of an alert, in English: the field in words, its limits and its unit. The value is
    /// left out: it may be rounded, or have another unit than the person has entered.
    public var title: String {
        let (words, unit) = field.wordsAndUnit
        let limits = "between \(allowed.lowerBound) and \(allowed.upperBound)"
        return "\(words) must be \(limits)\(unit)".asSentence
    }
}

extension FieldName {
    private static let units = [
        "beats per minute", "centimetres", "kilograms", "milliseconds", "millimetres of mercury",
        "minutes", "seconds", "years",
    ]

    /// The name's words, without the unit at its end, and the unit with a space before it:
    /// `intervalMinutes` is the interval in minutes.
    fileprivate var wordsAndUnit: (words: String, unit: String) {
        let words = description.reduce(into: "") { words, character in
            words += character.isUppercase ? " \(character.lowercased())" : "\(character)"
        }
        for unit in Self.units.map({ " \($0)" }) where words.hasSuffix(unit) {
            return (String(words.dropLast(unit.count)), unit)
        }
        return (words, "")
    }
}

extension String {
    /// The words as a sentence: with a capital, and a full stop.
    package var asSentence: String { prefix(1).uppercased() + dropFirst() + "." }
}
#endif
