import Foundation
import HaloDevices
import TestSupport
import Testing

@testable import HaloHealth

/// Colours that can be told from their background, in light and in dark.
@Suite(.passesTime) struct ReportStyleTests {
    private static let sheet = String(decoding: ReportStyle.sheet.bytes, as: UTF8.self)

    /// Returns the colours of a scheme, the first one of the style sheet or the second.
    private static func colours(_ scheme: Int) -> [String: [Double]] {
        let blocks = sheet.components(after: ":root{")
        var colours: [String: [Double]] = [:]
        for part in blocks[scheme].split(separator: "}")[0].split(separator: ";") {
            let words = part.split(separator: ":")
            guard words.count == 2, words[1].first == "#" else { continue }
            let digits = Array(words[1].dropFirst())
            let pairs =
                digits.count == 3
                ? digits.map { "\($0)\($0)" }
                : stride(from: 0, to: 6, by: 2).map { String(digits[$0...($0 + 1)]) }
            colours[String(words[0])] = pairs.map { Double(Int($0, radix: 16) ?? 0) / 255 }
        }
        return colours
    }

    private static func luminance(_ colour: [Double]) -> Double {
        let parts = colour.map { $0 <= 0.04045 ? $0 / 12.92 : power(($0 + 0.055) / 1.055) }
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    }

    /// The power of 2.4: that of two, and that of two fifths by Newton's method.
    private static func power(_ base: Double) -> Double {
        let square = base * base
        let root = (0..<60).reduce(1.0) { root, _ in
            root - (root * root * root * root * root - square) / (5 * root * root * root * root)
        }
        return square * root
    }

    private static func contrast(_ one: [Double], _ other: [Double]) -> Double {
        let (first, second) = (luminance(one) + 0.05, luminance(other) + 0.05)
        return max(first, second) / min(first, second)
    }

    @Test(arguments: [0, 1])
    func contrastsAreThoseOfTheGuidelines(scheme: Int) throws {
        let colours = Self.colours(scheme)
        let (card, page) = (try #require(colours["--card"]), try #require(colours["--bg"]))
        #expect(Self.contrast([0, 0, 0], [1, 1, 1]) > 20.9)
        for text in ["ink", "soft"] {
            let colour = try #require(colours["--\(text)"])
            #expect(
                Self.contrast(colour, card) >= 4.5 && Self.contrast(colour, page) >= 4.5, "\(text)")
        }
        for kind in ReportKind.allCases {
            // A title has the colour of its kind, and so have the marks of a short day.
            let colour = try #require(colours["--\(kind.style)"])
            #expect(Self.contrast(colour, card) >= 4.5, "\(kind) \(Self.contrast(colour, card))")
        }
        for stage in ["s0", "s1", "s2", "s3", "s4"] {
            let colour = try #require(colours["--\(stage)"])
            #expect(Self.contrast(colour, card) >= 3, "\(stage) \(Self.contrast(colour, card))")
        }
    }

    /// A class without a rule, or a rule without a class, is a leftover or a mistake.
    @Test func classesHaveRules() throws {
        var names: Set<String> = []
        for days in [2, 20, 40] {
            var history = MadeHistory.full(days: days)
            history[.bloodOxygen].removeAll { $0.time.date == MadeHistory.today }
            history[.sleep].append(history[.sleep][0])
            if days == 20 {
                // Two days without values.
                history = history.without(daysAgo: 8...9)
            }
            var report = HealthReport(history)
            report.figures[MadeHistory.today] = HealthReport.DayFigures(restingBeatsPerMinute: 50)
            let page = try MarkupReader(report.htmlBytes())
            names.formUnion(
                page.elements.flatMap {
                    $0.attributes["class", default: ""].split(separator: " ").map(String.init)
                })
        }
        // The places of text, which are the default at the left, and the sections of weeks and
        // months.
        let free: Set = ["s", "week", "month", "third"]
        let without = names.subtracting(free).filter { !Self.sheet.contains(".\($0)") }
        #expect(without.sorted() == [])
        #expect(
            names.isSuperset(of: ["card", "half", "z", "o", "x", "s1", "s4", "missing", "gap", "f"])
        )
    }

    /// Beside the only card of a day, on a phone below it, are the reasons for what is missing.
    @Test func theListOfGapsUsesTheWidthOfAPhone() throws {
        let start = try #require(Self.sheet.range(of: "@media (max-width:680px){")?.upperBound)
        #expect(Self.sheet[start...].contains(".half,.third,.grid>.missing{grid-column:1/-1}"))
    }

    @Test func thereAreRulesForPaperAndDark() {
        #expect(Self.sheet.contains("@media print{"))
        #expect(Self.sheet.contains("@media screen and (prefers-color-scheme:dark){"))
        let braces = Self.sheet.reduce(0) { $0 + ($1 == "{" ? 1 : $1 == "}" ? -1 : 0) }
        #expect(braces == 0)
    }
}

extension String {
    /// The parts of the text after each place of another one.
    fileprivate func components(after mark: String) -> [Substring] {
        var parts: [Substring] = []
        var index = startIndex
        while index < endIndex {
            if self[index...].hasPrefix(mark) { parts.append(self[index...].dropFirst(mark.count)) }
            index = self.index(after: index)
        }
        return parts
    }
}
