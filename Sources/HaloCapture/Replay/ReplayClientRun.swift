import HaloProtocol
import HaloTransport

/// One connection of a ``ReplayClient``.
struct ReplayClientRun {
    private let client: ReplayClient
    private let link: BLELink
    private let ear: ReplayEar
    private var characteristics: [BluetoothUUID: GATTCharacteristic] = [:]
    private var subscriptions: [CaptureChannel: Notifications] = [:]
    private var observation: Registration?
    private var risks = RiskFollower()
    private var sentAt: [Moment] = []
    var comparison = ReplayComparison()

    init(_ client: ReplayClient, _ link: BLELink) {
        self.client = client
        self.link = link
        ear = ReplayEar(
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

    /// Puts down what was heard.
    mutating func finish() {
        observation?.cancel()
        let heard = ear.heard
        for place in comparison.exchanges.indices {
            guard let answers = heard[place] else { continue }
            comparison.exchanges[place].heard = answers.kinds
            comparison.exchanges[place].microseconds = answers.first.map {
                $0.microseconds(since: sentAt[place])
            }
        }
        subscriptions = [:]
    }

    // MARK: Listening

    private mutating func listen() {
        var channels: [AttributeID: CaptureChannel] = [:]
        for (uuid, characteristic) in characteristics {
            channels[characteristic.id] = CaptureChannel(uuid)
        }
        let ear = ear
        observation = link.observe { [channels] event, moment in
            switch event {
            case .value(let id, let bytes):
                guard let channel = channels[id] else { return }
                ear.change { $0.take(channel, bytes, at: moment) }
            case .disconnected: ear.close()
            case .servicesChanged, .maximumLengthChanged: break
            }
        }
    }

    /// Where nobody noted what was switched on, all is from which values came, and all of a ring.
    nonisolated(nonsending) private mutating func subscribeToAll(
        _ conversation: RecordedConversations.Conversation
    ) async throws(BLEError) {
        var channels = Set(client.recording.requests[conversation.requests].map(\.channel))
        for reaction in client.recording.reactions {
            if case .value(let channel, _, _) = reaction.what { channels.insert(channel) }
        }
        for channel in channels.sorted(by: { $0.words < $1.words }) {
            guard let source = source(channel), source.properties.canSubscribe else { continue }
            subscriptions[channel] = try await link.notifications(of: source)
        }
    }

    private func source(_ channel: CaptureChannel) -> GATTCharacteristic? {
        channel.uuid(.fromDevice).flatMap { characteristics[$0] }
    }

    // MARK: Asking

    /// Sends a request; says whether it was sent.
    nonisolated(nonsending) private mutating func ask(_ number: Int) async throws(BLEError) -> Bool
    {
        let request = client.recording.requests[number]
        let isWrite = request.bytes != nil
        let target = request.channel.uuid(isWrite ? .toDevice : .fromDevice)
            .flatMap { characteristics[$0] }
        if case .write(let channel, let bytes) = request.what {
            let risk = risks.risk(of: bytes, writtenTo: channel)
            guard client.options.allows(risk) else {
                comparison.skipped.append(ReplayComparison.Skipped(request: request, risk: risk))
                return false
            }
        }
        guard let target else {
            comparison.skipped.append(ReplayComparison.Skipped(request: request, risk: nil))
            return false
        }
        let place = begin(request, number)
        do throws(BLEError) {
            switch request.what {
            case .write(let channel, let bytes):
                ear.change { $0.ask(place, channel, bytes) }
                try await write(bytes, request, target)
            case .read:
                _ = try await link.read(target)
                note(AnswerKind(.acknowledged), place)
            case .subscription(let channel, true):
                ear.change { $0.subscribe(place, channel) }
                subscriptions[channel] = try await link.notifications(of: target)
            case .subscription(let channel, false): subscriptions[channel] = nil
            }
        } catch {
            guard error.kind == .refused, let code = error.attError?.code else { throw error }
            note(AnswerKind(.refused(code: code)), place)
        }
        return true
    }

    private mutating func begin(_ request: RecordedRequest, _ number: Int) -> Int {
        let recorded = client.recorded[number]
        comparison.exchanges.append(
            ReplayComparison.Exchange(
                request: request, recorded: recorded?.kinds ?? [], heard: [],
                recordedMicroseconds: recorded?.first?.microseconds(since: request.moment),
                microseconds: nil))
        sentAt.append(link.time.now())
        return comparison.exchanges.count - 1
    }

    private func note(_ kind: AnswerKind, _ place: Int) {
        let now = link.time.now()
        ear.change { $0.note(kind, place, now) }
    }

    /// Writes as it was written, as far as the characteristic can be written so; without a
    /// response, where nobody noted how it was.
    nonisolated(nonsending) private func write(
        _ bytes: [UInt8], _ request: RecordedRequest, _ target: GATTCharacteristic
    ) async throws(BLEError) {
        let canRespond = target.properties.contains(.write)
        let canDoWithout = target.properties.contains(.writeWithoutResponse)
        let responds = request.action == .write ? canRespond : !canDoWithout
        let mode: WriteMode = responds ? .withResponse : .withoutResponse
        let length = max(link.maximumWriteLength(mode), 1)
        guard request.channel == .bigData, bytes.count > length else {
            return try await link.write(bytes, to: target, mode)
        }
        for start in stride(from: 0, to: bytes.count, by: length) {
            try await link.write(Array(bytes[start...].prefix(length)), to: target, mode)
        }
    }

    // MARK: Waiting

    /// Waits until as much came as was recorded, or nothing more is expected.
    nonisolated(nonsending) private func wait(for number: Int) async throws(BLEError) {
        let place = comparison.exchanges.count - 1
        let expected = comparison.exchanges[place].recorded
        let patience = client.options.patience
        try await ear.wait(until: link.time.now() + patience) {
            $0.heard[place]?.kinds.count ?? 0 >= expected.count
        }
        if expected.contains(where: { $0.isOneMore(after: $0) }) {
            try await sleep(client.options.quiet)
        }
        guard let second = client.workoutSeconds[number] else { return }
        try await ear.wait(until: link.time.now() + .seconds(Int(second)) + patience) {
            $0.workoutSecond ?? 0 >= second
        }
        ear.change { $0.forgetWorkout() }
    }

    /// Waits as long as was waited until the next request.
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
            throw BLEError(.disconnected, .receive, reason: reason)
        }
        do {
            try await link.time.clock.sleep(for: duration)
        } catch {
            throw BLEError(.cancelled, .receive)
        }
    }
}
