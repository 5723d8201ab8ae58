public import HaloProtocol

/// A line of a capture with its number and its time.
public struct TimedLine: Hashable, Sendable {
    /// The number of the line, counted from 1.
    public let number: Int
    /// The time since the beginning of the capture, as a moment.
    public let moment: Moment
    /// The line.
    public let line: CaptureLine

    package init(number: Int, moment: Moment, line: CaptureLine) {
        (self.number, self.moment, self.line) = (number, moment, line)
    }
}
