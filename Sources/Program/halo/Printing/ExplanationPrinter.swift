import HaloProtocol

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
            return console.write(
                type: "packet", [("input", .string(input))] + Self.members(result))
        }
        if !isFirst { console.write("\n") }
        isFirst = false
        switch result {
        case .failure(let error):
            let reason = console.style.bad("error: \(error.reason)")
            console.write("\(console.style.strong(input.printable))\n  \(reason)\n")
        case .success(let explanation):
            console.write(console.style.strong(explanation.heading.printable) + "\n")
            Self.printRows(explanation, indentation: 2, to: &console)
        }
    }

    /// Prints a line for each field, and the error if there is one.
    static func printRows(
        _ explanation: Explanation, indentation: Int, to console: inout Console
    ) {
        let style = console.style
        let table = ExplanationTable(explanation)
        let margin = String(repeating: " ", count: indentation)
        for row in table.rows {
            var line = margin + style.faint(text { table.appendOffsets(of: row, to: &$0) }) + "  "
            line += style.bytes(text { table.appendBytes(of: row, to: &$0) })
            if row.name != "" {
                let name =
                    row.meaning == "" ? row.name : row.name.padded(toColumns: table.nameWidth)
                let words = row.meaning == "" ? name : "\(name)  \(row.meaning.printable)"
                let isValue = row.role == .value || row.role == .structure
                line += "  " + (isValue ? words : style.faint(words))
            }
            console.write(TextColumns.trimmed(line) + "\n")
        }
        if let problem = explanation.problem {
            console.write(margin + style.bad("error: \(problem.printable)") + "\n")
        }
    }

    private static func text(_ append: (inout [UInt8]) -> Void) -> String {
        var bytes: [UInt8] = []
        append(&bytes)
        return String(decoding: bytes, as: UTF8.self)
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
