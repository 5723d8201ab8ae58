public import HaloCapture
public import HaloProtocol
public import HaloTransport

/// A device that replays a recording.
///
///     let device = ReplayDevice(try Capture(contentsOf: "bug.halo"))
///     let ring = try await Ring.connect(over: VirtualBluetooth(device))
///
/// Each request of a client (a write, a read, a subscription) is matched with one of the recording
/// by ``ReplayOptions/matching``. The recorded reactions to that request follow, with the recorded
/// delays:
///
/// - Strict: everything up to the next request, in the recorded order.
/// - Lenient: the reply (frames of its opcode, records of its command, also between other
///   requests), and unsolicited values up to the next request. Reports of a measurement or a
///   workout stop once the client has ended or restarted it. The values of one day are no reply to
///   a request for another one; with ``ReplayOptions/unrecordedValues`` that is answered "no data".
///
/// Values before the first request are sent with the recorded delay after connecting. A value waits
/// until the client has subscribed. A read gets the next recorded value, and the last one when
/// there are no more; a read without a recorded reply is refused. Refusals are replayed. A write
/// without a recorded reply is acknowledged. Refused subscriptions are left out.
///
/// The first connection of a client is the first of the recording, and so on; after the last one, a
/// lenient replay repeats it, and a strict one matches no further request.
///
/// A capture without packets is a device without services. ``report`` describes the replay:
///
///     let placed = air.add(ReplayDevice(capture))
///     print(placed.state?.report)
public struct ReplayDevice: GATTPeripheral {
    /// The options of the replay.
    package let options: ReplayOptions

    /// The service of unknown characteristics, where the capture does not name one.
    package static let unknownService = BluetoothUUID(
        high: 0x4841_4C4F_0000_5250, low: 0x8B5A_0000_0000_0000)

    let recording: RecordedConversations
    let attributes: ReplayAttributes
    let index: ReplayIndex
    var generation: Int
    var state = ReplayState()
    var progress: ReplayReport
    /// One flag for each recorded request: `true` once it was matched.
    var isAsked: [Bool]

    /// Creates a device that replays a capture.
    public init(_ capture: Capture, _ options: ReplayOptions = .lenient) {
        self.options = options
        recording = RecordedConversations(capture, link: options.link)
        attributes = ReplayAttributes(recording)
        generation = recording.conversations.first?.generation ?? 0
        index = ReplayIndex(recording, options)
        progress = ReplayReport(requestCount: recording.requests.count)
        isAsked = [Bool](repeating: false, count: recording.requests.count)
    }

    /// The services of the device.
    public var services: [GATTService] {
        generation < attributes.generations.count ? attributes.generations[generation] : []
    }

    /// The report of the replay so far.
    public var report: ReplayReport {
        var report = progress
        let unrequested = recording.requests.indices.filter {
            !isAsked[$0] && recording.requests[$0].isReplayable
        }
        report.unrequestedCount = unrequested.count
        report.unrequested = unrequested.prefix(ReplayReport.listLimit).map {
            recording.requests[$0]
        }
        return report
    }

    package var recordedClock: WallClock? { recording.clock }

    /// Handles one event, and appends its effects.
    public mutating func handle(
        _ event: PeripheralEvent, at now: Moment, into effects: inout PeripheralEffects
    ) {
        switch event {
        case .started: effects.append(.advertise(advertisement))
        case .woken, .changed, .confirmed: break
        case .connected: connect(at: now)
        case .disconnected:
            state = ReplayState()
            offerAnew(into: &effects)
        case .maximumLength(let length): state.maximumLength = max(length, ReplayState.leastLength)
        case .read(let id, let offset, let token):
            read(id, from: offset, token, at: now, into: &effects)
        case .write(let id, let value, let token):
            write(value, to: id, token, at: now, into: &effects)
        case .subscription(let id, let isOn):
            subscribe(id, isOn: isOn, at: now, into: &effects)
        }
        play(at: now, into: &effects)
    }

    // MARK: Requests of the client

