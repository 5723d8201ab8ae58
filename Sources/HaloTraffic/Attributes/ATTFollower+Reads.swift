import HaloCapture
import HaloProtocol
import HaloTransport

/// Values that the app reads: in one piece, in many, or many at once.
extension ATTFollower {
    /// Whether an answer is as long as one can be, so that its value may go on.
    private func isFull(_ packet: Span<UInt8>) -> Bool { packet.count >= Int(mtu) }

    mutating func askForMore(
        _ handle: UInt16, _ offset: Int, _ spot: Spot, _ sink: inout some ConversationSink
    ) {
        let part = read.part(handle, offset: offset)
        if part != .next { endRead(spot, &sink) }
        asked = .readBlob(handle, part)
        switch part {
        case .first: spot.tell(.readBegun(handle), &sink)
        case .stray: spot.odd(.strayFragment, &sink)
        case .next, .afterEnd: break
        }
    }

    mutating func takeFirstPiece(
        _ handle: UInt16, _ packet: Span<UInt8>, _ spot: Spot,
        _ sink: inout some ConversationSink
    ) {
        let value = packet.extracting(droppingFirst: 1)
        if isFull(packet), value.count <= CapturePacket.maximumLength {
            read.begin(handle, value, at: spot.place)
        } else {
            sink.take(.readAnswered(handle), value, on: spot.connection, at: spot.place)
            read.end(handle, length: value.count)
        }
    }

    mutating func takePiece(
        _ handle: UInt16, _ part: ATTRequest.BlobPart, _ packet: Span<UInt8>, _ spot: Spot,
        _ sink: inout some ConversationSink
    ) {
        switch part {
        case .first:
            takeFirstPiece(handle, packet, spot, &sink)
        case .next:
            guard read.resume(packet.extracting(droppingFirst: 1), at: spot.place) else {
                read.end(handle, length: nil)
                return spot.odd(.beyondLimits, &sink)
            }
            if !isFull(packet) { endRead(spot, &sink) }
        case .afterEnd:
            if packet.count > 1 { spot.odd(.strayFragment, &sink) }
        case .stray:
            break
        }
    }

    mutating func takeRefusedPiece(
        _ handle: UInt16, _ part: ATTRequest.BlobPart, _ error: ATTError, _ spot: Spot,
        _ sink: inout some ConversationSink
    ) {
        switch part {
        case .first:
            spot.tell(.refused(handle, error), &sink)
        case .next where error == .invalidOffset || error == .attributeNotLong:
            endRead(spot, &sink)
        case .next:
            read.end(handle, length: nil)
            spot.tell(.refused(handle, error), &sink)
        case .afterEnd, .stray:
            break
        }
    }

    /// Tells the value that was kept because it might have gone on: it is whole.
    mutating func endRead(_ spot: Spot, _ sink: inout some ConversationSink) {
        guard let handle = read.handle else { return }
        sink.take(
            .readAnswered(handle), read.bytes.span, on: spot.connection, at: read.place)
        read.end(handle, length: read.bytes.count)
    }

    // MARK: Many at once

    mutating func askTogether(_ packet: Span<UInt8>) {
        asked = .readMultipleVariable
        readTogether.removeAll(keepingCapacity: true)
        var position = 1
        while position + 2 <= packet.count, readTogether.count < CapturePacket.maximumLength {
            readTogether.append(packet.attributeNumber(at: position))
            position += 2
        }
    }

    /// Length and value, again and again; the last value may have been cut to fit.
    func takeTogether(
        _ packet: Span<UInt8>, _ spot: Spot, _ sink: inout some ConversationSink
    ) {
        var position = 1
        for handle in readTogether {
            let length = Int(packet.attributeNumber(at: position))
            guard packet.count - position >= 2, packet.count - position - 2 >= length else {
                return spot.odd(.shortPacket, &sink)
            }
            position += 2
            spot.tell(.readBegun(handle), &sink)
            sink.take(
                .readAnswered(handle), packet.extracting(position..<position + length),
                on: spot.connection, at: spot.place)
            position += length
        }
        if position < packet.count { spot.odd(.strayFragment, &sink) }
    }

    /// Values that were asked for by their type, of which the handles come with them.
    mutating func takeTypedValues(
        _ type: BluetoothUUID, _ packet: Span<UInt8>, _ spot: Spot,
        _ sink: inout some ConversationSink
    ) {
        let length = Int(packet[1])
        let isAlone = packet.count == 2 + length
        var position = 2
        while packet.count - position >= length {
            let handle = packet.attributeNumber(at: position)
            let value = packet.extracting(position + 2..<position + length)
            spot.tell(.descriptor(type, handle: handle), &sink)
            spot.tell(.readBegun(handle), &sink)
            if isAlone, isFull(packet) || length == Int(UInt8.max) {
                read.begin(handle, value, at: spot.place)
            } else {
                sink.take(.readAnswered(handle), value, on: spot.connection, at: spot.place)
            }
            position += length
        }
        if position < packet.count { spot.odd(.shortPacket, &sink) }
    }
}
