import HaloProtocol

@testable import HaloSimulator

/// The requests of one app, and the rules for them.
///
/// A request ends once. Its reply consists of frames that the device sent after the request was
/// written, and agrees with the device's memory. A request that must not be repeated is written
/// once.
struct RequestLedger {
    private(set) var open: [RequestNumber: OpenRequest] = [:]
    /// The numbers of the open requests, oldest first.
    private(set) var order: [RequestNumber] = []
    private(set) var counts = SimulationReport.RequestCounts()
    /// The remaining number of times that each unrepeatable write may arrive at the device.
    private var allowances: [[UInt8]: Int] = [:]
    private var lastNumber: UInt64 = 0

    /// Begins a new link with a new session, whose request numbers start again.
    mutating func beginLink() {
        lastNumber = 0
        open.removeAll()
        order.removeAll()
    }

    /// Notes a new request. Returns a violation if its number was used before.
    mutating func asked(_ request: OpenRequest, at now: Moment) -> Violation? {
        let number = request.asked.number
        guard number.rawValue > lastNumber else {
            return Violation(.endedTwice, at: now, "the number \(number) was given out twice")
        }
        lastNumber = number.rawValue
        open[number] = request
        order.append(number)
        if !request.isRead { allowances[request.asked.opening, default: 0] += 1 }
        return nil
    }

    /// The number of the open request at a position counted back from the newest, or `nil`.
    func number(newest: Int) -> RequestNumber? {
        order.indices.contains(order.count - 1 - newest) ? order[order.count - 1 - newest] : nil
    }

    /// Notes a write of the session. Returns a violation if it repeats an unrepeatable request.
    mutating func written(_ bytes: [UInt8], at now: Moment) -> Violation? {
        for number in order {
            guard var request = open[number], request.asked.opening == bytes else { continue }
            request.writes += 1
            open[number] = request
            guard request.isRead || request.writes == 1 else {
                return Violation(
                    .repeatedWrite, at: now,
                    "request \(number) (\(request.title)) was written twice")
            }
            return nil
        }
        return nil
    }

    /// Notes bytes that arrived at the device; `repeats` is the number of duplications by faults.
    mutating func arrived(
        _ bytes: [UInt8], at now: Moment, repeats: () -> Int
    ) -> Violation? {
        guard let left = allowances[bytes] else { return nil }
        allowances[bytes] = left - 1
        guard left - 1 + repeats() < 0 else { return nil }
        return Violation(
            .repeatedWrite, at: now,
            "\(HexText.bytes(bytes, separator: " ")) has reached the device more often than asked")
    }

    /// Adds a state of the device to every open request that was written.
    mutating func add(_ state: DeviceState) {
        for number in order where open[number]?.writes ?? 0 > 0 { open[number]?.add(state) }
    }

    /// Notes a frame sent by the device as a possible reply.
    mutating func sent(_ bytes: [UInt8], on channel: RingChannel) {
        guard channel == .uart, !order.isEmpty, let frame = try? Frame(decoding: bytes) else {
            return
        }
        for number in order where open[number]?.writes ?? 0 > 0 { open[number]?.sent(frame) }
    }

    /// Ends a request. Returns the broken rule, if any, and a description of the result.
    mutating func finished(
        _ completion: Completion, _ state: DeviceState?, at now: Moment
    ) -> (violation: Violation?, words: String) {
        let number = completion.number
        guard let request = open.removeValue(forKey: number) else {
            let details = "request \(number) has ended, and was not open"
            return (Violation(.endedTwice, at: now, details), "\(number) has ended again")
        }
        order.removeAll { $0 == number }
        let title = "\(number) (\(request.title))"
        switch request.asked.evaluate(completion, request.states + (state.map { [$0] } ?? [])) {
        case .failed(let error):
            counts.failed += 1
            return (nil, "\(title) failed: \(error)")
        case .refused:
            counts.refused += 1
            return (nil, "\(title) was refused")
        case .noData:
            counts.withoutData += 1
            return (foreign(completion, request, at: now), "\(title): nothing stored")
        case .value(let isTrue, let words):
            counts.answered += 1
            let lie = "request \(title) was answered, and it is not so: \(words)"
            let violation =
                isTrue
                ? foreign(completion, request, at: now) : Violation(.untrueAnswer, at: now, lie)
            return (violation, "\(title): \(words)")
        }
    }

