import HaloProtocol

/// `halo packets`: lists everything that can be decoded.
struct PacketsVerb: Verb {
    static let syntax = VerbSyntax(
        "packets", "lists all known commands, records and characteristics",
        json: "one JSON object a line: type (command, record, characteristic), code, name, "
            + "isSent, isReceived, title, evidence",
        """
        Prints a line for each command, record and characteristic: its opcode, record id or UUID;
        the name of its type; → if it is sent to a device, ← if a device sends it; its title; and
        its evidence: captures of real rings, several sources that agree, notes on the vendor's
        app, or one source.
        """)

    init(_ arguments: ParsedArguments) throws(ArgumentError) {
        try arguments.refuseWords()
    }

    func run(_ console: inout Console) -> ExitStatus {
        if console.isJSON {
            for row in Self.commands { console.write(type: "command", row.members) }
            for row in Self.records { console.write(type: "record", row.members) }
            for row in Self.characteristics { console.write(type: "characteristic", row.members) }
            return .success
        }
        Self.print("Commands, in 16-byte frames", Self.commands, to: &console)
        Self.print("\nRecords, in big-data frames", Self.records, to: &console)
        Self.print("\nCharacteristics of the Bluetooth SIG", Self.characteristics, to: &console)
        return .success
    }

    private struct Row {
        let code: String
        let name: String
        var isSent: Bool?
        var isReceived: Bool?
        let title: String
        var evidence: String?

        /// Arrows for the directions.
        var directions: String {
            guard let isSent, let isReceived else { return "" }
            return (isSent ? "→" : " ") + (isReceived ? "←" : " ")
        }

        var members: JSONValue.Members {
            [
                ("code", .string(code)), ("name", .string(name)),
                ("isSent", isSent.map { .boolean($0) } ?? .null),
                ("isReceived", isReceived.map { .boolean($0) } ?? .null),
                ("title", .string(title)), ("evidence", .text(evidence)),
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
            let cells = [
                style.bytes(TextColumns.padded(row.code, code)), TextColumns.padded(row.name, name),
                row.directions, style.faint(row.title + (row.evidence.map { " (\($0))" } ?? "")),
            ]
            console.write("  " + cells.filter { $0 != "" }.joined(separator: "  ") + "\n")
        }
    }
}
