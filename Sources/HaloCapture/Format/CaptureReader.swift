/// Reads a whole capture as its bytes come, in pieces of any size.
///
/// It stops at the first error and keeps the lines before it. It holds the lines that it has
/// read and one that it has not, and no more bytes than its limits allow. For captures that are
/// longer than memory there is ``CaptureLineReader``.
public struct CaptureReader: Sendable {
    /// How much a reader takes in.
    public struct Limits: Hashable, Sendable {
        /// The longest line in bytes, without its end.
        public var lineLength: Int
        /// The longest capture in bytes.
        public var length: Int

        /// The most lines: each takes memory of its own, also an empty one.
        public var lineCount: Int

        /// Limits of one's own.
        public init(lineLength: Int, length: Int, lineCount: Int = 2 << 20) {
            self.lineLength = max(lineLength, 0)
            self.length = max(length, 0)
            self.lineCount = max(lineCount, 0)
        }

        /// 65,536 bytes in a line, 64 MiB and 2,097,152 lines in all.
        public static let standard = Limits(lineLength: 65_536, length: 64 << 20)

        /// 65,536 bytes in a line, and no end: for who keeps no lines.
        public static let streaming = Limits(lineLength: 65_536, length: .max, lineCount: .max)
    }

    /// What was read so far; after an error, everything before the line with the error.
    public private(set) var capture = Capture()

    private var reader: CaptureLineReader

    /// Starts with nothing read.
    public init(limits: Limits = .standard) {
        reader = CaptureLineReader(limits: limits)
    }

    /// Takes more bytes in. An error ends the reading: it is thrown again from then on.
    public mutating func read(_ bytes: Span<UInt8>) throws(CaptureError) {
        defer { keepLines() }
        try reader.read(bytes)
    }

    /// Takes more bytes in, from whatever holds them.
    public mutating func read(_ bytes: some Sequence<UInt8>) throws(CaptureError) {
        try read(ContiguousArray(bytes).span)
    }

    /// Says that no more bytes come, and answers with the capture.
    public mutating func finish() throws(CaptureError) -> Capture {
        try reader.finish()
        return capture
    }

    /// Says that no more bytes come from what may have been cut off anywhere; see
    /// ``CaptureLineReader/finishCutOff()``.
    ///
    /// - Returns: The capture, and how many bytes of its last line were left out.
    public mutating func finishCutOff() throws(CaptureError) -> (
        capture: Capture, leftOutCount: Int
    ) {
        let count = try reader.finishCutOff()
        return (capture, count)
    }

    private mutating func keepLines() {
        while let line = reader.next() { _ = capture.admit(line.line) }
    }
}