    /// The violation of a reply with a frame that the device has not sent since the request was
    /// written, or `nil`.
    ///
    /// Records are not checked: they have a CRC, and are compared with the device's memory. A
    /// duplicated run of zeros can complete a record before the device has sent the last of it.
    private func foreign(
        _ completion: Completion, _ request: OpenRequest, at now: Moment
    ) -> Violation? {
        let title = "request \(completion.number) (\(request.title))"
        let frames = completion.received.frames
        if let frame = frames.first(where: { !request.sent.contains($0) }) {
            return Violation(
                .foreignAnswer, at: now,
                "\(title) was answered by \(frame), which the device did not send for it")
        }
        guard frames.isEmpty, completion.received.bigData.isEmpty else { return nil }
        return Violation(.foreignAnswer, at: now, "\(title) was answered by nothing")
    }

    /// One violation for each request that is still open.
    func leftOpen(at now: Moment) -> [Violation] {
        order.map { number in
            let words = open[number]?.title ?? ""
            return Violation(.neverEnded, at: now, "request \(number) (\(words)) has not ended")
        }
    }
}

/// An open request of a run.
struct OpenRequest {
    /// The description of the request.
    let title: String
    /// `true` if the request only reads.
    let isRead: Bool
    let asked: SimulatedRequest.Asked
    /// The number of times that the request was written.
    var writes = 0
    /// The states of the device at the arrival of the bytes, and at the beginning of the reply.
    var states: [DeviceState] = []
    /// The possible reply frames that the device has sent since the first write.
    var sent: [Frame] = []

    /// The maximum number of states that are kept; later ones are more likely to match.
    static let stateLimit = 16

    init(_ question: SimulatedRequest, _ asked: SimulatedRequest.Asked) {
        title = question.title
        isRead = question.isRead
        self.asked = asked
    }

    mutating func add(_ state: DeviceState) {
        if states.count == Self.stateLimit { states.removeFirst() }
        states.append(state)
    }

    mutating func sent(_ frame: Frame) {
        if asked.mark.includes(frame) { sent.append(frame) }
    }
}

/// The frames of a device that can be replies to a request.
enum ReplyMatcher {
    /// The frames of an opcode.
    case opcode(UInt8)
    /// The records with these ids.
    case records([UInt8])

    func includes(_ frame: Frame) -> Bool {
        if case .opcode(frame.opcode) = self { true } else { refusal(is: frame) }
    }

    /// `true` if the bytes are a request of the same command.
    func asks(_ bytes: [UInt8]) -> Bool {
        switch self {
        case .opcode(let opcode): bytes.first == opcode
        case .records(let ids): bytes.dropFirst().first.map { ids.contains($0) } ?? false
        }
    }

    /// `true` if the frame refuses the request.
    func refusal(is frame: Frame) -> Bool {
        guard case .opcode(let opcode) = self, let refused = frame.refusedOpcode else {
            return false
        }
        return refused == Refusal(of: opcode).opcode
    }
}

/// A copy of a ring, with the moment at which it was taken.
struct DeviceState: Sendable {
    let ring: VirtualRing
    let moment: Moment

    /// Returns a value computed on a copy of the ring at its moment.
    func holds<Value>(_ question: (inout VirtualRing, Moment) -> Value) -> Value {
        var copy = ring
        copy.catchUp(at: moment)
        return question(&copy, moment)
    }
}

/// The evaluated end of a request.
enum RequestOutcome {
    /// A reply, with its agreement with the device's state, and its description.
    case value(isTrue: Bool, String)
    /// The ring has refused the request.
    case refused
    /// The ring has replied with "nothing stored".
    case noData
    /// The request has failed without a reply.
    case failed(SessionError)
}

/// The streams of one app, and the rules for them: each ends once, and sends no report after that.
struct StreamLedger {
    private(set) var open: [StreamNumber] = []
    private(set) var begun = 0
    private var last: [StreamNumber: StreamReport] = [:]

    /// Begins a new link with a new session, whose stream numbers start again.
    mutating func beginLink() {
        open.removeAll()
        last.removeAll()
    }

    /// Notes a new stream.
    mutating func began(_ number: StreamNumber) {
        begun += 1
        open.append(number)
    }

    /// Notes a report of a stream.
    mutating func reported(
        _ number: StreamNumber, _ report: StreamReport, at now: Moment
    ) -> Violation? {
        guard open.contains(number) else {
            return Violation(
                .streamAfterEnd, at: now, "the stream \(number.rawValue) goes on after its end")
        }
        switch report {
        case .ended:
            open.removeAll { $0 == number }
            last[number] = nil
        case .workout:
            defer { last[number] = report }
            guard last[number] != report else {
                return Violation(
                    .streamAfterEnd, at: now,
                    "the stream \(number.rawValue) says the same second twice")
            }
        case .started, .measurement, .rawSensors: break
        }
        return nil
    }

    /// One violation for each stream that is still open.
    func leftOpen(at now: Moment) -> [Violation] {
        open.map {
            Violation(.streamNeverEnded, at: now, "the stream \($0.rawValue) has not ended")
        }
    }
}
