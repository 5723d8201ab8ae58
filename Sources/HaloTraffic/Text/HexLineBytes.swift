import HaloProtocol

/// Finds the bytes of a packet on a line of a log, in the forms that apps and programs use.
///
/// ```
/// bytearray(b'\x03R\x00')   (0x) 03-52-00   <035200>   [3, 82, 0]   0x03, 0x52, 0x00
/// 03 52 00   03:52:00   035200   0352 00
/// ```
enum HexLineBytes {
    /// Bytes on a line.
    struct Found: Hashable, Sendable {
        var bytes: ContiguousArray<UInt8>
        /// Whether a sign ends them, so that none can be missing.
        var isClosed: Bool
    }

    /// How many bytes are bytes wherever on the line they stand.
    static let certain = 8

    /// The bytes on the line; those without signs around them are looked for behind `start`.
    static func find(
        in line: ArraySlice<UInt8>, after start: Int, hiding uuid: Range<Int>?, mayStand: Bool
    ) -> Found? {
        if let literal = literal(in: line) { return literal }
        var cursor = TextCursor(line)
        if cursor.skip(past: "(0x)") {
            cursor.skipSpaces()
            if cursor.next == nil { return Found(bytes: [], isClosed: false) }
            return run(at: cursor.rest.startIndex, in: line).map {
                Found(bytes: $0.bytes, isClosed: isClosed(line, at: $0.end))
            }
        }
        if let enclosed = enclosed(in: line) { return enclosed }
        return longestRun(in: line, after: mayStand ? start : line.startIndex, hiding: uuid)
    }

    static func isDigit(_ byte: UInt8) -> Bool { HexText.value(ofDigit: byte) != nil }

    // MARK: Literals of Python

    /// Whether a word is the mark before a literal.
    static func isLiteral(_ line: ArraySlice<UInt8>, at word: ArraySlice<UInt8>) -> Bool {
        guard word.count == 1, word.first == UInt8(ascii: "b"), word.endIndex < line.endIndex
        else { return false }
        return isQuote(line[word.endIndex])
    }

    private static func isQuote(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"")
    }

    private static func literal(in line: ArraySlice<UInt8>) -> Found? {
        var start = line.startIndex
        while let mark = line[start...].firstIndex(of: UInt8(ascii: "b")) {
            start = mark + 1
            let isWord = mark > line.startIndex && TextCursor.isLetter(line[mark - 1])
            guard start < line.endIndex, !isWord, isQuote(line[start]) else { continue }
            return unescaped(TextCursor(line[(start + 1)...]), until: line[start])
        }
        return nil
    }

    private static func unescaped(_ cursor: TextCursor, until quote: UInt8) -> Found? {
        var cursor = cursor
        var bytes = ContiguousArray<UInt8>()
        while let byte = cursor.next {
            cursor.skipByte()
            if byte == quote { return Found(bytes: bytes, isClosed: true) }
            guard byte == UInt8(ascii: "\\") else {
                bytes.append(byte)
                continue
            }
            guard let escape = cursor.next else { return nil }
            cursor.skipByte()
            switch escape {
            case UInt8(ascii: "x"):
                guard let value = cursor.byte() else { return nil }
                bytes.append(value)
            case UInt8(ascii: "n"): bytes.append(0x0A)
            case UInt8(ascii: "r"): bytes.append(0x0D)
            case UInt8(ascii: "t"): bytes.append(0x09)
            case UInt8(ascii: "\\"), UInt8(ascii: "'"), UInt8(ascii: "\""): bytes.append(escape)
            default: return nil
            }
        }
        return nil
    }

    // MARK: Between signs

    private static func enclosed(in line: ArraySlice<UInt8>) -> Found? {
        let signs: [(UInt8, UInt8)] = [
            (UInt8(ascii: "<"), UInt8(ascii: ">")), (UInt8(ascii: "["), UInt8(ascii: "]")),
            (UInt8(ascii: "{"), UInt8(ascii: "}")),
        ]
        for (open, close) in signs {
            var start = line.startIndex
            while let last = line[start...].firstIndex(of: close) {
                if let first = line[start..<last].lastIndex(of: open) {
                    let inner = line[first..<last].dropFirst()
                    if let bytes = list(inner) ?? only(inner) {
                        return Found(bytes: bytes, isClosed: true)
                    }
                }
                start = last + 1
            }
        }
        return nil
    }

    /// Numbers with commas between: decimal, unless they are written as bytes in hexadecimal are.
    private static func list(_ text: ArraySlice<UInt8>) -> ContiguousArray<UInt8>? {
        let spaces = [UInt8(ascii: " "), UInt8(ascii: "\"")]
        let words = text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            .map { word in
                word.drop(while: spaces.contains).prefix { !spaces.contains($0) }
            }
        guard words.count > 1 else { return nil }
        let isHexadecimal =
            words.contains { $0.contains(where: TextCursor.isLetter) }
            || words.allSatisfy { $0.count == 2 } && words.contains { $0.first == 0x30 }
        var bytes = ContiguousArray<UInt8>()
        for word in words {
            guard let byte = isHexadecimal ? hexadecimal(word) : decimal(word) else { return nil }
            bytes.append(byte)
        }
        return bytes
    }

    private static func hexadecimal(_ word: ArraySlice<UInt8>) -> UInt8? {
        var cursor = TextCursor(word)
        _ = cursor.skip("0x") || cursor.skip("0X")
        guard let number = cursor.hexadecimal(), cursor.next == nil else { return nil }
        return UInt8(exactly: number.value)
    }

    /// A decimal number; Java's bytes have a sign.
    private static func decimal(_ word: ArraySlice<UInt8>) -> UInt8? {
        var cursor = TextCursor(word)
        let isNegative = cursor.skip("-")
        guard let number = cursor.decimal(), cursor.next == nil else { return nil }
        if isNegative {
            return number <= 128 ? UInt8(truncatingIfNeeded: 256 - number) : nil
        }
        return UInt8(exactly: number)
    }

    /// The bytes of a text that is nothing else.
    private static func only(_ text: ArraySlice<UInt8>) -> ContiguousArray<UInt8>? {
        guard let run = run(at: text.startIndex, in: text), run.end == text.endIndex else {
            return nil
        }
        return run.bytes
    }
}
