/// Splits a log into lines, which end with LF or with CR LF.
struct TextLines: Sendable {
    /// The maximum number of kept bytes of a line; the rest of a longer line is dropped.
    static let longestLine = 1 << 16

    /// The line so far, without its end.
    private(set) var text = ContiguousArray<UInt8>()
    private(set) var offset = 0
    private(set) var isWhole = false
    private(set) var isTooLong = false
    private var isFirst = true
    private var hasBegun = false

    /// Receives bytes up to the end of a line.
    mutating func receive(
        _ bytes: Span<UInt8>, at offset: Int
    ) throws(TrafficError) -> UnitStep {
        if isWhole { removeLine() }
        if !hasBegun {
            hasBegun = true
            self.offset = offset
        }
        var index = 0
        while index < bytes.count, !isWhole {
            guard bytes[index] != 0 else {
                throw TrafficError(
                    .wrongEncoding, at: offset + index, hint: "a text has no byte of zero")
            }
            accept(bytes[index])
            index += 1
        }
        return .read(index)
    }

    mutating func removeLine() {
        text.removeAll(keepingCapacity: true)
        isWhole = false
        isTooLong = false
        isFirst = false
        hasBegun = false
    }

    private mutating func accept(_ byte: UInt8) {
        if byte == UInt8(ascii: "\n") {
            if text.last == UInt8(ascii: "\r") { text.removeLast() }
            isWhole = true
        } else if text.count < Self.longestLine {
            text.append(byte)
            if isFirst, text.count == 3, text.elementsEqual([0xEF, 0xBB, 0xBF]) {
                text.removeAll(keepingCapacity: true)
            }
        } else {
            isTooLong = true
        }
    }

    /// The lines of the beginning of a text; empty for other data.
    static func lines(of beginning: Span<UInt8>) -> [ContiguousArray<UInt8>] {
        var lines = TextLines()
        var found: [ContiguousArray<UInt8>] = []
        var position = 0
        while position < beginning.count {
            let rest = beginning.extracting(position..<beginning.count)
            guard case .read(let count)? = try? lines.receive(rest, at: position) else {
                return []
            }
            position += count
            if lines.isWhole || position >= beginning.count { found.append(lines.text) }
        }
        return found
    }

    /// The text as a terminal shows it at last: without control sequences, and without what was
    /// printed before the last return to the start of the line.
    static func plain(_ text: ContiguousArray<UInt8>) -> ContiguousArray<UInt8> {
        let text = withoutColours(text)
        guard let start = text.lastIndex(of: UInt8(ascii: "\r")), start < text.count - 1 else {
            return text
        }
        return ContiguousArray(text[(start + 1)...])
    }

    static func withoutColours(_ text: ContiguousArray<UInt8>) -> ContiguousArray<UInt8> {
        let escape: UInt8 = 0x1B
        guard text.contains(escape) else { return text }
        var plain = ContiguousArray<UInt8>()
        plain.reserveCapacity(text.count)
        var isSequence = false
        var previous: UInt8 = 0
        for byte in text {
            if byte == escape {
                isSequence = true
            } else if !isSequence {
                plain.append(byte)
            } else if byte >= 0x40, byte != UInt8(ascii: "[") || previous != escape {
                isSequence = false
            }
            previous = byte
        }
        return plain
    }
}
