import HaloCapture
import HaloProtocol

/// Tells which of the formats that are text a text is in, by its beginning.
enum TextDetection {
    /// The format of a text; nothing if it is none of them, or no text.
    static func format(of beginning: Span<UInt8>) -> TrafficFormat? {
        isCapture(beginning) ? .capture : log(beginning)
    }

    /// The format of a log, whatever its encoding.
    static func log(_ beginning: Span<UInt8>) -> TrafficFormat? {
        if BtmonTextParser.looksLike(beginning) { return .btmonText }
        return HexLineParser.looksLike(beginning) ? .hexLines : nil
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
}
