public import HaloProtocol

/// One line of a capture.
public enum CaptureLine: Hashable, Sendable {
    /// `halo-capture 2`, the first line of a recording.
    case version(CaptureVersion)
    /// Nothing.
    case blank
    /// `#`: something for people, or a tag.
    case comment(CaptureText)
    /// `@`: a short name for a characteristic.
    case name(CaptureName, BluetoothUUID)
    /// `*`: something happened on a connection.
    case event(CaptureEvent, link: CaptureName?)
    /// `>` or `<`: a value went over the air.
    case packet(CapturePacket)
    /// `+`: time passed.
    case elapsed(microseconds: UInt64)
    /// `=`: what the packet before says.
    case reading(CaptureText)
    /// `!`: why the packet before says nothing.
    case error(CaptureText)

    /// The packet, if the line is one.
    public var packet: CapturePacket? {
        if case .packet(let packet) = self { packet } else { nil }
    }
}

/// A version of the format.
public enum CaptureVersion: Int, CaseIterable, Hashable, Sendable {
    /// Lines do not say what was done with a value.
    case one = 1
    /// They can; all that version 1 says, this one says in the same words.
    case two

    /// The one that is written.
    public static let current = CaptureVersion.two

    static let keyword = "halo-capture"

    /// The first line of a recording of this version.
    var line: String { "\(Self.keyword) \(rawValue)" }
}

/// A line of a capture, with its number and when it happened.
public struct TimedLine: Hashable, Sendable {
    /// Which line it is, counted from 1.
    public let number: Int
    /// When it happened, counted from the beginning of the capture.
    public let moment: Moment
    /// The line.
    public let line: CaptureLine

    /// A line that happened at some time.
    public init(number: Int, moment: Moment, line: CaptureLine) {
        self.number = number
        self.moment = moment
        self.line = line
    }
}

extension Capture {
    /// The lines with their times.
    public var timedLines: TimedLines { TimedLines(lines) }

    /// The lines of a capture with their times, one after another.
    public struct TimedLines: Sequence, IteratorProtocol, Sendable {
        private let lines: [CaptureLine]
        private var index = 0
        private var moment = Moment.origin

        init(_ lines: [CaptureLine]) {
            self.lines = lines
        }

        /// The next line.
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
