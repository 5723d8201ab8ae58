internal import HaloProtocol
internal import HaloTransport

/// The client of a ring's connection: the session, its pending requests and loops, and the
/// knowledge of the ring.
///
/// - Requests are sent by the session. Its effects are performed on the link, on requests and on
///   loops.
/// - Every request ends once: with its reply, with the link, or by being cancelled.
/// - A stream begins anew on each link until its loop is left. The stream of a workout ends with
///   the link: a new one would be another workout.
struct RingClient: DeviceClient {
    typealias Channel = RingChannel

    enum Step: Hashable, Sendable {
        case readVersions, askDay, readHistory, keepHistory, setClock, askFunctions
    }

    enum Origin: Hashable, Sendable {
        case app(ObjectIdentifier)
        /// The step of a preparation with this number. After the step, replies are ignored.
        case preparation(Int)
        case gestures
    }

    struct OpenRequest: Sendable {
        let command: FieldName
        let origin: Origin
        let asked: Moment
        /// The clock that a request sets which was not written yet.
        var clock: RingClock?
        let finish: Finish
    }

    typealias Finish = @Sendable (RingReply, inout RingClient, inout Context) -> Void

    struct Observer: Sendable {
        let loop: UInt64
        let stream: RingStream
        let isOnce: Bool
        /// The stream on the current link, while it runs.
        var running: StreamNumber?
    }

    let options: RingOptions
    /// The name that the ring advertised.
    let name: String?
    var knowledge: RingKnowledge
    private var session: RingSession
    private(set) var attributes: RingAttributes?
    private(set) var isReady = false
    var stepUnderWay = RingStep()
    var historyBeforeClockChange: RingHistory?
    /// Keeps ``historyBeforeClockChange`` while the step for it is under way.
    var appTask: AppTask?
    /// `true` once reading the history before a change of the clock has timed out.
    var historyTimedOut = false

    private(set) var openRequests: [RequestNumber: OpenRequest] = [:]
    private(set) var failedWrite: (number: WriteNumber, error: BLEError)?
    /// The number of the session. Each session numbers its requests anew.
    private var sessionNumber = 0
    private var endReason: DisconnectReason?
    /// The end of all loops, set with the last link; `nil` if a further link may follow.
    private var end: Result<Void, DeviceError>?

    private(set) var observers: [Observer] = []
    var reports: Consumers<StreamItem>
    var events: Consumers<Ring.Event>
    var gestures: Consumers<Moment>
    var watch = GestureWatch()

