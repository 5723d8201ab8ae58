import HaloDevices
import HaloProtocol

/// A notation of one part of a setting as text.
///
/// A text consists of words in lower case, with one space between two words.
struct SettingNotation<Part: Sendable>: Sendable {
    let accepts: String
    let parse: @Sendable (String) -> ParsedSetting<Part>
    /// Returns a part as text; `nil` for a part that is not known. The text is parsed as the same
    /// part, unless the part is beyond the limits.
    let format: @Sendable (Part) -> SettingText?

    func converted<Other: Sendable>(
        to other: @escaping @Sendable (Part) -> Other,
        from part: @escaping @Sendable (Other) -> Part
    ) -> SettingNotation<Other> {
        SettingNotation<Other>(accepts: accepts) {
            parse($0).map(other)
        } format: {
            format(part($0))
        }
    }
}

extension SettingNotation {
    /// Returns the notation that has `none` for `nil`.
    static func orNone<Wrapped: Sendable>(
        _ notation: SettingNotation<Wrapped>
    ) -> SettingNotation where Part == Wrapped? {
        let none = "none"
        return SettingNotation(accepts: "\(none) or \(notation.accepts)") {
            $0 == none ? .success(nil) : notation.parse($0).map(Optional.some)
        } format: { part in
            guard let part else { return SettingText(text: none) }
            return notation.format(part)
        }
    }

    /// Returns the notation that accepts no text for `nil`: the device reports it, and it cannot be
    /// sent.
    static func orUnknown<Wrapped: Sendable>(
        _ notation: SettingNotation<Wrapped>
    ) -> SettingNotation where Part == Wrapped? {
        SettingNotation(accepts: notation.accepts) {
            notation.parse($0).map(Optional.some)
        } format: {
            $0.flatMap(notation.format)
        }
    }
}

/// The reason why a text is no value of a setting.
enum SettingMismatch: Error {
    case outOfRange, otherNotation
}

typealias ParsedSetting<Part> = Result<Part, SettingMismatch>

struct SettingText {
    /// The text, with the unit of a number.
    let text: String
    var number: Double?
    var unit: String?
}

// MARK: - Choices

extension SettingNotation where Part: Equatable {
    /// Returns the notation of a choice. Its texts may lack hyphens.
    ///
    /// - Parameter choices: Each part with its texts, the one that is printed first.
    static func choice(_ choices: [(part: Part, texts: [String])]) -> SettingNotation {
        let parsed = choices.map { ($0.part, $0.texts.map(withoutHyphens)) }
        return SettingNotation(
            accepts: TextLayout.alternatives(choices.compactMap(\.texts.first))
        ) { text in
            let text = withoutHyphens(text)
            let choice = parsed.first { $0.1.contains(text) }
            return choice.map { .success($0.0) } ?? .failure(.otherNotation)
        } format: { part in
            choices.first { $0.part == part }?.texts.first.map { SettingText(text: $0) }
        }
    }

    private static func withoutHyphens(_ text: String) -> String {
        String(text.filter { $0 != "-" && $0 != " " })
    }
}

extension SettingNotation where Part: FieldCode {
    static var label: SettingNotation {
        choice(
            Part.allCases.map { code in
                (code, [String(code.label.map { $0 == " " ? "-" : $0 })])
            })
    }
}

extension SettingNotation<Bool> {
    static var onOrOff: SettingNotation { choice([(true, ["on"]), (false, ["off"])]) }

    static var yesOrNo: SettingNotation { choice([(true, ["yes"]), (false, ["no"])]) }
}

// MARK: - Numbers

/// A unit of numbers in text, and the units that are converted to it.
struct SettingUnit: Sendable {
    let unit: FieldUnit
    /// The number of counts in a unit: a setting counts small calories, and its text has
    /// kilocalories.
    let countsPerUnit: Int
    /// The names of other units in lower case, with the numbers of counts in each.
    let others: [String: Int]

