public import HaloProtocol

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
