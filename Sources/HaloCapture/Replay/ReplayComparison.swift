import HaloProtocol
public import HaloTransport

/// What a device said to recorded requests, beside what the recorded one had said.
public struct ReplayComparison: Hashable, Sendable {
    /// A request with what came for it.
    public struct Exchange: Hashable, Sendable {
        /// The request.
        public let request: RecordedRequest
        /// What the recorded device said.
        public let recorded: [AnswerKind]
        /// What this one said.
        public internal(set) var heard: [AnswerKind]
        /// How long the recorded device took for the first of it, in microseconds.
        public let recordedMicroseconds: Int64?
        /// How long this one took.
        public internal(set) var microseconds: Int64?

        /// Whether both said the same.
        public var isSame: Bool { recorded == heard }
    }

    /// A request that was not sent.
    public struct Skipped: Hashable, Sendable {
        /// The request.
        public let request: RecordedRequest
        /// What it could do; nothing if the device lacks its characteristic.
        public let risk: RequestRisk?
    }

    /// The requests that were sent, in order.
    public internal(set) var exchanges: [Exchange] = []
    /// Those that were not sent.
    public internal(set) var skipped: [Skipped] = []
    /// Why it ended before all requests were sent, if it did.
    public internal(set) var interruption: BLEError?

    /// The exchanges in which the devices differ.
    public var differences: [Exchange] { exchanges.filter { !$0.isSame } }

    /// Whether everything was sent that could be, and the devices do not differ.
    public var isSame: Bool {
        interruption == nil && exchanges.allSatisfy { $0.isSame }
            && !skipped.contains { $0.risk == nil }
    }
}

extension ReplayComparison: CustomStringConvertible {
    /// What was compared, on one line, and what differs, a line each.
    public var description: String {
        let differences = differences
        var lines = [
            "\(exchanges.count) requests were sent, \(skipped.count) were not, "
                + "\(differences.count) answers differ"
        ]
        lines += differences.map(\.description) + skipped.map(\.description)
        if let interruption { lines.append("it ended early: \(interruption)") }
        return lines.joined(separator: "\n")
    }
}

extension ReplayComparison.Exchange: CustomStringConvertible {
    /// The line of the request, and what both devices said to it.
    public var description: String {
        "line \(request.line): \(request): recorded \(Self.text(recorded)), heard "
            + Self.text(heard)
    }

    private static func text(_ kinds: [AnswerKind]) -> String {
        kinds.isEmpty ? "nothing" : "[\(kinds.map(\.description).joined(separator: ", "))]"
    }
}

extension ReplayComparison.Skipped: CustomStringConvertible {
    /// The line of the request, and why it was not sent.
    public var description: String {
        let reason =
            switch risk {
            case .dangerous: "it is dangerous"
            case .unknown: "nobody knows what it does"
            case .known: "it could not be written"
            case nil: "the device has no such characteristic"
            }
        return "line \(request.line): \(request): not sent: \(reason)"
    }
}
