/// A reader of a whole capture, which receives the bytes in pieces of any size.
///
/// The reader stops at the first error, and keeps the lines before it. It holds the lines so far
/// and an unfinished line, and no more bytes than its limits allow. ``CaptureLineReader`` reads
/// captures that are too long for the memory.
public struct CaptureReader: Sendable {
    /// The limits of a reader.
    public struct Limits: Hashable, Sendable {
        /// The maximum length of a line in bytes, without its line end.
        public var lineLength: Int
        /// The maximum length of a capture in bytes.
        public var length: Int

        /// The maximum number of lines: even an empty one takes memory.
        public var lineCount: Int

        /// The maximum number of lines of a capture that is held in memory: more than a night in
        /// which a ring reports without a pause, with a line for each packet and each pause.
        @usableFromInline package static let standardLineCount = 240_000

        /// Creates limits; negative numbers are clamped to zero.
        public init(lineLength: Int, length: Int, lineCount: Int = standardLineCount) {
            self.lineLength = max(lineLength, 0)
            self.length = max(length, 0)
            self.lineCount = max(lineCount, 0)
        }

        /// The default: 65,536 bytes in a line, 64 MiB and 240,000 lines in all.
        public static let standard = Limits(lineLength: 65_536, length: 64 << 20)

        /// The limits for callers that do not keep lines: 65,536 bytes in a line, and any number of
        /// lines.
        @usableFromInline package static let streaming = Limits(
            lineLength: 65_536, length: .max, lineCount: .max)
    }

    /// The lines so far; after an error, the lines before it.
    public private(set) var capture = Capture()

    private var reader: CaptureLineReader

    /// Creates a reader at the beginning of a capture.
    public init(limits: Limits = .standard) {
        reader = CaptureLineReader(limits: limits)
    }

    /// Reads more bytes. After an error, each further call throws it again.
    public mutating func read(_ bytes: Span<UInt8>) throws(CaptureError) {
        if let error = reader.read(bytes, { line in _ = capture.admit(line.line) }) { throw error }
    }

    /// Reads more bytes of a sequence.
    public mutating func read(_ bytes: some Sequence<UInt8>) throws(CaptureError) {
        try read(ContiguousArray(bytes).span)
    }

    /// Ends the text, and returns the capture.
    public mutating func finish() throws(CaptureError) -> Capture {
        try reader.finish()
        return capture
    }

    /// Ends a text that may have been cut off; see ``CaptureLineReader/finishCutOff()``.
    ///
    /// - Returns: The capture, and the number of bytes that were left out with its last line.
    package mutating func finishCutOff() throws(CaptureError) -> (
        capture: Capture, leftOutCount: Int
    ) {
        let count = try reader.finishCutOff()
        return (capture, count)
    }
}
