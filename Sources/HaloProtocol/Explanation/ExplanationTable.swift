#if !hasFeature(Embedded)
/// An explanation in rows and columns, without colours.
package struct ExplanationTable {
    /// A row of the table.
    package struct Row {
        /// The offsets of the bytes in the row.
        package var offsets: String
        /// The bytes of the row in hexadecimal, at most eight.
        package var bytes: String
        /// The name of the field; empty in further rows of a long field.
        package var name: String
        /// The meaning of the field.
        package var meaning: String
        /// The role of the field in its packet.
        package var role: FieldRole
    }

    /// The rows in the order of the bytes.
    package let rows: [Row]

    private static let bytesPerRow = 8

    /// Creates the table of an explanation.
    package init(_ explanation: Explanation) {
        let bytes = explanation.bytes
        var rows: [Row] = []
        for field in explanation.fields {
            let end = min(field.offset + field.length, bytes.count)
            var start = min(field.offset, end)
            var isFirst = true
            repeat {
                let next = min(start + Self.bytesPerRow, end)
                rows.append(
                    Row(
                        offsets: Self.offsets(start, next),
                        bytes: HexText.bytes(bytes[start..<next], separator: " "),
                        name: isFirst ? field.name : "",
                        meaning: isFirst ? Self.meaning(field, bytes[start..<end]) : "",
                        role: field.role))
                isFirst = false
                start = next
            } while start < end
        }
        let widths = (
            rows.map(\.offsets.count).max() ?? 0, rows.map(\.bytes.count).max() ?? 0,
            rows.map(\.name.count).max() ?? 0
        )
        self.rows = rows.map { row in
            var row = row
            row.offsets = TextColumns.padded(row.offsets, widths.0)
            row.bytes = TextColumns.padded(row.bytes, widths.1)
            if row.meaning != "" { row.name = TextColumns.padded(row.name, widths.2) }
            return row
        }
    }

    private static func meaning(_ field: DecodedField, _ bytes: ArraySlice<UInt8>) -> String {
        if field.role != .unclaimed { return field.meaning }
        return bytes.allSatisfy { $0 == 0 } ? "zero" : "?"
    }

    /// Returns the range of offsets in decimal, from 0: `4–7`, or `4` for one byte.
    private static func offsets(_ start: Int, _ end: Int) -> String {
        end - start > 1 ? "\(start)–\(end - 1)" : "\(start)"
    }
}

/// Text in columns for tables in a terminal.
package enum TextColumns {
    /// Returns the text with trailing spaces up to a width.
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
        for row in ExplanationTable(self).rows {
            let cells = row.name == "" ? [] : [row.name] + (row.meaning == "" ? [] : [row.meaning])
            let text = ([row.offsets, row.bytes] + cells).joined(separator: "  ")
            lines.append("  " + TextColumns.trimmed(text))
        }
        if let problem { lines.append("  error: \(problem)") }
        return lines.joined(separator: "\n")
    }

    /// The name and the title of the packet.
    public var heading: String {
        packet.map { "\($0): \(title)" } ?? title
    }
}
#endif
