public import HaloProtocol
internal import HaloTransport

/// Controls for tests, and the visible state.
///
/// A change takes effect at the next event; a host sends one after each change.
extension VirtualRing: CustomStringConvertible {
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

    /// Makes the wearer walk from now on. Only this ring knows of it.
    ///
    /// Returns `false` if nothing will come of it, as seen at the time of the latest event: they
    /// are already moving, or it is the last minute of the day.
    @discardableResult
    public mutating func walk(minutes: Int) -> Bool {
        changePlan(.walk(minutes: minutes.limited(to: 1...240)))
    }

    /// Makes the wearer fall asleep within a minute. Only this ring knows of it.
    ///
    /// Returns `false` if nothing will come of it, as seen at the time of the latest event: they
    /// are already asleep, or would sleep until bedtime or midnight.
    @discardableResult
    public mutating func fallAsleep(minutes: Int) -> Bool {
        changePlan(.sleep(minutes: minutes.limited(to: 1...240)))
    }

    /// Queues a change, and returns `true` if it changes the wearer's plan after those before it.
    private mutating func changePlan(_ change: ExternalChange) -> Bool {
        externalChanges.append(change)
        var body = body
        let time = world.time(at: lastMoment)
        var isChanged = false
        for change in externalChanges {
            switch change {
            case .walk(let minutes): isChanged = body.walk(from: time, minutes: minutes)
            case .sleep(let minutes): isChanged = body.fallAsleep(at: time, minutes: minutes)
            case .worn, .docked, .battery, .clock, .wave, .search: break
            }
        }
        return isChanged
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
        var copy = self
        copy.link = nil
        copy.applyExternalChanges(at: lastMoment)
        copy.catchUp(at: lastMoment)
        return copy.memory
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

    mutating func light(for duration: Duration, at now: Moment) {
        litUntil = now + duration
    }

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
        measurement = nil
        legacy = nil
        rawStream = nil
        workout = nil
        isCameraOpen = false
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
    public var name: String { options.name ?? profile.namePrefix + tailText }

    package var addressTail: UInt16 {
        if let tail = options.addressTail { return tail }
        var dice = SplitMix(seed: options.seed &* 3 ^ wearer.seed)
        return UInt16(truncatingIfNeeded: dice.next())
    }

    private var tailText: String {
        let digits = String(addressTail, radix: 16, uppercase: true)
        return String(repeating: "0", count: 4 - digits.count) + digits
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

    func value(of attribute: AttributeID) -> [UInt8]? {
        switch attribute {
        case VirtualRingAttributes.firmware: Self.text(profile.firmware)
        case VirtualRingAttributes.hardware: Self.text(profile.hardware)
        case VirtualRingAttributes.systemID: SystemID(address: UInt64(addressTail)).bytes
        case VirtualRingAttributes.manufacturer: profile.manufacturer.flatMap(Self.text)
        case VirtualRingAttributes.weChatNotify, VirtualRingAttributes.weChatIndicate,
            VirtualRingAttributes.weChatRead:
            profile.hasWeChat ? [] : nil
        default: nil
        }
    }

    private static func text(_ text: String) -> [UInt8]? {
        (try? DeviceInformationText(text))?.bytes
    }
}

extension AdvertisingData {
    /// Data of the contents that can be written; `nil` if they are too long together.
    init?(contents: [AdvertisingStructure.Content]) {
        let structures = contents.compactMap { try? AdvertisingStructure($0) }
        guard let data = try? AdvertisingData(structures: structures) else { return nil }
        self = data
    }
}
