internal import HaloProtocol
internal import HaloTransport

extension Air {
    /// A device answers a request.
    func answer(
        _ slot: AirSlot, _ token: ResponseToken, isRead: Bool?, _ answer: AirPacketToCentral
    ) {
        guard let link = slot.link, let open = link.openRequest, open.token == token.rawValue
        else {
            losses.strayAnswers += 1
            return
        }
        link.openRequest = nil
        if let isRead, isRead != open.isRead {
            losses.strayAnswers += 1
            return enqueue(slot, link, toCentral: .refusal(.unlikely))
        }
        if case .value(let value) = answer {
            link.partLimit = link.mtu - 1
            enqueue(slot, link, toCentral: .value(Array(value.prefix(link.partLimit))))
        } else {
            enqueue(slot, link, toCentral: answer)
        }
    }

    /// A device sends a value unasked.
    func send(_ slot: AirSlot, _ id: AttributeID, _ value: [UInt8], isConfirmed: Bool) {
        guard let link = slot.link, link.phase == .open, link.subscriptions.contains(id) else {
            losses.unheard += 1
            return
        }
        var value = value
        if value.count > link.maximumLength {
            value.removeLast(value.count - link.maximumLength)
            losses.cutValues += 1
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

    /// Sends the next indication, if the last one was confirmed.
    func sendIndication(_ slot: AirSlot, _ link: AirLink) {
        guard slot.link === link, !link.isIndicating, let (id, value) = link.indications.popFirst()
        else { return }
        link.isIndicating = true
        // There is at most one, so it has room where notifications have none.
        link.toCentral.append(AirWaiting(packet: .indication(id, value), since: now))
        scheduleMeeting(slot, link)
    }

    func carryToCentral(_ slot: AirSlot, _ link: AirLink) {
        guard now >= link.toCentralHeldUntil, let waiting = link.toCentral.first else { return }
        var fault: Fault?
        if !faults.isIdle, !waiting.isJudged, let (id, bytes) = waiting.packet.unasked {
            let uuid = slot.attributes[id]?.uuid
            fault = faults.judge(.notification, of: slot.number, uuid, bytes, at: now)
            if let fault {
                note(slot, "notification: \(fault)")
                if let pause = holds(slot, link, fault) {
                    link.toCentral.markFirstJudged()
                    if fault.isDelay { link.toCentralHeldUntil = pause }
                    return
                }
            }
        }
        guard slot.link === link, let packet = link.toCentral.popFirst()?.packet else { return }
        deliver(packet, slot, link, fault)
    }

    private func deliver(
        _ packet: AirPacketToCentral, _ slot: AirSlot, _ link: AirLink, _ fault: Fault?
    ) {
        switch packet {
        case .housekeeping, .value, .done, .refusal: answered(slot, link, packet)
        case .notification(let id, let value):
            if fault == .reordering, link.late == nil { return postpone(id, value, link) }
            tell(link, id, value, fault)
            tellLate(link)
        case .indication(let id, let value):
            tell(link, id, value, fault)
            tellLate(link)
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

    /// Tells a central's app of a value.
    private func tell(_ link: AirLink, _ id: AttributeID, _ value: [UInt8], _ fault: Fault?) {
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
        link.late = (id, value)
        events.schedule(link.lateness, at: now.advanced(byMicroseconds: 500_000))
    }

    /// Tells of a notification that was kept.
    func tellLate(_ link: AirLink) {
        guard let (id, value) = link.late else { return }
        link.late = nil
        events.cancel(link.lateness)
        tell(link, id, value, nil)
    }

    /// Ends a link: what waits fails in order, then the end is told.
    func end(_ slot: AirSlot, _ kind: DisconnectReason.Kind) {
        guard let link = slot.link else { return }
        if link.phase == .establishing {
            return fail(link.tag, slot, BLEError(.cancelled, .connect))
        }
        // Whoever is leaving need not learn that the device was gone before.
        let reason = DisconnectReason(link.isClosing ? .local : kind)
        slot.link = nil
        slot.lastLink = (link.number, reason)
        link.release(&events)
        while let operation = link.operations.popFirst() {
            let error = BLEError(.disconnected, operation.name, reason: reason)
            emit(.failed(error, tag: operation.tag))
        }
        note(slot, "\(reason)")
        emit(.event(link.number, .disconnected(reason)))
        tell(slot, .disconnected)
        if slot.isRemoved {
            let source = makeSource(.release(slot.number.rawValue))
            events.schedule(source, at: now)
        } else {
            updateAdvertising(slot)
        }
    }
}
