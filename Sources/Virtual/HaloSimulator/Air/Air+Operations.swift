internal import HaloProtocol
package import HaloTransport

extension Air {
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

    func startOperations(_ slot: AirSlot, _ link: AirLink) {
        while slot.link === link, !link.isAsking, let operation = link.operations.first {
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
        link.isAsking = true
        let deadline = now.advanced(byMicroseconds: AirLimits.answerMicroseconds)
        events.schedule(link.answerDeadline, at: deadline)
        enqueue(slot, link, toDevice: packet)
    }

    private func finish(_ link: AirLink, _ output: AirOutput) {
        _ = link.operations.popFirst()
        emit(output)
    }

    func answered(_ slot: AirSlot, _ link: AirLink, _ answer: AirPacketToCentral) {
        guard link.isAsking, let operation = link.operations.first else { return }
        link.isAsking = false
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
        return error == .invalidOffset || error == .attributeNotLong
    }

    private func refused(
        _ operation: AirOperation, _ error: ATTError, _ slot: AirSlot
    ) -> BLEError {
        let uuid = operation.needs.flatMap { slot.attributes[$0.attribute]?.uuid }
        return BLEError(.refused, operation.name, uuid: uuid, attError: error)
    }
}

extension ATTError {
    /// The value fits in one packet, so there is no further part to read.
    static let attributeNotLong = ATTError(code: 11)
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
