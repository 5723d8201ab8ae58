package import HaloProtocol
package import HaloTransport

/// The radio environment in which virtual devices and centrals meet: no clock, no task, no lock.
///
/// Time is virtual and passes only in ``runNextEvent()`` and ``advance(to:)``. A central's request
/// carries a tag chosen by the caller; its result is an ``AirOutput`` with that tag, in the order
/// of events. The same seed, devices and calls give the same outputs, to the byte.
///
/// The rules of the radio:
/// - A device advertises at its interval plus up to 10 ms, while no central is connected. A central
///   connects at an advertisement that it receives; one central at a time.
/// - A link has a connection event per interval (48 ms at first). A device without data skips as
///   many events as its peripheral latency allows; until then, packets to it wait. A packet queued
///   at the time of an event or later travels in the next one. An event carries two to six packets
///   each way, 0.3 to 1.3 ms apart. At the edge of the range events are missed.
/// - Requests of a link run one after another. A long value is read in parts; a long write is
///   prepared in parts and reaches the device as one. Writes without response fill the controller's
///   buffer of ``AirLimits/commandsInController`` and then wait.
/// - A link ends if a request is not answered within thirty seconds, or if the device is out of
///   range for the supervision timeout.
/// - Links are not encrypted: attributes that demand it refuse with `insufficientEncryption`.
package final class Air {
    enum Purpose {
        case wake(Int)
        case advertise(Int)
        case connectionEvent(Int)
        case answerDeadline(Int)
        case supervision(Int)
        case update(Int)
        case postponed(Int)
        case timer(UInt64)
        indirect case fault(FaultRule)
        case release(Int)
    }

    struct Scan {
        let central: CentralNumber
        let tag: UInt64
        let reportsDuplicates: Bool
        /// The reported generation of each device's advertisement.
        var reported: [DeviceNumber: Int] = [:]
    }

    @exclusivity(unchecked) package internal(set) var now = Moment.origin
    package internal(set) var losses = AirLosses()
    @exclusivity(unchecked) package internal(set) var trace = AirTrace(limit: 0)

    private(set) var start: WallClock
    @exclusivity(unchecked) var random: SplitMix
    @exclusivity(unchecked) var faults: FaultInjector
    @exclusivity(unchecked) var events = EventQueue()
    @exclusivity(unchecked) var slots: [AirSlot] = []
    var centrals: [AdapterState] = [.poweredOn]
    var scans: [Scan] = []
    var attempts: [UInt64: Int] = [:]
    var timers: [UInt64: Int] = [:]
    var linkSerial: UInt64 = 0
    @exclusivity(unchecked) var spareEffects = PeripheralEffects()
    @exclusivity(unchecked) private var outputs = Queue<AirOutput>()

    /// Creates an air without devices, and with one central, number 0.
    package init(seed: UInt64, startingAt start: WallClock, faults: FaultPlan = .none) {
        self.start = start
        random = SplitMix(seed: seed)
        self.faults = FaultInjector(faults)
        for (rule, moment) in self.faults.timed {
            let source = events.makeSource(.fault(rule))
            events.schedule(source, at: moment)
        }
    }

    package func wallClock() -> WallClock {
        let seconds = Int(clamping: now.microseconds / 1_000_000)
        return WallClock(
            local: start.local.advanced(bySeconds: seconds), secondsFromUTC: start.secondsFromUTC)
    }

    /// Moves the wall clock to another time zone; the time of events does not change.
    package func setZone(secondsFromUTC: Int) {
        start = WallClock(
            local: start.utc.advanced(bySeconds: secondsFromUTC), secondsFromUTC: secondsFromUTC)
    }

    package var faultLog: FaultLog { faults.log }

    /// Keeps a trace of the latest `limit` events on links, for diagnostics; 0 keeps none.
    package func keepTrace(_ limit: Int) {
        trace = AirTrace(limit: limit)
    }

    package var nextEventTime: Moment? { events.next }

    /// Advances time to the next event and runs it. Returns `false` if there was none.
    @discardableResult
    package func runNextEvent() -> Bool {
        guard let (source, purpose, moment) = events.popFirst() else { return false }
        now = max(now, moment)
        switch purpose {
        case .wake(let number): deliver(slots[number], .woken)
        case .advertise(let number): advertise(slots[number])
        case .connectionEvent(let number): runConnectionEvent(slots[number])
        case .answerDeadline(let number): end(slots[number], .noResponse)
        case .supervision(let number): end(slots[number], .outOfReach)
        case .update(let number): updateParameters(slots[number])
        case .postponed(let number): slots[number].link.map(deliverPostponed)
        case .timer(let tag):
            timers[tag] = nil
            events.release(source)
            emit(.timer(tag: tag))
        case .fault(let rule):
            events.release(source)
            happen(rule)
        case .release(let number):
            events.release(source)
            slots[number].vacate()
        }
        return true
    }

    /// Advances time to a moment, and runs every event up to and including it.
    package func advance(to moment: Moment) {
        while let next = events.next, next <= moment { runNextEvent() }
        now = max(now, moment)
    }

    package func nextOutput() -> AirOutput? { outputs.popFirst() }

    /// Schedules a timer under a tag: a past moment fires at once, the distant future never. A tag
    /// that is in use is moved.
    package func schedule(at moment: Moment, tag: UInt64) {
        let source = timers[tag] ?? events.makeSource(.timer(tag))
        timers[tag] = source
        guard moment != .distantFuture else { return events.cancel(source) }
        events.schedule(source, at: max(moment, now))
    }

    package func cancelTimer(tag: UInt64) {
        if let source = timers.removeValue(forKey: tag) { events.release(source) }
    }

    /// Queues an output; drops values and discoveries if the queue is full.
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

    func slot(_ device: DeviceNumber) -> AirSlot? {
        slots.indices.contains(device.rawValue) ? slots[device.rawValue] : nil
    }

    func openLink(_ number: AirLinkNumber) -> (slot: AirSlot, link: AirLink)? {
        guard let slot = slot(number.device), let link = slot.link, link.number == number,
            link.phase == .open
        else { return nil }
        return (slot, link)
    }

    /// Adds a device, which starts at once.
    @discardableResult
    package func add(
        _ device: some GATTPeripheral, at placement: AirPlacement = AirPlacement()
    ) -> DeviceNumber {
        let slot = AirSlot(DeviceNumber(slots.count), placement, device, events: &events)
        slots.append(slot)
        slot.readServices()
        deliver(slot, .started(wallClock()))
        return slot.number
    }

    /// Changes a device from outside; it then receives ``PeripheralEvent/changed``. `body` must not
    /// use the air.
    ///
    /// Returns `nil` if there is no such device, or if it has another type.
    package func modify<Device: GATTPeripheral, Result>(
        _ number: DeviceNumber, as type: Device.Type, _ body: (inout Device) -> Result
    ) -> Result? {
        guard let slot = slot(number), var device = slot.device as? Device else { return nil }
        // Without a second reference, the device changes in place.
        slot.device = nil
        let result = body(&device)
        slot.device = device
        deliver(slot, .changed)
        return result
    }

    /// A copy of a device's state; `nil` if there is no such device, or if it has another type.
    package func device<Device: GATTPeripheral>(
        _ number: DeviceNumber, as type: Device.Type
    ) -> Device? {
        slot(number)?.device as? Device
    }

    /// Removes a device, as if its battery were taken out: a connected central notices after the
    /// supervision timeout.
    package func remove(_ number: DeviceNumber) {
        guard let slot = slot(number), !slot.isRemoved else { return }
        slot.isRemoved = true
        events.cancel(slot.wake)
        for attempt in slot.attempts {
            fail(attempt.tag, slot, BLEError(.notFound, .connect))
        }
        reachabilityChanged(slot)
        if slot.link == nil { slot.vacate() }
    }

    package func place(_ number: DeviceNumber, atCentimetres distance: Int) {
        guard let slot = slot(number) else { return }
        slot.options.distanceCentimetres = max(distance, 0)
        reachabilityChanged(slot)
    }

    /// Moves a device out of range of all centrals, or back to where it was.
    package func setAway(_ isAway: Bool, _ number: DeviceNumber) {
        guard let slot = slot(number), slot.isAway != isAway else { return }
        slot.isAway = isAway
        reachabilityChanged(slot)
    }

    package func isConnected(_ number: DeviceNumber) -> Bool {
        slot(number)?.link.map { $0.phase == .open } ?? false
    }

    /// Starts or stops the supervision timeout of a link after a change of range.
    func reachabilityChanged(_ slot: AirSlot) {
        if let link = slot.link {
            if slot.isReachable {
                events.cancel(link.supervision)
                superviseStall(link)
                scheduleConnectionEvent(slot, link)
            } else if link.phase == .open {
                link.isInConnectionEvent = false
                events.cancel(link.connectionEvent)
                if events.moment(of: link.supervision) == nil {
                    let end = now.advanced(byMicroseconds: link.supervisionTimeout)
                    events.schedule(link.supervision, at: end)
                }
            }
        }
        updateAdvertising(slot)
    }

    func deliver(_ slot: AirSlot, _ event: PeripheralEvent) {
        guard !slot.isRemoved || event == .disconnected else { return }
        var effects = spareEffects
        spareEffects = PeripheralEffects()
        slot.handle(event, at: now, into: &effects)
        for effect in effects.all { perform(effect, of: slot) }
        // The storage is reused, unless an unusual number of effects has enlarged it.
        guard effects.all.count <= AirLimits.packetsToCentral else { return }
        effects.removeAll()
        spareEffects = effects
    }

    private func perform(_ effect: PeripheralEffect, of slot: AirSlot) {
        switch effect {
        case .value(let value, let token):
            answer(slot, token, isRead: true, .value(value))
        case .done(let token): answer(slot, token, isRead: false, .done)
        case .refuse(let error, let token):
            answer(slot, token, isRead: nil, .refusal(error))
        case .notify(let attribute, let value):
            send(slot, attribute, value, isConfirmed: false)
        case .indicate(let attribute, let value):
            send(slot, attribute, value, isConfirmed: true)
        case .wake(let moment): wake(slot, at: moment)
        case .disconnect:
            guard let link = slot.link, link.phase == .open else { return }
            enqueue(slot, link, toCentral: .terminate)
        case .advertise(let advertisement):
            slot.advertise(advertisement)
            events.cancel(slot.advertising)
            updateAdvertising(slot)
        case .servicesChanged: servicesChanged(slot)
        case .requestParameters(let parameters): request(parameters, slot)
        }
    }

    /// Schedules the device's wake-up. A past moment becomes a microsecond from now, so that time
    /// passes.
    private func wake(_ slot: AirSlot, at moment: Moment?) {
        guard let moment, moment != .distantFuture, !slot.isRemoved else {
            return events.cancel(slot.wake)
        }
        events.schedule(slot.wake, at: max(moment, now.advanced(byMicroseconds: 1)))
    }

    private func servicesChanged(_ slot: AirSlot) {
        slot.readServices()
        guard let link = slot.link, link.phase == .open else { return }
        link.subscriptions = link.subscriptions.filter { slot.attributes[$0] != nil }
        enqueue(slot, link, toCentral: .servicesChanged)
    }

    /// Applies connection parameters that Bluetooth allows, six connection events from now; ignores
    /// others.
    private func request(_ parameters: LinkParameters, _ slot: AirSlot) {
        guard let link = slot.link, link.phase == .open, parameters.isPossible else { return }
        link.requested = parameters
        let start = now.advanced(byMicroseconds: 6 * link.interval)
        events.schedule(link.update, at: start)
    }

    func updateParameters(_ slot: AirSlot) {
        guard let link = slot.link, let parameters = link.requested else { return }
        link.requested = nil
        link.anchor = now
        link.interval = parameters.interval.wholeMicroseconds
        link.peripheralLatency = Int64(parameters.latency)
        link.supervisionTimeout = parameters.supervisionTimeout.wholeMicroseconds
        link.lastAttended = 0
        link.isInConnectionEvent = false
        scheduleConnectionEvent(slot, link)
    }
}

extension LinkParameters {
    /// `true` if Bluetooth allows the parameters: an interval of 7.5 ms to 4 s, a latency up to
    /// 499, and a timeout of 100 ms to 32 s with room for two connection events.
    var isPossible: Bool {
        let micros = interval.wholeMicroseconds
        let timeout = supervisionTimeout.wholeMicroseconds
        guard 7_500...4_000_000 ~= micros, 0...499 ~= latency, 100_000...32_000_000 ~= timeout
        else { return false }
        return timeout > 2 * micros * Int64(latency + 1)
    }
}
