public import HaloProtocol
public import HaloTransport

/// The radio world in which virtual devices and centrals meet: no clock, no task, no lock.
///
/// Time is virtual and passes only by ``runNextEvent()`` and ``advance(to:)``. What a central asks
/// for carries a tag of the caller's choice, and what comes of it is an ``AirOutput`` with that
/// tag, in the order in which things happened. The same seed, devices and calls give the same
/// outputs, to the byte.
///
/// The rules of the radio:
/// - A device advertises at its interval and up to 10 ms more, while nobody is connected to it. A
///   central connects at an advertisement that it hears, and one central at a time.
/// - On a link the radios meet at each interval (48 ms at first). A device that has nothing to
///   say skips as many meetings as its latency allows; then what a central sends waits. What is
///   sent at a meeting's time or later travels at the next one; two to six packets travel each way
///   at one meeting, 0.3 to 1.3 ms apart. At the edge of the range meetings are missed.
/// - Requests of a link are carried out one after another. A read beyond one packet is read on;
///   a write beyond one packet is prepared in parts and reaches the device as one. Writes without a
///   response fill the radio's room of ``AirLimits/commandsInController`` and then wait.
/// - What a device does not answer within thirty seconds ends the link, and so does
///   being out of range for the supervision timeout.
/// - Nothing is encrypted: attributes that demand it refuse with `insufficientEncryption`.
public final class Air {
    /// What is due at a source of the queue.
    enum Purpose {
        case nothing
        case wake(Int)
        case advertise(Int)
        case meet(Int)
        case answerDeadline(Int)
        case supervision(Int)
        case update(Int)
        case late(Int)
        case timer(UInt64)
        case fault(FaultRule)
        case release(Int)
    }

    /// How far time has come.
    public internal(set) var now = Moment.origin
    /// What was dropped or cut because somebody sent too much.
    public internal(set) var losses = AirLosses()
    /// What happened, if somebody wanted to know: see ``keepTrace(_:)``.
    public internal(set) var trace = AirTrace(limit: 0)

    private(set) var start: WallClock
    var random: SplitMix
    var faults: FaultInjector
    var events = EventQueue()
    var purposes: [Purpose] = []
    var slots: [AirSlot] = []
    var centrals: [AdapterState] = [.poweredOn]
    var scans: [AirScan] = []
    var attempts: [UInt64: Int] = [:]
    var timers: [UInt64: Int] = [:]
    var linkSerial: UInt64 = 0
    var spareEffects = PeripheralEffects()
    private var outputs = FIFO<AirOutput>()

    /// An air without devices and with one central, number 0.
    public init(seed: UInt64, startingAt start: WallClock, faults: FaultPlan = .none) {
        self.start = start
        random = SplitMix(seed: seed)
        self.faults = FaultInjector(faults)
        for (rule, moment) in self.faults.timed {
            let source = makeSource(.fault(rule))
            events.schedule(source, at: moment)
        }
    }

    /// What a clock on the wall shows.
    public func wallClock() -> WallClock {
        let seconds = Int(clamping: now.microseconds / 1_000_000)
        return WallClock(
            local: start.local.advanced(bySeconds: seconds), secondsFromUTC: start.secondsFromUTC)
    }

    /// Moves the clock on the wall to another time zone; time itself goes on as before.
    public func setZone(secondsFromUTC: Int) {
        start = WallClock(
            local: start.utc.advanced(bySeconds: secondsFromUTC), secondsFromUTC: secondsFromUTC)
    }

    /// The faults that have happened.
    public var faultLog: FaultLog { faults.log }

    /// Remembers the last so many things that happen on links, for diagnostics; 0 for none.
    public func keepTrace(_ limit: Int) {
        trace = AirTrace(limit: limit)
    }

    /// When the next event is due; nothing if nothing will ever happen by itself.
    public var nextEventTime: Moment? { events.next }

    /// Lets time pass until the next event, and the event happen. Says whether there was one.
    @discardableResult
    public func runNextEvent() -> Bool {
        guard let (source, moment) = events.popFirst() else { return false }
        now = max(now, moment)
        switch purposes[source] {
        case .nothing: break
        case .wake(let number): tell(slots[number], .woken)
        case .advertise(let number): advertise(slots[number])
        case .meet(let number): meet(slots[number])
        case .answerDeadline(let number): end(slots[number], .noResponse)
        case .supervision(let number): end(slots[number], .outOfReach)
        case .update(let number): updateParameters(slots[number])
        case .late(let number): slots[number].link.map(tellLate)
        case .timer(let tag):
            timers[tag] = nil
            release(source)
            emit(.timer(tag: tag))
        case .fault(let rule):
            release(source)
            happen(rule)
        case .release(let number):
            release(source)
            vacate(number)
        }
        return true
    }

    /// Lets time pass until a moment, with all that happens until then and at it.
    public func advance(to moment: Moment) {
        while let next = events.next, next <= moment { runNextEvent() }
        now = max(now, moment)
    }

    /// Takes the next thing that the air has to tell.
    public func nextOutput() -> AirOutput? { outputs.popFirst() }

    /// Tells the tag when a moment has come: at once, if it has passed, and never in the distant
    /// future. A tag that is in use is moved.
    public func schedule(at moment: Moment, tag: UInt64) {
        let source = timers[tag] ?? makeSource(.timer(tag))
        timers[tag] = source
        guard moment != .distantFuture else { return events.cancel(source) }
        events.schedule(source, at: max(moment, now))
    }

    /// Forgets a timer.
    public func cancelTimer(tag: UInt64) {
        if let source = timers.removeValue(forKey: tag) { release(source) }
    }

    /// Puts down something to be told.
    func emit(_ output: AirOutput) {
        if outputs.count >= AirLimits.outputs {
            switch output {
            case .heard, .event(_, .value):
                losses.outputs += 1
                return
            case .connected, .services, .value, .done, .rssi, .failed, .event, .timer: break
            }
        }
        outputs.append(output)
    }

    func makeSource(_ purpose: Purpose) -> Int {
        let source = events.makeSource()
        assign(source, purpose)
        return source
    }

    func assign(_ source: Int, _ purpose: Purpose) {
        while purposes.count <= source { purposes.append(.nothing) }
        purposes[source] = purpose
    }

    func release(_ source: Int) {
        purposes[source] = .nothing
        events.release(source)
    }

    func slot(_ device: DeviceNumber) -> AirSlot? {
        slots.indices.contains(device.rawValue) ? slots[device.rawValue] : nil
    }

    /// The open link of a number.
    func openLink(_ number: LinkNumber) -> (slot: AirSlot, link: AirLink)? {
        guard let slot = slot(number.device), let link = slot.link, link.number == number,
            link.phase == .open
        else { return nil }
        return (slot, link)
    }
}
