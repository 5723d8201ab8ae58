import HaloProtocol

enum TextLayout {
    /// A count with its noun: `1 byte`, `2 bytes`.
    static func count(_ count: Int, _ noun: String, _ nouns: String? = nil) -> String {
        "\(count) \(count == 1 ? noun : nouns ?? noun + "s")"
    }

    /// Words in a sentence: `a, b or c`.
    static func alternatives(_ words: [String]) -> String { list(words, " or ") }

    /// Words in a sentence: `a, b and c`.
    static func enumeration(_ words: [String]) -> String { list(words, " and ") }

    private static func list(_ words: [String], _ conjunction: String) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + conjunction + last
    }

    /// The width of a text on a terminal that is not narrower.
    static let widest = 80

    /// The least room for a wrapped text. A terminal without that wraps the lines itself.
    static let leastRoom = 20

    /// The rows of a table as lines, in columns as wide as their widest cell. A last cell that is
    /// too wide for a line goes on below itself, or stands below the others without room there.
    static func lines(of rows: [[String]], width: Int = .max) -> [String] {
        let columns = 0..<(rows.map(\.count).max() ?? 0)
        let widths = columns.map { column in
            rows.map { $0.dropFirst(column).first?.columnCount ?? 0 }.max() ?? 0
        }
        return rows.flatMap { row in
            let start = zip(widths, row.dropLast()).reduce(0) { $0 + $1.0 + 2 }
            let last = row.last ?? ""
            let isBelow = width - start < min(last.columnCount, leastRoom)
            let margin = isBelow ? 6 : start
            let lines = wrapped(last, width: max(width - margin, leastRoom))
            let cells = zip(row, widths).map { $0.padded(toColumns: $1) }.dropLast()
            let first = isBelow ? cells : cells + lines.prefix(1)
            return [TextColumns.trimmed(first.joined(separator: "  "))]
                + lines.dropFirst(isBelow ? 0 : 1).map {
                    String(repeating: " ", count: margin) + $0
                }
        }
    }

    /// A text in lines of at most `width` columns, between words; a text with room as it is.
    static func wrapped(_ text: String, width: Int) -> [String] {
        text.columnCount <= width
            ? [text] : wrapped(text.split(separator: " "), separator: " ", width: width)
    }

    /// Parts with separators between, on lines of at most `width` columns.
    ///
    /// A longer part begins a line, and is wrapped between its words. A longer word stays whole, so
    /// that an address can be copied.
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
                let words = part.columnCount > width ? part.split(separator: " ") : []
                lines +=
                    words.count > 1
                    ? wrapped(words, separator: " ", width: width) : [part]
            }
        }
        return lines
    }
}
