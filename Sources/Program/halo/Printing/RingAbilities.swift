import HaloDevices
import HaloProtocol

/// The abilities that a ring has reported, and those that its circuit board suggests.
struct RingAbilities {
    private let reported: [(name: String, isSupported: Bool?)]
    private let byBoard: [(name: String, fact: RingFact<Bool>)]

    /// The widest column of texts, and its place.
    private static let widths = 24...60
    private static let indent = 16
    /// `true` if the ring has replied to its clock being set: most abilities are in that reply.
    private let isClockSet: Bool

    init(_ ring: Ring) {
        let (capabilities, dialect) = (ring.capabilities, ring.dialect)
        reported = capabilities.entries
        isClockSet = capabilities.bloodOxygen != nil
        var byBoard = [("raw sensor values", dialect.rawSensors)]
        if capabilities.heartRateVariability == nil {
            byBoard.append(("heart-rate variability", dialect.heartRateVariability))
        }
        if capabilities.temperature == nil { byBoard.append(("temperature", dialect.temperature)) }
        self.byBoard = byBoard
    }

    private func names(_ isSupported: Bool?) -> [String] {
        reported.filter { $0.isSupported == isSupported }.map { $0.name }
    }

    /// Rows of a label and a text, for people.
    func rows(width: Int) -> [[String]] {
        let limits = Self.widths
        let width = min(max(width - Self.indent, limits.lowerBound), limits.upperBound)
        func rows(_ label: String, _ lines: [String]) -> [[String]] {
            lines.enumerated().map { [$0 == 0 ? label : "", $1] }
        }
        func sentence(_ text: String) -> [String] {
            TextLayout.wrapped(text.split(separator: " "), separator: " ", width: width)
        }
        var all: [[String]] = []
        for (label, value) in [("can", true), ("cannot", false), ("not reported", nil)] {
            let names = names(value)
            let parts = names.enumerated().map { $1 + ($0 + 1 < names.count ? "," : "") }
            all += rows(label, TextLayout.wrapped(parts, separator: " ", width: width))
        }
        let board = byBoard.map { name, fact in
            let words = fact.value.map { $0 ? "yes" : "no" } ?? "not known"
            return sentence("\(name): \(words) (\(fact.basis))")
        }
        all += rows("by its board", board.flatMap { $0 })
        guard !isClockSet else { return all }
        let advice = "asks for the rest: a ring reports it only in reply to its clock being set"
        return all + rows("--set-clock", sentence(advice))
    }

    /// Members of an object, for programs.
    var members: JSONValue.Members {
        func value(_ isSupported: Bool?) -> JSONValue { isSupported.map { .boolean($0) } ?? .null }
        return [
            ("abilities", .object(reported.map { (key: $0.name, value: value($0.isSupported)) })),
            (
                "abilitiesByBoard",
                .object(
                    byBoard.map { name, fact in
                        let members: JSONValue.Members = [
                            ("value", value(fact.value)), ("evidence", .string("\(fact.basis)")),
                        ]
                        return (key: name, value: .object(members))
                    })
            ),
        ]
    }
}
