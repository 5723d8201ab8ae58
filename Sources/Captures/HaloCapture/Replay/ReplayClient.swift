import HaloProtocol
public import HaloTransport

/// A client that sends the requests of a capture to a device, and compares the kinds of its
/// answers.
///
///     let client = ReplayClient(capture)
///     let comparison = try await client.run(over: transport, to: identity)
///     print(comparison)
///
/// The kinds of answers to each request are compared: frames by command and part, records by
/// command, acknowledgements, refusals. Values are not compared, because they depend on the wearer
/// and the time. Unsolicited values are not compared.
///
/// Dangerous and unknown requests are not sent to a device unless
/// ``ReplayClientOptions/permissions`` allow it.
public struct ReplayClient: Sendable {
    fileprivate let options: ReplayClientOptions

    fileprivate let recording: RecordedConversations
    fileprivate let recorded: [Int: AnswerListener.Heard]
    /// The channels of the recorded values, of all connections.
    fileprivate let valueChannels: Set<CaptureChannel>
    /// The last reported second of a workout between each request and the next one.
    fileprivate let workoutSeconds: [Int: UInt16]

    /// Creates a client that sends the requests of a capture.
    public init(_ capture: Capture, _ options: ReplayClientOptions = ReplayClientOptions()) {
        self.options = options
        recording = RecordedConversations(capture, link: options.link)
        var channels: Set<CaptureChannel> = []
        for reaction in recording.reactions {
            if case .value(let channel, _, _) = reaction.what { channels.insert(channel) }
        }
        valueChannels = channels
        var listener = AnswerListener(comparesSettings: options.comparesSettings)
        var workoutSeconds: [Int: UInt16] = [:]
        var reactions = recording.reactions[...]
        func play(until line: Int, after request: Int) {
            while let reaction = reactions.first, reaction.line < line {
                reactions.removeFirst()
                Self.note(reaction, &listener)
            }
            workoutSeconds[request] = listener.workoutSecond
            listener.forgetWorkout()
        }
        for (number, request) in recording.requests.enumerated() {
            // Before the first request is -1, which is the number of none.
            play(until: request.line, after: number - 1)
            switch request.what {
            case .write(let channel, let bytes): listener.ask(number, channel, bytes)
            case .subscription(let channel, true) where !request.isRefused:
                listener.subscribe(number, channel)
            case .subscription, .read: break
            }
        }
        play(until: .max, after: recording.requests.count - 1)
        recorded = listener.heard
        self.workoutSeconds = workoutSeconds
    }

    private static func note(_ reaction: RecordedReaction, _ listener: inout AnswerListener) {
        switch reaction.what {
        case .value(let channel, let bytes, _):
            listener.receive(channel, bytes, at: reaction.moment)
        case .answer:
            guard let request = reaction.answered else { return }
            listener.note(.acknowledged, request, reaction.moment)
        case .refused(let code):
            guard let request = reaction.answered else { return }
            listener.note(.refused(code: code), request, reaction.moment)
        case .acknowledged, .servicesChanged, .disconnected: break
        }
    }

    /// Connects as often as recorded, and sends the requests of each connection: of the first
    /// ``ReplayClientOptions/connectionLimit`` ones.
    public nonisolated(nonsending) func run(
        over transport: some BLETransport, to identity: PeripheralIdentity
    ) async throws(BLEError) -> ReplayComparison {
        var comparison = ReplayComparison()
        let limit = max(options.connectionLimit, 0)
        comparison.leftOutConnectionCount = max(recording.conversations.count - limit, 0)
        for conversation in recording.conversations.indices.prefix(limit) {
            let link = try await transport.connect(to: identity)
            let part = await run(conversation, on: link)
            await link.disconnect()
            comparison.exchanges += part.exchanges
            comparison.skipped += part.skipped
            comparison.interruption = part.interruption
            if part.interruption != nil { break }
        }
        return comparison
    }

    /// Sends the requests of the first connection on a link.
    public nonisolated(nonsending) func run(on link: BLELink) async -> ReplayComparison {
        guard !recording.conversations.isEmpty else { return ReplayComparison() }
        return await run(0, on: link)
    }

    nonisolated(nonsending) private func run(
        _ conversation: Int, on link: BLELink
    ) async -> ReplayComparison {
        var run = ReplayClientRun(self, link)
        do throws(BLEError) {
            try await run.run(conversation)
        } catch {
            run.comparison.interruption = error
        }
        run.finish()
        return run.comparison
    }
}

/// One connection of a ``ReplayClient``.
private struct ReplayClientRun {
    private let client: ReplayClient
    private let link: BLELink
    private let answers: AnswerQueue
    private var characteristics: [BluetoothUUID: GATTCharacteristic] = [:]
    /// The notifications that are switched on, as long as they are kept.
    private var subscriptions: [CaptureChannel: Notifications] = [:]
    private var observation: BLECancellable?
    private var risks = RiskClassifier()
    private var sentAt: [Moment] = []
    var comparison = ReplayComparison()

