internal import HaloProtocol
internal import HaloTransport

/// A ring, as its connection asks for it: a conversation, who waits for what in it, and what is
/// known of the ring.
///
/// - Requests go into the session, and what the session wants done goes to the link, to those who
///   asked, and to loops.
/// - Every request ends once: with its answer, with the link, or by being cancelled.
/// - A stream is begun on each link anew until its loop is left, except for a workout, which would
///   be another one.
struct RingClient: DeviceClient {
    typealias Channel = RingChannel

    /// What is done with a new link once the ring sends its answers.
    enum Step: Hashable, Sendable {
        case askDay, readHistory, setClock, askFunctions
    }

    /// Who has made a request.
    enum Asker: Hashable, Sendable {
        /// A task, by the number under which it waits.
        case app(UInt64)
        /// A step of preparing, by its number.
        case preparation(UInt64)
        /// The watch for gestures.
        case gestures
    }

    /// A request that has not ended.
    struct Call: Sendable {
        let asker: Asker
        let finish: @Sendable (EndedRequest, inout RingClient, inout Context) -> Void
    }

    /// A loop over a stream, on as many links as it takes.
    struct Observer: Sendable {
        let loop: UInt64
        let stream: RingStream
        let isOnce: Bool
        /// The stream on the link that there is now, while it runs.
        var running: StreamNumber?
    }

    let options: RingOptions
    var knowledge: RingKnowledge
    var session: RingSession
    private(set) var attributes: RingAttributes?
    /// `true` while the ring can be asked.
    private(set) var isReady = false
    var stepUnderWay: RingStep
    /// What was read before the clock was set.
    var orphans: RingHistory?
    /// `true` once reading that has taken longer than it may.
    var historyTimedOut = false

    private(set) var calls: [TicketNumber: Call] = [:]
    /// The last write that failed.
    private(set) var failedWrite: (number: WriteNumber, error: BLEError)?
    /// Counts the conversations: a session's numbers begin anew with each.
    private var conversation = 0
    /// Why the last link has ended.
    private(set) var endReason: DisconnectReason?
    /// How loops end with the link that is being left; `nil` if there will be another link.
    private(set) var end: Result<Void, DeviceError>?

    var observers: [Observer] = []
    var reports: Consumers<StreamItem>
    var events: Consumers<Ring.Event>
    var gestures: Consumers<Moment>
    var watch = GestureWatch()

    init(_ options: RingOptions, _ wallClock: WallClock) {
        self.options = options
        let clock = RingClock(
            secondsFromUTC: options.clock.zone.secondsFromUTC(wallClock), wasSet: false)
        knowledge = RingKnowledge(assuming: clock, after: options.earlierClocks)
        session = RingSession(options.rules)
        stepUnderWay = RingStep()
        reports = Consumers(limit: options.bufferLimit)
        events = Consumers(limit: options.bufferLimit)
        gestures = Consumers(limit: options.bufferLimit)
    }

    // MARK: The device

    mutating func found(_ services: [GATTService]) throws(DeviceError) {
        attributes = try RingAttributes(services)
    }

    func source(of channel: RingChannel) -> GATTCharacteristic? {
        switch channel {
        case .uart: attributes?.uartNotify
        case .bigData: attributes?.bigDataNotify
        }
    }

    mutating func learn(_ information: DeviceInformation) {
        knowledge.learn(information)
    }

    // MARK: The link

    mutating func linkOpened(_ context: inout Context) {
        stepUnderWay = RingStep()
        cancel(&context) { _ in true }
        session.disconnect(at: context.now)
        flush(&context)
        session = RingSession(options.rules)
        failedWrite = nil
        conversation += 1
    }

    mutating func ready(_ context: inout Context) {
        isReady = true
        stepUnderWay = RingStep()
        for index in observers.indices { begin(index, context.now) }
        watchAsWanted(&context)
        flush(&context)
    }

