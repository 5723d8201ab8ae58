/// Reads a capture as its bytes come, in pieces of any size.
///
/// It stops at the first error and keeps the lines before it. It holds the lines that it has
/// read and one that it has not, and no more bytes than its limits allow.
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
    }

    /// What was read so far; after an error, everything before the line with the error.
    public private(set) var capture = Capture()

    private let limits: Limits
    private var pending: [UInt8] = []
    private var length = 0
    private var failure: CaptureError?

    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Starts with nothing read.
    public init(limits: Limits = .standard) {
        self.limits = limits
    }

    /// Takes more bytes in. An error ends the reading: it is thrown again from then on.
    public mutating func read(_ bytes: Span<UInt8>) throws(CaptureError) {
        if let failure { throw failure }
        do throws(CaptureError) {
            for index in bytes.indices { try take(bytes[index]) }
        } catch {
            failure = error
            throw error
        }
    }

    /// Takes more bytes in, from whatever holds them.
    public mutating func read(_ bytes: some Sequence<UInt8>) throws(CaptureError) {
        let copy = ContiguousArray(bytes)
        try read(copy.span)
    }

    /// Says that no more bytes come, and answers with the capture.
    public mutating func finish() throws(CaptureError) -> Capture {
        if let failure { throw failure }
        guard pending.allSatisfy(LineParser.isSpace) else {
            let error = fault(.unfinishedLine, column: max(column(pending.count) - 1, 1))
            failure = error
            throw error
        }
        pending = []
        return capture
    }

    private mutating func take(_ byte: UInt8) throws(CaptureError) {
        guard length < limits.length else {
            throw fault(.fileTooLong, column: column(pending.count))
        }
        length += 1
        if byte == Self.lineFeed { return try endLine() }
        let isBeyond = pending.count > limits.lineLength
        let isLast = pending.count == limits.lineLength
        guard !isBeyond, !isLast || byte == Self.carriageReturn else {
            throw fault(.lineTooLong, column: column(limits.lineLength))
        }
        pending.append(byte)
    }

    private mutating func endLine() throws(CaptureError) {
        guard capture.lines.count < limits.lineCount else { throw fault(.fileTooLong, column: 1) }
        var line = pending[...]
        if line.last == Self.carriageReturn { line.removeLast() }
        if capture.lines.isEmpty && line.starts(with: Self.byteOrderMark) {
            line = line.dropFirst(Self.byteOrderMark.count)
        }
        let (parsed, subject) = try parse(line)
        if let kind = capture.admit(parsed) {
            throw fault(kind, column: subject)
        }
        pending.removeAll(keepingCapacity: true)
    }

    /// A line, and the column of the word that it stands or falls with.
    ///
    /// The parser is gone afterwards: it shares the declared names, which would be copied if one
    /// were added while it still held them.
    private func parse(
        _ line: ArraySlice<UInt8>
    ) throws(CaptureError) -> (CaptureLine, subject: Int) {
        var parser = LineParser(line, number: capture.lines.count + 1, rules: capture.rules)
        let parsed = try parser.parse()
        return (parsed, parser.subject)
    }

    private func fault(_ kind: CaptureError.Kind, column: Int) -> CaptureError {
        CaptureError(kind, line: capture.lines.count + 1, column: column)
    }

    /// The column of a byte of the line; a byte-order mark is not counted.
    private func column(_ index: Int) -> Int {
        let isMarked = capture.lines.isEmpty && pending.starts(with: Self.byteOrderMark)
        return index + 1 - (isMarked ? Self.byteOrderMark.count : 0)
    }
}