    init(_ client: ReplayClient, _ link: BLELink) {
        self.client = client
        self.link = link
        answers = AnswerQueue(
            AnswerListener(comparesSettings: client.options.comparesSettings), link.time)
    }

    nonisolated(nonsending) mutating func run(_ number: Int) async throws(BLEError) {
        let conversation = client.recording.conversations[number]
        for characteristic in try await link.services.flatMap(\.characteristics)
        where characteristics[characteristic.uuid] == nil {
            characteristics[characteristic.uuid] = characteristic
        }
        listen()
        if !conversation.notesSubscriptions { try await subscribeToAll(conversation) }
        for request in conversation.requests {
            let sent = link.time.now()
            guard try await ask(request) else { continue }
            try await wait(for: request)
            guard request + 1 < conversation.requests.upperBound else { continue }
            try await pause(after: request, since: sent)
        }
        try await sleep(client.options.quiet)
    }

    mutating func finish() {
        observation?.cancel()
        let heard = answers.heard
        for index in comparison.exchanges.indices {
            guard let found = heard[index] else { continue }
            comparison.exchanges[index].heard = found.kinds
            comparison.exchanges[index].microseconds = found.first.map {
                // A value of the turn in which the request was written has its earlier moment.
                max($0.microseconds(since: sentAt[index]), 0)
            }
        }
    }

    // MARK: Listening

    private mutating func listen() {
        var channels: [AttributeID: CaptureChannel] = [:]
        for (uuid, characteristic) in characteristics {
            channels[characteristic.id] = CaptureChannel(uuid)
        }
        let answers = answers
        observation = link.observe { [channels] event, moment in
            switch event {
            case .value(let id, let bytes):
                guard let channel = channels[id] else { return }
                answers.change { $0.receive(channel, bytes, at: moment) }
            case .disconnected: answers.close()
            case .servicesChanged, .maximumLengthChanged: break
            }
        }
    }

    /// Subscribes to all channels of a capture without subscriptions.
    nonisolated(nonsending) private mutating func subscribeToAll(
        _ conversation: RecordedConversations.Conversation
    ) async throws(BLEError) {
        var channels = client.valueChannels
        channels.formUnion(client.recording.requests[conversation.requests].map(\.channel))
        for channel in channels.sorted(by: { $0.words < $1.words }) {
            guard case .characteristic(let source)? = target(channel, .fromDevice),
                source.properties.canSubscribe
            else { continue }
            subscriptions[channel] = try await link.notifications(of: source)
        }
    }

    private enum Target {
        case characteristic(GATTCharacteristic)
        case descriptor(GATTDescriptor)
    }

    private func target(_ channel: CaptureChannel, _ direction: Direction) -> Target? {
        if case .descriptor(let type, of: let uuid) = channel {
            return characteristics[uuid]?.descriptors.first { $0.uuid == type }
                .map { .descriptor($0) }
        }
        return channel.uuid(direction).flatMap { characteristics[$0] }.map { .characteristic($0) }
    }

    // MARK: Asking

    /// Sends a request; returns `false` if it is skipped.
    nonisolated(nonsending) private mutating func ask(_ number: Int) async throws(BLEError) -> Bool
    {
        let request = client.recording.requests[number]
        let isWrite = request.bytes != nil
        let target = target(request.channel, isWrite ? .toDevice : .fromDevice)
        let risk = request.bytes.map { risks.risk(of: $0, writtenTo: request.channel) }
        let forbidden = risk.flatMap { client.options.allows($0) ? nil : $0 }
        guard let target, forbidden == nil else {
            comparison.skipped.append(
                ReplayComparison.Skipped(request: request, risk: forbidden))
            return false
        }
        let index = startExchange(request, number)
        do throws(BLEError) {
            switch request.what {
            case .write(let channel, let bytes):
                answers.change { $0.ask(index, channel, bytes) }
                switch target {
                case .characteristic(let target): try await write(bytes, request, target)
                case .descriptor(let target): try await link.write(bytes, to: target)
                }
            case .read:
                switch target {
                case .characteristic(let target): _ = try await link.read(target)
                case .descriptor(let target): _ = try await link.read(target)
                }
                note(.acknowledged, index)
            case .subscription(let channel, true):
                guard case .characteristic(let target) = target else { break }
                answers.change { $0.subscribe(index, channel) }
                subscriptions[channel] = try await link.notifications(of: target)
            case .subscription(let channel, false): subscriptions[channel] = nil
            }
        } catch {
            guard error.kind == .refused else { throw error }
            guard let code = error.attError?.code else { throw error }
            if case .subscription(let channel, true) = request.what {
                answers.change { $0.undoSubscription(index, channel) }
            }
            note(.refused(code: code), index)
        }
        return true
    }

