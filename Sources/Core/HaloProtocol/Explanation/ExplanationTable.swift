#if !hasFeature(Embedded)
/// An explanation in rows and columns, without colours.
package struct ExplanationTable {
    package struct Row {
        /// The range of the row's offsets in decimal, from 0, as wide as the widest: `4–7`, or `4`
        /// for one byte.
        package fileprivate(set) var offsets: String
        /// The row's bytes in hexadecimal, at most eight, as wide as the widest.
        package fileprivate(set) var bytes: String
        /// The name of the field; empty in further rows of a long field.
        package let name: String
        /// The meaning of the field; empty in further rows of a long field.
        package let meaning: String
        package let role: FieldRole
    }

    package private(set) var rows: [Row] = []
    package private(set) var nameWidth = 0

    private static let bytesPerRow = 8

    package init(_ explanation: Explanation) {
        let bytes = explanation.bytes
        rows.reserveCapacity(explanation.fields.count + 2)
        for field in explanation.fields {
            let end = min(field.offset + field.length, bytes.count)
            let start = min(field.offset, end)
            append(
                bytes[start..<min(start + Self.bytesPerRow, end)], field.name,
                Self.meaning(field, bytes[start..<end]), field.role)
            for next in stride(from: start + Self.bytesPerRow, to: end, by: Self.bytesPerRow) {
                append(bytes[next..<min(next + Self.bytesPerRow, end)], "", "", field.role)
            }
        }
        let offsetsWidth = rows.map { $0.offsets.count }.max() ?? 0
        let bytesWidth = rows.map { $0.bytes.count }.max() ?? 0
        for index in rows.indices {
            rows[index].offsets = TextColumns.padded(rows[index].offsets, offsetsWidth)
            rows[index].bytes = TextColumns.padded(rows[index].bytes, bytesWidth)
        }
    }

    private mutating func append(
        _ bytes: ArraySlice<UInt8>, _ name: String, _ meaning: String, _ role: FieldRole
    ) {
        // The names of fields are ASCII.
        nameWidth = max(nameWidth, name.utf8.count)
        let first = bytes.startIndex
        rows.append(
            Row(
                offsets: bytes.count > 1 ? "\(first)–\(bytes.endIndex - 1)" : "\(first)",
                bytes: HexText.bytes(bytes, separator: " "), name: name, meaning: meaning,
                role: role))
    }

    /// Returns the meaning of a field; for unclaimed bytes whether they are all zero.
    private static func meaning(_ field: DecodedField, _ bytes: ArraySlice<UInt8>) -> String {
        if field.role != .unclaimed { return field.meaning }
        return bytes.allSatisfy { $0 == 0 } ? "zero" : "?"
    }
}

/// Text in columns for tables in a terminal.
package enum TextColumns {
    package static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(width - text.count, 0))
    }

    /// Returns the text without trailing spaces.
    package static func trimmed(_ text: String) -> String {
        var rest = text[...]
        while rest.last == " " { rest.removeLast() }
        return String(rest)
    }
}

extension Explanation: CustomStringConvertible {
    /// The table as text: a line for each field with its offsets, bytes, name and meaning.
    public var description: String {
        var lines = [heading]
        let table = ExplanationTable(self)
        for row in table.rows {
            let name = row.meaning == "" ? row.name : TextColumns.padded(row.name, table.nameWidth)
            let cells = [row.offsets, row.bytes, name, row.meaning]
            lines.append("  " + TextColumns.trimmed(cells.joined(separator: "  ")))
        }
        if let problem { lines.append("  error: \(problem)") }
        return lines.joined(separator: "\n")
    }

    /// The name and the title of the packet.
    package var heading: String {
        packet.map { "\($0): \(title)" } ?? title
    }
}
#endif
