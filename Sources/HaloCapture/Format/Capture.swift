/// What was said over Bluetooth, line by line, as a recorder or a person wrote it down.
///
/// Every value of this type can be written and reads back to the same value. The format is
/// described in `Documentation/Fixtures.md`.
public struct Capture: Hashable, Sendable {
    /// The lines in order; the first one is line 1 of the text.
    public private(set) var lines: [CaptureLine] = []

    private(set) var rules = CaptureRules()

    /// A capture without any line.
    public init() {}

    /// A capture of the given lines, if each may follow those before it.
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

    /// Adds a line, if it may follow those that are there.
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

    /// The capture as text.
    public var text: String {
        var writer = CaptureWriter()
        for line in lines { writer.put(line) }
        return writer.take()
    }
}

extension Capture: CustomStringConvertible {
    /// The capture as text.
    public var description: String { text }
}
