import HaloProtocol

struct PacketsVerb: Verb {
    static let syntax = VerbSyntax(
        "packets", "lists all known commands, records and characteristics", forms: ["[WORD …]"],
        json: "one JSON object a line: type (command, record, characteristic), code, name, "
            + "isSent, isReceived, title, evidence",
        difference: "no packet matches",
        examples: [
            "halo packets",
            "halo packets heart rate",
        ],
        """
        Prints a line for each command, record and characteristic: its opcode, record id or UUID;
        the name of its type; → if it is sent to a device, ← if a device sends it; its title; and
        its evidence: captures of real rings, several sources that agree, notes on the vendor's
        app, or one source. With words, only the lines that have all of them.
        """)

    private let words: [String]

    init(_ arguments: ParsedArguments) throws(Failure) {
        words = arguments.allWords.map { word in
            let text = word.text.lowercased()
            return text.hasPrefix("0x") ? String(text.dropFirst(2)) : text
        }
    }

    func run(_ console: inout Console) -> ExitStatus {
        let tables = [
            ("command", "Commands, in 16-byte frames", Self.commands),
            ("record", "Records, in big-data frames", Self.records),
            (
                "characteristic", "Characteristics of the Bluetooth SIG", Self.characteristics
            ),
        ].map { type, heading, rows in (type, heading, rows.filter { $0.has(words) }) }
            .filter { !$0.2.isEmpty }
        guard !tables.isEmpty else {
            let words = words.joined(separator: " ")
            return console.report(Failure(.difference, "no packet matches '\(words)'"))
        }
        for (index, (type, heading, rows)) in tables.enumerated() {
            if console.isJSON {
                for row in rows { console.write(type: type, row.members) }
            } else {
                Self.print(index == 0 ? heading : "\n" + heading, rows, to: &console)
            }
        }
        return .success
    }

    private struct Row {
        let code: String
        let name: String
        var isSent: Bool?
        var isReceived: Bool?
        let title: String
        var evidence: String?

        func has(_ words: [String]) -> Bool {
            let text = "\(code) \(name) \(title) \(evidence ?? "")".lowercased()
            return words.allSatisfy { text.contains($0) }
        }

        var directions: String {
            guard let isSent, let isReceived else { return "" }
            return (isSent ? "→" : " ") + (isReceived ? "←" : " ")
        }

        var members: JSONObject {
            [
                "code": code, "name": name, "isSent": isSent, "isReceived": isReceived,
                "title": title, "evidence": evidence,
            ]
        }
    }

    private static var commands: [Row] {
        CommandCatalog.entries.map { entry in
            Row(
                code: HexText.byte(entry.opcode), name: entry.name.description,
                isSent: entry.request != nil, isReceived: entry.reply != nil,
                title: "\(entry.facts.title)", evidence: "\(entry.facts.evidence)")
        }
    }

    private static var records: [Row] {
        BigDataCatalog.entries.map { entry in
            let ids = [entry.requestID, entry.replyID].compactMap { $0 }
            let different = ids.first == ids.last ? Array(ids.prefix(1)) : ids
            return Row(
                code: different.map { HexText.byte($0) }.joined(separator: "/"),
                name: entry.name.description,
                isSent: entry.request != nil, isReceived: entry.reply != nil,
                title: "\(entry.facts.title)", evidence: "\(entry.facts.evidence)")
        }
    }

    private static var characteristics: [Row] {
        CharacteristicCatalog.entries.map { entry in
            Row(
                code: entry.uuid.description, name: entry.name.description,
                title: entry.title.description)
        }
    }

    private static func print(_ heading: String, _ rows: [Row], to console: inout Console) {
        let style = console.style
        console.write("\(style.strong(heading))\n")
        let code = rows.map(\.code.count).max() ?? 0
        let name = rows.map(\.name.count).max() ?? 0
        for row in rows {
            let cells = [TextColumns.padded(row.name, name), row.directions].filter { $0 != "" }
            let head = "  " + TextColumns.padded(row.code, code) + "  "
            let middle = cells.joined(separator: "  ")
            let title = row.title + (row.evidence.map { " (\($0))" } ?? "")
            let lines = TextLayout.lines(of: [[head + middle, title]], width: console.tableWidth)
            let rest = String((lines.first ?? "").dropFirst(head.count + middle.count))
            console.write(style.bytes(head) + middle + style.faint(rest) + "\n")
            for line in lines.dropFirst() { console.write(style.faint(line) + "\n") }
        }
    }
}
