/// The text format of an export, with its rules for text that is not the package's own.
enum HistoryFormat: Sendable {
    case csv
    case jsonLines
    case influx

    func written(_ text: String) -> [UInt8] {
        switch self {
        case .csv: Self.csv(text)
        case .jsonLines: Self.json(text)
        case .influx: Self.influx(text)
        }
    }

    /// Quotes as RFC 4180 does. Control characters become spaces. A text that a spreadsheet would
    /// take for a formula gets an apostrophe before it.
    private static func csv(_ text: String) -> [UInt8] {
        let text = withoutControls(text)
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

    /// Quotes as JSON does. Control characters beyond ASCII are escaped too: terminals obey them.
    private static func json(_ text: String) -> [UInt8] {
        var bytes = [UInt8(ascii: "\"")]
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": bytes += [UInt8(ascii: "\\"), UInt8(ascii: scalar)]
            case _ where scalar.properties.generalCategory == .control:
                let digits = String(scalar.value, radix: 16)
                bytes += "\\u".utf8
                bytes += String(repeating: "0", count: 4 - digits.count).utf8
                bytes += digits.utf8
            default: bytes += String(scalar).utf8
            }
        }
        return bytes + [UInt8(ascii: "\"")]
    }

    /// Escapes commas, equals signs and spaces. Line protocol has no way to write a line break in
    /// a tag, nor a backslash before one of these: they become spaces and slashes.
    private static func influx(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        for byte in withoutControls(text).utf8 {
            switch byte {
            case UInt8(ascii: "\\"): bytes.append(UInt8(ascii: "/"))
            case UInt8(ascii: ","), UInt8(ascii: "="), UInt8(ascii: " "):
                bytes += [UInt8(ascii: "\\"), byte]
            default: bytes.append(byte)
            }
        }
        return bytes
    }

    private static func withoutControls(_ text: String) -> String {
        var clean = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let isControl =
                switch scalar.properties.generalCategory {
                case .control, .lineSeparator, .paragraphSeparator: true
                default: false
                }
            clean.append(isControl ? " " : scalar)
        }
        return String(clean)
    }
}
