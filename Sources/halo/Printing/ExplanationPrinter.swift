import HaloProtocol

/// An input that is not hexadecimal bytes.
struct UnreadableInput: Error {
    let reason: String
}

/// Prints explanations of packets, as tables or as lines of JSON.
struct ExplanationPrinter {
    private let isJSON: Bool
    private var isFirst = true

    /// `true` once a packet could not be decoded.
    private(set) var foundFault = false

    init(isJSON: Bool) {
        self.isJSON = isJSON
    }

    /// Prints the explanation of an input, or the reason why it has none.
    mutating func print(
        _ input: String, _ result: Result<Explanation, UnreadableInput>, to console: inout Console
    ) {
        if (try? result.get())?.status != .decoded { foundFault = true }
        if isJSON {
            console.write(type: "packet", [("input", .string(input))] + Self.members(result))
            return
        }
        if !isFirst { console.write("\n") }
        isFirst = false
        let style = console.style
        switch result {
        case .failure(let error):
            console.write("\(style.strong(input.printable))\n")
            console.write("  \(style.bad("error: \(error.reason)"))\n")
        case .success(let explanation):
            console.write("\(style.strong(explanation.heading.printable))\n")
            Self.printRows(explanation, indentation: "  ", to: &console)
        }
    }

    /// Prints a line for each field, and the error if there is one.
    static func printRows(
        _ explanation: Explanation, indentation: String, to console: inout Console
    ) {
        let style = console.style
        for row in ExplanationTable(explanation).rows {
            let text = "\(row.name)  \(row.meaning)".printable
            let isImportant = row.role == .value || row.role == .structure
            let cells = [
                style.faint(row.offsets), style.bytes(row.bytes),
                isImportant ? text : style.faint(text),
            ]
            console.write(indentation + TextColumns.trimmed(cells.joined(separator: "  ")) + "\n")
        }
        if let problem = explanation.problem {
            console.write("\(indentation)\(style.bad("error: \(problem.printable)"))\n")
        }
    }

    /// The members of the object that JSON has for an input.
    static func members(_ result: Result<Explanation, UnreadableInput>) -> JSONValue.Members {
        switch result {
        case .failure(let error):
            return [
                ("status", .string("refused")),
                ("kind", .null), ("packet", .null), ("fields", .array([])),
                ("reencoded", .null), ("error", .string(error.reason)),
            ]
        case .success(let explanation):
            let status =
                switch explanation.status {
                case .decoded: "decoded"
                case .refused: "refused"
                case .unknown: "unknown"
                }
            return [
                ("status", .string(status)), ("kind", .text(explanation.kind?.name)),
                ("packet", .text(explanation.packet?.description)),
                ("fields", .objects(explanation.fields) { members($0, explanation.bytes) }),
                ("reencoded", .text(explanation.reencoded.map { HexText.bytes($0) })),
                ("error", .text(explanation.problem)),
            ]
        }
    }

    private static func members(_ field: DecodedField, _ bytes: [UInt8]) -> JSONValue.Members {
        let value: JSONValue
        switch field.value {
        case .integer(let number) where number <= JSONValue.largestExactNumber:
            value = .number(number)
        default:
            let end = min(field.offset + field.length, bytes.count)
            value = .string(HexText.bytes(bytes[min(field.offset, end)..<end]))
        }
        return [
            ("name", .string(field.name)), ("offset", .number(field.offset)),
            ("length", .number(field.length)), ("value", value),
            ("meaning", .string(field.meaning)),
        ]
    }
}