    private static var trackLimit: Int { 256 }

    mutating func connect(at now: Moment) {
        state = ReplayState()
        state.conversation = nextConversation
        progress.connectionCount += 1
        guard let conversation = state.conversation else {
            progress.position = recording.requests.count
            return
        }
        let recorded = recording.conversations[conversation]
        progress.position = recorded.requests.lowerBound
        start(
            ReplayState.Track(
                number: recording.requests.count + conversation, base: now,
                recordedBase: recorded.began, token: nil))
    }

    /// The index of the conversation that the next connection replays, or `nil` for none.
    private var nextConversation: Int? {
        let (number, count) = (progress.connectionCount, recording.conversations.count)
        switch options.matching {
        case .strict: return number < count ? number : nil
        case .lenient: return count > 0 ? min(number, count - 1) : nil
        }
    }

    /// Offers the services with which the next conversation begins.
    private mutating func offerAnew(into effects: inout PeripheralEffects) {
        guard let next = nextConversation else { return }
        let generation = recording.conversations[next].generation
        guard generation != self.generation else { return }
        self.generation = generation
        effects.append(.servicesChanged)
    }

    mutating func write(
        _ value: [UInt8], to id: AttributeID, _ token: ResponseToken?, at now: Moment,
        into effects: inout PeripheralEffects
    ) {
        guard let channel = attributes.channel(id) else {
            return effects.refuse(.invalidHandle, token)
        }
        let what = RecordedRequest.What.write(channel, value)
        guard let request = find(what) ?? findSimilar(channel, value) else {
            note(unknown: what, at: now)
            if options.unrecordedValues == .noData, let reply = NoStoredValues(to: value, channel) {
                effects.accept(token)
                return send(reply.bytes, channel, into: &effects)
            }
            switch options.unknown {
            case .accepted: effects.accept(token)
            case .refused(let error): effects.refuse(error, token)
            }
            return
        }
        let isAnswered = recording.requests[request].outcome != nil
        if !isAnswered { effects.accept(token) }
        silence(value, channel)
        go(to: request, isAnswered ? token : nil, at: now)
    }

    mutating func read(
        _ id: AttributeID, from offset: Int, _ token: ResponseToken, at now: Moment,
        into effects: inout PeripheralEffects
    ) {
        guard let channel = attributes.channel(id) else {
            return effects.refuse(.invalidHandle, token)
        }
        if offset > 0, let value = state.lastRead[id] {
            return effects.respond(value, from: offset, to: token)
        }
        let what = RecordedRequest.What.read(channel)
        guard let request = options.matching == .strict ? find(what) : nextRead(what) else {
            note(unknown: what, at: now)
            return effects.refuse(.unlikely, token)
        }
        guard recording.requests[request].outcome != nil else {
            go(to: request, nil, at: now)
            return effects.refuse(.unlikely, token)
        }
        go(to: request, token, offset, at: now)
    }

    mutating func subscribe(
        _ id: AttributeID, isOn: Bool, at now: Moment, into effects: inout PeripheralEffects
    ) {
        if isOn { state.subscribed.insert(id) } else { state.subscribed.remove(id) }
        if let channel = attributes.channel(id), let conversation = state.conversation,
            recording.conversations[conversation].notesSubscriptions
        {
            let what = RecordedRequest.What.subscription(channel, isOn: isOn)
            if let request = find(what) {
                go(to: request, nil, at: now)
            } else if isOn {
                // An unsubscription needs no recorded request, as the end of a link has the same
                // effect.
                note(unknown: what, at: now)
            }
        }
        if isOn { sendHeld(into: &effects) }
    }

    // MARK: Finding

    private func find(_ what: RecordedRequest.What) -> Int? {
        switch options.matching {
        case .lenient: return index.nearest(what, to: progress.position)
        case .strict:
            let next = expected
            return next.flatMap { recording.requests[$0].what == what ? $0 : nil }
        }
    }

