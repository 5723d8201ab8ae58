import HaloProtocol

/// `halo packets`: everything that can be decoded.
enum PacketsVerb: Verb {
    static let name = "packets"
    static let summary = "lists all commands, records and characteristics that are known"

    static var usage: String {
        """
        usage: halo packets

        Lists what this program knows: opcode, record id or UUID; the name of the type; → where it
        is sent to a device and ← where a device sends it; what it is; and where the knowledge
        comes from: captures of real rings, several sources that agree, notes on the vendor's app,
        or one source.

        """
    }

    static func run(_ arguments: [String], console: inout Console) -> ExitStatus {
        guard arguments.isEmpty else {
            let isHelp = ["--help", "-h"].contains(arguments[0])
            isHelp ? console.write(usage) : console.complain("halo packets takes no arguments")
            return isHelp ? .success : .wrongUsage
        }
        let style = TerminalStyle(isOn: console.usesColour)
        table("Commands, in 16-byte frames", commands, style, to: &console)
        table("\nRecords, in big-data frames", records, style, to: &console)
        table("\nCharacteristics of the Bluetooth SIG", characteristics, style, to: &console)
        return .success
    }

    private struct Row {
        let code: String
        let name: String
        let ways: String
        let title: String
    }

    private static var commands: [Row] {
        CommandCatalog.entries.map { entry in
            Row(
                code: HexText.byte(entry.opcode), name: entry.name.description,
                ways: ways(entry.request != nil, entry.reply != nil),
                title: "\(entry.title) (\(entry.evidence))")
        }
    }

    private static var records: [Row] {
        BigDataCatalog.entries.map { entry in
            let ids = [entry.requestID, entry.replyID].compactMap { $0 }
            let different = ids.first == ids.last ? Array(ids.prefix(1)) : ids
            return Row(
                code: different.map { HexText.byte($0) }.joined(separator: "/"),
                name: entry.name.description,
                ways: ways(entry.request != nil, entry.reply != nil),
                title: "\(entry.title) (\(entry.evidence))")
        }
    }

    private static var characteristics: [Row] {
        CharacteristicCatalog.entries.map { entry in
            Row(
                code: entry.uuid.description, name: entry.name.description, ways: "",
                title: entry.title.description)
        }
    }

    private static func ways(_ isSent: Bool, _ isReceived: Bool) -> String {
        (isSent ? "→" : " ") + (isReceived ? "←" : " ")
    }

    private static func table(
        _ heading: String, _ rows: [Row], _ style: TerminalStyle, to console: inout Console
    ) {
        console.write("\(style.strong(heading))\n")
        let code = rows.map(\.code.count).max() ?? 0
        let name = rows.map(\.name.count).max() ?? 0
        for row in rows {
            let cells = [
                style.bytes(TextColumns.padded(row.code, code)), TextColumns.padded(row.name, name),
                row.ways,
                style.faint(row.title),
            ]
            console.write("  " + cells.filter { $0 != "" }.joined(separator: "  ") + "\n")
        }
    }
}
