internal import HaloProtocol

/// The requests of one app, and the rules that hold for them.
///
/// A request ends once. What an answer is made of was sent by the device after the request had been
/// written, and says what the device holds. What only may happen once is written once.
struct RequestLedger {
    private(set) var open: [TicketNumber: OpenRequest] = [:]
    /// The numbers of those that are open, in the order of asking.
    private(set) var order: [TicketNumber] = []
    private(set) var counts = SimulationReport.RequestCounts()
    /// How often bytes that may be written once only may still arrive at the device.
    private var allowances: [[UInt8]: Int] = [:]
    private var lastNumber: UInt64 = 0
    private var reassembler = BigDataReassembler()

    /// The link is a new one, and so is the session: numbers begin again.
    mutating func beginLink() {
        lastNumber = 0
        open.removeAll()
        order.removeAll()
        reassembler = BigDataReassembler()
    }

    /// A request was made.
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

    /// The number of a request that is still open, counted back from the newest.
    func number(newest: Int) -> TicketNumber? {
        order.indices.contains(order.count - 1 - newest) ? order[order.count - 1 - newest] : nil
    }

    /// The session wants bytes to be written.
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

    /// Bytes have arrived at the device; `repeats` says how often a fault has doubled them.
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

    /// The device was so.
    mutating func add(_ state: DeviceState) {
        for number in order where open[number]?.writes ?? 0 > 0 { open[number]?.add(state) }
    }

    /// The device has sent something.
    mutating func sent(_ bytes: [UInt8], on channel: RingChannel) {
        switch channel {
        case .uart:
            guard !order.isEmpty, let frame = try? Frame(decoding: bytes) else { return }
            for number in order where open[number]?.writes ?? 0 > 0 { open[number]?.sent(frame) }
        case .bigData:
            reassembler.receive(bytes)
            while let event = reassembler.nextEvent() {
                guard case .frame(let record) = event else { continue }
                for number in order where open[number]?.writes ?? 0 > 0 {
                    open[number]?.sent(record)
                }
            }
        }
    }

    /// A request has ended; says what is wrong with that, and what happened in words.
    mutating func finished(
        _ completion: Completion, _ state: DeviceState?
    ) -> (fault: RequestFault?, words: String) {
        let number = completion.number
        guard let request = open.removeValue(forKey: number) else {
            return (
                RequestFault(.endedTwice, "request \(number) has ended, and was not open"),
                "\(number) has ended again"
            )
        }
        order.removeAll { $0 == number }
        let title = "\(number) (\(request.title))"
        switch request.asked.judge(completion, request.states + (state.map { [$0] } ?? [])) {
        case .failed(let error):
            counts.failed += 1
            return (nil, "\(title) failed: \(error)")
        case .refused:
            counts.refused += 1
            return (nil, "\(title) was refused")
        case .noData:
            counts.withoutData += 1
            return (AnswerOrigin(completion, request).fault, "\(title): nothing stored")
        case .value(let isTrue, let words):
            counts.answered += 1
            let lie = RequestFault(
                .untrueAnswer, "request \(title) was answered, and it is not so: \(words)")
            if !isTrue { return (lie, "\(title): \(words)") }
            return (AnswerOrigin(completion, request).fault, "\(title): \(words)")
        }
    }

    /// The requests that are still open, when they should not be.
    func leftOpen(at now: Moment) -> [Violation] {
        order.map { number in
            let words = open[number]?.title ?? ""
            return Violation(.neverEnded, at: now, "request \(number) (\(words)) has not ended")
        }
    }
}

/// What is wrong with how a request has ended.
struct RequestFault {
    let kind: Violation.Kind
    let details: String

    init(_ kind: Violation.Kind, _ details: String) {
        self.kind = kind
        self.details = details
    }
}