    /// The next request in the current conversation, or `nil` after the last one.
    private var expected: Int? {
        guard let conversation = state.conversation else { return nil }
        let requests = recording.conversations[conversation].requests
        guard requests.contains(progress.position) else { return nil }
        let next = index.replayable[progress.position]
        return requests.contains(next) ? next : nil
    }

    private mutating func findSimilar(_ channel: CaptureChannel, _ value: [UInt8]) -> Int? {
        let found = index.nearestSimilar(channel, value, to: progress.position)
        if found != nil { progress.similarCount += 1 }
        return found
    }

    /// The next read of a characteristic that was not matched yet. Without one, the last that was
    /// matched, so that its value repeats.
    private func nextRead(_ what: RecordedRequest.What) -> Int? {
        guard let conversation = state.conversation else { return nil }
        let reads = index.all(what).filter { recording.requests[$0].outcome != nil }
        let first = recording.conversations[conversation].requests.lowerBound
        return reads.first { $0 >= first && !isAsked[$0] } ?? reads.last { isAsked[$0] }
            ?? reads.first
    }

    private mutating func go(
        to request: Int, _ token: ResponseToken?, _ offset: Int = 0, at now: Moment
    ) {
        progress.matchedCount += 1
        progress.position = request + 1
        isAsked[request] = true
        start(
            ReplayState.Track(
                number: request, base: now, recordedBase: recording.requests[request].moment,
                token: token, offset: offset))
    }

    private mutating func start(_ track: ReplayState.Track) {
        let reactions = index.reactions[track.number]
        guard !reactions.isEmpty else { return }
        guard state.tracks.count < Self.trackLimit else {
            progress.droppedCount += reactions.count
            return
        }
        state.tracks.append(track)
    }

    private mutating func note(unknown what: RecordedRequest.What, at now: Moment) {
        progress.unknownCount += 1
        guard progress.unknown.count < ReplayReport.listLimit else { return }
        let line =
            options.matching == .strict ? expected.map { recording.requests[$0].line } : nil
        progress.unknown.append(
            ReplayReport.Unknown(moment: now, what: what, expectedLine: line))
    }

    /// Stops the reports of a measurement or workout that the client ends or restarts.
    private mutating func silence(_ value: [UInt8], _ channel: CaptureChannel) {
        guard options.matching == .lenient, channel == .uart, let opcode = value.first else {
            return
        }
        let silenced: UInt8
        switch opcode {
        case StopMeasurement.opcode, RealtimeMeasurement.opcode:
            silenced = RealtimeMeasurement.opcode
        case WorkoutControl.opcode: silenced = WorkoutProgress.opcode
        default: return
        }
        for place in state.tracks.indices where !state.tracks[place].silenced.contains(silenced) {
            state.tracks[place].silenced.append(silenced)
        }
    }

    // MARK: Playing

    private static var burst: Int { 256 }
    private static var pauseMicroseconds: Int64 { 4_000_000 }
    private static var heldLimit: Int { 1_024 }

    /// Sends the values that waited for a subscription; those beyond the limit are dropped.
    mutating func sendHeld(into effects: inout PeripheralEffects) {
        let waiting = state.held
        state.held = []
        for place in waiting {
            if effects.all.count < Self.heldLimit {
                send(place, into: &effects)
            } else {
                progress.droppedCount += 1
            }
        }
    }

    private var next: (track: Int, place: Int, due: Moment)? {
        var next: (track: Int, place: Int, due: Moment)?
        for (number, track) in state.tracks.enumerated() {
            let reactions = index.reactions[track.number]
            guard track.next < reactions.count else { continue }
            let place = reactions[track.next]
            let passed = recording.reactions[place].moment.microseconds(since: track.recordedBase)
            let due = track.base.advanced(byMicroseconds: options.timing.microseconds(passed))
            if let next, !isEarlier((place, due), than: (next.place, next.due)) { continue }
            next = (number, place, due)
        }
        return next
    }

