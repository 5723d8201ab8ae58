#if !hasFeature(Embedded)
/// An explanation in rows and columns, without colours, as UTF-8.
package struct ExplanationTable {
    package struct Row {
        /// The positions of the row's bytes, at most eight.
        fileprivate let positions: Range<Int>
        /// The name of the field; empty in further rows of a long field.
        package let name: String
        /// The meaning of the field; empty in further rows of a long field.
        package let meaning: String
        package let role: FieldRole
    }

    package private(set) var rows: [Row] = []
    package private(set) var nameWidth = 0

    private let bytes: [UInt8]
    private var offsetsWidth = 0
    private var bytesWidth = 0

    private static let bytesPerRow = 8

    package init(_ explanation: Explanation) {
        bytes = explanation.bytes
        rows.reserveCapacity(explanation.fields.count + 2)
        for field in explanation.fields {
            let end = min(field.offset + field.length, bytes.count)
            let start = min(field.offset, end)
            append(
                start..<min(start + Self.bytesPerRow, end), field.name,
                Self.meaning(field, bytes[start..<end]), field.role)
            for next in stride(from: start + Self.bytesPerRow, to: end, by: Self.bytesPerRow) {
                append(next..<min(next + Self.bytesPerRow, end), "", "", field.role)
            }
        }
    }

    private mutating func append(
        _ positions: Range<Int>, _ name: String, _ meaning: String, _ role: FieldRole
    ) {
        offsetsWidth = max(offsetsWidth, Self.offsetsWidth(positions))
        bytesWidth = max(bytesWidth, positions.count * 3 - 1)
        // The names of fields are ASCII.
        nameWidth = max(nameWidth, name.utf8.count)
        rows.append(Row(positions: positions, name: name, meaning: meaning, role: role))
    }

    private static func meaning(_ field: DecodedField, _ bytes: ArraySlice<UInt8>) -> String {
        if field.role != .unclaimed { return field.meaning }
        return bytes.allSatisfy { $0 == 0 } ? "zero" : "?"
    }

    // MARK: Cells

    /// Appends the range of a row's offsets in decimal, from 0: `4–7`, or `4` for one byte.
    package func appendOffsets(of row: Row, to text: inout [UInt8]) {
        let positions = row.positions
        Self.append(positions.lowerBound, to: &text)
        if positions.count > 1 {
            text.append(contentsOf: "–".utf8)
            Self.append(positions.upperBound - 1, to: &text)
        }
        Self.appendSpaces(offsetsWidth - Self.offsetsWidth(positions), to: &text)
    }

    /// Appends a row's bytes in hexadecimal.
    package func appendBytes(of row: Row, to text: inout [UInt8]) {
        var isFirst = true
        for byte in bytes[row.positions] {
            if !isFirst { text.append(UInt8(ascii: " ")) }
            isFirst = false
            text.append(HexText.digit(byte >> 4))
            text.append(HexText.digit(byte))
        }
        Self.appendSpaces(bytesWidth - max(row.positions.count * 3 - 1, 0), to: &text)
    }

    package static func appendSpaces(_ count: Int, to text: inout [UInt8]) {
        for _ in 0..<max(count, 0) { text.append(UInt8(ascii: " ")) }
    }

    private static func append(_ number: Int, to text: inout [UInt8]) {
        if number >= 10 { append(number / 10, to: &text) }
        text.append(UInt8(ascii: "0") + UInt8(number % 10))
    }

    private static func offsetsWidth(_ positions: Range<Int>) -> Int {
        let width = digitCount(positions.lowerBound)
        return positions.count > 1 ? width + 1 + digitCount(positions.upperBound - 1) : width
    }

    private static func digitCount(_ number: Int) -> Int {
        number < 10 ? 1 : 1 + digitCount(number / 10)
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
            var text: [UInt8] = []
            table.appendOffsets(of: row, to: &text)
            ExplanationTable.appendSpaces(2, to: &text)
            table.appendBytes(of: row, to: &text)
            let name = row.meaning == "" ? row.name : TextColumns.padded(row.name, table.nameWidth)
            let cells = [String(decoding: text, as: UTF8.self), name, row.meaning]
            lines.append("  " + TextColumns.trimmed(cells.joined(separator: "  ")))
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
