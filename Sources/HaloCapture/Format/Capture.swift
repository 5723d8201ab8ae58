public import HaloProtocol

/// A Bluetooth conversation as lines, written by a recorder or a person.
///
/// Every value of this type can be written and reads back to the same value. The format is
/// described in `Documentation/Fixtures.md`.
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

/// One line of a capture.
public enum CaptureLine: Hashable, Sendable {
    /// `halo-capture 2`, the first line of a recording.
    case version(CaptureVersion)
    /// An empty line.
    case blank
    /// `#`: a comment for people, or a tag.
    case comment(CaptureText)
    /// `@`: a short name for a characteristic.
    case name(CaptureName, BluetoothUUID)
    /// `*`: an event of a connection.
    case event(CaptureEvent, link: CaptureName?)
    /// `>` or `<`: a value was sent to the device, or by it.
    case packet(CapturePacket)
    /// `+`: the time since the previous line.
    case elapsed(microseconds: UInt64)
    /// `=`: the reading of the previous packet.
    case reading(CaptureText)
    /// `!`: the error of the previous packet, which cannot be decoded.
    case error(CaptureText)

    /// The packet of a packet line; `nil` for other lines.
    public var packet: CapturePacket? {
        if case .packet(let packet) = self { packet } else { nil }
    }
}

/// A version of the format.
public enum CaptureVersion: Int, CaseIterable, Hashable, Sendable {
    /// Lines have no actions.
    case one = 1
    /// Lines can have actions. All lines of version 1 keep their meaning.
    case two

    /// The version of written captures.
    public static let current = CaptureVersion.two

    static let keyword = "halo-capture"

    /// The first line of a recording of this version.
    var line: String { "\(Self.keyword) \(rawValue)" }
}

/// A line of a capture with its number and its time.
public struct TimedLine: Hashable, Sendable {
    /// The number of the line, counted from 1.
    public let number: Int
    /// The time since the beginning of the capture, as a moment.
    public let moment: Moment
    /// The line.
    public let line: CaptureLine

    /// Creates a line at a time.
    package init(number: Int, moment: Moment, line: CaptureLine) {
        self.number = number
        self.moment = moment
        self.line = line
    }
}

extension Capture {
    /// The lines with their times.
    public var timedLines: TimedLines { TimedLines(lines) }

    /// A sequence of the lines of a capture with their times.
    public struct TimedLines: Sequence, IteratorProtocol, Sendable {
        private let lines: [CaptureLine]
        private var index = 0
        private var moment = Moment.origin

        init(_ lines: [CaptureLine]) {
            self.lines = lines
        }

        /// Returns the next line; `nil` after the last one.
        public mutating func next() -> TimedLine? {
            guard index < lines.count else { return nil }
            let line = lines[index]
            index += 1
            if case .elapsed(let microseconds) = line {
                moment = moment.advanced(
                    byMicroseconds: Int64(clamping: microseconds))
            }
            return TimedLine(number: index, moment: moment, line: line)
        }
    }
}

/// The number of packets and of connections among lines.
package struct LineCounts: Hashable, Sendable {
    /// The number of packets.
    package private(set) var packetCount = 0
    /// The number of connections; packets of a device that has not connected before count as one.
    package private(set) var connectionCount = 0
    private var connected: Set<CaptureName?> = []

    /// Creates counts of no lines.
    package init() {}

    /// Adds a line.
    package mutating func add(_ line: CaptureLine) {
        switch line {
        case .packet(let packet):
            packetCount += 1
            // Advertisements come without a connection.
            if packet.channel != .advertisement { connect(packet.link, isNew: false) }
        case .event(.connected, let link): connect(link, isNew: true)
        case .event(.disconnected, let link): connected.remove(link)
        case .version, .blank, .name, .elapsed, .reading, .error, .comment, .event: break
        }
    }

    private mutating func connect(_ link: CaptureName?, isNew: Bool) {
        if connected.insert(link).inserted || isNew { connectionCount += 1 }
    }
}
