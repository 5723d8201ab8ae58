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
    var timers: [UInt64: Int] = [:]
    var linkSerial: UInt64 = 0
    @exclusivity(unchecked) var spareEffects = PeripheralEffects()
    @exclusivity(unchecked) private var outputs = Queue<AirOutput>()

    /// Creates an air without devices, and with one central, number 0.
    package init(seed: UInt64, startingAt start: WallClock, faults: FaultPlan = .none) {
        self.start = start
        random = SplitMix(seed: seed)
        self.faults = FaultInjector(faults)
        for rule in faults.rules {
            guard case .moment(let moment) = rule.trigger.occasion else { continue }
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
        slot.device?.handle(event, at: now, into: &effects)
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

    // MARK: - Advertising

    package func addCentral() -> CentralNumber {
        centrals.append(.poweredOn)
        return CentralNumber(centrals.count - 1)
    }

    package func adapterState(of central: CentralNumber) -> AdapterState {
        centrals.indices.contains(central.rawValue) ? centrals[central.rawValue] : .unsupported
    }

    /// Sets the state of a central's adapter. In any state but on, its links end, and its scans and
    /// attempts fail.
    package func setAdapterState(_ state: AdapterState, of central: CentralNumber) {
        guard centrals.indices.contains(central.rawValue) else { return }
        centrals[central.rawValue] = state
        guard state != .poweredOn else { return }
        for scan in scans where scan.central == central {
            emit(.failed(BLEError(state.errorKind, .scan), tag: scan.tag))
        }
        scans.removeAll { $0.central == central }
        for slot in slots {
            for attempt in slot.attempts where attempt.central == central {
                fail(attempt.tag, slot, BLEError(state.errorKind, .connect))
            }
            if slot.link?.central == central { end(slot, .adapterGone) }
            updateAdvertising(slot)
        }
    }

    package func startScan(
        central: CentralNumber, reportsDuplicates: Bool = false, tag: UInt64
    ) {
        let state = adapterState(of: central)
        guard state == .poweredOn else {
            return emit(.failed(BLEError(state.errorKind, .scan), tag: tag))
        }
        scans.append(Scan(central: central, tag: tag, reportsDuplicates: reportsDuplicates))
        if scans.count == 1 { slots.forEach(updateAdvertising) }
    }

    package func stopScan(tag: UInt64) {
        scans.removeAll { $0.tag == tag }
        if scans.isEmpty { slots.forEach(updateAdvertising) }
    }

    /// Connects at the device's next advertisement. The attempt waits for it without a timeout,
    /// until ``cancelConnect(tag:)``.
    package func connect(central: CentralNumber, to device: DeviceNumber, tag: UInt64) {
        let state = adapterState(of: central)
        guard state == .poweredOn else {
            return emit(.failed(BLEError(state.errorKind, .connect), tag: tag))
        }
        guard let slot = slot(device), !slot.isRemoved else {
            return emit(.failed(BLEError(.notFound, .connect), tag: tag))
        }
        let isHere = slot.link?.central == central
        guard !isHere, !slot.attempts.contains(where: { $0.central == central }) else {
            return emit(.failed(BLEError(.alreadyConnected, .connect), tag: tag))
        }
        slot.attempts.append(AirSlot.Attempt(central: central, tag: tag))
        updateAdvertising(slot)
    }

    /// Cancels a connection attempt, which fails as cancelled. Does nothing if it has ended.
    package func cancelConnect(tag: UInt64) {
        let slot = slots.first { $0.attempts.contains { $0.tag == tag } }
        if let slot { fail(tag, slot, BLEError(.cancelled, .connect)) }
    }

    /// Fails a connection attempt, and drops the link that it was establishing.
    func fail(_ tag: UInt64, _ slot: AirSlot, _ error: BLEError) {
        slot.attempts.removeAll { $0.tag == tag }
        if let link = slot.link, link.tag == tag, link.phase == .establishing { drop(slot, link) }
        emit(.failed(error, tag: tag))
        updateAdvertising(slot)
    }

    /// Drops a link before its first connection event.
    private func drop(_ slot: AirSlot, _ link: AirLink) {
        link.release(&events)
        slot.link = nil
    }

    /// Schedules or stops advertising: a free device in range advertises while a central scans or
    /// connects.
    func updateAdvertising(_ slot: AirSlot) {
        let isWanted = !scans.isEmpty || !slot.attempts.isEmpty
        guard let advertisement = slot.advertisement, isWanted, slot.link == nil,
            slot.isReachable
        else { return events.cancel(slot.advertising) }
        guard events.moment(of: slot.advertising) == nil else { return }
        let delay = random.below(advertisement.microseconds)
        events.schedule(slot.advertising, at: now.advanced(byMicroseconds: delay))
    }

    func advertise(_ slot: AirSlot) {
        guard let advertisement = slot.advertisement, slot.link == nil else { return }
        let delay = advertisement.microseconds + random.below(10_000)
        events.schedule(slot.advertising, at: now.advanced(byMicroseconds: delay))
        let rssi = slot.rssi
        report(slot, rssi)
        guard advertisement.isConnectable, let attempt = slot.attempts.first,
            rssi + AirPath.fading(&random) >= AirPath.sensitivity
        else { return }
        establish(slot, attempt)
    }

    private func report(_ slot: AirSlot, _ mean: Int) {
        for place in scans.indices {
            let rssi = mean + AirPath.fading(&random)
            guard rssi >= AirPath.sensitivity else { continue }
            if !scans[place].reportsDuplicates {
                guard scans[place].reported[slot.number] != slot.advertisementGeneration else {
                    continue
                }
                scans[place].reported[slot.number] = slot.advertisementGeneration
            }
            var discovery = slot.discovery
            discovery.rssi = rssi
            emit(.heard(slot.number, discovery, tag: scans[place].tag))
        }
    }

    private func establish(_ slot: AirSlot, _ attempt: AirSlot.Attempt) {
        linkSerial &+= 1
        let parameters =
            slot.options.parameters.isPossible
            ? slot.options.parameters : AirPlacement().parameters
        let delay = 2_500 + random.below(parameters.interval.wholeMicroseconds)
        let link = AirLink(
            AirLinkNumber(device: slot.number, serial: linkSerial), central: attempt.central,
            tag: attempt.tag, anchor: now.advanced(byMicroseconds: delay),
            parameters: parameters, events: &events)
        slot.link = link
        events.cancel(slot.advertising)
        events.schedule(link.connectionEvent, at: link.anchor)
    }

    /// Runs the first connection event of a new link.
    func open(_ slot: AirSlot, _ link: AirLink) {
        guard slot.isReachable else {
            drop(slot, link)
            return updateAdvertising(slot)
        }
        let fault =
            faults.isIdle
            ? nil : faults.evaluate(.connection, of: slot.number, nil, [], at: now)
        if fault == .failedConnection {
            let reason = DisconnectReason(.outOfReach)
            return fail(
                link.tag, slot, BLEError(.disconnected, .connect, disconnectReason: reason))
        }
        slot.attempts.removeAll { $0.tag == link.tag }
        link.phase = .open
        note(slot, "connected")
        emit(.connected(link.number, tag: link.tag))
        deliver(slot, .connected)
        let mtu = min(slot.options.mtu, AirLimits.valueLength + 5)
        if mtu > AirLimits.defaultMTU, fault != .shortPackets, slot.link === link {
            enqueue(slot, link, toCentral: .mtuRequest(mtu))
        }
    }

    // MARK: - Operations

    /// Queues an operation of a link. Later discoveries on the same link are answered from its
    /// cache until the services change.
    func ask(_ kind: AirOperation.Kind, on number: AirLinkNumber, tag: UInt64) {
        let operation = AirOperation(kind: kind, tag: tag)
        guard let (slot, link) = openLink(number), !link.isClosing else {
            return emit(.failed(ended(number, operation.name), tag: tag))
        }
        guard link.operations.count < AirLimits.operations else {
            return emit(.failed(BLEError(.overloaded, operation.name), tag: tag))
        }
        link.operations.append(operation)
        if link.operations.count == 1 { startOperations(slot, link) }
    }

    /// Reads the signal strength in dBm. The radio knows it without a packet to the device.
    package func readRSSI(on link: AirLinkNumber, tag: UInt64) {
        guard let (slot, _) = openLink(link) else {
            return emit(.failed(ended(link, .readRSSI), tag: tag))
        }
        let mean = slot.rssi
        emit(.rssi(mean + AirPath.fading(&random), tag: tag))
    }

    /// The maximum length of one write in bytes. For a link that has ended, the minimum of every
    /// link.
    package func maximumWriteLength(_ mode: WriteMode, on link: AirLinkNumber) -> Int {
        switch mode {
        case .withResponse: AirLimits.valueLength
        case .withoutResponse:
            openLink(link)?.link.maximumLength ?? AirLimits.defaultMTU - 3
        }
    }

    /// Closes a link: queued writes are still sent, new requests fail.
    package func disconnect(_ number: AirLinkNumber) {
        guard let (slot, link) = openLink(number), !link.isClosing else { return }
        link.isClosing = true
        guard slot.isReachable else { return end(slot, .local) }
        // A stalled link must not keep its central waiting.
        link.quietUntil = min(link.quietUntil, now)
        link.toDevice.heldUntil = min(link.toDevice.heldUntil, now)
        enqueue(slot, link, toDevice: .terminate)
    }

    private func ended(_ number: AirLinkNumber, _ operation: BLEError.Operation) -> BLEError {
        var error = BLEError(.disconnected, operation)
        if let slot = slot(number.device) {
            if let last = slot.lastLink, last.number == number {
                error.disconnectReason = last.reason
            }
            if slot.link?.number == number { error.disconnectReason = DisconnectReason(.local) }
        }
        return error
    }

    /// `true` while the device owes the answer to the first operation.
    private func isAsking(_ link: AirLink) -> Bool { events.moment(of: link.answerDeadline) != nil }

    func startOperations(_ slot: AirSlot, _ link: AirLink) {
        while slot.link === link, !isAsking(link), let operation = link.operations.first {
            if let error = objection(to: operation, slot, link) {
                finish(link, .failed(error, tag: operation.tag))
                continue
            }
            switch operation.kind {
            case .discover:
                if link.isDiscovered {
                    finish(link, .services(slot.services, tag: operation.tag))
                } else {
                    link.roundTrips = slot.discoveryRoundTrips
                    request(slot, link, .housekeeping)
                }
            case .read(let attribute):
                link.partial = []
                request(slot, link, .read(attribute, offset: 0))
            case .write(let attribute, let value):
                if value.count <= link.maximumLength {
                    request(slot, link, .write(attribute, value))
                } else {
                    let part = link.mtu - 5
                    link.roundTrips = (value.count + part - 1) / part
                    request(slot, link, .housekeeping)
                }
            case .command(let attribute, let value):
                guard link.commandCount < AirLimits.commandsInController else { return }
                link.commandCount += 1
                enqueue(slot, link, toDevice: .command(attribute, value))
                finish(link, .done(tag: operation.tag))
            case .subscribe(let attribute, let isOn):
                request(slot, link, .subscribe(attribute, isOn: isOn))
            }
        }
    }

    /// The error of an operation that cannot succeed, found before a packet is sent; `nil` if it
    /// may succeed.
    private func objection(
        to operation: AirOperation, _ slot: AirSlot, _ link: AirLink
    ) -> BLEError? {
        guard let (id, needed, length) = operation.needs else { return nil }
        guard let attribute = slot.attributes[id] else {
            return BLEError(.noSuchAttribute, operation.name)
        }
        // A descriptor can be read, and written with a response.
        let properties = attribute.properties ?? [.read, .write]
        guard !properties.isDisjoint(with: needed) else {
            return BLEError(.notPermitted, operation.name, uuid: attribute.uuid)
        }
        let limit =
            needed == .writeWithoutResponse ? link.maximumLength : AirLimits.valueLength
        return length > limit
            ? BLEError(.tooLong, operation.name, uuid: attribute.uuid) : nil
    }

    private func request(_ slot: AirSlot, _ link: AirLink, _ packet: AirPacketToDevice) {
        let deadline = now.advanced(byMicroseconds: AirLimits.answerMicroseconds)
        events.schedule(link.answerDeadline, at: deadline)
        enqueue(slot, link, toDevice: packet)
    }

    private func finish(_ link: AirLink, _ output: AirOutput) {
        _ = link.operations.popFirst()
        emit(output)
    }

    func answered(_ slot: AirSlot, _ link: AirLink, _ answer: AirPacketToCentral) {
        guard isAsking(link), let operation = link.operations.first else { return }
        events.cancel(link.answerDeadline)
        if case .refusal(let error) = answer, !isEndOfRead(error, operation, link) {
            finish(link, .failed(refused(operation, error, slot), tag: operation.tag))
            return startOperations(slot, link)
        }
        switch operation.kind {
        case .discover:
            link.roundTrips -= 1
            if link.roundTrips > 0 { return request(slot, link, .housekeeping) }
            link.isDiscovered = true
            finish(link, .services(slot.services, tag: operation.tag))
        case .read(let attribute):
            if case .value(let bytes) = answer {
                link.partial += bytes
                let isWhole = link.partial.count >= AirLimits.valueLength
                if bytes.count >= link.partLimit, !isWhole {
                    let offset = link.partial.count
                    return request(slot, link, .read(attribute, offset: offset))
                }
            }
            let value = Array(link.partial.prefix(AirLimits.valueLength))
            link.partial = []
            finish(link, .value(value, tag: operation.tag))
        case .write(let attribute, let value):
            if link.roundTrips > 0 {
                link.roundTrips -= 1
                let next: AirPacketToDevice =
                    link.roundTrips > 0 ? .housekeeping : .write(attribute, value)
                return request(slot, link, next)
            }
            finish(link, .done(tag: operation.tag))
        case .command: break
        case .subscribe: finish(link, .done(tag: operation.tag))
        }
        startOperations(slot, link)
    }

    /// `true` if the error only marks the end of a long value.
    private func isEndOfRead(
        _ error: ATTError, _ operation: AirOperation, _ link: AirLink
    ) -> Bool {
        guard case .read = operation.kind, !link.partial.isEmpty else { return false }
        // Attribute not long: the value fitted in one packet, and there is no further part.
        let isNotLong = error == ATTError(code: 11)
        return isNotLong || error == .invalidOffset
    }

    private func refused(
        _ operation: AirOperation, _ error: ATTError, _ slot: AirSlot
    ) -> BLEError {
        let uuid = operation.needs.flatMap { slot.attributes[$0.attribute]?.uuid }
        return BLEError(.refused, operation.name, uuid: uuid, attError: error)
    }

    // MARK: - Exchange

    /// Queues a packet for the central; drops a notification if the queue is full.
    func enqueue(_ slot: AirSlot, _ link: AirLink, toCentral packet: AirPacketToCentral) {
        if packet.subject != nil, link.toCentral.count >= AirLimits.packetsToCentral {
            losses.packets += 1
            return
        }
        link.toCentral.append(packet, at: now)
        if link.toCentral.count == 1 { scheduleConnectionEvent(slot, link) }
    }

    func enqueue(_ slot: AirSlot, _ link: AirLink, toDevice packet: AirPacketToDevice) {
        link.toDevice.append(packet, at: now)
        if link.toDevice.count == 1 || link.isClosing { scheduleConnectionEvent(slot, link) }
    }

    func scheduleConnectionEvent(_ slot: AirSlot, _ link: AirLink) {
        guard link.phase == .open, !link.isInConnectionEvent else { return }
        guard slot.isReachable, let next = link.nextConnectionEvent(after: now) else {
            return events.cancel(link.connectionEvent)
        }
        events.schedule(link.connectionEvent, at: next)
    }

    /// Runs a connection event, or exchanges further packets in the same one.
    func runConnectionEvent(_ slot: AirSlot) {
        guard let link = slot.link else { return }
        if link.phase == .establishing { return open(slot, link) }
        if !link.isInConnectionEvent, !beginConnectionEvent(slot, link) {
            return scheduleConnectionEvent(slot, link)
        }
        link.packetsLeft -= 1
        if let (packet, fault) = nextPacket(of: &link.toDevice, slot, link) {
            deliver(packet, slot, link, fault)
        }
        guard slot.link === link else { return }
        if let (packet, fault) = nextPacket(of: &link.toCentral, slot, link) {
            deliver(packet, slot, link, fault)
        }
        guard slot.link === link else { return }
        let next = now.advanced(byMicroseconds: 300 + random.below(1_000))
        let end = link.moment(ofConnectionEvent: link.lastAttended + 1)
        if link.packetsLeft > 0, next < end, hasMore(link) {
            events.schedule(link.connectionEvent, at: next)
        } else {
            link.isInConnectionEvent = false
            scheduleConnectionEvent(slot, link)
        }
    }

    private func hasMore(_ link: AirLink) -> Bool {
        now >= link.quietUntil
            && (link.toDevice.travels(at: now, since: link.connectionEventStart)
                || link.toCentral.travels(at: now, since: link.connectionEventStart))
    }

    /// Removes and returns the next packet of a lane with its fault, if any; `nil` if none travels
    /// now, because of a fault or otherwise.
    private func nextPacket<Packet: AirPacket>(
        of lane: inout AirLane<Packet>, _ slot: AirSlot, _ link: AirLink
    ) -> (Packet, LinkFault?)? {
        guard lane.travels(at: now, since: link.connectionEventStart) else { return nil }
        var fault: LinkFault?
        if !faults.isIdle, let (subject, id, bytes) = lane.undecided?.subject {
            let uuid = slot.attributes[id]?.uuid
            fault = faults.evaluate(subject, of: slot.number, uuid, bytes, at: now)
            if let fault {
                note(slot, "\(subject): \(fault)")
                if let pause = holds(slot, link, fault) {
                    lane.decide()
                    if fault.isDelay { lane.heldUntil = pause }
                    return nil
                }
            }
        }
        guard slot.link === link, let packet = lane.popFirst() else { return nil }
        return (packet, fault)
    }

    /// Begins a connection event, unless the signal is too weak.
    private func beginConnectionEvent(_ slot: AirSlot, _ link: AirLink) -> Bool {
        let rssi = slot.rssi
        if rssi < AirPath.sensitivity + 6,
            rssi + AirPath.fading(&random) < AirPath.sensitivity
        {
            return false
        }
        link.isInConnectionEvent = true
        link.connectionEventStart = now
        link.packetsLeft = 2 + Int(random.below(5))
        link.lastAttended = max(link.connectionEventNumber(after: now) - 1, 0)
        events.cancel(link.supervision)
        return true
    }

    // MARK: To the device

    private func deliver(
        _ packet: AirPacketToDevice, _ slot: AirSlot, _ link: AirLink, _ fault: LinkFault?
    ) {
        switch packet {
        case .housekeeping: enqueue(slot, link, toCentral: .housekeeping)
        case .read(let id, let offset):
            if !isRejected(fault, slot, link) { serveRead(id, offset, slot, link) }
        case .write(let id, let value):
            if !isRejected(fault, slot, link) {
                serveWrite(id, value, slot, link, fault, wantsAnswer: true)
            }
        case .command(let id, let value):
            link.commandCount -= 1
            if fault?.isRejection != true {
                serveWrite(id, value, slot, link, fault, wantsAnswer: false)
            }
            if slot.link === link { startOperations(slot, link) }
        case .subscribe(let id, let isOn):
            if !isRejected(fault, slot, link) { serve(id, isOn: isOn, slot, link, fault) }
        case .confirmation(let id):
            link.isIndicating = false
            deliver(slot, .confirmed(id))
            sendIndication(slot, link)
        case .mtuAnswer(let mtu): deliver(slot, .maximumLength(mtu - 3))
        case .terminate: end(slot, .local)
        }
    }

    /// `true` if a fault refuses the request or leaves it unanswered: the device never receives it.
    private func isRejected(_ fault: LinkFault?, _ slot: AirSlot, _ link: AirLink) -> Bool {
        if case .refusal(let error) = fault {
            enqueue(slot, link, toCentral: .refusal(error))
        }
        return fault?.isRejection ?? false
    }

    private func serveRead(_ id: AttributeID, _ offset: Int, _ slot: AirSlot, _ link: AirLink) {
        if let error = refusal(
            slot.attributes[id], needs: .read, ofDescriptor: .read, encryptedBy: .readEncrypted)
        {
            return enqueue(slot, link, toCentral: .refusal(error))
        }
        link.token &+= 1
        link.openRequest = (link.token, true)
        note(slot, "read \(id.rawValue) from \(offset)")
        deliver(slot, .read(id, offset: offset, token: ResponseToken(link.token)))
    }

    private func refusal(
        _ attribute: AirSlot.Attribute?, needs: GATTProperties,
        ofDescriptor known: GATTProperties = [], encryptedBy permission: GATTPermissions
    ) -> ATTError? {
        guard let attribute else { return .invalidHandle }
        guard !(attribute.properties ?? known).isDisjoint(with: needs) else {
            return needs == .read ? .readNotPermitted : .writeNotPermitted
        }
        return attribute.permissions.contains(permission) ? .insufficientEncryption : nil
    }

    private func serveWrite(
        _ id: AttributeID, _ value: [UInt8], _ slot: AirSlot, _ link: AirLink, _ fault: LinkFault?,
        wantsAnswer: Bool
    ) {
        if let error = refusal(
            slot.attributes[id], needs: [.write, .writeWithoutResponse], ofDescriptor: .write,
            encryptedBy: .writeEncrypted)
        {
            if wantsAnswer { enqueue(slot, link, toCentral: .refusal(error)) }
            return
        }
        if fault == .loss || fault == .refusedCommand {
            if wantsAnswer { enqueue(slot, link, toCentral: .done) }
            if fault == .refusedCommand { refuseCommand(value, slot, link) }
            return
        }
        var token: ResponseToken?
        if wantsAnswer {
            link.token &+= 1
            link.openRequest = (link.token, false)
            token = ResponseToken(link.token)
        }
        let value = fault?.changed(value) ?? value
        note(slot, "write \(id.rawValue): ", value)
        deliver(slot, .write(id, value, token: token))
        if fault == .duplication, slot.link === link {
            deliver(slot, .write(id, value, token: nil))
        }
    }

    private func serve(
        _ id: AttributeID, isOn: Bool, _ slot: AirSlot, _ link: AirLink, _ fault: LinkFault?
    ) {
        if let error = refusal(
            slot.attributes[id], needs: [.notify, .indicate], encryptedBy: .subscribeEncrypted)
        {
            return enqueue(slot, link, toCentral: .refusal(error))
        }
        enqueue(slot, link, toCentral: .done)
        let isNew = link.subscriptions.contains(id) != isOn
        guard isNew, fault != .loss else { return }
        if isOn { link.subscriptions.insert(id) } else { link.subscriptions.remove(id) }
        note(slot, "subscription \(id.rawValue) \(isOn ? "on" : "off")")
        deliver(slot, .subscription(id, isOn: isOn))
    }

    /// Sends a device's answer to the open request. An answer to no open request, or of the wrong
    /// kind, is counted as stray.
    func answer(
        _ slot: AirSlot, _ token: ResponseToken, isRead: Bool?, _ answer: AirPacketToCentral
    ) {
        guard let link = slot.link, let open = link.openRequest, open.token == token.rawValue
        else {
            losses.strayReplies += 1
            return
        }
        link.openRequest = nil
        if let isRead, isRead != open.isRead {
            losses.strayReplies += 1
            return enqueue(slot, link, toCentral: .refusal(.unlikely))
        }
        if case .value(let value) = answer {
            link.partLimit = link.mtu - 1
            enqueue(slot, link, toCentral: .value(Array(value.prefix(link.partLimit))))
        } else {
            enqueue(slot, link, toCentral: answer)
        }
    }

    func send(_ slot: AirSlot, _ id: AttributeID, _ value: [UInt8], isConfirmed: Bool) {
        guard let link = slot.link, link.phase == .open, link.subscriptions.contains(id) else {
            losses.unsubscribed += 1
            return
        }
        var value = value
        if value.count > link.maximumLength {
            value.removeLast(value.count - link.maximumLength)
            losses.truncatedValues += 1
        }
        guard isConfirmed else {
            return enqueue(slot, link, toCentral: .notification(id, value))
        }
        guard link.indications.count < AirLimits.packetsToCentral else {
            losses.packets += 1
            return
        }
        link.indications.append((id, value))
        sendIndication(slot, link)
    }

    func sendIndication(_ slot: AirSlot, _ link: AirLink) {
        guard slot.link === link, !link.isIndicating, let (id, value) = link.indications.popFirst()
        else { return }
        link.isIndicating = true
        // At most one indication is queued, so the packet limit for notifications does not apply.
        link.toCentral.append(.indication(id, value), at: now)
        scheduleConnectionEvent(slot, link)
    }

    private func deliver(
        _ packet: AirPacketToCentral, _ slot: AirSlot, _ link: AirLink, _ fault: LinkFault?
    ) {
        switch packet {
        case .housekeeping, .value, .done, .refusal: answered(slot, link, packet)
        case .notification(let id, let value):
            if fault == .reordering, link.postponed == nil { return postpone(id, value, link) }
            deliverValue(link, id, value, fault)
            deliverPostponed(link)
        case .indication(let id, let value):
            deliverValue(link, id, value, fault)
            deliverPostponed(link)
            enqueue(slot, link, toDevice: .confirmation(id))
        case .mtuRequest(let mtu):
            link.mtu = min(mtu, AirLimits.centralMTU)
            enqueue(slot, link, toDevice: .mtuAnswer(link.mtu))
            emit(.event(link.number, .maximumLengthChanged))
        case .servicesChanged:
            link.isDiscovered = false
            emit(.event(link.number, .servicesChanged))
        case .terminate: end(slot, .remote)
        }
    }

    private func deliverValue(
        _ link: AirLink, _ id: AttributeID, _ value: [UInt8], _ fault: LinkFault?
    ) {
        guard fault != .loss else { return }
        let value = fault?.changed(value) ?? value
        if trace.limit > 0, let slot = slot(link.number.device) {
            note(slot, "value \(id.rawValue): ", value)
        }
        emit(.event(link.number, .value(id, value)))
        if fault == .duplication { emit(.event(link.number, .value(id, value))) }
    }

    /// Keeps a notification until the next one has passed it, or for half a second.
    private func postpone(_ id: AttributeID, _ value: [UInt8], _ link: AirLink) {
        link.postponed = (id, value)
        events.schedule(link.postponement, at: now.advanced(byMicroseconds: 500_000))
    }

    func deliverPostponed(_ link: AirLink) {
        guard let (id, value) = link.postponed else { return }
        link.postponed = nil
        events.cancel(link.postponement)
        deliverValue(link, id, value, nil)
    }

    /// Ends a link: pending operations fail in order, then the end is reported.
    func end(_ slot: AirSlot, _ kind: DisconnectReason.Kind) {
        guard let link = slot.link else { return }
        if link.phase == .establishing {
            return fail(link.tag, slot, BLEError(.cancelled, .connect))
        }
        // The reason is that of the disconnecting central, even if the device was gone before.
        let reason = DisconnectReason(link.isClosing ? .local : kind)
        slot.link = nil
        slot.lastLink = (link.number, reason)
        link.release(&events)
        while let operation = link.operations.popFirst() {
            let error = BLEError(.disconnected, operation.name, disconnectReason: reason)
            emit(.failed(error, tag: operation.tag))
        }
        note(slot, "\(reason)")
        emit(.event(link.number, .disconnected(reason)))
        deliver(slot, .disconnected)
        if slot.isRemoved {
            let source = events.makeSource(.release(slot.number.rawValue))
            events.schedule(source, at: now)
        } else {
            updateAdvertising(slot)
        }
    }

    /// Applies a fault triggered by a moment to each open link that its rule matches.
    func happen(_ rule: FaultRule) {
        for slot in slots where rule.device == nil || rule.device == slot.number {
            guard let link = slot.link, link.phase == .open, rule.fault.isOfLinks,
                let fault = faults.evaluate(rule, of: slot.number, at: now)
            else { continue }
            note(slot, "\(fault)")
            _ = holds(slot, link, fault)
            if slot.link === link { scheduleConnectionEvent(slot, link) }
        }
    }

    /// The end of the delay that a fault causes for a packet, or `nil` if there is none.
    func holds(_ slot: AirSlot, _ link: AirLink, _ fault: LinkFault) -> Moment? {
        if case .delay(let duration) = fault { return now + duration }
        if case .stall(let duration) = fault {
            link.quietUntil = max(link.quietUntil, now + duration)
            link.isInConnectionEvent = false
            superviseStall(link)
            return link.quietUntil
        }
        guard fault == .disconnection else { return nil }
        end(slot, .outOfReach)
        return now
    }

    /// Schedules the end of a link whose stall is longer than its supervision timeout.
    func superviseStall(_ link: AirLink) {
        guard link.phase == .open, events.moment(of: link.supervision) == nil else { return }
        let end = now.advanced(byMicroseconds: link.supervisionTimeout)
        if link.quietUntil > end { events.schedule(link.supervision, at: end) }
    }

    func refuseCommand(_ value: [UInt8], _ slot: AirSlot, _ link: AirLink) {
        guard let frame = try? Frame(decoding: value) else { return }
        let answer = link.subscriptions.first {
            slot.attributes[$0]?.uuid == RingServices.uartNotify
        }
        if let answer {
            send(slot, answer, Array(Refusal(of: frame.opcode).frame.bytes), isConfirmed: false)
        }
    }

    func note(_ slot: AirSlot, _ text: @autoclosure () -> String, _ bytes: [UInt8] = []) {
        guard trace.limit > 0 else { return }
        trace.append(now, slot.number, text() + HexText.bytes(bytes, separator: " "))
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

extension AdapterState {
    var errorKind: BLEError.Kind {
        switch self {
        case .unsupported: .noBluetooth
        case .unauthorized: .unauthorized
        case .poweredOff, .unknown, .poweredOn: .bluetoothOff
        }
    }
}

extension PeripheralAdvertisement {
    /// The advertising interval, limited to what Bluetooth allows: 20 ms to 10.24 s.
    var microseconds: Int64 { min(max(interval.wholeMicroseconds, 20_000), 10_240_000) }
}

extension AirSlot {
    /// Sets the advertisement, and prepares the discovery that scans report.
    func advertise(_ advertisement: PeripheralAdvertisement?) {
        self.advertisement = advertisement
        advertisementGeneration += 1
        guard let advertisement else { return }
        let heard = AdvertisedDevice(
            advertisement.data, scanResponse: advertisement.scanResponse)
        let structures =
            advertisement.data.structures + (advertisement.scanResponse?.structures ?? [])
        discovery = Discovery(
            number.identity, name: heard.name?.text, services: heard.services,
            manufacturerData: structures.compactMap(ManufacturerData.init),
            isConnectable: advertisement.isConnectable, advertisement: advertisement.data)
    }
}

extension ManufacturerData {
    fileprivate init?(_ structure: AdvertisingStructure) {
        guard case .manufacturerData(let company, let bytes) = structure.content else {
            return nil
        }
        self.init(company: company, bytes: bytes)
    }
}

extension AirSlot {
    /// The number of requests for discovery: lists of services, characteristics and descriptors.
    /// About three entries fit in a reply, and a refusal ends each list.
    var discoveryRoundTrips: Int {
        services.reduce(2 + services.count / 3) { trips, service in
            trips + 2 + service.characteristics.count / 3 + service.characteristics.count
        }
    }
}
