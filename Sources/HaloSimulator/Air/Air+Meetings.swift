internal import HaloProtocol
internal import HaloTransport

extension Air {
    /// Puts a packet in the line of a device's central; drops it if there is no room.
    func enqueue(_ slot: AirSlot, _ link: AirLink, toCentral packet: AirPacketToCentral) {
        if packet.isUnasked, link.toCentral.count >= AirLimits.packetsToCentral {
            losses.packets += 1
            return
        }
        link.toCentral.append(AirWaiting(packet: packet, since: now))
        if link.toCentral.count == 1 { scheduleMeeting(slot, link) }
    }

    /// Puts a packet in the line of a central's device.
    func enqueue(_ slot: AirSlot, _ link: AirLink, toDevice packet: AirPacketToDevice) {
        link.toDevice.append(AirWaiting(packet: packet, since: now))
        if link.toDevice.count == 1 || link.isClosing { scheduleMeeting(slot, link) }
    }

    /// Sees to it that the radios meet when there is a reason to.
    func scheduleMeeting(_ slot: AirSlot, _ link: AirLink) {
        guard link.phase == .open, !link.isMeeting else { return }
        guard slot.isReachable, let next = link.nextMeeting(after: now) else {
            return events.cancel(link.meeting)
        }
        events.schedule(link.meeting, at: next)
    }

    /// The radios meet, or exchange more packets at the same meeting.
    func meet(_ slot: AirSlot) {
        guard let link = slot.link else { return }
        if link.phase == .establishing { return open(slot, link) }
        if !link.isMeeting, !begin(slot, link) { return scheduleMeeting(slot, link) }
        link.packetsLeft -= 1
        if let first = link.toDevice.first, first.since < link.meetingStart {
            carryToDevice(slot, link)
        }
        guard slot.link === link else { return }
        if let first = link.toCentral.first, first.since < link.meetingStart {
            carryToCentral(slot, link)
        }
        guard slot.link === link else { return }
        let next = now.advanced(byMicroseconds: 300 + random.below(1_000))
        let end = link.moment(ofMeeting: link.lastAttended + 1)
        if link.packetsLeft > 0, next < end, hasMore(link) {
            events.schedule(link.meeting, at: next)
        } else {
            link.isMeeting = false
            scheduleMeeting(slot, link)
        }
    }

    private func hasMore(_ link: AirLink) -> Bool {
        guard now >= link.quietUntil else { return false }
        if let first = link.toDevice.first, first.since < link.meetingStart,
            now >= link.toDeviceHeldUntil
        {
            return true
        }
        guard let first = link.toCentral.first else { return false }
        return first.since < link.meetingStart && now >= link.toCentralHeldUntil
    }

    /// Begins a meeting, unless a radio does not hear the other.
    private func begin(_ slot: AirSlot, _ link: AirLink) -> Bool {
        let rssi = slot.rssi
        if rssi < AirPath.sensitivity + 6,
            rssi + AirPath.fading(&random) < AirPath.sensitivity
        {
            return false
        }
        link.isMeeting = true
        link.meetingStart = now
        link.packetsLeft = 2 + Int(random.below(5))
        link.lastAttended = max(link.meetingNumber(after: now) - 1, 0)
        events.cancel(link.supervision)
        return true
    }

    // MARK: to the device

    private func carryToDevice(_ slot: AirSlot, _ link: AirLink) {
        guard now >= link.toDeviceHeldUntil, let waiting = link.toDevice.first else { return }
        var fault: Fault?
        if !faults.isIdle, !waiting.isJudged, let (subject, id, bytes) = waiting.packet.subject {
            let uuid = slot.attributes[id]?.uuid
            fault = faults.judge(subject, of: slot.number, uuid, bytes, at: now)
            if let fault {
                note(slot, "\(subject): \(fault)")
                if let pause = holds(slot, link, fault) {
                    link.toDevice.markFirstJudged()
                    if fault.isDelay { link.toDeviceHeldUntil = pause }
                    return
                }
            }
        }
        guard slot.link === link, let packet = link.toDevice.popFirst()?.packet else { return }
        deliver(packet, slot, link, fault)
    }

