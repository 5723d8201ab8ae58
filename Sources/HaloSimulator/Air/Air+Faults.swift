internal import HaloProtocol
internal import HaloTransport

extension Air {
    /// A fault that waited for its moment happens, to each link that it is about.
    func happen(_ rule: FaultRule) {
        for slot in slots where rule.device == nil || rule.device == slot.number {
            guard let link = slot.link, link.phase == .open, rule.fault.isOfLinks,
                let fault = faults.judge(rule, of: slot.number, at: now)
            else { continue }
            note(slot, "\(fault)")
            _ = holds(slot, link, fault)
            if slot.link === link { scheduleMeeting(slot, link) }
        }
    }

    /// Until when a fault keeps a packet from travelling; nothing if it does not.
    func holds(_ slot: AirSlot, _ link: AirLink, _ fault: Fault) -> Moment? {
        switch fault {
        case .delay(let duration):
            return now + duration
        case .stall(let duration):
            link.quietUntil = max(link.quietUntil, now + duration)
            link.isMeeting = false
            superviseStall(link)
            return link.quietUntil
        case .disconnection:
            end(slot, .outOfReach)
            return now
        case .loss, .duplication, .reordering, .corruption, .truncation, .refusal, .silence,
            .refusedCommand, .shortPackets, .failedConnection:
            return nil
        }
    }

    /// A link that is quiet for longer than its supervision timeout ends.
    func superviseStall(_ link: AirLink) {
        guard link.phase == .open, events.moment(of: link.supervision) == nil else { return }
        let end = now.advanced(byMicroseconds: link.supervisionTimeout)
        if link.quietUntil > end { events.schedule(link.supervision, at: end) }
    }

    /// A ring refuses the frame that was written.
    func refuseCommand(_ value: [UInt8], _ slot: AirSlot, _ link: AirLink) {
        guard let frame = try? Frame(decoding: value) else { return }
        let answer = link.subscriptions.first {
            slot.attributes[$0]?.uuid == RingServices.uartNotify
        }
        if let answer {
            send(slot, answer, Array(Refusal(of: frame.opcode).frame.bytes), isConfirmed: false)
        }
    }

    /// Remembers something that happened, if anybody wants to know.
    func note(_ slot: AirSlot, _ text: @autoclosure () -> String, _ bytes: [UInt8] = []) {
        guard trace.limit > 0 else { return }
        trace.append(now, slot.number, text() + HexText.bytes(bytes, separator: " "))
    }
}

extension Fault {
    /// Whether it happens to a link, and not only to what the link carries.
    var isOfLinks: Bool {
        switch self {
        case .stall, .disconnection: true
        case .loss, .duplication, .reordering, .corruption, .truncation, .delay, .refusal,
            .silence, .refusedCommand, .shortPackets, .failedConnection:
            false
        }
    }

    /// Whether the device never hears of the request.
    var isRejection: Bool {
        switch self {
        case .refusal, .silence: true
        case .loss, .duplication, .reordering, .corruption, .truncation, .delay, .stall,
            .disconnection, .refusedCommand, .shortPackets, .failedConnection:
            false
        }
    }

    /// Whether what follows in the same direction waits, and nothing else.
    var isDelay: Bool {
        if case .delay = self { true } else { false }
    }

    /// A value as it arrives; nothing if it arrives as it was.
    func changed(_ value: [UInt8]) -> [UInt8]? {
        switch self {
        case .corruption(let bit):
            guard !value.isEmpty, bit >= 0 else { return nil }
            var value = value
            value[bit / 8 % value.count] ^= 1 << UInt8(bit % 8)
            return value
        case .truncation(let length): return Array(value.prefix(max(length, 0)))
        case .loss, .duplication, .reordering, .delay, .stall, .disconnection, .refusal,
            .silence, .refusedCommand, .shortPackets, .failedConnection:
            return nil
        }
    }
}

extension AirPacketToDevice {
    /// What of it can go wrong, with the value if it carries one.
    var subject: (FaultSubject, AttributeID, [UInt8])? {
        switch self {
        case .read(let id, _): (.read, id, [])
        case .write(let id, let value), .command(let id, let value): (.write, id, value)
        case .subscribe(let id, _): (.subscription, id, [])
        case .housekeeping, .confirmation, .mtuAnswer, .terminate: nil
        }
    }
}

extension AirPacketToCentral {
    /// The value, if the device sent it unasked.
    var unasked: (AttributeID, [UInt8])? {
        switch self {
        case .notification(let id, let value), .indication(let id, let value): (id, value)
        case .housekeeping, .value, .done, .refusal, .mtuRequest, .servicesChanged, .terminate:
            nil
        }
    }
}

extension FIFO {
    /// Remembers that faults were drawn for the first packet.
    mutating func markFirstJudged<Packet>() where Element == AirWaiting<Packet> {
        updateFirst { $0.isJudged = true }
    }
}
