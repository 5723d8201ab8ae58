import HaloProtocol

/// Tells which of the formats that are text a text is in, by its beginning.
enum TextDetection {
    /// How many digits in a row look like bytes, and not like a number.
    private static let fewestDigits = 8

    /// The format of a text; nothing if it is none of them, or no text.
    static func format(of beginning: Span<UInt8>) -> TrafficFormat? {
        if isCapture(beginning) { return .capture }
        var hasBytes = false
        var start = 0
        while start < beginning.count {
            var end = start
            while end < beginning.count, beginning[end] != UInt8(ascii: "\n") {
                if isControl(beginning[end]) { return nil }
                end += 1
            }
            let line = beginning.extracting(start..<end)
            if isMonitorLine(line, isFirst: start == 0) { return .btmonText }
            if !hasBytes { hasBytes = isBytes(line) }
            start = end + 1
        }
        return hasBytes ? .hexLines : nil
    }

    /// Whether it is what this package writes: a capture says so, a fixture reads as one.
    private static func isCapture(_ text: Span<UInt8>) -> Bool {
        let mark = text.has("\u{FEFF}") ? 3 : 0
        if text.has("halo-capture", at: mark) { return true }
        var end = text.count
        while end > 0, text[end - 1] != UInt8(ascii: "\n") { end -= 1 }
        var reader = CaptureReader()
        let lines = text.extracting(0..<end).withUnsafeBufferPointer { Array($0) }
        try? reader.read(lines)
        return reader.capture.lines.contains { line in
            switch line {
            case .packet, .event: true
            default: false
            }
        }
    }

    /// Whether a line is one that `btmon` prints: its greeting, or the head of a packet.
    private static func isMonitorLine(_ line: Span<UInt8>, isFirst: Bool) -> Bool {
        if isFirst, line.has("Bluetooth monitor ver") { return true }
        for head: StaticString in ["< HCI ", "> HCI ", "< ACL Data ", "> ACL Data ", "@ MGMT "] {
            if line.has(head) { return true }
        }
        return false
    }

    /// Whether there are bytes in a line: pairs of digits, which may have something between.
    private static func isBytes(_ line: Span<UInt8>) -> Bool {
        var digits = 0
        var isPairOpen = false
        for index in 0..<line.count {
            let byte = line[index]
            if HexText.value(ofDigit: byte) != nil {
                digits += 1
                isPairOpen.toggle()
                if digits >= fewestDigits, !isPairOpen { return true }
            } else if isPairOpen || !isSeparator(byte) {
                digits = 0
                isPairOpen = false
            }
        }
        return false
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: ",")
    }

    private static func isControl(_ byte: UInt8) -> Bool {
        byte < 0x20 && byte != UInt8(ascii: "\t") && byte != UInt8(ascii: "\r") && byte != 0x1B
    }
}
