public import HaloCapture
public import HaloProtocol

/// The result of a replay so far.
public struct ReplayReport: Hashable, Sendable, CustomStringConvertible {
    /// A request that matches no recorded one.
    public struct Unknown: Hashable, Sendable {
        /// The moment of the request.
        public let moment: Moment
        /// The request that was not matched.
        public let what: RecordedRequest.What
        /// The line of the request that was expected instead, or `nil` without an order.
        package let expectedLine: Int?
    }

    /// The maximum number of requests in each list; the first are kept.
    public static let listLimit = 256

    /// The number of recorded requests.
    public let requestCount: Int
    /// The current position, as the number of recorded requests before it.
    public internal(set) var position = 0
    package internal(set) var matchedCount = 0
    /// The number of matched requests whose arguments differ.
    package internal(set) var similarCount = 0
    package internal(set) var unknownCount = 0
    /// The first ``listLimit`` requests that matched no recorded one.
    public internal(set) var unknown: [Unknown] = []
    package internal(set) var unrequestedCount = 0
    /// The first ``listLimit`` recorded requests that were never made.
    public internal(set) var unrequested: [RecordedRequest] = []
    package internal(set) var connectionCount = 0
    /// The number of values dropped because too many waited for a subscription, or too much was
    /// requested at once.
    package internal(set) var droppedCount = 0

    /// `true` if exactly the recorded requests were made.
    public var isExact: Bool { unknownCount == 0 && similarCount == 0 && unrequestedCount == 0 }

    /// A summary, one line per request that matched no recorded one, and one for dropped values.
    public var description: String {
        var text =
            "Requests found in the recording: \(matchedCount), not found: \(unknownCount). "
            + "Recorded requests never made: \(unrequestedCount) of \(requestCount)."
        for request in unknown {
            let line = request.expectedLine.map { ", where line \($0) was due" } ?? ""
            let packet = request.packet.map { "\($0), " } ?? ""
            text += "\n  unknown at \(request.moment): \(packet)\(request.what)\(line)"
        }
        if droppedCount > 0 { text += "\n  dropped values: \(droppedCount)" }
        return text
    }
}

extension ReplayReport.Unknown {
    /// The written packet with its fields; `nil` for other requests and unknown packets.
    fileprivate var packet: String? {
        guard case .write(let channel, let bytes) = what, let kind = channel.packetKind else {
            return nil
        }
        let explanation = Explanation(of: bytes, as: kind, direction: .toDevice)
        return explanation.status == .decoded ? explanation.reading : nil
    }
}
