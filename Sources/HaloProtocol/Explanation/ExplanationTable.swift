#if !hasFeature(Embedded)
/// An explanation as rows and columns, before anyone decides on colours.
package struct ExplanationTable {
    /// A line of the table.
    package struct Row {
        /// Where the bytes of the line are.
        package var place: String
        /// The bytes of the line, at most eight.
        package var bytes: String
        /// The field's name; empty on the further lines of a long field.
        package var name: String
        /// What the field means.
        package var meaning: String
        /// What the field is to its packet.
        package var role: FieldRole
    }

    /// The lines, in the order of the bytes.
    package let rows: [Row]

    private static let bytesPerRow = 8

    /// The table of an explanation.
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
                        place: Self.place(start, next, of: bytes.count),
                        bytes: HexText.bytes(bytes[start..<next], separator: " "),
                        name: isFirst ? field.name : "",
                        meaning: isFirst ? Self.meaning(field, bytes[start..<end]) : "",
                        role: field.role))
                isFirst = false
                start = next
            } while start < end
        }
        let widths = (
            rows.map(\.place.count).max() ?? 0, rows.map(\.bytes.count).max() ?? 0,
            rows.map(\.name.count).max() ?? 0
        )
        self.rows = rows.map { row in
            var row = row
            row.place = TextColumns.padded(row.place, widths.0)
            row.bytes = TextColumns.padded(row.bytes, widths.1)
            if row.meaning != "" { row.name = TextColumns.padded(row.name, widths.2) }
            return row
        }
    }

    private static func meaning(_ field: DecodedField, _ bytes: ArraySlice<UInt8>) -> String {
        if field.role != .unclaimed { return field.meaning }
        return bytes.allSatisfy { $0 == 0 } ? "zero" : "?"
    }

    /// Places are counted in decimal, from 0; a run is written with its last byte.
    private static func place(_ start: Int, _ end: Int, of count: Int) -> String {
        end - start > 1 ? "\(start)–\(end - 1)" : "\(start)"
    }
}
#endif