    init(_ options: RingOptions, named name: String? = nil, _ wallClock: WallClock) {
        self.options = options
        self.name = name
        let clock = RingClock(
            secondsFromUTC: options.clock.zone.secondsFromUTC(wallClock), wasSet: false)
        let assumed = options.earlierZone.map {
            RingClock(secondsFromUTC: $0.secondsFromUTC(wallClock), wasSet: true)
        }
        let earlier = options.earlierClocks
        knowledge = RingKnowledge(
            assuming: clock, after: earlier.isEmpty ? [assumed].compactMap(\.self) : earlier)
        session = RingSession(options.rules)
        reports = Consumers(limit: options.bufferLimit) { .missed($0) }
        events = Consumers(limit: options.bufferLimit) { .missed($0) }
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

    // MARK: The link

    mutating func linkOpened(_ context: inout Context) {
        beginSteps()
        session.disconnect(at: context.now)
        flush(&context)
        session = RingSession(options.rules)
        failedWrite = nil
        sessionNumber += 1
    }

    private mutating func beginSteps() {
        stepUnderWay = RingStep(number: stepUnderWay.number + 1)
        appTask = nil
    }

    mutating func ready(_ context: inout Context) {
        isReady = true
        for index in observers.indices { startStream(index, context.now) }
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
        beginSteps()
        watch.linkEnded()
        session.disconnect(at: context.now)
        flush(&context)
        failedWrite = nil
        attributes = nil
    }

    mutating func closed(_ end: Result<Void, DeviceError>, _ context: inout Context) {
        for observer in observers { reports.finish(end, of: observer.loop) }
        observers = []
        events.finish(end)
        for loop in watch.loops { gestures.finish(end, of: loop) }
        watch = GestureWatch()
    }

    // MARK: Requests

    /// Sends a request, which may set a clock; `finish` is called once.
    mutating func submit<Value>(
        _ request: RingRequest<Value>, setting clock: RingClock? = nil, as origin: Origin,
        _ context: inout Context, _ finish: @escaping Finish
    ) {
        let now = context.now
        guard request.channel == .uart || attributes?.bigDataWrite != nil else {
            let error = DeviceError(.notSupported, command: request.command)
            let reply = RingReply(result: .failure(error), asked: now, answered: now)
            return finish(reply, &self, &context)
        }
        let number = session.send(request, at: now).number
        openRequests[number] = OpenRequest(
            command: request.command, origin: origin, asked: now, clock: clock, finish: finish)
        flush(&context)
    }

    private mutating func endRequest(_ completion: Completion, _ context: inout Context) {
        guard let request = openRequests.removeValue(forKey: completion.number) else {
            return assertionFailure("\(completion.number) ends twice")
        }
        if completion.received != ReceivedAnswer() { stepUnderWay.hasAnswered = true }
        if case .preparation(let step) = request.origin, step != stepUnderWay.number { return }
        var result = Result<ReceivedAnswer, DeviceError>.success(completion.received)
        if let error = completion.error {
            // The value may have reached the ring, although its write has failed.
            let isFailed = failedWrite?.number == completion.lastWrite
            result = .failure(
                DeviceError(
                    error, command: request.command, bleError: isFailed ? failedWrite?.error : nil,
                    disconnectReason: endReason))
        }
        let reply = RingReply(result: result, asked: request.asked, answered: context.now)
        request.finish(reply, &self, &context)
    }

    mutating func cancel(_ context: inout Context, where isMeant: (Origin) -> Bool) {
        // Cancelled in the order of sending, so that the same program runs the same way each time.
        let meant = openRequests.filter { isMeant($0.value.origin) }.keys
        for number in meant.sorted(by: { $0.rawValue < $1.rawValue }) {
            session.cancel(number, at: context.now)
        }
        flush(&context)
    }

    // MARK: The session

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
        if let moment = stepUnderWay.waitsUntil, moment <= context.now { continueReading(&context) }
        if let moment = watch.deadline, moment <= context.now { watchIsDue(&context) }
    }

    private mutating func flush(_ context: inout Context) {
        while let effect = session.nextEffect() { perform(effect, &context) }
    }

    private mutating func perform(_ effect: RingSession.Effect, _ context: inout Context) {
        switch effect {
        case .write(let frame, let number):
            write(Array(timed(frame, context).bytes), number, to: attributes?.uartWrite, &context)
        case .writeRecord(let record, let number):
            write(record.bytes, number, to: attributes?.bigDataWrite, &context)
        case .finished(let completion): endRequest(completion, &context)
        case .stream(let number, let report): receive(report, of: number)
        case .event(let event):
            learn(from: event, context.now)
            let reported = Ring.Event(event)
            events.send(reported)
            if case .gesture = reported { gestureNoticed(&context) }
        }
    }

    /// Returns the frame of a request that sets a clock with the time of now, for which it may have
    /// waited, and notes that clock. A clock that is not sent, as its request was cancelled before,
    /// leaves the ring's as it is. Other frames stay as they are.
    private mutating func timed(_ frame: Frame, _ context: Context) -> Frame {
        guard let request = try? SetTime.Request(decoding: frame) else { return frame }
        let numbers = openRequests.filter { $0.value.clock?.since == request.time }.keys
        // Requests are written in their order.
        guard let number = numbers.min(by: { $0.rawValue < $1.rawValue }),
            let clock = openRequests[number]?.clock
        else { return frame }
        openRequests[number]?.clock = nil
        let time = clock.reading(context.wallClock)
        let now = try? SetTime.Request(time: time, language: request.language)
        knowledge.beginSetting(
            RingClock(
                secondsFromUTC: clock.secondsFromUTC, wasSet: clock.wasSet,
                since: now?.time ?? clock.since), at: context.now)
        return now?.frame ?? frame
    }

