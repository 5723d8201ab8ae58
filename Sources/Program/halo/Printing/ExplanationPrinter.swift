import HaloProtocol

/// What was printed for lines that came more than once: the packets of a log repeat.
private struct KnownLines {
    private struct Slot {
        var hash = 0
        /// The line of this hash that came a second time, and its output.
        var known: (line: [UInt8], output: [UInt8])?
    }

    private var slots = [Slot](repeating: Slot(), count: Self.slotCount)

    private static let slotCount = 4096
    /// The maximum length of a line whose output is kept.
    private static let maximumLength = 64

    func output(for line: [UInt8]) -> [UInt8]? {
        let known = slots[Self.slot(Self.hash(line))].known
        return known?.line == line ? known?.output : nil
    }

    /// Notes that a line has come; its output is kept if it has come before.
    mutating func note(_ line: [UInt8], _ output: [UInt8]) {
        guard line.count <= Self.maximumLength else { return }
        let hash = Self.hash(line)
        let slot = Self.slot(hash)
        if slots[slot].hash == hash {
            slots[slot].known = (line, output)
        } else {
            slots[slot] = Slot(hash: hash)
        }
    }

    private static func hash(_ line: [UInt8]) -> Int {
        var hasher = Hasher()
        line.withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }

    private static func slot(_ hash: Int) -> Int {
        Int(UInt(bitPattern: hash) % UInt(slotCount))
    }
}

struct ExplanationPrinter {
    private var isFirst = true
    private var known = KnownLines()
    /// The text of one input; kept for its memory.
    private var text: [UInt8] = []

    private(set) var foundFault = false

    mutating func print(
        _ input: String, _ meaning: InputMeaning, to console: inout Console
    ) {
        write(output(of: meaning, console) { input }, to: &console)
    }

    /// Prints the explanation of a line, which is made unless the line was explained before.
    mutating func print(
        _ line: [UInt8], to console: inout Console, _ explain: ([UInt8]) -> InputMeaning
    ) {
        if let output = known.output(for: line) {
            write(output, to: &console)
        } else {
            let output = output(of: explain(line), console) {
                String(decoding: line, as: UTF8.self)
            }
            write(output, to: &console)
            known.note(line, output)
        }
    }

    private mutating func write(_ output: [UInt8], to console: inout Console) {
        if !isFirst, !console.isJSON { console.write("\n") }
        isFirst = false
        console.write(output)
    }

    private mutating func output(
        of meaning: InputMeaning, _ console: Console, _ input: () -> String
    ) -> [UInt8] {
        text.removeAll(keepingCapacity: true)
        let style = console.style
        switch meaning {
        case .explained(let explanation) where explanation.status == .decoded: break
        case .explained, .unreadable: foundFault = true
        }
        switch meaning {
        case _ where console.isJSON:
            let members = ["input": input()] + Self.members(meaning)
            text.append(contentsOf: members.row("packet").utf8)
        case .unreadable(let reason):
            let error = style.bad("error: \(reason)")
            text.append(contentsOf: "\(style.strong(input().printable))\n  \(error)\n".utf8)
        case .explained(let explanation):
            text.append(contentsOf: style.strong(explanation.heading.printable).utf8)
            text.append(UInt8(ascii: "\n"))
            Self.appendRows(explanation, indentation: 2, style, to: &text)
        }
        return text
    }

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

    static func members(_ meaning: InputMeaning) -> JSONObject {
        switch meaning {
        case .unreadable(let reason):
            return [
                "status": "refused", "kind": String?.none, "packet": String?.none,
                "fields": [JSONObject](), "reencoded": String?.none, "error": reason,
            ]
        case .explained(let explanation):
            let status =
                switch explanation.status {
                case .decoded: "decoded"
                case .refused: "refused"
                case .unknown: "unknown"
                }
            return [
                "status": status, "kind": explanation.kind?.name,
                "packet": explanation.packet?.description,
                "fields": JSONObject.list(explanation.fields) { members($0, explanation.bytes) },
                "reencoded": explanation.reencoded.map { HexText.bytes($0) },
                "error": explanation.problem,
            ]
        }
    }

    private static func members(_ field: DecodedField, _ bytes: [UInt8]) -> JSONObject {
        let value: any JSONValue
        switch field.value {
        case .integer(let number) where number <= JSONObject.largestExactNumber:
            value = number
        default:
            let end = min(field.offset + field.length, bytes.count)
            value = HexText.bytes(bytes[min(field.offset, end)..<end])
        }
        return [
            "name": field.name, "offset": field.offset, "length": field.length, "value": value,
            "meaning": field.meaning,
        ]
    }
}