    /// `true` if the first reaction comes before the second. A strict replay keeps the recorded
    /// order, however early a request came.
    private func isEarlier(_ one: (Int, Moment), than other: (Int, Moment)) -> Bool {
        switch options.matching {
        case .strict: one.0 < other.0
        case .lenient: (one.1, one.0) < (other.1, other.0)
        }
    }

    mutating func play(at now: Moment, into effects: inout PeripheralEffects) {
        if let resumes = state.resumes {
            if resumes > now { return effects.wake(at: resumes) }
            state.resumes = nil
        }
        while let (number, place, due) = next {
            guard due <= now else { return effects.wake(at: due) }
            guard effects.all.count < Self.burst else {
                let resumes = now.advanced(byMicroseconds: Self.pauseMicroseconds)
                state.resumes = resumes
                return effects.wake(at: resumes)
            }
            let track = state.tracks[number]
            state.tracks[number].next += 1
            if state.tracks[number].next == index.reactions[track.number].count {
                state.tracks.remove(at: number)
            }
            react(place, track, into: &effects)
        }
        effects.wake(at: nil)
    }

    private mutating func react(
        _ place: Int, _ track: ReplayState.Track, into effects: inout PeripheralEffects
    ) {
        switch recording.reactions[place].what {
        case .value(let channel, let bytes, _):
            if channel == .uart, let opcode = bytes.first, track.silenced.contains(opcode) {
                return
            }
            send(place, into: &effects)
        case .answer(let value):
            guard let token = track.token else { return }
            if let id = attributes.source(recording.requests[track.number].channel) {
                state.lastRead[id] = value
            }
            effects.respond(value, from: track.offset, to: token)
        case .acknowledged: effects.accept(track.token)
        case .refused(let code): effects.refuse(ATTError(code: code), track.token)
        case .servicesChanged(let generation):
            self.generation = generation
            effects.append(.servicesChanged)
        case .disconnected(let reason):
            let isOfApp = reason == ControllerReason.localHost
            if options.replaysDisconnections, !isOfApp { effects.append(.disconnect) }
        }
    }

    /// Sends a recorded value, or queues it until the client subscribes.
    mutating func send(_ place: Int, into effects: inout PeripheralEffects) {
        let what = recording.reactions[place].what
        guard case .value(let channel, let bytes, let isIndication) = what,
            let id = attributes.source(channel)
        else { return }
        guard state.subscribed.contains(id) else {
            guard state.held.count < Self.heldLimit else {
                progress.droppedCount += 1
                return
            }
            return state.held.append(place)
        }
        if isIndication {
            effects.append(.indicate(id, bytes))
        } else if channel == .bigData, bytes.count > state.maximumLength {
            // Records are a stream of bytes, so they may be divided into any notifications.
            for start in stride(from: 0, to: bytes.count, by: state.maximumLength) {
                effects.notify(id, Array(bytes[start...].prefix(state.maximumLength)))
            }
        } else {
            effects.notify(id, bytes)
        }
    }

    /// Sends a value that was not recorded, if the client has subscribed.
    private func send(
        _ bytes: [UInt8], _ channel: CaptureChannel, into effects: inout PeripheralEffects
    ) {
        guard let id = attributes.source(channel), state.subscribed.contains(id) else { return }
        effects.notify(id, bytes)
    }

    /// The recorded advertisement, or one made of the services and the name.
    var advertisement: PeripheralAdvertisement {
        guard let heard = recording.advertisement else { return madeUp }
        let data = AdvertisingData(lenient: heard)
        var response = recording.scanResponse.map { AdvertisingData(lenient: $0) }
        if response == nil, data.name == nil, let knownName {
            response = .connectable(name: knownName, services: [])
        }
        return PeripheralAdvertisement(data, scanResponse: response)
    }

    private var knownName: String? { options.name ?? recording.tags["name"] }

    package var name: String {
        let advertisement = advertisement
        let advertised = advertisement.data.name ?? advertisement.scanResponse?.name
        return advertised?.text ?? madeUpName
    }

    private var madeUpName: String { knownName ?? "Replay" }