    /// Writes a value in packets of the link's current maximum length. A write with response could
    /// be longer, but no ring was seen to join the pieces of a long write.
    private func write(
        _ bytes: [UInt8], _ number: WriteNumber, to target: RingAttributes.Target?,
        _ context: inout Context
    ) {
        guard let target else { return }
        context.send(onlyFailure: true) { (link, completion: @escaping BLECompletion<Void>) in
            let most = max(link.maximumWriteLength(for: .withoutResponse), Self.leastWriteLength)
            var rest = bytes[...]
            while !rest.isEmpty {
                let piece = Array(rest.prefix(most))
                rest = rest.dropFirst(most)
                link.submitWrite(piece, to: target.characteristic, target.mode, completion)
            }
        } ended: { [sessionNumber] result, client, context in
            guard case .failure(let error) = result, client.sessionNumber == sessionNumber
            else { return }
            client.writeFailed(number, error, &context)
        }
    }

    /// The write length of every link, in bytes.
    private static var leastWriteLength: Int { 20 }

    /// Handles the failure of a write, or of a piece of one. The request ends at once if the ring
    /// cannot have received it. Otherwise its reply is waited for: the ring may have received it,
    /// or may receive a retry.
    private mutating func writeFailed(
        _ number: WriteNumber, _ error: BLEError, _ context: inout Context
    ) {
        failedWrite = (number, error)
        guard error.isFinal else { return }
        session.writeFailed(number, at: context.now)
        flush(&context)
    }

    /// Updates the knowledge of the ring by replies that come after the end of their request.
    private mutating func learn(from event: RingSession.Event, _ now: Moment) {
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
    /// `true` if the value did not reach the device, and a retry will not reach it. The end of a
    /// link is reported by the link itself.
    fileprivate var isFinal: Bool {
        !isTransient && !isStale && kind != .disconnected && kind != .cancelled
    }
}

// MARK: - Streams

extension RingClient {
    /// Begins the stream of a loop, now or when the ring accepts requests again. A loop has one
    /// stream.
    mutating func open(
        _ loop: UInt64, _ stream: RingStream, once isOnce: Bool, _ context: inout Context
    ) {
        guard reports.isOpen(loop), !observers.contains(where: { $0.loop == loop }) else { return }
        observers.append(Observer(loop: loop, stream: stream, isOnce: isOnce))
        guard isReady else { return }
        startStream(observers.count - 1, context.now)
        flush(&context)
    }

    mutating func close(_ loop: UInt64, _ context: inout Context) {
        guard let index = observers.firstIndex(where: { $0.loop == loop }) else { return }
        guard let running = observers.remove(at: index).running else { return }
        session.stop(running, at: context.now)
        flush(&context)
    }

    private mutating func startStream(_ index: Int, _ now: Moment) {
        let observer = observers[index]
        observers[index].running = session.start(observer.stream, once: observer.isOnce, at: now)
    }

    private mutating func receive(_ report: StreamReport, of number: StreamNumber) {
        guard let index = observers.firstIndex(where: { $0.running == number }) else { return }
        let loop = observers[index].loop
        guard case .ended(let streamEnd) = report else {
            return reports.send(.report(report), to: loop)
        }
        observers[index].running = nil
        let result: Result<Void, DeviceError>
        switch streamEnd {
        case .stopped, .finished: result = .success(())
        case .refused: result = .failure(DeviceError(.notSupported))
        case .replaced: result = .failure(DeviceError(.replaced))
        case .silent: result = .failure(DeviceError(.silent))
        case .writeFailed:
            let error = failedWrite.map { DeviceError($0.error) }
            result = .failure(error ?? DeviceError(.bluetooth))
        case .disconnected:
            if let end {
                result = end
            } else if case .workout = observers[index].stream {
                result = .failure(DeviceError(.disconnected, disconnectReason: endReason))
            } else {
                return reports.send(.interrupted, to: loop)
            }
        }
        observers.remove(at: index)
        reports.finish(result, of: loop)
    }

