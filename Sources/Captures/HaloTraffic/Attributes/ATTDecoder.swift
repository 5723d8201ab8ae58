import HaloCapture
import HaloProtocol
import HaloTransport

/// Decodes the attribute protocol of one bearer: pairs responses with requests, joins long reads
/// and prepared writes, and emits whole values.
///
/// The rules are those of the Core Specification, volume 3, part F. In each direction at most one
/// request is pending. Requests of the device for the app's attributes are left out, except for the
/// maximum transfer unit, which applies in both directions.
///
/// *Long reads.* An answer as long as the maximum transfer unit allows may not be the whole value.
/// It is kept until the app's next request, which may ask for the rest; a discovery may come
/// between. The value is emitted with the position of its last piece, which may lie before the
/// packet that ended it.
///
/// *Bounds.* A value has at most ``CapturePacket/maximumLength`` bytes, and at most 64 values are
/// prepared.
struct ATTDecoder: AttributeDecoder {
    typealias Output<Sink: ConversationSink> = ConversationOutput<Sink>

    private var pending: ATTRequest?
    private var mtu = ATTDecoder.leastMTU
    private var hasAgreed = false
    private(set) var read = LongRead()
    private(set) var prepared = PreparedWrites()
    /// The handles of the values that the app reads with one request.
    private var readTogether: [UInt16] = []
    /// The handle of the indication that the app has not confirmed.
    private var indicated: UInt16?
    private var pendingOfDevice: ATTRequest?

    /// The maximum transfer unit before an exchange.
    static let leastMTU: UInt16 = 23

    mutating func receive(
        _ packet: Span<UInt8>, _ direction: Direction,
        into output: inout Output<some ConversationSink>
    ) {
        guard packet.count > 0 else { return output.note(.shortPacket) }
        guard let opcode = ATTOpcode(rawValue: packet[0]) else {
            output.note(.unknownPacket)
            if direction == .toDevice, pending?.isDue != true {
                pending = ATTRequest(opcode: packet[0], isDue: false)
            }
            return
        }
        guard packet.count >= opcode.minimumLength else { return output.note(.shortPacket) }
        guard opcode.isFromServer == (direction == .fromDevice) else {
            return receiveReversed(opcode, packet, &output)
        }
        let handle = packet.attributeNumber(at: 1)
        switch opcode {
        case .notification:
            output.emit(.transferred(handle, .notified), packet.extracting(droppingFirst: 3))
        case .indication:
            if indicated != nil { output.note(.unanswered) }
            indicated = handle
            output.emit(.transferred(handle, .indicated), packet.extracting(droppingFirst: 3))
        case .multipleNotifications:
            receiveNotifications(packet, &output)
        case .confirmation:
            guard let handle = indicated else { return output.note(.strayResponse) }
            indicated = nil
            output.emit(.confirmed(handle))
        case .writeCommand:
            output.emit(.transferred(handle, .command), packet.extracting(droppingFirst: 3))
        case .signedWriteCommand:
            let end = packet.count - ATTOpcode.signatureLength
            output.emit(.transferred(handle, .signed), packet.extracting(3..<end))
        case .errorResponse:
            receiveError(packet, &output)
        default:
            if opcode.isFromServer {
                receiveResponse(opcode, packet, &output)
            } else {
                receiveRequest(opcode, packet, &output)
            }
        }
    }

    mutating func end(into output: inout Output<some ConversationSink>) {
        endRead(&output)
        if pending?.isDue == true { output.note(.unanswered) }
        self = ATTDecoder()
    }

    // MARK: Requests of the app

