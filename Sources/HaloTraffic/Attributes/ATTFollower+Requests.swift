import HaloProtocol
import HaloTransport

/// What the app asks of the device, and what comes back.
extension ATTFollower {
    mutating func takeRequest(
        _ opcode: ATTOpcode, _ packet: Span<UInt8>, _ spot: Spot,
        _ sink: inout some ConversationSink
    ) {
        if asked.isWaitedFor { spot.odd(.unanswered, &sink) }
        if opcode != .readBlobRequest { endRead(spot, &sink) }
        let handle = packet.attributeNumber(at: 1)
        switch opcode {
        case .exchangeMTURequest:
            asked = .mtu(handle)
        case .findInformationRequest:
            asked = .findInformation
        case .findByTypeValueRequest:
            asked = .findByTypeValue(service: Self.wantedService(packet))
        case .readByTypeRequest, .readByGroupTypeRequest:
            guard let type = packet.attributeUUID(at: 5, count: packet.count - 5) else {
                asked = .other(packet[0])
                return spot.odd(.shortPacket, &sink)
            }
            asked = opcode == .readByTypeRequest ? .readByType(type) : .readByGroupType(type)
        case .readRequest:
            asked = .read(handle)
            spot.tell(.readBegun(handle), &sink)
        case .readBlobRequest:
            askForMore(handle, Int(packet.attributeNumber(at: 3)), spot, &sink)
        case .readMultipleRequest:
            asked = .readMultiple
        case .readMultipleVariableRequest:
            askTogether(packet)
        case .writeRequest:
            asked = .write(handle)
            sink.take(
                .written(handle, .request), packet.extracting(droppingFirst: 3),
                on: spot.connection, at: spot.place)
        case .prepareWriteRequest:
            asked = .prepareWrite(handle)
            prepared.offer(
                handle, offset: Int(packet.attributeNumber(at: 3)),
                packet.extracting(droppingFirst: 5))
        case .executeWriteRequest:
            asked = .executeWrite
            execute(packet[1] != 0, spot, &sink)
        default:
            asked = .other(packet[0])
        }
    }

    mutating func takeResponse(
        _ opcode: ATTOpcode, _ packet: Span<UInt8>, _ spot: Spot,
        _ sink: inout some ConversationSink
    ) {
        guard asked.isAnswered(by: opcode) else { return spot.odd(.strayResponse, &sink) }
        let request = asked
        asked = .none
        switch request {
        case .mtu(let own):
            agree(own, packet.attributeNumber(at: 1), spot, &sink)
        case .findInformation:
            takeInformation(packet, spot, &sink)
        case .findByTypeValue(let service):
            if let service { takeFoundServices(service, packet, spot, &sink) }
        case .readByType(let type):
            takeTyped(type, packet, spot, &sink)
        case .readByGroupType(let type):
            takeGroups(type, packet, spot, &sink)
        case .read(let handle):
            takeFirstPiece(handle, packet, spot, &sink)
        case .readBlob(let handle, let part):
            takePiece(handle, part, packet, spot, &sink)
        case .readMultiple:
            spot.odd(.undividedValues, &sink)
        case .readMultipleVariable:
            takeTogether(packet, spot, &sink)
        case .write(let handle):
            spot.tell(.acknowledged(handle), &sink)
        case .prepareWrite:
            acceptPrepared(spot, &sink)
        case .executeWrite:
            for value in prepared.values { spot.tell(.acknowledged(value.handle), &sink) }
            prepared.removeAll()
        case .none, .other:
            break
        }
    }

    mutating func takeError(
        _ packet: Span<UInt8>, _ spot: Spot, _ sink: inout some ConversationSink
    ) {
        let request = asked
        guard request != .none, packet[1] == request.opcode else {
            return spot.odd(.strayResponse, &sink)
        }
        asked = .none
        let named = packet.attributeNumber(at: 2)
        let error = ATTError(code: packet[4])
        switch request {
        case .read(let handle), .write(let handle), .prepareWrite(let handle):
            spot.tell(.refused(handle, error), &sink)
        case .readBlob(let handle, let part):
            takeRefusedPiece(handle, part, error, spot, &sink)
        case .executeWrite:
            prepared.removeAll()
            spot.tell(.refused(named, error), &sink)
        case .readMultiple, .readMultipleVariable:
            spot.tell(.readBegun(named), &sink)
            spot.tell(.refused(named, error), &sink)
        case .readByType(let type):
            let isValue = type != AttributeUUIDs.characteristic && type != AttributeUUIDs.include
            guard isValue, error != .attributeNotFound, named != 0 else { return }
            spot.tell(.descriptor(type, handle: named), &sink)
            spot.tell(.readBegun(named), &sink)
            spot.tell(.refused(named, error), &sink)
        case .mtu, .findInformation, .findByTypeValue, .readByGroupType, .none, .other:
            break
        }
    }

    // MARK: Prepared writes

    private mutating func acceptPrepared(_ spot: Spot, _ sink: inout some ConversationSink) {
        switch prepared.accept() {
        case .kept: break
        case .stray: spot.odd(.strayFragment, &sink)
        case .beyondLimits: spot.odd(.beyondLimits, &sink)
        }
    }

    private mutating func execute(
        _ isMeant: Bool, _ spot: Spot, _ sink: inout some ConversationSink
    ) {
        guard isMeant else { return prepared.removeAll() }
        for value in prepared.values {
            sink.take(
                .written(value.handle, .prepared), value.bytes.span, on: spot.connection,
                at: spot.place)
        }
    }
}

extension ATTError {
    /// There is no attribute of the kind, or no more of them: how a search ends.
    static let attributeNotFound = ATTError(code: 0x0A)
    /// The value is no longer than one answer: how a read in pieces can end.
    static let attributeNotLong = ATTError(code: 0x0B)
}