    mutating func control(
        _ loop: UInt64, _ action: WorkoutControl.Action, _ context: inout Context
    ) {
        guard let number = observers.first(where: { $0.loop == loop })?.running else { return }
        switch action {
        case .pause: session.pause(number, at: context.now)
        case .resume: session.resume(number, at: context.now)
        case .end: session.stop(number, at: context.now)
        case .start, .requestStart: break
        }
        flush(&context)
    }
}

extension Ring {
    /// Creates a loop over a stream, which begins with the first `next()` and ends with the loop.
    func loop(over stream: RingStream, once isOnce: Bool) -> Loop<RingClient, StreamItem> {
        Loop(
            connection, holding: self, .waits, among: \.client.reports,
            resume: { $1.open($0, stream, once: isOnce, &$2) }, end: { $1.close($0, &$2) })
    }
}

// MARK: - Requests of tasks

extension DeviceConnection<RingClient> {
    var knowledge: RingKnowledge { read { $0.client.knowledge } }

    nonisolated(nonsending) func reply<Value>(
        to request: RingRequest<Value>, setting clock: RingClock? = nil, _ kind: WaitKind = .waits
    ) async throws(DeviceError) -> RingReply {
        try await wait(kind) { waiter, state in
            if var refusal = state.refusal {
                refusal.command = request.command
                let now = state.operations.now
                let reply = RingReply(result: .failure(refusal), asked: now, answered: now)
                waiter.resolve(.success(reply))
                return
            }
            withClient(&state) { client, context in
                let origin = RingClient.Origin.app(ObjectIdentifier(waiter))
                client.submit(request, setting: clock, as: origin, &context) { reply, _, _ in
                    waiter.resolve(.success(reply))
                }
            }
        } forget: { connection, waiter, state in
            let origin = RingClient.Origin.app(ObjectIdentifier(waiter))
            connection.withClient(&state) { client, context in
                client.cancel(&context) { $0 == origin }
            }
        }
    }

    nonisolated(nonsending) func ask<Value>(
        _ request: RingRequest<Value>, setting clock: RingClock? = nil
    ) async throws(DeviceError) -> Answer<Value> {
        do throws(DeviceError) {
            return try request.answer(try await reply(to: request, setting: clock)).get()
        } catch {
            var error = error
            error.command = error.command ?? request.command
            throw error
        }
    }
}

// MARK: - Characteristics

struct RingAttributes: Sendable {
    typealias Target = (characteristic: GATTCharacteristic, mode: WriteMode)

    let uartWrite: Target
    let uartNotify: GATTCharacteristic
    /// The second service; `nil` on a ring without it.
    let bigDataWrite: Target?
    let bigDataNotify: GATTCharacteristic?
    let versions: [GATTCharacteristic]

    /// Finds the characteristics; throws for a device without the first service.
    ///
    /// Frames are written with a response if the ring allows that, as the vendor's app does;
    /// records without one.
    init(_ services: [GATTService]) throws(DeviceError) {
        let (uart, bigData) = (RingServices.uart, RingServices.bigData)
        guard
            let write = services.target(
                RingServices.uartWrite, of: uart, preferring: .withResponse),
            let notify = services.source(RingServices.uartNotify, of: uart)
        else {
            throw DeviceError(BLEError(.wrongDevice, .discover, uuid: uart))
        }
        uartWrite = write
        uartNotify = notify
        bigDataWrite = services.target(
            RingServices.bigDataWrite, of: bigData, preferring: .withoutResponse)
        bigDataNotify = services.source(RingServices.bigDataNotify, of: bigData)
        versions = services.deviceInformation([
            CharacteristicCatalog.firmwareRevision.uuid,
            CharacteristicCatalog.hardwareRevision.uuid,
        ])
    }
}

struct RingStep: Sendable {
    /// The number of the step under way, or of the next one.
    var number = 0
    var leavesClock = false
    /// The read of the history that a new clock would put out of reach.
    var reading: HistoryReading?
    /// The values that the app has to keep before the clock is set.
    var unkept: RingHistory?
    var waitsUntil: Moment?
    /// `true` once the ring has replied to a request.
    var hasAnswered = false
}