    init(_ unit: FieldUnit, countsPerUnit: Int = 1, others: [String: Int] = [:]) {
        self.unit = unit
        self.countsPerUnit = countsPerUnit
        self.others = others
    }

    static let none = SettingUnit(.none)
    static let minutes = SettingUnit(
        .minutes, others: ["m": 1, "minute": 1, "minutes": 1, "h": 60])
    static let steps = SettingUnit(.none, others: ["step": 1, "steps": 1])
    static let kilocalories = SettingUnit(FieldUnit(" kcal"), countsPerUnit: 1000)
    static let metres = SettingUnit(.metres, others: ["km": 1000])
    static let centimetres = SettingUnit(.centimetres, others: ["m": 100])
    static let kilograms = SettingUnit(.kilograms)
    static let years = SettingUnit(.years, others: ["y": 1])
    static let beatsPerMinute = SettingUnit(.beatsPerMinute)
    static let millimetresOfMercury = SettingUnit(.millimetresOfMercury)

    /// The text of the unit without a space; empty if there is no unit.
    private var name: String { String(unit.suffix.description.drop { $0 == " " }) }

    /// Returns the number of counts in a unit by its name; `nil` if the name is unknown.
    private func counts(in name: String) -> Int? {
        let one = unit.suffixOfOne.description.drop { $0 == " " }
        let isOwn = name == "" || name == self.name.lowercased() || name == one
        return isOwn ? countsPerUnit : others[name]
    }

    /// Parses a decimal number with an optional unit, as a number of counts.
    func parse(_ text: String) -> ParsedSetting<Int> {
        guard let match = text.wholeMatch(of: /(-?)([0-9]+)(?:\.([0-9]+))? ?(.*)/),
            let counts = counts(in: String(match.4))
        else { return .failure(.otherNotation) }
        let fraction = match.3 ?? ""
        let zeros = String(repeating: "0", count: max(3 - fraction.count, 0))
        guard match.1.isEmpty, fraction.count <= 3,
            let thousandths = Int(match.2 + fraction + zeros)
        else { return .failure(.outOfRange) }
        let (product, overflow) = thousandths.multipliedReportingOverflow(by: counts)
        return overflow || product % 1000 != 0 ? .failure(.outOfRange) : .success(product / 1000)
    }

    func format(_ count: Int) -> SettingText {
        let suffix = count == countsPerUnit ? unit.suffixOfOne : unit.suffix
        return SettingText(
            text: number(count) + suffix.description,
            number: Double(count) / Double(countsPerUnit), unit: name == "" ? nil : name)
    }

    func number(_ count: Int) -> String {
        let (whole, rest) = count.quotientAndRemainder(dividingBy: countsPerUnit)
        guard rest != 0 else { return "\(whole)" }
        var digits = "\(countsPerUnit + rest)".dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return "\(whole).\(digits)"
    }
}

extension SettingNotation<Int> {
    static func number<Number: FixedWidthInteger & Sendable>(
        _ limits: ClosedRange<Number>, _ unit: SettingUnit = .none
    ) -> SettingNotation {
        let limits = Int(clamping: limits.lowerBound)...Int(clamping: limits.upperBound)
        let (least, most) = (unit.number(limits.lowerBound), unit.format(limits.upperBound).text)
        return SettingNotation(accepts: "\(least) to \(most)") {
            let count = unit.parse($0)
            if case .success(let count) = count, !limits.contains(count) {
                return .failure(.outOfRange)
            }
            return count
        } format: {
            unit.format($0)
        }
    }

    /// Returns the notation of a number that is 0 in a new device: `not set`.
    static func numberOrNotSet<Number: FixedWidthInteger & Sendable>(
        _ limits: ClosedRange<Number>, _ unit: SettingUnit
    ) -> SettingNotation {
        let notSet = "not set"
        let number = number(limits, unit)
        let accepts = Self.number(limits.withoutZero, unit).accepts
        return SettingNotation(accepts: "\(notSet) or \(accepts)") {
            $0 == notSet ? .success(0) : number.parse($0)
        } format: {
            $0 == 0 ? SettingText(text: notSet) : number.format($0)
        }
    }
}

