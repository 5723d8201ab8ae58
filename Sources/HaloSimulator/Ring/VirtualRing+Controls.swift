public import HaloProtocol
internal import HaloTransport

/// What somebody did to the ring from outside, in the order in which it was done.
enum OutsideChange: Hashable, Sendable {
    case worn(Bool)
    case docked(Bool)
    case battery(Int)
    case clock(seconds: Int)
    case wave
    case search(isOn: Bool)
}

/// What can be done to a ring by hand, and seen of it.
///
/// The ring takes notice at the next event that it gets; a host sends one after each change.
extension VirtualRing {
    /// Takes the ring from the finger: it measures nothing any more.
    public mutating func takeOff() { outside.append(.worn(false)) }

    /// Puts the ring onto the finger, from its charger if it lies there.
    public mutating func putOn() {
        if isDocked { outside.append(.docked(false)) }
        outside.append(.worn(true))
    }

    /// Lays the ring onto its charger, off the finger; one that was off comes back to life.
    public mutating func dock() {
        if isWorn { outside.append(.worn(false)) }
        outside.append(.docked(true))
    }

    /// Takes the ring off its charger, without wearing it.
    public mutating func undock() { outside.append(.docked(false)) }

    /// Lets the battery have another level: 0 to 100 percent.
    public mutating func setBattery(percent: Int) { outside.append(.battery(percent)) }

    /// Lets the ring's clock go wrong by some seconds, as if an app had set it so.
    public mutating func shiftClock(bySeconds seconds: Int) {
        outside.append(.clock(seconds: seconds))
    }

    /// Waves the hand that wears the ring: a picture is wanted, if an app's camera is open.
    public mutating func wave() { outside.append(.wave) }

    /// Asks the phone to be heard, or no longer: vendor notes know it, no capture shows it.
    public mutating func searchPhone(isOn: Bool = true) { outside.append(.search(isOn: isOn)) }

    /// Whether the ring is on the finger.
    public var isWorn: Bool {
        for case .worn(let isWorn) in outside.reversed() { return isWorn }
        return isOnFinger
    }

    /// Whether the ring lies on its charger.
    public var isDocked: Bool {
        for case .docked(let isDocked) in outside.reversed() { return isDocked }
        return battery.isOnDock
    }

    /// How full the battery was when the ring last looked.
    public var batteryPercent: UInt8 {
        for case .battery(let percent) in outside.reversed() {
            return UInt8(clamping: min(max(percent, 0), 100))
        }
        return battery.percent
    }

    /// Whether the ring is off: switched off by a command, or empty.
    public var isPoweredOff: Bool { isOff }

    /// Whether a central is connected.
    public var isConnected: Bool { link != nil }

    /// What the ring's clock shows, at the latest moment that the ring was told.
    public var time: CivilDateTime { clock.time(at: lastMoment) }

    /// Whether its light is on, at the latest moment that the ring was told.
    public var isLit: Bool { litUntil.map { lastMoment < $0 } ?? false }

    /// What the ring has stored, up to the latest moment that it was told.
    public var history: RingMemory {
        var copy = self
        copy.link = nil
        copy.noticeOutside(at: lastMoment)
        copy.catchUp(at: lastMoment)
        return copy.memory
    }
}

extension VirtualRing {
    /// Takes notice of what was done from outside.
    mutating func noticeOutside(at now: Moment) {
        guard !outside.isEmpty else { return }
        let changes = outside
        outside = []
        for change in changes { notice(change, at: now) }
    }

    private mutating func notice(_ change: OutsideChange, at now: Moment) {
        switch change {
        case .worn(let isWorn):
            catchUp(at: now)
            isOnFinger = isWorn
            loadChanged(at: now)
            expectWalk(at: now)
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
        case .search(let isOn):
            send(FindPhone.Reply(isOn: isOn).frame, at: now)
        }
    }
}

/// On and off.
extension VirtualRing {
    mutating func light(for duration: Duration, at now: Moment) {
        litUntil = now + duration
    }

    /// Off, until it lies on its charger; or off and on again.
    mutating func powerOff(restarting: Bool, at now: Moment) {
        guard !isOff else { return }
        catchUp(at: now)
        // First, so that nobody hears it between the two.
        wishes.append(.advertise(nil))
        if link != nil { wishes.append(.disconnect) }
        workout = nil
        isOff = true
        disconnect(at: now)
        restartsAt = restarting ? now + .seconds(3) : nil
    }

    /// On again; the clock is taken to have gone on.
    mutating func powerOn(at now: Moment) {
        guard isOff else { return }
        isOff = false
        memory.advance(
            to: clock.time(at: now), body: &body, worn: false, settings: measuring
        ) { _ in }
        loadChanged(at: now)
        wishes.append(.advertise(advertisement))
    }

    /// As it came from the factory: nothing stored, nothing set, and a clock that nobody has set.
    mutating func reset(at now: Moment) {
        settings = profile.factorySettings
        measurement = nil
        legacy = nil
        rawStream = nil
        workout = nil
        isCameraOpen = false
        clock.set(to: RingClock.factoryTime, at: now)
        memory = RingMemory(
            retention: profile.retention, now: RingClock.factoryTime,
            wearerTime: world.time(at: now))
        catchUp(at: now)
        loadChanged(at: now)
        expectWalk(at: now)
    }
}

extension VirtualRing: CustomStringConvertible {
    /// The model, the battery, and where the ring is.
    public var description: String {
        let place = isDocked ? "on its charger" : isWorn ? "worn" : "not worn"
        return "\(profile), \(isPoweredOff ? "off" : "\(batteryPercent) %"), \(place)"
    }
}
