internal import HaloProtocol
internal import HaloTransport

extension Air {
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
