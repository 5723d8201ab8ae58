public import HaloProtocol

/// What is in a file of traffic: devices, connections, what their attributes are, what looks
/// wrong.
///
/// Times are microseconds of the file's own clock: since 1970 in UTC where the format knows a
/// date, else since the recorder began.
public struct TrafficReport: Hashable, Sendable {
    /// The format of the file; nothing where that was not found out.
    public internal(set) var format: TrafficFormat?
    /// How many records were read.
    public internal(set) var recordCount = 0
    /// How many bytes were read: those before the error, where one ended the reading.
    public internal(set) var byteCount = 0
    /// The time of the first record.
    public internal(set) var firstMicroseconds: Int64?
    /// The latest time of a record.
    public internal(set) var lastMicroseconds: Int64?
    /// Devices that were heard advertising, in the order in which they were heard first; no more
    /// than ``TrafficSurvey/deviceLimit``.
    public internal(set) var heard: [HeardDevice] = []
    /// Every connection, in the order in which they were met.
    public internal(set) var connections: [TrafficConnection] = []
    /// What looks wrong, the most frequent first.
    public internal(set) var findings: [TrafficFinding] = []

    init() {}

    /// From the first record to the latest, in microseconds.
    public var microseconds: Int64 {
        guard let firstMicroseconds, let lastMicroseconds else { return 0 }
        return max(lastMicroseconds.subtractingReportingOverflow(firstMicroseconds).partialValue, 0)
    }

    /// What a clock in UTC showed at a time of the file, if the file knows dates.
    ///
    /// A recorder without a clock counts from its own beginning: a time before the year 2000 is
    /// taken for that.
    public static func clock(_ microseconds: Int64) -> CivilDateTime? {
        let seconds = microseconds / 1_000_000
        guard seconds >= 946_684_800, let seconds = UInt32(exactly: seconds) else { return nil }
        return CivilDateTime(secondsSince1970: seconds)
    }
}