    private func deliver(
        _ packet: AirPacketToDevice, _ slot: AirSlot, _ link: AirLink, _ fault: Fault?
    ) {
        if case .command = packet {
            link.commandCount -= 1
        }
        switch packet {
        case .housekeeping: enqueue(slot, link, toCentral: .housekeeping)
        case .read(let id, let offset):
            if !isRejected(fault, slot, link) { serveRead(id, offset, slot, link) }
        case .write(let id, let value):
            if !isRejected(fault, slot, link) {
                serveWrite(id, value, slot, link, fault, wantsAnswer: true)
            }
        case .command(let id, let value):
            if fault?.isRejection != true {
                serveWrite(id, value, slot, link, fault, wantsAnswer: false)
            }
            if slot.link === link { goOn(slot, link) }
        case .subscribe(let id, let isOn):
            if !isRejected(fault, slot, link) { serve(id, isOn: isOn, slot, link, fault) }
        case .confirmation(let id):
            link.isIndicating = false
            tell(slot, .confirmed(id))
            sendIndication(slot, link)
        case .mtuAnswer(let mtu): tell(slot, .maximumLength(mtu - 3))
        case .terminate: end(slot, .local)
        }
    }

    /// Whether the device never hears of a request because of a fault.
    private func isRejected(_ fault: Fault?, _ slot: AirSlot, _ link: AirLink) -> Bool {
        if case .refusal(let error) = fault {
            enqueue(slot, link, toCentral: .refusal(error))
        }
        return fault?.isRejection ?? false
    }

    private func serveRead(_ id: AttributeID, _ offset: Int, _ slot: AirSlot, _ link: AirLink) {
        let attribute = slot.attributes[id]
        let properties = attribute.map { $0.properties ?? .read } ?? []
        if let error = refusal(
            attribute, properties, needs: .read, encryptedBy: .readEncrypted)
        {
            return enqueue(slot, link, toCentral: .refusal(error))
        }
        link.token &+= 1
        link.openRequest = (link.token, true)
        note(slot, "read \(id.rawValue) from \(offset)")
        tell(slot, .read(id, offset: offset, token: ResponseToken(link.token)))
    }

    private func refusal(
        _ attribute: AirAttribute?, _ properties: GATTProperties, needs: GATTProperties,
        encryptedBy permission: GATTPermissions
    ) -> ATTError? {
        guard let attribute else { return .invalidHandle }
        guard !properties.isDisjoint(with: needs) else {
            return needs == .read ? .readNotPermitted : .writeNotPermitted
        }
        return attribute.permissions.contains(permission) ? .insufficientEncryption : nil
    }

    private func serveWrite(
        _ id: AttributeID, _ value: [UInt8], _ slot: AirSlot, _ link: AirLink, _ fault: Fault?,
        wantsAnswer: Bool
    ) {
        let attribute = slot.attributes[id]
        let properties = attribute.map { $0.properties ?? .write } ?? []
        if let error = refusal(
            attribute, properties, needs: [.write, .writeWithoutResponse],
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
        tell(slot, .write(id, value, token: token))
        if fault == .duplication, slot.link === link { tell(slot, .write(id, value, token: nil)) }
    }

    private func serve(
        _ id: AttributeID, isOn: Bool, _ slot: AirSlot, _ link: AirLink, _ fault: Fault?
    ) {
        let attribute = slot.attributes[id]
        if let error = refusal(
            attribute, attribute?.properties ?? [], needs: [.notify, .indicate],
            encryptedBy: .subscribeEncrypted)
        {
            return enqueue(slot, link, toCentral: .refusal(error))
        }
        enqueue(slot, link, toCentral: .done)
        let isNew = link.subscriptions.contains(id) != isOn
        guard isNew, fault != .loss else { return }
        if isOn { link.subscriptions.insert(id) } else { link.subscriptions.remove(id) }
        note(slot, "subscription \(id.rawValue) \(isOn ? "on" : "off")")
        tell(slot, .subscription(id, isOn: isOn))
    }
}
