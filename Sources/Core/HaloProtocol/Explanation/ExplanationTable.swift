#if !hasFeature(Embedded)
/// An explanation in rows and columns, without colours.
package struct ExplanationTable {
    package struct Row {
        /// The positions of the row's bytes, at most eight.
        fileprivate let positions: Range<Int>
        /// The name of the field; empty in further rows of a long field.
        package let name: String
        /// The meaning of the field; empty in further rows of a long field.
        package let meaning: String
        package let role: FieldRole

        fileprivate var offsetsWidth: Int {
            let width = Self.digitCount(positions.lowerBound)
            return positions.count > 1
                ? width + 1 + Self.digitCount(positions.upperBound - 1) : width
        }

        private static func digitCount(_ number: Int) -> Int {
            number < 10 ? 1 : 1 + digitCount(number / 10)
        }
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
        // The names of fields are ASCII.
        nameWidth = max(nameWidth, name.utf8.count)
        let row = Row(positions: positions, name: name, meaning: meaning, role: role)
        offsetsWidth = max(offsetsWidth, row.offsetsWidth)
        bytesWidth = max(bytesWidth, positions.count * 3 - 1)
        rows.append(row)
    }

    /// Appends the range of a row's offsets in decimal, from 0, as wide as the widest: `4–7`, or
    /// `4` for one byte.
    package func appendOffsets(of row: Row, to text: inout [UInt8]) {
        Self.append(row.positions.lowerBound, to: &text)
        if row.positions.count > 1 {
            text.append(contentsOf: "–".utf8)
            Self.append(row.positions.upperBound - 1, to: &text)
        }
        Self.appendSpaces(offsetsWidth - row.offsetsWidth, to: &text)
    }

    /// Appends the bytes of a row in hexadecimal, as wide as the widest.
    package func appendBytes(of row: Row, to text: inout [UInt8]) {
        let end = text.count + bytesWidth
        for byte in bytes[row.positions] {
            text.append(HexText.digit(byte >> 4))
            text.append(HexText.digit(byte))
            if text.count < end { text.append(UInt8(ascii: " ")) }
        }
        Self.appendSpaces(end - text.count, to: &text)
    }

    private static func append(_ number: Int, to text: inout [UInt8]) {
        if number >= 10 { append(number / 10, to: &text) }
        text.append(UInt8(ascii: "0") + UInt8(number % 10))
    }

    package static func appendSpaces(_ count: Int, to text: inout [UInt8]) {
        for _ in 0..<max(count, 0) { text.append(UInt8(ascii: " ")) }
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
            var text: [UInt8] = []
            table.appendOffsets(of: row, to: &text)
            ExplanationTable.appendSpaces(2, to: &text)
            table.appendBytes(of: row, to: &text)
            let name = TextColumns.padded(row.name, table.nameWidth)
            let cells = [String(decoding: text, as: UTF8.self), name, row.meaning]
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
