import HaloCapture
import HaloDevices
import HaloProtocol

/// The colours of text on a terminal, or none.
struct TerminalStyle {
    /// `true` if texts get colours.
    let isOn: Bool

    /// A heading.
    func strong(_ text: String) -> String { wrapped(text, "1") }
    /// Bytes of a packet.
    func bytes(_ text: String) -> String { wrapped(text, "36") }
    /// Less important text.
    func faint(_ text: String) -> String { wrapped(text, "2") }
    /// An error.
    func bad(_ text: String) -> String { wrapped(text, "31") }
    /// A success.
    func good(_ text: String) -> String { wrapped(text, "32") }
    /// A warning.
    func doubtful(_ text: String) -> String { wrapped(text, "33") }

    /// A heart.
    func heart(_ text: String) -> String { wrapped(text, "31") }
    /// Steps.
    func steps(_ text: String) -> String { wrapped(text, "32") }

    /// Text about a heart rate.
    func heartRate(_ text: String, _ beatsPerMinute: Int) -> String {
        guard isOn, text != "" else { return text }
        return TextStyle.heartRate(Double(beatsPerMinute)).escapeSequence + text + TextStyle.reset
    }

    /// Text about a sleep stage: the deeper the sleep, the darker the colour.
    func sleep(_ text: String, _ stage: SleepRecord.Stage) -> String {
        switch stage {
        case .awake: wrapped(text, "33")
        case .rem: wrapped(text, "35")
        case .light: wrapped(text, "36")
        case .deep: wrapped(text, "34")
        case .unclassified: text
        }
    }

    /// Bytes of a packet, which a function appends.
    func bytes(_ text: inout [UInt8], _ append: (inout [UInt8]) -> Void) {
        wrap(&text, "36", append)
    }

    /// Less important text, which a function appends.
    func faint(_ text: inout [UInt8], _ append: (inout [UInt8]) -> Void) {
        wrap(&text, "2", append)
    }

    private func wrap(
        _ text: inout [UInt8], _ code: StaticString, _ append: (inout [UInt8]) -> Void
    ) {
        guard isOn else { return append(&text) }
        text.append(contentsOf: "\u{1B}[\(code)m".utf8)
        append(&text)
        text.append(contentsOf: "\u{1B}[0m".utf8)
    }

    private func wrapped(_ text: String, _ code: String) -> String {
        isOn && text != "" ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}

extension TextStyle {
    /// The colour of a heart rate: the higher it is, the warmer.
    static func heartRate(_ beatsPerMinute: Double) -> TextStyle {
        switch beatsPerMinute {
        case ..<65: .blue
        case ..<90: .cyan
        case ..<120: .yellow
        default: .red
        }
    }
}

extension String {
    /// The text with U+FFFD in place of every character that controls a terminal.
    var printable: String {
        let isPlain = utf8.withContiguousStorageIfAvailable { text in
            text.allSatisfy { 0x20..<0x7F ~= $0 }
        }
        if isPlain == true { return self }
        return String(unicodeScalars.map { $0.controlsTerminal ? "\u{FFFD}" : Character($0) })
    }

    /// The digits with fillers before them, up to a width.
    func rightAligned(_ width: Int, filler: Character = " ") -> String {
        String(repeating: filler, count: Swift.max(width - count, 0)) + self
    }
}

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
