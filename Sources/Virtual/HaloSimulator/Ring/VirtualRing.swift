public import HaloProtocol
public import HaloTransport

/// A virtual ring: it replies as rings of its profile do, from one consistent state.
///
/// Its measurements come from a ``Wearer``; its identity, refusals and quirks from a
/// ``RingProfile``. The type is a value: the same events at the same moments have the same effects,
/// to the byte.
///
/// - Each of its two services handles requests one at a time and in order, with the delays of real
///   rings. Requests that come too fast are dropped.
/// - It ignores malformed frames and wrong checksums, and counts them.
/// - Notifications without a subscription are dropped.
/// - Without a central it sleeps; what it would have stored is there at the next read.
///
/// Comments name the captures behind each behaviour, and mark choices: in the profiles, in
/// their tables of behaviour, and beside the constants.
public struct VirtualRing: GATTPeripheral {
    /// The kind of ring.
    public let profile: RingProfile
    /// The person who wears it.
    package let wearer: Wearer
    /// The options that it was made with.
    package let options: VirtualRingOptions
    /// The settings that an app can change.
    public internal(set) var settings: RingSettings
    package internal(set) var losses = RingLosses()

    /// The wearer's clock.
    var world: RunningClock
    /// The ring's own clock.
    var clock: RunningClock
    /// The moment of the latest event; it never decreases.
    var lastMoment = Moment.origin
    var body: BodyClock
    var memory: RingMemory
    var battery: RingBattery
    /// The moment at which the battery will be empty, if nothing changes.
    var emptyAt: Moment?
    /// The moment of the next stored value, while a central is connected.
    var storeDue: Moment?
    var isOff = false
    var restartsAt: Moment?
    var isOnFinger: Bool
    var externalChanges: [ExternalChange] = []

    var link: RingLink?
    var notifications = NotificationQueue()
    var commands = RingRequestQueue<Frame>()
    var records = RingRequestQueue<BigDataFrame>()
    /// Effects other than notifications, in order.
    var pendingEffects: [PeripheralEffect] = []
    var dice: SplitMix
    var faults: RingFaults

    let anomalies: SeededAnomalies
    var batteryReports: Int64 = 0

    var measurement: VirtualMeasurement?
    var legacy: LegacyStream?
    /// The moment of the next raw sensor values, if they are streamed.
    var rawStream: Moment?
    var workout: RunningWorkout?
    var isCameraOpen = false
    var litUntil: Moment?
    /// The moment of the next report of steps.
    var walk: Moment?
    /// The movement in the last report of steps.
    var reported = Movement.none
    let days: Int

    /// Creates a ring that has been worn for `days` days, 0 to 60.
    ///
    /// Its memory holds the values that a ring keeps of them.
    public init(
        _ profile: RingProfile, wearer: Wearer = Wearer(), days: Int = 7,
        options: VirtualRingOptions = VirtualRingOptions()
    ) {
        self.profile = profile
        self.wearer = wearer
        self.options = options
        settings = profile.factorySettings
        world = RunningClock(showing: RunningClock.factoryTime, at: .origin)
        clock = world
        dice = SplitMix(seed: options.seed ^ wearer.seed &* 31)
        faults = RingFaults(options.faults)
        anomalies = SeededAnomalies(options.anomalies, seed: options.seed)
        body = BodyClock(wearer)
        memory = RingMemory(
            retention: profile.retention, now: RunningClock.factoryTime,
            wearerTime: RunningClock.factoryTime)
        battery = RingBattery(
            percent: options.batteryPercent,
            capacityMicroampereHours: profile.batteryMicroampereHours,
            isOnDock: options.isDocked)
        isOnFinger = options.isWorn && !options.isDocked
        self.days = min(max(days, 0), 60)
    }
}

extension VirtualRing {
    /// The services of the profile.
    public var services: [GATTService] { VirtualRingAttributes.services(of: profile) }

    /// Handles one event, and appends its effects.
    public mutating func handle(
        _ event: PeripheralEvent, at now: Moment, into effects: inout PeripheralEffects
    ) {
        let now = max(now, lastMoment)
        if case .started(let wall) = event { start(wall, at: now) }
        run(until: now, into: &effects)
        lastMoment = now
        applyExternalChanges(at: now)
        receive(event, at: now, into: &effects)
        run(until: now, into: &effects)
        effects.wake(at: nextDue)
    }

