import HaloProtocol

/// Reads a capture line by line as its bytes come, in pieces of any size.
///
/// Take the lines out after every piece: then it holds the lines of one piece, the names that
/// were declared and a line that is not whole yet, however long the capture is. It stops at the
/// first error; the lines before that can still be taken.
public struct CaptureLineReader: Sendable {
    private let limits: CaptureReader.Limits
    private var rules = CaptureRules()
    private var moment = Moment.origin
    private var lines: [TimedLine] = []
    private var takenCount = 0
    private var pending: [UInt8] = []
    private var length = 0
    private var failure: CaptureError?

    /// Whether the first line says that it is a recording, with a version.
    public private(set) var isRecording = false

    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Starts with nothing read.
    public init(limits: CaptureReader.Limits = .streaming) {
        self.limits = limits
    }

    /// How many lines were read.
    public var lineCount: Int { rules.count }

    /// The next line that was read and not taken, with its number and time.
    public mutating func next() -> TimedLine? {
        guard takenCount < lines.count else {
            lines.removeAll(keepingCapacity: true)
            takenCount = 0
            return nil
        }
        defer { takenCount += 1 }
        return lines[takenCount]
    }

    /// Takes more bytes in. An error ends the reading: it is thrown again from then on.
    public mutating func read(_ bytes: Span<UInt8>) throws(CaptureError) {
        if let failure { throw failure }
        do throws(CaptureError) {
            try take(bytes)
        } catch {
            failure = error
            throw error
        }
    }

    /// Takes more bytes in, from whatever holds them.
    public mutating func read(_ bytes: some Sequence<UInt8>) throws(CaptureError) {
        try read(ContiguousArray(bytes).span)
    }

    /// Says that no more bytes come; a last line without an end is an error.
    public mutating func finish() throws(CaptureError) {
        if let failure { throw failure }
        guard pending.allSatisfy(LineParser.isSpace) else {
            let error = fault(.unfinishedLine, column: max(column(pending.count) - 1, 1))
            failure = error
            throw error
        }
        pending = []
    }

    /// Says that no more bytes come from something that may have been cut off anywhere, as a
    /// program that was ended cuts off what it recorded.
    ///
    /// A recording may end within a line: that line is left out. What does not begin as a
    /// recording is taken as ``finish()`` takes it.
    ///
    /// - Returns: How many bytes were left out.
    public mutating func finishCutOff() throws(CaptureError) -> Int {
        if let failure { throw failure }
        guard isRecording || isCutOffVersion else {
            try finish()
            return 0
        }
        defer { pending = [] }
        return pending.count
    }

    /// Whether there is nothing but the beginning of a recording's first line.
    private var isCutOffVersion: Bool {
        guard rules.count == 0 else { return false }
        return CaptureVersion.allCases.contains { version in
            let marked = Self.byteOrderMark + version.line.utf8 + [Self.carriageReturn]
            return marked.starts(with: pending)
                || marked.dropFirst(Self.byteOrderMark.count).starts(with: pending)
        }
    }

    /// Takes in as much at once as surely fits, and the rest byte by byte.
    private mutating func take(_ bytes: Span<UInt8>) throws(CaptureError) {
        var index = 0
        while index < bytes.count {
            let room = max(
                0, min(limits.length - length, limits.lineLength - pending.count))
            let end = index + min(room, bytes.count - index)
            let start = index
            while index < end, bytes[index] != Self.lineFeed { index += 1 }
            if index > start {
                bytes.extracting(start..<index).withUnsafeBufferPointer {
                    pending.append(contentsOf: $0)
                }
                length += index - start
            }
            guard index < bytes.count else { return }
            try take(bytes[index])
            index += 1
        }
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
        guard rules.count < limits.lineCount else { throw fault(.fileTooLong, column: 1) }
        let (line, subject) = try parse()
        if let kind = rules.admit(line) { throw fault(kind, column: subject) }
        switch line {
        case .version: isRecording = true
        case .elapsed(let microseconds):
            moment = moment.advanced(byMicroseconds: Int64(clamping: microseconds))
        default: break
        }
        lines.append(TimedLine(number: rules.count, moment: moment, line: line))
        pending.removeAll(keepingCapacity: true)
    }

    /// A line, and the column of the word that it stands or falls with.
    ///
    /// The parser is gone afterwards: it shares the bytes, and the declared names, which would be
    /// copied if one were added while it still held them.
    private func parse() throws(CaptureError) -> (CaptureLine, subject: Int) {
        var line = pending[...]
        if line.last == Self.carriageReturn { line.removeLast() }
        if rules.count == 0 && line.starts(with: Self.byteOrderMark) {
            line = line.dropFirst(Self.byteOrderMark.count)
        }
        var parser = LineParser(line, rules)
        let parsed = try parser.parse()
        return (parsed, parser.subject)
    }

    private func fault(_ kind: CaptureError.Kind, column: Int) -> CaptureError {
        CaptureError(kind, line: rules.count + 1, column: column)
    }

    /// The column of a byte of the line; a byte-order mark is not counted.
    private func column(_ index: Int) -> Int {
        let isMarked = rules.count == 0 && pending.starts(with: Self.byteOrderMark)
        return index + 1 - (isMarked ? Self.byteOrderMark.count : 0)
    }
}
