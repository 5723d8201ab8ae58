import HaloProtocol

/// Bytes without signs around them.
extension HexLineBytes {
    /// Groups of digits, and where they end.
    struct Run {
        var bytes: ContiguousArray<UInt8>
        var end: Int
    }

    /// The longest run of bytes behind `start`.
    ///
    /// A short one counts only at the end of the line, with a sign or the direction right before
    /// it: numbers of all kinds look like a byte or two.
    static func longestRun(
        in line: ArraySlice<UInt8>, after start: Int, hiding uuid: Range<Int>?
    ) -> Found? {
        var found: Found?
        var index = start
        while index < line.endIndex {
            if let uuid, uuid.contains(index) {
                index = uuid.upperBound
                continue
            }
            let isWord = index > line.startIndex && isPartOfWord(line[index - 1])
            guard !isWord, let run = run(at: index, in: line) else {
                index += 1
                continue
            }
            let isEnd = line[run.end...].allSatisfy { " .\")]'\t,;}".utf8.contains($0) }
            let isBytes =
                run.bytes.count >= certain
                || isEnd && isIntroduced(line, index, start, isNamed: uuid != nil)
            if isBytes, run.bytes.count >= found?.bytes.count ?? 0, !isCount(line, before: index) {
                found = Found(bytes: run.bytes, isClosed: isClosed(line, at: run.end))
            }
            index = isCount(line, before: index) ? index + 2 : run.end
        }
        return found
    }

    /// Whether a sign follows that no more bytes can follow.
    static func isClosed(_ line: ArraySlice<UInt8>, at end: Int) -> Bool {
        end < line.endIndex && !isSeparator(line[end])
    }

    private static func isSeparator(_ byte: UInt8) -> Bool { " -:,".utf8.contains(byte) }

    /// The run that begins at a place: groups with an even number of digits and the same sign
    /// between them, all as long as the first one, but for the last.
    static func run(at start: Int, in line: ArraySlice<UInt8>) -> Run? {
        guard let first = group(at: start, in: line) else { return nil }
        var run = Run(bytes: first.bytes, end: first.end)
        let width = first.bytes.count
        var separator: [UInt8]?
        while run.end < line.endIndex {
            let sign = line[run.end...].prefix { isSeparator($0) }
            guard sign.count == 1 || sign.elementsEqual(", ".utf8),
                separator.map({ sign.elementsEqual($0) }) ?? true,
                let next = group(at: sign.endIndex, in: line), next.bytes.count <= width
            else { break }
            separator = Array(sign)
            run.bytes.append(contentsOf: next.bytes)
            run.end = next.end
            if next.bytes.count < width { break }
        }
        return run
    }

    private static func group(at start: Int, in line: ArraySlice<UInt8>) -> Run? {
        guard start < line.endIndex else { return nil }
        var cursor = TextCursor(line[start...])
        _ = cursor.skip("0x")
        var bytes = ContiguousArray<UInt8>()
        while let byte = cursor.byte() { bytes.append(byte) }
        if let next = cursor.next, isPartOfWord(next) { return nil }
        return bytes.isEmpty ? nil : Run(bytes: bytes, end: cursor.rest.startIndex)
    }

    private static func isPartOfWord(_ byte: UInt8) -> Bool {
        TextCursor.isLetter(byte) || TextCursor.isDigit(byte) || byte == UInt8(ascii: "_")
    }

    /// Whether a sign stands before the place, or nothing but spaces behind the direction, or
    /// that it is the new value of a characteristic.
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

    /// Whether a number there is the value of a word that counts or measures: `len=16`.
    private static func isCount(_ line: ArraySlice<UInt8>, before index: Int) -> Bool {
        guard index > line.startIndex, line[index - 1] == UInt8(ascii: "=") else { return false }
        let word = line[..<(index - 1)].reversed().prefix { TextCursor.isLetter($0) }
        let counts: [StaticString] = ["len", "length", "size", "count", "handle", "rssi", "id"]
        return HexLine.matches(ArraySlice(word.reversed()), counts)
    }
}