    private mutating func receive(
        _ event: PeripheralEvent, at now: Moment, into effects: inout PeripheralEffects
    ) {
        switch event {
        case .started, .woken, .changed, .confirmed: break
        case .connected: connect(at: now)
        case .disconnected: disconnect(at: now)
        case .maximumLength(let length):
            link?.maximumLength = max(length, RingLink.leastLength)
        case .read(let attribute, let offset, let token):
            read(attribute, from: offset, token, into: &effects)
        case .write(let attribute, let bytes, let token):
            write(bytes, to: attribute, token, at: now, into: &effects)
        case .subscription(let attribute, let isOn):
            guard VirtualRingAttributes.subscribable.contains(attribute) else { return }
            if isOn {
                link?.subscriptions.insert(attribute)
            } else {
                link?.subscriptions.remove(attribute)
            }
        }
    }

    private mutating func start(_ wall: WallClock, at now: Moment) {
        lastMoment = now
        world = RunningClock(showing: wall.local, at: now)
        let shown =
            switch options.clock {
            case .right: wall.local
            case .factory:
                RunningClock.factoryTime.advanced(bySeconds: days * Self.secondsPerDay)
            case .off(let seconds): wall.local.advanced(bySeconds: seconds)
            }
        let time = shown.advanced(bySeconds: anomalies.clockSecondsAhead)
        clock = RunningClock(showing: time, at: now)
        memory = RingMemory(
            retention: profile.retention, anomalies,
            now: time.advanced(bySeconds: -days * Self.secondsPerDay),
            wearerTime: wall.local.advanced(bySeconds: -days * Self.secondsPerDay),
            stalledFrom: anomalies.stalledSeconds.map { wall.local.advanced(bySeconds: -$0) })
        body = BodyClock(wearer, at: wall.local)
        battery = RingBattery(
            percent: options.batteryPercent,
            capacityMicroampereHours: profile.batteryMicroampereHours,
            isOnDock: options.isDocked, at: now)
        isOff = battery.isEmpty
        loadChanged(at: now)
        pendingEffects.append(.advertise(isOff ? nil : advertisement))
    }

    private static let secondsPerDay = 86_400

    private mutating func connect(at now: Moment) {
        disconnect(at: now)
        guard !isOff else { return }
        let slows = profile.quirks.contains(.slowsTheLink)
        link = RingLink(slowsDownAt: slows ? now + profile.timing.slowsDownAfter : nil)
        catchUp(at: now)
        loadChanged(at: now)
        scheduleStepReport(at: now)
    }

    /// Ends everything that an app has started, except a workout.
    mutating func disconnect(at now: Moment) {
        guard link != nil else { return }
        link = nil
        notifications.removeAll()
        commands.removeAll()
        records.removeAll()
        measurement = nil
        legacy = nil
        rawStream = nil
        isCameraOpen = false
        walk = nil
        storeDue = nil
        loadChanged(at: now)
    }

    private func read(
        _ attribute: AttributeID, from offset: Int, _ token: ResponseToken,
        into effects: inout PeripheralEffects
    ) {
        guard let value = value(of: attribute) else {
            let exists = services.contains { service in
                service.characteristics.contains { $0.id == attribute }
            }
            effects.refuse(exists ? .readNotPermitted : .invalidHandle, token)
            return
        }
        effects.respond(value, from: offset, to: token)
    }

    private mutating func write(
        _ bytes: [UInt8], to attribute: AttributeID, _ token: ResponseToken?, at now: Moment,
        into effects: inout PeripheralEffects
    ) {
        guard link != nil else {
            effects.refuse(.unlikely, token)
            return
        }
        switch attribute {
        case VirtualRingAttributes.uartWrite:
            effects.accept(token)
            receiveCommand(bytes, at: now)
        case VirtualRingAttributes.bigDataWrite:
            effects.accept(token)
            receiveRecord(bytes, at: now)
        case VirtualRingAttributes.weChatIndicate where profile.hasWeChat:
            effects.accept(token)
        default:
            effects.refuse(.writeNotPermitted, token)
        }
    }