    private mutating func receiveRequest(
        _ opcode: ATTOpcode, _ packet: Span<UInt8>, _ output: inout Output<some ConversationSink>
    ) {
        if pending?.isDue == true { output.note(.unanswered) }
        // A read may continue until the second other request: an app may discover something
        // between two pieces.
        if read.handle != nil, opcode.isDiscovery, !read.isInterrupted {
            read.isInterrupted = true
        } else if opcode != .readBlobRequest {
            endRead(&output)
        }
        let handle = packet.attributeNumber(at: 1)
        var request = ATTRequest(opcode: packet[0], number: handle)
        defer { pending = request }
        switch opcode {
        case .findByTypeValueRequest:
            let isService = packet.attributeUUID(at: 5, count: 2) == AttributeUUIDs.primaryService
            let count = packet.count - 7
            request.type = isService ? packet.attributeUUID(at: 7, count: count) : nil
        case .readByTypeRequest, .readByGroupTypeRequest:
            request.type = packet.attributeUUID(at: 5, count: packet.count - 5)
            request.isDue = request.type != nil
            if !request.isDue { output.note(.shortPacket) }
        case .readRequest:
            output.emit(.readBegun(handle))
        case .readBlobRequest:
            request.piece = read.piece(handle, offset: Int(packet.attributeNumber(at: 3)))
            if request.piece != .next { endRead(&output) }
            if request.piece == .first { output.emit(.readBegun(handle)) }
            if request.piece == .stray { output.note(.strayFragment) }
        case .readMultipleVariableRequest:
            readTogether = stride(from: 1, to: packet.count - 1, by: 2).map {
                packet.attributeNumber(at: $0)
            }
        case .writeRequest:
            output.emit(.transferred(handle, .write), packet.extracting(droppingFirst: 3))
        case .prepareWriteRequest:
            prepared.offer(
                handle, offset: Int(packet.attributeNumber(at: 3)),
                packet.extracting(droppingFirst: 5))
        case .executeWriteRequest:
            guard packet[1] != 0 else { return prepared.removeAll() }
            for value in prepared.values {
                output.emit(.transferred(value.handle, .write), value.bytes.span)
            }
        default:
            break
        }
    }

    // MARK: Responses of the device

    private mutating func receiveResponse(
        _ opcode: ATTOpcode, _ packet: Span<UInt8>, _ output: inout Output<some ConversationSink>
    ) {
        guard let request = pending, request.isAnswered(by: packet[0]) else {
            return output.note(.strayResponse)
        }
        pending = nil
        switch opcode {
        case .exchangeMTUResponse:
            agree(request.number, packet.attributeNumber(at: 1), &output)
        case .findInformationResponse:
            // The format, then handles and UUIDs in turn.
            let length = packet[1] == 1 ? 4 : packet[1] == 2 ? 18 : 0
            guard length > 0, packet.count >= 2 + length else { return output.note(.shortPacket) }
            forEachEntry(of: length, from: 2, packet, &output) { entry, output in
                guard let uuid = entry.attributeUUID(at: 2, count: length - 2),
                    !AttributeUUIDs.structure.contains(uuid)
                else { return }
                output.emit(.descriptor(uuid, handle: entry.attributeNumber(at: 0)))
            }
        case .findByTypeValueResponse:
            guard let service = request.type else { return }
            // First and last handles in turn.
            forEachEntry(of: 4, from: 1, packet, &output) { entry, output in
                emitService(service, entry, isPrimary: true, &output)
            }
        case .readByTypeResponse:
            if let type = request.type { receiveTyped(type, packet, &output) }
        case .readByGroupTypeResponse:
            if let type = request.type { receiveGroups(type, packet, &output) }
        case .readResponse:
            receiveFirstPiece(request.number, packet, &output)
        case .readBlobResponse:
            receivePiece(request.number, request.piece, packet, &output)
        case .readMultipleResponse:
            output.note(.undividedValues)
        case .readMultipleVariableResponse:
            receiveTogether(packet, &output)
        case .writeResponse:
            output.emit(.acknowledged(request.number))
        case .prepareWriteResponse:
            if let oddity = prepared.accept() { output.note(oddity) }
        case .executeWriteResponse:
            for value in prepared.values { output.emit(.acknowledged(value.handle)) }
            prepared.removeAll()
        default:
            break
        }
    }

    private mutating func receiveError(
        _ packet: Span<UInt8>, _ output: inout Output<some ConversationSink>
    ) {
        guard let request = pending, packet[1] == request.opcode else {
            return output.note(.strayResponse)
        }
        pending = nil
        let named = packet.attributeNumber(at: 2)
        let error = ATTError(code: packet[4])
        switch ATTOpcode(rawValue: request.opcode) {
        case .readRequest, .writeRequest, .prepareWriteRequest:
            output.emit(.refused(request.number, error))
        case .readBlobRequest:
            switch request.piece {
            case .first:
                output.emit(.refused(request.number, error))
            case .next where error == .invalidOffset || error == .attributeNotLong:
                endRead(&output)
            case .next:
                read.end(request.number, length: nil)
                output.emit(.refused(request.number, error))
            case .afterEnd, .stray:
                break
            }
        case .executeWriteRequest:
            prepared.removeAll()
            output.emit(.refused(named, error))
        case .readMultipleRequest, .readMultipleVariableRequest:
            output.emit(.readBegun(named))
            output.emit(.refused(named, error))
        case .readByTypeRequest:
            guard let type = request.type, type != AttributeUUIDs.characteristic,
                type != AttributeUUIDs.include, error != .attributeNotFound, named != 0
            else { return }
            output.emit(.descriptor(type, handle: named))
            output.emit(.readBegun(named))
            output.emit(.refused(named, error))
        default:
            break
        }
    }