    mutating func suspended(_ context: inout Context) { session.suspend(at: context.now) }

    mutating func resumed(_ context: inout Context) {
        session.resume(at: context.now)
        flush(&context)
    }

    mutating func linkEnded(
        _ reason: DisconnectReason?, end: Result<Void, DeviceError>?, _ context: inout Context
    ) {
        (isReady, endReason, self.end) = (false, reason, end)
        stepUnderWay = RingStep()
        watch.linkEnded()
        session.disconnect(at: context.now)
        flush(&context)
        failedWrite = nil
        attributes = nil
    }

    mutating func closed(_ end: Result<Void, DeviceError>, _ context: inout Context) {
        for observer in observers { reports.finish(end, of: observer.loop, &context.turn) }
        observers = []
        events.finish(end, &context.turn)
        for loop in watch.loops { gestures.finish(end, of: loop, &context.turn) }
        watch = GestureWatch()
    }

    // MARK: Requests

    /// Sends a request; the function is called once.
    mutating func submit<Answer: Sendable>(
        _ request: AnsweredRequest<Answer>, as asker: Asker, _ context: inout Context,
        _ finish:
            @escaping @Sendable (
                TimedAnswer<Answer>, inout RingClient, inout Context
            ) -> Void
    ) {
        let asked = context.now
        guard request.channel == .uart || attributes?.bigDataWrite != nil else {
            let answer = request.refused(DeviceError(.notSupported))
            return finish(
                TimedAnswer(answer: answer, asked: asked, answered: asked), &self, &context)
        }
        let (number, answer) = request.send(&session, asked)
        calls[number] = Call(asker: asker) { ended, client, context in
            let answer = TimedAnswer(answer: answer(ended), asked: asked, answered: context.now)
            finish(answer, &client, &context)
        }
        flush(&context)
    }

    /// Takes requests back.
    mutating func cancel(_ context: inout Context, where isMeant: (Asker) -> Bool) {
        // In the order of asking: the same program takes the same course each time.
        let meant = calls.filter { isMeant($0.value.asker) }.keys
        for number in meant.sorted(by: { $0.rawValue < $1.rawValue }) {
            session.cancel(number, at: context.now)
        }
        flush(&context)
    }

    // MARK: The conversation

    mutating func receive(
        _ bytes: [UInt8], of attribute: AttributeID, _ context: inout Context
    ) {
        switch attribute {
        case attributes?.uartNotify.id: session.receive(bytes, on: .uart, at: context.now)
        case attributes?.bigDataNotify?.id: session.receive(bytes, on: .bigData, at: context.now)
        default: return
        }
        flush(&context)
    }

    var deadline: Moment? {
        [session.deadline, stepUnderWay.waitsUntil, watch.deadline].compactMap { $0 }.min()
    }

    mutating func tick(_ context: inout Context) {
        session.tick(at: context.now)
        flush(&context)
        if let moment = stepUnderWay.waitsUntil, moment <= context.now { waited(&context) }
        if let moment = watch.deadline, moment <= context.now { watchIsDue(&context) }
    }

    /// Does what the session wants done.
    mutating func flush(_ context: inout Context) {
        while let effect = session.nextEffect() { perform(effect, &context) }
    }

    private mutating func perform(_ effect: RingSession.Effect, _ context: inout Context) {
        switch effect {
        case .write(let frame, let number):
            write(Array(frame.bytes), number, to: attributes?.uartWrite, &context)
        case .writeRecord(let record, let number):
            write(record.bytes, number, to: attributes?.bigDataWrite, &context)
        case .finished(let completion):
            guard let call = calls.removeValue(forKey: completion.number) else { return }
            if completion.received != ReceivedAnswer() { stepUnderWay.hasAnswered = true }
            let writeError =
                failedWrite?.number == completion.lastWrite ? failedWrite?.error : nil
            let ended = EndedRequest(
                completion: completion, writeError: writeError, reason: endReason)
            call.finish(ended, &self, &context)
        case .stream(let number, let report): take(report, of: number, &context)
        case .event(let event):
            learn(from: event, context.now)
            let meaning = Ring.Event(event)
            events.send(meaning, &context.turn)
            if case .gesture = meaning { noticed(&context) }
        }
    }

