internal import HaloProtocol

/// Text of an HTML page, whose markup is written as literals.
///
/// Whatever is interpolated is escaped, unless it is HTML itself: `"<h1>\(name)</h1>"`.
struct HTMLText: ExpressibleByStringInterpolation {
    private(set) var bytes: [UInt8]

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var bytes: [UInt8] = []

        init(literalCapacity: Int, interpolationCount: Int) {}

        mutating func appendLiteral(_ literal: String) { bytes.append(contentsOf: literal.utf8) }

        mutating func appendInterpolation(_ html: HTMLText) {
            bytes.append(contentsOf: html.bytes)
        }

        mutating func appendInterpolation(_ path: SVGPath) {
            bytes.append(contentsOf: path.data)
        }

        mutating func appendInterpolation(_ number: Int) {
            bytes.append(contentsOf: String(number).utf8)
        }

        mutating func appendInterpolation(_ text: some StringProtocol) {
            PrintableText.forEachScalar(of: String(text)) {
                HTMLText.append($0, isPrintable: $1, to: &bytes)
            }
        }
    }

    init(stringInterpolation: StringInterpolation) { bytes = stringInterpolation.bytes }

    init(stringLiteral literal: String) { bytes = Array(literal.utf8) }

    var isEmpty: Bool { bytes.isEmpty }

    static func += (left: inout HTMLText, right: HTMLText) {
        left.bytes.append(contentsOf: right.bytes)
    }

    /// Escapes what has a meaning in markup. U+FFFD stands for what a page may not have, and for
    /// what is not shown or would change the direction of the text around it.
    private static func append(
        _ scalar: Unicode.Scalar, isPrintable: Bool, to bytes: inout [UInt8]
    ) {
        switch scalar {
        case "&": bytes.append(contentsOf: "&amp;".utf8)
        case "<": bytes.append(contentsOf: "&lt;".utf8)
        case ">": bytes.append(contentsOf: "&gt;".utf8)
        case "\"": bytes.append(contentsOf: "&quot;".utf8)
        case "'": bytes.append(contentsOf: "&#39;".utf8)
        case " "..."~": bytes.append(UInt8(truncatingIfNeeded: scalar.value))
        default:
            let shown: Unicode.Scalar = isPrintable && scalar.isAssigned ? scalar : "\u{FFFD}"
            bytes.append(contentsOf: UTF8.encode(shown) ?? UTF8.encodedReplacementCharacter)
        }
    }
}

extension Sequence<HTMLText> {
    func joined() -> HTMLText {
        var all: HTMLText = ""
        for text in self { all += text }
        return all
    }
}

extension Unicode.Scalar {
    fileprivate var isAssigned: Bool {
        switch properties.generalCategory {
        case .privateUse, .unassigned: false
        default: true
        }
    }
}
