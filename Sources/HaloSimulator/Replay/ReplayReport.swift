public import HaloCapture
public import HaloProtocol

/// How a replay went so far.
public struct ReplayReport: Hashable, Sendable {
    /// Something that a client asked, and the recording does not know there.
    public struct Unknown: Hashable, Sendable {
        /// When.
        public let moment: Moment
        /// What was asked.
        public let what: RecordedRequest.What
        /// The line that was due instead, where requests must come in order.
        public let expectedLine: Int?
    }

    /// How many requests each list has at most: the first ones.
    public static let listLimit = 256

    /// How many requests the recording has.
    public let requestCount: Int
    /// Where the replay is: how many requests of the recording lie before that place.
    public internal(set) var position = 0
    /// How many requests of a client were found in the recording.
    public internal(set) var matchedCount = 0
    /// How many of those differ from the recorded one in their arguments.
    public internal(set) var similarCount = 0
    /// How many requests the recording does not know.
    public internal(set) var unknownCount = 0
    /// The first of them.
    public internal(set) var unknown: [Unknown] = []
    /// How many requests of the recording were never asked.
    public internal(set) var neverAskedCount = 0
    /// The first of them.
    public internal(set) var neverAsked: [RecordedRequest] = []
    /// How many connections a client has made.
    public internal(set) var connectionCount = 0
    /// How many values were not sent because nobody had subscribed to them for too long, or too
    /// much was asked at once.
    public internal(set) var droppedCount = 0

    /// Whether everything was asked that was recorded, and nothing else.
    public var isExact: Bool { unknownCount == 0 && similarCount == 0 && neverAskedCount == 0 }
}

extension ReplayReport: CustomStringConvertible {
    /// One sentence, and a line for each request that the recording does not know.
    public var description: String {
        var text =
            "\(matchedCount) requests were found in the recording, \(unknownCount) were not; "
            + "\(neverAskedCount) of \(requestCount) recorded ones were never asked."
        for request in unknown {
            let line = request.expectedLine.map { ", where line \($0) was due" } ?? ""
            text += "\n  unknown at \(request.moment.microseconds) us: \(request.what)\(line)"
        }
        return text
    }
}