    /// Writes in packets, of the length that the link has when it is written. With a response it
    /// could carry more, but no ring was seen to put the pieces of a value together.
    private func write(
        _ bytes: [UInt8], _ number: WriteNumber, to target: RingAttributes.Target?,
        _ context: inout Context
    ) {
        guard let target else { return }
        context.send { link, completion in
            let most = max(link.maximumWriteLength(.withoutResponse), Self.leastWriteLength)
            var rest = bytes[...]
            while !rest.isEmpty {
                let piece = Array(rest.prefix(most))
                rest = rest.dropFirst(most)
                link.submitWrite(piece, to: target.characteristic, target.mode, completion)
            }
        } failed: { [conversation] error, client, context in
            guard client.conversation == conversation else { return }
            client.writeFailed(number, error, &context)
        }
    }

    /// What every link can carry.
    private static var leastWriteLength: Int { 20 }

    /// A write, or a piece of one, has failed. Where the ring cannot have got it, nothing is
    /// waited for; where it may have, or may get it the next time, its answer is.
    private mutating func writeFailed(
        _ number: WriteNumber, _ error: BLEError, _ context: inout Context
    ) {
        failedWrite = (number, error)
        guard error.isFinal else { return }
        session.writeFailed(number, at: context.now)
        flush(&context)
    }

    /// What a ring says about itself too late for who asked is not lost.
    private mutating func learn(from event: RingEvent, _ now: Moment) {
        guard case .late(let frame) = event else { return }
        if let reply = try? SetTime.Reply(decoding: frame) {
            knowledge.capabilities.update(reply)
            knowledge.confirmSetting(at: now)
        } else if let reply = try? DeviceFunctions.Reply(decoding: frame) {
            knowledge.capabilities.update(reply)
        }
    }
}

extension BLEError {
    /// `true` if what was to be written did not reach the device, and will not when it is tried
    /// again. The end of a link is told by the link.
    fileprivate var isFinal: Bool {
        !isTransient && !isStale && kind != .disconnected && kind != .cancelled
    }
}

// MARK: - What a task asks

extension DeviceConnection<RingClient> {
    /// What is known of the ring.
    var knowledge: RingKnowledge { read { $0.client.knowledge } }

    /// Sends a request, and waits for what comes of it.
    ///
    /// - Parameter isLent: See ``wait(_:isLent:cancelled:_:forget:)``.
    nonisolated(nonsending) func ask<Answer: Sendable>(
        _ request: AnsweredRequest<Answer>, isLent: Bool = false
    ) async throws(DeviceError) -> TimedAnswer<Answer> {
        try await wait(isLent: isLent) { number, finish, state in
            let now = state.turn.now
            if let refusal = state.refusal {
                let answer = TimedAnswer(
                    answer: request.refused(refusal), asked: now, answered: now)
                _ = finish(.success(answer), &state.turn)
                return
            }
            tell(&state) { client, context in
                client.submit(request, as: .app(number), &context) { answer, _, context in
                    _ = finish(.success(answer), &context.turn)
                }
            }
        } forget: { number, state in
            tell(&state) { client, context in client.cancel(&context) { $0 == .app(number) } }
        }
    }

    /// Sends a request, and waits for its answer.
    nonisolated(nonsending) func ask<Value: Sendable>(
        _ request: RingRequest<Value>
    ) async throws(DeviceError) -> Answer<Value> {
        do throws(DeviceError) {
            return try await ask(request.answering { $0.result }).answer.get()
        } catch {
            var error = error
            error.command = error.command ?? request.command
            throw error
        }
    }
}