    /// Notes the agreed maximum transfer unit. Both sides may request it; the result is the same.
    private mutating func agree(
        _ one: UInt16, _ other: UInt16, _ output: inout Output<some ConversationSink>
    ) {
        let agreed = max(min(one, other), Self.leastMTU)
        if hasAgreed, agreed == mtu { return }
        hasAgreed = true
        mtu = agreed
        output.emit(.mtu(agreed))
    }

    // MARK: Values that are read

    /// `true` if an answer has the maximum length, so that its value may continue.
    private func isFull(_ packet: Span<UInt8>) -> Bool { packet.count >= Int(mtu) }

    private mutating func receiveFirstPiece(
        _ handle: UInt16, _ packet: Span<UInt8>, _ output: inout Output<some ConversationSink>
    ) {
        let value = packet.extracting(droppingFirst: 1)
        if isFull(packet), value.count <= CapturePacket.maximumLength {
            read.restart(handle, value, at: output.position)
        } else {
            output.emit(.transferred(handle, .read), value)
            read.end(handle, length: value.count)
        }
    }

    private mutating func receivePiece(
        _ handle: UInt16, _ piece: ATTRequest.Piece, _ packet: Span<UInt8>,
        _ output: inout Output<some ConversationSink>
    ) {
        switch piece {
        case .first:
            receiveFirstPiece(handle, packet, &output)
        case .next:
            guard read.append(packet.extracting(droppingFirst: 1), at: output.position) else {
                read.end(handle, length: nil)
                return output.note(.beyondLimits)
            }
            if !isFull(packet) { endRead(&output) }
        case .afterEnd:
            if packet.count > 1 { output.note(.strayFragment) }
        case .stray:
            break
        }
    }

    /// Emits the value that was kept because it might have continued, and is now known to be whole.
    private mutating func endRead(_ output: inout Output<some ConversationSink>) {
        guard let handle = read.handle else { return }
        output.sink.receive(
            .transferred(handle, .read), read.bytes.span, on: output.connection, at: read.position)
        read.end(handle, length: read.bytes.count)
    }

    /// Receives lengths and values in turn; the last value may have been cut to fit.
    private func receiveTogether(
        _ packet: Span<UInt8>, _ output: inout Output<some ConversationSink>
    ) {
        var offset = 1
        for handle in readTogether {
            let length = Int(packet.attributeNumber(at: offset))
            guard packet.count - offset >= 2 + length else { return output.note(.shortPacket) }
            offset += 2
            output.emit(.readBegun(handle))
            output.emit(.transferred(handle, .read), packet.extracting(offset..<offset + length))
            offset += length
        }
        if offset < packet.count { output.note(.strayFragment) }
    }

    /// Receives handles, lengths and values in turn.
    private func receiveNotifications(
        _ packet: Span<UInt8>, _ output: inout Output<some ConversationSink>
    ) {
        var offset = 1
        while packet.count - offset >= 4 {
            let handle = packet.attributeNumber(at: offset)
            let length = Int(packet.attributeNumber(at: offset + 2))
            offset += 4
            guard length <= packet.count - offset else { break }
            output.emit(
                .transferred(handle, .notified), packet.extracting(offset..<offset + length))
            offset += length
            if offset == packet.count { return }
        }
        output.note(.shortPacket)
    }

    // MARK: Discovery

    /// Calls a function for each entry of one length from an offset on. A shorter rest is noted as
    /// a short packet.
    private func forEachEntry<Sink: ConversationSink>(
        of length: Int, from start: Int, _ packet: Span<UInt8>, _ output: inout Output<Sink>,
        _ body: (Span<UInt8>, inout Output<Sink>) -> Void
    ) {
        var offset = start
        while packet.count - offset >= length {
            body(packet.extracting(offset..<offset + length), &output)
            offset += length
        }
        if offset < packet.count { output.note(.shortPacket) }
    }

    private func emitService(
        _ uuid: BluetoothUUID, _ range: Span<UInt8>, isPrimary: Bool,
        _ output: inout Output<some ConversationSink>
    ) {
        let (first, last) = (range.attributeNumber(at: 0), range.attributeNumber(at: 2))
        guard first > 0, first <= last else { return output.note(.shortPacket) }
        output.emit(.service(uuid, first: first, last: last, isPrimary: isPrimary))
    }

