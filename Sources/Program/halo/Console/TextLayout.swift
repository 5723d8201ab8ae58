import HaloProtocol

/// Wording and layout that several verbs share.
enum TextLayout {
    /// A count with its noun: `1 byte`, `2 bytes`.
    static func count(_ count: Int, _ noun: String) -> String {
        "\(count) \(noun)\(count == 1 ? "" : "s")"
    }

    /// Words in a sentence: `a, b or c`.
    static func alternatives(_ words: [String]) -> String { list(words, " or ") }

    /// Words in a sentence: `a, b and c`.
    static func enumeration(_ words: [String]) -> String { list(words, " and ") }

    private static func list(_ words: [String], _ conjunction: String) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + conjunction + last
    }

    /// The rows of a table as lines, in columns as wide as their widest cell.
    static func lines(of rows: [[String]]) -> [String] {
        let columns = 0..<(rows.map(\.count).max() ?? 0)
        let widths = columns.map { column in
            rows.map { $0.dropFirst(column).first?.columnCount ?? 0 }.max() ?? 0
        }
        return rows.map { row in
            let cells = zip(row, widths).map { $0.padded(toColumns: $1) }
            return TextColumns.trimmed(cells.joined(separator: "  "))
        }
    }

    /// Parts with separators between, on lines of at most `width` columns.
    ///
    /// A longer part has a line of its own and stays whole, so that an address can be copied.
    static func wrapped(
        _ parts: some Sequence<some StringProtocol>, separator: String, width: Int
    ) -> [String] {
        var lines: [String] = []
        for part in parts {
            let part = String(part)
            if let last = lines.last,
                last.columnCount + separator.columnCount + part.columnCount <= width
            {
                lines[lines.count - 1] = last + separator + part
            } else {
                lines.append(part)
            }
        }
        return lines
    }
}