    private mutating func receiveCommand(_ bytes: [UInt8], at now: Moment) {
        guard let frame = try? Frame(decoding: bytes) else {
            losses.brokenFrames &+= 1
            return
        }
        let before = commands.dropped
        commands.append(frame, at: now, after: delay(profile.timing.answerMilliseconds))
        losses.droppedRequests &+= commands.dropped - before
    }

    private mutating func receiveRecord(_ bytes: [UInt8], at now: Moment) {
        if let last = link?.recordsWrittenAt, now.duration(since: last) > RingLink.recordTimeout {
            link?.records.abandon()
        }
        link?.recordsWrittenAt = now
        link?.records.receive(bytes)
        let before = records.dropped
        while let event = link?.records.nextEvent() {
            switch event {
            case .frame(let frame):
                records.append(frame, at: now, after: delay(profile.timing.recordMilliseconds))
            case .uart, .fault:
                losses.brokenRecords &+= 1
            }
        }
        losses.droppedRequests &+= records.dropped - before
    }

    mutating func delay(_ milliseconds: ClosedRange<Int64>) -> Duration {
        .milliseconds(dice.next(milliseconds))
    }

    // MARK: Due actions, the earliest first

    var nextDue: Moment? {
        if isOff { return restartsAt }
        var due = Moment.distantFuture
        func consider(_ moment: Moment?) {
            if let moment, moment < due { due = moment }
        }
        consider(notifications.due)
        consider(commands.due)
        consider(recordDue)
        if let measurement, !measurement.isPaused { consider(measurement.next) }
        consider(legacy?.next)
        consider(rawStream)
        if link != nil { consider(workout?.next) }
        consider(link?.slowsDownAt)
        consider(walk)
        consider(pushDue)
        return due == .distantFuture ? nil : due
    }

    /// The moment of the next record reply. It waits while a command waits for its reply or is
    /// being answered.
    ///
    /// Seen on an R12: it answered commands that came after a record request first. A command that
    /// came during the record reply was answered after it.
    private var recordDue: Moment? {
        guard commands.due == nil, let due = records.due else { return nil }
        return max(due, commands.freeAt + .milliseconds(10))
    }

    mutating func run(until now: Moment, into effects: inout PeripheralEffects) {
        skipWhatWasMissed(until: now)
        if link == nil { passSeconds(until: now) }
        appendPendingEffects(into: &effects)
        while let due = nextDue, due <= now {
            if isOff {
                restartsAt = nil
                powerOn(at: due)
            } else {
                runDueAction(at: due, into: &effects)
            }
            appendPendingEffects(into: &effects)
        }
    }

    /// Runs one due action. Notifications come first, so that they keep their order.
    private mutating func runDueAction(at due: Moment, into effects: inout PeripheralEffects) {
        if let entry = notifications.popFirst(dueBy: due) {
            send(entry, into: &effects)
        } else if let slows = link?.slowsDownAt, slows <= due {
            link?.slowsDownAt = nil
            link?.isSlow = true
            pendingEffects.append(.requestParameters(Self.slowRhythm))
        } else if let frame = commands.popFirst(dueBy: due) {
            answer(frame, at: due)
        } else if let turn = recordDue, turn <= due, let frame = records.popFirst(dueBy: due) {
            answer(frame, at: due)
        } else if let live = measurement, !live.isPaused, live.next <= due {
            report(at: due)
        } else if let stream = legacy, stream.next <= due {
            reportLegacy(at: due)
        } else if let raw = rawStream, raw <= due {
            rawStream = due + .seconds(1)
            for frame in rawFrames(at: due) { send(frame, at: due) }
        } else if link != nil, let running = workout, running.next <= due {
            passSecond(at: due)
        } else if let walk, walk <= due {
            reportSteps(at: due)
        } else {
            push(at: due)
        }
    }

    /// The connection parameters that rings request, as captured on an R12.
    private static let slowRhythm = LinkParameters(
        interval: .milliseconds(123), latency: 4, supervisionTimeout: .seconds(5))

    private mutating func appendPendingEffects(into effects: inout PeripheralEffects) {
        for wish in pendingEffects { effects.append(wish) }
        pendingEffects.removeAll(keepingCapacity: true)
    }