    /// Receives the length of an entry, then first handle, last handle and UUID in turn.
    private func receiveGroups(
        _ type: BluetoothUUID, _ packet: Span<UInt8>, _ output: inout Output<some ConversationSink>
    ) {
        let length = Int(packet[1])
        let isPrimary = type == AttributeUUIDs.primaryService
        guard isPrimary || type == AttributeUUIDs.secondaryService else { return }
        guard length == 6 || length == 20 else { return output.note(.shortPacket) }
        forEachEntry(of: length, from: 2, packet, &output) { entry, output in
            guard let uuid = entry.attributeUUID(at: 4, count: length - 4) else { return }
            emitService(uuid, entry, isPrimary: isPrimary, &output)
        }
    }

    /// Receives the length of an entry, then handles and values in turn: declarations, or other
    /// values.
    private mutating func receiveTyped(
        _ type: BluetoothUUID, _ packet: Span<UInt8>, _ output: inout Output<some ConversationSink>
    ) {
        let length = Int(packet[1])
        guard length >= 2, packet.count >= 2 + length else { return output.note(.shortPacket) }
        switch type {
        case AttributeUUIDs.characteristic:
            // The declaration's handle, properties, the value's handle, UUID.
            guard length == 7 || length == 21 else { return output.note(.shortPacket) }
            forEachEntry(of: length, from: 2, packet, &output) { entry, output in
                guard let uuid = entry.attributeUUID(at: 5, count: length - 5) else { return }
                let properties = GATTProperties(rawValue: entry[2])
                let value = entry.attributeNumber(at: 3)
                output.emit(.characteristic(uuid, value: value, properties))
            }
        case AttributeUUIDs.include:
            // The declaration's handle, first and last handle, and a UUID if it is a short one.
            guard length == 6 || length == 8 else { return output.note(.shortPacket) }
            forEachEntry(of: length, from: 2, packet, &output) { entry, output in
                guard let uuid = entry.attributeUUID(at: 6, count: length - 6) else { return }
                let range = entry.extracting(droppingFirst: 2)
                emitService(uuid, range, isPrimary: false, &output)
            }
        default:
            // Values, each with its handle.
            let mayContinue =
                packet.count == 2 + length && (isFull(packet) || length == Int(UInt8.max))
            if mayContinue {
                let handle = packet.attributeNumber(at: 2)
                output.emit(.descriptor(type, handle: handle))
                output.emit(.readBegun(handle))
                return read.restart(handle, packet.extracting(4..<2 + length), at: output.position)
            }
            forEachEntry(of: length, from: 2, packet, &output) { entry, output in
                let handle = entry.attributeNumber(at: 0)
                output.emit(.descriptor(type, handle: handle))
                output.emit(.readBegun(handle))
                output.emit(.transferred(handle, .read), entry.extracting(droppingFirst: 2))
            }
        }
    }

    // MARK: Requests of the device

    private mutating func receiveReversed(
        _ opcode: ATTOpcode, _ packet: Span<UInt8>, _ output: inout Output<some ConversationSink>
    ) {
        switch opcode {
        case .exchangeMTURequest:
            pendingOfDevice = ATTRequest(
                opcode: packet[0], number: packet.attributeNumber(at: 1))
        case .exchangeMTUResponse where pendingOfDevice?.isAnswered(by: packet[0]) == true:
            agree(pendingOfDevice?.number ?? 0, packet.attributeNumber(at: 1), &output)
            pendingOfDevice = nil
        case .errorResponse where pendingOfDevice?.opcode == packet[1]:
            pendingOfDevice = nil
        case .notification, .indication, .multipleNotifications, .confirmation, .writeCommand,
            .signedWriteCommand:
            output.note(.askedByDevice)
        case _ where opcode.isFromServer:
            if pendingOfDevice?.isAnswered(by: packet[0]) != true { output.note(.strayResponse) }
            pendingOfDevice = nil
        default:
            if pendingOfDevice != nil { output.note(.unanswered) }
            pendingOfDevice = ATTRequest(opcode: packet[0])
            output.note(.askedByDevice)
        }
    }
}

extension AttributeUUIDs {
    /// The types of declarations, which are not reported as values.
    fileprivate static let structure = [primaryService, secondaryService, include, characteristic]
}

extension ATTError {
    /// There is no further attribute of the type: the end of a search.
    static let attributeNotFound = ATTError(code: 0x0A)
    /// The value is no longer than one answer: a possible end of a long read.
    fileprivate static let attributeNotLong = ATTError(code: 0x0B)
}
