internal import HaloProtocol
public import HaloTransport

extension Air {
    /// Adds a device, which comes to life at once.
    @discardableResult
    public func add<Device: GATTPeripheral>(
        _ device: Device, at placement: AirPlacement = AirPlacement()
    ) -> DeviceNumber {
        let number = DeviceNumber(slots.count)
        let box = AirBox(number, placement, device, events: &events)
        assign(box.wake, .wake(number.rawValue))
        assign(box.advertising, .advertise(number.rawValue))
        slots.append(box)
        box.readServices()
        tell(box, .started(wallClock()))
        return number
    }

    /// Changes a device from outside, which then is told ``PeripheralEvent/changed``.
    ///
    /// Nothing comes back if there is no such device, or it is of another type.
    public func modify<Device: GATTPeripheral, Result>(
        _ number: DeviceNumber, as type: Device.Type, _ body: (inout Device) -> Result
    ) -> Result? {
        guard let slot = slot(number), let box = slot as? AirBox<Device> else { return nil }
        let result = body(&box.device)
        tell(box, .changed)
        return result
    }

    /// A device as it is, unless there is none, or it is of another type.
    public func device<Device: GATTPeripheral>(
        _ number: DeviceNumber, as type: Device.Type
    ) -> Device? {
        (slot(number) as? AirBox<Device>)?.device
    }

    /// Takes a device out, as if its battery were removed: who is connected to it finds out after
    /// the supervision timeout.
    public func remove(_ number: DeviceNumber) {
        guard let slot = slot(number), !slot.isRemoved else { return }
        slot.isRemoved = true
        events.cancel(slot.wake)
        for attempt in slot.attempts {
            fail(attempt.tag, slot, BLEError(.notFound, .connect))
        }
        reachabilityChanged(slot)
        if slot.link == nil { vacate(number.rawValue) }
    }

    /// Lets go of a device that was taken out.
    func vacate(_ number: Int) {
        let old = slots[number]
        guard old.isRemoved, old.link == nil else { return }
        release(old.wake)
        release(old.advertising)
        let empty = AirSlot(old.number, old.options, events: &events)
        events.release(empty.wake)
        events.release(empty.advertising)
        empty.isRemoved = true
        empty.lastLink = old.lastLink
        slots[number] = empty
    }

    /// Moves a device so far from the centrals.
    public func place(_ number: DeviceNumber, atCentimetres distance: Int) {
        guard let slot = slot(number) else { return }
        slot.options.centimetres = max(distance, 0)
        reachabilityChanged(slot)
    }

    /// Moves a device out of everybody's reach, or back to where it was.
    public func setAway(_ isAway: Bool, _ number: DeviceNumber) {
        guard let slot = slot(number), slot.isAway != isAway else { return }
        slot.isAway = isAway
        reachabilityChanged(slot)
    }

    /// Whether a central is connected to a device.
    public func isConnected(_ number: DeviceNumber) -> Bool {
        slot(number)?.link.map { $0.phase == .open } ?? false
    }

    /// Starts or stops the clock that ends a link out of range.
    func reachabilityChanged(_ slot: AirSlot) {
        if let link = slot.link {
            if slot.isReachable {
                events.cancel(link.supervision)
                superviseStall(link)
                scheduleMeeting(slot, link)
            } else if link.phase == .open {
                link.isMeeting = false
                events.cancel(link.meeting)
                if events.moment(of: link.supervision) == nil {
                    let end = now.advanced(byMicroseconds: link.supervisionTimeout)
                    events.schedule(link.supervision, at: end)
                }
            }
        }
        updateAdvertising(slot)
    }

    /// Hands an event to a device, and carries out what it does about it.
    func tell(_ slot: AirSlot, _ event: PeripheralEvent) {
        guard !slot.isRemoved || event == .disconnected else { return }
        var effects = spareEffects
        spareEffects = PeripheralEffects()
        slot.handle(event, at: now, into: &effects)
        for effect in effects.all { carryOut(effect, of: slot) }
        // The room is used again, but not that of a flood.
        guard effects.all.count <= AirLimits.packetsToCentral else { return }
        effects.removeAll()
        spareEffects = effects
    }

    private func carryOut(_ effect: PeripheralEffect, of slot: AirSlot) {
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

    /// A device that asks to be woken in the past is woken a microsecond from now, so that time
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

    /// Takes a rhythm that Bluetooth allows, six meetings from now; ignores any other.
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
        link.latency = Int64(parameters.latency)
        link.supervisionTimeout = parameters.supervisionTimeout.wholeMicroseconds
        link.lastAttended = 0
        link.isMeeting = false
        scheduleMeeting(slot, link)
    }
}

extension LinkParameters {
    /// Whether it lies in what Bluetooth allows: 7.5 ms to 4 s, up to 499 meetings missed, a
    /// timeout of 100 ms to 32 s that leaves room for two meetings.
    var isPossible: Bool {
        let micros = interval.wholeMicroseconds
        let timeout = supervisionTimeout.wholeMicroseconds
        guard 7_500...4_000_000 ~= micros, 0...499 ~= latency, 100_000...32_000_000 ~= timeout
        else { return false }
        return timeout > 2 * micros * Int64(latency + 1)
    }
}