extension ClosedRange where Bound: FixedWidthInteger {
    /// The limits without 0, which stands for no value.
    var withoutZero: ClosedRange { Swift.min(1, upperBound)...upperBound }
}

extension SettingNotation<Duration> {
    static func minutes<Number: FixedWidthInteger & Sendable>(
        _ limits: ClosedRange<Number>
    ) -> SettingNotation {
        SettingNotation<Int>.number(limits, .minutes).converted {
            .minutes($0)
        } from: {
            $0.wholeMinutes
        }
    }
}

extension SettingNotation<Double> {
    /// Returns the notation of an energy, within limits in small calories.
    static func kilocalories<Number: FixedWidthInteger & Sendable>(
        _ limits: ClosedRange<Number>
    ) -> SettingNotation {
        SettingNotation<Int>.number(limits, .kilocalories).converted {
            Double($0) / 1000
        } from: {
            Int(exactly: ($0 * 1000).rounded()) ?? .max
        }
    }
}

// MARK: - Times and pressures

extension SettingNotation<DailyHours> {
    /// `22:00-07:00`.
    static var hours: SettingNotation {
        SettingNotation(accepts: "a start and an end from 00:00 to 23:59, as 22:00-07:00") { text in
            let form = /([0-9]{1,2})(?::([0-9]{1,2}))? ?[-–] ?([0-9]{1,2})(?::([0-9]{1,2}))?/
            guard let match = text.wholeMatch(of: form) else { return .failure(.otherNotation) }
            guard let start = time(match.1, match.2), let end = time(match.3, match.4) else {
                return .failure(.outOfRange)
            }
            return .success(DailyHours(from: start, to: end))
        } format: { hours in
            SettingText(
                text: "\(hours.start.description.prefix(5))-\(hours.end.description.prefix(5))")
        }
    }

    private static func time(_ hour: Substring, _ minute: Substring?) -> CivilTime? {
        try? CivilTime(hour: Int(hour) ?? 0, minute: minute.flatMap { Int($0) } ?? 0)
    }
}

extension SettingNotation<BloodPressure> {
    /// Returns the notation `120/80 mmHg`, within limits for each number.
    static func bloodPressure<Number: FixedWidthInteger & Sendable>(
        _ limits: ClosedRange<Number>
    ) -> SettingNotation {
        let systolic = SettingNotation<Int>.number(limits.withoutZero)
        let diastolic = SettingNotation<Int>.number(limits, .millimetresOfMercury)
        let least = BloodPressure(
            systolic: Int(clamping: limits.withoutZero.lowerBound),
            diastolic: Int(clamping: limits.lowerBound))
        let most = BloodPressure(
            systolic: Int(clamping: limits.upperBound), diastolic: Int(clamping: limits.upperBound))
        return SettingNotation(accepts: "\(least.numbers) to \(most)") { text in
            guard let halves = text.wholeMatch(of: /([^\/]*?) ?\/ ?([^\/]*)/) else {
                return .failure(.otherNotation)
            }
            switch (systolic.parse(String(halves.1)), diastolic.parse(String(halves.2))) {
            case (.success(let systolic), .success(let diastolic)):
                return .success(BloodPressure(systolic: systolic, diastolic: diastolic))
            case (.failure(.otherNotation), _), (_, .failure(.otherNotation)):
                return .failure(.otherNotation)
            case (.failure, _), (_, .failure): return .failure(.outOfRange)
            }
        } format: {
            SettingText(text: "\($0)")
        }
    }
}

extension BloodPressure {
    fileprivate var numbers: String { "\(systolic)/\(diastolic)" }
}
