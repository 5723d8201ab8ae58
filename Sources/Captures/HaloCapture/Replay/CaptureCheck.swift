internal import HaloProtocol

/// A check of a capture against the current decoders and sessions.
///
///     let check = try CaptureCheck(contentsOf: "bug.halo")
///     #expect(check.isClean, "\(check)")
///
/// Each packet is decoded and encoded again, and compared with its bytes, and with its `=` or `!`
/// lines if it has any. Replies of many frames are joined and split. Each request to a ring is sent
/// by a session, which then receives the recorded answers: the check counts the completed requests
/// and the unsolicited values. Measurements of heart-rate sensors are checked with a session of
/// their own.
///
/// A difference at a packet with the tag `exception:` is declared, and does not count.
public struct CaptureCheck: Sendable {
    /// The maximum number of kept findings, which are the first ones.
    package static let findingLimit = 1_000
    /// The maximum number of concurrent connections that are checked with sessions: the first ones.
    package static let linkLimit = 64

    /// The findings in the order of the lines; the first 1000 if there are more.
    public private(set) var findings: [CaptureFinding] = []
    /// The number of differences that the capture does not declare.
    package private(set) var differenceCount = 0
    package private(set) var declaredCount = 0
    package private(set) var noteCount = 0
    package private(set) var counts = CaptureCounts()

    /// The packets with a declared exception.
    private var declared: [CaptureReading] = []
    /// The declared exceptions, by the line of their packet.
    private var exceptions: [Int: String] = [:]
    private var usedExceptions: Set<Int> = []

    /// Checks a capture.
    public init(_ capture: Capture) {
        CaptureReadings.forEach(of: capture) { check($0) }
        for link in RecordedConversations.links(of: capture).prefix(Self.linkLimit) {
            check(RecordedConversations(capture, link: link))
        }
        for reading in declared where !usedExceptions.contains(reading.line) {
            exceptions[reading.line] = nil
            note(.needlessException, .difference, reading, "nothing is out of order here")
        }
        declared = []
        findings.sort { $0.line < $1.line }
    }

    /// Checks the capture in a file, as a test does.
    public init(contentsOf path: String) throws(CaptureFileError) {
        self.init(try Capture(contentsOf: path))
    }

    /// `true` if the program and the capture agree, except for declared differences.
    public var isClean: Bool { differenceCount == 0 }

    /// The number of findings beyond ``findingLimit``, which were not kept.
    package var droppedCount: Int {
        differenceCount + declaredCount + noteCount - findings.count
    }

    private mutating func note(
        _ kind: CaptureFinding.Kind, _ severity: CaptureFinding.Severity, _ line: Int,
        _ moment: Moment, _ text: String, packet: CapturePacket? = nil
    ) {
        var exception: String?
        switch severity {
        case .note: noteCount += 1
        case .difference:
            exception = exceptions[line]
            if exception == nil { differenceCount += 1 } else { declaredCount += 1 }
            usedExceptions.insert(line)
        }
        // Half of the room is reserved for differences.
        let limit = severity == .note ? Self.findingLimit / 2 : Self.findingLimit
        guard findings.count < limit else { return }
        findings.append(
            CaptureFinding(
                line: line, moment: moment, kind: kind, severity: severity, text: text,
                packet: packet, exception: exception))
    }

    private mutating func note(
        _ kind: CaptureFinding.Kind, _ severity: CaptureFinding.Severity,
        _ reading: CaptureReading, _ text: String
    ) {
        note(kind, severity, reading.line, reading.moment, text, packet: reading.packet)
    }

    // MARK: Decoders

    private mutating func check(_ reading: CaptureReading) {
        if let exception = reading.exception {
            exceptions[reading.line] = exception
            declared.append(reading)
        }
        checkDecoding(of: reading)
        guard let joined = reading.joined else { return }
        counts.longReplies += 1
        guard joined.frames != joined.split else { return }
        note(
            .splitting, .difference, reading,
            "the reply of \(joined.frames.count) frames splits into \(joined.split.count)")
    }

    private mutating func checkDecoding(of reading: CaptureReading) {
        counts.packets += 1
        switch reading.status {
        case .decoded: counts.decoded += 1
        case .refused: counts.refused += 1
        case .unknown: counts.unknown += 1
        }
        if let stated = reading.stated {
            if stated != reading.verdict {
                note(
                    .reading, .difference, reading,
                    "the file says \(stated.text), the decoders \(reading.verdict.text)")
            } else if reading.exception != nil, case .fails = stated {
                // A packet with a declared exception: its error is a difference even where the file
                // states it.
                note(.unreadable, .difference, reading, stated.text)
            }
        } else if case .fails(let reason) = reading.verdict {
            note(.unreadable, .difference, reading, reason)
        } else if reading.status == .unknown, reading.packet.channel.packetKind != nil {
            note(
                .unknown, .note, reading,
                "this packet of \(reading.packet.channel.words) is not described")
        }
        if let reencoded = reading.reencoded {
            note(
                .encoding, .difference, reading,
                "it encodes to \(HexText.bytes(reencoded, separator: " "))")
        }
    }

    // MARK: Sessions of rings