    private mutating func send(
        _ entry: NotificationQueue.Entry, into effects: inout PeripheralEffects
    ) {
        guard let link, link.subscriptions.contains(entry.attribute) else {
            losses.unsubscribed &+= 1
            return
        }
        effects.notify(entry.attribute, entry.bytes)
    }

    /// Skips missed work after a jump in time: streams resume at most a minute back, and storing
    /// that is over a day late happens once.
    private mutating func skipWhatWasMissed(until now: Moment) {
        let earliest = now - .seconds(60)
        if let raw = rawStream, raw < earliest { rawStream = earliest }
        if let next = walk, next < earliest { walk = earliest }
        if let due = storeDue, due < now - .seconds(86_400) { storeDue = now }
    }

    // MARK: Sending

    mutating func send(_ frame: Frame, at moment: Moment) {
        guard link != nil else { return }
        notifications.append(Array(frame.bytes), to: VirtualRingAttributes.uartNotify, at: moment)
        losses.droppedNotifications = notifications.dropped
    }

    private mutating func answer(_ frame: Frame, at now: Moment) {
        let fault = faults.next(for: .command(frame.opcode))
        let packets = reply(to: frame, fault, at: now).map { Array($0.bytes) }
        let (slow, usual) = (profile.timing.slowFrameSpacing, profile.timing.frameSpacing)
        let end = send(
            packets, to: VirtualRingAttributes.uartNotify,
            every: link?.isSlow == true ? slow : usual, from: start(after: fault, at: now))
        commands.answered(until: end, nextAfter: delay(profile.timing.answerMilliseconds))
    }

    private mutating func answer(_ frame: BigDataFrame, at now: Moment) {
        let fault = faults.next(for: .record(frame.id))
        let frames = reply(to: frame, fault, at: now)
        let most = max(min(Int(profile.notificationLength), link?.maximumLength ?? 1), 1)
        let pieces = frames.flatMap { frame in
            let bytes = frame.bytes
            return stride(from: 0, to: bytes.count, by: most).map {
                Array(bytes[$0...].prefix(most))
            }
        }
        let (slow, usual) = (profile.timing.slowPieceSpacing, profile.timing.pieceSpacing)
        let end = send(
            pieces, to: VirtualRingAttributes.bigDataNotify,
            every: link?.isSlow == true ? slow : usual, from: start(after: fault, at: now))
        records.answered(until: end, nextAfter: delay(profile.timing.recordMilliseconds))
        commands.wait(until: end)
    }

    /// The moment of a reply's first packet, after what a fault makes of it.
    private mutating func start(after fault: RingFault.Effect?, at now: Moment) -> Moment {
        guard link != nil else { return now }
        if fault == .disconnection { pendingEffects.append(.disconnect) }
        return now + (fault?.delay ?? .zero)
    }

    /// Queues the packets of a reply. Returns the moment of the last one.
    private mutating func send(
        _ packets: [[UInt8]], to attribute: AttributeID, every spacing: Duration,
        from start: Moment
    ) -> Moment {
        guard link != nil else { return start }
        var moment = start
        for (index, bytes) in packets.enumerated() {
            if index > 0 { moment = moment + spacing }
            notifications.append(bytes, to: attribute, at: moment)
        }
        losses.droppedNotifications = notifications.dropped
        return moment
    }
}

struct RingLink: Sendable {
    var maximumLength: Int
    var subscriptions: Set<AttributeID> = []
    /// The moment at which the ring requests a slower connection; `nil` if it has done so or never
    /// does.
    var slowsDownAt: Moment?
    /// `true` once it has requested a slower connection.
    var isSlow = false
    var records = BigDataReassembler(maximumPayloadLength: RingLink.longestRequest)
    var recordsWrittenAt: Moment?

    /// The maximum payload length of a request in bytes, far above any real one.
    static let longestRequest = 2048
    /// The maximum length of a value at the default MTU, in bytes.
    static let leastLength = 20

    init(slowsDownAt: Moment?) {
        self.slowsDownAt = slowsDownAt
        maximumLength = Self.leastLength
    }

    /// The timeout for the rest of a request: a choice, as that of real rings is not known.
    static let recordTimeout: Duration = .seconds(4)
}
