import HaloProtocol

/// `halo packets`: lists everything that can be decoded.
struct PacketsVerb: Verb {
    static let name = "packets"
    static let summary = "lists all known commands, records and characteristics"

    static let synopsis = "halo packets"

    static let details = """
        Prints a line for each command, record and characteristic: its opcode, record id or UUID;
        the name of its type; → if it is sent to a device, ← if a device sends it; its title; and
        its evidence: captures of real rings, several sources that agree, notes on the vendor's
        app, or one source.

        Exit status: 0; 2 for wrong usage.
        """

    init(_ arguments: inout ArgumentReader) throws(ArgumentError) {
        if let option = try arguments.next() { throw .unknown(option) }
        try arguments.refuseWordsAndCommand()
    }

    func run(_ console: inout Console) -> ExitStatus {
        Self.print("Commands, in 16-byte frames", Self.commands, to: &console)
        Self.print("\nRecords, in big-data frames", Self.records, to: &console)
        Self.print("\nCharacteristics of the Bluetooth SIG", Self.characteristics, to: &console)
        return .success
    }

    private struct Row {
        let code: String
        let name: String
        let directions: String
        let title: String
    }

    private static var commands: [Row] {
        CommandCatalog.entries.map { entry in
            Row(
                code: HexText.byte(entry.opcode), name: entry.name.description,
                directions: directions(entry.request != nil, entry.reply != nil),
                title: "\(entry.facts.title) (\(entry.facts.evidence))")
        }
    }

    private static var records: [Row] {
        BigDataCatalog.entries.map { entry in
            let ids = [entry.requestID, entry.replyID].compactMap { $0 }
            let different = ids.first == ids.last ? Array(ids.prefix(1)) : ids
            return Row(
                code: different.map { HexText.byte($0) }.joined(separator: "/"),
                name: entry.name.description,
                directions: directions(entry.request != nil, entry.reply != nil),
                title: "\(entry.facts.title) (\(entry.facts.evidence))")
        }
    }

    private static var characteristics: [Row] {
        CharacteristicCatalog.entries.map { entry in
            Row(
                code: entry.uuid.description, name: entry.name.description, directions: "",
                title: entry.title.description)
        }
    }

    private static func directions(_ isSent: Bool, _ isReceived: Bool) -> String {
        (isSent ? "→" : " ") + (isReceived ? "←" : " ")
    }

    private static func print(_ heading: String, _ rows: [Row], to console: inout Console) {
        let style = console.style
        console.write("\(style.strong(heading))\n")
        let code = rows.map(\.code.count).max() ?? 0
        let name = rows.map(\.name.count).max() ?? 0
        for row in rows {
            let cells = [
                style.bytes(TextColumns.padded(row.code, code)), TextColumns.padded(row.name, name),
                row.directions, style.faint(row.title),
            ]
            console.write("  " + cells.filter { $0 != "" }.joined(separator: "  ") + "\n")
        }
    }
}
