import HaloProtocol

/// An input that is not hexadecimal bytes.
struct UnreadableInput: Error {
    let reason: String
}

/// Prints explanations of packets, as tables or as lines of JSON.
struct ExplanationPrinter {
    private let isJSON: Bool
    private var isFirst = true
    /// The texts of lines that were printed before: the packets of a log repeat.
    private var known: [Line: (text: [UInt8], isFault: Bool)] = [:]

    /// A line; it is hashed at once, not byte by byte.
    private struct Line: Hashable {
        let bytes: [UInt8]

        func hash(into hasher: inout Hasher) {
            bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        }
    }

    /// The maximum number of texts that are kept.
    private static let maximumKnown = 4096
    /// The maximum length of a line whose text is kept.
    private static let maximumKnownLength = 64

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
        if !isFirst, !isJSON { console.write("\n") }
        isFirst = false
        console.write(text({ input }, result, console.style))
    }

    /// Prints the explanation of a line, which is made if the line is new.
    mutating func print(
        _ line: [UInt8], to console: inout Console,
        _ explain: ([UInt8]) -> Result<Explanation, UnreadableInput>
    ) {
        let line = Line(bytes: line)
        var known = known[line]
        if known == nil {
            let result = explain(line.bytes)
            let isFault = (try? result.get())?.status != .decoded
            let input = { String(decoding: line.bytes, as: UTF8.self) }
            let new = (text: text(input, result, console.style), isFault: isFault)
            remember(new, of: line)
            known = new
        }
        guard let known else { return }
        if known.isFault { foundFault = true }
        if !isFirst, !isJSON { console.write("\n") }
        isFirst = false
        console.write(known.text)
    }

    private mutating func remember(_ new: (text: [UInt8], isFault: Bool), of line: Line) {
        guard line.bytes.count <= Self.maximumKnownLength else { return }
        if known.count >= Self.maximumKnown { known.removeAll(keepingCapacity: true) }
        known[line] = new
    }

    private func text(
        _ input: () -> String, _ result: Result<Explanation, UnreadableInput>,
        _ style: TerminalStyle
    ) -> [UInt8] {
        if isJSON {
            return Array(
                JSONValue.row("packet", [("input", .string(input()))] + Self.members(result)).utf8)
        }
        switch result {
        case .failure(let error):
            let reason = style.bad("error: \(error.reason)")
            return Array("\(style.strong(input().printable))\n  \(reason)\n".utf8)
        case .success(let explanation):
            var text = Array(style.strong(explanation.heading.printable).utf8)
            text.reserveCapacity(1024)
            text.append(UInt8(ascii: "\n"))
            Self.appendRows(explanation, indentation: 2, style, to: &text)
            return text
        }
    }

    /// Prints a line for each field, and the error if there is one.
    static func printRows(
        _ explanation: Explanation, indentation: Int, to console: inout Console
    ) {
        var text: [UInt8] = []
        appendRows(explanation, indentation: indentation, console.style, to: &text)
        console.write(text)
    }

    private static func appendRows(
        _ explanation: Explanation, indentation: Int, _ style: TerminalStyle,
        to text: inout [UInt8]
    ) {
        let table = ExplanationTable(explanation)
        for row in table.rows {
            ExplanationTable.appendSpaces(indentation, to: &text)
            style.faint(&text) { table.appendOffsets(of: row, to: &$0) }
            ExplanationTable.appendSpaces(2, to: &text)
            style.bytes(&text) { table.appendBytes(of: row, to: &$0) }
            if row.name != "" {
                ExplanationTable.appendSpaces(2, to: &text)
                if row.role == .value || row.role == .structure {
                    appendWords(of: row, in: table, to: &text)
                } else {
                    style.faint(&text) { appendWords(of: row, in: table, to: &$0) }
                }
            }
            while text.last == UInt8(ascii: " ") { text.removeLast() }
            text.append(UInt8(ascii: "\n"))
        }
        if let problem = explanation.problem {
            ExplanationTable.appendSpaces(indentation, to: &text)
            text.append(contentsOf: style.bad("error: \(problem.printable)").utf8)
            text.append(UInt8(ascii: "\n"))
        }
    }

    private static func appendWords(
        of row: ExplanationTable.Row, in table: ExplanationTable, to text: inout [UInt8]
    ) {
        text.append(contentsOf: row.name.utf8)
        guard row.meaning != "" else { return }
        ExplanationTable.appendSpaces(table.nameWidth - row.name.utf8.count + 2, to: &text)
        text.append(contentsOf: row.meaning.printable.utf8)
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
