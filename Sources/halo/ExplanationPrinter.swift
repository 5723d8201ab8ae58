import HaloProtocol

/// Prints explanations, as tables or as lines of JSON.
struct ExplanationPrinter {
    private let isJSON: Bool
    private var isFirst = true

    /// Whether anything was not decoded.
    private(set) var foundFault = false

    init(isJSON: Bool) {
        self.isJSON = isJSON
    }

    /// Prints what is known of one input.
    mutating func print(
        _ input: String, _ result: Result<Explanation, UnreadableInput>, to console: inout Console
    ) {
        switch result {
        case .success(let explanation):
            if explanation.status != .decoded { foundFault = true }
        case .failure:
            foundFault = true
        }
        if isJSON {
            console.write(JSONText.text(Self.object(input, result)) + "\n")
        } else {
            if !isFirst { console.write("\n") }
            isFirst = false
            Self.printTable(input, result, to: &console)
        }
    }

    private static func printTable(
        _ input: String, _ result: Result<Explanation, UnreadableInput>, to console: inout Console
    ) {
        let style = TerminalStyle(isOn: console.usesColour)
        switch result {
        case .failure(let unreadable):
            console.write("\(style.strong(console.safe(input)))\n")
            console.write("  \(style.bad("error: \(unreadable.reason)"))\n")
        case .success(let explanation):
            console.write("\(style.strong(console.safe(explanation.heading)))\n")
            printRows(explanation, indentation: "  ", to: &console)
        }
    }

    /// Prints a line for each field, and the fault if there is one.
    static func printRows(
        _ explanation: Explanation, indentation: String, to console: inout Console
    ) {
        let style = TerminalStyle(isOn: console.usesColour)
        for row in ExplanationTable(explanation).rows {
            let text = "\(row.name)  \(row.meaning)"
            let cells = [
                style.faint(row.place), style.bytes(row.bytes),
                row.role == .value || row.role == .structure
                    ? console.safe(text) : style.faint(console.safe(text)),
            ]
            let line = TextColumns.trimmed(cells.joined(separator: "  "))
            console.write("\(indentation)\(line)\n")
        }
        if let problem = explanation.problem {
            console.write(
                "\(indentation)\(style.bad("error: \(console.safe(problem))"))\n")
        }
    }

    private static func object(
        _ input: String, _ result: Result<Explanation, UnreadableInput>
    ) -> JSONText.Value {
        .object([("input", .string(input))] + members(result))
    }

    /// What is known of an input, as the members of an object.
    static func members(
        _ result: Result<Explanation, UnreadableInput>
    ) -> [(key: String, value: JSONText.Value)] {
        switch result {
        case .failure(let unreadable):
            return [
                ("status", .string("refused")),
                ("kind", .null), ("packet", .null), ("fields", .array([])),
                ("reencoded", .null), ("error", .string(unreadable.reason)),
            ]
        case .success(let explanation):
            return [
                ("status", .string(status(explanation.status))),
                ("kind", explanation.kind.map { .string($0.name) } ?? .null),
                ("packet", explanation.packet.map { .string($0.description) } ?? .null),
                ("fields", .array(explanation.fields.map { field($0, explanation.bytes) })),
                ("reencoded", explanation.reencoded.map { .string(HexText.bytes($0)) } ?? .null),
                ("error", explanation.problem.map { .string($0) } ?? .null),
            ]
        }
    }

    private static func status(_ status: Explanation.Status) -> String {
        switch status {
        case .decoded: "decoded"
        case .refused: "refused"
        case .unknown: "unknown"
        }
    }

    private static func field(_ field: DecodedField, _ bytes: [UInt8]) -> JSONText.Value {
        let value: JSONText.Value
        switch field.value {
        case .integer(let number) where number <= JSONText.largestExactNumber:
            value = .number(number)
        default:
            let end = min(field.offset + field.length, bytes.count)
            value = .string(HexText.bytes(bytes[min(field.offset, end)..<end]))
        }
        return .object([
            ("name", .string(field.name)), ("offset", .number(UInt64(field.offset))),
            ("length", .number(UInt64(field.length))), ("value", value),
            ("meaning", .string(field.meaning)),
        ])
    }
}