    private mutating func startExchange(_ request: RecordedRequest, _ number: Int) -> Int {
        let recorded = client.recorded[number]
        comparison.exchanges.append(
            ReplayComparison.Exchange(
                request: request, recorded: recorded?.kinds ?? [], heard: [],
                recordedMicroseconds: recorded?.first?.microseconds(since: request.moment),
                microseconds: nil))
        sentAt.append(link.time.now())
        return comparison.exchanges.count - 1
    }

    private func note(_ kind: AnswerKind, _ index: Int) {
        let now = link.time.now()
        answers.change { $0.note(kind, index, now) }
    }

    /// Writes with the recorded action, if the characteristic has that property. Without a recorded
    /// action, it writes without a response.
    nonisolated(nonsending) private func write(
        _ bytes: [UInt8], _ request: RecordedRequest, _ target: GATTCharacteristic
    ) async throws(BLEError) {
        let wanted: WriteMode = request.action == .write ? .withResponse : .withoutResponse
        // A target that allows neither refuses the write.
        let mode = target.properties.writeMode(preferring: wanted) ?? wanted
        let length = max(link.maximumWriteLength(for: mode), 1)
        guard request.channel == .bigData, bytes.count > length else {
            return try await link.write(bytes, to: target, mode)
        }
        for start in stride(from: 0, to: bytes.count, by: length) {
            try await link.write(Array(bytes[start...].prefix(length)), to: target, mode)
        }
    }

    // MARK: Waiting

    /// Waits for the recorded number of answers, or for the timeout.
    nonisolated(nonsending) private func wait(for number: Int) async throws(BLEError) {
        let index = comparison.exchanges.count - 1
        let expected = comparison.exchanges[index].recorded
        let timeout = client.options.timeout
        try await answers.wait(until: link.time.now() + timeout) {
            $0.heard[index]?.kinds.count ?? 0 >= expected.count
        }
        if expected.contains(where: { $0.isOneMore(after: $0) }) {
            try await sleep(client.options.quiet)
        }
        guard let second = client.workoutSeconds[number] else { return }
        try await answers.wait(until: link.time.now() + .seconds(Int(second)) + timeout) {
            $0.workoutSecond ?? 0 >= second
        }
        answers.change { $0.forgetWorkout() }
    }

    /// Waits for the recorded time until the next request.
    nonisolated(nonsending) private func pause(
        after number: Int, since sent: Moment
    ) async throws(BLEError) {
        let requests = client.recording.requests
        let gap = requests[number + 1].moment.microseconds(since: requests[number].moment)
        let next = sent.advanced(byMicroseconds: client.options.timing.microseconds(gap))
        let rest = next.microseconds(since: link.time.now())
        guard rest > 0 else { return }
        try await sleep(min(.microseconds(rest), client.options.longestPause))
    }

    nonisolated(nonsending) private func sleep(_ duration: Duration) async throws(BLEError) {
        if let reason = link.disconnectReason {
            throw BLEError(.disconnected, .receive, disconnectReason: reason)
        }
        do {
            try await link.time.clock.sleep(for: duration)
        } catch {
            throw BLEError(.cancelled, .receive)
        }
    }
}

/// The answers on a link, with the task that waits for them.
private final class AnswerQueue: Sendable {
    private struct State {
        var listener: AnswerListener
        var isClosed = false
        var wait: (isEnough: @Sendable (AnswerListener) -> Bool, end: Promise<Void, BLEError>)?
    }

    private let state: Locked<State>
    private let time: any TransportTime

    init(_ listener: AnswerListener, _ time: any TransportTime) {
        state = Locked(State(listener: listener))
        self.time = time
    }

    var heard: [Int: AnswerListener.Heard] { state.withLock { $0.listener.heard } }

    /// Changes the listener, for a sent request or a received value.
    func change(_ body: (inout AnswerListener) -> Void) { update { body(&$0.listener) } }

    /// Ends the queue: no more values will come.
    func close() { update { $0.isClosed = true } }

    private func update(_ body: (inout State) -> Void) {
        let ended = state.withLock { state -> Promise<Void, BLEError>? in
            body(&state)
            guard let wait = state.wait, state.isClosed || wait.isEnough(state.listener) else {
                return nil
            }
            state.wait = nil
            return wait.end
        }
        ended?.resolve(.success(()))
    }

    /// Waits until there are enough answers, until a moment, or until the end of the queue.
    nonisolated(nonsending) func wait(
        until moment: Moment, for isEnough: @escaping @Sendable (AnswerListener) -> Bool
    ) async throws(BLEError) {
        let promise = Promise<Void, BLEError>(for: .receive, on: time)
        let isOver = state.withLock { state in
            if state.isClosed || isEnough(state.listener) { return true }
            state.wait = (isEnough, promise)
            return false
        }
        guard !isOver else { return }
        let timer = time.schedule(at: moment) { promise.resolve(.success(())) }
        defer { timer.cancel() }
        try await promise.value()
    }
}
