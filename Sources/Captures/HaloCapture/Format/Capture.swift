internal import HaloProtocol

/// A Bluetooth conversation as lines, written by a recorder or a person.
///
/// Every value of this type can be written and reads back to the same value. The format is
/// described in `Documentation/CapturesAndFixtures.md`.
public struct Capture: Hashable, Sendable {
    /// The lines in order; the first one is line 1 of the text.
    public private(set) var lines: [CaptureLine] = []

    private(set) var rules = CaptureRules()

    /// Creates a capture without lines.
    public init() {}

    /// Creates a capture of lines; throws if a line may not follow those before it.
    public init(_ lines: some Sequence<CaptureLine>) throws(CaptureError) {
        for line in lines { try append(line) }
    }

    /// Reads a capture from the bytes of a file.
    public init(reading bytes: some Sequence<UInt8>) throws(CaptureError) {
        var reader = CaptureReader()
        try reader.read(bytes)
        self = try reader.finish()
    }

    /// Reads a capture from text.
    public init(reading text: String) throws(CaptureError) {
        try self.init(reading: text.utf8)
    }

    /// Appends a line; throws if it may not follow those before it.
    public mutating func append(_ line: CaptureLine) throws(CaptureError) {
        if let kind = admit(line) {
            throw CaptureError(kind, line: lines.count + 1, column: 1)
        }
    }

    mutating func admit(_ line: CaptureLine) -> CaptureError.Kind? {
        if let kind = rules.admit(line) { return kind }
        lines.append(line)
        return nil
    }

    /// The capture as text, one line each.
    public var text: String {
        var writer = CaptureWriter()
        for line in lines { writer.put(line) }
        return writer.drain()
    }
}

extension Capture: CustomStringConvertible {
    /// The capture as text.
    public var description: String { text }
}

extension Capture {
    package var timedLines: some Sequence<TimedLine> {
        sequence(state: (lines: lines.enumerated().makeIterator(), moment: Moment.origin)) {
            guard let (index, line) = $0.lines.next() else { return nil }
            if case .elapsed(let microseconds) = line {
                $0.moment = $0.moment.advanced(byMicroseconds: Int64(clamping: microseconds))
            }
            return TimedLine(number: index + 1, moment: $0.moment, line: line)
        }
    }
}
