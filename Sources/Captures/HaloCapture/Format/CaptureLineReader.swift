import HaloProtocol

/// A reader of a capture line by line, which receives the bytes in pieces of any size.
///
/// If the caller removes the lines by ``next()`` after every piece, the reader holds the lines of
/// one piece, the declared names and an unfinished line, however long the capture is. The reader
/// stops at the first error; the lines before it can still be removed.
public struct CaptureLineReader: Sendable {
    private let limits: CaptureReader.Limits
    private var rules = CaptureRules()
    private var moment = Moment.origin
    private var lines: [TimedLine] = []
    private var removedCount = 0
    private var pending: [UInt8] = []
    private var length = 0
    private var failure: CaptureError?

    /// `true` if the text begins with a version, as recordings do.
    package private(set) var isRecording = false

    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Creates a reader at the beginning of a capture.
    public init(limits: CaptureReader.Limits = .streaming) {
        self.limits = limits
    }

    package var lineCount: Int { rules.count }

    /// Removes and returns the next line; `nil` if there is none yet.
    public mutating func next() -> TimedLine? {
        guard removedCount < lines.count else {
            lines.removeAll(keepingCapacity: true)
            removedCount = 0
            return nil
        }
        defer { removedCount += 1 }
        return lines[removedCount]
    }

    /// Reads more bytes. After an error, each further call throws it again.
    public mutating func read(_ bytes: Span<UInt8>) throws(CaptureError) {
        if let failure { throw failure }
        do throws(CaptureError) {
            try receive(bytes)
        } catch {
            failure = error
            throw error
        }
    }

    /// Reads more bytes of a sequence.
    public mutating func read(_ bytes: some Sequence<UInt8>) throws(CaptureError) {
        try read(ContiguousArray(bytes).span)
    }

    /// Reads more bytes, and removes the lines soon after they are read: a piece of short lines
    /// would take many times its length.
    ///
    /// - Returns: The error that ends the reading, after the lines before it.
    package mutating func read<Failure: Error>(
        _ bytes: Span<UInt8>, _ body: (TimedLine) throws(Failure) -> Void
    ) throws(Failure) -> CaptureError? {
        var start = 0
        var damage: CaptureError?
        while start < bytes.count, damage == nil {
            let end = min(start + Self.partLength, bytes.count)
            do throws(CaptureError) {
                try read(bytes.extracting(start..<end))
            } catch {
                damage = error
            }
            while let line = next() { try body(line) }
            start = end
        }
        return damage
    }

    private static let partLength = 1 << 12

    /// Ends the text. A last line without a line end is an error.
    public mutating func finish() throws(CaptureError) {
        if let failure { throw failure }
        guard pending.allSatisfy(LineParser.isSpace) else {
            let error = fault(.unfinishedLine, column: max(column(pending.count) - 1, 1))
            failure = error
            throw error
        }
    }

    /// Ends a text that may have been cut off anywhere, because the program that recorded it was
    /// killed.
    ///
    /// If a recording ends within a line, that line is left out. Other texts end as with
    /// ``finish()``.
    ///
    /// - Returns: The number of bytes that were left out.
    package mutating func finishCutOff() throws(CaptureError) -> Int {
        if let failure { throw failure }
        guard isRecording || isCutOffVersion else {
            try finish()
            return 0
        }
        return pending.count
    }

    /// `true` if the text is only the beginning of a recording's first line.
    private var isCutOffVersion: Bool {
        guard rules.count == 0 else { return false }
        let marked = Self.byteOrderMark + CaptureLine.versionText.utf8 + [Self.carriageReturn]
        return marked.starts(with: pending)
            || marked.dropFirst(Self.byteOrderMark.count).starts(with: pending)
    }

    /// Receives all bytes within the limits at once, and the rest byte by byte.
    private mutating func receive(_ bytes: Span<UInt8>) throws(CaptureError) {
        var index = 0
        while index < bytes.count {
            let room = max(
                0, min(limits.length - length, limits.lineLength - pending.count))
            let end = index + min(room, bytes.count - index)
            let start = index
            while index < end, bytes[index] != Self.lineFeed { index += 1 }
            bytes.extracting(start..<index).withUnsafeBufferPointer {
                pending.append(contentsOf: $0)
            }
            length += index - start
            guard index < bytes.count else { return }
            try receive(bytes[index])
            index += 1
        }
    }

    private mutating func receive(_ byte: UInt8) throws(CaptureError) {
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

    /// Parses the pending line. `subject` is the column of the word that decides whether the line
    /// may follow those before it.
    ///
    /// The parser ends with this function: it shares the declared names, and adding a name while
    /// the parser still held them would copy them.
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

    /// Returns the column of a byte of the line; a byte-order mark is not counted.
    private func column(_ index: Int) -> Int {
        let isMarked = rules.count == 0 && pending.starts(with: Self.byteOrderMark)
        return index + 1 - (isMarked ? Self.byteOrderMark.count : 0)
    }
}
