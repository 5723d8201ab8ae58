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
public struct VirtualRing: GATTPeripheral, CustomStringConvertible {
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

    var workout: RunningWorkout?
    var isCameraOpen: Bool { link?.isCameraOpen == true }
    var litUntil: Moment?
    /// The movement in the last report of steps.
    var reported = Movement.none
    let days: Int
    private var database = GATTDatabase()

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
        database = VirtualRingAttributes.database(of: profile, address: addressTail)
    }

    /// The services of the profile.
    public var services: [GATTService] { database.services }

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
            let known = database.characteristic(attribute)
            guard known?.properties.canSubscribe == true else { return }
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
        loadChanged(at: now)
    }

    private func read(
        _ attribute: AttributeID, from offset: Int, _ token: ResponseToken,
        into effects: inout PeripheralEffects
    ) {
        guard let value = database.value(of: attribute) else {
            let refusal = database.refusalToRead(attribute) ?? .readNotPermitted
            return effects.refuse(refusal, token)
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
        case VirtualRingAttributes.bigDataWrite where profile.hasBigData:
            effects.accept(token)
            receiveRecord(bytes, at: now)
        default:
            guard database.refusalToWrite(attribute, .withResponse) == nil else {
                return effects.refuse(.writeNotPermitted, token)
            }
            effects.accept(token)
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
        if link != nil {
            if let live = link?.measurement, !live.isPaused { consider(live.next) }
            consider(link?.legacy?.next)
            consider(link?.rawStream)
            consider(workout?.next)
            consider(battery.nextChange)
            consider(link?.storeDue)
            consider(link?.slowsDownAt)
            consider(link?.walk)
        } else {
            consider(battery.emptyTime)
        }
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
        } else if let live = link?.measurement, !live.isPaused, live.next <= due {
            report(at: due)
        } else if let stream = link?.legacy, stream.next <= due {
            reportLegacy(at: due)
        } else if let raw = link?.rawStream, raw <= due {
            link?.rawStream = due + .seconds(1)
            for frame in rawFrames(at: due) { send(frame, at: due) }
        } else if link != nil, let running = workout, running.next <= due {
            passSecond(at: due)
        } else if let walk = link?.walk, walk <= due {
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
        if let raw = link?.rawStream, raw < earliest { link?.rawStream = earliest }
        if let next = link?.walk, next < earliest { link?.walk = earliest }
        if let due = link?.storeDue, due < now - .seconds(86_400) { link?.storeDue = now }
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

    // MARK: - Measurements, streams and workouts

    mutating func measure(_ request: ReceivedRealtimeRequest, at now: Moment) {
        guard link != nil else { return }
        let runs = link?.measurement?.quantity == request.quantity
        switch request.action.known {
        case .stop:
            if runs { endMeasurement(at: now) }
        case .pause:
            if runs { link?.measurement?.isPaused = true }
        case .resume where runs:
            link?.measurement?.resume(at: now)
        case .start, .startAsVendor, .startAsVendor25, .resume, nil:
            link?.measurement = VirtualMeasurement(request.quantity, profile.quirks, at: now)
            loadChanged(at: now)
        }
    }

    /// Ends a measurement. Returns its last report, and the echo of the stop.
    mutating func stopMeasuring(
        _ quantity: Reported<RealtimeMeasurement.Quantity>, at now: Moment
    ) -> [Frame] {
        var echo = StopMeasurement.Reply(.heartRate)
        echo.quantity = quantity
        guard let live = link?.measurement, live.quantity == quantity else { return [echo.frame] }
        let last = report(live, at: now)
        endMeasurement(at: now)
        switch quantity.known {
        case .heartRateVariability: return [echo.frame]
        case .stress: break
        case .heartRate, .bloodPressure, .bloodOxygen, .fatigue, .healthCheck, .heartRateStream,
            .electrocardiogram, .bloodSugar, .temperature, nil:
            echo.value = last.reading ?? live.lastValue
        }
        return [last.frame, echo.frame]
    }

    mutating func report(at now: Moment) {
        guard var live = link?.measurement else { return }
        guard now < live.endsAt else {
            endMeasurement(at: now)
            return
        }
        let reply = report(live, at: now)
        let isQuiet = profile.quirks.contains(.quietWhileWarmingUp)
        if !(isQuiet && live.hasReported && reply.isWarmingUp) { send(reply.frame, at: now) }
        live.hasReported = true
        live.next = live.next + live.pace.period
        if let value = reply.reading {
            if live.valueCount == 0 { measuredByHand(live.quantity, value, at: now) }
            live.valueCount += 1
            live.lastValue = value
        }
        link?.measurement = live
        let endsEarly =
            profile.quirks.contains(.endsAfterTenValues) && live.quantity != .heartRateStream
        if endsEarly && live.valueCount >= VirtualMeasurement.valueLimit { endMeasurement(at: now) }
    }

    private mutating func endMeasurement(at now: Moment) {
        link?.measurement = nil
        loadChanged(at: now)
    }

    /// Stores the first heart rate of a measurement as a manual one.
    ///
    /// The immediate push is a choice. In the only capture of such a push during a measurement it
    /// came sixteen seconds after the beginning of a slot, and may have reported that slot.
    private mutating func measuredByHand(
        _ quantity: Reported<RealtimeMeasurement.Quantity>, _ value: UInt8, at now: Moment
    ) {
        guard quantity == .heartRate else { return }
        catchUp(at: now)
        memory.storeManualHeartRate(value)
        push(.event(Reported(.heartRateStored)), at: now)
    }

    private mutating func report(
        _ live: VirtualMeasurement, at now: Moment
    ) -> RealtimeMeasurement.Reply {
        guard let quantity = live.quantity.known else {
            var reply = RealtimeMeasurement.Reply(.heartRate)
            reply.quantity = live.quantity
            return reply
        }
        guard isOnFinger else {
            let tells = profile.quirks.contains(.reportsNotWorn)
            return RealtimeMeasurement.Reply(quantity, fault: tells ? .notWorn : .noFault)
        }
        let time = world.time(at: now)
        let elapsed = now.duration(since: live.startedAt)
        var interval: UInt16 = 0
        if profile.quirks.contains(.beatIntervals), let first = live.pace.firstInterval,
            elapsed >= first
        {
            interval = body.beatMilliseconds(at: time)
        }
        let hasValue = live.pace.firstValue.map { elapsed >= $0 } ?? false
        guard hasValue else {
            return RealtimeMeasurement.Reply(quantity, beatIntervalMilliseconds: interval)
        }
        return value(quantity, body.state(at: time), interval)
    }

    private func value(
        _ quantity: RealtimeMeasurement.Quantity, _ state: BodyState, _ interval: UInt16
    ) -> RealtimeMeasurement.Reply {
        func reply(_ value: UInt8) -> RealtimeMeasurement.Reply {
            RealtimeMeasurement.Reply(
                quantity, value: value, beatIntervalMilliseconds: interval)
        }
        switch quantity {
        case .heartRate, .heartRateStream: return reply(state.beatsPerMinute)
        case .bloodOxygen: return .bloodOxygen(percent: state.bloodOxygenPercent)
        case .stress: return reply(state.stress)
        case .heartRateVariability:
            // A ring without this capability was not captured: zeros are a choice.
            guard Capabilities(profile.capabilities).heartRateVariability == true else {
                return reply(0)
            }
            return reply(state.variabilityMilliseconds)
        case .temperature:
            guard measuresTemperature else { return reply(0) }
            return reply(UInt8(clamping: state.skinTemperatureTenths - 200))
        case .healthCheck:
            guard Capabilities(profile.capabilities).healthCheck == true else { return reply(0) }
            // The wearer has no blood pressure; it is derived from heart rate and stress.
            let effort = state.beatsPerMinute / 4 &+ state.stress / 5
            return RealtimeMeasurement.Reply(
                .healthCheck, value: state.beatsPerMinute, second: 95 &+ effort,
                third: 62 &+ effort / 2, beatIntervalMilliseconds: interval)
        case .bloodPressure, .fatigue, .electrocardiogram, .bloodSugar: return reply(0)
        }
    }

    // MARK: Streams of old firmware

    /// The time for which a stream of old firmware goes on unless an app continues it.
    static let legacyBudget: Duration = .seconds(60)

    mutating func reportLegacy(at now: Moment) {
        guard var stream = link?.legacy else { return }
        guard now < stream.endsAt else {
            link?.legacy = nil
            loadChanged(at: now)
            return
        }
        let beats = isOnFinger ? body.state(at: world.time(at: now)).beatsPerMinute : 0
        send(LegacyRealtimeHeartRate.Reply(beatsPerMinute: beats).frame, at: now)
        stream.next = stream.next + .seconds(1)
        link?.legacy = stream
    }

    /// One sample of each raw channel. Optical values vary around those captured on an R02.
    mutating func rawFrames(at now: Moment) -> [Frame] {
        let time = world.time(at: now)
        let part = Int(now.microseconds(since: world.moment(of: time)) / 1000)
        let pulled = body.acceleration(at: time, milliseconds: part)
        let light: Int64 = isOnFinger ? 10_800 : 300
        let swing: Int64 = isOnFinger ? 150 : 2
        func optical(_ base: Int64) -> RawSensors.Optical {
            let most = base + dice.next(1...swing)
            let least = base - dice.next(1...swing)
            let value = dice.next(least...most)
            return RawSensors.Optical(
                value: UInt16(clamping: value), maximum: UInt16(clamping: most),
                minimum: UInt16(clamping: least), difference: UInt16(clamping: most - least))
        }
        func axis(_ thousandths: Int, _ countsPerG: Int) -> Int {
            let limit = 4 * countsPerG
            return min(max(thousandths * countsPerG / 1000, -limit), limit - 1)
        }
        var contents: [RawSensors.Content] = [
            .bloodOxygen(optical(light / 60)), .pulse(optical(light)),
        ]
        if profile.quirks.contains(.wideRawSensors) {
            let axes = [pulled.x, pulled.y, pulled.z].map {
                Int16(clamping: axis($0, Acceleration.Axis.wideCountsPerG))
            }
            contents += [
                .acceleration(Acceleration(wide: axes[0], y: axes[1], z: axes[2])),
                // As its owner saw them on a table; what they mean is not known.
                .undescribed4(RawSensors.FourNumbers(fourth: 4095)), .undescribed5(326),
            ]
        } else {
            let axes = [pulled.x, pulled.y, pulled.z].map {
                axis($0, Acceleration.Axis.narrowCountsPerG)
            }
            if let acceleration = try? Acceleration(x: axes[0], y: axes[1], z: axes[2]) {
                contents.append(.acceleration(acceleration))
            }
        }
        return contents.map { RawSensors.Reply($0).frame }
    }

    // MARK: Workouts

    /// The start of a workout as the ring reports it: firmware with the quirk takes its clock for
    /// UTC+8.
    func key(of start: CivilDateTime) -> CivilDateTime {
        profile.quirks.contains(.workoutsInUTC8) ? start.advanced(bySeconds: -8 * 3600) : start
    }

    mutating func control(_ request: WorkoutControl.Request, at now: Moment) -> [Frame] {
        switch request.action {
        case .start: return start(request.sport, at: now)
        case .requestStart:
            guard let workout else { return [WorkoutControl.Reply.done.frame] }
            return [WorkoutControl.Reply.running(since: key(of: workout.record.start)).frame]
        case .pause, .resume:
            workout?.isPaused = request.action == .pause
            return [WorkoutControl.Reply.done.frame]
        case .end:
            let stored = endWorkout(at: now)
            let push = RingNotification.Reply(.event(Reported(.workoutStored))).frame
            return (stored ? [push] : []) + [WorkoutControl.Reply.done.frame]
        }
    }

    /// Starts a workout. The report of second 0 comes before the reply, as captured. Starting a
    /// running workout continues it, which was not observed on real rings.
    private mutating func start(_ sport: Sport, at now: Moment) -> [Frame] {
        if let start = workout?.record.start {
            return [WorkoutControl.Reply.started(at: key(of: start)).frame]
        }
        let time = clock.time(at: now)
        let running = RunningWorkout(
            record: RingWorkout(
                sport: sport, start: time, seconds: 0, movement: .none, samples: []),
            next: now + RunningWorkout.period)
        workout = running
        loadChanged(at: now)
        return [running.report.frame, WorkoutControl.Reply.started(at: key(of: time)).frame]
    }

    /// Ends the workout, and stores it if it was long enough.
    private mutating func endWorkout(at now: Moment) -> Bool {
        guard let ended = workout else { return false }
        workout = nil
        loadChanged(at: now)
        guard ended.record.seconds >= RunningWorkout.leastStored else { return false }
        catchUp(at: now)
        memory.store(ended.record)
        return true
    }

    mutating func passSecond(at now: Moment) {
        guard var running = workout else { return }
        running.next = running.next + RunningWorkout.period
        if !running.isPaused {
            running.record.seconds += 1
            let time = world.time(at: now)
            let isMeasured = isOnFinger && running.record.seconds >= RunningWorkout.warmUp
            running.keep(isMeasured ? body.state(at: time).beatsPerMinute : 0)
            if isOnFinger {
                let step = body.movement(from: time.advanced(bySeconds: -1), to: time)
                running.record.movement = running.record.movement + step
            }
        }
        workout = running
        if link != nil {
            send(running.report.frame, at: now)
            let isTenth = running.record.seconds % RunningWorkout.repeatEvery == 0
            if isTenth && !running.isPaused { send(running.report.frame, at: now) }
        }
        if running.record.seconds >= RunningWorkout.longest, endWorkout(at: now) {
            push(.event(Reported(.workoutStored)), at: now)
        }
    }

    /// Advances the workout to a moment without reports, while no central is connected.
    mutating func passSeconds(until now: Moment) {
        while link == nil, let running = workout, running.next <= now {
            if running.isPaused {
                let behind = now.microseconds(since: running.next)
                workout?.next = now.advanced(byMicroseconds: 1_000_000 - behind % 1_000_000)
                return
            }
            passSecond(at: running.next)
        }
    }

    /// The entry in the list of workouts, with the fields that an R10 has for a run.
    ///
    /// Speeds and the step rate were zero in captures, and their units are not known.
    func record(of workout: RingWorkout) -> StoredWorkout? {
        let rates = workout.heartRates
        let numbers: [(WorkoutTag, UInt32)] = [
            (.start, key(of: workout.start).secondsSince1970),
            (.duration, UInt32(UInt16(clamping: workout.seconds))),
            (.distance, UInt32(UInt16(clamping: workout.movement.metres))),
            (.smallCalories, UInt32(clamping: workout.movement.smallCalories)), (.averageSpeed, 0),
            (.highestSpeed, 0), (.averageHeartRate, UInt32(rates.average)),
            (.lowestHeartRate, UInt32(rates.least)), (.highestHeartRate, UInt32(rates.most)),
            (.stepRate, 0), (.steps, UInt32(clamping: workout.movement.steps)),
        ]
        let fields = numbers.compactMap { try? StoredWorkout.Field($0.0, $0.1) }
        return try? StoredWorkout(sport: workout.sport, fields: fields)
    }

    /// The maximum number of samples in one package: a choice. One package of 65 was captured.
    private static let samplesPerPackage = 240

    /// The reply to a request for a recording: its division into packages, then the packages.
    func recording(of workout: RingWorkout) -> [BigDataFrame] {
        var packages: [BigDataFrame] = []
        var rest = workout.samples[...]
        while !rest.isEmpty, packages.count < Int(UInt8.max) {
            let number = UInt8(clamping: packages.count + 1)
            let samples = Array(rest.prefix(Self.samplesPerPackage))
            rest = rest.dropFirst(Self.samplesPerPackage)
            guard let package = try? WorkoutSamples.Reply(package: number, samples: samples)
            else { break }
            packages.append(package.frame)
        }
        let layout = WorkoutDetail.Layout(
            packageCount: UInt8(clamping: packages.count))
        return [WorkoutDetail.Reply(layout).frame] + packages
    }

    // MARK: - Unsolicited frames

    // A ring sends them while a central is connected.

    mutating func push(at now: Moment) {
        if let due = link?.storeDue, due <= now { catchUp(at: now) }
        age(at: now)
    }

    /// Advances the battery: each percent is pushed, and an empty one turns the ring off.
    mutating func age(at now: Moment) {
        if case .percent = battery.advance(to: now) { pushBattery(at: now) }
        if battery.isEmpty { powerOff(restarting: false, at: now) }
    }

    mutating func push(_ content: RingNotification.Content, at now: Moment) {
        guard let link, link.subscriptions.contains(VirtualRingAttributes.uartNotify) else {
            return
        }
        send(RingNotification.Reply(content).frame, at: now)
    }

    mutating func push(_ event: StoredEvent, at now: Moment) {
        switch event.content {
        case .heartRate: push(.event(Reported(.heartRateStored)), at: now)
        case .stress(let score): push(.stressStored(score: score), at: now)
        case .variability(let milliseconds):
            push(.variabilityStored(milliseconds: milliseconds), at: now)
        case .bloodOxygen: push(.event(Reported(.bloodOxygenStored)), at: now)
        case .temperature(let tenths):
            push(.temperatureStored(tenthsOfCelsiusAbove20: tenths), at: now)
        case .activity: push(.event(Reported(.activityChanged)), at: now)
        case .night, .nap: break
        }
    }

    mutating func pushBattery(at now: Moment) {
        let level = reportedBatteryLevel()
        push(.battery(percent: level.percent, charging: Reported(level.charging)), at: now)
    }

    var batteryLevel: (percent: UInt8, charging: Battery.Charging) {
        (battery.percent, battery.isOnDock ? .charging : .discharging)
    }

    mutating func reportedBatteryLevel() -> (percent: UInt8, charging: Battery.Charging) {
        var level = batteryLevel
        batteryReports &+= 1
        level.percent -= min(
            anomalies.batterySag(report: batteryReports), max(level.percent, 1) - 1)
        return level
    }

    /// Updates the battery's load after a change of activity.
    mutating func loadChanged(at now: Moment) {
        age(at: now)
        battery.load = RingBattery.Load(
            measurements: measuring, isWorn: isOnFinger, isConnected: link != nil,
            isStreaming: link?.isStreaming == true || workout != nil)
    }

    // MARK: Steps

    /// Schedules the next report of steps, for the current or the next walk.
    mutating func scheduleStepReport(at now: Moment) {
        link?.walk = nil
        guard link != nil, isOnFinger else { return }
        let time = world.time(at: now)
        let next =
            nextWalk(on: time.date, after: time)
            ?? time.date.advanced(byDays: 1).flatMap { nextWalk(on: $0, after: time) }
        // Without a walk today or tomorrow, the next check is in a day.
        let start = next?.start ?? time.advanced(bySeconds: 86_400)
        link?.walk = max(world.moment(of: start), now) + .seconds(1)
    }

    private mutating func nextWalk(on date: CivilDate, after time: CivilDateTime) -> Exertion? {
        body.exertions(on: date).first { $0.activity != .cycling && $0.end > time }
    }

    /// Reports today's steps if they have changed, every 1 to 2.5 seconds while the wearer walks.
    mutating func reportSteps(at now: Moment) {
        let movement = movementToday(at: now)
        let time = world.time(at: now)
        let walks = body.state(at: time).stepsPerMinute > 0
        if movement.steps != reported.steps {
            reported = movement
            let steps = RingNotification.Content.liveActivity(
                LiveActivity(
                    steps: UInt24(clamping: movement.steps),
                    smallCalories: UInt24(clamping: movement.smallCalories),
                    metres: UInt24(clamping: movement.metres)))
            if walks { push(steps, at: now) }
            // In captures a report is sometimes sent twice.
            if walks && dice.next(1...8) == 1 { push(steps, at: now) }
        }
        if walks {
            link?.walk = now + .milliseconds(dice.next(1000...2500))
        } else {
            scheduleStepReport(at: now)
            // After the end of a walk there is one more check in 20 seconds, then the next walk is
            // awaited.
            if let next = link?.walk, next <= now + .seconds(2) {
                link?.walk = now + .seconds(20)
            }
        }
    }

    // MARK: - Stored values

    /// The automatic measurements: those that are on and supported by a sensor of the ring.
    var measuring: AutomaticMeasurements {
        let can = Capabilities(profile.capabilities)
        return AutomaticMeasurements(
            heartRateMinutes: settings.heartRateIsOn ? settings.heartRateMinutes : nil,
            bloodOxygen: settings.bloodOxygen.isOn && can.bloodOxygen == true,
            stress: settings.stress.isOn && can.stress == true,
            variability: settings.heartRateVariability.isOn && can.heartRateVariability == true,
            temperature: settings.temperature.isOn && measuresTemperature)
    }

    /// The log that the ring refuses although its capabilities have it.
    var refusedLog: UInt8? {
        let can = Capabilities(profile.capabilities)
        let logs = [
            (can.stress, StressLog.opcode),
            (can.heartRateVariability, HeartRateVariabilityLog.opcode),
        ]
        return anomalies.refused(of: logs.filter { $0.0 == true }.map(\.1))
    }

    /// `true` if the ring measures temperature. An R09 replied with temperatures, although the
    /// capabilities assumed for it have none.
    var measuresTemperature: Bool {
        profile.records[TemperatureSeries.requestID] == .answers
    }

    /// Advances the memory to a moment, and pushes the values stored meanwhile to a connected
    /// central. While the ring is off, nothing is stored.
    mutating func catchUp(at now: Moment) {
        var stored: [StoredEvent] = []
        let listens = link != nil
        memory.advance(
            to: clock.time(at: now), body: &body, worn: isOnFinger && !isOff, isOn: !isOff,
            settings: measuring
        ) { event in
            if listens { stored.append(event) }
        }
        guard listens else { return }
        for event in stored { push(event, at: now) }
        let next = memory.nextStoreTime(body: &body, settings: measuring)
        // At least a microsecond later, so that no two wake-ups have the same reason. At the end of
        // the clock there is no next value.
        link?.storeDue =
            next > memory.now
            ? max(clock.moment(of: next), now.advanced(byMicroseconds: 1)) : nil
    }

    mutating func changeMeasuring(at now: Moment, _ change: (inout RingSettings) -> Void) {
        catchUp(at: now)
        change(&settings)
        catchUp(at: now)
        loadChanged(at: now)
    }

    /// Sets the ring's clock; stored values keep their days.
    mutating func setClock(to time: CivilDateTime, at now: Moment) {
        catchUp(at: now)
        clock.set(to: time, at: now)
        memory.setClock(to: time)
        catchUp(at: now)
        scheduleStepReport(at: now)
    }

    func today(at now: Moment) -> CivilDate { clock.time(at: now).date }

    private func date(_ day: DaysAgo, at now: Moment) -> CivilDate? {
        today(at: now).daysEarlier(day.count)
    }

    func stress(_ day: DaysAgo, at now: Moment) -> [UInt8]? {
        date(day, at: now).flatMap { memory.stress(of: $0) }
    }

    func variability(_ day: DaysAgo, at now: Moment) -> [UInt8]? {
        guard Capabilities(profile.capabilities).heartRateVariability == true else { return nil }
        return date(day, at: now).flatMap { memory.heartRateVariability(of: $0) }
    }

    mutating func totals(at now: Moment) -> TodayTotals.Reply {
        let movement = movementToday(at: now)
        return TodayTotals.Reply(
            steps: UInt24(clamping: movement.steps),
            runningSteps: UInt24(clamping: movement.runningSteps),
            smallCalories: UInt24(clamping: movement.smallCalories),
            metres: UInt24(clamping: movement.metres),
            activeMinutes: UInt16(clamping: movement.activeSeconds / 60))
    }

    mutating func movementToday(at now: Moment) -> Movement {
        catchUp(at: now)
        return memory.totals(of: today(at: now))?.movement ?? .none
    }

    /// The totals of a day in the older format; a day that is not kept is reported as unknown.
    func dailyTotals(_ day: DaysAgo, at now: Moment) -> [Frame] {
        let date = date(day, at: now)
        let totals = date.flatMap { memory.totals(of: $0) }
        let decimal = date.flatMap { try? DecimalDate($0) }
        let movement = totals?.movement ?? .none
        let known =
            totals == nil
            ? nil
            : decimal.flatMap {
                try? DailyTotals.Day(daysAgo: day.count, date: $0)
            }
        return DailyTotals.Reply(
            day: known ?? .unknown,
            movement: DailyTotals.Movement(
                steps: UInt24(clamping: movement.steps),
                runningSteps: UInt24(clamping: movement.runningSteps),
                smallCalories: UInt24(clamping: movement.smallCalories)),
            duration: DailyTotals.Duration(
                metres: UInt24(clamping: movement.metres),
                activeMinutes: UInt16(clamping: movement.activeSeconds / 60),
                sleepMinutes: UInt16(clamping: totals?.sleepMinutes ?? 0))
        ).frames
    }

    /// One bit per day with heart rates or activity, with today as the lowest bit: a guess.
    func daysWithData(at now: Moment) -> UInt32 {
        var days: UInt32 = 0
        for count in 0..<UInt8(UInt32.bitWidth) {
            guard let date = today(at: now).daysEarlier(count) else { break }
            let hasSome = memory.heartRates(of: date) != nil || memory.activity(of: date) != nil
            if hasSome { days |= 1 << UInt32(count) }
        }
        return days
    }

    // MARK: Activity, sleep, manual heart rates

    /// The activity records of a day within the requested slots, or the frame for no data.
    func activityFrames(_ request: ActivityLog.Request, at now: Moment) -> [Frame] {
        let slots = date(request.day, at: now).flatMap { date in
            memory.activity(of: date).map { (date, $0) }
        }
        guard let (date, all) = slots else { return [Self.noActivity] }
        // Without years, the same day in the year 2000 is sent, as 00.
        let hasYears = !profile.quirks.contains(.activityWithoutYear)
        let year2000 = try? CivilDate(year: 2000, month: date.month, day: date.day)
        let records = all.filter {
            request.firstSlot <= $0.slot && $0.slot <= request.lastSlot
        }.compactMap { slot in
            try? ActivityLog.Record(
                date: hasYears ? date : year2000 ?? date, slot: slot.slot,
                energy: slot.energy, steps: slot.steps, metres: slot.metres)
        }
        guard !records.isEmpty, let reply = try? ActivityLog.Reply(records: records) else {
            return [Self.noActivity]
        }
        return reply.frames
    }

    /// The frame for no activity. Its energy flag is not set, as captured on R02, R10 and R12,
    /// whose records have it.
    private static let noActivity = ActivityLog.Part.noData(
        ActivityLogPart.Header(recordCount: 0, energyUnit: Reported(.smallCalories))
    ).frame

    func bloodOxygen() -> [BloodOxygen.Day] {
        memory.bloodOxygen().compactMap { day in
            let hours = day.values.map { (minimum: $0, maximum: $0) }
            return try? BloodOxygen.Day(daysAgo: day.daysAgo, percent: hours)
        }
    }

    /// The temperatures for a selector. Selector 0 sent today alone in a capture; all days for
    /// other selectors are a choice, which ``RingAnomalies/lateTemperature`` makes for all.
    func temperatures(_ request: TemperatureSeries.Request) -> [TemperatureSeries.Day] {
        let days = memory.temperatures().compactMap { day in
            try? TemperatureSeries.Day(daysAgo: day.daysAgo, values: day.values)
        }
        let isToday = request == .today && !anomalies.kinds.contains(.lateTemperature)
        guard isToday else { return days }
        let today = days.filter { $0.daysAgo == 0 }
        guard profile.quirks.contains(.emptyTemperatureDays),
            today.allSatisfy({ $0.values.allSatisfy { $0 == 0 } }),
            let empty = try? TemperatureSeries.Day(daysAgo: 0, values: [])
        else { return today }
        return [empty]
    }

    func manualHeartRates(daysAgo: UInt8, at now: Moment) -> [ManualHeartRate.Sample] {
        guard let date = today(at: now).daysEarlier(daysAgo) else { return [] }
        return memory.manualHeartRates(of: date).map {
            ManualHeartRate.Sample(time: $0.time, beatsPerMinute: $0.beatsPerMinute)
        }
    }

    /// The nights, and the naps before them if the profile has that quirk.
    ///
    /// The meaning of a request's first byte is not known: apps send 0, 1, 6 and 255. Here it is
    /// the number of days back, which agrees with a capture of an R12 with 0.
    func sleepFrames(_ request: Sleep.Request) -> [BigDataFrame] {
        let most = request.days ?? .max
        let nights = memory.sleepPeriods.filter { $0.daysAgo <= most }
        let naps = memory.napPeriods.filter { $0.daysAgo <= most }
        var frames: [BigDataFrame] = []
        if profile.quirks.contains(.napsBeforeNights), let reply = try? Nap.Reply(naps: naps) {
            frames.append(reply.frame)
        }
        if let reply = try? Sleep.Reply(nights: nights) { frames.append(reply.frame) }
        return frames
    }

    /// The blood pressure setting, or the bytes that an R12 sends in its place.
    var bloodPressureReading: BloodPressureSetting.Setting {
        guard profile.quirks.contains(.oddBloodPressureSetting) else {
            return settings.bloodPressure
        }
        var odd = settings.bloodPressure
        odd.enabled = Reported(rawValue: 22)
        odd.period.startHour = 40
        odd.period.startMinute = 0
        odd.period.endHour = 12
        odd.period.endMinute = 0
        odd.minutesPerMeasurement = 0
        return odd
    }

    // MARK: - Controls and visible state

    // A change takes effect at the next event; a host sends one after each change.

    /// Takes the ring off the finger: measurements stop.
    public mutating func takeOff() { externalChanges.append(.worn(false)) }

    /// Puts the ring on the finger, taking it off the charger.
    public mutating func putOn() {
        if isDocked { externalChanges.append(.docked(false)) }
        externalChanges.append(.worn(true))
    }

    /// Puts the ring on its charger, off the finger. A ring that was off turns on.
    public mutating func dock() {
        if isWorn { externalChanges.append(.worn(false)) }
        externalChanges.append(.docked(true))
    }

    /// Takes the ring off the charger, without putting it on.
    public mutating func undock() { externalChanges.append(.docked(false)) }

    /// Sets the battery level, 0 to 100 percent.
    public mutating func setBattery(percent: Int) { externalChanges.append(.battery(percent)) }

    /// Shifts the ring's clock, as if an app had set it wrong.
    public mutating func shiftClock(bySeconds seconds: Int) {
        externalChanges.append(.clock(seconds: seconds))
    }

    /// Waves the hand with the ring: requests a picture if an app's camera is open.
    public mutating func wave() { externalChanges.append(.wave) }

    /// Touches the ring, which reports it if an app has set its touch to
    /// ``/HaloProtocol/TouchGesture/App/report``. Known from an owner of an R08.
    public mutating func touch(_ touch: RingNotification.Touch) {
        externalChanges.append(.touched(touch))
    }

    /// Makes the wearer walk from now on. Only this ring knows of it.
    ///
    /// Returns `false` if nothing will come of it, as seen at the time of the latest event: they
    /// are already moving, or it is the last minute of the day.
    @discardableResult
    public mutating func walk(minutes: Int) -> Bool {
        let minutes = minutes.limited(to: 1...240)
        var body = changed.body
        externalChanges.append(.walk(minutes: minutes))
        return body.walk(from: world.time(at: lastMoment), minutes: minutes)
    }

    /// Makes the wearer fall asleep within a minute. Only this ring knows of it.
    ///
    /// Returns `false` if nothing will come of it, as seen at the time of the latest event: they
    /// are already asleep, or would sleep until bedtime or midnight.
    @discardableResult
    public mutating func fallAsleep(minutes: Int) -> Bool {
        let minutes = minutes.limited(to: 1...240)
        var body = changed.body
        externalChanges.append(.sleep(minutes: minutes))
        return body.fallAsleep(at: world.time(at: lastMoment), minutes: minutes)
    }

    /// Starts or stops the search for the phone. Known from vendor notes, not from a capture.
    public mutating func findPhone(isOn: Bool = true) {
        externalChanges.append(.search(isOn: isOn))
    }

    /// `true` while the ring is on the finger.
    public var isWorn: Bool {
        for case .worn(let isWorn) in externalChanges.reversed() { return isWorn }
        return isOnFinger
    }

    /// `true` while the ring is on the charger.
    public var isDocked: Bool {
        for case .docked(let isDocked) in externalChanges.reversed() { return isDocked }
        return battery.isOnDock
    }

    /// The battery level at the latest event.
    public var batteryPercent: Int {
        for case .battery(let percent) in externalChanges.reversed() {
            return percent.limited(to: 0...100)
        }
        return Int(battery.percent)
    }

    /// `true` if the ring is off: by a command, or because the battery is empty.
    public var isPoweredOff: Bool { isOff }

    /// `true` if a central is connected.
    public var isConnected: Bool { link != nil }

    /// The time of the ring's clock at the latest event.
    public var time: CivilDateTime { clock.time(at: lastMoment) }

    /// `true` if the light is on at the latest event.
    public var isLit: Bool { litUntil.map { lastMoment < $0 } ?? false }

    /// The memory at the latest event.
    public var history: RingMemory {
        var copy = changed
        copy.link = nil
        copy.catchUp(at: lastMoment)
        return copy.memory
    }

    /// The ring after the changes that wait for the next event.
    var changed: VirtualRing {
        var copy = self
        copy.applyExternalChanges(at: lastMoment)
        return copy
    }

    mutating func applyExternalChanges(at now: Moment) {
        guard !externalChanges.isEmpty else { return }
        let changes = externalChanges
        externalChanges = []
        for change in changes { apply(change, at: now) }
    }

    private mutating func apply(_ change: ExternalChange, at now: Moment) {
        switch change {
        case .worn(let isWorn):
            catchUp(at: now)
            isOnFinger = isWorn
            loadChanged(at: now)
            scheduleStepReport(at: now)
        case .docked(let isDocked):
            age(at: now)
            battery.isOnDock = isDocked
            loadChanged(at: now)
            if isDocked && isOff && restartsAt == nil { powerOn(at: now) }
            pushBattery(at: now)
        case .battery(let percent):
            battery = RingBattery(
                percent: percent, capacityMicroampereHours: profile.batteryMicroampereHours,
                isOnDock: battery.isOnDock, at: now)
            loadChanged(at: now)
            pushBattery(at: now)
        case .clock(let seconds):
            setClock(to: clock.time(at: now).advanced(bySeconds: seconds), at: now)
        case .wave:
            if isCameraOpen { send(Camera.Reply(.gesture).frame, at: now) }
        case .touched(let touch):
            guard let link, Capabilities(nil, profile.functions).touch == true,
                settings.touch.app == .report
            else { return }
            if !link.isTouched { push(.event(Reported(.undescribed2A)), at: now) }
            self.link?.isTouched = true
            push(.touched(Reported(touch)), at: now)
        case .walk(let minutes):
            catchUp(at: now)
            body.walk(from: world.time(at: now), minutes: minutes)
            scheduleStepReport(at: now)
        case .sleep(let minutes):
            catchUp(at: now)
            if body.fallAsleep(at: world.time(at: now), minutes: minutes) {
                memory.forgetUpcomingSleep()
            }
            scheduleStepReport(at: now)
        case .search(let isOn):
            send(FindPhone.Reply(isOn: isOn).frame, at: now)
        }
    }

    // MARK: Power

    /// Turns the ring off until it is charged, or restarts it.
    mutating func powerOff(restarting: Bool, at now: Moment) {
        guard !isOff else { return }
        catchUp(at: now)
        // The advertisement ends first, so that no central receives one before the disconnection.
        pendingEffects.append(.advertise(nil))
        if link != nil { pendingEffects.append(.disconnect) }
        workout = nil
        isOff = true
        disconnect(at: now)
        restartsAt = restarting ? now + .seconds(3) : nil
    }

    /// Turns the ring on; its clock has kept running.
    mutating func powerOn(at now: Moment) {
        guard isOff else { return }
        catchUp(at: now)
        isOff = false
        memory.reviveLogging()
        // With an empty battery the ring turns off again, which ends the advertisement.
        pendingEffects.append(.advertise(advertisement))
        loadChanged(at: now)
    }

    /// Resets the ring to its factory state: empty memory, default settings, unset clock.
    mutating func reset(at now: Moment) {
        settings = profile.factorySettings
        link?.measurement = nil
        link?.legacy = nil
        link?.rawStream = nil
        link?.isCameraOpen = false
        workout = nil
        clock.set(to: RunningClock.factoryTime, at: now)
        memory = RingMemory(
            retention: profile.retention, anomalies, now: RunningClock.factoryTime,
            wearerTime: world.time(at: now))
        catchUp(at: now)
        loadChanged(at: now)
        scheduleStepReport(at: now)
    }

    /// The model, the battery level, and the place of the ring.
    public var description: String {
        let place = isDocked ? "on its charger" : isWorn ? "worn" : "not worn"
        return "\(profile), \(isPoweredOff ? "off" : "\(batteryPercent) %"), \(place)"
    }

    /// The advertised name: by default the profile's prefix and the end of the address.
    public var name: String {
        let tail = [UInt8(addressTail >> 8), UInt8(truncatingIfNeeded: addressTail)]
        return options.name ?? profile.namePrefix + HexText.bytes(tail)
    }

    package var addressTail: UInt16 {
        if let tail = options.addressTail { return tail }
        var dice = SplitMix(seed: options.seed &* 3 ^ wearer.seed)
        return UInt16(truncatingIfNeeded: dice.next())
    }

    /// The advertisement while no central is connected.
    ///
    /// No advertisement of a real ring was captured as bytes. The 128-bit service, the name and the
    /// company are known. Their distribution over advertisement and scan response, and the
    /// company's data, are choices.
    var advertisement: PeripheralAdvertisement? {
        var services: [AdvertisingStructure.Content] = [
            .flags([.generalDiscoverable, .classicNotSupported]),
            .services(.long([RingServices.uart]), isComplete: false),
        ]
        if options.advertisesShortService, let short = RingServices.advertisedShort.short16 {
            services.append(.services(.short([short]), isComplete: false))
        }
        let maker = AdvertisingStructure.Content.manufacturerData(
            company: RingRecognition.ringCompany, [])
        let name = AdvertisingStructure.Content.name(AdvertisedName(name), isComplete: true)
        guard let data = AdvertisingData(contents: services),
            let response = AdvertisingData(contents: [name, maker])
        else {
            return nil
        }
        return PeripheralAdvertisement(data, scanResponse: response)
    }
}

struct RingLink: Sendable {
    var maximumLength = RingLink.leastLength
    var subscriptions: Set<AttributeID> = []
    /// The moment at which the ring requests a slower connection; `nil` if it has done so or never
    /// does.
    var slowsDownAt: Moment?
    /// `true` once it has requested a slower connection.
    var isSlow = false
    var records = BigDataReassembler(maximumPayloadLength: RingLink.longestRequest)
    var recordsWrittenAt: Moment?
    /// The moment of the next stored value.
    var storeDue: Moment?
    /// The moment of the next report of steps.
    var walk: Moment?

    var measurement: VirtualMeasurement?
    /// The heart rate stream of old firmware, one frame each second; its end, unless an app
    /// continues it.
    var legacy: (next: Moment, endsAt: Moment)?
    /// The moment of the next raw sensor values, if they are streamed.
    var rawStream: Moment?
    var isCameraOpen = false
    /// `true` once it has reported a touch.
    var isTouched = false
    var isStreaming: Bool { measurement != nil || legacy != nil || rawStream != nil }

    /// The maximum payload length of a request in bytes, far above any real one.
    static let longestRequest = 2048
    /// The maximum length of a value at the default MTU, in bytes.
    static let leastLength = 20

    /// The timeout for the rest of a request: a choice, as that of real rings is not known.
    static let recordTimeout: Duration = .seconds(4)
}

extension AdvertisingData {
    /// Data of the contents that can be written; `nil` if they are too long together.
    init?(contents: [AdvertisingStructure.Content]) {
        let structures = contents.compactMap { try? AdvertisingStructure($0) }
        guard let data = try? AdvertisingData(structures: structures) else { return nil }
        self = data
    }
}
