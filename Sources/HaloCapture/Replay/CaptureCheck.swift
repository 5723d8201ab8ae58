import HaloProtocol

/// Runs a capture against the decoders and the sessions of today, and says what differs.
///
///     let check = try CaptureCheck(contentsOf: "bug.halo")
///     #expect(check.isClean, "\(check)")
///
/// Each packet is decoded and encoded again; that is compared with its bytes, and with its `=` or
/// `!` lines if it has any. Replies of many frames are joined and split. Each request to a ring is
/// sent by a session, which then gets what the ring said to it: so it is seen which requests
/// complete, and what a session does with the rest. Measurements of heart-rate sensors go through
/// a session of theirs.
///
/// A difference at a packet with the tag `exception:` is declared, and does not count.
public struct CaptureCheck: Sendable {
    /// How many findings are kept: the first ones.
    public static let findingLimit = 1_000
    /// How many connections side by side go through sessions: the first ones.
    public static let linkLimit = 64

    /// What was found, in the order of the lines; the first ones, if there are too many.
    public private(set) var findings: [CaptureFinding] = []
    /// How many differences there are that the capture does not declare.
    public private(set) var differenceCount = 0
    /// How many differences the capture declares.
    public private(set) var declaredCount = 0
    /// How many notes there are.
    public private(set) var noteCount = 0
    /// How much of what is in the capture.
    public internal(set) var counts = CaptureCounts()

    /// The lines with packets that declare an exception.
    private var exceptions: [Int: String] = [:]
    private var usedExceptions: Set<Int> = []

    /// Checks a capture.
    public init(_ capture: Capture) {
        let readings = CaptureReadings(capture)
        for reading in readings.all {
            if let exception = reading.exception { exceptions[reading.line] = exception }
        }
        check(readings)
        for link in RecordedConversations.links(of: capture).prefix(Self.linkLimit) {
            check(RecordedConversations(capture, link: link))
        }
        for reading in readings.all
        where reading.exception != nil && !usedExceptions.contains(reading.line) {
            exceptions[reading.line] = nil
            note(.needlessException, .difference, reading, "nothing is out of order here")
        }
        findings.sort { $0.line < $1.line }
    }

    /// Checks the capture in a file: what a test calls.
    public init(contentsOf path: String) throws(CaptureFileError) {
        self.init(try Capture(contentsOf: path))
    }

    /// Whether the program and the capture agree, but for what the capture declares.
    public var isClean: Bool { differenceCount == 0 }

    /// How many findings were not kept.
    public var droppedCount: Int {
        differenceCount + declaredCount + noteCount - findings.count
    }

    mutating func note(
        _ kind: CaptureFinding.Kind, _ severity: CaptureFinding.Severity, _ line: Int,
        _ moment: Moment, _ text: String, packet: CaptureReading.WholePacket? = nil
    ) {
        var exception: String?
        switch severity {
        case .note: noteCount += 1
        case .difference:
            exception = exceptions[line]
            if exception == nil { differenceCount += 1 } else { declaredCount += 1 }
            usedExceptions.insert(line)
        }
        // Differences have room where notes have none.
        let limit = severity == .note ? Self.findingLimit / 2 : Self.findingLimit
        guard findings.count < limit else { return }
        findings.append(
            CaptureFinding(
                line: line, moment: moment, kind: kind, severity: severity, text: text,
                packet: packet, exception: exception))
    }

    mutating func note(
        _ kind: CaptureFinding.Kind, _ severity: CaptureFinding.Severity,
        _ reading: CaptureReading, _ text: String
    ) {
        note(kind, severity, reading.line, reading.moment, text, packet: reading.packet)
    }
}

extension CaptureCheck: CustomStringConvertible {
    /// What was counted, on one line, and what was found, a line each.
    public var description: String {
        let end = droppedCount > 0 ? ["and \(droppedCount) more findings"] : []
        return ([summary] + findings.map(\.description) + end).joined(separator: "\n")
    }

    /// What was counted, on one line.
    public var summary: String {
        func number(_ count: Int, _ thing: String) -> String {
            count == 1 ? "1 \(thing)" : "\(count) \(thing)s"
        }
        var parts = [
            number(counts.packets, "packet"), "\(counts.decoded) decoded",
            "\(counts.refused) refused", "\(counts.unknown) unknown",
        ]
        if counts.requests > 0 {
            parts += [
                number(counts.requests, "request"), "\(counts.completed) completed",
                "\(counts.unanswered) unanswered", "\(counts.incomplete) incomplete",
                number(counts.reports, "report"), "\(counts.unsolicited) unsolicited",
            ]
        }
        if counts.measurements > 0 {
            parts += [
                number(counts.measurements, "measurement"),
                number(Int(clamping: counts.beats), "beat"),
            ]
        }
        parts += [number(differenceCount, "difference"), "\(declaredCount) declared"]
        return parts.joined(separator: ", ")
    }
}

/// How much of what is in a capture.
public struct CaptureCounts: Hashable, Sendable {
    /// Packets, with what was cut into pieces as one.
    public internal(set) var packets = 0
    /// Packets that were decoded.
    public internal(set) var decoded = 0
    /// Packets that are not what they should be.
    public internal(set) var refused = 0
    /// Packets that nobody has described.
    public internal(set) var unknown = 0
    /// Replies of many frames that are whole.
    public internal(set) var longReplies = 0
    /// Connections, one after another or side by side.
    public internal(set) var connections = 0
    /// Requests to a ring that a session can send.
    public internal(set) var requests = 0
    /// Those that a session completes with what was recorded.
    public internal(set) var completed = 0
    /// Those that the ring refused.
    public internal(set) var refusals = 0
    /// Those for which nothing came.
    public internal(set) var unanswered = 0
    /// Those for which not everything came, or nothing that answers them.
    public internal(set) var incomplete = 0
    /// Reports of measurements and workouts, and what a ring says of itself.
    public internal(set) var reports = 0
    /// What else a ring said that nobody had asked for.
    public internal(set) var unsolicited = 0
    /// Measurements of a heart-rate sensor.
    public internal(set) var measurements = 0
    /// Beats that a heart-rate sensor told of.
    public internal(set) var beats: UInt64 = 0
}
