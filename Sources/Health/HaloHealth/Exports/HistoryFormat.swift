internal import HaloProtocol

/// The text format of an export, with its rules for text that is not the package's own.
enum HistoryFormat: Sendable {
    case csv
    case jsonLines
    case influx

    /// A name of words with underscores as JSON has it: `minutesAsleep`, `endUTC`, `lowestBPM`.
    static func inCamelCase(_ name: String) -> String {
        let words = name.split(separator: "_")
        return words.dropFirst().reduce(words.first.map(String.init) ?? "") { name, word in
            let isAbbreviation = word == "utc" || word == "bpm" || word == "rem"
            return name + (isAbbreviation ? word.uppercased() : word.capitalizedFirst)
        }
    }

    func written(_ text: String) -> [UInt8] {
        switch self {
        case .csv: Self.csv(text)
        case .jsonLines: Self.json(text)
        case .influx: Self.influx(text)
        }
    }

    /// Quotes as RFC 4180 does. Unprintable characters become spaces. A text that a spreadsheet
    /// would take for a formula gets an apostrophe before it.
    private static func csv(_ text: String) -> [UInt8] {
        let text = PrintableText.printable(text, substitute: " ")
        let formulas: [Character] = ["=", "+", "-", "@", "＝", "＋", "－", "＠"]
        let isFormula = text.first { $0 != " " }.map(formulas.contains) ?? false
        let cell = isFormula ? "'" + text : text
        let isPlain = cell.utf8.allSatisfy { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "\"") }
        if isPlain, !isFormula, cell.first != " ", cell.last != " " { return Array(cell.utf8) }
        var bytes = [UInt8(ascii: "\"")]
        for byte in cell.utf8 {
            if byte == UInt8(ascii: "\"") { bytes.append(byte) }
            bytes.append(byte)
        }
        return bytes + [UInt8(ascii: "\"")]
    }

    /// Quotes as JSON does. All unprintable characters are escaped: terminals obey some of them.
    private static func json(_ text: String) -> [UInt8] {
        var json = "\""
        PrintableText.forEachScalar(of: text) { scalar, isPrintable in
            switch scalar {
            case "\"": json += "\\\""
            case "\\": json += "\\\\"
            case _ where isPrintable: json.unicodeScalars.append(scalar)
            default: PrintableText.appendJSONEscape(scalar, to: &json)
            }
        }
        return Array((json + "\"").utf8)
    }

    /// Escapes commas, equals signs and spaces. Line protocol has no way to write a line break in
    /// a tag, nor a backslash before one of these: they become spaces and slashes.
    private static func influx(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        for byte in PrintableText.printable(text, substitute: " ").utf8 {
            switch byte {
            case UInt8(ascii: "\\"): bytes.append(UInt8(ascii: "/"))
            case UInt8(ascii: ","), UInt8(ascii: "="), UInt8(ascii: " "):
                bytes += [UInt8(ascii: "\\"), byte]
            default: bytes.append(byte)
            }
        }
        return bytes
    }
}

extension Substring {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