    private mutating func check(_ recording: RecordedConversations) {
        counts.connections += recording.conversations.count
        let reactions = recording.reactions
        let indices = Dictionary(grouping: reactions.indices) { reactions[$0].conversation }
        for (number, conversation) in recording.conversations.enumerated() {
            let values = indices[number] ?? []
            let answers = Dictionary(grouping: values) {
                reactions[$0].answered ?? reactions[$0].after
            }
            var driver = RingSessionDriver()
            for index in answers[nil] ?? [] { feed(reactions[index], &driver) }
            for request in conversation.requests {
                ask(recording.requests[request], &driver)
                for index in answers[request] ?? [] { feed(reactions[index], &driver) }
                end(recording.requests[request], &driver)
            }
            checkSensor(values.lazy.map { reactions[$0] })
        }
    }

    private mutating func ask(_ request: RecordedRequest, _ driver: inout RingSessionDriver) {
        guard case .write(let channel, let bytes) = request.what else { return }
        if driver.ask(bytes, on: channel) { counts.requests += 1 }
    }

    private mutating func feed(_ value: RecordedReaction, _ driver: inout RingSessionDriver) {
        guard case .value(let channel, let bytes, _) = value.what,
            channel == .uart || channel == .bigData
        else { return }
        let events = driver.feed(
            bytes, on: channel == .uart ? .uart : .bigData, isAnswer: value.answered != nil)
        for event in events { count(event, value) }
    }

    /// The opcodes of reports: frames that a ring sends unsolicited, or after the answer.
    private static let reports: Set<UInt8> = [
        RealtimeMeasurement.opcode, WorkoutProgress.opcode, RawSensors.opcode,
        LegacyRealtimeHeartRate.opcode, PacketSizePush.opcode,
    ]

    private mutating func count(_ event: RingSession.Event, _ value: RecordedReaction) {
        switch event {
        case .notification: counts.reports += 1
        case .unsolicited(let frame) where Self.reports.contains(frame.opcode):
            counts.reports += 1
        case .unsolicited, .unsolicitedRecord, .late, .lateRecord, .unknown:
            counts.unsolicited += 1
            note(.unsolicited, .note, value.line, value.moment, event.description)
        case .brokenFrame, .brokenPacket, .brokenRecord, .dropped:
            // The decoders have already found the error in a broken packet.
            break
        case .fault:
            note(.malformed, .difference, value.line, value.moment, event.description)
        }
    }

    private mutating func end(_ request: RecordedRequest, _ driver: inout RingSessionDriver) {
        guard let end = driver.end() else { return }
        let (completion, hasAnswers) = end
        guard let error = completion.error else {
            counts.completed += 1
            if completion.received.frames.contains(where: { $0.refusedOpcode != nil }) {
                counts.refusals += 1
            }
            return
        }
        let (kind, text): (CaptureFinding.Kind, String) =
            switch error.kind {
            case .malformed: (.malformed, error.description)
            case .timedOut where !hasAnswers: (.unanswered, "nothing came for \(request)")
            case .timedOut: (.unmatched, "what came is not a reply to \(request)")
            default: (.incomplete, error.description)
            }
        if kind == .unanswered { counts.unanswered += 1 } else { counts.incomplete += 1 }
        let severity: CaptureFinding.Severity = kind == .malformed ? .difference : .note
        note(kind, severity, request.line, request.moment, text)
    }

    // MARK: Sessions of heart-rate sensors

    private static let heartRate = CaptureChannel(
        CharacteristicCatalog.heartRateMeasurement.uuid)

    private mutating func checkSensor(_ values: some Sequence<RecordedReaction>) {
        var session = HeartRateSensorSession()
        for value in values {
            guard case .value(Self.heartRate, let bytes, _) = value.what else { continue }
            session.receive(bytes, at: value.moment)
            while let effect = session.nextEffect() {
                if case .measured = effect { counts.measurements += 1 }
            }
        }
        counts.beats += session.beatCount
    }
}

extension CaptureCheck: CustomStringConvertible {
    /// The counts on one line, then the findings, one line each.
    public var description: String {
        let end = droppedCount > 0 ? ["further findings: \(droppedCount)"] : []
        return ([summary] + findings.map(\.description) + end).joined(separator: "\n")
    }

    /// The counts on one line.
    package var summary: String {
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

package struct CaptureCounts: Hashable, Sendable {
    /// The number of packets; the pieces of a long frame count as one.
    package internal(set) var packets = 0
    package internal(set) var decoded = 0
    /// The number of packets that cannot be decoded.
    package internal(set) var refused = 0
    /// The number of packets without a decoder.
    package internal(set) var unknown = 0
    /// The number of complete replies of many frames.
    package internal(set) var longReplies = 0
    /// The number of connections, successive or concurrent.
    package internal(set) var connections = 0
    /// The number of requests to a ring that a session can send.
    package internal(set) var requests = 0
    /// The number of requests that a session completes with the recorded answers.
    package internal(set) var completed = 0
    package internal(set) var refusals = 0
    package internal(set) var unanswered = 0
    /// The number of requests with a part of an answer, or only with other values.
    package internal(set) var incomplete = 0
    /// The number of reports of measurements and workouts, and of notifications of a ring.
    package internal(set) var reports = 0
    /// The number of other unsolicited values of a ring.
    package internal(set) var unsolicited = 0
    package internal(set) var measurements = 0
    package internal(set) var beats: UInt64 = 0
}

extension CaptureReading.Verdict {
    /// The lines in the form of the file, on one line.
    var text: String {
        switch self {
        case .reads(let readings):
            readings.isEmpty ? "nothing" : readings.map { "= \($0)" }.joined(separator: " ")
        case .fails(let error): "! \(error)"
        }
    }
}
