public import HaloProtocol
public import HaloTransport

extension VirtualRing {
    /// The services of the profile.
    public var services: [GATTService] { RingAttributes.services(of: profile) }

    /// Takes in one event, and puts down what the ring does about it.
    public mutating func handle(
        _ event: PeripheralEvent, at now: Moment, into effects: inout PeripheralEffects
    ) {
        let now = max(now, lastMoment)
        if case .started(let wall) = event { start(wall, at: now) }
        run(until: now, into: &effects)
        lastMoment = now
        noticeOutside(at: now)
        take(event, at: now, into: &effects)
        run(until: now, into: &effects)
        effects.wake(at: nextDue)
    }

    private mutating func take(
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
            guard RingAttributes.subscribable.contains(attribute) else { return }
            if isOn {
                link?.subscriptions.insert(attribute)
            } else {
                link?.subscriptions.remove(attribute)
            }
        }
    }

    private mutating func start(_ wall: WallClock, at now: Moment) {
        lastMoment = now
        world = RingClock(showing: wall.local, at: now)
        let time =
            switch options.clock {
            case .right: wall.local
            case .factory: RingClock.factoryTime.advanced(bySeconds: days * Self.secondsPerDay)
            case .off(let seconds): wall.local.advanced(bySeconds: seconds)
            }
        clock = RingClock(showing: time, at: now)
        memory = RingMemory(
            retention: profile.retention, now: time.advanced(bySeconds: -days * Self.secondsPerDay),
            wearerTime: wall.local.advanced(bySeconds: -days * Self.secondsPerDay))
        body = BodyClock(wearer, at: wall.local)
        battery = RingBattery(
            percent: options.batteryPercent,
            capacityMicroampereHours: profile.batteryMicroampereHours,
            isOnDock: options.isDocked, at: now)
        isOff = battery.isEmpty
        loadChanged(at: now)
        wishes.append(.advertise(isOff ? nil : advertisement))
    }

    private static let secondsPerDay = 86_400

    private mutating func connect(at now: Moment) {
        disconnect(at: now)
        guard !isOff else { return }
        let slows = profile.quirks.contains(.slowsTheLink)
        link = RingLink(since: now, slowsDownAt: slows ? now + profile.timing.slowsDownAfter : nil)
        catchUp(at: now)
        loadChanged(at: now)
        expectWalk(at: now)
    }

    /// What an app has begun ends with the link, but for a workout.
    mutating func disconnect(at now: Moment) {
        guard link != nil else { return }
        link = nil
        outbox.removeAll()
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
}

extension VirtualRing {
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
        guard 0...value.count ~= offset else {
            effects.refuse(.invalidOffset, token)
            return
        }
        effects.respond(Array(value[offset...]), to: token)
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
        case RingAttributes.uartWrite:
            effects.accept(token)
            receiveCommand(bytes, at: now)
        case RingAttributes.bigDataWrite:
            effects.accept(token)
            receiveRecord(bytes, at: now)
        case RingAttributes.weChatIndicate where profile.hasWeChat:
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
        commands.put(frame, at: now, after: delay(profile.timing.answerMilliseconds))
        losses.crowdedOut &+= commands.dropped - before
    }

    private mutating func receiveRecord(_ bytes: [UInt8], at now: Moment) {
        if let last = link?.recordsWrittenAt, now.duration(since: last) > RingLink.patience {
            link?.records.abandon()
        }
        link?.recordsWrittenAt = now
        link?.records.receive(bytes)
        let before = records.dropped
        while let event = link?.records.nextEvent() {
            switch event {
            case .frame(let frame):
                records.put(frame, at: now, after: delay(profile.timing.recordMilliseconds))
            case .uart, .fault:
                losses.brokenRecords &+= 1
            }
        }
        losses.crowdedOut &+= records.dropped - before
    }

    mutating func delay(_ milliseconds: ClosedRange<Int64>) -> Duration {
        .milliseconds(dice.next(milliseconds))
    }
}
