/// Splits a log into lines, which end with LF or with CR LF.
///
/// Text in UTF-16, as Windows' shell redirects it, is read as well: characters beyond ASCII become
/// a question mark, since no packet has them. In other text, bytes beyond ASCII are kept.
struct TextLines: Sendable {
    /// The maximum number of kept bytes of a line; the rest of a longer line is dropped.
    static let longestLine = 1 << 16

    /// The line so far, without its end.
    private(set) var text = ContiguousArray<UInt8>()
    private(set) var offset = 0
    private(set) var isWhole = false
    private(set) var isTooLong = false
    private var encoding: Encoding?
    private var isFirst = true
    private var hasBegun = false

    private enum Encoding {
        case bytes
        case wide(ByteOrder)
    }

    /// Receives bytes up to the end of a line.
    mutating func receive(
        _ bytes: Span<UInt8>, at offset: Int, isLast: Bool = false
    ) throws(TrafficError) -> UnitStep {
        if isWhole { removeLine() }
        if !hasBegun {
            hasBegun = true
            self.offset = offset
        }
        guard let encoding else {
            guard bytes.count > 1 || isLast else { return .needs(2) }
            encoding = Self.encoding(of: bytes)
            return try receive(bytes, at: offset, isLast: isLast)
        }
        var index = 0
        guard case .wide(let order) = encoding else {
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
        guard bytes.count > 1 else { return isLast ? .read(1) : .needs(2) }
        while index + 1 < bytes.count, !isWhole {
            let unit = bytes.uint16(at: index, order)
            index += 2
            if unit == 0xFEFF { continue }
            accept(unit < 0x80 ? UInt8(truncatingIfNeeded: unit) : UInt8(ascii: "?"))
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

    private static func encoding(of bytes: Span<UInt8>) -> Encoding {
        guard bytes.count > 1 else { return .bytes }
        switch (bytes[0], bytes[1]) {
        case (0xFF, 0xFE): return .wide(.little)
        case (0xFE, 0xFF): return .wide(.big)
        case (1..., 0): return .wide(.little)
        case (0, 1...): return .wide(.big)
        default: return .bytes
        }
    }

    /// The lines of the beginning of a text; empty for other data.
    static func lines(of beginning: Span<UInt8>) -> [ContiguousArray<UInt8>] {
        var lines = TextLines()
        var found: [ContiguousArray<UInt8>] = []
        var position = 0
        while position < beginning.count {
            let rest = beginning.extracting(position..<beginning.count)
            let isLast = rest.count < 2
            guard let step = try? lines.receive(rest, at: position, isLast: isLast),
                case .read(let count) = step
            else { return [] }
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