    private var madeUp: PeripheralAdvertisement {
        let offered = services.map(\.uuid)
        guard offered.contains(RingServices.uart) else {
            return PeripheralAdvertisement(.connectable(name: madeUpName, services: offered))
        }
        // Rings advertise this service, and their name in the scan response.
        let data = AdvertisingData(contents: [
            .flags([.generalDiscoverable, .classicNotSupported]),
            .services(.long([RingServices.uart]), isComplete: false),
        ])
        return PeripheralAdvertisement(
            data ?? .connectable(name: madeUpName, services: offered),
            scanResponse: .connectable(name: madeUpName, services: []))
    }
}

struct ReplayState: Sendable {
    struct Track: Sendable {
        /// The index of the request whose reactions are played; indices after the last request
        /// stand for connections.
        let number: Int
        var next = 0
        /// The moment from which recorded delays count.
        let base: Moment
        /// The recorded moment that is played at ``base``.
        let recordedBase: Moment
        /// The token of the request to answer, or `nil` if it needs no answer.
        let token: ResponseToken?
        var offset = 0
        /// The opcodes whose frames are no longer sent.
        var silenced: [UInt8] = []
    }

    /// The maximum length of a value at the smallest MTU, in bytes.
    static let leastLength = 20

    /// The index of the recorded conversation, or `nil` beyond the last one.
    var conversation: Int?
    var tracks: [Track] = []
    var subscribed: Set<AttributeID> = []
    /// Reactions that wait for the client to subscribe.
    var held: [Int] = []
    var maximumLength = leastLength
    /// The last value of each attribute, for the rest of a long read.
    var lastRead: [AttributeID: [UInt8]] = [:]
    /// The end of the pause after a full batch.
    var resumes: Moment?
}

/// The reply of a ring that has no values for a request.
private struct NoStoredValues {
    let bytes: [UInt8]

    /// Creates the reply to a request for stored values; `nil` for another request, and for one
    /// whose reply has no such form.
    init?(to request: [UInt8], _ channel: CaptureChannel) {
        switch channel {
        case .uart:
            guard let frame = try? Frame(decoding: request), let reply = Self.reply(frame.opcode)
            else { return nil }
            bytes = Array(reply.bytes)
        case .bigData:
            guard let frame = try? BigDataFrame(decoding: request),
                let id = Self.replyID(frame.id)
            else { return nil }
            bytes = BigDataNoData(id: id).frame.bytes
        default: return nil
        }
    }

    private static func reply(_ opcode: UInt8) -> Frame? {
        switch opcode {
        case HeartRateLog.opcode: HeartRateLog.Part(.noData).frame
        case StressLog.opcode: StressLog.Part(.noData).frame
        case HeartRateVariabilityLog.opcode: HeartRateVariabilityLog.Part(.noData).frame
        case ActivityLog.opcode:
            ActivityLog.Part.noData(
                .init(recordCount: 0, energyUnit: Reported(.smallCalories))
            ).frame
        case OldSleep.opcode: OldSleep.Part.noData(.init(recordCount: 0)).frame
        case BloodPressureData.opcode: BloodPressureData.Reply.noData.frame
        default: nil
        }
    }

    private static func replyID(_ requestID: UInt8) -> UInt8? {
        switch requestID {
        case BloodOxygen.requestID: BloodOxygen.replyID
        case TemperatureSeries.requestID: TemperatureSeries.replyID
        case Sleep.requestID: Sleep.replyID
        case WorkoutList.requestID: WorkoutList.replyID
        case ManualHeartRate.requestID: ManualHeartRate.replyID
        default: nil
        }
    }
}

extension VirtualBluetooth {
    /// Creates an air with one central and one recorded device. The wall clock starts at the
    /// recorded time, if the recording has one.
    public convenience init(_ device: ReplayDevice, seed: UInt64 = 0) {
        let clock = device.recordedClock
        self.init(
            seed: seed, startingAt: clock?.local ?? VirtualBluetooth.defaultStart,
            secondsFromUTC: clock?.secondsFromUTC ?? 0)
        add(device)
    }
}
