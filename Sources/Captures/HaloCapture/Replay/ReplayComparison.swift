import HaloProtocol
public import HaloTransport

/// A comparison of a device's answers to recorded requests with the recorded answers.
public struct ReplayComparison: Hashable, Sendable {
    /// A request with its answers.
    public struct Exchange: Hashable, Sendable {
        /// The request.
        public let request: RecordedRequest
        /// The answers of the recorded device.
        package let recorded: [AnswerKind]
        /// The answers of this device.
        package internal(set) var heard: [AnswerKind]
        /// The time until the first answer of the recorded device, in microseconds.
        public let recordedMicroseconds: Int64?
        /// The time until the first answer of this device, in microseconds.
        public internal(set) var microseconds: Int64?

        /// `true` if the answers of both devices are equal.
        public var isSame: Bool { recorded == heard }
    }

    /// A request that was not sent.
    public struct Skipped: Hashable, Sendable {
        /// The request.
        public let request: RecordedRequest
        /// The risk; `nil` if the device does not have the characteristic.
        package let risk: RequestRisk?
    }

    /// The requests that were sent, in order.
    public internal(set) var exchanges: [Exchange] = []
    /// The requests that were not sent.
    public internal(set) var skipped: [Skipped] = []
    /// The number of recorded connections beyond ``ReplayClientOptions/connectionLimit``.
    public internal(set) var leftOutConnectionCount = 0
    /// The error that ended the replay early; `nil` if there was none.
    public internal(set) var interruption: BLEError?

    /// The exchanges in which the devices differ.
    public var differences: [Exchange] { exchanges.filter { !$0.isSame } }

    /// `true` if all permitted requests of all connections were sent, and the devices agree.
    public var isSame: Bool {
        interruption == nil && leftOutConnectionCount == 0 && exchanges.allSatisfy { $0.isSame }
            && !skipped.contains { $0.risk == nil }
    }
}

extension ReplayComparison: CustomStringConvertible {
    /// The counts on one line, then the differences, one line each.
    public var description: String {
        let differences = differences
        var lines = [
            "requests sent: \(exchanges.count), not sent: \(skipped.count), "
                + "answers that differ: \(differences.count)"
        ]
        lines += differences.map(\.description) + skipped.map(\.description)
        if leftOutConnectionCount > 0 {
            lines.append("further connections, not made: \(leftOutConnectionCount)")
        }
        if let interruption { lines.append("it ended early: \(interruption)") }
        return lines.joined(separator: "\n")
    }
}

extension ReplayComparison.Exchange: CustomStringConvertible {
    /// The line of the request, and the answers of both devices.
    public var description: String {
        "line \(request.line): \(request): recorded \(Self.text(recorded)), heard "
            + Self.text(heard)
    }

    private static func text(_ kinds: [AnswerKind]) -> String {
        kinds.isEmpty ? "nothing" : "[\(kinds.map(\.description).joined(separator: ", "))]"
    }
}

extension ReplayComparison.Skipped: CustomStringConvertible {
    /// The line of the request, and the reason why it was not sent.
    public var description: String {
        let reason =
            switch risk {
            case .dangerous: "it is dangerous"
            case .unknown: "its effect is not known"
            case .known: "it could not be written"
            case nil: "the device has no such characteristic"
            }
        return "line \(request.line): \(request): not sent: \(reason)"
    }
}
