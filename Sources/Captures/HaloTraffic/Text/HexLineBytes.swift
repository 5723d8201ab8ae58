import HaloProtocol

enum HexLineBytes {
    struct Found: Hashable, Sendable {
        var bytes: ContiguousArray<UInt8>
        /// `true` if a closing character follows the bytes, so that none can be missing.
        var isClosed: Bool
        /// The index after the bytes, or `nil` if they are enclosed.
        var end: Int?
    }

    /// The number of adjacent bytes that count at any position on the line.
    static let certain = 8

    /// The bytes on the line. Bytes without enclosing characters are searched only after `start`.
    static func find(
        in line: ArraySlice<UInt8>, after start: Int, hiding hidden: [Range<Int>], mayStand: Bool
    ) -> Found? {
        if let literal = literal(in: line) { return literal }
        var cursor = TextCursor(line)
        if cursor.skip(past: "(0x)") {
            cursor.skipSpaces()
            if cursor.next == nil { return Found(bytes: [], isClosed: false) }
            return run(at: cursor.rest.startIndex, in: line)
        }
        if let enclosed = enclosed(in: line, hiding: hidden) { return enclosed }
        return longestRun(in: line, after: mayStand ? start : line.startIndex, hiding: hidden)
    }

    /// The ranges of device addresses: six bytes with colons between them, unless a word for a
    /// value introduces them.
    static func addresses(in line: ArraySlice<UInt8>) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var index = line.startIndex
        while index + addressLength <= line.endIndex {
            guard isAddress(line, at: index) else {
                index += 1
                continue
            }
            let end = index + addressLength
            if !isValue(line, before: index) { ranges.append(index..<end) }
            index = end
        }
        return ranges
    }

    /// The length of an address in text: `C0:A1:62:1B:93:45`.
    private static let addressLength = 17

    /// `true` if an address begins at an index, and is no part of a longer list of bytes.
    private static func isAddress(_ line: ArraySlice<UInt8>, at index: Int) -> Bool {
        let colon = UInt8(ascii: ":")
        for offset in 0..<addressLength {
            let byte = line[index + offset]
            guard offset % 3 == 2 ? byte == colon : isDigit(byte) else { return false }
        }
        let end = index + addressLength
        if end < line.endIndex, TextCursor.isPartOfWord(line[end]) { return false }
        if end + 1 < line.endIndex, line[end] == colon, isDigit(line[end + 1]) { return false }
        guard index > line.startIndex else { return true }
        if TextCursor.isPartOfWord(line[index - 1]) { return false }
        // Two digits and a colon before it are another byte of the list.
        guard line[index - 1] == colon, index - 3 >= line.startIndex, isDigit(line[index - 2]),
            isDigit(line[index - 3])
        else { return true }
        return index - 4 >= line.startIndex && TextCursor.isPartOfWord(line[index - 4])
    }

    /// `true` if a word for a value precedes an index, as in `value: 01:02`.
    private static func isValue(_ line: ArraySlice<UInt8>, before index: Int) -> Bool {
        let letters = line[..<index].reversed()
            .drop { " :=([<\"".utf8.contains($0) }
            .prefix { TextCursor.isLetter($0) }
        let words: [StaticString] = ["value", "data", "bytes", "payload", "hex"]
        return HexLine.matches(ArraySlice(letters.reversed()), words)
    }

    static func isDigit(_ byte: UInt8) -> Bool { HexText.value(ofDigit: byte) != nil }

    // MARK: Literals of Python

    /// `true` if a word is the `b` before a Python literal.
    static func isLiteral(_ line: ArraySlice<UInt8>, at word: ArraySlice<UInt8>) -> Bool {
        guard word.count == 1, word.first == UInt8(ascii: "b"), word.endIndex < line.endIndex
        else { return false }
        return isQuote(line[word.endIndex])
    }

    private static func isQuote(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"")
    }

    static func literal(in line: ArraySlice<UInt8>) -> Found? {
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

    // MARK: Between brackets

    static func enclosed(
        in line: ArraySlice<UInt8>, hiding hidden: [Range<Int>] = []
    ) -> Found? {
        let signs: [(UInt8, UInt8)] = [
            (UInt8(ascii: "<"), UInt8(ascii: ">")), (UInt8(ascii: "["), UInt8(ascii: "]")),
            (UInt8(ascii: "{"), UInt8(ascii: "}")),
        ]
        for (open, close) in signs {
            var start = line.startIndex
            while let last = line[start...].firstIndex(of: close) {
                if let first = line[start..<last].lastIndex(of: open) {
                    let inner = line[first..<last].dropFirst()
                    let isHidden = hidden.contains { $0.contains(inner.startIndex) }
                    if !isHidden, let bytes = list(inner) ?? only(inner) {
                        return Found(bytes: bytes, isClosed: true)
                    }
                }
                start = last + 1
            }
        }
        return nil
    }

    /// The numbers of a list with commas: decimal, unless they look like hexadecimal bytes.
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

    /// A byte from a decimal number, which is signed in Java.
    private static func decimal(_ word: ArraySlice<UInt8>) -> UInt8? {
        var cursor = TextCursor(word)
        let isNegative = cursor.skip("-")
        guard let number = cursor.decimal(), cursor.next == nil else { return nil }
        if isNegative {
            return number <= 128 ? UInt8(truncatingIfNeeded: 256 - number) : nil
        }
        return UInt8(exactly: number)
    }

    /// The bytes of a text without other content, or `nil`.
    private static func only(_ text: ArraySlice<UInt8>) -> ContiguousArray<UInt8>? {
        guard let run = run(at: text.startIndex, in: text), run.end == text.endIndex else {
            return nil
        }
        return run.bytes
    }

    // MARK: Without enclosing characters

    /// The longest run of bytes after `start`.
    ///
    /// A short run counts only at the end of the line, right after punctuation or the direction,
    /// because many numbers look like one or two bytes.
    static func longestRun(
        in line: ArraySlice<UInt8>, after start: Int, hiding hidden: [Range<Int>]
    ) -> Found? {
        let hidden = hidden.sorted { $0.lowerBound < $1.lowerBound }
        var next = 0
        var found: Found?
        var index = start
        while index < line.endIndex {
            while next < hidden.count, hidden[next].upperBound <= index { next += 1 }
            if next < hidden.count, hidden[next].contains(index) {
                index = hidden[next].upperBound
                continue
            }
            let isWord = index > line.startIndex && TextCursor.isPartOfWord(line[index - 1])
            guard !isWord, let run = run(at: index, in: line), let end = run.end else {
                index += 1
                continue
            }
            let isEnd =
                LogBytes.isCut(TextCursor(line[end...]))
                || line[end...].allSatisfy { " .\")]'\t,;}".utf8.contains($0) }
            let isBytes =
                run.bytes.count >= certain || isValue(line, before: index)
                || isEnd && isIntroduced(line, index, start, isNamed: !hidden.isEmpty)
            let isCount = isCount(line, before: index)
            if isBytes, run.bytes.count >= found?.bytes.count ?? 0, !isCount { found = run }
            index = isCount ? index + 2 : end
        }
        return found
    }

    private static func isSeparator(_ byte: UInt8) -> Bool { " -:,".utf8.contains(byte) }

    /// The run at an index: groups with an even number of digits and the same separator between
    /// them. All groups except the last are as long as the first.
    private static func run(at start: Int, in line: ArraySlice<UInt8>) -> Found? {
        guard var (bytes, end) = group(at: start, in: line) else { return nil }
        let width = bytes.count
        var separator: [UInt8]?
        while end < line.endIndex {
            let sign = line[end...].prefix { isSeparator($0) }
            guard sign.count == 1 || sign.elementsEqual(", ".utf8),
                separator.map({ sign.elementsEqual($0) }) ?? true,
                let next = group(at: sign.endIndex, in: line), next.bytes.count <= width
            else { break }
            separator = Array(sign)
            bytes.append(contentsOf: next.bytes)
            end = next.end
            if next.bytes.count < width { break }
        }
        let isClosed = end < line.endIndex && !isSeparator(line[end])
        return Found(bytes: bytes, isClosed: isClosed, end: end)
    }

    private static func group(
        at start: Int, in line: ArraySlice<UInt8>
    ) -> (bytes: ContiguousArray<UInt8>, end: Int)? {
        guard start < line.endIndex else { return nil }
        var cursor = TextCursor(line[start...])
        let isMarked = cursor.skip("0x")
        var bytes = ContiguousArray<UInt8>()
        while let byte = cursor.byte() { bytes.append(byte) }
        // Some programs leave out the first zero: `0x03 0x0 0xff`.
        if isMarked, bytes.isEmpty, let number = cursor.hexadecimal(), number.digits == 1 {
            bytes.append(UInt8(truncatingIfNeeded: number.value))
        }
        if cursor.isInWord { return nil }
        return bytes.isEmpty ? nil : (bytes, cursor.rest.startIndex)
    }

    /// `true` if a punctuation mark precedes the index, or only spaces after the direction, or the
    /// words that introduce the new value of a characteristic.
    private static func isIntroduced(
        _ line: ArraySlice<UInt8>, _ index: Int, _ start: Int, isNamed: Bool
    ) -> Bool {
        let before = line[start..<index]
        if isNamed, before.elementsEqual(" to ".utf8) { return true }
        guard let last = before.last(where: { $0 != UInt8(ascii: " ") && $0 != 0x09 }) else {
            return true
        }
        return ":=<>\")]".utf8.contains(last)
    }

    /// `true` if a number at the index belongs to a word for a count or measure, as in `len=16`.
    private static func isCount(_ line: ArraySlice<UInt8>, before index: Int) -> Bool {
        guard index > line.startIndex, line[index - 1] == UInt8(ascii: "=") else { return false }
        let word = line[..<(index - 1)].reversed().prefix { TextCursor.isLetter($0) }
        let counts: [StaticString] = ["len", "length", "size", "count", "handle", "rssi", "id"]
        return HexLine.matches(ArraySlice(word.reversed()), counts)
    }
}
